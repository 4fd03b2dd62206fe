"""One field of a form: what it is called and means, how it is typed, what stands there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pliant.errors import InputError
from pliant.model.files.editing.inline import Writer
from pliant.model.files.yaml_text import parse_yaml
from pliant.studio.views.form.schemas import Path, Schema, Schemas, fitting_ones, kind_of
from pliant.studio.views.form.sensible import sensible

Field = dict[str, Any]
NOTHING: Any = object()
_TYPED = ("text", "frame", "joint")
"""Inputs whose words are the value itself; all others are typed as the file has them."""
_PART = {"vector": "number", "frames": "frame"}
"""Inputs of several parts, and that of each."""
_AXES = "xyz"
_MOST_PARTS = 6
_FLOW = Writer()
_FULLY = " with options"
"""Said of a choice with fields of its own, where its name alone is one as well."""
_DEPTH = 8
"""Levels of mappings within mappings that a form goes into."""


class Fields:
    """Makes fields of the schemas of places, and of what the file says there."""

    def __init__(self, schemas: Schemas) -> None:
        self.schemas = schemas

    def of(self, one: Schema, value: Any, path: Path, base: Path, *, required: bool = False
           ) -> Field:  # fmt: skip
        """The field at a path of the element at ``base``; ``NOTHING`` is a value not given."""
        given = value is not NOTHING
        options = self.schemas.each([one])
        fits = fitting_ones(options, value) if given else options
        chosen = next((o for o in fits if not given or _holds(o, value)), fits[0] if fits else {})
        kind = self._input(options, chosen, value)
        label = path[-1] if len(path) > len(base) else "value"
        return {
            "name": ".".join(path[len(base):]) or "value", "label": label.replace("_", " "),
            "about": one.get("description", ""), "unit": _unit(one, chosen), "input": kind,
            "value": _said(value, kind) if given else "", "given": given,
            "default": _said(one["default"], kind) if "default" in one else "",
            "required": required, "path": list(path), "typed": kind not in _TYPED,
            **self._choices(options, chosen, value, kind, path),
            **self._inside(options, chosen, value, kind, path, base),
        }  # fmt: skip

    def properties(self, one: Schema, value: Any, path: Path, base: Path) -> Iterator[Field]:
        """Fields of a mapping: those it may have, and others that it has."""
        held = value if isinstance(value, Mapping) else {}
        needed = one.get("required", ())
        for key in one.get("properties", {}):
            inner = self.schemas.inner(one, key)
            if inner is not None and "const" not in inner:
                yield self.of(inner, held.get(key, NOTHING), (*path, key), base,
                              required=key in needed)  # fmt: skip
        for key in held:
            if key not in one.get("properties", {}):
                inner = self.schemas.inner(one, str(key)) or {}
                yield self.of(inner, held[key], (*path, str(key)), base)

    def _input(self, options: list[Schema], chosen: Schema, value: Any) -> str:
        several = len(options) > 1 or _keys(chosen)
        if [*map(_plain_input, options)] == ["text", "names"]:
            return "names"
        if several and isinstance(value, Mapping) and _is_object(chosen):
            return "variant"
        if several and value is NOTHING and all(_is_object(o) for o in options):
            return "variant"
        if several and any("enum" in o for o in options):
            return "choice"
        return _plain_input(chosen) if not _is_object(chosen) or not several else "value"

    def _choices(self, options: list[Schema], chosen: Schema, value: Any, kind: str, path: Path
                 ) -> Field:  # fmt: skip
        found = [*self._options(options, path[-1] if path else "")]
        if len(found) < 2 and kind != "choice":
            return {}
        free = any(not _is_object(o) and "enum" not in o for o in options)
        key = _chosen_key(chosen, value)
        if isinstance(value, Mapping) and key in _words(options):
            key += _FULLY
        return {"choices": found, "free": free, **({"chosen": key} if key else {})}

    def _options(self, options: Sequence[Schema], key: str) -> Iterator[Field]:
        """Everything that can be chosen, with the text that is then written. What is a word of its
        own and the key of further fields can be chosen as either."""
        words = _words(options)
        for option in options:
            for word in _distinct(option.get("enum", ())):
                yield {"value": str(word), "text": _FLOW.flow(word)}
            if option.get("type") == "boolean" or not _is_object(option):
                continue
            for name in _keys(option) or [kind_of(option)]:
                if name:
                    value = name + _FULLY if name in words else name
                    yield {"value": value, "text": _FLOW.flow(self._begun(option, name))}

    def _begun(self, option: Schema, name: str) -> Any:
        if not _keys(option):
            return sensible(self.schemas, option)
        inner = self.schemas.inner(option, name)
        return {name: sensible(self.schemas, inner, name) if inner is not None else {}}

    def _inside(self, options: list[Schema], chosen: Schema, value: Any, kind: str, path: Path,
                base: Path) -> Field:  # fmt: skip
        """Fields within the field."""
        if kind in ("vector", "frames"):
            return {"parts": [*self._parts(chosen, value, path, _PART[kind])]}
        if len(path) - len(base) > _DEPTH:
            return {}
        if kind == "table":
            inner = [self.of(self.schemas.resolved(chosen["additionalProperties"]), v,
                             (*path, str(k)), base)
                     for k, v in (value.items() if isinstance(value, Mapping) else ())]  # fmt: skip
            return {"fields": inner, "open": True}
        if kind == "nested" or (kind == "variant" and value is not NOTHING):
            key = _chosen_key(chosen, value)
            if kind == "nested" or not _keys(chosen):
                return {"fields": [*self.properties(chosen, value, path, base)]}
            return {"fields": [*self._content(chosen, key, value, path, base)]} if key else {}
        return {}

    def _content(self, chosen: Schema, key: str, value: Any, path: Path, base: Path
                 ) -> Iterator[Field]:  # fmt: skip
        """What stands under the key that was chosen: its fields, or the one value it has."""
        inner = self.schemas.inner(chosen, key) or {}
        options = fitting_ones(self.schemas.each([inner]), value[key])
        if len(options) == 1 and _is_object(options[0]) and isinstance(value[key], Mapping):
            yield from self.properties(options[0], value[key], (*path, key), base)
        else:
            yield self.of(inner, value[key], (*path, key), base)

    def _parts(self, chosen: Schema, value: Any, path: Path, kind: str) -> Iterator[Field]:
        units = chosen.get("units") or [chosen.get("items", {}).get("unit", "")]
        for k in range(chosen["minItems"]):
            held = isinstance(value, list) and k < len(value)
            yield {
                "label": _AXES[k] if chosen["minItems"] == 3 else str(k + 1), "input": kind,
                "typed": kind not in _TYPED,
                "path": [*path, str(k)], "value": _said(value[k], kind) if held else "",
                "unit": units[k] if k < len(units) else units[0],
            }  # fmt: skip


def _plain_input(one: Schema) -> str:
    """How a value is typed for which there is one schema."""
    reference, kind = str(one.get("reference", "")), one.get("type", "")
    if "enum" in one:
        return "choice"
    if reference in ("number", "entries") or kind in ("number", "integer"):
        return "number"
    if reference in ("frame_reference", "joint_reference"):
        return reference.removesuffix("_reference")
    if kind == "boolean":
        return "flag"
    if kind == "string":
        return "text"
    if kind == "array":
        return _list_input(one)
    if kind == "object":
        is_table = isinstance(one.get("additionalProperties"), Mapping)
        return "table" if is_table and not one.get("properties") else "nested"
    return "value"


def _list_input(one: Schema) -> str:
    item, count = one.get("items", {}), one.get("minItems")
    numbers = item.get("$ref") == "#/$defs/number" or item.get("type") == "number"
    if numbers and count is not None and count == one.get("maxItems") and count <= _MOST_PARTS:
        return "vector"
    if item.get("$ref") == "#/$defs/frame_reference" and count == one.get("maxItems"):
        return "frames"
    words = item.get("type") == "string" or "enum" in item or ("$ref" in item and not numbers)
    return "names" if words and "properties" not in item else "value"


def _keys(one: Schema) -> list[str]:
    """Keys of which a mapping has exactly one: the kinds of what it holds."""
    properties = [*one.get("properties", {})]
    if one.get("maxProperties") == 1 and not one.get("required"):
        return properties
    return properties if len(properties) == 1 and _is_object(one) else []


def _chosen_key(chosen: Schema, value: Any) -> str:
    if not isinstance(value, Mapping):
        return "" if value is NOTHING or isinstance(value, list) else str(value)
    keys = _keys(chosen)
    return next((str(key) for key in value if key in keys), "" if keys else kind_of(chosen))


def _is_object(one: Schema) -> bool:
    return bool(one.get("type") == "object")


def _holds(one: Schema, value: Any) -> bool:
    """Whether a schema is one for values of this type."""
    kind = one.get("type", "")
    if isinstance(value, Mapping):
        return bool(kind == "object")
    if isinstance(value, list):
        return bool(kind == "array") or one.get("reference") in ("entries", "names")
    if "enum" in one:
        return value in one["enum"]
    if isinstance(value, bool):
        return bool(kind == "boolean")
    return bool(kind not in ("object", "array", "boolean", "null"))


def _unit(one: Schema, chosen: Schema) -> str:
    unit = chosen.get("unit") or one.get("unit") or chosen.get("items", {}).get("unit", "")
    return " or ".join(str(unit).split(" | "))


def _said(value: Any, kind: str) -> str:
    """A value as it is shown and typed."""
    if kind in _TYPED and isinstance(value, str):
        return value
    if isinstance(value, str) and _FLOW.text(value) != value and kind == "number":
        return value if _is_plain(value) else _FLOW.text(value)
    try:
        return _FLOW.flow(value)
    except InputError:  # a number that is none
        return str(value)


def _is_plain(text: str) -> bool:
    """Whether a text stands for itself where nothing else is in the line: `max(a, 1)`."""
    try:
        return bool(parse_yaml(f"v: {text}").data == {"v": text})
    except InputError:
        return False


def _words(options: Iterable[Schema]) -> set[str]:
    """Choices that are a word."""
    return {str(word) for option in options for word in option.get("enum", ())}


def _distinct(words: Iterable[Any]) -> list[Any]:
    seen: dict[str, Any] = {}
    for word in words:
        seen.setdefault(str(word), word)
    return [*seen.values()]
