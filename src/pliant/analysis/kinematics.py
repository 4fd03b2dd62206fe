"""Fully driven systems: kinematics and inverse dynamics.

With as many independent constraints as speeds, the accelerations follow from G u' = -gamma alone
and the multipliers (driving torques, reactions) from W lam = M u' - h. The motion is followed by
the constrained integrator, and every output is projected onto the constraints, so that positions
and velocities are exact whatever the step.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pliant.analysis.simulate import simulate
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.backends.request import Request
from pliant.errors import CapabilityError
from pliant.results import Result
from pliant.solve.start.redundancy import constraint_matrix, degrees
from pliant.study import Study

_TOLERANCE = 1e-9


def kinematics(system: Study, request: Request) -> Result:
    """See ``System.kinematics``."""
    prepared = prepare(
        system, functions=("constraints", "initial", "tangent", "bodies", "start_states")
    )
    state = initial_state(system, prepared, request.params, 0.0)
    counted = degrees(prepared.compiled, state.x, state.p)
    if counted.freedom:
        G = constraint_matrix(prepared.compiled, state.x, state.p)
        free = np.abs(np.linalg.svd(G)[2][counted.rank :]).max(axis=0, initial=0.0)
        names = [s.owner for k, s in enumerate(prepared.compiled.layout.u) if free[k] > 1e-6]
        raise CapabilityError(
            f"kinematics: {counted.freedom} degrees of freedom are not driven, in "
            f"{', '.join(dict.fromkeys(names))}; add drivers, or simulate instead"
        )
    return simulate(system, replace(request, method="dop853", rtol=_TOLERANCE))
