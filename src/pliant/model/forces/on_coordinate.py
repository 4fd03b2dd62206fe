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
    Word,
    has,
    number,
)
from pliant.model.forces.action import Acting, Action, Effort, Momentum, Motion, Symbol
from pliant.model.forces.spring import one_sided, spring_law, spring_symbol
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.records import dataclass

_SIGNS = {"both": 0, "above": 1, "below": -1}
_LAW = Optional(Number("N | N*m", STATE, frozenset({"x", "v"})))


@dataclass(frozen=True, slots=True)
class OnCoordinate(Acting):
    """An effort along a scalar joint coordinate, positive on the child."""

    outside: ClassVar[tuple[str, ...]] = ("joint", "coordinate")

    name: str
    joint: str = has(Reference("joint"), doc="the joint it acts in")
    coordinate: str | None = has(Optional(Text()), None, "which coordinate, if it has several")

    sign: ClassVar[str] = ""
    """Kind of its symbol."""

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return (Symbol(self.sign, joint=self.joint, coordinate=self.coordinate),)

    def _acting(self, effort: Any, potential: Any = None, dissipated: Any = None) -> Action:
        return Action(efforts=(Effort(self.joint, self.coordinate, effort),), potential=potential,
                      dissipated=dissipated, outputs={"effort": (effort, "N*m | N")})  # fmt: skip


@dataclass(frozen=True, slots=True)
class JointSpring(OnCoordinate):
    """Acts with -k*(x - free) - d*v along a scalar joint coordinate x of rate v.

    On an angle it is a torsion spring (k in N*m/rad). `effort` is a law in x and v that replaces
    the linear one; it is positive along the coordinate. An end stop acts above or below `free`
    only: elsewhere it has no effort, and it does not stick on the way back.

    >>> pl.JointSpring("return", "pin", stiffness="20 N*m/rad", free="90 deg").free
    Formula('90 deg')
    """

    kind: ClassVar[str] = "joint_spring"
    by_coordinate: ClassVar[bool] = True

    stiffness: Quantity = number("N*m/rad | N/m", 0, doc="effort per displacement", usual=0)
    damping: Quantity = number("N*m*s/rad | N*s/m", 0, doc="effort per rate", usual=0)
    free: Quantity = number("rad | m", 0, doc="displacement without effort")
    effort: OptionalQuantity = has(_LAW, None, "law in x and v replacing the linear one")
    acts: str = has(Word(tuple(_SIGNS)), "both", "beyond which side of free it acts")

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        kind = spring_symbol(self.stiffness, self.damping, self.effort)
        return (Symbol(kind, joint=self.joint, coordinate=self.coordinate),)

    @property
    def switches(self) -> bool:
        return self.acts != "both"

    @property
    def stores(self) -> bool:
        return self.effort is None

    def stiff(self, number: Callable[[Formula], float]) -> bool:
        return self.stores and number(self.stiffness) > 0

    def variables(self, joints: Mapping[str, Any]) -> dict[str, Formula]:
        c = joints[self.joint].acting(self.coordinate) if self.joint in joints else None
        own = {} if c is None else {"x": c.name, "v": c.rate}
        return {n: from_tree(Name(f"{self.joint}.{q}")) for n, q in own.items()}

    def act(self, motion: Motion) -> Action:
        """Q = -k (x - free) - d v, or the law in x, v."""
        x, v = motion.coordinate(self.joint, self.coordinate)
        stretch = motion.away(self.joint, self.coordinate, motion.value(self.free))
        sign, ops = _SIGNS[self.acts], motion.ops
        if self.effort is not None:
            law = -motion.value(self.effort, x=x, v=v)
            return self._acting(-one_sided(ops, law, stretch, sign))
        k, d = motion.value(self.stiffness), motion.value(self.damping)
        pulled, potential, dissipated = spring_law(ops, k, d, stretch, v, sign)
        return self._acting(-pulled, potential, dissipated)


TorsionSpring = JointSpring


@dataclass(frozen=True, slots=True)
class JointFriction(OnCoordinate):
    """Acts with -coulomb*tanh(v/speed) - viscous*v along a scalar joint coordinate of rate v.

    >>> pl.JointFriction("seal", "slide", coulomb="5 N").speed
    Formula('0.001')
    """

    kind: ClassVar[str] = "friction"
    sign: ClassVar[str] = "brake"
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
    """A force or torque along a scalar joint coordinate; a controller is its formula.

    >>> pl.Actuator("motor", "pin", effort="-40*(pin.angle - 1) - 6*pin.angle_rate").joint
    'pin'
    """

    kind: ClassVar[str] = "actuator"
    sign: ClassVar[str] = "actuator"
    by_coordinate: ClassVar[bool] = True
    is_applied: ClassVar[bool] = True
    main: ClassVar[str] = "effort"

    effort: Quantity = has(
        Number("N*m | N", STATE), 0, "positive along the coordinate, on the child"
    )

    def act(self, motion: Motion) -> Action:
        """Q = effort."""
        return self._acting(motion.value(self.effort))


@dataclass(frozen=True, slots=True)
class Rotor(OnCoordinate):
    """Inertia of a joint coordinate: of a rotor, or a mass, that moves `ratio` times as fast as it.

        Q = -inertia ratio^2 u'        T = 1/2 inertia ratio^2 u^2

    The rotor's turning with the bodies of the joint does not count, nor does its weight: its mass
    is part of the body that carries it. Momenta of the system leave it out, too.

    >>> pl.Rotor("armature", "shaft", inertia="0.3 g*m^2", ratio=50).ratio
    Formula('50')
    """

    kind: ClassVar[str] = "rotor"
    sign: ClassVar[str] = "rotor"
    has_mass: ClassVar[bool] = True

    inertia: Quantity = number("kg*m^2 | kg", 0, doc="or the mass that is displaced", above=0)
    ratio: Quantity = number("1 | rad/m | m/rad", 1, doc="its speed over that of the coordinate")

    def act(self, motion: Motion) -> Action:
        """Q = -J n^2 u'."""
        ops = motion.ops
        _, u = motion.coordinate(self.joint, self.coordinate)
        n = motion.value(self.ratio)
        inertia, none = motion.value(self.inertia) * n * n, ops.zeros(3)
        effort = -inertia * motion.acceleration(self.joint, self.coordinate)
        return Action(
            efforts=(Effort(self.joint, self.coordinate, effort),),
            kinetic=0.5 * inertia * u * u, momentum=Momentum(0, none, none, none),
            outputs={"effort": (effort, "N*m | N")},
        )  # fmt: skip
