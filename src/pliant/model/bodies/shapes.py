"""Simple solid shapes: mass, centre of mass and moments of inertia as formulas; and how a body is
drawn: as such a shape, or a mesh file.

Sources of the moments: any handbook, e.g. Meriam & Kraige, Dynamics, table D/4.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.cures import Leave, curing
from pliant.model.fields import Kind, Number, Numbers, Word, check_keys, placed, shown
from pliant.model.formulas import Formula, formula
from pliant.model.frames import OrientationKind
from pliant.model.frozen import FrozenDict, did_you_mean
from pliant.model.numbers.paths import FilePath
from pliant.records import dataclass
from pliant.registry import Registry

_LENGTH, _MASS = Number("m", above=0.0), Number("kg")
_SIDES, _AXIS = Numbers(3, ("m",), above=0.0), Word(("x", "y", "z"))
SIZES: dict[str, Kind] = {
    "length": _LENGTH, "radius": _LENGTH, "size": _SIDES, "mass": _MASS, "along": _AXIS,
    "axis": _AXIS, "density": Number("kg/m^3"), "mass_per_length": Number("kg/m"),
}  # fmt: skip
"""What simple shapes are given by."""


def _mass(mass: Any, density: Any, size: Formula, name: str, unit: str) -> Formula:
    """The mass given, or density times size; exactly one of the two."""
    if (mass is None) == (density is None):
        missing, both = f"mass or {name} is missing", f"both mass and {name} are given"
        one = curing("give exactly one", Leave(("mass",)), Leave((name,)))
        raise InputError(missing if mass is None else both, "give exactly one"
                         if mass is None else one)  # fmt: skip
    if mass is not None:
        given: Formula = placed(_MASS, mass, "mass")
        return given
    per: Formula = placed(Number(unit), density, name)
    return per * size


def _about_axis(along: str, axial: Formula, cross: Formula) -> list[Formula]:
    return [axial if letter == along else cross for letter in "xyz"]


def _rod(*, length: Any, mass: Any = None, mass_per_length: Any = None, along: Any = "x"
         ) -> dict[str, Any]:  # fmt: skip
    l, along = placed(_LENGTH, length, "length"), placed(_AXIS, along, "along")
    m = _mass(mass, mass_per_length, l, "mass_per_length", "kg/m")
    inertia = _about_axis(along, formula(0), m * l**2 / 12)
    com = _about_axis(along, l / 2, formula(0))
    shape = {"rod": {"length": l, "along": along}}
    return {"mass": m, "com": com, "inertia": inertia, "shape": shape}


def _box(*, size: Any, mass: Any = None, density: Any = None) -> dict[str, Any]:
    a, b, c = placed(_SIDES, size, "size")
    m = _mass(mass, density, a * b * c, "density", "kg/m^3")
    inertia = [m * (b**2 + c**2) / 12, m * (a**2 + c**2) / 12, m * (a**2 + b**2) / 12]
    return {"mass": m, "inertia": inertia, "shape": {"box": {"size": (a, b, c)}}}


def _cylinder(*, radius: Any, length: Any, mass: Any = None, density: Any = None, axis: Any = "z"
              ) -> dict[str, Any]:  # fmt: skip
    r, l = placed(_LENGTH, radius, "radius"), placed(_LENGTH, length, "length")
    axis = placed(_AXIS, axis, "axis")
    m = _mass(mass, density, formula("pi") * r**2 * l, "density", "kg/m^3")
    inertia = _about_axis(axis, m * r**2 / 2, m * (r**2 * 3 + l**2) / 12)
    shape = {"cylinder": {"radius": r, "length": l, "axis": axis}}
    return {"mass": m, "inertia": inertia, "shape": shape}


def _sphere(*, radius: Any, mass: Any = None, density: Any = None) -> dict[str, Any]:
    r = placed(_LENGTH, radius, "radius")
    m = _mass(mass, density, formula("4*pi/3") * r**3, "density", "kg/m^3")
    return {"mass": m, "inertia": [m * r**2 * 0.4] * 3, "shape": {"sphere": {"radius": r}}}


def _point(*, mass: Any) -> dict[str, Any]:
    return {"mass": mass}


@dataclass(frozen=True, slots=True)
class Shape:
    """A kind of rigid body. ``properties(*, sizes ...)`` gives its mass, centre of mass ``com`` and
    ``inertia`` about it, and as ``shape`` how it is drawn; sizes are formulas or what makes one."""

    name: str
    properties: Callable[..., dict[str, Any]]

    @property
    def sizes(self) -> Mapping[str, inspect.Parameter]:
        """What is said of it."""
        return inspect.signature(self.properties).parameters


SHAPES: Registry[Shape] = Registry(
    Shape,
    (
        Shape("rod", _rod), Shape("box", _box), Shape("cylinder", _cylinder),
        Shape("sphere", _sphere), Shape("point", _point),
    ),
)  # fmt: skip


# The keys of each kind; those not named in _CHOICES are required.
DRAWINGS: dict[str, dict[str, Kind]] = {
    "rod": {"length": _LENGTH, "along": _AXIS},
    "box": {"size": _SIDES},
    "cylinder": {"radius": _LENGTH, "length": _LENGTH, "axis": _AXIS},
    "sphere": {"radius": _LENGTH},
    "mesh": {
        "file": FilePath(),
        "scale": Number("1"),
        "at": Numbers(3, ("m",)),
        "orientation": OrientationKind(),
    },
}
_CHOICES = ("along", "axis", "scale", "at", "orientation")


def required_keys(kind: str) -> list[str]:
    """What a drawing of this kind cannot do without."""
    return [key for key in DRAWINGS[kind] if key not in _CHOICES]


class ShapeKind:
    """A drawing: {rod: {length: l, along: x}}, {box: {size: [a, b, c]}}, {mesh: {file: a.stl}}."""

    def convert(self, value: Any) -> FrozenDict[FrozenDict[Any]]:
        if not isinstance(value, Mapping) or len(value) != 1:
            raise InputError(f"{shown(value)} is not a shape", "write {box: {size: [a, b, c]}}")
        ((kind, fields),) = value.items()
        if kind not in DRAWINGS:
            raise InputError(f"unknown shape '{kind}'", did_you_mean(str(kind), DRAWINGS))
        if not isinstance(fields, Mapping):
            raise InputError(f"{kind}: {shown(fields)} is not a mapping", "write {radius: r}")
        known = DRAWINGS[kind]
        check_keys(fields, known, required_keys(kind), kind)
        return FrozenDict(
            {kind: FrozenDict((k, placed(known[k], v, k)) for k, v in fields.items())}
        )

    def plain(self, value: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
        ((kind, fields),) = value.items()
        return {kind: {k: DRAWINGS[kind][k].plain(v) for k, v in fields.items()}}

    def schema(self) -> dict[str, Any]:
        return {"$ref": "#/$defs/shape"}

    def formulas(
        self, value: Mapping[str, Mapping[str, Any]]
    ) -> Iterator[tuple[str, Formula, Number]]:
        ((kind, fields),) = value.items()
        for key, v in fields.items():
            for label, f, number in DRAWINGS[kind][key].formulas(v):
                yield f".{kind}.{key}{label}", f, number
