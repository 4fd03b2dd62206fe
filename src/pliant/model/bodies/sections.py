"""Cross-sections of beams: dimensions in, area and second moments out. y and z are principal axes.

Dimensions are formulas; where a beam is put into numbers (``sized``) they are floats, or arrays
with one entry per place along it: a tapered beam interpolates dimensions, not moments.

Shear factors: G. R. Cowper, J. Appl. Mech. 33 (1966) 335-340, for circle, tube and rectangle;
web or flange area over the whole area for I sections. Torsion of a rectangle: Saint-Venant's
series (Timoshenko & Goodier, Theory of Elasticity, art. 109).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any, ClassVar, Self

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.fields import Number, Quantity, number, placed, settle, shown
from pliant.model.formulas import Formula, formula
from pliant.model.nested import OneOf
from pliant.records import dataclass

Value = Callable[[Formula], float | None]
Size = Any  # a float, or an array of floats along the beam
_AROUND = 28
"""Points of a circle that is drawn."""


@dataclass(frozen=True, slots=True)
class SectionValues:
    """A, Iy = ∫z² dA, Iz = ∫y² dA, torsion constant J, shear factors ky, kz.

    `points` are places (y, z) where stress is of interest, shape (k, 2, ...).
    """

    A: Size
    Iy: Size
    Iz: Size
    J: Size
    ky: Size
    kz: Size
    points: Array


@dataclass(frozen=True, slots=True)
class Outline:
    """Loops (y, z) at every place, (places, points, 2), counter-clockwise, holes clockwise."""

    loops: tuple[Array, ...]
    smooth: bool

    @classmethod
    def box(cls, width: Size, height: Size) -> Outline:
        """A rectangle about the axis."""
        corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
        return cls((corners * np.stack([width, height], axis=1)[:, None, :],), False)

    @classmethod
    def round(cls, outer: Size, inner: Size = 0.0) -> Outline:
        """A circle, with a hole where it has one at every place."""
        angle = 2 * np.pi * np.arange(_AROUND) / _AROUND
        circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        ring, hole = (np.asarray(r)[..., None, None] * circle for r in (outer, inner))
        return cls((ring, hole[:, ::-1]) if np.all(inner) else (ring,), True)

    @property
    def reach(self) -> float:
        """Largest distance of a point from the axis."""
        return float(max(np.linalg.norm(loop, axis=-1).max() for loop in self.loops))

    def at_least(self, reach: float) -> Outline:
        """The same outline, enlarged if it is too thin to be seen."""
        factor = max(1.0, reach / self.reach)
        return Outline(tuple(factor * loop for loop in self.loops), self.smooth)


def _points(*pairs: tuple[Size, Size]) -> Array:
    return np.array([np.broadcast_arrays(*pair) for pair in pairs], dtype=np.float64)


def _corners(y: Size, z: Size) -> Array:
    return _points((y, z), (-y, z), (-y, -z), (y, -z))


@dataclass(frozen=True, slots=True)
class SectionShape(ABC):
    """A cross-section with dimensions as its fields."""

    kind: ClassVar[str]

    def __post_init__(self) -> None:
        settle(self, "section", "section")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """What is wrong with the sizes taken together, and the cure."""
        return None

    def sized(self, size: Callable[[str], Size]) -> Self:
        """The section in numbers; ``size`` gives those of a field."""
        copy = object.__new__(type(self))
        for f in fields(self):
            object.__setattr__(copy, f.name, size(f.name))
        return copy

    @abstractmethod
    def values(self, nu: float) -> SectionValues:
        """Of a section in numbers, for Poisson's ratio nu."""

    def outline(self) -> Outline:
        """How a section in numbers, arrays along the beam, is drawn: the box with the same radii of
        gyration, if it does not say."""
        own = self.values(0.3)
        return Outline.box(np.sqrt(12 * own.Iz / own.A), np.sqrt(12 * own.Iy / own.A))

    def drawing(self, length: Formula) -> dict[str, Any]:
        """A rigid piece of such a beam along x, as a shape that bodies are drawn with."""
        return {"rod": {"length": length, "along": "x"}}


@dataclass(frozen=True, slots=True)
class Circle(SectionShape):
    """A solid circle.

    >>> pl.Circle("12 mm")
    Circle(radius=Formula('12 mm'))
    """

    kind: ClassVar[str] = "circle"

    radius: Quantity = number("m", above=0)

    def values(self, nu: float) -> SectionValues:
        r: Size = self.radius
        I, k = np.pi * r**4 / 4, 6 * (1 + nu) / (7 + 6 * nu)
        zero = 0.0 * r
        points = _points((r, zero), (zero, r), (-r, zero), (zero, -r))
        return SectionValues(np.pi * r**2, I, I, 2 * I, k + zero, k + zero, points)

    def outline(self) -> Outline:
        return Outline.round(self.radius)

    def drawing(self, length: Formula) -> dict[str, Any]:
        return {"cylinder": {"radius": self.radius, "length": length, "axis": "x"}}


@dataclass(frozen=True, slots=True)
class Tube(SectionShape):
    """A hollow circle of radii `outer` and `inner`.

    >>> pl.Tube(outer="30 mm", inner="27 mm")
    Tube(outer=Formula('30 mm'), inner=Formula('27 mm'))
    """

    kind: ClassVar[str] = "tube"

    outer: Quantity = number("m", above=0)
    inner: Quantity = number("m")

    def objection(self, value: Value) -> tuple[str, str] | None:
        """The inner radius must be smaller than the outer."""
        outer, inner = value(self.outer), value(self.inner)
        if outer is None or inner is None or 0 <= inner < outer:
            return None
        return f"inner radius {inner:g} m, outer radius {outer:g} m", "make the inner one smaller"

    def values(self, nu: float) -> SectionValues:
        R: Size = self.outer
        r: Size = self.inner
        I = np.pi * (R**4 - r**4) / 4
        m2 = (r / R) ** 2
        top = 6 * (1 + nu) * (1 + m2) ** 2
        k = top / ((7 + 6 * nu) * (1 + m2) ** 2 + (20 + 12 * nu) * m2)
        points = _points((R, 0.0 * R), (0.0 * R, R), (-R, 0.0 * R), (0.0 * R, -R))
        return SectionValues(np.pi * (R**2 - r**2), I, I, 2 * I, k, k, points)

    def outline(self) -> Outline:
        return Outline.round(self.outer, self.inner)

    def drawing(self, length: Formula) -> dict[str, Any]:
        return {"cylinder": {"radius": self.outer, "length": length, "axis": "x"}}


@dataclass(frozen=True, slots=True)
class Rectangle(SectionShape):
    """A solid rectangle: `width` along y, `height` along z.

    >>> pl.Rectangle(width="40 mm", height="10 mm")
    Rectangle(width=Formula('40 mm'), height=Formula('10 mm'))
    """

    kind: ClassVar[str] = "rectangle"

    width: Quantity = number("m", above=0)
    height: Quantity = number("m", above=0)

    def values(self, nu: float) -> SectionValues:
        b: Size = self.width
        h: Size = self.height
        k = 10 * (1 + nu) / (12 + 11 * nu) + 0.0 * b * h
        J = rectangle_torsion(b, h)
        return SectionValues(b * h, b * h**3 / 12, h * b**3 / 12, J, k, k, _corners(b / 2, h / 2))

    def outline(self) -> Outline:
        return Outline.box(self.width, self.height)

    def drawing(self, length: Formula) -> dict[str, Any]:
        return {"box": {"size": (length, self.width, self.height)}}


def rectangle_torsion(width: Size, height: Size) -> Size:
    """J = a b³ [1/3 - (64/π⁵)(b/a) Σ tanh(nπa/2b)/n⁵], n odd, a >= b (Saint-Venant)."""
    a, b = np.maximum(width, height), np.minimum(width, height)
    n = np.arange(1, 400, 2).reshape((-1,) + (1,) * np.ndim(a))
    series = (np.tanh(n * np.pi * a / (2 * b)) / n**5.0).sum(axis=0)
    return a * b**3 * (1 / 3 - 64 / np.pi**5 * (b / a) * series)


@dataclass(frozen=True, slots=True)
class ISection(SectionShape):
    """An I: `height` along z, flanges of `width` along y, thickness of `web` and `flange`.

    >>> pl.ISection("200 mm", width="100 mm", web="5.6 mm", flange="8.5 mm").height
    Formula('200 mm')
    """

    kind: ClassVar[str] = "i"

    height: Quantity = number("m", above=0)
    width: Quantity = number("m", above=0)
    web: Quantity = number("m", above=0)
    flange: Quantity = number("m", above=0)

    def objection(self, value: Value) -> tuple[str, str] | None:
        """Web and flanges must fit into the outline."""
        h, b, tw, tf = (value(f) for f in (self.height, self.width, self.web, self.flange))
        if h is None or b is None or tw is None or tf is None or (tw <= b and 2 * tf < h):
            return None
        what = f"web {tw:g} m or flanges {tf:g} m do not fit into {b:g} m by {h:g} m"
        return what, "make them thinner"

    def values(self, nu: float) -> SectionValues:
        sizes: tuple[Size, ...] = (self.height, self.width, self.web, self.flange)
        h, b, tw, tf = sizes
        inner = h - 2 * tf
        A = 2 * b * tf + inner * tw
        Iy = (b * h**3 - (b - tw) * inner**3) / 12
        Iz = (2 * tf * b**3 + inner * tw**3) / 12
        J = (2 * b * tf**3 + (h - tf) * tw**3) / 3
        return SectionValues(A, Iy, Iz, J, 5 / 6 * 2 * b * tf / A, h * tw / A,
                             _corners(b / 2, h / 2))  # fmt: skip

    def outline(self) -> Outline:
        sizes: tuple[Size, ...] = (self.width, self.web, self.height, self.flange)
        b, w, h, f = (size / 2 for size in sizes)
        f = h - 2 * f
        ys = [-b, b, b, w, w, b, b, -b, -b, -w, -w, -b]
        zs = [-h, -h, -f, -f, f, f, h, h, f, f, -f, -f]
        return Outline((np.stack([np.stack(ys, axis=1), np.stack(zs, axis=1)], axis=2),), False)


@dataclass(frozen=True, slots=True)
class Properties(SectionShape):
    """A section by its numbers; ky, kz shear factors; y, z half sizes for stress (0: none).

    >>> pl.Properties(A="400 mm^2", Iy="13333 mm^4", Iz="13333 mm^4", J="22500 mm^4").A
    Formula('400 mm^2')
    """

    kind: ClassVar[str] = "properties"

    A: Quantity = number("m^2", doc="area", above=0)
    Iy: Quantity = number("m^4", doc="of bending in the x-z plane, the integral of z^2", above=0)
    Iz: Quantity = number("m^4", doc="of bending in the x-y plane, the integral of y^2", above=0)
    J: Quantity = number("m^4", doc="torsion constant", above=0)
    ky: Quantity = number("1", 1, doc="shear factor along y", above=0)
    kz: Quantity = number("1", 1, doc="shear factor along z", above=0)
    y: Quantity = number("m", 0, doc="half size along y")
    z: Quantity = number("m", 0, doc="half size along z")

    def values(self, nu: float) -> SectionValues:
        y: Size = self.y
        z: Size = self.z
        return SectionValues(self.A, self.Iy, self.Iz, self.J, self.ky, self.kz, _corners(y, z))

    def outline(self) -> Outline:
        """A box of the given half sizes, otherwise the usual one."""
        own = self.values(0.3)
        y: Size = self.y
        z: Size = self.z
        width = np.where(y > 0, 2 * y, np.sqrt(12 * own.Iz / own.A))
        return Outline.box(width, np.where(z > 0, 2 * z, np.sqrt(12 * own.Iy / own.A)))


Section = Circle | Tube | Rectangle | ISection | Properties
SECTIONS: dict[str, type[SectionShape]] = {
    cls.kind: cls for cls in (Circle, Tube, Rectangle, ISection, Properties)
}
SECTION = OneOf(SECTIONS, "section", "{circle: {radius: 3 mm}}")
Stations = tuple[tuple[float, Section], ...]


class StationsKind:
    """Sections at fractions of the length: {0: {circle: ...}, 1: {circle: ...}}."""

    def convert(self, value: Any) -> Stations:
        if isinstance(value, tuple):
            value = dict(value)
        if not isinstance(value, Mapping) or not value:
            raise InputError(f"{shown(value)} stands where sections are expected",
                             "write {0: {circle: ...}, 1: {circle: ...}}")  # fmt: skip
        stations = value.items()
        return tuple((_fraction(at), placed(SECTION, s, f"station {at}")) for at, s in stations)

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


def _key(at: float) -> float | int:
    return int(at) if float(at).is_integer() else at
