"""What may stand at a path of a file, by the declarations of the fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.model.bodies import Ground
from pliant.model.events import Event
from pliant.model.fields import (
    STATE,
    Kind,
    Number,
    Numbers,
    Optional,
    Table,
    Text,
    kinds_of,
)
from pliant.model.frames import Frame, FramesKind, OrientationKind
from pliant.model.named import NAMED
from pliant.model.nested import NestedFields, OneOf
from pliant.model.settings import Settings
from pliant.studio.operations.elements.kinds import kind_of, sections

Path = tuple[str, ...]
_FORMULAS = {"parameters": Number(""), "speeds": Number("", STATE)}
_WHOLE: dict[str, Kind] = {"name": Text(), "description": Text(), "gravity": Numbers(3, ("m/s^2",))}


def field_at(data: Any, path: Path) -> Kind | None:
    """The kind of value that may stand at a path of a file; None if it is not known."""
    first, *rest = path
    if first in _WHOLE and not rest:
        return _WHOLE[first]
    if first in _WHOLE:
        return _inner(_WHOLE[first], tuple(rest))
    if first in ("simulate", "ground") and rest:
        own = kinds_of(Settings if first == "simulate" else Ground)
        return _inner(own.get(rest[0]), tuple(rest[1:]))
    if first in _FORMULAS and len(rest) == 1:
        return _FORMULAS[first]
    if first not in sections() or len(rest) < 2:
        return _short(data, path)
    entry = (data.get(first) or {}).get(rest[0]) if isinstance(data.get(first), Mapping) else None
    kind = kind_of(first, entry)
    if kind is None:
        return None
    if kind.keyed and rest[1] == kind.kind and kind.inside:
        if len(rest) == 2:
            return kind.inside.get(kind.main)
        return _inner(kind.inside.get(rest[2]), tuple(rest[3:]))
    return _inner(kind.outside.get(rest[1]), tuple(rest[2:]))


def _short(data: Any, path: Path) -> Kind | None:
    """Events and named formulas may be written as their formula alone."""
    if path[0] in ("events", "stop") and len(path) == 2:
        return kinds_of(Event)["when"]
    if path[0] in NAMED and len(path) == 2:
        return kinds_of(NAMED[path[0]])["formula"]
    return None


def _inner(kind: Kind | None, path: Path) -> Kind | None:
    """What may stand further in."""
    while isinstance(kind, Optional):
        kind = kind.kind
    if kind is None or not path:
        return kind
    first, rest = path[0], path[1:]
    if isinstance(kind, Numbers) and first.isdigit() and int(first) < kind.count:
        return _inner(kind.part(int(first)), rest)
    if isinstance(kind, Table):
        return _inner(kind.kind, rest)
    if isinstance(kind, OneOf):
        return _inner(kind.parts.get(first), rest)
    if isinstance(kind, NestedFields):
        return _inner(kinds_of(kind.cls).get(first), rest)
    return _in_frames(path) if isinstance(kind, FramesKind) else None


def _in_frames(path: Path) -> Kind | None:
    place = kinds_of(Frame)["position"]
    if len(path) == 1:
        return None
    if path[1].isdigit():
        return _inner(place, path[1:])
    if path[1] == "at":
        return _inner(place, path[2:])
    return OrientationKind() if path[1:] == ("orientation",) else None
