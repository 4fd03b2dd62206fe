"""Elements copied: beside the originals, to the clipboard, and from there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.errors import InputError
from pliant.model.files.document import Path
from pliant.model.files.editing.copies import SHARED, copied, needed, within
from pliant.model.files.editing.inline import Writer
from pliant.model.files.names import KEYS, name_of
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.naming import free_name, listed, require_element
from pliant.studio.operations.registry import operation

NETWORK = "network"
"""The key of a clip under which a part of a network stands."""


@operation("element.duplicate")
def duplicate(draft: Draft, names: list[str]) -> None:
    """Copy elements under new names. Where they speak of each other the copies do, too."""
    paths = chosen(draft, names)
    new: dict[Path, str] = {}
    for path in paths:
        new[path] = free_name(draft, path, path[-1], but={*new.values()})
    behind = {path[:-1]: path[-1] for path in paths}
    places = draft.model.view.places
    for path, value in copied(draft.data, draft.model, new).items():
        draft.insert(path[:-1], new[path], value, behind[path[:-1]])
        behind[path[:-1]] = new[path]
        place = places.get(path[1], {}).get(path[-1]) if path[2:3] == ("elements",) else None
        if place is not None:  # the copy is drawn beside the original
            draft.put(("view", "places", path[1], new[path]), [x + 1 for x in place])
    made = [name_of((*path[:-1], name)) for path, name in new.items()]
    draft.label = f"duplicate {listed([name_of(path) for path in paths], 4)}"
    draft.selection = tuple(made)


def chosen(draft: Draft, names: Iterable[str]) -> list[Path]:
    """Where elements stand, in the order of the file: not again what is in one of them, but bonds
    between elements of a network that are both among them."""
    found = list(dict.fromkeys(require_element(draft, name) for name in names))
    if not found:
        raise InputError("nothing is chosen to be copied", "choose elements")
    outer = [p for p in found if not within(p[:-1], found)]
    inside = {p for p in outer if p[2:3] == ("elements",)}
    for graph in dict.fromkeys(p[:2] for p in inside):
        for bond, entry in draft.entries(*graph, "bonds").items():
            ends = [entry.get(key) for key in ("from", "to")] if isinstance(entry, dict) else [None]
            joined = all((*graph, "elements", str(e).partition(".")[0]) in inside for e in ends)
            if joined and (*graph, "bonds", bond) not in outer:
                outer.append((*graph, "bonds", bond))
    return sorted(outer, key=lambda p: KEYS.index(p[0]))


def clip(draft: Draft, names: Iterable[str]) -> str:
    """Elements as a text for the clipboard, with what they read that is no element."""
    paths = chosen(draft, names)
    graphs = list(dict.fromkeys(p[:2] for p in paths if len(p) > 2 and p[0] != "ground"))
    if any(graph[0] == "bodies" for graph in graphs):
        raise InputError("a frame is copied with its body", "choose the body")
    if len(graphs) > 1:
        raise InputError(f"the elements are of {len(graphs)} networks", "copy from one at a time")
    data: dict[str, Any] = {}
    for path in [*needed(draft.data, draft.model, paths), *paths]:
        if path[0] in ("networks", "subgraphs") and len(path) > 2:
            piece = data.setdefault(NETWORK, _domain(draft, path[:2]))
            piece.setdefault(path[2], {})[path[3]] = draft.at(*path)
        elif path[0] == "ground":
            data.setdefault("ground", {}).setdefault("frames", {})[path[-1]] = draft.at(*path)
        else:
            data.setdefault(path[0], {})[path[1]] = draft.at(*path)
    ordered = {key: data[key] for key in (*KEYS, NETWORK) if key in data}
    write = Writer()
    return "".join(f"{key}:\n{write.block(inner, 2)}\n" for key, inner in ordered.items())


def _domain(draft: Draft, graph: Path) -> dict[str, Any]:
    found = draft.at(*graph, "domain")
    return {"domain": found} if isinstance(found, str) else {}


def is_shared(path: Path) -> bool:
    """Whether something is read by others and need not be copied with them."""
    return path[0] in (*SHARED, "ground")
