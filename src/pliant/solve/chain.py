"""Services of a block chain: the kernel producer of the contract.

One compiled element function is called by address in a loop (gather, call, scatter); the Newton
matrix is block-tridiagonal. Nothing here grows faster than the number of nodes. There are no
constraints and no complex factor, so that Radau declines and every other method runs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.equations.block_chain import BlockChain
from pliant.solve import context as c
from pliant.solve.abi import Integers, Reals, at, call_model, jit, service
from pliant.solve.block_tridiagonal import BB, B, block_factor, block_solve
from pliant.solve.constraints import TREATMENTS
from pliant.solve.context import (
    CHANGED,
    CORRECTION,
    EVALUATIONS,
    FACTORISATIONS,
    JACOBIANS,
    LEFT,
    PARAMETERS,
    PIVOT,
    RANK,
    WEAK_ROW,
)  # fmt: skip
from pliant.solve.dynamics import Dynamics, ServiceTable

(
    A_FORCE, A_TANGENT, NODES, CLAMPED, MASS, ELEMENTS, FORCE, X_ELEMENT, Y_ELEMENT, K_DIAGONAL,
    K_LOWER, K_UPPER, D_DIAGONAL, D_LOWER, D_UPPER, S_DIAGONAL, S_LOWER, S_UPPER, S_PIVOTS, CLAMP,
    COLUMN,
) = range(c.IC_HEADER, c.IC_HEADER + 21)  # fmt: skip
_HEADER = c.IC_HEADER + 21
Q, U, E = 7, 6, 8
"""Coordinates and speeds of a node, parameters of an element."""


@jit
def real(ic: Integers, dc: Reals, slot: int) -> Any:
    return at(dc, ic[slot])


@jit
def element_count(ic: Integers) -> int:
    return int(ic[NODES] - 1 + ic[CLAMPED])


@jit
def gather(ic: Integers, dc: Reals, x: Reals, e: int) -> Any:
    """[q 14 | u 12] of element e; its nodes are e-1, e (clamped) or e, e+1."""
    out, n = real(ic, dc, X_ELEMENT), ic[NODES]
    clamp = real(ic, dc, CLAMP)
    for end in range(2):
        node = e - ic[CLAMPED] + end
        for i in range(Q):
            out[end * Q + i] = x[1 + node * Q + i] if node >= 0 else clamp[i]
        for i in range(U):
            out[2 * Q + end * U + i] = x[1 + n * Q + node * U + i] if node >= 0 else 0.0
    return out


@jit
def forces(ic: Integers, dc: Reals, x: Reals) -> Any:
    """h: element forces, weight, end load, gyroscopic moments."""
    n, h = ic[NODES], real(ic, dc, FORCE)
    mass, p = real(ic, dc, MASS), real(ic, dc, PARAMETERS)
    ic[EVALUATIONS] += 1
    for node in range(n):
        w = at(x, 1 + n * Q + node * U + 3)
        J, f = at(mass, node * U + 3), at(h, node * U)
        for i in range(3):
            f[i] = mass[node * U + i] * p[i]
            j, k = (i + 1) % 3, (i + 2) % 3
            f[3 + i] = -(w[j] * J[k] * w[k] - w[k] * J[j] * w[j])
    for i in range(3):
        h[(n - 1) * U + i] += p[3 + i]
    y = real(ic, dc, Y_ELEMENT)
    for e in range(element_count(ic)):
        call_model(ic[A_FORCE], gather(ic, dc, x, e), at(dc, ic[ELEMENTS] + e * E), y)
        for end in range(2):
            node = e - ic[CLAMPED] + end
            if node >= 0:
                for i in range(U):
                    h[node * U + i] += y[end * U + i]
    return h


@jit
def node_rates(q: Reals, u: Reals, out: Reals) -> None:
    """out <- q' of one node: velocity, and quat w / 2."""
    for i in range(3):
        out[i] = u[i]
    half_product(at(q, 3), at(u, 3), at(out, 3))


@jit
def half_product(a: Reals, w: Reals, out: Reals) -> None:
    """out <- a (0, w) / 2 for a quaternion a."""
    out[0] = -0.5 * (a[1] * w[0] + a[2] * w[1] + a[3] * w[2])
    out[1] = 0.5 * (a[0] * w[0] + a[2] * w[2] - a[3] * w[1])
    out[2] = 0.5 * (a[0] * w[1] + a[3] * w[0] - a[1] * w[2])
    out[3] = 0.5 * (a[0] * w[2] + a[1] * w[1] - a[2] * w[0])


@jit
def normalise_nodes(ic: Integers, x: Reals) -> None:
    for node in range(ic[NODES]):
        a = at(x, 1 + node * Q + 3)
        length = np.sqrt(a[0] ** 2 + a[1] ** 2 + a[2] ** 2 + a[3] ** 2)
        for i in range(4):
            a[i] /= length


@service
def nothing(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """There are no constraints to rank, to project on or to give multipliers."""
    ic[RANK], ic[CHANGED], ic[WEAK_ROW] = 0, 0, -1
    dc[PIVOT], dc[LEFT], dc[CORRECTION] = 1.0, 0.0, 0.0
    y[0] = 1.0
    return 0


@service
def settle(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Unit quaternions."""
    dc[LEFT], dc[CORRECTION] = 0.0, 0.0
    normalise_nodes(ic, x)
    return 0


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a = M^-1 h with diagonal M; y <- q'."""
    n, h, mass = ic[NODES], forces(ic, dc, x), real(ic, dc, MASS)
    for i in range(n * U):
        x[1 + n * (Q + U) + i] = h[i] / mass[i]
    for node in range(n):
        node_rates(at(x, 1 + node * Q), at(x, 1 + n * Q + node * U), at(y, node * Q))
    return 0


@service
def kinematics(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | q'']; quat'' = (quat' w + quat w')/2."""
    n, part = ic[NODES], real(ic, dc, COLUMN)
    for node in range(n):
        q, u = at(x, 1 + node * Q), at(x, 1 + n * Q + node * U)
        a = at(x, 1 + n * (Q + U) + node * U)
        first, second = at(y, node * Q), at(y, n * Q + node * Q)
        node_rates(q, u, first)
        for i in range(3):
            second[i] = a[i]
        half_product(at(first, 3), at(u, 3), at(second, 3))
        half_product(at(q, 3), at(a, 3), part)
        for i in range(4):
            second[3 + i] += part[i]
    return 0


@service
def rates(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- u for x = [t | q | q']: w = 2 vec(quat* quat')."""
    n = ic[NODES]
    for node in range(n):
        a, d = at(x, 1 + node * Q + 3), at(x, 1 + n * Q + node * Q)
        v, b = at(y, node * U), at(d, 3)
        for i in range(3):
            v[i] = d[i]
        v[3] = 2.0 * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2])
        v[4] = 2.0 * (a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3])
        v[5] = 2.0 * (a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1])
    return 0


@service
def tangent(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q <- retract(q, y): straight for positions, exponential for quaternions."""
    part = real(ic, dc, COLUMN)
    for node in range(ic[NODES]):
        q, v = at(x, 1 + node * Q), at(y, node * U)
        half_product(at(q, 3), at(v, 3), part)
        s = np.sqrt(part[0] ** 2 + part[1] ** 2 + part[2] ** 2 + part[3] ** 2)
        factor = np.sin(s) / s if s > 1e-8 else 1.0 - s * s / 6.0
        for i in range(3):
            q[i] += v[i]
        for i in range(4):
            q[3 + i] = np.cos(s) * q[3 + i] + factor * part[i]
    normalise_nodes(ic, x)
    return 0


@service
def residual(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [ q' | M a - h ]."""
    n, h, mass = ic[NODES], forces(ic, dc, x), real(ic, dc, MASS)
    for node in range(n):
        node_rates(at(x, 1 + node * Q), at(x, 1 + n * Q + node * U), at(y, node * Q))
    for i in range(n * U):
        y[n * Q + i] = mass[i] * x[1 + n * (Q + U) + i] - h[i]
    return 0


@service
def linearise(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Blocks of K = dr/dq N and D = dr/du."""
    n = ic[NODES]
    ic[JACOBIANS] += 1
    for slot in range(K_DIAGONAL, D_UPPER + 1):
        blocks = real(ic, dc, slot)
        for i in range(n * BB):
            blocks[i] = 0.0
    tangents = real(ic, dc, Y_ELEMENT)
    for e in range(element_count(ic)):
        call_model(ic[A_TANGENT], gather(ic, dc, x, e), at(dc, ic[ELEMENTS] + e * E), tangents)
        first = e - ic[CLAMPED]
        _scatter(ic, dc, K_DIAGONAL, tangents, first)
        _scatter(ic, dc, D_DIAGONAL, at(tangents, 4 * BB), first)
    mass, D = real(ic, dc, MASS), real(ic, dc, D_DIAGONAL)
    for node in range(n):
        w, J = at(x, 1 + n * Q + node * U + 3), at(mass, node * U + 3)
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            D[node * BB + (3 + i) * B + 3 + j] += (J[k] - J[j]) * w[k]
            D[node * BB + (3 + i) * B + 3 + k] += (J[k] - J[j]) * w[j]
    return 0


@jit
def _scatter(ic: Integers, dc: Reals, slot: int, T: Reals, first: int) -> None:
    """Add the 12 x 12 matrix T of an element to the blocks that start at ``slot``."""
    diagonal, lower, upper = real(ic, dc, slot), real(ic, dc, slot + 1), real(ic, dc, slot + 2)
    for i in range(B):
        for j in range(B):
            k = i * B + j
            if first >= 0:
                diagonal[first * BB + k] += T[i * 12 + j]
                upper[first * BB + k] += T[i * 12 + 6 + j]
                lower[(first + 1) * BB + k] += T[(6 + i) * 12 + j]
            diagonal[(first + 1) * BB + k] += T[(6 + i) * 12 + 6 + j]


@service
def factor(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Block LU of M + c1 D + c2 K."""
    n, mass, c1, c2 = ic[NODES], real(ic, dc, MASS), y[0], y[1]
    ic[FACTORISATIONS] += 1
    for side in range(3):
        S = real(ic, dc, S_DIAGONAL + side)
        K, D = real(ic, dc, K_DIAGONAL + side), real(ic, dc, D_DIAGONAL + side)
        for i in range(n * BB):
            S[i] = c1 * D[i] + c2 * K[i]
    diagonal = real(ic, dc, S_DIAGONAL)
    for node in range(n):
        for i in range(B):
            diagonal[node * BB + i * B + i] += mass[node * U + i]
    lower, upper, pivots = real(ic, dc, S_LOWER), real(ic, dc, S_UPPER), at(ic, ic[S_PIVOTS])
    return block_factor(diagonal, lower, upper, n, pivots, real(ic, dc, COLUMN))


@service
def solve(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- (M + c1 D + c2 K)^-1 y."""
    diagonal, lower, upper = real(ic, dc, S_DIAGONAL), real(ic, dc, S_LOWER), real(ic, dc, S_UPPER)
    block_solve(diagonal, lower, upper, ic[NODES], at(ic, ic[S_PIVOTS]), y)
    return 0


def chain_context(chain: BlockChain) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Context arrays of a chain."""
    n, builder = chain.n, c.ContextBuilder(_HEADER, c.DC_HEADER)
    for slot, value in (
        (c.NQ, Q * n), (c.NU, U * n), (c.ND, U * n), (c.HAS_LAM, 1), (c.EXACT, 1), (NODES, n),
        (CLAMPED, int(chain.clamp is not None)), (A_FORCE, chain.machine.address["force"]),
        (A_TANGENT, chain.machine.address["tangent"]), (c.LEVEL, c.LEVEL_ACCELERATION),
        (c.LEN_X, 1 + 2 * Q * n + U * n), (c.LEN_Y, 2 * Q * n + U * n + 16),
    ):  # fmt: skip
        builder.set(slot, value)
    builder.set_real(PIVOT, 1.0)
    builder.reals(PARAMETERS, [*chain.gravity, *chain.load])
    builder.set(c.N_PARAMETERS, 6)
    builder.reals(MASS, chain.mass.ravel())
    builder.reals(ELEMENTS, chain.elements.ravel())
    builder.reals(CLAMP, np.zeros(Q) if chain.clamp is None else chain.clamp)
    for slot, count in ((FORCE, U * n), (X_ELEMENT, 26), (Y_ELEMENT, 288), (COLUMN, 12)):
        builder.room(slot, count)
    for slot in range(K_DIAGONAL, S_UPPER + 1):
        builder.room(slot, BB * n)
    builder.integers(S_PIVOTS, [0] * (B * n))
    builder.integers(c.PLACE, [0])
    return builder.arrays()


def chain_dynamics(chain: BlockChain) -> Dynamics:
    """Dynamics of a chain; offers everything but the complex factor that Radau needs."""
    ic, dc = chain_context(chain)
    services = {
        "rank": nothing, "pivot": nothing, "multipliers": nothing, "project": settle,
        "settle": settle, "accelerate": accelerate, "kinematics": kinematics, "rates": rates,
        "tangent": tangent, "residual": residual, "linearise": linearise, "factor": factor,
        "solve": solve,
    }  # fmt: skip
    return Dynamics(
        nq=Q * chain.n, nu=U * chain.n, nx=0, m=0, services=ServiceTable(services), ic=ic, dc=dc,
        layout=chain.layout, treatment=TREATMENTS["projection"], source=chain,
    )  # fmt: skip
