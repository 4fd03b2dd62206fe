"""Services of a dense expression model that no constraint treatment changes.

Everything is called through the context of ``layout``; the model functions are
those of ``pliant.code.compiled``.
"""

from __future__ import annotations

from typing import Any

from pliant.solve.dense import layout as dl
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, call_model, jit, service
from pliant.solve.machine.linear import dot, lower_solve, orthonormal_rows
from pliant.solve.machine.quaternions import normalise, retract_quaternions
from pliant.solve.start.rank import keep_rows, pivoted_rows, update_scales


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
    call_model(ic[function], x, real(ic, dc, c.PARAMETERS), y)
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
    place = ic[c.PLACE]
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
    place = ic[c.PLACE]
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
    return (
        real(ic, dc, dl.Y_EXPLICIT)
        if ic[c.FACTOR_CURRENT] == 1
        else evaluate(ic, dc, dl.A_EXPLICIT, dl.Y_EXPLICIT, x)
    )


@jit
def fill_G(ic: Integers, dc: Reals, block: int, y: Reals) -> Any:
    """G in full."""
    G = real(ic, dc, dl.G_DENSE)
    for i in range(ic[c.NC] * ic[c.NU]):
        G[i] = 0.0
    add_block(ic, block, y, G, ic[c.NU], 0, 0, 1.0)
    return G


@service
def rank(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Decide which rows of G are kept until the next decision."""
    m, nu = ic[c.NC], ic[c.NU]
    ic[c.CHANGED], dc[c.PIVOT], ic[c.UNDECIDED] = 0, 1.0, 1
    if m == 0:
        return 0
    G = fill_G(ic, dc, dl.CONSTRAINTS_G, evaluate(ic, dc, dl.A_CONSTRAINTS, dl.Y_CONSTRAINTS, x))
    scale, pivots = real(ic, dc, dl.SCALE), real(ic, dc, dl.PIVOTS)
    active, order = whole(ic, dl.ACTIVE), whole(ic, dl.ORDER)
    update_scales(G, m, nu, real(ic, dc, dl.TERMS), scale, real(ic, dc, dl.LARGEST))
    W = real(ic, dc, dl.QR)
    r = pivoted_rows(G, m, nu, scale, active, dc[c.THRESHOLD], dc[c.HYSTERESIS], W, order, pivots)
    ic[c.RANK] = r
    if r > 0:
        dc[c.PIVOT] = pivots[r - 1]
    ic[c.CHANGED] = keep_rows(r, m, order, active, whole(ic, c.PLACE))
    if ic[dl.A_DIRECT] != 0:
        ic[dl.DIRECT] = 1
        for i in range(m):
            if ic[ic[dl.DIRECT_ROWS] + i] != active[i]:
                ic[dl.DIRECT] = 0
    return int(ic[c.CHANGED])


@service
def settle(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Unit quaternions."""
    normalise(ic, x)
    return 0


@service
def kinematics(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | q'']."""
    nq = ic[c.NQ]
    z = evaluate(ic, dc, dl.A_KINEMATICS, dl.Y_KINEMATICS, x)
    for i in range(nq):
        y[i] = z[ic[dl.KINEMATICS_QDOT] + i]
        y[nq + i] = z[ic[dl.KINEMATICS_QDDOT] + i]
    return 0


@service
def rates(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- u for x = [t | q | q']."""
    z = evaluate(ic, dc, dl.A_SPEEDS, dl.Y_KINEMATICS, x)
    for i in range(ic[c.NU]):
        y[i] = z[i]
    return 0


@service
def guards(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- ``guards`` at x."""
    call_model(ic[dl.A_GUARDS], x, real(ic, dc, c.PARAMETERS), y)
    return 0


@service
def close(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """z <- z - e as long as e shrinks; rows of loops are Newton's corrections e of their unknowns
    z (``pliant.formulations.loops``), which is damped where they would grow."""
    n = ic[c.N_LOOPS]
    first, last = 1 + ic[c.NQ] + ic[c.NU] - n, 1e300
    rows = ic[dl.CONSTRAINTS_CV] + ic[c.NC] - n
    for i in range(n):
        y[i] = y[n + i] = 0.0
    for _ in range(100):
        e = evaluate(ic, dc, dl.A_CONSTRAINTS, dl.Y_CONSTRAINTS, x)
        size = scale = 0.0
        for i in range(n):
            size += e[rows + i] ** 2
            scale += x[first + i] ** 2
        shrinks = size < last
        if shrinks and size <= 1e-30 * scale:
            return 0
        if not shrinks and last <= 1e-24 * scale:
            return 0
        for i in range(n):
            if shrinks:
                y[n + i], y[i] = x[first + i], e[rows + i]
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
    nq, nu = ic[c.NQ], ic[c.NU]
    z = real(ic, dc, dl.X_SCRATCH)
    for i in range(ic[c.LEN_X]):
        z[i] = x[i]
    for i in range(nu):
        z[1 + nq + i] = v[i]
    dq = evaluate(ic, dc, dl.A_TANGENT, dl.Y_KINEMATICS, z)
    start = at(dq, nq)
    for i in range(nq):
        start[i] = dq[i]
        z[1 + i] = x[1 + i] + 0.5 * dq[i]
    normalise(ic, z)
    evaluate(ic, dc, dl.A_TANGENT, dl.Y_KINEMATICS, z)
    for i in range(nq):
        z[1 + i] = x[1 + i] + dq[i]
    retract_quaternions(ic, x, start, z)
    for i in range(nq):
        x[1 + i] = z[1 + i]


@service
def power(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """dc[POWER] <- [P_in | P_out] at the last state of ``accelerate``, with its a and lam."""
    total = at(dc, c.POWER)
    if ic[c.FACTOR_CURRENT] == 0:
        z = real(ic, dc, dl.Y_DIRECT)
        total[0], total[1] = z[ic[dl.DIRECT_P]], z[ic[dl.DIRECT_P] + 1]
        return 0
    z = real(ic, dc, dl.Y_EXPLICIT)
    total[0], total[1] = z[ic[dl.EXPLICIT_P]], z[ic[dl.EXPLICIT_P] + 1]
    add_product(ic, dl.EXPLICIT_PZ, z, at(x, 1 + ic[c.NQ] + ic[c.NU] + ic[c.NX]), total, 0, 1.0)
    return 0


@service
def power_at(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """dc[POWER] <- [P_in | P_out] at x, with its a and lam."""
    call_model(ic[dl.A_POWER_BALANCE], x, real(ic, dc, c.PARAMETERS), at(dc, c.POWER))
    return 0


@service
def multipliers(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """lam of least norm with G^T lam = M a - h at the last state of ``accelerate``.

    Complete orthogonal decomposition of the kept rows: G = S Q with orthonormal rows Q, S^T = L P
    with orthonormal rows P; then lam = P^T L^-1 Q (M a - h).
    """
    m, nu, r = ic[c.NC], ic[c.NU], ic[c.RANK]
    if ic[c.HAS_LAM] == 0 or r == 0 or r == m:
        return 0
    y = current_F(ic, dc, x)
    G = fill_G(ic, dc, dl.EXPLICIT_G, y)
    Q = real(ic, dc, dl.QR)
    for i in range(m * nu):
        Q[i] = 0.0
    add_kept_rows(ic, dl.EXPLICIT_G, y, Q, nu, 0, 1.0, m)
    L = real(ic, dc, dl.TREATMENT)
    P, e = at(L, r * r), at(L, r * r + r * m)
    orthonormal_rows(Q, r, nu, L)
    for k in range(r):
        for i in range(m):
            P[k * m + i] = dot(at(G, i * nu), at(Q, k * nu), nu)
    orthonormal_rows(P, r, m, L)
    first = 1 + ic[c.NQ] + nu + ic[c.NX]
    force = real(ic, dc, dl.SIDE)
    for i in range(nu):
        force[i] = 0.0
    add_product(ic, dl.EXPLICIT_M, y, at(x, first), force, 0, 1.0)
    for i in range(nu):
        force[i] -= y[ic[dl.EXPLICIT_H] + i]
    for k in range(r):
        e[k] = dot(at(Q, k * nu), force, nu)
    lower_solve(L, r, e)
    for i in range(m):
        total = 0.0
        for k in range(r):
            total += P[k * m + i] * e[k]
        x[first + nu + i] = total
    return 0
