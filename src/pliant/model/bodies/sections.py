"""Cross-sections of beams: dimensions as formulas. y and z are principal axes of the section."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pliant.errors import InputError
from pliant.model.fields import Number, Quantity, number, settle, shown
from pliant.model.formulas import Formula, formula
from pliant.model.parts import OneOf

Value = Callable[[Formula], float | None]


@dataclass(frozen=True, slots=True)
class Circle:
    """A solid circle."""

    kind: ClassVar[str] = "circle"
    positive: ClassVar[tuple[str, ...]] = ("radius",)

    radius: Quantity = number("m")

    def __post_init__(self) -> None:
        settle(self, "section", "section")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """What is wrong with the sizes taken together, and the cure."""
        return None


@dataclass(frozen=True, slots=True)
class Tube:
    """A hollow circle of radii `outer` and `inner`."""

    kind: ClassVar[str] = "tube"
    positive: ClassVar[tuple[str, ...]] = ("outer",)

    outer: Quantity = number("m")
    inner: Quantity = number("m")

    def __post_init__(self) -> None:
        settle(self, "section", "section")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """The inner radius must be smaller than the outer."""
        outer, inner = value(self.outer), value(self.inner)
        if outer is None or inner is None or 0 <= inner < outer:
            return None
        return f"inner radius {inner:g} m, outer radius {outer:g} m", "make the inner one smaller"


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A solid rectangle: `width` along y, `height` along z."""

    kind: ClassVar[str] = "rectangle"
    positive: ClassVar[tuple[str, ...]] = ("width", "height")

    width: Quantity = number("m")
    height: Quantity = number("m")

    def __post_init__(self) -> None:
        settle(self, "section", "section")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """Nothing."""
        return None


@dataclass(frozen=True, slots=True)
class ISection:
    """An I: `height` along z, flanges of `width` along y, thickness of `web` and `flange`."""

    kind: ClassVar[str] = "i"
    positive: ClassVar[tuple[str, ...]] = ("height", "width", "web", "flange")

    height: Quantity = number("m")
    width: Quantity = number("m")
    web: Quantity = number("m")
    flange: Quantity = number("m")

    def __post_init__(self) -> None:
        settle(self, "section", "section")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """Web and flanges must fit into the outline."""
        h, b, tw, tf = (value(f) for f in (self.height, self.width, self.web, self.flange))
        if h is None or b is None or tw is None or tf is None or (tw <= b and 2 * tf < h):
            return None
        what = f"web {tw:g} m or flanges {tf:g} m do not fit into {b:g} m by {h:g} m"
        return what, "make them thinner"


@dataclass(frozen=True, slots=True)
class Properties:
    """A section by its numbers; ky, kz shear factors; y, z half sizes for stress (0: none)."""

    kind: ClassVar[str] = "properties"
    positive: ClassVar[tuple[str, ...]] = ("A", "Iy", "Iz", "J", "ky", "kz")

    A: Quantity = number("m^2", doc="area")
    Iy: Quantity = number("m^4", doc="of bending in the x-z plane, the integral of z^2")
    Iz: Quantity = number("m^4", doc="of bending in the x-y plane, the integral of y^2")
    J: Quantity = number("m^4", doc="torsion constant")
    ky: Quantity = number("1", 1, doc="shear factor along y")
    kz: Quantity = number("1", 1, doc="shear factor along z")
    y: Quantity = number("m", 0, doc="half size along y")
    z: Quantity = number("m", 0, doc="half size along z")

    def __post_init__(self) -> None:
        settle(self, "section", "section")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """Nothing."""
        return None


Section = Circle | Tube | Rectangle | ISection | Properties
SECTION = OneOf(
    (Circle, Tube, Rectangle, ISection, Properties), "section", "{circle: {radius: 3 mm}}"
)
Stations = tuple[tuple[float, Section], ...]


class StationsKind:
    """Sections at fractions of the length: {0: {circle: ...}, 1: {circle: ...}}."""

    def convert(self, value: Any) -> Stations:
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, Mapping) or not value:
            raise InputError(f"{shown(value)} stands where sections are expected",
                             "write {0: {circle: ...}, 1: {circle: ...}}")  # fmt: skip
        return tuple((_fraction(at), _section(at, section)) for at, section in value.items())

    def plain(self, value: Stations) -> dict[Any, Any]:
        return {_key(at): SECTION.plain(section) for at, section in value}

    def schema(self) -> dict[str, Any]:
        return {"type": "object", "minProperties": 2, "additionalProperties": SECTION.schema()}

    def formulas(self, value: Stations) -> Iterator[tuple[str, Formula, Number]]:
        for at, section in value:
            for label, f, kind in SECTION.formulas(section):
                yield f".{_key(at)}{label}", f, kind


def _fraction(at: Any) -> float:
    try:
        place = formula(at)
        if place.is_constant and place.dimension is None:
            return place.value
    except InputError:
        pass
    raise InputError(f"station {shown(at)} is not a number", "give fractions of the length, 0 to 1")


def _section(at: Any, section: Any) -> Any:
    try:
        return SECTION.convert(section)
    except InputError as error:
        raise type(error)(f"station {at}: {error.what}", error.cure) from None


def _key(at: float) -> float | int:
    return int(at) if float(at).is_integer() else at
