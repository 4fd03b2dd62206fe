"""Springs whose ends coincide: with a free length, damping or a law their direction is noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.equations import PoseAndTwist
from pliant.errors import StepError
from pliant.mechanics.placed import Placed
from pliant.model.forces import Spring

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
    springs = [s for s in system.model.forces.values() if isinstance(s, Spring)]
    if not springs:
        return
    placed = Placed(system.values(params), bodies)
    elastic = {name for name, own in bodies.items() if len(own.elastic)}
    for s in springs:
        why, ends = s.undefined_at_zero(placed.values.number), (s.frame_a, s.frame_b)
        if not why or not elastic.isdisjoint(end.partition(".")[0] for end in ends):
            continue
        if _coincide(*(placed.frame(end).p_WP for end in ends)):
            raise StepError(f"t = {t:.6g} s: spring '{s.name}': {why}")


def _coincide(a: Array, b: Array) -> bool:
    size = float(max(np.abs(a).max(), np.abs(b).max()))
    return bool(np.linalg.norm(b - a) <= 1e-12 + _ROUNDING * size)
