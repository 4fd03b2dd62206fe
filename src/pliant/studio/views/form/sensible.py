"""A value that may stand somewhere and is easy to see through, as a start for one's own."""

from __future__ import annotations

from typing import Any

from pliant.studio.views.form.schemas import Schema, Schemas

_SIZES = {"radius": "10 mm", "outer": "10 mm", "inner": "8 mm", "width": "10 mm",
          "height": "20 mm", "web": "2 mm", "flange": "2 mm"}  # fmt: skip
"""Sizes of slender things, by their names."""
_NAMED = {"modal": 0.01, "alpha": "0.1 1/s", "beta": "1e-5 s", "at": 0.5, "elements": 8,
          "segments": 8, "z": [0, 0, 1], "x": [1, 0, 0], "angle": "30 deg"}  # fmt: skip
"""What is usual of other things."""
_USUAL = {"Pa": "210 GPa", "kg/m^3": "7850 kg/m^3", "m^2": "100 mm^2", "m^4": "1000 mm^4"}
"""Numbers of steel, and of sections; otherwise it is one of the unit."""


def number(unit: str, key: str = "") -> Any:
    """A number of a unit; of alternatives the first."""
    unit = unit.partition(" | ")[0]
    if not unit:
        return 1
    return _SIZES.get(key) if unit == "m" and key in _SIZES else _USUAL.get(unit, f"1 {unit}")


def sensible(schemas: Schemas, one: Schema, key: str = "") -> Any:
    """A value for a schema; None if anything would be as good."""
    if "default" in one:
        return one["default"]
    if key in _NAMED and one.get("type") != "object":
        return _NAMED[key]
    if one.get("reference") in ("number", "entries"):
        return number(one.get("unit", ""), key)
    if "enum" in one:
        return one["enum"][0]
    options = schemas.each([one])
    if len(options) > 1:
        return sensible(schemas, options[0], key)
    one = options[0] if options else one
    return _BY_TYPE.get(one.get("type", ""), _anything)(schemas, one, key)


def _anything(_: Schemas, one: Schema, __: str) -> Any:
    return sensible(_, one) if "enum" in one else None


def _whole(_: Schemas, one: Schema, __: str) -> int:
    return int(max(one.get("minimum", 1), 1))


def _list(schemas: Schemas, one: Schema, key: str) -> list[Any]:
    item = schemas.resolved(one.get("items", {}))
    if item.get("type") == "integer":
        return [*range(one.get("minItems", 0))]
    return [sensible(schemas, item, key) for _ in range(one.get("minItems", 0))]


def _mapping(schemas: Schemas, one: Schema, _: str) -> dict[str, Any]:
    needed = one.get("required", ())
    if not needed and one.get("minProperties"):
        needed = [*one.get("properties", {})][:1]
    found = {}
    for key in needed:
        inner = schemas.inner(one, key)
        found[key] = sensible(schemas, inner, key) if inner is not None else None
    return found


_BY_TYPE: dict[str, Any] = {
    "object": _mapping, "array": _list, "integer": _whole, "number": _whole,
    "boolean": lambda *_: True, "string": lambda *_: "",
}  # fmt: skip
