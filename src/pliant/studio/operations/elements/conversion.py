"""Elements of another kind, with what they have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import Kind, Optional, kinds_of
from pliant.model.files.document import Path
from pliant.model.nested import NestedFields
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.kinds import ElementKind, kind_named, kind_of
from pliant.studio.operations.elements.naming import listed, require_element
from pliant.studio.operations.elements.sizes import carried, frames_kept, length_of
from pliant.studio.operations.elements.usual import first_fields
from pliant.studio.operations.registry import operation

_STATES = ("initial", "guess")


@operation("element.kind")
def change_kind(draft: Draft, name: str, kind: str, fields: dict[str, Any] | None = None) -> None:
    """Make an element another kind. What both kinds have stays: ends, fields of the same meaning,
    of a body its length, mass and frames."""
    path = require_element(draft, name)
    entry = draft.at(*path)
    old = kind_of(path[0], entry) if len(path) == 2 else None
    if old is None or not old.keyed or not isinstance(entry, dict):
        raise InputError(f"'{name}' has no kind that could be changed", "choose another element")
    new = kind_named(path[0], kind)
    if new.kind == old.kind:
        draft.label = f"{name} is a {new.title} already"
        return
    if new.ends != old.ends:
        raise InputError(f"a {old.title} acts on {_ends(old)}, a {new.title} on {_ends(new)}",
                         f"remove it and add a {new.title}")  # fmt: skip
    given = fields or {}
    kept = _kept(draft, name, old, new, _fields(old, entry))
    if "file" in new.needed and "file" not in given:
        raise InputError(f"{new.title}: what it is stands in a file", "name the file")
    wanted = first_fields(new, {**kept, **given})
    lost = [key for key in _fields(old, entry) if key not in wanted and not _lives(key, wanted)]
    _write(draft, path, old, new, wanted)
    draft.label = f"make {name} a {new.title}" + (f" (without {listed(lost)})" if lost else "")
    draft.selection = (name,)


_SAME = {"mass": ("mass_per_length",), "mass_per_length": ("mass",), "density": ("mass",),
         "length": ("size", "shape"), "size": ("length", "shape"), "radius": ("shape",),
         "along": ("shape", "axis"), "axis": ("shape", "along")}  # fmt: skip
"""Fields of bodies in which others live on."""


def _lives(key: str, wanted: Mapping[str, Any]) -> bool:
    return any(other in wanted for other in _SAME.get(key, ()))


def _ends(kind: ElementKind) -> str:
    return {"frames": "two frames", "none": "nothing"}.get(kind.ends, f"a {kind.ends}")


def _fields(kind: ElementKind, entry: Mapping[str, Any]) -> dict[str, Any]:
    """All fields of an entry, those under its kind and those beside it, without its ends."""
    inside = entry[kind.kind]
    if inside is None or (not kind.inside and not isinstance(inside, Mapping)):
        inside = {}
    elif not isinstance(inside, Mapping):
        inside = {kind.main: inside}
    ends = ("between", kind.kind, kind.reference[0])
    return {**inside, **{k: v for k, v in entry.items() if k not in ends}}


def _kept(
    draft: Draft, name: str, old: ElementKind, new: ElementKind, fields: Mapping[str, Any]
) -> dict[str, Any]:
    """The fields that the new kind takes, too."""
    out = {}
    for key, value in fields.items():
        found = _taken(value, new.fields.get(key))
        if found is not None:
            out[key] = found
    if new.section == "bodies":
        extra = frames_kept(draft, name, old, new, length_of(fields))
        more = {"frames": {**extra, **out.get("frames", {})}} if extra else {}
        found = {**out, **carried(draft, name, old, fields, new), **more}
        said = ("density", "mass_per_length") if "mass" in found else ()
        return {key: value for key, value in found.items() if key not in said}
    if new.section == "joints":
        known = _coordinates(new, out)
        for key in (key for key in _STATES if key in out):
            out[key] = {k: v for k, v in out[key].items() if k in known}
        return {key: value for key, value in out.items() if key not in _STATES or value}
    return out


def _taken(value: Any, kind: Kind | None) -> Any:
    """As much of a value as a field of this kind takes; None if it takes nothing of it."""
    while isinstance(kind, Optional):
        kind = kind.kind
    if kind is None:
        return None
    if isinstance(kind, NestedFields) and isinstance(value, Mapping):
        value = {k: v for k, v in value.items() if k in kinds_of(kind.cls)} or None
    try:
        kind.convert(value)
    except InputError:
        return None
    return value


def _coordinates(kind: ElementKind, fields: Mapping[str, Any]) -> tuple[str, ...]:
    """What coordinates and rates of a joint of a kind are called."""
    inside = {k: v for k, v in first_fields(kind, fields).items() if k in kind.inside}
    try:
        joint = kind.cls("joint", "ground", "body", **inside)
    except InputError:
        return tuple(n for c in kind.cls.scalars for n in (c.name, c.rate))
    return (*joint.told_names, *joint.rate_names)


def _write(
    draft: Draft, path: Path, old: ElementKind, new: ElementKind, wanted: Mapping[str, Any]
) -> None:
    """The entry changed in as few places as possible."""
    inside = {k: v for k, v in wanted.items() if k in new.inside}
    outside = {k: v for k, v in wanted.items() if k not in new.inside}
    draft.rename_key((*path, old.kind), new.kind)
    own, ends = (*path, new.kind), ("between", new.kind, new.reference[0])
    values: dict[Path, Any] = {(*path, key): value for key, value in outside.items()}
    if isinstance(draft.at(*own), dict):
        gone = {(*own, key): len(own) for key in draft.at(*own) if key not in inside}
        values |= {(*own, key): value for key, value in inside.items()}
    else:
        gone = {}
        if inside or draft.at(*own) is not None:
            values[own] = inside[new.main] if [*inside] == [new.main] else inside
    others = [key for key in draft.at(*path) if key not in outside and key not in ends]
    draft.remove_all(gone | {(*path, key): len(path) for key in others})
    draft.put_all(values)
