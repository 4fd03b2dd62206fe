"""Wittenburg's elimination of the accelerations: the multipliers first, then the accelerations.

    (G M^-1 G^T) lam = -(gamma + G M^-1 h),    a = M^-1 (h + G^T lam)

Needs: a regular mass matrix (checked). Residual: at rounding (states are projected).
Source: S0 (8.11-8.12).
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import call_explicit
from pliant.solve.constraints.matrices import (
    fill_mass,
    kept_gamma,
    kept_rows,
    needs_regular_mass,
    project_fresh,
    store,
)  # fmt: skip
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.dense.layout import CHOSEN, EXPLICIT_H, KKT, KKT_PIVOTS, RHS, TREATMENT
from pliant.solve.dense.services import real, whole
from pliant.solve.machine.abi import Integers, Reals, at, service
from pliant.solve.machine.context import FACTORISATIONS, NU, RANK
from pliant.solve.machine.linear import dot, lu_factor, lu_solve


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """lam from the Schur complement, then a."""
    z = call_explicit(ic, dc, x, y)
    nu, r = ic[NU], ic[RANK]
    M, pivots = real(ic, dc, KKT), whole(ic, KKT_PIVOTS)
    fill_mass(ic, z, M, nu)
    ic[FACTORISATIONS] += 1
    if lu_factor(M, nu, nu, pivots) != 0:
        return 1
    a, G = real(ic, dc, RHS), kept_rows(ic, dc, z)
    for i in range(nu):
        a[i] = z[ic[EXPLICIT_H] + i]
    lu_solve(M, nu, nu, pivots, a)
    S = real(ic, dc, TREATMENT)
    columns, lam = at(S, r * r), at(S, r * r + r * nu)
    kept_gamma(ic, z, lam)
    for k in range(r):
        column = at(columns, k * nu)
        for i in range(nu):
            column[i] = G[k * nu + i]
        lu_solve(M, nu, nu, pivots, column)
    for k in range(r):
        lam[k] = -lam[k] - dot(at(G, k * nu), a, nu)
        for j in range(r):
            S[k * r + j] = dot(at(G, k * nu), at(columns, j * nu), nu)
    if lu_factor(S, r, r, whole(ic, CHOSEN)) != 0:
        return 1
    lu_solve(S, r, r, whole(ic, CHOSEN), lam)
    for k in range(r):
        for i in range(nu):
            a[i] += columns[k * nu + i] * lam[k]
    store(ic, x, a, lam)
    return 0


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q, then u, onto the constraints."""
    return project_fresh(ic, dc, x, y)


ELIMINATION = Treatment(
    name="elimination",
    exact=True,
    accelerate=accelerate,
    project=project,
    objection=needs_regular_mass,
    description="multipliers from G M^-1 G^T (Wittenburg); needs a regular mass matrix",
)
