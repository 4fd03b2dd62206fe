"""Constraints on velocities: one kind per file, registered in `CONSTRAINTS` by its name."""

from pliant.model.constraints.rolling import Rolling
from pliant.model.constraints.skate import Skate
from pliant.model.constraints.velocity import VelocityConstraint

Constraint = Rolling | Skate | VelocityConstraint

CONSTRAINTS: dict[str, type[Constraint]] = {
    "rolling": Rolling,
    "skate": Skate,
    "velocity": VelocityConstraint,
}

__all__ = ["CONSTRAINTS", "Constraint", "Rolling", "Skate", "VelocityConstraint"]
