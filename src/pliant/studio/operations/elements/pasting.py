"""Elements from a text of the clipboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.files.document import Path
from pliant.model.files.editing.copies import copied
from pliant.model.files.names import KEYS, name_of
from pliant.model.files.reading import read
from pliant.model.files.text import dump_json, parsed
from pliant.model.files.yaml_text import parse_yaml
from pliant.model.frozen import did_you_mean
from pliant.model.validation.references import LEGAL
from pliant.studio.operations.draft import NOTHING, Draft, Question
from pliant.studio.operations.elements.copying import NETWORK, is_shared
from pliant.studio.operations.elements.kinds import sections
from pliant.studio.operations.elements.naming import free_name, listed
from pliant.studio.operations.registry import operation

_LARGEST = 2_000_000
_LEFT = ("pliant", "name", "description", "gravity", "simulate", "view")
"""What a whole file has that is not pasted."""
_GRAPHS = ("networks", "subgraphs")
_CURE = "copy elements of a model first"


@operation("element.paste")
def paste(draft: Draft, text: str, network: str = "") -> None:
    """Paste copied elements, under new names where theirs are taken."""
    data = _into(draft, _clipped(text), network)
    found = [*_paths(data)]
    alone = all(is_shared(path) for path in found)
    reading = read(parsed(dump_json(data), "json"))
    new: dict[Path, str] = {}
    for path in found:
        if alone or not is_shared(path) or draft.at(*path) != _at(data, path):
            new[path] = free_name(draft, path, path[-1], but=_taken(draft, path, new))
    if not new:
        raise InputError("there is nothing to paste", _CURE)
    for path, value in copied(data, reading.model, new).items():
        if path[0] in _GRAPHS and path[2:3] == ("elements",):
            value = _bonded(draft, path, value, {*new.values()})
        draft.insert(path[:-1], new[path], value)
    own = [path for path in new if alone or not is_shared(path)]
    made = [name_of((*path[:-1], new[path])) for path in own]
    draft.label = f"paste {listed(made, 4)}"
    draft.selection = tuple(made)


def _clipped(text: str) -> dict[str, Any]:
    """The sections of a text; raises InputError if it holds no elements."""
    if len(text) > _LARGEST:
        raise InputError(f"the clipboard holds {len(text)} characters", _CURE)
    try:
        data = parse_yaml(text).data
    except FileError:
        raise InputError("the clipboard holds no elements of a model", _CURE) from None
    known = (*sections(), *_GRAPHS, "ground", NETWORK)
    if not isinstance(data, dict) or not any(key in known for key in data):
        raise InputError("the clipboard holds no elements of a model", _CURE)
    for key, inner in data.items():
        if key not in known and key not in _LEFT:
            raise InputError(f"the clipboard holds '{key[:40]}', which is no section of a model",
                             did_you_mean(key, known) or _CURE)  # fmt: skip
        if key in known and not isinstance(inner, dict):
            raise InputError(f"the clipboard: {key} holds no elements", _CURE)
    return {key: inner for key, inner in data.items() if key in known}


def _into(draft: Draft, data: dict[str, Any], network: str) -> dict[str, Any]:
    """Sections of a file; a part of a network stands in the network it is pasted into."""
    piece = data.pop(NETWORK, None)
    out = {key: data[key] for key in KEYS if key in data}
    if not piece:
        return out
    graph = _target(draft, network, piece)
    if not draft.has(*graph):
        return {**out, graph[0]: {**out.get(graph[0], {}), graph[1]: piece}}
    inside = {k: v for k, v in piece.items() if k != "domain" and isinstance(v, dict)}
    return {**out, graph[0]: {**out.get(graph[0], {}), graph[1]: inside, _PIECE: graph[1]}}


_PIECE = ""
"""The key under which it is noted which network of a clip is only a part of one."""


def _target(draft: Draft, network: str, piece: dict[str, Any]) -> Path:
    known = [*draft.entries("networks")]
    if network:
        own = network.removeprefix("subgraphs.")
        for section in _GRAPHS if own == network else ("subgraphs",):
            if draft.has(section, own):
                return section, own
        raise InputError(f"there is no network '{network[:40]}'", did_you_mean(network, known))
    if len(known) > 1:
        raise Question("into which network?", [(name, {"network": name}) for name in known],
                       tuple(known))  # fmt: skip
    new = str(piece.get("domain") or "network")
    name = new if LEGAL.fullmatch(new) else "network"
    return "networks", known[0] if known else free_name(draft, ("networks", ""), name)


def _paths(data: dict[str, Any]) -> Iterator[Path]:
    """Where the entries of a clip stand; what is shared first."""
    yield from sorted(_all_paths(data), key=lambda path: not is_shared(path))


def _all_paths(data: dict[str, Any]) -> Iterator[Path]:
    for section, entries in data.items():
        if section == "ground":
            frames = entries.get("frames")
            yield from (
                ("ground", "frames", n) for n in (frames if isinstance(frames, dict) else ())
            )
            continue
        part = entries.pop(_PIECE, None)
        for name, entry in entries.items():
            if name != part:
                yield section, name
                continue
            for key, inner in entry.items():
                yield from ((section, name, key, own) for own in inner)


def _taken(draft: Draft, path: Path, new: dict[Path, str]) -> set[str]:
    """Names that are free in their place, and yet would mean something else."""
    out = {name for other, name in new.items() if other[0] == path[0] or len(other) == len(path)}
    if len(path) == 4:
        for key in ("elements", "bonds", "parameters"):
            out |= {*draft.entries(*path[:2], key)} if key != path[2] else set()
    return out


def _bonded(draft: Draft, path: Path, entry: Any, new: set[str]) -> Any:
    """An element without bonds to what is not there."""
    if not isinstance(entry, dict):
        return entry
    known = {*draft.entries(*path[:2], "elements"), *new}

    def is_there(end: Any) -> bool:
        return isinstance(end, str) and end.partition(".")[0] in known

    out = {}
    for key, value in entry.items():
        if key in ("on", "from", "to"):
            ends = [end for end in (value if isinstance(value, list) else [value]) if is_there(end)]
            if ends:
                out[key] = ends if isinstance(value, list) else ends[0]
        elif key == "ports" and isinstance(value, dict):
            out[key] = {port: end for port, end in value.items() if is_there(end)}
        else:
            out[key] = value
    return out


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data.get(key, NOTHING) if isinstance(data, dict) else NOTHING
    return data
