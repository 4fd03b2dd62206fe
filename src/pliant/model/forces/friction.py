"""Friction in a joint coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.fields import STATE, Optional, Quantity, Reference, Text, has, number, settle
from pliant.model.forces.action import Action, Effort, Motion


@dataclass(frozen=True, slots=True)
class JointFriction:
    """Acts with -coulomb*tanh(v/speed) - viscous*v along a scalar joint coordinate of rate v."""

    kind: ClassVar[str] = "friction"
    main: ClassVar[str] = ""
    outside: ClassVar[tuple[str, ...]] = ("joint", "coordinate")
    pair: ClassVar[tuple[str, ...]] = ()

    name: str
    joint: str = has(Reference("joint"), doc="the joint it acts in")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")
    coulomb: Quantity = number("N*m | N", 0, scope=STATE, doc="level of the dry friction")
    viscous: Quantity = number("N*m*s/rad | N*s/m", 0, doc="effort per rate")
    speed: Quantity = number("rad/s | m/s", 1e-3, doc="rate over which dry friction sets in")

    def __post_init__(self) -> None:
        settle(self, "forces", "force")

    def act(self, motion: Motion) -> Action:
        """Q = -coulomb tanh(v/speed) - viscous v."""
        _, v = motion.coordinate(self.joint, self.coordinate)
        level = motion.value(self.coulomb)
        dry = level * motion.ops.tanh(v / motion.value(self.speed))
        value = -dry - motion.value(self.viscous) * v
        return Action(efforts=(Effort(self.joint, self.coordinate, value),),
                      outputs={"effort": (value, "N*m | N")})  # fmt: skip
