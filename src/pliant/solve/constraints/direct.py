"""Direct: the implicit integrator holds the constraints itself, in its own Newton iteration.

    r(q, u, u', lam) = 0  and  G u + b = 0 (Radau, index 2)  or  g = 0 (generalized-alpha, index 3)

Needs an implicit integrator. Residual: at rounding (states given out are projected).
Source: S0 (8.27-8.35); Hairer, Wanner II, VII.
"""

from __future__ import annotations

from pliant.solve.constraints.projection import accelerate, project
from pliant.solve.constraints.treatment import Treatment

DIRECT = Treatment(
    name="direct",
    exact=True,
    implicit=True,
    explicit=False,
    accelerate=accelerate,
    project=project,
    description="constraints are part of the implicit integrator's equations",
)
