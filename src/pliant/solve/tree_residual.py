"""Services of a tree for implicit methods: kinematics of its joints, residual, derivatives.

The residual is found by recursion: accelerations outwards, wrenches inwards, O(n). The derivatives
are small blocks of every link (``pliant.equations.tree_newton``); no matrix is formed.
"""

from __future__ import annotations

import numpy as np

from pliant.solve.abi import Integers, Reals, at, call_model, jit, service
from pliant.solve.context import EVALUATIONS, JACOBIANS, NQ, NU
from pliant.solve.tree import efforts, outwards
from pliant.solve.tree_layout import (
    BLOCKS,
    CARRY,
    COLLECT,
    F_NQ,
    F_NU,
    F_NUMBERS,
    F_Q,
    F_ROW,
    F_SLOPE,
    F_U,
    K_ACCELERATION,
    K_NQ,
    K_NU,
    L_A_INNER,
    L_KIND,
    L_NEWTON,
    L_Q,
    L_RECORD,
    L_SLOT,
    L_SLOT_INNER,
    L_U,
    L_W_INNER,
    LAW_INTS,
    LAWS,
    LINK_INTS,
    LINKS,
    N_LAWS,
    N_LINKS,
    N_QUATERNIONS,
    N_SLOPES,
    N_WRENCH,
    QUATERNIONS,
    RATES,
    SCRATCH,
    SPEEDS,
    WORK,
)  # fmt: skip


@service
def kinematics(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | q'']."""
    scratch, nq, nu = at(dc, ic[SCRATCH]), ic[NQ], ic[NU]
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, q, u = at(ic, L[L_KIND]), at(x, L[L_Q]), at(x, L[L_U])
        a, first = at(u, nu), at(y, L[L_Q] - 1)
        second, own_q, own_u = at(first, nq), K[K_NQ], K[K_NU]
        if K[RATES] == 0:
            for k in range(own_u):
                first[k], second[k] = u[k], a[k]
        else:
            for k in range(own_q):
                scratch[k] = q[k]
            for k in range(own_u):
                scratch[own_q + k], scratch[own_q + own_u + k] = u[k], a[k]
            out = at(scratch, WORK)
            call_model(K[RATES], scratch, at(dc, L[L_RECORD]), out)
            for k in range(own_q):
                first[k], second[k] = out[k], out[own_q + k]
    return 0


@service
def rates(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- u for x = [t | q | q']."""
    scratch, nq = at(dc, ic[SCRATCH]), ic[NQ]
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, q, u = at(ic, L[L_KIND]), at(x, L[L_Q]), at(y, L[L_U] - 1 - nq)
        qdot = at(q, nq)
        if K[SPEEDS] == 0:
            for k in range(K[K_NU]):
                u[k] = qdot[k]
        else:
            for k in range(K[K_NQ]):
                scratch[k], scratch[K[K_NQ] + k] = q[k], qdot[k]
            call_model(K[SPEEDS], scratch, at(dc, L[L_RECORD]), u)
    return 0


@service
def tangent(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q <- retract(q, y): q + N y, for quaternions the exponential.

    N of every joint of a tree is constant but for quaternions.
    """
    scratch, nq = at(dc, ic[SCRATCH]), ic[NQ]
    dq = at(y, ic[NU])
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, q, v, own = at(ic, L[L_KIND]), at(x, L[L_Q]), at(y, L[L_U] - 1 - nq), at(dq, L[L_Q] - 1)
        if K[RATES] == 0:
            for k in range(K[K_NU]):
                own[k] = v[k]
        else:
            for k in range(K[K_NQ]):
                scratch[k] = q[k]
            for k in range(K[K_NU]):
                scratch[K[K_NQ] + k], scratch[K[K_NQ] + K[K_NU] + k] = v[k], 0.0
            out = at(scratch, WORK)
            call_model(K[RATES], scratch, at(dc, L[L_RECORD]), out)
            for k in range(K[K_NQ]):
                own[k] = out[k]
    for i in range(ic[N_QUATERNIONS]):
        place = ic[ic[QUATERNIONS] + i]
        turn(at(x, place), at(dq, place - 1))
    for i in range(nq):
        x[1 + i] += dq[i]
    return 0


@jit
def turn(e: Reals, de: Reals) -> None:
    """de <- exponential step of the unit quaternion e less e: cos s e + sin s de/s, s = |de|."""
    s = np.sqrt(de[0] ** 2 + de[1] ** 2 + de[2] ** 2 + de[3] ** 2)
    factor = np.sin(s) / s if s > 1e-8 else 1.0 - s * s / 6.0
    cosine, length = np.cos(s), 0.0
    for k in range(4):
        de[k] = cosine * e[k] + factor * de[k]
        length += de[k] ** 2
    length = np.sqrt(length)
    for k in range(4):
        de[k] = de[k] / length - e[k]


@jit
def carry(ic: Integers, dc: Reals, x: Reals) -> None:
    """Accelerations outwards; the wrench each link needs into its Newton record."""
    scratch, nu = at(dc, ic[SCRATCH]), ic[NU]
    out = at(scratch, WORK)
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, record, inner = at(ic, L[L_KIND]), at(dc, L[L_RECORD]), at(dc, L[L_A_INNER])
        for k in range(6):
            scratch[k] = inner[k]
        for k in range(K[K_NU]):
            scratch[6 + k] = x[L[L_U] + nu + k]
        call_model(K[CARRY], scratch, record, out)
        own, wrench = at(record, K[K_ACCELERATION]), at(dc, L[L_NEWTON] + K[N_WRENCH])
        for k in range(6):
            own[k], wrench[k] = out[k], out[6 + k]


@jit
def collect(ic: Integers, dc: Reals, r: Reals) -> None:
    """Wrenches inwards: all of what each joint transmits; r at the places of u in x."""
    out = at(dc, ic[SCRATCH])
    for i in range(ic[N_LINKS] - 1, -1, -1):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, outer = at(ic, L[L_KIND]), at(dc, L[L_SLOT])
        wrench, target = at(dc, L[L_NEWTON] + K[N_WRENCH]), L[L_SLOT_INNER]
        for k in range(6):
            wrench[k] += outer[k]
        call_model(K[COLLECT], wrench, at(dc, L[L_RECORD]), out)
        for k in range(K[K_NU]):
            r[L[L_U] + k] = out[6 + k]
        add_to(dc, target, out, 6)


@jit
def add_to(dc: Reals, target: int, values: Reals, n: int) -> None:
    """The first to write (target > 0) or to be added (< 0) to a room; nothing for the ground."""
    if target > 0:
        room = at(dc, target)
        for k in range(n):
            room[k] = values[k]
    elif target < 0:
        room = at(dc, -target)
        for k in range(n):
            room[k] += values[k]


@jit
def all_residuals(ic: Integers, dc: Reals, x: Reals, y: Reals) -> None:
    """y <- [q' | r]; leaves the motion and the wrench of every link."""
    efforts(ic, dc, x, y, False)
    outwards(ic, dc, x, y)
    carry(ic, dc, x)
    collect(ic, dc, at(y, -1))


@service
def residual(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | r]."""
    ic[EVALUATIONS] += 1
    all_residuals(ic, dc, x, y)
    return 0


@service
def linearise(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Blocks of the derivative of every link at x."""
    ic[JACOBIANS] += 1
    all_residuals(ic, dc, x, y)
    scratch, nu = at(dc, ic[SCRATCH]), ic[NU]
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, newton = at(ic, L[L_KIND]), at(dc, L[L_NEWTON])
        w, a, wrench = at(dc, L[L_W_INNER]), at(dc, L[L_A_INNER]), at(newton, K[N_WRENCH])
        own_q, own_u = K[K_NQ], K[K_NU]
        for k in range(3):
            scratch[k] = w[k]
        for k in range(6):
            scratch[3 + k] = a[k]
            scratch[9 + own_q + 2 * own_u + k] = wrench[k]
        for k in range(own_q):
            scratch[9 + k] = x[L[L_Q] + k]
        own = at(scratch, 9 + own_q)
        for k in range(own_u):
            own[k], own[own_u + k] = x[L[L_U] + k], x[L[L_U] + nu + k]
        call_model(K[BLOCKS], scratch, at(dc, L[L_RECORD]), newton)
        W_u = at(newton, K[N_SLOPES] + own_u * own_u)
        for k in range(own_u * own_u):
            W_u[k] = 0.0
    slopes(ic, dc, x)
    return 0


@jit
def slopes(ic: Integers, dc: Reals, x: Reals) -> None:
    """Derivatives of the efforts, taken from the rows of their links."""
    scratch = at(dc, ic[SCRATCH])
    out = at(scratch, WORK)
    for i in range(ic[N_LAWS]):
        F = at(ic, ic[LAWS] + LAW_INTS * i)
        nu = F[F_NU]
        scratch[0] = x[0]
        for k in range(F[F_NQ]):
            scratch[1 + k] = x[F[F_Q] + k]
        for k in range(nu):
            scratch[1 + F[F_NQ] + k] = x[F[F_U] + k]
        call_model(F[F_SLOPE], scratch, at(dc, F[F_NUMBERS]), out)
        W_q = at(dc, F[F_ROW])
        W_u = at(W_q, nu * nu)
        for k in range(nu):
            W_q[k] -= out[k]
            W_u[k] -= out[nu + k]
