"""Networks and sub-graphs from their mappings in a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import Fault, InputError, ModelError
from pliant.model.files.elements import Entry
from pliant.model.networks.library import KEYS, with_file
from pliant.model.networks.network import Network, Subgraph

_CONTENTS = ("elements", "bonds", "ports")


def network_from(entry: Entry) -> Any:
    """`drive: {domain: electrical, elements: {mesh: {junction: 1}, ...}}`."""
    return _graph(entry, Network, [key for key in KEYS if key != "ports"])


def subgraph_from(entry: Entry) -> Any:
    """`pump: {domain: hydraulic, parameters: {D: null}, elements: {...}, ports: {...}}`."""
    return _graph(entry, Subgraph, list(KEYS))


def _graph(entry: Entry, cls: Any, keys: list[str]) -> Any:
    """The graph; if some of its elements are bad, the graph of the others."""
    given = entry.mapping(entry.value)
    if not given and entry.faults:
        return None
    entry.known(given, keys)
    given = {key: value for key, value in given.items() if value is not None}
    if isinstance(given.get("elements"), Mapping):
        given["elements"] = _with_files(entry, given["elements"])
    try:
        return cls(entry.name, **given)
    except ModelError as error:
        entry.faults.extend(error.faults)
        for fault in error.faults:
            _drop(entry, given, fault)
    return cls(entry.name, **given)


def _drop(entry: Entry, given: dict[str, Any], fault: Fault) -> None:
    """Take what a fault speaks of out of the mapping."""
    key = fault.path[2]
    if key in _CONTENTS and len(fault.path) > 3:
        name = fault.path[3]
        entry.lost.append(name)
        given[key] = {k: v for k, v in given[key].items() if str(k) != name}
    else:
        entry.partial = True
        given.pop(key, None)


def _with_files(entry: Entry, elements: Mapping[str, Any]) -> dict[str, Any]:
    """Elements whose parts name files by their full paths."""
    found = {}
    for name, element in elements.items():
        try:
            found[name] = with_file(element, entry.base)
        except InputError as error:
            path = (entry.section, entry.name, "elements", str(name), "part")
            who = f"element '{entry.name}.{name}'"
            entry.faults.append(Fault(who, f"part: {error.what}", error.cure, path=path))
            entry.lost.append(str(name))
    return found
