"""Baumgarte stabilisation: the constraint error obeys a damped oscillator.

    [ M  -G^T; G  0 ] [a; lam] = [h; -gamma - 2 alpha (G u + b) - beta^2 g]

Options alpha, beta in 1/s (alpha = beta: aperiodic). States are not projected.
Needs: nothing. Residual: controlled only, of the order of the integration error.
Source: S0 (8.8-8.10).
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import call_explicit, factor_kkt, solve_kkt, store_accelerations
from pliant.solve.constraints.matrices import no_projection
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.dense.layout import EXPLICIT_CV, EXPLICIT_GAMMA, EXPLICIT_GPOS, EXPLICIT_H, RHS
from pliant.solve.dense.services import real
from pliant.solve.machine.abi import Integers, Reals, service
from pliant.solve.machine.context import LEVEL_STABILISED, NC, ND, NH, OPTIONS, PLACE


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a, lam from the stabilised augmented system."""
    z = call_explicit(ic, dc, x, y)
    if factor_kkt(ic, dc, z) != 0:
        return 1
    alpha, beta, nd, b = dc[OPTIONS], dc[OPTIONS + 1], ic[ND], real(ic, dc, RHS)
    for i in range(nd):
        b[i] = z[ic[EXPLICIT_H] + i]
    for i in range(ic[NC]):
        k = ic[ic[PLACE] + i]
        if k >= 0:
            b[nd + k] = -z[ic[EXPLICIT_GAMMA] + i] - 2.0 * alpha * z[ic[EXPLICIT_CV] + i]
            if i < ic[NH]:
                b[nd + k] -= beta * beta * z[ic[EXPLICIT_GPOS] + i]
    solve_kkt(ic, dc, b)
    store_accelerations(ic, x, b)
    return 0


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Only unit quaternions: drift is the business of the accelerations."""
    return no_projection(ic, dc, x)


BAUMGARTE = Treatment(
    name="baumgarte",
    exact=False,
    implicit=True,
    level=LEVEL_STABILISED,
    accelerate=accelerate,
    project=project,
    options={"alpha": 10.0, "beta": 10.0},
    description="feedback of the constraint error into the accelerations (alpha, beta)",
)
