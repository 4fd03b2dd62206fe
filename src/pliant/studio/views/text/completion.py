"""What may stand where the cursor is: keys and words of the schema, names of the model, units,
functions of formulas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pliant.model.files.document import value_at
from pliant.model.files.names import OWNERS
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.numbers.units import known_units
from pliant.studio.views.form.schemas import Schemas
from pliant.studio.views.text.place import Path, Place, last_word, place_at

Option = dict[str, Any]
_AFTER_NUMBER = re.compile(r"[\d.)]\s+([A-Za-z°µ%]*)$")
_LARGEST = 2_000_000
"""Characters of a text above which nothing is offered: it would take too long."""


def completions(text: str, offset: int, format: str, data: Any) -> dict[str, Any]:
    """Options, and where the word that they replace begins; ``data``: what the text says, or said
    when it could last be read."""
    if len(text) > _LARGEST:
        return {"from": offset, "options": []}
    place = place_at(text, offset, format)
    data = data if isinstance(data, Mapping) else {}
    if place.is_comment:
        return {"from": offset, "options": []}
    if not place.is_value:
        return {"from": place.start, "options": list(_keys(place, data, format))}
    schemas = Schemas().at(place.path, data)
    units = _units(schemas, text[max(0, offset - 80) : offset])
    if units is not None:
        word, options = units
        return {"from": offset - len(word), "options": options}
    _, start = last_word(place.word, place.start)
    return {"from": start, "options": list(_values(schemas, place.path, data))}


def field_completions(path: Path, text: str, at: int, data: Any) -> dict[str, Any]:
    """Options for what is typed into a field of a form, which stands at a path of the file."""
    data = data if isinstance(data, Mapping) else {}
    schemas = Schemas().at(path, data)
    before = text[:at]
    units = _units(schemas, before)
    if units is not None:
        word, options = units
        return {"from": at - len(word), "options": options}
    _, start = last_word(before, 0)
    return {"from": start, "options": list(_values(schemas, path, data))}


def _units(schemas: Iterable[Any], before: str) -> tuple[str, list[Option]] | None:
    """What is typed of a unit behind a number, and all units; None: no unit is expected."""
    after = _AFTER_NUMBER.search(before)
    if not after or not any(_takes_number(s) for s in schemas):
        return None
    return after[1], [_option(unit, "unit", about) for unit, about in known_units().items()]


def _keys(place: Place, data: Any, format: str) -> Iterator[Option]:
    given = value_at(data, place.path)
    there = set(given) if isinstance(given, Mapping) else set()
    seen = set()
    for schema in Schemas().at(place.path, data):
        for key, inner in schema.get("properties", {}).items():
            if key in seen or (key in there and key != place.word):
                continue
            seen.add(key)
            apply = f'"{key}": ' if format == "json" else f"{key}: "
            yield {**_option(key, "property", inner.get("description", "")), "apply": apply}


def _values(schemas: Iterable[Any], path: Path, data: Any) -> Iterator[Option]:
    seen: set[str] = set()
    for schema in schemas:
        for option in _of(schema, path, data):
            if option["label"] not in seen:
                seen.add(option["label"])
                yield option


def _of(schema: Any, path: Path, data: Any) -> Iterator[Option]:
    for word in schema.get("enum", ()):
        yield _option(str(word), "enum", schema.get("description", ""))
    if schema.get("type") == "boolean":
        yield from (_option(word, "enum", "") for word in ("true", "false"))
    names = schema.get("reference")
    if names == "frame_reference":
        yield from _frames(data)
    elif names == "joint_reference":
        yield from (_option(name, "joint", "") for name in _named(data, "joints"))
    elif path[-1:] == ("material",):
        yield from (_option(name, "material", "") for name in _named(data, "materials"))
    elif path[:1] == ("networks",) and path[-1] in ("on", "from", "to", "ports"):
        inside = value_at(data, (*path[:2], "elements"))
        yield from (_option(name, "element", "") for name in inside or ())
    elif _takes_number(schema):
        yield from _formula_names(data)


def _formula_names(data: Any) -> Iterator[Option]:
    for name, value in _named(data, "parameters").items():
        yield _option(name, "parameter", str(value))
    for section in ("formulas", "outputs", "signals"):
        for name, value in _named(data, section).items():
            about = value.get("formula", "") if isinstance(value, Mapping) else value
            yield _option(name, section[:-1], str(about))
    yield _option("t", "variable", "time")
    for name in FUNCTIONS:
        yield {**_option(name, "function", FUNCTIONS[name].usage), "apply": f"{name}("}
    for section in OWNERS:
        yield from (_option(name, section, "") for name in _named(data, section))


def _frames(data: Any) -> Iterator[Option]:
    yield _option("ground", "body", "the world")
    for frame in value_at(data, ("ground", "frames")) or ():
        yield _option(f"ground.{frame}", "frame", "")
    for body, entry in _named(data, "bodies").items():
        yield _option(body, "body", "")
        own = set(entry.get("frames") or ()) if isinstance(entry, Mapping) else set()
        if isinstance(entry, Mapping) and "beam" in entry:
            own |= {"root", "tip", "mid"}
        yield from (_option(f"{body}.{frame}", "frame", "") for frame in sorted(own))


def _named(data: Any, section: str) -> Mapping[str, Any]:
    found = data.get(section)
    return found if isinstance(found, Mapping) else {}


def _takes_number(schema: Any) -> bool:
    return schema.get("reference") in ("number", "entries", "vector", "partial_vector")


def _option(label: str, kind: str, about: str) -> Option:
    return {"label": label, "type": kind, "detail": about, "info": "", "apply": label}
