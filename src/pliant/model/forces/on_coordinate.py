"""What acts along a scalar joint coordinate: a spring-damper, friction, an actuator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

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
)
from pliant.model.forces.action import Acting, Action, Effort, Motion
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.records import dataclass

_LAW = Optional(Number("N | N*m", STATE, frozenset({"x", "v"})))


@dataclass(frozen=True, slots=True)
class OnCoordinate(Acting):
    """An effort along a scalar joint coordinate, positive on the child."""

    outside: ClassVar[tuple[str, ...]] = ("joint", "coordinate")

    name: str
    joint: str = has(Reference("joint"), doc="the joint it acts in")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")

    def _acting(self, effort: Any, potential: Any = None, dissipated: Any = None) -> Action:
        return Action(efforts=(Effort(self.joint, self.coordinate, effort),), potential=potential,
                      dissipated=dissipated, outputs={"effort": (effort, "N*m | N")})  # fmt: skip


@dataclass(frozen=True, slots=True)
class JointSpring(OnCoordinate):
    """Acts with -k*(x - free) - d*v along a scalar joint coordinate x of rate v.

    On an angle it is a torsion spring (k in N*m/rad). `effort` is a law in x and v that replaces
    the linear one; it is positive along the coordinate.
    """

    kind: ClassVar[str] = "joint_spring"
    by_coordinate: ClassVar[bool] = True

    stiffness: Quantity = number("N*m/rad | N/m", 0, doc="effort per displacement", usual=0)
    damping: Quantity = number("N*m*s/rad | N*s/m", 0, doc="effort per rate", usual=0)
    free: Quantity = number("rad | m", 0, doc="displacement without effort")
    effort: OptionalQuantity = has(_LAW, None, "law in x and v replacing the linear one")

    @property
    def stores(self) -> bool:
        return self.effort is None

    def stiff(self, number: Callable[[Formula], float]) -> bool:
        return self.stores and number(self.stiffness) > 0

    def variables(self, joints: Mapping[str, Any]) -> dict[str, Formula]:
        scalars = joints[self.joint].scalars if self.joint in joints else ()
        for c in (c for c in scalars if self.coordinate in (None, c.name)):
            own = {"x": c.name, "v": c.rate}
            return {n: from_tree(Name(f"{self.joint}.{q}")) for n, q in own.items()}
        return {}

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
        return self._acting(value, potential, dissipated)


TorsionSpring = JointSpring


@dataclass(frozen=True, slots=True)
class JointFriction(OnCoordinate):
    """Acts with -coulomb*tanh(v/speed) - viscous*v along a scalar joint coordinate of rate v."""

    kind: ClassVar[str] = "friction"
    by_coordinate: ClassVar[bool] = True
    is_friction: ClassVar[bool] = True

    coulomb: Quantity = number("N*m | N", 0, scope=STATE, doc="level of the dry friction", usual=0)
    viscous: Quantity = number("N*m*s/rad | N*s/m", 0, doc="effort per rate", usual=0)
    speed: Quantity = number(
        "rad/s | m/s", 1e-3, doc="rate over which dry friction sets in", above=0
    )

    def act(self, motion: Motion) -> Action:
        """Q = -coulomb tanh(v/speed) - viscous v."""
        _, v = motion.coordinate(self.joint, self.coordinate)
        level = motion.value(self.coulomb)
        dry = level * motion.ops.tanh(v / motion.value(self.speed))
        return self._acting(-dry - motion.value(self.viscous) * v)


@dataclass(frozen=True, slots=True)
class Actuator(OnCoordinate):
    """A force or torque along a scalar joint coordinate; a controller is its formula."""

    kind: ClassVar[str] = "actuator"
    by_coordinate: ClassVar[bool] = True
    is_applied: ClassVar[bool] = True
    main: ClassVar[str] = "effort"

    effort: Quantity = has(
        Number("N*m | N", STATE), 0, "positive along the coordinate, on the child"
    )

    def act(self, motion: Motion) -> Action:
        """Q = effort."""
        return self._acting(motion.value(self.effort))
