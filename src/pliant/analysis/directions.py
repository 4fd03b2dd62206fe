"""Springs whose ends coincide: with a free length, damping or a law their direction is noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.equations import PoseAndTwist
from pliant.errors import StepError
from pliant.mechanics.placement import placements
from pliant.model.forces import Spring
from pliant.model.formulas import Formula
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose

if TYPE_CHECKING:
    from pliant.system import System

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
    springs = [s for s in model.forces.values() if isinstance(s, Spring)]
    values = model.parameter_values(params or {}) if springs else {}

    def number(f: Formula) -> float:
        return float(f.value if f.is_constant else f.evaluate(NUMERIC, values.__getitem__))

    for s in springs:
        why = s.undefined_at_zero(number)
        if why and _coincide(*(_place(model, bodies, f, number) for f in (s.frame_a, s.frame_b))):
            raise StepError(f"t = {t:.6g} s: spring '{s.name}': {why}")


def _coincide(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return False
    size = float(max(np.abs(a).max(), np.abs(b).max()))
    return bool(np.linalg.norm(b - a) <= 1e-12 + _ROUNDING * size)


def _place(
    model: Model,
    bodies: Mapping[str, PoseAndTwist],
    reference: str,
    number: Callable[[Formula], float],
) -> Array | None:
    """p_WP of a frame; None on a flexible body."""
    body, _, frame = reference.partition(".")
    owner = model.ground if body == "ground" else model.bodies[body]
    if frame not in ("", *owner.frames) or (body in bodies and len(bodies[body].elastic)):
        return None
    X_BP: Pose = placements(NUMERIC, owner.frames, number)[frame]
    if body == "ground":
        return np.asarray(X_BP.p, dtype=np.float64)
    own = bodies[body]
    return np.asarray(own.p_WB + own.R_WB @ X_BP.p, dtype=np.float64)
