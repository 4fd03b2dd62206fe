"""Services of a dense expression model that no constraint treatment changes.

Everything is called through the context of ``dense_layout``; the model functions F, C, S, T, U are
those of ``pliant.equations.compiled``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.solve.abi import Integers, Reals, call_model, grid, jit, service, views, window
from pliant.solve.charts import normalise, renew_charts, retract_quaternions
from pliant.solve.context import (
    CHANGED,
    HAS_LAM,
    HYSTERESIS,
    LEN_X,
    NC,
    ND,
    NQ,
    NU,
    NX,
    PARAMETERS,
    PIVOT,
    PLACE,
    RANK,
    THRESHOLD,
    WEAK_ROW,
)  # fmt: skip
from pliant.solve.dense_layout import (
    A_C,
    A_S,
    A_T,
    A_U,
    ACTIVE,
    C_G,
    F_G,
    F_H,
    F_M,
    G_DENSE,
    LARGEST,
    ORDER,
    PIVOTS,
    QR,
    S_QDDOT,
    S_QDOT,
    SCALE,
    SIDE,
    TREATMENT,
    X_SCRATCH,
    Y_C,
    Y_F,
    Y_K,
)  # fmt: skip
from pliant.solve.linear import dot, lower_solve, orthonormal_rows
from pliant.solve.rank import keep_rows, pivoted_rows, update_scales


@jit
def real(ic: Integers, dc: Reals, slot: int, count: int) -> Reals:
    """The first ``count`` numbers of a real work array."""
    return window(dc, ic[slot], count)


@jit
def square(ic: Integers, dc: Reals, slot: int, rows: int, columns: int) -> Reals:
    """A real work array as a matrix."""
    return grid(dc, ic[slot], rows, columns)


@jit
def whole(ic: Integers, slot: int, count: int) -> Integers:
    """The first ``count`` numbers of an integer array."""
    return window(ic, ic[slot], count)


@jit
def evaluate(ic: Integers, dc: Reals, function: int, output: int, x: Reals) -> Reals:
    """Call the model function at slot ``function``; its output (the array at ``output``)."""
    y = real(ic, dc, output, 1)
    call_model(ic[function], x, real(ic, dc, PARAMETERS, 1), y)
    return y


@jit
def add_block(
    ic: Integers, block: int, y: Reals, A: Any, row: int, column: int, factor: Any
) -> None:
    """A[row:, column:] += factor * block."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    for k in range(count):
        A[row + ic[i + k], column + ic[j + k]] += factor * y[start + k]


@jit
def add_kept_rows(
    ic: Integers, block: int, y: Reals, A: Any, row: int, factor: Any, n_rows: int
) -> None:
    """A[row + place(i), :] += factor * block[i, :] for the kept rows i < n_rows."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    place = ic[PLACE]
    for k in range(count):
        target = ic[place + ic[i + k]]
        if target >= 0 and ic[i + k] < n_rows:
            A[row + target, ic[j + k]] += factor * y[start + k]


@jit
def add_kept_columns(ic: Integers, block: int, y: Reals, A: Any, column: int, factor: Any) -> None:
    """A[:, column + place(i)] += factor * block[i, :]^T for the kept rows i."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    place = ic[PLACE]
    for k in range(count):
        target = ic[place + ic[i + k]]
        if target >= 0:
            A[ic[j + k], column + target] += factor * y[start + k]


@jit
def add_product(
    ic: Integers, block: int, y: Reals, v: Reals, out: Reals, row: int, factor: float
) -> None:
    """out[row:] += factor * block @ v."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    for k in range(count):
        out[row + ic[i + k]] += factor * y[start + k] * v[ic[j + k]]


@jit
def fill_G(ic: Integers, dc: Reals, block: int, y: Reals) -> Reals:
    """G in full."""
    G = square(ic, dc, G_DENSE, ic[NC], ic[NU])
    for i in range(ic[NC]):
        for j in range(ic[NU]):
            G[i, j] = 0.0
    add_block(ic, block, y, G, 0, 0, 1.0)
    return G


@service
def rank(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """Decide which rows of G are kept until the next decision."""
    ic, dc, x, _y = views(ic_, dc_, x_, y_)
    m, nu = ic[NC], ic[NU]
    ic[CHANGED], dc[PIVOT], ic[WEAK_ROW] = 0, 1.0, -1
    if m == 0:
        return 0
    G = fill_G(ic, dc, C_G, evaluate(ic, dc, A_C, Y_C, x))
    scale, pivots = real(ic, dc, SCALE, m), real(ic, dc, PIVOTS, m)
    active, order = whole(ic, ACTIVE, m), whole(ic, ORDER, m)
    update_scales(G, m, nu, scale, real(ic, dc, LARGEST, m))
    W = square(ic, dc, QR, m, nu)
    r = pivoted_rows(G, m, nu, scale, active, dc[THRESHOLD], dc[HYSTERESIS], W, order, pivots)
    ic[RANK] = r
    if r > 0:
        dc[PIVOT], ic[WEAK_ROW] = pivots[r - 1], order[r - 1]
    ic[CHANGED] = keep_rows(r, m, order, active, whole(ic, PLACE, m))
    return ic[CHANGED]


@service
def pivot(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """y[0] <- smallest relative pivot of the kept number of rows at the last state of F."""
    ic, dc, _x, y = views(ic_, dc_, x_, y_)
    m, nu, r = ic[NC], ic[NU], ic[RANK]
    y[0] = 1.0
    if r == 0:
        return 0
    G = fill_G(ic, dc, F_G, real(ic, dc, Y_F, 1))
    scale, pivots = real(ic, dc, SCALE, m), real(ic, dc, PIVOTS, m)
    W, order = square(ic, dc, QR, m, nu), whole(ic, ORDER, m)
    found = pivoted_rows(G, m, nu, scale, whole(ic, ACTIVE, m), 0.0, dc[HYSTERESIS], W, order, pivots)
    y[0] = pivots[r - 1] if found >= r else 0.0
    return 0


@service
def settle(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """Unit quaternions; a new chart for angle sets near their singularity (1 if any jumped)."""
    ic, dc, x, _y = views(ic_, dc_, x_, y_)
    normalise(ic, x)
    return renew_charts(ic, dc, x)


@service
def kinematics(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """y <- [q' | q'']."""
    ic, dc, x, y = views(ic_, dc_, x_, y_)
    nq = ic[NQ]
    z = evaluate(ic, dc, A_S, Y_K, x)
    for i in range(nq):
        y[i] = z[ic[S_QDOT] + i]
        y[nq + i] = z[ic[S_QDDOT] + i]
    return 0


@service
def rates(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """y <- u for x = [t | q | q']."""
    ic, dc, x, y = views(ic_, dc_, x_, y_)
    z = evaluate(ic, dc, A_U, Y_K, x)
    for i in range(ic[NU]):
        y[i] = z[i]
    return 0


@service
def tangent(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """q <- retract(q, y)."""
    ic, dc, x, y = views(ic_, dc_, x_, y_)
    retract(ic, dc, x, y)
    return 0


@jit
def retract(ic: Integers, dc: Reals, x: Reals, v: Reals) -> None:
    """q <- q + N(q_mid) v, q_mid = q + N(q) v / 2; unit quaternions by the exponential map.

    Second order for q' = N(q) u whatever N; exact for a quaternion with constant v.
    """
    nq, nu = ic[NQ], ic[NU]
    z = real(ic, dc, X_SCRATCH, ic[LEN_X])
    for i in range(ic[LEN_X]):
        z[i] = x[i]
    for i in range(nu):
        z[1 + nq + i] = v[i]
    dq = evaluate(ic, dc, A_T, Y_K, z)
    start = window(dc, ic[Y_K] + nq, nq)
    for i in range(nq):
        start[i] = dq[i]
        z[1 + i] = x[1 + i] + 0.5 * dq[i]
    normalise(ic, z)
    evaluate(ic, dc, A_T, Y_K, z)
    for i in range(nq):
        z[1 + i] = x[1 + i] + dq[i]
    retract_quaternions(ic, x, start, z)
    for i in range(nq):
        x[1 + i] = z[1 + i]


@service
def multipliers(ic_: Any, dc_: Any, x_: Any, y_: Any) -> int:
    """lam of least norm with G^T lam = M a - h at the last state of ``accelerate``.

    Complete orthogonal decomposition of the kept rows: G = S Q with orthonormal rows Q, S^T = L P
    with orthonormal rows P; then lam = P^T L^-1 Q (M a - h).
    """
    ic, dc, x, _y = views(ic_, dc_, x_, y_)
    m, nu, r = ic[NC], ic[NU], ic[RANK]
    if ic[HAS_LAM] == 0 or r == 0 or r == m:
        return 0
    y = real(ic, dc, Y_F, 1)
    G = fill_G(ic, dc, F_G, y)
    Q = square(ic, dc, QR, m, nu)
    Q[:, :] = 0.0
    add_kept_rows(ic, F_G, y, Q, 0, 1.0, m)
    L = square(ic, dc, TREATMENT, r, r)
    P = grid(dc, ic[TREATMENT] + r * r, r, m)
    orthonormal_rows(Q, r, nu, L)
    for k in range(r):
        for i in range(m):
            P[k, i] = dot(G[i], Q[k], nu)
    orthonormal_rows(P, r, m, L)
    first = 1 + ic[NQ] + nu + ic[NX]
    force = real(ic, dc, SIDE, max(nu, ic[ND]))
    force[:] = 0.0
    add_product(ic, F_M, y, x[first : first + nu], force, 0, 1.0)
    for i in range(nu):
        force[i] -= y[ic[F_H] + i]
    c = np.zeros(r)
    for k in range(r):
        c[k] = dot(Q[k], force, nu)
    lower_solve(L, r, c)
    for i in range(m):
        total = 0.0
        for k in range(r):
            total += P[k, i] * c[k]
        x[first + nu + i] = total
    return 0
