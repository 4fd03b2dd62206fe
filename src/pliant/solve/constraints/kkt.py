"""The augmented system of the accelerations, shared by several treatments.

    [ M  -G^T ] [ a   ]   [   h    ]          without multipliers (nd < nu):   [ M ]     [   h    ]
    [ G    0  ] [ lam ] = [ -gamma ]                                           [ G ] a = [ -gamma ]

G: the kept rows. Never M^-1: M may be singular (massless bodies). Source: S1 (24); S0 (8.5).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.solve.abi import Integers, Reals, at, jit
from pliant.solve.charts import normalise
from pliant.solve.context import (
    CORRECTION,
    EVALUATIONS,
    FACTOR_CURRENT,
    FACTOR_OF_ACCELERATE,
    FACTOR_OF_NEWTON,
    FACTORISATIONS,
    HAS_LAM,
    LEFT,
    NC,
    ND,
    NH,
    NQ,
    NU,
    NX,
    PLACE,
    PROJECT_Q,
    PROJECT_U,
    PROJECTION_TOLERANCE,
    PROJECTIONS,
    PROJECTOR,
    RANK,
)  # fmt: skip
from pliant.solve.dense import (
    add_block,
    add_kept_columns,
    add_kept_rows,
    evaluate,
    real,
    retract,
    whole,
)  # fmt: skip
from pliant.solve.dense_layout import (
    A_C,
    A_D,
    A_F,
    A_Q,
    C_CV,
    C_GPOS,
    D_A,
    D_GUARD,
    D_LAM,
    D_QDOT,
    D_XDOT,
    DIRECT,
    F_G,
    F_GAMMA,
    F_H,
    F_M,
    F_QDOT,
    F_XDOT,
    KKT,
    KKT_PIVOTS,
    KKT_SIZE,
    NEWTON,
    NEWTON_PIVOTS,
    NEWTON_SIZE,
    Q_CV,
    Q_DQ,
    Q_DU,
    Q_G,
    Q_GUARD,
    RHS,
    SCALE,
    Y_C,
    Y_D,
    Y_F,
    Y_Q,
)  # fmt: skip
from pliant.solve.linear import lu_factor, lu_solve

BACKWARD_ERROR = 1e-10
"""Of an elimination in fixed order; above it the rows are pivoted."""
STAGNATION = 0.7
"""Projection stops as soon as an iteration gains less than this. Going on with a frozen matrix past
a singular pose pumps energy into the system (docs/theory)."""


@jit
def call_F(ic: Integers, dc: Reals, x: Reals, y: Reals) -> Any:
    """Evaluate F at x; y <- [qdot | xdot]; returns F's output."""
    z = evaluate(ic, dc, A_F, Y_F, x)
    ic[EVALUATIONS] += 1
    ic[FACTOR_CURRENT] = 1
    for i in range(ic[NQ]):
        y[i] = z[ic[F_QDOT] + i]
    for i in range(ic[NX]):
        y[ic[NQ] + i] = z[ic[F_XDOT] + i]
    return z


@jit
def factor_kkt(ic: Integers, dc: Reals, z: Reals) -> int:
    """LU of the augmented matrix from F's output; 0 if regular."""
    nd, r, nu, size = ic[ND], ic[RANK], ic[NU], ic[KKT_SIZE]
    n = nd + r
    if ic[HAS_LAM] == 0 and n != nu:
        return 1
    A = real(ic, dc, KKT)
    for i in range(n):
        for j in range(n):
            A[i * size + j] = 0.0
    add_block(ic, F_M, z, A, size, 0, 0, 1.0)
    add_kept_rows(ic, F_G, z, A, size, nd, 1.0, ic[NC])
    if ic[HAS_LAM] == 1:
        add_kept_columns(ic, F_G, z, A, size, nu, -1.0)
    ic[FACTORISATIONS] += 1
    return lu_factor(A, size, n, whole(ic, KKT_PIVOTS))


@jit
def solve_kkt(ic: Integers, dc: Reals, b: Reals) -> None:
    """b <- augmented matrix^-1 b."""
    size = ic[KKT_SIZE]
    A = real(ic, dc, KKT)
    lu_solve(A, size, ic[ND] + ic[RANK], whole(ic, KKT_PIVOTS), b)


@jit
def store_accelerations(ic: Integers, x: Reals, b: Reals) -> None:
    """a and lam of x from the solution [a | lam of kept rows]."""
    nu = ic[NU]
    first = 1 + ic[NQ] + nu + ic[NX]
    for i in range(nu):
        x[first + i] = b[i]
    for i in range(ic[NC]):
        k = ic[ic[PLACE] + i]
        x[first + nu + i] = b[nu + k] if k >= 0 and ic[HAS_LAM] == 1 else 0.0


@jit
def accelerate_direct(ic: Integers, dc: Reals, x: Reals, y: Reals) -> bool:
    """a, lam by the elimination in fixed order; False if its order is not good here."""
    nq, nu, nx = ic[NQ], ic[NU], ic[NX]
    z = evaluate(ic, dc, A_D, Y_D, x)
    if not z[ic[D_GUARD]] <= BACKWARD_ERROR:
        return False
    ic[EVALUATIONS] += 1
    ic[FACTOR_CURRENT] = 0
    first = 1 + nq + nu + nx
    for i in range(nq):
        y[i] = z[ic[D_QDOT] + i]
    for i in range(nx):
        y[nq + i] = z[ic[D_XDOT] + i]
    for i in range(nu):
        x[first + i] = z[ic[D_A] + i]
    for i in range(ic[NC]):
        x[first + nu + i] = z[ic[D_LAM] + i]
    return True


@jit
def accelerate_kkt(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a, lam from the augmented system; a factor, if one is made, stays for the projection."""
    if ic[DIRECT] == 1 and accelerate_direct(ic, dc, x, y):
        return 0
    z = call_F(ic, dc, x, y)
    if factor_kkt(ic, dc, z) != 0:
        return 1
    solve_accelerations(ic, dc, x, z)
    return 0


@jit
def solve_accelerations(ic: Integers, dc: Reals, x: Reals, z: Reals) -> None:
    """a, lam of x from F's output and the factor at hand."""
    nd, b = ic[ND], real(ic, dc, RHS)
    for i in range(nd):
        b[i] = z[ic[F_H] + i]
    for i in range(ic[NC]):
        k = ic[ic[PLACE] + i]
        if k >= 0:
            b[nd + k] = -z[ic[F_GAMMA] + i]
    solve_kkt(ic, dc, b)
    store_accelerations(ic, x, b)


@jit
def kept_residual(
    ic: Integers, dc: Reals, values: Reals, rows: int, unit: float, b: Reals
) -> float:
    """b <- [0; -residual of the kept rows]; the worst of them in units of its row scale.

    ``values``: of the first ``rows`` rows; others (without a position form) have none.
    """
    nd, worst = ic[ND], 0.0
    for i in range(nd):
        b[i] = 0.0
    for i in range(ic[NC]):
        k = ic[ic[PLACE] + i]
        if k >= 0:
            value = values[i] if i < rows else 0.0
            b[nd + k] = -value
            relative = abs(value) / (dc[ic[SCALE] + i] * unit)
            if relative > worst or relative != relative:
                worst = relative
    return worst


@jit
def constraint_error(ic: Integers, dc: Reals, x: Reals, b: Reals, position: bool) -> float:
    """``kept_residual`` of positions or speeds at x."""
    z = evaluate(ic, dc, A_C, Y_C, x)
    if position:
        return kept_residual(ic, dc, at(z, ic[C_GPOS]), ic[NH], 1.0, b)
    return kept_residual(ic, dc, at(z, ic[C_CV]), ic[NC], largest_speed(ic, x), b)


@jit
def _back_substitute(ic: Integers, dc: Reals, b: Reals) -> None:
    """b <- frozen matrix^-1 b, with the factor the integrator has chosen."""
    if ic[PROJECTOR] == FACTOR_OF_NEWTON:
        size = ic[NEWTON_SIZE]
        n = ic[ND] + ic[RANK]
        for i in range(ic[NX]):
            b[n + i] = 0.0
        A = real(ic, dc, NEWTON)
        lu_solve(A, size, n + ic[NX], whole(ic, NEWTON_PIVOTS), b)
    else:
        solve_kkt(ic, dc, b)


@jit
def project_level(ic: Integers, dc: Reals, x: Reals, b: Reals, position: bool, limit: int) -> int:
    """Newton iterations with a frozen matrix: [M^ -G^T; G~ 0] dx = [0; -residual].

    Source: docs/theory. Leaves the worst residual and the largest correction in dc.
    """
    nu, nq = ic[NU], ic[NQ]
    before, count = 1e300, 0
    while True:
        worst = constraint_error(ic, dc, x, b, position)
        done = worst <= dc[PROJECTION_TOLERANCE] or worst > STAGNATION * before
        if done or worst != worst or count == limit:
            break
        before = worst
        _back_substitute(ic, dc, b)
        count += 1
        for i in range(nu):
            dc[CORRECTION] = max(dc[CORRECTION], abs(b[i]))
        if position:
            retract(ic, dc, x, b)
        else:
            for i in range(nu):
                x[1 + nq + i] += b[i]
    if worst > dc[LEFT] or worst != worst:
        dc[LEFT] = worst
    ic[PROJECTIONS] += count
    return count


@jit
def project_direct(ic: Integers, dc: Reals, x: Reals, which: int, limit: int) -> int:
    """Newton iterations on q and u at once, each with its own matrix; -1: pivoting is needed.

    A correction of q changes the residual of u, which therefore settles after that of q.
    """
    count, tolerance = 0, dc[PROJECTION_TOLERANCE]
    before_q = before_u = 1e300
    while True:
        z = evaluate(ic, dc, A_Q, Y_Q, x)
        error_q = direct_error(ic, dc, at(z, ic[Q_G]), 1.0) if which & PROJECT_Q else 0.0
        error_u = 0.0
        if which & PROJECT_U:
            error_u = direct_error(ic, dc, at(z, ic[Q_CV]), largest_speed(ic, x))
        more_q = tolerance < error_q <= STAGNATION * before_q
        more_u = error_u > tolerance and (more_q or error_u <= STAGNATION * before_u)
        if not (more_q or more_u) or count == limit:
            break
        if not z[ic[Q_GUARD]] <= BACKWARD_ERROR:
            return -1
        before_q, before_u = error_q, 1e300 if more_q else error_u
        if more_q:
            _correct(dc, at(x, 1), at(z, ic[Q_DQ]), ic[NQ])
            normalise(ic, x)
        if which & PROJECT_U:
            _correct(dc, at(x, 1 + ic[NQ]), at(z, ic[Q_DU]), ic[NU])
        count += 1
    if error_q != error_q or error_u != error_u:
        return -1
    dc[LEFT] = max(error_q, error_u)
    ic[PROJECTIONS] += count
    return count


@jit
def _correct(dc: Reals, values: Reals, change: Reals, n: int) -> None:
    """values += change; remember the largest."""
    for i in range(n):
        values[i] += change[i]
        dc[CORRECTION] = max(dc[CORRECTION], abs(change[i]))


@jit
def largest_speed(ic: Integers, x: Reals) -> float:
    """max |u|, at least one."""
    speed = 1.0
    for i in range(ic[NU]):
        speed = max(speed, abs(x[1 + ic[NQ] + i]))
    return speed


@jit
def direct_error(ic: Integers, dc: Reals, residual: Reals, unit: float) -> float:
    """The worst residual of the kept rows in units of its row scale."""
    worst = 0.0
    for i in range(ic[NC]):
        if ic[ic[PLACE] + i] >= 0:
            relative = abs(residual[i]) / (dc[ic[SCALE] + i] * unit)
            if relative > worst or relative != relative:
                worst = relative
    return worst


@jit
def project_frozen(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q, then u, onto the constraints; the number of iterations. y[0]: which, y[1]: at most."""
    which, limit = int(y[0]), int(y[1])
    normalise(ic, x)
    dc[LEFT] = dc[CORRECTION] = 0.0
    if ic[RANK] == 0:
        return 0
    count = 0
    if ic[PROJECTOR] == FACTOR_OF_ACCELERATE and ic[FACTOR_CURRENT] == 0:
        if ic[DIRECT] == 1:
            count = project_direct(ic, dc, x, which, limit)
            if count >= 0:
                return count
            count = 0
        if factor_kkt(ic, dc, call_F(ic, dc, x, y)) != 0:
            dc[LEFT] = np.inf
            return 0
    if which & PROJECT_Q:
        count += project_level(ic, dc, x, y, True, limit)
    if which & PROJECT_U:
        count += project_level(ic, dc, x, y, False, limit)
    return count
