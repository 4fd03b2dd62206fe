"""What the file of a model holds, in the order in which views list it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import UnknownName
from pliant.model.files.editing.references import definition
from pliant.model.files.names import OWNERS, name_of

Path = tuple[str, ...]
SINGLE = ("gravity", "ground", "simulate", "view")
SECTIONS = ("parameters", "formulas", "materials", *OWNERS, "subgraphs", "signals", "speeds",
            "outputs", "events", "stop")  # fmt: skip
_INNER = {"bodies": ("frames",), "networks": ("elements", "bonds"),
          "subgraphs": ("elements", "bonds")}  # fmt: skip


def path_of(data: Any, name: str) -> Path | None:
    """Where an element stands in the data of a file, or what it is part of; None if nowhere."""
    if not isinstance(data, Mapping):
        return None
    if name in SINGLE:
        return (name,) if name in data else None
    while name:
        try:
            return definition(data, name)
        except UnknownName:
            name = name.rpartition(".")[0]
    return None


def children(section: str, name: str, entry: Any) -> Iterator[tuple[str, Path, Any]]:
    """What an element holds that has a name of its own: name, path, data."""
    if not isinstance(entry, Mapping):
        return
    for key in _INNER.get(section, ()):
        inner = entry.get(key)
        for child, value in inner.items() if isinstance(inner, Mapping) else ():
            path = (section, name, key, child)
            yield name_of(path), path, value
