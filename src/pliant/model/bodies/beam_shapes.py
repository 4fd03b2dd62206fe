"""Which shape functions a beam takes: a family and a count for each of its four fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.cures import Leave, curing
from pliant.model.fields import Plain, check_keys, is_sequence, shown
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass

COMPONENT = ("craig-bampton", "free-interface")
ANALYTIC = ("clamped-free", "pinned-pinned", "free-free", "clamped-clamped", "clamped-pinned")
FAMILIES = (*ANALYTIC, "taylor", "polynomial", *COMPONENT)
# Fields, and the letter their coordinates are named with.
FIELDS = {"bending_y": "v", "bending_z": "w", "torsion": "phi", "axial": "s"}
MOST = 200
_KEYS = ("count", "elements", "interfaces", "attachments")


def _whole(label: str, value: Any, least: int, most: int) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not least <= value <= most:
        raise InputError(f"{label} {shown(value)} is not a whole number from {least} to {most}",
                         "give how many functions, or 0 for none" if label == "count" else
                         "give a whole number")  # fmt: skip


def _interfaces(value: Any) -> tuple[float, ...]:
    numbers = is_sequence(value) and all(
        isinstance(x, (int, float)) and not isinstance(x, bool) and 0 <= x <= 1 for x in value
    )
    if not numbers or not len(value) or list(value) != sorted(set(value)):
        raise InputError("interfaces are not increasing fractions of the length",
                         "write for example [0, 0.5, 1]")  # fmt: skip
    return tuple(float(x) for x in value)


@dataclass(frozen=True, slots=True)
class Functions:
    """`count` functions of a family; "" is the family that suits the floating frame.

    `elements`, `interfaces` (fractions of the length) and `attachments` are for modes of the
    beam's own finite element model: craig-bampton, free-interface.

    >>> pl.Functions(3, family="craig-bampton", elements=40).family
    'craig-bampton'
    """

    count: int = 0
    family: str = ""
    elements: int = 20
    interfaces: tuple[float, ...] = (0.0, 1.0)
    attachments: bool = False

    def __post_init__(self) -> None:
        if self.family and self.family not in FAMILIES:
            cure = did_you_mean(self.family, FAMILIES)
            raise InputError(f"unknown family '{self.family}'", cure)
        _whole("count", self.count, 0, MOST)
        _whole("elements", self.elements, 1, 10_000)
        if not isinstance(self.attachments, bool):
            raise InputError(f"attachments: {shown(self.attachments)}", "write true or false")
        object.__setattr__(self, "interfaces", _interfaces(self.interfaces))
        if self.family in COMPONENT and self.count > 2 * self.elements:
            raise InputError(f"{self.count} functions of {self.elements} elements",
                             "give at least half as many elements as functions")  # fmt: skip


@dataclass(frozen=True, slots=True)
class BeamShapes:
    """Bending in the x-y plane (v) and in the x-z plane (w), torsion (phi), axial (s).

    >>> pl.BeamShapes(bending_y=pl.Functions(2), axial=pl.Functions(1)).bending_y.count
    2
    """

    bending_y: Functions = Functions()
    bending_z: Functions = Functions()
    torsion: Functions = Functions()
    axial: Functions = Functions()

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return sum(getattr(self, field).count for field in FIELDS)


class ShapesKind(Plain):
    """{bending: 3}, {bending_y: {polynomial: 3}, torsion: {craig-bampton: {count: 4}}}."""

    def convert(self, value: Any) -> BeamShapes:
        if isinstance(value, BeamShapes):
            return value
        if not isinstance(value, Mapping):
            raise InputError(f"{shown(value)} stands where shapes are expected",
                             "write {bending: 3, torsion: 1}")  # fmt: skip
        given = dict(value)
        for key in given:
            if key != "bending" and key not in FIELDS:
                cure = did_you_mean(str(key), ["bending", *FIELDS])
                raise InputError(f"unknown field '{key}'", cure)
        if "bending" in given:
            if "bending_y" in given or "bending_z" in given:
                cure = curing("keep bending, or bending_y and bending_z", Leave(("bending",)))
                raise InputError("bending is given for both planes and again for one", cure)
            both = _functions("bending", given.pop("bending"))
            given |= {"bending_y": both, "bending_z": both}
        return BeamShapes(**{field: _functions(field, v) for field, v in given.items()})

    def plain(self, value: BeamShapes) -> dict[str, Any]:
        given = {field: getattr(value, field) for field in FIELDS}
        out = {field: _plain(f) for field, f in given.items() if f != Functions()}
        if value.bending_y == value.bending_z != Functions():
            del out["bending_y"], out["bending_z"]
            out = {"bending": _plain(value.bending_y), **out}
        return out

    def schema(self) -> dict[str, Any]:
        functions = {"$ref": "#/$defs/shape_functions"}
        return {
            "type": "object",
            "properties": dict.fromkeys(["bending", *FIELDS], functions),
            "additionalProperties": False,
        }


def functions_schema() -> dict[str, Any]:
    """The schema of one entry of `shapes`."""
    count = {"type": "integer", "minimum": 0, "maximum": MOST}
    fraction = {"type": "number", "minimum": 0, "maximum": 1}
    more = {
        "count": count,
        "elements": {"type": "integer", "minimum": 1},
        "interfaces": {"type": "array", "items": fraction, "minItems": 1},
        "attachments": {"type": "boolean"},
    }
    detailed = {"type": "object", "properties": more, "required": ["count"],
                "additionalProperties": False}  # fmt: skip
    family = {
        "type": "object",
        "properties": {f: {"anyOf": [count, detailed]} for f in FAMILIES},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"description": "a count, or a family and a count", "anyOf": [count, family]}


def _functions(field: str, value: Any) -> Functions:
    try:
        if isinstance(value, Functions):
            return value
        if not isinstance(value, Mapping):
            return Functions(value)
        if len(value) != 1:
            raise InputError(f"{shown(value)} of {len(value)} is not one family",
                             "write {clamped-free: 3}")  # fmt: skip
        ((family, inside),) = value.items()
        if not isinstance(family, str) or family not in FAMILIES:
            raise InputError(f"unknown family '{family}'", did_you_mean(str(family), FAMILIES))
        if not isinstance(inside, Mapping):
            return Functions(inside, family)
        check_keys(inside, _KEYS if family in COMPONENT else _KEYS[:1], ("count",), family)
        return Functions(family=family, **inside)
    except InputError as error:
        raise InputError(f"{field}: {error.what}", error.cure) from None


def _plain(f: Functions) -> Any:
    default = Functions(f.count, f.family)
    if f == default:
        return {f.family: f.count} if f.family else f.count
    more = {key: getattr(f, key) for key in _KEYS if getattr(f, key) != getattr(default, key)}
    if "interfaces" in more:
        more["interfaces"] = list(more["interfaces"])
    return {f.family: {"count": f.count, **more}}
