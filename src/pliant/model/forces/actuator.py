"""An actuator on a joint coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.fields import STATE, Number, Optional, Quantity, Reference, Text, has, settle
from pliant.model.forces.action import Action, Effort, Motion


@dataclass(frozen=True, slots=True)
class Actuator:
    """A force or torque along a scalar joint coordinate; a controller is its formula."""

    kind: ClassVar[str] = "actuator"
    main: ClassVar[str] = "effort"
    outside: ClassVar[tuple[str, ...]] = ("joint", "coordinate")
    pair: ClassVar[tuple[str, ...]] = ()

    name: str
    joint: str = has(Reference("joint"), doc="the joint it acts in")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")
    effort: Quantity = has(
        Number("N*m | N", STATE), 0, "positive along the coordinate, on the child"
    )

    def __post_init__(self) -> None:
        settle(self, "forces", "force")

    def act(self, motion: Motion) -> Action:
        """Q = effort."""
        value = motion.value(self.effort)
        return Action(efforts=(Effort(self.joint, self.coordinate, value),),
                      outputs={"effort": (value, "N*m | N")})  # fmt: skip
