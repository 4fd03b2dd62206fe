"""Junctions and formulas that elements speak of, where these go into a sub-graph or come out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pliant.model.files.document import Path
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.networks.bonding import listed
from pliant.studio.operations.networks.drawn import Drawn

_REFERENCES = ("on", "from", "to")
Other = Callable[[str], str]
"""From the name of a junction to another one."""


def repoint(entry: dict[str, Any], change: Other) -> None:
    """Other junctions in the references of an element."""
    for key in _REFERENCES:
        if entry.get(key):
            new = [change(j) for j in listed(entry[key])]
            entry[key] = new if isinstance(entry[key], list) else new[0]
    if isinstance(entry.get("ports"), dict):
        entry["ports"] = {p: change(str(j)) for p, j in entry["ports"].items()}


def repoint_ports(data: dict[str, Any], change: Other) -> None:
    """Other junctions at the ports of a sub-graph."""
    for name, port in (data.get("ports") or {}).items():
        new = change(port_junction(port))
        if new != port_junction(port):
            data["ports"][name] = {**port, "junction": new} if isinstance(port, dict) else new


def port_junction(port: Any) -> str:
    """The junction that a port of a sub-graph stands for, as files say it."""
    return str(port.get("junction")) if isinstance(port, dict) else str(port)


def apply_changes(draft: Draft, drawn: Drawn, changes: dict[Path, str], without: list[str]) -> None:
    """Formulas that read what is elsewhere now: those of the graph in its data, others at once."""
    size = len(drawn.path)
    for path, text in changes.items():
        if path[:size] != drawn.path:
            draft.put(path, text)
            continue
        inner = path[size:]
        if inner[:1] == ("elements",) and inner[1] in without:
            continue
        place: Any = drawn.data
        for key in inner[:-1]:
            place = place[int(key)] if isinstance(place, list) else place[key]
        place[int(inner[-1]) if isinstance(place, list) else inner[-1]] = text
