"""Everything there is to say of one element: what it is, its law, where it is used."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import PliantError
from pliant.model.files.document import value_at
from pliant.model.files.editing.mentions import mentions
from pliant.model.files.editing.references import uses
from pliant.model.files.names import name_of
from pliant.model.formulas import Formula
from pliant.model.model import SECTIONS, Model
from pliant.studio.views.graphs.network import network_data
from pliant.studio.views.text.checked import Checked, fault_data
from pliant.studio.views.text.names import SINGLE, path_of

Path = tuple[str, ...]
_WORDS = {
    "parameters": "a named number, which formulas may read",
    "formulas": "a formula that others read by its name, and an observable",
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
    entry = value_at(found.data, path)
    element = element_of(found.model, path) if found.model else None
    words = _words(path, element)
    graph = _in_graph(found, path)
    return {
        "name": name, "title": name, "kind": _kind(path, entry, element),
        "sentence": graph.get("sentence") or words, "law": graph.get("law") or _law(element),
        "causality": graph.get("causality", ""),
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
            "usedBy": [], "uses": [], "path": [], "span": None,
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
    return "\n".join(part.strip() for part in parts if " = " in part and ">>>" not in part)


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
