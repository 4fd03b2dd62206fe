"""Copies of entries under new names, with references among them kept; and what entries need to be
read elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pliant.model.files.document import Path
from pliant.model.files.editing.mentions import Mention, mentions
from pliant.model.files.editing.references import changed, plain, value_at
from pliant.model.model import Model

SHARED = ("parameters", "materials", "signals", "subgraphs")
"""Sections of what elements read by name and have no copy of their own of."""


def copied(data: Mapping[str, Any], model: Model, names: Mapping[Path, str]) -> dict[Path, Any]:
    """Values of the entries at paths, in which the entries are spoken of by their new names."""
    out = plain(data)
    inside = [m for m in mentions(data, model) if within(m.path, names)]
    for mention in sorted(inside, key=lambda m: (-len(m.path), m.key)):
        for path, new in names.items():
            changed(out, mention, path, new)
    return {path: value_at(out, path) for path in names}


def within(path: Path, entries: Collection[Path]) -> bool:
    """Whether a path is that of one of the entries, or inside of it."""
    return any(path[:size] in entries for size in range(1, len(path) + 1))


def needed(data: Mapping[str, Any], model: Model, paths: Iterable[Path]) -> list[Path]:
    """What entries read that is no element: parameters, materials, sub-graphs, signals, frames of
    the ground, and what those read; also parameters of the network they are in."""
    all_mentions = [*mentions(data, model)]
    found: dict[Path, None] = {}
    waiting = [*paths]
    chosen = [*paths]
    while waiting:
        own = waiting.pop()
        for part in _read_by(all_mentions, own):
            if part not in found and not within(part, chosen):
                found[part] = None
                waiting.append(part)
    return [*found]


def _read_by(all_mentions: Iterable[Mention], own: Path) -> list[Path]:
    parts = [part for m in all_mentions if m.path[: len(own)] == own
             for word in m.words for part in word]  # fmt: skip
    out = [part[:2] for part in parts if part[:1] and part[0] in SHARED]
    out += [part for part in parts if part[:2] == ("ground", "frames")]
    return out + [p for p in parts if p[:1] == ("networks",) and p[2:3] == ("parameters",)]
