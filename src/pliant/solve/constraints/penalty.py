"""Penalty: violated constraints pull back like stiff, damped, massive springs.

    (M + G^T alpha G) a = h - G^T alpha (gamma + 2 zeta omega (G u + b) + omega^2 g)
    lam = -alpha (G a + gamma + 2 zeta omega (G u + b) + omega^2 g)

alpha_i = alpha max(M_ii) / s_i^2 with the row scale s_i, so that the option alpha is a pure
number. All rows take part: dependent ones do no harm. Needs: M + G^T G regular. Residual:
controlled only (1/alpha and the integration error). Source: S2 (11.35).
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import call_explicit
from pliant.solve.constraints.matrices import fill_mass, needs_multipliers, no_projection
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.dense import layout as dl
from pliant.solve.dense.services import fill_G, real, whole
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, jit, service
from pliant.solve.machine.linear import dot, lu_factor, lu_solve


@jit
def factor_penalty(ic: Integers, dc: Reals, z: Reals) -> int:
    """LU of M + G^T alpha G; the alpha_i stay at the start of the work array. 0 if regular."""
    nu, m = ic[c.NU], ic[c.NC]
    A, weights = real(ic, dc, dl.KKT), real(ic, dc, dl.TREATMENT)
    fill_mass(ic, z, A, nu)
    G = fill_G(ic, dc, dl.EXPLICIT_G, z)
    largest = 1e-300
    for i in range(nu):
        largest = max(largest, abs(A[i * nu + i]))
    for k in range(m):
        weights[k] = dc[c.OPTIONS] * largest / dc[ic[dl.SCALE] + k] ** 2
        for i in range(nu):
            for j in range(nu):
                A[i * nu + j] += G[k * nu + i] * weights[k] * G[k * nu + j]
    ic[c.FACTORISATIONS] += 1
    return lu_factor(A, nu, nu, whole(ic, dl.KKT_PIVOTS))


@jit
def pull_back(ic: Integers, dc: Reals, G: Reals, violation: Reals, b: Reals) -> None:
    """b <- b - G^T alpha violation, then solved with M + G^T alpha G."""
    nu, weights = ic[c.NU], real(ic, dc, dl.TREATMENT)
    for k in range(ic[c.NC]):
        for i in range(nu):
            b[i] -= G[k * nu + i] * weights[k] * violation[k]
    lu_solve(real(ic, dc, dl.KKT), nu, nu, whole(ic, dl.KKT_PIVOTS), b)


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a from the penalised system, lam from what it pulls."""
    z = call_explicit(ic, dc, x, y)
    if factor_penalty(ic, dc, z) != 0:
        return 1
    nu, m, omega, zeta = ic[c.NU], ic[c.NC], dc[c.OPTIONS + 1], dc[c.OPTIONS + 2]
    a, weights = real(ic, dc, dl.RHS), real(ic, dc, dl.TREATMENT)
    violation, G = at(weights, m), fill_G(ic, dc, dl.EXPLICIT_G, z)
    for k in range(m):
        violation[k] = z[ic[dl.EXPLICIT_GAMMA] + k] + 2.0 * zeta * omega * z[ic[dl.EXPLICIT_CV] + k]
        if k < ic[c.NH]:
            violation[k] += omega * omega * z[ic[dl.EXPLICIT_GPOS] + k]
    for i in range(nu):
        a[i] = z[ic[dl.EXPLICIT_H] + i]
    pull_back(ic, dc, G, violation, a)
    first = 1 + ic[c.NQ] + nu + ic[c.NX]
    for i in range(nu):
        x[first + i] = a[i]
    for k in range(m):
        x[first + nu + k] = -weights[k] * (dot(at(G, k * nu), a, nu) + violation[k])
    return 0


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Only unit quaternions: drift is the business of the accelerations."""
    return no_projection(ic, dc, x)


PENALTY = Treatment(
    name="penalty",
    exact=False,
    accelerate=accelerate,
    project=project,
    objection=needs_multipliers,
    options={"alpha": 1e7, "omega": 10.0, "zeta": 1.0},
    description="constraints as stiff springs and masses (alpha, omega, zeta)",
)
