"""What may stand at a place of a model file: the schema of the registries, followed along a path.

The schema is made anew for every question, so that a kind which was registered is in it at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pliant.model.files.document import value_at
from pliant.model.files.schema import schema

Schema = dict[str, Any]
Path = tuple[str, ...]


class Schemas:
    """The schema, with what it refers to put in its place."""

    def __init__(self) -> None:
        self._whole = schema()

    def at(self, path: Path, data: Any) -> list[Schema]:
        """Schemas of what may stand at a path; of alternatives those that what is there belongs
        to."""
        level: list[Schema] = [self.resolved(self._whole)]
        for depth, key in enumerate(path):
            fitting = fitting_ones(self.each(level), value_at(data, path[:depth]))
            level = [inner for one in fitting if (inner := self.inner(one, key)) is not None]
        return fitting_ones(self.each(level), value_at(data, path))

    def inner(self, one: Schema, key: str) -> Schema | None:
        """The schema of an entry of what a schema describes; None: it has none such."""
        found = one.get("properties", {}).get(key, one.get("additionalProperties"))
        if found is None and key.isdigit():
            found = one.get("items")
        return self.resolved(found) if isinstance(found, Mapping) else None

    def each(self, schemas: Iterable[Schema]) -> list[Schema]:
        """All alternatives of schemas."""
        return [option for one in schemas for option in self._each(one)]

    def _each(self, one: Schema) -> Iterator[Schema]:
        options = [*one.get("anyOf", ()), *one.get("oneOf", ())]
        if not options or "properties" in one or one.get("reference") in ("number", "entries"):
            yield one
            return
        said: Schema = {key: one[key] for key in ("short", "unit") if key in one}
        for option in options:
            yield from self._each({**said, **self.resolved(option)})

    def resolved(self, one: Mapping[str, Any]) -> Schema:
        """With what it refers to, and the name of that."""
        reference = one.get("$ref", "")
        if not reference:
            return dict(one)
        name = reference.rpartition("/")[2]
        return {**self.resolved(self._whole["$defs"][name]), **one, "reference": name}


def fitting_ones(options: list[Schema], value: Any) -> list[Schema]:
    """Of alternatives those which know every key that is there, or else those for which nothing is
    missing; all of them if none does."""
    if not isinstance(value, Mapping):
        return options
    keys = set(value)
    known = [o for o in options if keys and keys <= set(o.get("properties", {}))]
    complete = [o for o in known or options if _required(o) and _required(o) <= keys]
    named = [o for o in options if kind_of(o) in keys]
    return complete or known or named or options


def kind_of(option: Schema) -> str:
    """The key by which one of several kinds is told from the others."""
    required = option.get("required", ())
    return str(required[0]) if required else ""


def _required(option: Schema) -> set[str]:
    return set(option.get("required", ()))
