"""What may stand where the cursor is: keys and words of the schema, names of the model, units,
functions of formulas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from pliant.model.files import SCHEMA
from pliant.model.files.names import OWNERS
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.numbers.units import known_units
from pliant.studio.views.text.place import Place, entry_at, last_word, place_at

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
    after = _AFTER_NUMBER.search(text[max(0, offset - 80) : offset])
    schemas = list(_schemas(place.path, data))
    if after and any(_takes_number(s) for s in schemas):
        options = [_option(unit, "unit", about) for unit, about in known_units().items()]
        return {"from": offset - len(after[1]), "options": options}
    _, start = last_word(place, text)
    return {"from": start, "options": list(_values(schemas, place, data))}


@cache
def _schema() -> Any:
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def _keys(place: Place, data: Any, format: str) -> Iterator[Option]:
    given = entry_at(data, place.path)
    there = set(given) if isinstance(given, Mapping) else set()
    seen = set()
    for schema in _schemas(place.path, data):
        for key, inner in schema.get("properties", {}).items():
            if key in seen or (key in there and key != place.word):
                continue
            seen.add(key)
            apply = f'"{key}": ' if format == "json" else f"{key}: "
            yield {**_option(key, "property", inner.get("description", "")), "apply": apply}


def _values(schemas: Iterable[Any], place: Place, data: Any) -> Iterator[Option]:
    seen: set[str] = set()
    for schema in schemas:
        for option in _of(schema, place, data):
            if option["label"] not in seen:
                seen.add(option["label"])
                yield option


def _of(schema: Any, place: Place, data: Any) -> Iterator[Option]:
    for word in schema.get("enum", ()):
        yield _option(str(word), "enum", schema.get("description", ""))
    if schema.get("type") == "boolean":
        yield from (_option(word, "enum", "") for word in ("true", "false"))
    names = schema.get("reference")
    if names == "frame_reference":
        yield from _frames(data)
    elif names == "joint_reference":
        yield from (_option(name, "joint", "") for name in _named(data, "joints"))
    elif place.path[-1:] == ("material",):
        yield from (_option(name, "material", "") for name in _named(data, "materials"))
    elif place.path[:1] == ("networks",) and place.path[-1] in ("on", "from", "to", "ports"):
        inside = entry_at(data, (*place.path[:2], "elements"))
        yield from (_option(name, "element", "") for name in inside or ())
    elif _takes_number(schema):
        yield from _formula_names(data)


def _formula_names(data: Any) -> Iterator[Option]:
    for name, value in _named(data, "parameters").items():
        yield _option(name, "parameter", str(value))
    yield _option("t", "variable", "time")
    for name in FUNCTIONS:
        yield {**_option(name, "function", FUNCTIONS[name].usage), "apply": f"{name}("}
    for section in OWNERS:
        yield from (_option(name, section, "") for name in _named(data, section))


def _frames(data: Any) -> Iterator[Option]:
    yield _option("ground", "body", "the world")
    for frame in entry_at(data, ("ground", "frames")) or ():
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


def _schemas(path: tuple[str, ...], data: Any) -> Iterator[Any]:
    """Schemas of what may stand at a path; of alternatives those that what is there belongs to."""
    level = [_resolved(_schema())]
    for depth, key in enumerate(path):
        below = []
        for schema in _alternatives(level, entry_at(data, path[:depth])):
            inner = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if inner is None and key.isdigit():
                inner = schema.get("items")
            if isinstance(inner, Mapping):
                below.append(_resolved(inner))
        level = below
    yield from _alternatives(level, entry_at(data, path))


def _alternatives(schemas: Iterable[Any], data: Any) -> list[Any]:
    """All alternatives; if some know every key that is there, only those."""
    found = [option for schema in schemas for option in _each(schema)]
    keys = set(data) if isinstance(data, Mapping) else set()
    fitting = [s for s in found if keys and keys <= set(s.get("properties", {}))]
    return fitting or found


def _each(schema: Any) -> Iterator[Any]:
    inner = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if not inner or "properties" in schema or "reference" in schema:
        yield schema
    for one in inner:
        yield from _each(_resolved(one))


def _resolved(schema: Any) -> Any:
    """With what it refers to, and the name of that."""
    reference = schema.get("$ref", "")
    if not reference:
        return schema
    name = reference.rpartition("/")[2]
    return {**_resolved(_schema()["$defs"][name]), **schema, "reference": name}
