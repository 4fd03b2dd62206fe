"""Rigid bodies, and the ground."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, ClassVar

from pliant.arguments import no_argument
from pliant.errors import Fault, InputError, ModelError
from pliant.model.bodies import shapes
from pliant.model.bodies.base import LOOKS, Colour, Moving, Share
from pliant.model.bodies.shapes import ShapeKind
from pliant.model.bodies.state import BodyState, StateKind
from pliant.model.fields import (
    Flag,
    Numbers,
    Numeric,
    Optional,
    Quantities,
    Quantity,
    Vector,
    Word,
    Written,
    has,
    is_sequence,
    number,
    settle,
    shown,
    vector,
)
from pliant.model.formulas import Formula, formula
from pliant.model.frames import Frame, FramesKind
from pliant.model.frozen import FrozenDict
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class InertiaKind(Numbers):
    """Three principal moments, or the six entries xx, yy, zz, xy, xz, yz of the matrix."""

    count: int = 6
    units: tuple[str, ...] = ("kg*m^2",)

    def convert(self, value: Any) -> tuple[Formula, ...]:
        if not is_sequence(value) or len(value) not in (3, 6):
            raise InputError(
                f"{shown(value)} stands where moments of inertia are expected",
                "give [xx, yy, zz] or [xx, yy, zz, xy, xz, yz]",
            )
        return Numbers.convert(self, [*value, 0, 0, 0] if len(value) == 3 else value)

    def plain(self, value: Sequence[Formula]) -> list[Any]:
        numbers = Numbers.plain(self, value)
        return numbers[:3] if numbers[3:] == [0, 0, 0] else numbers

    def schema(self) -> dict[str, Any]:
        number = self.part(0).schema()
        sizes = [{"minItems": n, "maxItems": n} for n in (3, 6)]
        return {"type": "array", "items": number, "anyOf": sizes}


@dataclass(frozen=True, slots=True)
class Made:
    """A simple shape: its sizes, mass or density as they were given, and what was found of them."""

    shape: str
    given: Mapping[str, Any]
    found: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RigidBody(Moving):
    """A rigid body. Inertia: matrix entries in body axes (products with the sign of the matrix).

    >>> wheel = pl.RigidBody("wheel", mass="8 kg", inertia=[0.1, 0.2, 0.1])
    >>> drum = pl.RigidBody.cylinder("drum", "20 cm", "5 cm", mass="8 kg")
    """

    kind: ClassVar[str] = "rigid"
    outside: ClassVar[tuple[str, ...]] = ("frames", "initial", "shape", *LOOKS)

    name: str
    mass: Quantity = number("kg", doc="mass; 0 for a massless body", least=0)
    com: Vector = vector("m", (0, 0, 0), doc="centre of mass, in the body frame")
    inertia: Quantities = has(
        InertiaKind(), (0,) * 6, "moments [xx, yy, zz] or matrix entries [xx, yy, zz, xy, xz, yz]"
    )
    inertia_about: str = has(Word(("com", "origin")), "com", "the point the inertia is about")
    frames: Written[Mapping[str, Frame]] = has(
        FramesKind(), FrozenDict(), "named frames on the body"
    )
    initial: Written[BodyState | None] = has(Optional(StateKind()), None, "its initial state")
    shape: Mapping[str, Any] | None = has(Optional(ShapeKind()), None, "how it is drawn")
    colour: str | None = has(Optional(Colour()), None, "it is drawn in: a name or #rrggbb")
    opacity: float = has(Share(), 1.0, "of its drawing: 1 hides what is behind, 0 cannot be seen")
    visible: bool = has(Flag(), True, "whether it is drawn")
    insist: bool = has(Flag(), False, "keep moments of inertia that break the triangle rule")
    made: Made | None = field(default=None, compare=False, repr=False)
    """How it was made, while that is still true."""

    def __post_init__(self) -> None:
        settle(self, "bodies", "body")
        if self.made is not None and any(getattr(self, k) != v for k, v in self.made.found.items()):
            object.__setattr__(self, "made", None)

    def remade(self, given: Mapping[str, Any]) -> RigidBody:
        """The body of the same shape in other sizes."""
        assert self.made is not None
        kept = {f.name: getattr(self, f.name) for f in fields(self)
                if f.name not in (*self.made.found, "name", "shape", "made")}  # fmt: skip
        return _made(type(self), self.made.shape, self.name, kept, **given)

    @property
    def massless(self) -> bool:
        return self.mass.is_zero

    @property
    def is_point(self) -> bool:
        start = self.initial
        turned = start is not None and (start.orientation, start.angular_velocity) != (None, None)
        extent = (*self.com, *self.inertia)
        return not self.massless and not turned and all(f.is_zero for f in extent)

    def resists(self, *, turning: bool) -> bool:
        return not any(f.is_zero for f in (self.inertia[:3] if turning else (self.mass,)))

    @classmethod
    def point(cls, name: str, mass: Numeric, **more: Any) -> RigidBody:
        """A point mass, at `com` (default: the body origin)."""
        return cls(name, mass, **more)

    @classmethod
    def shaped(cls, shape: str, name: str, **given: Any) -> RigidBody:
        """A body of any registered shape, by its sizes."""
        sizes = {k: given.pop(k) for k in shapes.SHAPES[shape].sizes if k in given}
        return _made(cls, shape, name, given, **sizes)

    @classmethod
    def rod(
        cls, name: str, length: Numeric, *, mass: Numeric | None = None,
        mass_per_length: Numeric | None = None, along: str = "x", **more: Any,
    ) -> RigidBody:  # fmt: skip
        """A thin straight rod from the body origin along an axis."""
        return _made(cls, "rod", name, more, length=length, mass=mass,
                     mass_per_length=mass_per_length, along=along)  # fmt: skip

    @classmethod
    def box(
        cls, name: str, size: Sequence[Numeric], *, mass: Numeric | None = None,
        density: Numeric | None = None, **more: Any,
    ) -> RigidBody:  # fmt: skip
        """A box with edges `size` along x, y, z, centred at `com` (default: the body origin)."""
        return _made(cls, "box", name, more, size=size, mass=mass, density=density)

    @classmethod
    def cylinder(
        cls, name: str, radius: Numeric, length: Numeric, *, mass: Numeric | None = None,
        density: Numeric | None = None, axis: str = "z", **more: Any,
    ) -> RigidBody:  # fmt: skip
        """A solid cylinder along an axis, centred at `com` (default: the body origin)."""
        return _made(cls, "cylinder", name, more, radius=radius, length=length, mass=mass,
                     density=density, axis=axis)  # fmt: skip

    @classmethod
    def sphere(
        cls, name: str, radius: Numeric, *, mass: Numeric | None = None,
        density: Numeric | None = None, **more: Any,
    ) -> RigidBody:  # fmt: skip
        """A solid ball centred at `com` (default: the body origin)."""
        return _made(cls, "sphere", name, more, radius=radius, mass=mass, density=density)


_ARGUMENTS = {f.name for f in fields(RigidBody)}


def _made(
    cls: type[RigidBody], shape: str, name: str, more: Mapping[str, Any], **given: Any
) -> RigidBody:
    """A body of a simple shape; faults carry its name."""
    if unknown := more.keys() - _ARGUMENTS:
        raise no_argument(shape, unknown, (*given, *sorted(_ARGUMENTS - {"name", "made"})))
    try:
        properties = shapes.SHAPES[shape].properties(**given)
    except InputError as error:
        who, path = f"body '{name}'", ("bodies", name)
        raise ModelError([Fault(who, f"{shape}: {error.what}", error.cure, path=path)]) from None
    body = cls(name, **{**properties, **more})
    found = {k: getattr(body, k) for k in properties if k not in more and k != "shape"}
    return replace(
        body, made=Made(shape, FrozenDict((k, _settled(v)) for k, v in given.items()), found)
    )


def _settled(value: Any) -> Any:
    """A size as formulas; words and what is missing stay."""
    if value is None or value in ("x", "y", "z"):
        return value
    return tuple(map(formula, value)) if is_sequence(value) else formula(value)


@dataclass(frozen=True, slots=True)
class Ground:
    """The world: a body that never moves, with named frames.

    >>> pl.Ground(frames={"pivot": pl.Frame("pivot", position=[0, 0, "1 m"])}).frames["pivot"].name
    'pivot'
    """

    frames: Written[Mapping[str, Frame]] = has(
        FramesKind(), FrozenDict(), "named frames of the world"
    )

    def __post_init__(self) -> None:
        settle(self, "ground", "ground")
