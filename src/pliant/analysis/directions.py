"""Springs whose ends coincide: with a free length, damping or a law their direction is noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pliant.equations import PoseAndTwist
from pliant.errors import StepError
from pliant.mechanics.placement import placements
from pliant.model.forces import Spring
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose

if TYPE_CHECKING:
    from pliant.system import System

Array = NDArray[np.float64]
_ROUNDING = 1e-10
"""Of the distance from the origin and of assembly, relative; 1e-12 m of assembly besides."""


def refuse_without_direction(
    system: System, bodies: Mapping[str, PoseAndTwist], params: Mapping[str, Any] | None, t: float
) -> None:
    """Raise StepError if a spring begins with two ends in one place (rigid bodies and ground).

    The line between ends that a joint holds together is rounding error: it would turn at random
    from step to step.
    """
    model = system.model
    springs = [s for s in model.forces.values() if isinstance(s, Spring) and s.needs_direction]
    values = model.parameter_values(params or {}) if springs else {}
    for s in springs:
        ends = [_place(model, bodies, ref, values) for ref in (s.frame_a, s.frame_b)]
        a, b = ends
        if a is None or b is None:
            continue
        size = float(max(np.abs(a).max(), np.abs(b).max()))
        if np.linalg.norm(b - a) <= 1e-12 + _ROUNDING * size:
            raise StepError(f"t = {t:.6g} s: spring '{s.name}': {s.undefined}")


def _place(
    model: Model, bodies: Mapping[str, PoseAndTwist], reference: str, values: Mapping[str, float]
) -> Array | None:
    """p_WP of a frame; None on a flexible body."""
    body, _, frame = reference.partition(".")
    owner = model.ground if body == "ground" else model.bodies[body]
    if frame not in ("", *owner.frames) or (body in bodies and len(bodies[body].elastic)):
        return None

    def number(f: Any) -> float:
        return float(f.value if f.is_constant else f.evaluate(NUMERIC, values.__getitem__))

    X_BP: Pose = placements(NUMERIC, owner.frames, number)[frame]
    if body == "ground":
        return np.asarray(X_BP.p, dtype=np.float64)
    own = bodies[body]
    return np.asarray(own.p_WB + own.R_WB @ X_BP.p, dtype=np.float64)
