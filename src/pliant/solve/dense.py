"""Services of a dense expression model that no constraint treatment changes.

Everything is called through the context of ``dense_layout``; the model functions F, C, S, T, U are
those of ``pliant.equations.compiled``.
"""

from __future__ import annotations

from typing import Any

from pliant.solve.abi import Integers, Reals, at, call_model, jit, service
from pliant.solve.charts import normalise, renew_charts, retract_quaternions
from pliant.solve.context import (
    CHANGED,
    FACTOR_CURRENT,
    HAS_LAM,
    HYSTERESIS,
    LEN_X,
    N_LOOPS,
    NC,
    NQ,
    NU,
    NX,
    PARAMETERS,
    PIVOT,
    PLACE,
    POWER,
    RANK,
    THRESHOLD,
    UNDECIDED,
    WEAK_ROW,
)  # fmt: skip
from pliant.solve.dense_layout import (
    A_C,
    A_D,
    A_F,
    A_K,
    A_S,
    A_T,
    A_U,
    A_Z,
    ACTIVE,
    C_CV,
    C_G,
    D_P,
    DIRECT,
    DIRECT_ROWS,
    F_G,
    F_H,
    F_M,
    F_P,
    F_PZ,
    G_DENSE,
    LARGEST,
    ORDER,
    PIVOTS,
    QR,
    S_QDDOT,
    S_QDOT,
    SCALE,
    SIDE,
    TERMS,
    TREATMENT,
    X_SCRATCH,
    Y_C,
    Y_D,
    Y_F,
    Y_K,
)  # fmt: skip
from pliant.solve.linear import dot, lower_solve, orthonormal_rows
from pliant.solve.rank import keep_rows, pivoted_rows, update_scales


@jit
def real(ic: Integers, dc: Reals, slot: int) -> Any:
    """Pointer to a real work array."""
    return at(dc, ic[slot])


@jit
def whole(ic: Integers, slot: int) -> Any:
    """Pointer to an integer array."""
    return at(ic, ic[slot])


@jit
def evaluate(ic: Integers, dc: Reals, function: int, output: int, x: Reals) -> Any:
    """Call the model function at slot ``function``; its output (the array at ``output``)."""
    y = real(ic, dc, output)
    call_model(ic[function], x, real(ic, dc, PARAMETERS), y)
    return y


@jit
def add_block(
    ic: Integers, block: int, y: Reals, A: Any, ld: int, row: int, column: int, factor: Any
) -> None:
    """A[row:, column:] += factor * block."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    for k in range(count):
        A[(row + ic[i + k]) * ld + column + ic[j + k]] += factor * y[start + k]


@jit
def add_kept_rows(
    ic: Integers, block: int, y: Reals, A: Any, ld: int, row: int, factor: Any, n_rows: int
) -> None:
    """A[row + place(i), :] += factor * block[i, :] for the kept rows i < n_rows."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    place = ic[PLACE]
    for k in range(count):
        target = ic[place + ic[i + k]]
        if target >= 0 and ic[i + k] < n_rows:
            A[(row + target) * ld + ic[j + k]] += factor * y[start + k]


@jit
def add_kept_columns(
    ic: Integers, block: int, y: Reals, A: Any, ld: int, column: int, factor: Any
) -> None:
    """A[:, column + place(i)] += factor * block[i, :]^T for the kept rows i."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    place = ic[PLACE]
    for k in range(count):
        target = ic[place + ic[i + k]]
        if target >= 0:
            A[ic[j + k] * ld + column + target] += factor * y[start + k]


@jit
def add_product(
    ic: Integers, block: int, y: Reals, v: Reals, out: Reals, row: int, factor: float
) -> None:
    """out[row:] += factor * block @ v."""
    start, count, i, j = ic[block], ic[block + 1], ic[block + 2], ic[block + 3]
    for k in range(count):
        out[row + ic[i + k]] += factor * y[start + k] * v[ic[j + k]]


@jit
def current_F(ic: Integers, dc: Reals, x: Reals) -> Any:
    """F at x, which is the last state given to ``accelerate``."""
    return real(ic, dc, Y_F) if ic[FACTOR_CURRENT] == 1 else evaluate(ic, dc, A_F, Y_F, x)


@jit
def fill_G(ic: Integers, dc: Reals, block: int, y: Reals) -> Any:
    """G in full."""
    G = real(ic, dc, G_DENSE)
    for i in range(ic[NC] * ic[NU]):
        G[i] = 0.0
    add_block(ic, block, y, G, ic[NU], 0, 0, 1.0)
    return G


@service
def rank(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Decide which rows of G are kept until the next decision."""
    m, nu = ic[NC], ic[NU]
    ic[CHANGED], dc[PIVOT], ic[WEAK_ROW] = 0, 1.0, -1
    ic[UNDECIDED] = 1
    if m == 0:
        return 0
    G = fill_G(ic, dc, C_G, evaluate(ic, dc, A_C, Y_C, x))
    scale, pivots = real(ic, dc, SCALE), real(ic, dc, PIVOTS)
    active, order = whole(ic, ACTIVE), whole(ic, ORDER)
    update_scales(G, m, nu, real(ic, dc, TERMS), scale, real(ic, dc, LARGEST))
    W = real(ic, dc, QR)
    r = pivoted_rows(G, m, nu, scale, active, dc[THRESHOLD], dc[HYSTERESIS], W, order, pivots)
    ic[RANK] = r
    if r > 0:
        dc[PIVOT], ic[WEAK_ROW] = pivots[r - 1], order[r - 1]
    ic[CHANGED] = keep_rows(r, m, order, active, whole(ic, PLACE))
    if ic[A_D] != 0:
        ic[DIRECT] = 1
        for i in range(m):
            if ic[ic[DIRECT_ROWS] + i] != active[i]:
                ic[DIRECT] = 0
    return int(ic[CHANGED])


@service
def pivot(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y[0] <- smallest relative pivot of the kept number of rows at x."""
    m, nu, r = ic[NC], ic[NU], ic[RANK]
    y[0] = 1.0
    if r == 0:
        return 0
    G = fill_G(ic, dc, F_G, current_F(ic, dc, x))
    scale, pivots = real(ic, dc, SCALE), real(ic, dc, PIVOTS)
    W, order = real(ic, dc, QR), whole(ic, ORDER)
    found = pivoted_rows(G, m, nu, scale, whole(ic, ACTIVE), 0.0, dc[HYSTERESIS], W, order, pivots)
    y[0] = pivots[r - 1] if found >= r else 0.0
    return 0


@service
def settle(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Unit quaternions; a new chart for angle sets near their singularity (1 if any jumped)."""
    normalise(ic, x)
    return renew_charts(ic, dc, x)


@service
def kinematics(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | q'']."""
    nq = ic[NQ]
    z = evaluate(ic, dc, A_S, Y_K, x)
    for i in range(nq):
        y[i] = z[ic[S_QDOT] + i]
        y[nq + i] = z[ic[S_QDDOT] + i]
    return 0


@service
def rates(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- u for x = [t | q | q']."""
    z = evaluate(ic, dc, A_U, Y_K, x)
    for i in range(ic[NU]):
        y[i] = z[i]
    return 0


@service
def guards(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- function K at x."""
    call_model(ic[A_K], x, real(ic, dc, PARAMETERS), y)
    return 0


@service
def close(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """z <- z - c as long as c shrinks; rows of loops are Newton's corrections c of their unknowns
    z (``pliant.equations.loop_rows``), which is damped where they would grow."""
    n = ic[N_LOOPS]
    first, last = 1 + ic[NQ] + ic[NU] - n, 1e300
    rows = ic[C_CV] + ic[NC] - n
    for i in range(n):
        y[i] = y[n + i] = 0.0
    for _ in range(100):
        c = evaluate(ic, dc, A_C, Y_C, x)
        size = scale = 0.0
        for i in range(n):
            size += c[rows + i] ** 2
            scale += x[first + i] ** 2
        shrinks = size < last
        if shrinks and size <= 1e-30 * scale:
            return 0
        if not shrinks and last <= 1e-24 * scale:
            return 0
        for i in range(n):
            if shrinks:
                y[n + i], y[i] = x[first + i], c[rows + i]
            else:
                y[i] *= 0.5
            x[first + i] = y[n + i] - y[i]
        last = size if shrinks else last
    return 1


@service
def tangent(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q <- retract(q, y)."""
    retract(ic, dc, x, y)
    return 0


@jit
def retract(ic: Integers, dc: Reals, x: Reals, v: Reals) -> None:
    """q <- q + N(q_mid) v, q_mid = q + N(q) v / 2; unit quaternions by the exponential map.

    Second order for q' = N(q) u whatever N; exact for a quaternion with constant v.
    """
    nq, nu = ic[NQ], ic[NU]
    z = real(ic, dc, X_SCRATCH)
    for i in range(ic[LEN_X]):
        z[i] = x[i]
    for i in range(nu):
        z[1 + nq + i] = v[i]
    dq = evaluate(ic, dc, A_T, Y_K, z)
    start = at(dq, nq)
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
def power(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """dc[POWER] <- [P_in | P_out] at the last state of ``accelerate``, with its a and lam."""
    total = at(dc, POWER)
    if ic[FACTOR_CURRENT] == 0:
        z = real(ic, dc, Y_D)
        total[0], total[1] = z[ic[D_P]], z[ic[D_P] + 1]
        return 0
    z = real(ic, dc, Y_F)
    total[0], total[1] = z[ic[F_P]], z[ic[F_P] + 1]
    add_product(ic, F_PZ, z, at(x, 1 + ic[NQ] + ic[NU] + ic[NX]), total, 0, 1.0)
    return 0


@service
def power_at(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """dc[POWER] <- [P_in | P_out] at x, with its a and lam."""
    call_model(ic[A_Z], x, real(ic, dc, PARAMETERS), at(dc, POWER))
    return 0


@service
def multipliers(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """lam of least norm with G^T lam = M a - h at the last state of ``accelerate``.

    Complete orthogonal decomposition of the kept rows: G = S Q with orthonormal rows Q, S^T = L P
    with orthonormal rows P; then lam = P^T L^-1 Q (M a - h).
    """
    m, nu, r = ic[NC], ic[NU], ic[RANK]
    if ic[HAS_LAM] == 0 or r == 0 or r == m:
        return 0
    y = current_F(ic, dc, x)
    G = fill_G(ic, dc, F_G, y)
    Q = real(ic, dc, QR)
    for i in range(m * nu):
        Q[i] = 0.0
    add_kept_rows(ic, F_G, y, Q, nu, 0, 1.0, m)
    L = real(ic, dc, TREATMENT)
    P, c = at(L, r * r), at(L, r * r + r * m)
    orthonormal_rows(Q, r, nu, L)
    for k in range(r):
        for i in range(m):
            P[k * m + i] = dot(at(G, i * nu), at(Q, k * nu), nu)
    orthonormal_rows(P, r, m, L)
    first = 1 + ic[NQ] + nu + ic[NX]
    force = real(ic, dc, SIDE)
    for i in range(nu):
        force[i] = 0.0
    add_product(ic, F_M, y, at(x, first), force, 0, 1.0)
    for i in range(nu):
        force[i] -= y[ic[F_H] + i]
    for k in range(r):
        c[k] = dot(at(Q, k * nu), force, nu)
    lower_solve(L, r, c)
    for i in range(m):
        total = 0.0
        for k in range(r):
            total += P[k * m + i] * c[k]
        x[first + nu + i] = total
    return 0
