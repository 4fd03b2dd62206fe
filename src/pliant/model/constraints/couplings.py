"""Formulas that are held at zero: of velocities, or of positions (gear, rack, any coupling).

A relation f(p, t) = 0 of joint coordinates and positions of frames p acts with

    f_p λ  along each p            f_p · p' + f_t = 0

Angles are those of joint coordinates, which count turns: a gear may turn as often as it likes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from pliant.model.constraints.holding import Holding
from pliant.model.fields import STATE, Number, OptionalQuantity, Quantity, has, number
from pliant.model.forces.action import Symbol
from pliant.model.formulas import Formula, formula
from pliant.model.frames import COMPONENTS
from pliant.model.named import put_in
from pliant.model.numbers.units import NONE, Dimension, unit_text
from pliant.records import dataclass

_SIDE = Number("rad | m", STATE)
ONE = formula("1")


@dataclass(frozen=True, slots=True)
class VelocityConstraint(Holding):
    """A formula, linear in rates of joints and velocities of frames, is held at zero.

    sum_k c_k(q, t) v_k + b(q, t) = 0; its multiplier acts with c_k on each velocity v_k.

    >>> pl.VelocityConstraint("even", "left.angle_rate + right.angle_rate - 2").name
    'even'
    """

    kind: ClassVar[str] = "velocity"
    undrawn: ClassVar[str] = "a formula holds at no place"
    row_names: ClassVar[tuple[str, ...]] = ("velocity",)
    main: ClassVar[str] = "formula"
    m: ClassVar[int] = 1

    name: str
    formula: Quantity = has(Number("", STATE), doc="what is held at zero")


@dataclass(frozen=True, slots=True)
class Coupling(Holding):
    """A formula of joint coordinates, positions of frames and time is held at `offset`.

    >>> pl.Coupling("cam", position="lift.displacement - 0.01*cos(shaft.angle)").offset
    Formula('0')
    """

    kind: ClassVar[str] = "coupling"
    undrawn: ClassVar[str] = "a formula holds at no place"
    row_names: ClassVar[tuple[str, ...]] = ("coupling",)
    main: ClassVar[str] = "position"
    outside: ClassVar[tuple[str, ...]] = ("offset",)
    m: ClassVar[int] = 1

    name: str
    position: Quantity = has(Number("", STATE), doc="what is held")
    offset: Quantity = number("", 0, doc="at which value")

    def units(self, of: Callable[[Formula], Dimension | None]) -> Mapping[str, str]:
        """The offset is in the unit of the position."""
        return {"offset": _unit(of(self.position))}

    def relation(self, model: Any) -> Formula:
        """f - offset."""
        return less(self.position, self.offset)


class TwoSides(Holding):
    """Two coordinates that move in a fixed ratio, from where they are at the start."""

    __slots__ = ()
    row_names: ClassVar[tuple[str, ...]] = ("mesh",)
    m: ClassVar[int] = 1
    offset: Formula | None

    @property
    def difference(self) -> Formula:
        """What stays as it is."""
        raise NotImplementedError

    def relation(self, model: Any) -> Formula:
        """The difference less its value at the start."""
        start = starting(self.difference, model) if self.offset is None else self.offset
        return less(self.difference, start)


@dataclass(frozen=True, slots=True)
class Gear(TwoSides):
    """input - ratio*output stays as it is: the input turns `ratio` times as fast as the output.

    Sides are joint coordinates or formulas of them, such as `sun.angle - carrier.angle`. A negative
    ratio: wheels that mesh from outside turn in opposite senses about parallel axes.

    >>> pl.Gear("mesh", input="pinion.angle", output="wheel.angle", ratio=-3).ratio
    Formula('-3')
    """

    kind: ClassVar[str] = "gear"

    name: str
    input: Quantity = has(_SIDE, doc="a joint coordinate, or a formula of some")
    output: Quantity = has(_SIDE, doc="a joint coordinate, or a formula of some")
    ratio: Quantity = number("", doc="speed of the input over that of the output")
    offset: OptionalQuantity = number(
        "rad | m", None, doc="of input - ratio*output; without it that of the initial values"
    )

    def unit(self, model: Any) -> str:
        """That of the input."""
        found = {p.unit for p in positions_read(model, self.input)}
        return found.pop() if len(found) == 1 else ""

    def units(self, of: Callable[[Formula], Dimension | None]) -> Mapping[str, str]:
        """The ratio is in the unit of the input over that of the output."""
        one, two = of(self.input), of(self.output)
        ratio = None if one is None or two is None else one * two**-1
        return {"offset": _unit(one), "ratio": _unit(ratio)}

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """A wheel at each coordinate; two that are alone mesh."""
        first, second = (coordinates_read(f) for f in (self.input, self.output))
        if len(first) != 1 or len(second) != 1:
            return tuple(Symbol("wheel", joint=j, coordinate=c) for j, c in (*first, *second))
        sides = (*first[0], second[0][0], self.ratio), (*second[0], first[0][0], ONE / self.ratio)
        return tuple(Symbol("wheel", joint=j, coordinate=c, ratio=ratio, mate=mate)
                     for j, c, mate, ratio in sides)  # fmt: skip

    @property
    def difference(self) -> Formula:
        """input - ratio*output."""
        return self.input - self.ratio * self.output


@dataclass(frozen=True, slots=True)
class Rack(TwoSides):
    """rack - radius*pinion stays as it is: a rack moves with the rim of its pinion.

    >>> pl.Rack("steer", rack="rod.displacement", pinion="column.angle", radius="8 mm").radius
    Formula('8 mm')
    """

    kind: ClassVar[str] = "rack"

    name: str
    rack: Quantity = has(Number("m", STATE), doc="a displacement, or a formula of some")
    pinion: Quantity = has(Number("rad", STATE), doc="an angle, or a formula of some")
    radius: Quantity = number("m | m/rad", doc="of the pinion; below zero on its other side")
    offset: OptionalQuantity = number(
        "m", None, doc="of rack - radius*pinion; without it that of the initial values"
    )

    def unit(self, model: Any) -> str:
        """Metres."""
        return "m"

    @property
    def symbols(self) -> tuple[Symbol, ...]:
        """A wheel and a straight one."""
        wheels = (Symbol("wheel", joint=j, coordinate=c, radius=self.radius)
                  for j, c in coordinates_read(self.pinion))  # fmt: skip
        racks = (Symbol("rack", joint=j, coordinate=c) for j, c in coordinates_read(self.rack))
        return *wheels, *racks

    @property
    def difference(self) -> Formula:
        """rack - radius*pinion."""
        return self.rack - self.radius * self.pinion


def _unit(dimension: Dimension | None) -> str:
    """As fields say it, with its angle and without; none where any will do."""
    if dimension is None:
        return ""
    plain = dimension.without_angle
    words = dict.fromkeys(map(unit_text, (dimension, plain)))
    return " | ".join((*words, "rad") if dimension == plain == NONE else words)


@dataclass(frozen=True, slots=True)
class Position:
    """A joint coordinate or a component of the position of a frame, by the name formulas use, with
    that of its rate."""

    name: str
    rate: str
    unit: str


def coordinates_read(f: Formula) -> list[tuple[str, str]]:
    """Joints with their coordinates that a formula reads by their names."""
    parts = (name.split(".") for name in sorted(f.names))
    return [(own[0], own[1]) for own in parts if len(own) == 2]


def positions_read(model: Any, f: Formula) -> list[Position]:
    """Joint coordinates and positions that a formula reads."""
    scalars = {f"{j.name}.{c.name}": Position(f"{j.name}.{c.name}", f"{j.name}.{c.rate}", c.unit)
               for j in model.joints.values() for c in j.scalars}  # fmt: skip
    found = []
    for name in sorted(f.names):
        frame, _, component = name.rpartition(".")
        if name in scalars:
            found.append(scalars[name])
        elif frame.endswith(".position") and component in COMPONENTS:
            frame = frame.removesuffix(".position")
            found.append(Position(name, f"{frame}.velocity.{component}", "m"))
    return found


def less(a: Formula, b: Formula) -> Formula:
    """a - b."""
    return a if b.is_zero else a - b


def starting(f: Formula, model: Any) -> Formula:
    """A formula of joint coordinates as one of parameters: with initial values, zero where none is
    given, and the time of the start."""
    return put_in(f, {**initial_values(model), "t": model.settings.t_start})


def initial_values(model: Any) -> Mapping[str, Formula]:
    """The initial value of every scalar coordinate of a joint."""
    none = formula(0)
    return {f"{j.name}.{c.name}": j.initial.get(c.name, none)
            for j in model.joints.values() for c in j.scalars}  # fmt: skip
