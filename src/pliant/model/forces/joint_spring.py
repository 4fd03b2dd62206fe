"""A spring-damper on a joint coordinate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pliant.model.fields import (
    STATE,
    Number,
    Optional,
    OptionalQuantity,
    Quantity,
    Reference,
    Text,
    has,
    number,
    settle,
)
from pliant.model.forces.action import Action, Effort, Motion

_LAW = Optional(Number("N | N*m", STATE, frozenset({"x", "v"})))


@dataclass(frozen=True, slots=True)
class JointSpring:
    """Acts with -k*(x - free) - d*v along a scalar joint coordinate x of rate v.

    On an angle it is a torsion spring (k in N*m/rad). `effort` is a law in x and v that replaces
    the linear one; it is positive along the coordinate.
    """

    kind: ClassVar[str] = "joint_spring"
    main: ClassVar[str] = ""
    outside: ClassVar[tuple[str, ...]] = ("joint", "coordinate")
    pair: ClassVar[tuple[str, ...]] = ()

    name: str
    joint: str = has(Reference("joint"), doc="the joint it acts in")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")
    stiffness: Quantity = number("N*m/rad | N/m", 0, doc="effort per displacement")
    damping: Quantity = number("N*m*s/rad | N*s/m", 0, doc="effort per rate")
    free: Quantity = number("rad | m", 0, doc="displacement without effort")
    effort: OptionalQuantity = has(_LAW, None, "law in x and v replacing the linear one")

    def __post_init__(self) -> None:
        settle(self, "forces", "force")

    def act(self, motion: Motion) -> Action:
        """Q = -k (x - free) - d v, or the law in x, v."""
        x, v = motion.coordinate(self.joint, self.coordinate)
        potential = dissipated = None
        if self.effort is not None:
            value = motion.value(self.effort, x=x, v=v)
        else:
            stretch = x - motion.value(self.free)
            k, d = motion.value(self.stiffness), motion.value(self.damping)
            value = -k * stretch - d * v
            potential, dissipated = 0.5 * k * stretch * stretch, d * v * v
        return Action(efforts=(Effort(self.joint, self.coordinate, value),), potential=potential,
                      dissipated=dissipated, outputs={"effort": (value, "N*m | N")})  # fmt: skip


TorsionSpring = JointSpring
