"""Coordinate partitioning: independent motions are integrated, dependent ones solved for.

The kept rows split the speeds, G u = G_d u_d + G_i u_i, with G_d regular. At every stage q_d and
u_d follow from g = 0 and G u + b = 0 (moving along the tangent of the dependent speeds, so that
rotations need no special care), then

    a = B a_i + e,   B = [-G_d^-1 G_i; 1],  e = [-G_d^-1 gamma; 0],   B^T M B a_i = B^T (h - M e)

and G_d^T lam = (M a - h)_d. The partition is chosen by complete pivoting at every rank decision.
Needs: nothing (M may be singular). Residual: at rounding. Source: S0 (8.25).
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import (
    STAGNATION,
    call_explicit,
    constraint_error,
    correct_level,
    note_left,
)
from pliant.solve.constraints.matrices import (
    fill_mass,
    force_balance,
    kept_gamma,
    kept_rows,
    needs_multipliers,
    store,
)  # fmt: skip
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.dense import layout as dl
from pliant.solve.dense.services import add_kept_rows, evaluate, real, whole
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, jit, service
from pliant.solve.machine.linear import dot, lu_factor, lu_solve
from pliant.solve.machine.quaternions import normalise

MAX_ITERATIONS = 10


@jit
def choose_partition(ic: Integers, dc: Reals, G: Reals) -> None:
    """order[:r] <- dependent speeds, order[r:] <- independent ones (complete pivoting of G)."""
    nu, r = ic[c.NU], ic[c.RANK]
    order, W = whole(ic, dl.CHOSEN), real(ic, dc, dl.TREATMENT)
    for i in range(r * nu):
        W[i] = G[i]
    for j in range(nu):
        order[j] = j
    for k in range(r):
        row, column, largest = k, k, -1.0
        for i in range(k, r):
            for j in range(k, nu):
                if abs(W[i * nu + order[j]]) > largest:
                    row, column, largest = i, j, abs(W[i * nu + order[j]])
        order[k], order[column] = order[column], order[k]
        for j in range(nu):
            W[k * nu + j], W[row * nu + j] = W[row * nu + j], W[k * nu + j]
        for i in range(k + 1, r):
            factor = W[i * nu + order[k]] / W[k * nu + order[k]]
            for j in range(nu):
                W[i * nu + j] -= factor * W[k * nu + j]
    ic[c.UNDECIDED] = 0


@jit
def factor_dependent(ic: Integers, dc: Reals, G: Reals) -> int:
    """LU of G_d (r x r) from the kept rows G; 0 if regular."""
    nu, r = ic[c.NU], ic[c.RANK]
    if ic[c.UNDECIDED] == 1:
        choose_partition(ic, dc, G)
    A, order = real(ic, dc, dl.KKT), whole(ic, dl.CHOSEN)
    for k in range(r):
        for j in range(r):
            A[k * r + j] = G[k * nu + order[j]]
    ic[c.FACTORISATIONS] += 1
    return lu_factor(A, r, r, whole(ic, dl.KKT_PIVOTS))


@jit
def solve_level(ic: Integers, dc: Reals, x: Reals, position: bool, limit: int) -> int:
    """Newton's iteration for the dependent q or u, independent ones held; iterations done."""
    nu, nd, r = ic[c.NU], ic[c.ND], ic[c.RANK]
    A, order, pivots = real(ic, dc, dl.KKT), whole(ic, dl.CHOSEN), whole(ic, dl.KKT_PIVOTS)
    b, G = real(ic, dc, dl.RHS), real(ic, dc, dl.QR)
    v, before, count = real(ic, dc, dl.TREATMENT), 1e300, 0
    while True:
        worst = constraint_error(ic, dc, x, b, position)
        done = worst <= dc[c.PROJECTION_TOLERANCE] or worst > STAGNATION * before
        if done or worst != worst or count == limit:
            break
        before = worst
        for i in range(r * nu):
            G[i] = 0.0
        add_kept_rows(ic, dl.CONSTRAINTS_G, real(ic, dc, dl.Y_CONSTRAINTS), G, nu, 0, 1.0, ic[c.NC])
        if factor_dependent(ic, dc, G) != 0:
            worst = before = 1e300
            break
        step = at(b, nd)
        lu_solve(A, r, r, pivots, step)
        count += 1
        for j in range(nu):
            v[j] = 0.0
        for j in range(r):
            v[order[j]] = step[j]
        correct_level(ic, dc, x, v, position)
    note_left(ic, dc, worst, count)
    return count


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Dependent q and u, then the accelerations of the independent motions, then all others."""
    nu, r = ic[c.NU], ic[c.RANK]
    f = nu - r
    dc[c.LEFT] = dc[c.CORRECTION] = 0.0
    if r > 0:
        normalise(ic, x)
        solve_level(ic, dc, x, True, MAX_ITERATIONS)
        solve_level(ic, dc, x, False, MAX_ITERATIONS)
        if not dc[c.LEFT] < 1e-6:
            return 1
    z = call_explicit(ic, dc, x, y)
    G = kept_rows(ic, dc, z)
    if factor_dependent(ic, dc, G) != 0:
        return 1
    order, Gd, pivots = whole(ic, dl.CHOSEN), real(ic, dc, dl.KKT), whole(ic, dl.KKT_PIVOTS)
    B = real(ic, dc, dl.TREATMENT)
    M, e = at(B, nu * f), at(B, nu * f + nu * nu)
    a = real(ic, dc, dl.RHS)
    _basis(ic, dc, z, G, B, e)
    fill_mass(ic, z, M, nu)
    _independent(ic, z, order, B, M, e, at(e, nu), a)
    S = at(e, 2 * nu)
    _reduced_mass(B, M, nu, f, S)
    if f > 0:
        rows = at(pivots, r)
        if lu_factor(S, f, f, rows) != 0:
            return 1
        lu_solve(S, f, f, rows, a)
    full = at(e, nu)
    for i in range(nu):
        full[i] = e[i]
        for j in range(f):
            full[i] += B[i * f + j] * a[j]
    balance = force_balance(ic, dc, z, full)
    lam = a
    for k in range(r):
        lam[k] = balance[order[k]]
    _solve_transposed(Gd, r, pivots, lam)
    store(ic, x, full, lam)
    return 0


@jit
def _basis(ic: Integers, dc: Reals, z: Reals, G: Reals, B: Reals, e: Reals) -> None:
    """B (nu x f) and e (nu) of the module's docstring."""
    nu, r = ic[c.NU], ic[c.RANK]
    f = nu - r
    order, Gd, pivots = whole(ic, dl.CHOSEN), real(ic, dc, dl.KKT), whole(ic, dl.KKT_PIVOTS)
    column = real(ic, dc, dl.RHS)
    for j in range(f):
        for k in range(r):
            column[k] = -G[k * nu + order[r + j]]
        lu_solve(Gd, r, r, pivots, column)
        for k in range(r):
            B[order[k] * f + j] = column[k]
        for k in range(f):
            B[order[r + k] * f + j] = 1.0 if k == j else 0.0
    kept_gamma(ic, z, column)
    lu_solve(Gd, r, r, pivots, column)
    for k in range(nu):
        e[order[k]] = -column[k] if k < r else 0.0


@jit
def _independent(
    ic: Integers, z: Reals, order: Integers, B: Reals, M: Reals, e: Reals, work: Reals, a: Reals
) -> None:
    """a[:f] <- B^T (h - M e)."""
    nu, r = ic[c.NU], ic[c.RANK]
    f = nu - r
    for i in range(nu):
        work[i] = z[ic[dl.EXPLICIT_H] + i] - dot(at(M, i * nu), e, nu)
    for j in range(f):
        a[j] = 0.0
        for i in range(nu):
            a[j] += B[i * f + j] * work[i]


@jit
def _reduced_mass(B: Reals, M: Reals, nu: int, f: int, S: Reals) -> None:
    """S <- B^T M B."""
    for j in range(f):
        for k in range(f):
            total = 0.0
            for i in range(nu):
                if B[i * f + j] != 0.0:
                    part = 0.0
                    for n in range(nu):
                        part += M[i * nu + n] * B[n * f + k]
                    total += B[i * f + j] * part
            S[j * f + k] = total


@jit
def _solve_transposed(A: Reals, n: int, pivots: Integers, b: Reals) -> None:
    """b <- A^-T b with the factors of ``lu_factor``."""
    for i in range(n):
        for j in range(i):
            b[i] -= A[j * n + i] * b[j]
        b[i] /= A[i * n + i]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= A[j * n + i] * b[j]
    for k in range(n - 1, -1, -1):
        other = pivots[k]
        b[k], b[other] = b[other], b[k]


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Dependent q, then u, from the constraints."""
    which, limit = int(y[0]), int(y[1])
    normalise(ic, x)
    dc[c.LEFT] = dc[c.CORRECTION] = 0.0
    if ic[c.RANK] == 0:
        return 0
    evaluate(ic, dc, dl.A_CONSTRAINTS, dl.Y_CONSTRAINTS, x)
    count = 0
    if which & c.PROJECT_Q:
        count += solve_level(ic, dc, x, True, limit)
    if which & c.PROJECT_U:
        count += solve_level(ic, dc, x, False, limit)
    return count


PARTITIONING = Treatment(
    name="partitioning",
    exact=True,
    accelerate=accelerate,
    project=project,
    objection=needs_multipliers,
    description="independent coordinates by pivoting; dependent ones solved at every stage",
)
