"""Generalised forces along the speeds of joints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import Reaction
from pliant.model.forces.action import Action


def efforts_on_speeds(
    motion: SystemMotion, actions: Iterable[Action], reactions: Iterable[Reaction]
) -> list[Any]:
    """Sum of efforts on every entry of u."""
    total: list[Any] = [0 for s in motion.joints.values() for _ in range(s.joint.nu)]
    for action in actions:
        for e in action.efforts:
            k = motion.joints[e.joint].start + motion.coordinate_index(e.joint, e.coordinate)
            total[k] = total[k] + e.value
    for reaction in reactions:
        for k, value in reaction.efforts:
            total[k] = total[k] + value
    return total
