"""What bodies of different kinds have in common: their length, their mass, frames along them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.bodies.shapes import SHAPES, ShapeKind
from pliant.model.fields import plain_number
from pliant.model.formulas import Formula, formula
from pliant.model.numbers.parameters import Parameters
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.kinds import ElementKind

_STIFF = {"EA": "84 MN", "EIy": "2800 N*m^2", "EIz": "2800 N*m^2", "GJ": "1800 N*m^2"}
_ROTARY = {"rhoIy": "1e-4 kg*m", "rhoIz": "1e-4 kg*m"}
"""Of a steel bar, 20 mm wide and high."""


def carried(draft: Draft, name: str, old: ElementKind, fields: Mapping[str, Any],
            new: ElementKind) -> dict[str, Any]:  # fmt: skip
    """Fields of a body of another kind that follow from those it has."""
    length, mass = length_of(fields), _mass(draft, name, old, fields)
    if "stiffness" in new.inside:
        if not length or not mass or formula(mass).is_zero:
            return {"length": length} if length else {}
        return {"length": length, "stiffness": _STIFF, "mass_per_length": _written(
            formula(mass) / formula(length), "kg/m"), "rotary": _ROTARY}  # fmt: skip
    found = _properties(old, fields, mass, length)
    if new.kind == "rigid":
        return found
    along = fields.get("along") or fields.get("axis") or "x"
    out = {"mass": mass, "length": length, "size": _size(fields, length)}
    out |= {"axis": along} if length is not None else {}
    out |= {"along": along} if along != "x" else {}
    out = {k: v for k, v in out.items() if k in new.inside and v is not None}
    if new.kind in SHAPES and found.get("com") and "com" not in fields:
        out |= {"com": found["com"]} if found["com"] != _own_com(new, out) else {}
    return out


def _own_com(kind: ElementKind, sizes: Mapping[str, Any]) -> Any:
    """Where the centre of mass of a shape is if nothing is said."""
    try:
        own = SHAPES[kind.kind].properties(**{"mass": 1, **sizes})
    except (InputError, TypeError):
        return None
    return [_short(f) for f in own["com"]] if "com" in own else [0, 0, 0]


def length_of(fields: Mapping[str, Any]) -> Any:
    """How long a body is along x: as it says, as it is drawn, or as far as its frames reach."""
    if fields.get("length") is not None:
        return fields["length"]
    for size in (fields.get("size"), *_drawn(fields.get("shape"))):
        if size is not None:
            return size[0] if isinstance(size, list) and size else size
    frames = fields.get("frames")
    places = frames.values() if isinstance(frames, Mapping) else ()
    along = [p for place in places if _is_along(p := _place(place))]
    if along:
        return along[-1][0]
    com: Any = fields.get("com")
    return _written(formula(com[0]) * 2, "m") if _is_along(com) else None


def _drawn(shape: Any) -> Iterator[Any]:
    for drawing in shape.values() if isinstance(shape, Mapping) else ():
        if isinstance(drawing, Mapping):
            yield from (drawing[key] for key in ("length", "size") if key in drawing)


def _place(frame: Any) -> Any:
    return frame.get("at") if isinstance(frame, Mapping) else frame


def _is_along(place: Any) -> bool:
    """Whether a place is on the x axis, away from the origin."""
    is_place = isinstance(place, list) and len(place) == 3
    return is_place and place[1:] == [0, 0] and place[0] not in (0, "0")


def _size(fields: Mapping[str, Any], length: Any) -> Any:
    return [length, "0.1 m", "0.1 m"] if length is not None and "size" not in fields else None


def _mass(draft: Draft, name: str, kind: ElementKind, fields: Mapping[str, Any]) -> Any:
    """Its mass as it is given, or as it follows from its sizes; None if that cannot be told."""
    if fields.get("mass") is not None:
        return fields["mass"]
    try:
        if kind.kind in SHAPES:
            sizes = {k: v for k, v in fields.items() if k in SHAPES[kind.kind].sizes}
            return _written(SHAPES[kind.kind].properties(**sizes)["mass"], "kg")
        if fields.get("mass_per_length") is not None:
            per = formula(fields["mass_per_length"])
            return _written(per * formula(fields["length"]), "kg")
        return _weighed(draft, name)
    except (InputError, KeyError, TypeError, ArithmeticError):
        return None


def _weighed(draft: Draft, name: str) -> Any:
    """The mass of a beam of one section and material, in numbers."""
    body: Any = draft.model.bodies[name]
    values = Parameters(draft.model.parameters).values
    section, material = body.section, draft.model.materials[body.material]
    if section is None or material.density is None:
        return None
    area = section.sized(lambda key: getattr(section, key).number(values)).values(0.3).A
    mass = float(area) * material.density.number(values) * body.length.number(values)
    return f"{mass:.6g} kg"


def _written(f: Formula, unit: str) -> Any:
    """A formula as people write it: a number with its unit."""
    return f"{f.value:.9g} {unit}" if f.is_constant else plain_number(f)


def _properties(
    old: ElementKind, fields: Mapping[str, Any], mass: Any, length: Any
) -> dict[str, Any]:
    """Mass, centre of mass and inertia of a shape; of a beam those of a rod."""
    if old.kind == "rigid":
        return {}
    shape = old.kind if old.kind in SHAPES else "rod"
    sizes = {k: v for k, v in fields.items() if k in SHAPES[shape].sizes}
    if shape != old.kind:
        sizes = {"mass": mass, "length": length}
    if any(v is None for v in sizes.values()):
        return {"mass": "1 kg"} if mass is None else {"mass": mass}
    try:
        found = SHAPES[shape].properties(**sizes)
    except (InputError, TypeError):
        return {"mass": "1 kg"} if mass is None else {"mass": mass}
    com = fields["com"] if "com" in fields else [_short(f) for f in found.get("com", ())]
    inertia = [_short(f) for f in found.get("inertia", ())]
    out = {"mass": mass if mass is not None else _short(formula(found["mass"])), "com": com,
           "inertia": inertia}  # fmt: skip
    drawn = {} if "shape" in fields or "shape" not in found else {"shape": _drawing(found["shape"])}
    return {k: v for k, v in out.items() if v} | drawn


def _short(f: Formula) -> Any:
    value = plain_number(f)
    return float(f"{value:.9g}") if isinstance(value, float) else value


def _drawing(shape: Any) -> Any:
    return ShapeKind().plain(ShapeKind().convert(shape))


def frames_kept(draft: Draft, name: str, old: ElementKind, new: ElementKind,
                length: Any) -> dict[str, list[Any]]:  # fmt: skip
    """Frames that a beam has of itself, and that something is attached to: another body must say
    where they are."""
    if length is None or "stiffness" not in old.inside or "stiffness" in new.inside:
        return {}
    half = _written(formula(length) / 2, "m")
    places = {"root": [0, 0, 0], "mid": [half, 0, 0], "tip": [length, 0, 0]}
    own = draft.entries("bodies", name, "frames")
    return {frame: place for frame, place in places.items()
            if frame not in own and _is_used(draft, f"{name}.{frame}")}  # fmt: skip


def _is_used(draft: Draft, name: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", draft.text) is not None
