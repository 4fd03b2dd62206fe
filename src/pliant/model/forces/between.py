"""What acts between two frame origins: along their line, or along the world axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pliant.model.fields import STATE, Number, Numbers, Quantity, Reference, Vector, has, number
from pliant.model.forces.action import Acting, Action, Arrow, Load, Motion, Symbol, pull
from pliant.model.formulas import Formula, from_tree
from pliant.model.formulas.tree import Name
from pliant.records import dataclass

_PUSH = frozenset({"x", "v"})
"""What laws read: the length of the line and its rate."""


@dataclass(frozen=True, slots=True)
class OnLine(Acting):
    """Something between two frame origins that acts along their line."""

    pulls: ClassVar[bool] = True
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end")

    @property
    def line(self) -> tuple[str, ...]:
        return self.frame_a, self.frame_b

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return (Symbol("actuator", self.frame_a, self.frame_b),)

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        ends = self.frame_a, self.frame_b
        return tuple(Arrow("force", *pair) for pair in (ends, ends[::-1]))

    def undefined_at_zero(self, number: Callable[[Formula], float]) -> str:
        return "its length is 0, and the direction of its force is not defined there"

    def variables(self, joints: Mapping[str, Any]) -> dict[str, Formula]:
        own = {"x": "length", "v": "rate"}
        return {n: from_tree(Name(f"{self.name}.{q}")) for n, q in own.items()}

    def _along(self, motion: Motion) -> tuple[Any, Any, Any]:
        """Direction from a to b, distance and its rate."""
        ops = motion.ops
        a, b = motion.frame(self.frame_a), motion.frame(self.frame_b)
        r = b.p_WP - a.p_WP
        length = ops.sqrt(ops.dot(r, r))
        direction = (r + ops.zeros(3)) / length  # all entries: 0/0 where r vanishes by structure
        return direction, length, ops.dot(direction, b.v_WP - a.v_WP)

    def _pushing(self, motion: Motion, law: Callable[[Any, Any], Any]) -> Action:
        """A force that drives the ends apart, of length and rate."""
        direction, length, rate = self._along(motion)
        push = law(length, rate)
        return Action(
            loads=pull(motion.ops, self.frame_a, self.frame_b, direction, -push),
            outputs={"force": (push, "N"), "length": (length, "m"), "rate": (rate, "m/s")},
        )


@dataclass(frozen=True, slots=True)
class LinearActuator(OnLine):
    """Pushes two frame origins apart with a force along their line: a controller is its formula.

    The formula may read the length x of the line and its rate v.

    >>> pl.LinearActuator("servo", "ground", "boom", force="-2e4*(x - 1.2) - 300*v").force
    Formula('-2e4*(x - 1.2) - 300*v')
    """

    kind: ClassVar[str] = "linear_actuator"
    is_applied: ClassVar[bool] = True
    main: ClassVar[str] = "force"

    force: Quantity = has(Number("N", STATE, _PUSH), 0, "positive: it drives the ends apart")

    def act(self, motion: Motion) -> Action:
        """A push F along the line."""
        return self._pushing(motion, lambda x, v: motion.value(self.force, x=x, v=v))


@dataclass(frozen=True, slots=True)
class Cylinder(OnLine):
    """A hydraulic or pneumatic cylinder of given chamber pressures, between two frame origins.

        F = p_A A_A - p_B A_B - d v

    Chamber A pushes the ends apart, B draws them together, d is friction in its seals. Flows into
    the chambers are A_A v and -A_B v.

    >>> pl.Cylinder("lift", "ground", "boom", area_A="20 cm^2", pressure_A="100 bar").area_A
    Formula('20 cm^2')
    """

    kind: ClassVar[str] = "cylinder"
    is_applied: ClassVar[bool] = True

    area_A: Quantity = number("m^2", doc="of the piston, in the chamber that pushes", above=0)
    area_B: Quantity = number("m^2", 0, doc="of the ring round the rod; 0: one chamber", least=0)
    pressure_A: Quantity = has(Number("Pa", STATE, _PUSH), 0, "over that of the surroundings")
    pressure_B: Quantity = has(Number("Pa", STATE, _PUSH), 0, "over that of the surroundings")
    damping: Quantity = number("N*s/m", 0, doc="force per speed of the piston", usual=0)

    def act(self, motion: Motion) -> Action:
        """p_A A_A - p_B A_B - d v along the line."""
        value = motion.value
        area_A, area_B, d = (value(f) for f in (self.area_A, self.area_B, self.damping))

        def push(x: Any, v: Any) -> Any:
            p_A, p_B = (value(f, x=x, v=v) for f in (self.pressure_A, self.pressure_B))
            return p_A * area_A - p_B * area_B - d * v

        done = self._pushing(motion, push)
        v = done.outputs["rate"][0]
        flows = {"flow_A": (area_A * v, "m^3/s"), "flow_B": (-area_B * v, "m^3/s")}
        return Action(done.loads, outputs={**done.outputs, **flows})


@dataclass(frozen=True, slots=True)
class WorldSpring(Acting):
    """Springs and dampers along the world axes between two frame origins.

        F = -k_i (x_i - free_i) - d_i v_i  on frame_b,  x = p_b - p_a, v = x'

    and the opposite on frame_a. Its axes do not turn with anything: it takes up the moment of the
    two forces about each other, so that angular momentum is not kept. For axes that turn with
    frame_a, and for rotations, take a bushing.

    >>> pl.WorldSpring("foundation", "ground", "box", stiffness=[1e6, 1e6, 4e6]).stiffness
    (Formula('1000000'), Formula('1000000'), Formula('4000000'))
    """

    kind: ClassVar[str] = "world_spring"
    pulls: ClassVar[bool] = True
    axes: ClassVar[str] = "world"
    pair: ClassVar[tuple[str, ...]] = ("frame_a", "frame_b")

    name: str
    frame_a: str = has(Reference("frame"), doc="one end")
    frame_b: str = has(Reference("frame"), doc="the other end, on which the force is told")
    stiffness: Vector = has(Numbers(3, ("N/m",), usual=0), (0, 0, 0), "along x, y, z of the world")
    damping: Vector = has(Numbers(3, ("N*s/m",), usual=0), (0, 0, 0), "along x, y, z of the world")
    free: Vector = has(Numbers(3, ("m",)), (0, 0, 0), "from a to b where there is no force")

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        return (Symbol("bushing", self.frame_a, self.frame_b),)

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        return (Arrow("force", self.frame_b),)

    def act(self, motion: Motion) -> Action:
        """-K (x - free) - D v on frame_b, world axes."""
        ops = motion.ops
        a, b = motion.frame(self.frame_a), motion.frame(self.frame_b)
        k, d, free = (ops.vec(*(motion.value(f) for f in own))
                      for own in (self.stiffness, self.damping, self.free))  # fmt: skip
        x, v = b.p_WP - a.p_WP - free, b.v_WP - a.v_WP
        force, none = -(k * x) - d * v, ops.zeros(3)
        return Action(
            loads=(Load(self.frame_b, force, none), Load(self.frame_a, -force, none)),
            potential=0.5 * ops.dot(k * x, x),
            dissipated=ops.dot(d * v, v),
            outputs={"force": (force, "N"), "displacement": (x + free, "m")},
        )
