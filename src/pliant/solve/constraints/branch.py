"""States on the branch: what an integrator needs near a singular position, whatever the treatment.

Off its branch by d, a mechanism at the distance xi from a change point has accelerations wrong by
u^2 d/xi. There a state is brought onto the constraints before its accelerations are taken,

    q: [M -G^T; G 0][dq; .] = [0; -g], with a matrix of its own for each correction,
    u: the same with -(G u + b),      then [M -G^T; G 0][a; lam] = [h; -gamma]

and the vector field is that of the branch, smooth through the pose. Source: docs/theory.
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import (
    call_explicit,
    factor_kkt,
    kept_residual,
    largest_speed,
    solve_accelerations,
    solve_kkt,
)
from pliant.solve.dense import layout as dl
from pliant.solve.dense.services import current_F, evaluate, fill_G, real, retract, whole
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, jit, service
from pliant.solve.machine.linear import orthonormal_rows
from pliant.solve.machine.quaternions import normalise
from pliant.solve.start.rank import (
    keep_rows,
    pivoted_rows,
    reflect_in_order,
    smallest_singular_value,
)

MET, ROUNDING, ALLOWED = 1e-14, 1e-11, 1e-10
"""Scaled residual of positions: done; done if it no longer falls; given up above it."""
MAX_ITERATIONS = 12
SINGULAR, TOO_FAR = 1, 2


@jit
def _positions(ic: Integers, dc: Reals, x: Reals, y: Reals, most: float) -> int:
    """q onto g = 0; F and its factor stay those of the last q."""
    b, before = real(ic, dc, dl.RHS), 1e300
    dc[c.CORRECTION] = 0.0
    for _ in range(MAX_ITERATIONS):
        z = call_explicit(ic, dc, x, y)
        if factor_kkt(ic, dc, z) != 0:
            return SINGULAR
        worst = kept_residual(ic, dc, at(z, ic[dl.EXPLICIT_GPOS]), ic[c.NH], 1.0, b)
        dc[c.LEFT] = worst
        if worst <= MET or (worst > 0.5 * before and worst < ROUNDING):
            return 0
        if not worst < 1e300:
            return TOO_FAR
        before = worst
        solve_kkt(ic, dc, b)
        largest = 0.0
        for i in range(ic[c.NU]):
            largest = max(largest, abs(b[i]))
        dc[c.CORRECTION] += largest
        if not dc[c.CORRECTION] <= most:
            return TOO_FAR
        retract(ic, dc, x, b)
    return TOO_FAR if not dc[c.LEFT] <= ALLOWED else 0


@service
def branch(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q and u of x onto the constraints, then a, lam; y[0]: the farthest q may move.

    y <- [qdot | xdot]; 0 if it went well.
    """
    normalise(ic, x)
    code = _positions(ic, dc, x, y, y[0])
    if code != 0:
        return code
    nq, b = ic[c.NQ], real(ic, dc, dl.RHS)
    z = current_F(ic, dc, x)
    kept_residual(ic, dc, at(z, ic[dl.EXPLICIT_CV]), ic[c.NC], largest_speed(ic, x), b)
    solve_kkt(ic, dc, b)
    for i in range(ic[c.NU]):
        x[1 + nq + i] += b[i]
    solve_accelerations(ic, dc, x, call_explicit(ic, dc, x, y))
    return 0


@service
def sigma(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [smallest singular value of the scaled rows of G at x above their rank, smallest pivot].

    The pivot is that of the rows that are independent best, which need not be those kept (they
    stay while they are good enough). On entry y[0] = KEEP: they are kept from now on; SAME: the
    rows are taken in the order of the last call, so that differences are smooth.
    """
    m, nu, r, how = ic[c.NC], ic[c.NU], ic[c.RANK], y[0]
    G = fill_G(ic, dc, dl.CONSTRAINTS_G, evaluate(ic, dc, dl.A_CONSTRAINTS, dl.Y_CONSTRAINTS, x))
    W, order, pivots = real(ic, dc, dl.QR), whole(ic, dl.ORDER), real(ic, dc, dl.PIVOTS)
    active, scale, found = whole(ic, dl.ACTIVE), real(ic, dc, dl.SCALE), r
    if how == c.SAME:
        reflect_in_order(G, m, nu, scale, r, W, order, pivots)
    else:
        found = pivoted_rows(G, m, nu, scale, active, 0.0, 1.0, W, order, pivots)
    if how == c.KEEP:
        keep_rows(r, m, order, active, whole(ic, c.PLACE))
    y[0] = y[1] = 0.0
    if r > 0 and found >= r:
        y[0], y[1] = _smallest(ic, dc, W, m, nu, r), pivots[r - 1]
    return 0


@jit
def _smallest(ic: Integers, dc: Reals, W: Reals, m: int, nu: int, r: int) -> float:
    """sigma_r of W = L Q^T, L lower trapezoidal m x r: that of R in L^T = R P, P orthonormal.

    The diagonal of L is made positive, so that L is smooth.
    """
    if m == r:
        return smallest_singular_value(W, r, nu, real(ic, dc, dl.SIDE))
    R = real(ic, dc, dl.TREATMENT)
    P = at(R, r * r)
    for k in range(r):
        sign = 1.0 if W[k * nu + k] > 0.0 else -1.0
        for i in range(m):
            P[k * m + i] = sign * W[i * nu + k] if k <= i else 0.0
    orthonormal_rows(P, r, m, R)
    return smallest_singular_value(R, r, r, real(ic, dc, dl.SIDE))
