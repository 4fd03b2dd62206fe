"""The augmented system of the accelerations, shared by several treatments.

    [ M  -G^T ] [ a   ]   [   h    ]          without multipliers (nd < nu):   [ M ]     [   h    ]
    [ G    0  ] [ lam ] = [ -gamma ]                                           [ G ] a = [ -gamma ]

G: the kept rows. Never M^-1: M may be singular (massless bodies). Source: S1 (24); S0 (8.5).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.solve.dense import layout as dl
from pliant.solve.dense.services import (  # fmt: skip
    add_block,
    add_kept_columns,
    add_kept_rows,
    evaluate,
    real,
    retract,
    whole,
)
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, jit
from pliant.solve.machine.linear import lu_factor, lu_solve
from pliant.solve.machine.quaternions import normalise

BACKWARD_ERROR = 1e-10
"""Of an elimination in fixed order; above it the rows are pivoted."""
STAGNATION = 0.7
"""Projection stops as soon as an iteration gains less than this. Going on with a frozen matrix past
a singular pose pumps energy into the system (docs/theory)."""


@jit
def call_explicit(ic: Integers, dc: Reals, x: Reals, y: Reals) -> Any:
    """Evaluate F at x; y <- [qdot | xdot]; returns F's output."""
    z = evaluate(ic, dc, dl.A_EXPLICIT, dl.Y_EXPLICIT, x)
    ic[c.EVALUATIONS] += 1
    ic[c.FACTOR_CURRENT] = 1
    for i in range(ic[c.NQ]):
        y[i] = z[ic[dl.EXPLICIT_QDOT] + i]
    for i in range(ic[c.NX]):
        y[ic[c.NQ] + i] = z[ic[dl.EXPLICIT_XDOT] + i]
    return z


@jit
def factor_kkt(ic: Integers, dc: Reals, z: Reals) -> int:
    """LU of the augmented matrix from F's output; 0 if regular."""
    nd, r, nu, size = ic[c.ND], ic[c.RANK], ic[c.NU], ic[dl.KKT_SIZE]
    n = nd + r
    if ic[c.HAS_LAM] == 0 and n != nu:
        return 1
    A = real(ic, dc, dl.KKT)
    for i in range(n):
        for j in range(n):
            A[i * size + j] = 0.0
    add_block(ic, dl.EXPLICIT_M, z, A, size, 0, 0, 1.0)
    add_kept_rows(ic, dl.EXPLICIT_G, z, A, size, nd, 1.0, ic[c.NC])
    if ic[c.HAS_LAM] == 1:
        add_kept_columns(ic, dl.EXPLICIT_G, z, A, size, nu, -1.0)
    ic[c.FACTORISATIONS] += 1
    return lu_factor(A, size, n, whole(ic, dl.KKT_PIVOTS))


@jit
def solve_kkt(ic: Integers, dc: Reals, b: Reals) -> None:
    """b <- augmented matrix^-1 b."""
    size = ic[dl.KKT_SIZE]
    A = real(ic, dc, dl.KKT)
    lu_solve(A, size, ic[c.ND] + ic[c.RANK], whole(ic, dl.KKT_PIVOTS), b)


@jit
def store_accelerations(ic: Integers, x: Reals, b: Reals) -> None:
    """a and lam of x from the solution [a | lam of kept rows]."""
    nu = ic[c.NU]
    first = 1 + ic[c.NQ] + nu + ic[c.NX]
    for i in range(nu):
        x[first + i] = b[i]
    for i in range(ic[c.NC]):
        k = ic[ic[c.PLACE] + i]
        x[first + nu + i] = b[nu + k] if k >= 0 and ic[c.HAS_LAM] == 1 else 0.0


@jit
def accelerate_direct(ic: Integers, dc: Reals, x: Reals, y: Reals) -> bool:
    """a, lam by the elimination in fixed order; False if its order is not good here."""
    nq, nu, nx = ic[c.NQ], ic[c.NU], ic[c.NX]
    z = evaluate(ic, dc, dl.A_DIRECT, dl.Y_DIRECT, x)
    if not z[ic[dl.DIRECT_GUARD]] <= BACKWARD_ERROR:
        return False
    ic[c.EVALUATIONS] += 1
    ic[c.FACTOR_CURRENT] = 0
    first = 1 + nq + nu + nx
    for i in range(nq):
        y[i] = z[ic[dl.DIRECT_QDOT] + i]
    for i in range(nx):
        y[nq + i] = z[ic[dl.DIRECT_XDOT] + i]
    for i in range(nu):
        x[first + i] = z[ic[dl.DIRECT_A] + i]
    for i in range(ic[c.NC]):
        x[first + nu + i] = z[ic[dl.DIRECT_LAM] + i]
    return True


@jit
def accelerate_kkt(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a, lam from the augmented system; a factor, if one is made, stays for the projection."""
    if ic[dl.DIRECT] == 1 and accelerate_direct(ic, dc, x, y):
        return 0
    z = call_explicit(ic, dc, x, y)
    if factor_kkt(ic, dc, z) != 0:
        return 1
    solve_accelerations(ic, dc, x, z)
    return 0


@jit
def solve_accelerations(ic: Integers, dc: Reals, x: Reals, z: Reals) -> None:
    """a, lam of x from F's output and the factor at hand."""
    nd, b = ic[c.ND], real(ic, dc, dl.RHS)
    for i in range(nd):
        b[i] = z[ic[dl.EXPLICIT_H] + i]
    for i in range(ic[c.NC]):
        k = ic[ic[c.PLACE] + i]
        if k >= 0:
            b[nd + k] = -z[ic[dl.EXPLICIT_GAMMA] + i]
    solve_kkt(ic, dc, b)
    store_accelerations(ic, x, b)


@jit
def kept_residual(
    ic: Integers, dc: Reals, values: Reals, rows: int, unit: float, b: Reals
) -> float:
    """b <- [0; -residual of the kept rows]; the worst of them in units of its row scale.

    ``values``: of the first ``rows`` rows; others (without a position form) have none.
    """
    nd, worst = ic[c.ND], 0.0
    for i in range(nd):
        b[i] = 0.0
    for i in range(ic[c.NC]):
        k = ic[ic[c.PLACE] + i]
        if k >= 0:
            value = values[i] if i < rows else 0.0
            b[nd + k] = -value
            relative = abs(value) / (dc[ic[dl.SCALE] + i] * unit)
            if relative > worst or relative != relative:
                worst = relative
    return worst


@jit
def constraint_error(ic: Integers, dc: Reals, x: Reals, b: Reals, position: bool) -> float:
    """``kept_residual`` of positions or speeds at x."""
    z = evaluate(ic, dc, dl.A_CONSTRAINTS, dl.Y_CONSTRAINTS, x)
    if position:
        return kept_residual(ic, dc, at(z, ic[dl.CONSTRAINTS_GPOS]), ic[c.NH], 1.0, b)
    return kept_residual(ic, dc, at(z, ic[dl.CONSTRAINTS_CV]), ic[c.NC], largest_speed(ic, x), b)


@jit
def _back_substitute(ic: Integers, dc: Reals, b: Reals) -> None:
    """b <- frozen matrix^-1 b, with the factor the integrator has chosen."""
    if ic[c.PROJECTOR] == c.FACTOR_OF_NEWTON:
        size = ic[dl.NEWTON_SIZE]
        n = ic[c.ND] + ic[c.RANK]
        for i in range(ic[c.NX]):
            b[n + i] = 0.0
        A = real(ic, dc, dl.NEWTON)
        lu_solve(A, size, n + ic[c.NX], whole(ic, dl.NEWTON_PIVOTS), b)
    else:
        solve_kkt(ic, dc, b)


@jit
def project_level(ic: Integers, dc: Reals, x: Reals, b: Reals, position: bool, limit: int) -> int:
    """Newton iterations with a frozen matrix: [M^ -G^T; G~ 0] dx = [0; -residual].

    Source: docs/theory. Leaves the worst residual and the largest correction in dc.
    """
    before, count = 1e300, 0
    while True:
        worst = constraint_error(ic, dc, x, b, position)
        done = worst <= dc[c.PROJECTION_TOLERANCE] or worst > STAGNATION * before
        if done or worst != worst or count == limit:
            break
        before = worst
        _back_substitute(ic, dc, b)
        count += 1
        correct_level(ic, dc, x, b, position)
    note_left(ic, dc, worst, count)
    return count


@jit
def correct_level(ic: Integers, dc: Reals, x: Reals, v: Reals, position: bool) -> None:
    """Move q (along the tangent) or u by v; remember the largest correction."""
    if position:
        for i in range(ic[c.NU]):
            dc[c.CORRECTION] = max(dc[c.CORRECTION], abs(v[i]))
        retract(ic, dc, x, v)
    else:
        _correct(dc, at(x, 1 + ic[c.NQ]), v, ic[c.NU])


@jit
def note_left(ic: Integers, dc: Reals, worst: float, count: int) -> None:
    """The worst residual that a projection leaves, and its iterations."""
    if worst > dc[c.LEFT] or worst != worst:
        dc[c.LEFT] = worst
    ic[c.PROJECTIONS] += count


@jit
def project_direct(ic: Integers, dc: Reals, x: Reals, which: int, limit: int) -> int:
    """Newton iterations on q and u at once, each with its own matrix; -1: pivoting is needed.

    A correction of q changes the residual of u, which therefore settles after that of q.
    """
    count, tolerance = 0, dc[c.PROJECTION_TOLERANCE]
    before_q = before_u = 1e300
    while True:
        z = evaluate(ic, dc, dl.A_CORRECTION, dl.Y_CORRECTION, x)
        error_q = (
            direct_error(ic, dc, at(z, ic[dl.CORRECTION_G]), 1.0) if which & c.PROJECT_Q else 0.0
        )
        error_u = 0.0
        if which & c.PROJECT_U:
            error_u = direct_error(ic, dc, at(z, ic[dl.CORRECTION_CV]), largest_speed(ic, x))
        more_q = tolerance < error_q <= STAGNATION * before_q
        more_u = error_u > tolerance and (more_q or error_u <= STAGNATION * before_u)
        if not (more_q or more_u) or count == limit:
            break
        if not z[ic[dl.CORRECTION_GUARD]] <= BACKWARD_ERROR:
            return -1
        before_q, before_u = error_q, 1e300 if more_q else error_u
        if more_q:
            _correct(dc, at(x, 1), at(z, ic[dl.CORRECTION_DQ]), ic[c.NQ])
            normalise(ic, x)
        if which & c.PROJECT_U:
            _correct(dc, at(x, 1 + ic[c.NQ]), at(z, ic[dl.CORRECTION_DU]), ic[c.NU])
        count += 1
    if error_q != error_q or error_u != error_u:
        return -1
    dc[c.LEFT] = max(error_q, error_u)
    ic[c.PROJECTIONS] += count
    return count


@jit
def _correct(dc: Reals, values: Reals, change: Reals, n: int) -> None:
    """values += change; remember the largest."""
    for i in range(n):
        values[i] += change[i]
        dc[c.CORRECTION] = max(dc[c.CORRECTION], abs(change[i]))


@jit
def largest_speed(ic: Integers, x: Reals) -> float:
    """max |u|, at least one."""
    speed = 1.0
    for i in range(ic[c.NU]):
        speed = max(speed, abs(x[1 + ic[c.NQ] + i]))
    return speed


@jit
def direct_error(ic: Integers, dc: Reals, residual: Reals, unit: float) -> float:
    """The worst residual of the kept rows in units of its row scale."""
    worst = 0.0
    for i in range(ic[c.NC]):
        if ic[ic[c.PLACE] + i] >= 0:
            relative = abs(residual[i]) / (dc[ic[dl.SCALE] + i] * unit)
            if relative > worst or relative != relative:
                worst = relative
    return worst


@jit
def project_frozen(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q, then u, onto the constraints; the number of iterations. y[0]: which, y[1]: at most."""
    which, limit = int(y[0]), int(y[1])
    normalise(ic, x)
    dc[c.LEFT] = dc[c.CORRECTION] = 0.0
    if ic[c.RANK] == 0:
        return 0
    count = 0
    if ic[c.PROJECTOR] == c.FACTOR_OF_ACCELERATE and ic[c.FACTOR_CURRENT] == 0:
        if ic[dl.DIRECT] == 1:
            count = project_direct(ic, dc, x, which, limit)
            if count >= 0:
                return count
            count = 0
        if factor_kkt(ic, dc, call_explicit(ic, dc, x, y)) != 0:
            dc[c.LEFT] = np.inf
            return 0
    if which & c.PROJECT_Q:
        count += project_level(ic, dc, x, y, True, limit)
    if which & c.PROJECT_U:
        count += project_level(ic, dc, x, y, False, limit)
    return count
