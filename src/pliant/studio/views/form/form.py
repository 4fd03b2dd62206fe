"""The form of an element: groups of fields with what the file says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.model.files.document import value_at
from pliant.model.files.names import name_of
from pliant.model.numbers.literals import formulas
from pliant.studio.views.form.fields import NOTHING, Field, Fields
from pliant.studio.views.form.knowing import Knowing
from pliant.studio.views.form.schemas import Path, Schema, Schemas, fitting_ones, kind_of
from pliant.studio.views.text.checked import Checked, fault_data
from pliant.studio.views.text.names import SINGLE, path_of
from pliant.studio.views.text.outline import number_data

_OWN_KINDS = ("bodies", "joints", "forces", "drivers", "constraints", "sensors", "elements")
"""Where elements are of kinds that ``element.kind`` changes."""
_OTHERS = ("elements", "bonds", "ports")
"""Of networks: what is drawn, and has forms of its own."""
_ALIASES = {"frame": "at", "parent": "between", "child": "between", "frame_a": "between",
            "frame_b": "between"}  # fmt: skip
"""Fields of elements that files say by other keys."""


def form_data(found: Checked, name: str) -> dict[str, Any]:
    """For the inspector; a name that is not there has a form without fields."""
    path = path_of(found.data, name) or ((name,) if name in SINGLE else None)
    empty: dict[str, Any] = {"name": name, "path": [], "groups": [], "faults": []}
    if path is None or found.document is None or name == "view":
        return empty
    form = _Form(found, path)
    groups = [group for group in form.groups() if group["fields"]]
    fields = [*_every(f for group in groups for f in group["fields"])]
    return {**empty, "path": list(path), "groups": groups, "faults": form.place_faults(fields)}


def _every(fields: Any) -> Iterator[Field]:
    """Fields, the fields inside of them, and those that can be given in their place."""
    for field in fields:
        yield field
        yield from _every(field.get("fields", ()))
        yield from _every(field.get("others", ()))


class _Form:
    def __init__(self, found: Checked, path: Path) -> None:
        self.found, self.path = found, path
        self.entry = value_at(found.data, path)
        self.schemas = Schemas()
        self.fields = Fields(self.schemas)
        self.knowing = Knowing(found.data, found.model, path)
        self.literals = {p: f.text for p, f in formulas(found.model).items()} if found.model else {}

    def groups(self) -> Iterator[dict[str, Any]]:
        """What the kind says, then what stands beside it."""
        above = self.schemas.at(self.path[:-1], self.found.data)
        entries = [self.schemas.inner(one, self.path[-1]) for one in above]
        options = self.schemas.each([one for one in entries if one is not None])
        if not options:
            return
        fits = fitting_ones(options, self.entry)
        own = next((o for o in fits if o.get("type") == "object"), None)
        if own is None or not isinstance(self.entry, Mapping | None):
            whole = next(one for one in entries if one is not None)
            own_field = self.fields.of(whole, self.value(), self.path, self.path)
            yield self._group("", [own_field])
            return
        yield from self._kinds(options, own)

    def value(self) -> Any:
        """What stands there."""
        return NOTHING if self.entry is None else self.entry

    def _kinds(self, options: list[Schema], own: Schema) -> Iterator[dict[str, Any]]:
        held = self.entry or {}
        section = self.path[-2] if len(self.path) > 1 else ""
        kind = kind_of(own) if section in _OWN_KINDS else ""
        if kind and kind in held:
            yield self._group("", [self._kind_field(options, kind)])
        fields = [
            f
            for f in self.fields.properties(own, held, self.path, self.path)
            if f["path"][-1] not in _OTHERS or section not in ("networks", "subgraphs")
        ]
        if kind and kind not in held:
            yield self._group("", [f for f in fields if f["given"]])
            return
        inside = next((f for f in fields if f["name"] == kind), None)
        if inside is None:
            yield self._group("", fields)
            return
        content = self._opened(own, kind, inside)
        yield self._group("", content)
        yield self._group("", [f for f in fields if f is not inside])

    def _opened(self, own: Schema, kind: str, inside: Field) -> list[Field]:
        """Fields under the key of a kind; of one that is written short the value, and others."""
        value, path = self.entry[kind], (*self.path, kind)
        inner = self.schemas.inner(own, kind) or {}
        objects = [
            o
            for o in self.schemas.each([inner])
            if o.get("type") == "object" and o.get("properties")
        ]
        if isinstance(value, Mapping) or value is None:
            shown = fitting_ones(objects, value or {})
            if not shown:
                return []
            return [*self.fields.properties(shown[0], value, path, self.path)]
        if not objects or inner.get("short") not in objects[0]["properties"]:
            return [inside]
        main = self.fields.of(
            self.schemas.inner(objects[0], inner["short"]) or {}, value, path, self.path
        )
        others = [
            f
            for f in self.fields.properties(objects[0], {}, path, self.path)
            if f["path"][-1] != inner["short"]
        ]
        return [main | {"label": str(inner["short"]).replace("_", " "), "required": True}, *others]

    def _kind_field(self, options: list[Schema], kind: str) -> Field:
        kinds = [name for option in options if (name := kind_of(option))]
        return {
            "name": "kind", "label": "kind", "about": "what it is", "unit": "", "input": "choice",
            "value": kind, "given": True, "default": "", "required": True, "typed": True,
            "path": [*self.path, kind], "operation": "element.kind", "faults": [],
            "choices": [{"value": k, "text": k} for k in dict.fromkeys(kinds)], "free": False,
        }  # fmt: skip

    def _group(self, title: str, fields: list[Field]) -> dict[str, Any]:
        for field in _every(fields):
            field.setdefault("faults", [])
            field["span"] = self.found.span(tuple(field["path"])) if field["given"] else None
            self.knowing.add(field, self.fields)
            number = self._slider(field)
            if number is not None:
                field["number"] = number
        return {"title": title, "fields": fields}

    def _slider(self, field: Field) -> Any:
        at = tuple(field["path"])
        value = value_at(self.found.data, at) if field["given"] else None
        number = number_data(value, slider_key(at, self.literals))
        return number if number and number["key"] else None

    def place_faults(self, fields: list[Field]) -> list[Any]:
        """Give each fault of the element to its field; those that remain."""
        assert self.found.document is not None
        rest: list[Any] = []
        name = name_of(self.path)
        for fault in self.found.faults:
            if name_of(fault.path) != name:
                continue
            data = fault_data(self.found, fault)
            at = self.found.document.nearest(fault.path, keyed=False)
            own = _of_path(fields, at) or _of_keys(fields, fault.path[len(self.path) :])
            (own["faults"] if own is not None else rest).append(data)
        return rest


def _of_path(fields: list[Field], at: Path) -> Field | None:
    """The innermost field that a place is in."""
    around = [
        f
        for f in fields
        if f["given"] and tuple(f["path"]) == at[: len(f["path"])] and f["name"] != "kind"
    ]
    return max(around, key=lambda f: len(f["path"]), default=None)


def _of_keys(fields: list[Field], keys: Path) -> Field | None:
    """The field of a key; of one that is not there yet, by its name."""
    for key in reversed(keys):
        for field in fields:
            if field["path"][-1] in (key, _ALIASES.get(key)) and field["name"] != "kind":
                return field
    return None


def slider_key(at: Path, known: Mapping[str, str]) -> str:
    """What ``params`` calls a number of the file: its path without the key of its kind."""
    if at[0] == "parameters":
        return ".".join(at[1:])
    for own in (at, (*at[:2], *at[3:]), (*at[:-1], "values[1]")):
        text = own[0]
        for part in own[1:]:
            text += f"[{int(part) + 1}]" if part.isdigit() else f".{part}"
        if text in known:
            return text
    return ""
