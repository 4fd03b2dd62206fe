"""Projection: accelerations from the augmented system, states moved back after every step.

    [ M  -G^T; G  0 ] [a; lam] = [h; -gamma],
    then the least change of q (in the metric of M) with g = 0, and of u with G u + b = 0

Small systems are solved by an elimination in fixed order (``equations.direct``) while that is
accurate; otherwise by pivoting, and the matrix of the last stage is reused for the projection, so
it costs one or two back-substitutions a step. Needs: nothing (M may be singular, G may have
dependent rows). Residual: at rounding. Source: docs/theory; S1.7.
"""

from __future__ import annotations

from pliant.solve.constraints.kkt import accelerate_kkt, project_frozen
from pliant.solve.constraints.treatment import Treatment
from pliant.solve.machine.abi import Integers, Reals, service


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a, lam from the augmented system."""
    return accelerate_kkt(ic, dc, x, y)


@service
def project(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q, then u, onto the constraints with the frozen factor."""
    return project_frozen(ic, dc, x, y)


PROJECTION = Treatment(
    name="projection",
    exact=True,
    implicit=True,
    alone=True,
    accelerate=accelerate,
    project=project,
    description="augmented system; positions and speeds are projected after every step",
)
