"""Motion of blocks along SE(3): exponential and the inverse of its tangent operator.

    q <- q_0 exp(psi),  psi = [v | w]:   p_0 + R_0 V(w) v,   quat_0 [cos |w|/2, w sin(|w|/2)/|w|]
    V(w) = 1 + C [w]x + E [w]x^2,   C = (1 - cos |w|)/|w|^2,   E = (|w| - sin |w|)/|w|^3

    exp(psi + T(psi)^-1 d) = exp(psi) exp(d) to first order
    T^-1 = [ A U ]   A = 1 + [w]x/2 + c [w]x^2,   c = (1 - |w|/2 cot |w|/2)/|w|^2
           [ 0 A ]   U = [v]x/2 + c ([v]x [w]x + [w]x [v]x) + 2 c' (w.v) [w]x^2

U is the derivative of A along v; c is a function of |w|^2, and c' its derivative.
Source: Sonneville, Cardona, Bruels 2014.
"""

from __future__ import annotations

import numpy as np

from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.assembly import block_record
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit

SMALL = 1e-3
"""Square of the angle below which series are used: five terms are exact to rounding."""


@jit
def cross(a: Reals, b: Reals, out: Reals) -> None:
    """out <- a x b; out is neither."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@jit
def rotate(quat: Reals, v: Reals, work: Reals, out: Reals) -> None:
    """out <- out + R v = v + 2 (e0 e x v + e x (e x v)), e the vector part."""
    e, first, second = at(quat, 1), work, at(work, 3)
    cross(e, v, first)
    cross(e, first, second)
    for i in range(3):
        out[i] += v[i] + 2.0 * (quat[0] * first[i] + second[i])


@jit
def move_pose(q0: Reals, psi: Reals, q: Reals, work: Reals) -> None:
    """q <- q0 exp(psi); work: 15 numbers; q may be q0."""
    v, w = psi, at(psi, 3)
    x = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    if x < SMALL:
        C = 0.5 - x * (1.0 / 24 - x * (1.0 / 720 - x / 40320))
        E = 1.0 / 6 - x * (1.0 / 120 - x * (1.0 / 5040 - x / 362880))
        half = 0.5 - x * (1.0 / 48 - x * (1.0 / 3840 - x / 645120))
        real = 1.0 - x * (1.0 / 8 - x * (1.0 / 384 - x / 46080))
    else:
        angle = np.sqrt(x)
        C, E = (1.0 - np.cos(angle)) / x, (angle - np.sin(angle)) / (x * angle)
        half, real = np.sin(0.5 * angle) / angle, np.cos(0.5 * angle)
    first, second, moved = work, at(work, 3), at(work, 6)
    cross(w, v, first)
    cross(w, first, second)
    for i in range(3):
        moved[i] = v[i] + C * first[i] + E * second[i]
        q[i] = q0[i]
    rotate(at(q0, 3), moved, at(work, 9), q)
    a0, a1, a2, a3 = q0[3], q0[4], q0[5], q0[6]
    b1, b2, b3 = half * w[0], half * w[1], half * w[2]
    e0 = a0 * real - a1 * b1 - a2 * b2 - a3 * b3
    e1 = a0 * b1 + a1 * real + a2 * b3 - a3 * b2
    e2 = a0 * b2 - a1 * b3 + a2 * real + a3 * b1
    e3 = a0 * b3 + a1 * b2 - a2 * b1 + a3 * real
    length = 1.0 / np.sqrt(e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    q[3], q[4], q[5], q[6] = e0 * length, e1 * length, e2 * length, e3 * length


@jit
def turn_of(psi: Reals, T: Reals) -> None:
    """T <- [A | U] of T(psi)^-1. c to eight terms: it steers Newton's method only."""
    v, w = psi, at(psi, 3)
    x = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    along = 2.0 * (w[0] * v[0] + w[1] * v[1] + w[2] * v[2])
    c = 1.0 / 12 + x * (1.0 / 720 + x * (1.0 / 30240 + x * (1.0 / 1209600 + x / 47900160)))
    slope = 1.0 / 720 + x * (2.0 / 30240 + x * (3.0 / 1209600 + x * (4.0 / 47900160)))
    vw = 0.5 * along
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        T[3 * i + i] = 1.0 + c * (w[i] * w[i] - x)
        T[9 + 3 * i + i] = c * 2.0 * (w[i] * v[i] - vw) + slope * along * (w[i] * w[i] - x)
        square, mixed = w[i] * w[j], w[i] * v[j] + v[i] * w[j]
        T[3 * i + j] = -0.5 * w[k] + c * square
        T[3 * j + i] = 0.5 * w[k] + c * square
        T[9 + 3 * i + j] = -0.5 * v[k] + c * mixed + slope * along * square
        T[9 + 3 * j + i] = 0.5 * v[k] + c * mixed + slope * along * square


@jit
def add_turned(T: Reals, d: Reals, psi: Reals) -> None:
    """psi <- psi + T d for a pose."""
    for i in range(3):
        row, upper = at(T, 3 * i), at(T, 9 + 3 * i)
        turned = row[0] * d[3] + row[1] * d[4] + row[2] * d[5]
        psi[3 + i] += turned
        psi[i] += row[0] * d[0] + row[1] * d[1] + row[2] * d[2]
        psi[i] += upper[0] * d[3] + upper[1] * d[4] + upper[2] * d[5]


@jit
def move_blocks(ic: Integers, q0: Reals, psi: Reals, q: Reals, work: Reals) -> None:
    """q <- q0 exp(psi) for all free blocks."""
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        if block[sl.B_D] >= ic[sl.UNKNOWNS]:
            continue
        start, place = block[sl.B_Q], block[sl.B_D]
        if block[sl.B_POSE] == 1:
            move_pose(at(q0, start), at(psi, place), at(q, start), work)
            start += 7
            place += 6
        for i in range(block[sl.B_REALS]):
            q[start + i] = q0[start + i] + psi[place + i]


@entry
def move(ic: Integers, q0: Reals, psi: Reals, q: Reals, work: Reals) -> int:
    """``move_blocks`` for Python."""
    move_blocks(ic, q0, psi, q, work)
    return 0
