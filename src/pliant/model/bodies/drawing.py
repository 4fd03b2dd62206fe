"""How a body is drawn: a simple shape, or a mesh file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import Kind, Number, Numbers, Word, check_keys, placed, shown
from pliant.model.formulas import Formula
from pliant.model.frames import OrientationKind
from pliant.model.named import Named, did_you_mean
from pliant.model.paths import FilePath

_LENGTH, _VECTOR, _AXIS = Number("m"), Numbers(3, ("m",)), Word(("x", "y", "z"))
# The keys of each kind; those not named in _CHOICES are required.
DRAWINGS: dict[str, dict[str, Kind]] = {
    "rod": {"length": _LENGTH, "along": _AXIS},
    "box": {"size": _VECTOR},
    "cylinder": {"radius": _LENGTH, "length": _LENGTH, "axis": _AXIS},
    "sphere": {"radius": _LENGTH},
    "mesh": {
        "file": FilePath(),
        "scale": Number("1"),
        "at": _VECTOR,
        "orientation": OrientationKind(),
    },
}
_CHOICES = ("along", "axis", "scale", "at", "orientation")


def required_keys(kind: str) -> list[str]:
    """What a drawing of this kind cannot do without."""
    return [key for key in DRAWINGS[kind] if key not in _CHOICES]


class ShapeKind:
    """A drawing: {rod: {length: l, along: x}}, {box: {size: [a, b, c]}}, {mesh: {file: a.stl}}."""

    def convert(self, value: Any) -> Named[Named[Any]]:
        if not isinstance(value, Mapping) or len(value) != 1:
            raise InputError(f"{shown(value)} is not a shape", "write {box: {size: [a, b, c]}}")
        ((kind, fields),) = value.items()
        if kind not in DRAWINGS:
            raise InputError(f"unknown shape '{kind}'", did_you_mean(str(kind), DRAWINGS))
        if not isinstance(fields, Mapping):
            raise InputError(f"{kind}: {shown(fields)} is not a mapping", "write {radius: r}")
        known = DRAWINGS[kind]
        check_keys(fields, known, required_keys(kind), kind)
        return Named({kind: Named((k, placed(known[k], v, k)) for k, v in fields.items())})

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
