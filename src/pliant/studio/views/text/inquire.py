"""Everything there is to say of one element: what it is, its law, its fields, where it is used."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import PliantError
from pliant.model.fields import Kind, Number, Numbers, Optional, kinds_of
from pliant.model.files.editing.mentions import mentions
from pliant.model.files.editing.references import uses
from pliant.model.files.names import name_of
from pliant.model.formulas import Formula
from pliant.model.model import SECTIONS, Model
from pliant.model.numbers.literals import formulas
from pliant.studio.views.graphs.network import network_data
from pliant.studio.views.text.checked import Checked, fault_data
from pliant.studio.views.text.names import SINGLE, path_of
from pliant.studio.views.text.outline import number_data
from pliant.studio.views.text.place import entry_at

Path = tuple[str, ...]
_WORDS = {
    "parameters": "a named number, which formulas may read",
    "outputs": "an observable that is defined by a formula",
    "speeds": "a generalised speed of Kane's equations",
    "frames": "a frame on a body: a place with axes, to which joints and forces are attached",
    "gravity": "the acceleration of gravity in world axes",
    "ground": "the world, which does not move, and its frames",
    "simulate": "how the model is run",
    "view": "where things are drawn; it means nothing to physics",
}


def inquiry(found: Checked, name: str) -> dict[str, Any]:
    """For the inspector and the cards on hover; of a name that is not there, that it is not."""
    path = path_of(found.data, name)
    if path is None:
        return _nothing(name)
    entry = entry_at(found.data, path)
    element = element_of(found.model, path) if found.model else None
    words = _words(path, element)
    graph = _in_graph(found, path)
    fields = list(_fields(found, path, entry, element))
    return {
        "name": name, "title": name, "kind": _kind(path, entry, element),
        "sentence": graph.get("sentence") or words, "law": graph.get("law") or _law(element),
        "causality": graph.get("causality", ""), "fields": fields,
        "usedBy": list(_used_by(found, name)), "uses": list(_uses(found, path, name)),
        "path": list(path), "span": found.span(path),
        "faults": [fault_data(found, f) for f in found.faults if name_of(f.path) == name],
    }  # fmt: skip


def element_of(model: Model, path: Path) -> Any:
    """The element of the model that is read from a place of the file; None if there is none."""
    section, *rest = path
    section = "events" if section == "stop" else section
    if section == "simulate":
        return model.settings
    if section == "ground":
        return model.ground if not rest else model.ground.frames.get(rest[-1])
    if section not in (*SECTIONS, "parameters", "outputs", "speeds") or not rest:
        return None
    found = getattr(model, section).get(rest[0])
    if len(rest) < 3:
        return found
    inner = getattr(found, rest[1], None)
    return inner.get(rest[2]) if isinstance(inner, Mapping) else None


def _nothing(name: str) -> dict[str, Any]:
    return {"name": name, "title": name, "kind": "", "sentence": "", "law": "", "causality": "",
            "fields": [], "usedBy": [], "uses": [], "path": [], "span": None,
            "faults": []}  # fmt: skip


def _kind(path: Path, entry: Any, element: Any) -> str:
    if len(path) > 2:
        return path[2][:-1]
    noun = SECTIONS.get(path[0], path[0].removesuffix("s"))
    kind = getattr(element, "kind", "")
    return f"{noun}, {kind.replace('_', ' ')}" if isinstance(kind, str) and kind else noun


def _words(path: Path, element: Any) -> str:
    """The first sentence of what the class of an element says of itself."""
    if len(path) > 2 and path[2] in _WORDS:
        return _WORDS[path[2]]
    if path[0] in _WORDS:
        return _WORDS[path[0]]
    text = inspect.getdoc(type(element)) if element is not None else ""
    return " ".join((text or "").split("\n\n")[0].split())


def _law(element: Any) -> str:
    """The equations that the class of an element gives for it."""
    if isinstance(element, Formula) or not dataclasses.is_dataclass(element):
        return ""
    parts = (inspect.getdoc(type(element)) or "").split("\n\n")[1:]
    return "\n".join(part.strip() for part in parts if " = " in part)


def _in_graph(found: Checked, path: Path) -> dict[str, Any]:
    """What the drawing of its network says of an element: its law, its causality in words."""
    if path[0] != "networks" or len(path) < 4 or found.model is None:
        return {}
    try:
        data = network_data(found.model, path[1], found.faults)
    except PliantError:
        return {}
    own: dict[str, Any] = next(
        (node for node in data["nodes"] if node["name"] == f"{path[1]}.{path[3]}"), {}
    )
    return {key: own[key] for key in ("sentence", "law", "causality") if own.get(key)}


def _fields(found: Checked, path: Path, entry: Any, element: Any) -> Iterator[dict[str, Any]]:
    """Fields of the element with what the file says of them, then what else the file says."""
    said = dict(_leaves(entry, path))
    known = _literals(found.model) if found.model else {}
    used: set[Path] = set()
    for key, kind, default, about in _declared(element):
        own = [p for p in said if p not in used and _says(p[len(path) :], key)]
        unit = _unit(kind)
        if not own:
            yield {"name": key, "text": _shown(default), "unit": unit, "about": about,
                   "path": [*path, key], "given": False, "span": None}  # fmt: skip
        for p in own:
            used.add(p)
            yield _field(found, p, path, said[p], unit, about, known)
    for p, value in said.items():
        if p not in used:
            yield _field(found, p, path, value, "", "", known)


def _field(found: Checked, at: Path, path: Path, value: Any, unit: str, about: str,
           known: Mapping[str, str]) -> dict[str, Any]:  # fmt: skip
    label = ".".join(at[len(path) :]) or "value"
    number = number_data(value, _key(at, known))
    return {
        "name": label, "text": _shown(value), "unit": unit, "about": about, "path": list(at),
        "given": True, "span": found.span(at),
        **({"number": number} if number and number["key"] else {}),
    }  # fmt: skip


def _declared(element: Any) -> Iterator[tuple[str, Kind, Any, str]]:
    if element is None or not dataclasses.is_dataclass(element):
        return
    kinds = kinds_of(element)
    for f in dataclasses.fields(element):
        if f.name in kinds and f.name not in ("name", "parent", "child", "frame_a", "frame_b"):
            default = None if f.default is dataclasses.MISSING else f.default
            yield f.name, kinds[f.name], default, f.metadata.get("doc", "")


def _says(inside: Path, key: str) -> bool:
    """Whether a place within an element is that of a field: beside or inside its kind."""
    return key in inside[:2] or (key == "frame" and inside[:1] == ("at",))


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Everything that is written: numbers, words, short lists as they are."""
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))
    elif isinstance(value, list) and any(isinstance(v, Mapping | list) for v in value):
        for k, inner in enumerate(value):
            yield from _leaves(inner, (*path, str(k)))
    else:
        yield path, value


def _unit(kind: Any) -> str:
    kind = kind.kind if isinstance(kind, Optional) else kind
    if isinstance(kind, Number):
        return "" if kind.unit == "1" else kind.unit
    return kind.units[0] if isinstance(kind, Numbers) and kind.units[0] != "1" else ""


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_shown, value)) + "]"
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_shown(v)}" for k, v in value.items())
    return str(getattr(value, "text", value))


def _literals(model: Model) -> dict[str, str]:
    return {path: f.text for path, f in formulas(model).items()}


def _key(at: Path, known: Mapping[str, str]) -> str:
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


def _used_by(found: Checked, name: str) -> Iterator[dict[str, Any]]:
    """Where the element is spoken of."""
    if found.document is None or found.model is None or name in SINGLE:
        return
    for use in uses(found.document, found.model, name):
        owner = name_of(use.path)
        if owner != name:
            yield {"name": owner, "path": list(use.path),
                   "span": found.offsets.span_to_page(use.span),
                   "text": ".".join(use.path)}  # fmt: skip


def _uses(found: Checked, path: Path, name: str) -> Iterator[dict[str, Any]]:
    """What the element speaks of."""
    if found.document is None or found.model is None:
        return
    known: set[str] = {name, ""}
    for mention in mentions(found.data, found.model):
        if mention.path[: len(path)] != path:
            continue
        for target in (part for word in mention.words for part in word if part):
            other = name_of(target)
            if other not in known:
                known.add(other)
                yield {"name": other, "path": list(target), "span": found.span(target),
                       "text": ".".join(mention.path[len(path) :])}  # fmt: skip
