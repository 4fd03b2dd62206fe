"""One scheme of names for all views, and the places of the file they stand for.

crank    crank.A    O    drive    drive.mesh    parameters.h    materials.steel    simulate
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Path = tuple[str, ...]
PLAIN = ("bodies", "joints", "forces", "drivers", "constraints", "networks")
"""Sections whose elements are known by their names alone."""
PREFIXED = (
    "parameters",
    "materials",
    "signals",
    "speeds",
    "subgraphs",
    "outputs",
    "events",
    "stop",
)
SINGLE = ("gravity", "ground", "simulate", "view")
SECTIONS = ("parameters", "materials", "bodies", "joints", "forces", "drivers", "constraints",
            "networks", "subgraphs", "signals", "speeds", "outputs", "events", "stop")  # fmt: skip
"""In the order in which they are listed."""
NOUNS = {"bodies": "body", "joints": "joint", "forces": "force", "drivers": "driver",
         "constraints": "constraint", "networks": "network"}  # fmt: skip
_INNER = {"bodies": ("frames",), "networks": ("elements", "bonds"),
          "subgraphs": ("elements", "bonds")}  # fmt: skip


def name_of(path: Path) -> str:
    """The name of what a path of the file stands in; empty for the model itself."""
    section, *rest = path or ("",)
    if section in SINGLE:
        if section == "ground" and rest[:1] == ["frames"] and len(rest) > 1:
            return f"ground.{rest[1]}"
        return section
    if not rest or section not in (*PLAIN, *PREFIXED):
        return ""
    name = rest[0] if section in PLAIN else f"{_prefix(section)}.{rest[0]}"
    if len(rest) > 2 and rest[1] in _INNER.get(section, ()):
        return f"{name}.{rest[2]}"
    return name


def path_of(data: Any, name: str) -> Path | None:
    """Where an element stands in the data of a file; None if it does not."""
    if not isinstance(data, Mapping) or not name:
        return None
    first, _, rest = name.partition(".")
    if name in SINGLE:
        return (name,) if name in data else None
    if first == "ground":
        return _inside(data, ("ground", "frames"), rest)
    for section in PREFIXED:
        if first == _prefix(section) and rest:
            return _entry(data, section, rest)
    for section in PLAIN:
        found = _entry(data, section, name)
        if found:
            return found
    return None


def children(section: str, name: str, entry: Any) -> Iterator[tuple[str, Path, Any]]:
    """What an element holds that has a name of its own: name, path, data."""
    if not isinstance(entry, Mapping):
        return
    own = name if section in PLAIN else f"{_prefix(section)}.{name}"
    for key in _INNER.get(section, ()):
        inner = entry.get(key)
        if isinstance(inner, Mapping):
            for child, value in inner.items():
                yield f"{own}.{child}", (section, name, key, child), value


def _prefix(section: str) -> str:
    return "events" if section == "stop" else section


def _entry(data: Mapping[str, Any], section: str, name: str) -> Path | None:
    entries = data.get(section)
    if not isinstance(entries, Mapping):
        return None
    if name in entries:
        return (section, name)
    owner, dot, inner = name.partition(".")
    if not dot or owner not in entries:
        return None
    for key in _INNER.get(section, ()):
        found = _inside(data, (section, owner, key), inner)
        if found:
            return found
    return None


def _inside(data: Any, path: Path, name: str) -> Path | None:
    """The path of an entry within another; of what holds it where the name goes deeper."""
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(data, Mapping):
        return None
    while name:
        if name in data:
            return (*path, name)
        name = name.rpartition(".")[0]
    return None
