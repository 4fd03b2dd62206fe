"""Orthogonal complement: equations of motion along the directions the constraints leave free.

    [ R^T M ]     [ R^T h  ]
    [   G   ] a = [ -gamma ]        G R = 0, R orthonormal, from the factorisation G = L Q

Multipliers from G^T lam = M a - h. Needs: nothing (M may be singular). Residual: at rounding
(states are projected). Source: S0 (8.20).
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import call_explicit
from pliant.solve.constraints.matrices import (
    fill_mass,
    force_balance,
    kept_gamma,
    kept_rows,
    needs_multipliers,
    project_fresh,
    store,
)  # fmt: skip
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.dense.layout import EXPLICIT_H, KKT, KKT_PIVOTS, RHS, TREATMENT
from pliant.solve.dense.services import real, whole
from pliant.solve.machine.abi import Integers, Reals, at, jit, service
from pliant.solve.machine.context import FACTORISATIONS, NU, RANK
from pliant.solve.machine.linear import dot, lu_factor, lu_solve, orthonormal_rows


@jit
def complete_basis(Q: Reals, r: int, n: int) -> None:
    """Rows r..n of Q <- orthonormal complement of its first r (orthonormal) rows.

    Unit vectors, orthogonalised twice; always the one that is farthest from the rows so far.
    """
    for k in range(r, n):
        best, longest = 0, -1.0
        for axis in range(n):
            rest = 1.0
            for j in range(k):
                rest -= Q[j * n + axis] ** 2
            if rest > longest:
                best, longest = axis, rest
        row = at(Q, k * n)
        for i in range(n):
            row[i] = 1.0 if i == best else 0.0
        for _ in range(2):
            for j in range(k):
                part = dot(row, at(Q, j * n), n)
                for i in range(n):
                    row[i] -= part * Q[j * n + i]
        length = dot(row, row, n) ** 0.5
        for i in range(n):
            row[i] /= length


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a from the projected equations and the constraints, then lam."""
    z = call_explicit(ic, dc, x, y)
    nu, r = ic[NU], ic[RANK]
    A, pivots, a = real(ic, dc, KKT), whole(ic, KKT_PIVOTS), real(ic, dc, RHS)
    Q = real(ic, dc, TREATMENT)
    L, M = at(Q, nu * nu), at(Q, nu * nu + r * r)
    fill_mass(ic, z, M, nu)
    G = kept_rows(ic, dc, z)
    kept_gamma(ic, z, at(a, nu - r))
    for k in range(r):
        a[nu - r + k] = -a[nu - r + k]
        for j in range(nu):
            Q[k * nu + j] = G[k * nu + j]
            A[(nu - r + k) * nu + j] = G[k * nu + j]
    orthonormal_rows(Q, r, nu, L)
    complete_basis(Q, r, nu)
    for k in range(nu - r):
        free = at(Q, (r + k) * nu)
        a[k] = dot(free, at(z, ic[EXPLICIT_H]), nu)
        for j in range(nu):
            A[k * nu + j] = 0.0
            for i in range(nu):
                A[k * nu + j] += free[i] * M[i * nu + j]
    ic[FACTORISATIONS] += 1
    if lu_factor(A, nu, nu, pivots) != 0:
        return 1
    lu_solve(A, nu, nu, pivots, a)
    f = force_balance(ic, dc, z, a)
    lam = M
    for k in range(r):
        lam[k] = dot(at(Q, k * nu), f, nu)
    for k in range(r - 1, -1, -1):
        for j in range(k + 1, r):
            lam[k] -= L[j * r + k] * lam[j]
        lam[k] /= L[k * r + k]
    store(ic, x, a, lam)
    return 0


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q, then u, onto the constraints."""
    return project_fresh(ic, dc, x, y)


COMPLEMENT = Treatment(
    name="complement",
    exact=True,
    accelerate=accelerate,
    project=project,
    objection=needs_multipliers,
    description="equations projected on the orthogonal complement of G",
)
