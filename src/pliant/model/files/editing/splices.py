"""Changes of a model text by splices, each proven (``proof``): set, insert, remove, rename, move;
several at once where none is in the way of another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pliant.errors import InputError
from pliant.model.files.document import Path
from pliant.model.files.editing.layout import FIRST, Splice, ordered
from pliant.model.files.editing.proof import (
    Change,
    Edit,
    Proven,
    SharedError,
    Small,
    applied,
    changed,
    document_of,
    said,
    unshared,
)
from pliant.model.files.names import KEYS
from pliant.records import dataclass

__all__ = ["FIRST", "Proven", "SharedError", "Splice", "applied", "document_of", "insert",
           "inverse", "move", "proven", "remove", "rename_key", "set_value",
           "together"]  # fmt: skip


def inverse(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """What gives the old text again when it is applied to the new one."""
    found, shift = [], 0
    for start, end, new in ordered(splices):
        found.append((start + shift, start + shift + len(new), text[start:end]))
        shift += len(new) - (end - start)
    return found


@dataclass(frozen=True, slots=True)
class _Planned:
    """A change that is not proven yet."""

    edit: Edit
    change: Change
    small: Small
    entry: str = ""
    inside: bool = True

    def done(self) -> Proven:
        return self.edit.done(self.change, self.small, self.entry, self.inside)


def set_value(text: str, format: str, path: Path, value: Any, *, shared: str = "") -> Proven:
    """Another value at a path that is in the file.

    ``shared`` says what to do inside of an anchored value: change ``"all"`` that share it, or give
    this one its ``"own"`` copy; without it, such a change is refused.
    """
    return _setting(text, format, path, value, shared).done()


def _setting(text: str, format: str, path: Path, value: Any, shared: str) -> _Planned:
    edit = Edit(text, format, path, shared)
    edit.require(path)
    if not path:
        raise InputError("the whole file is no value of an entry", "give the path of an entry")
    return _Planned(edit, lambda _: value, lambda layout, at: layout.value(at, value), inside=False)


def insert(
    text: str, format: str, path: Path, name: str, value: Any, after: str | None = None, *,
    shared: str = "",
) -> Proven:  # fmt: skip
    """A new entry of the mapping at a path, or item of the list, behind the one that is named; at
    the end without, sections where the reference lists them. What is missing of the path is made.
    """
    return _inserting(text, format, path, name, value, after, shared).done()


def _inserting(
    text: str, format: str, path: Path, name: str, value: Any, after: str | None, shared: str
) -> _Planned:
    document = document_of(text, format)
    while path and (path not in document.spans or document.data is None):
        path, name, value, after = path[:-1], path[-1], {name: value}, None
    edit = Edit(text, format, path, shared)
    found = edit.layout.at(path)
    if found is not None and not isinstance(found, dict | list):
        raise InputError(f"{said(path)} is no mapping and no list", "choose another place")
    if isinstance(found, dict) and name in found:
        raise InputError(f"there is '{name}' in {said(path)} already", "choose another name")
    if after is None and not path and isinstance(found, dict):
        after = _section_before(found, name)
    if after not in (None, FIRST):
        edit.require((*path, str(after)))

    def change(data: Any) -> Any:
        if isinstance(data, list):
            place = len(data) if after is None else 0 if after == FIRST else int(after) + 1
            return [*data[:place], value, *data[place:]]
        return _with_entry(data or {}, name, value, after)

    return _Planned(edit, change, lambda layout, at: layout.entry(at, name, value, after))


def remove(text: str, format: str, path: Path, *, shared: str = "") -> Proven:
    """Without the entry at a path; of the last one, an empty mapping or list stays."""
    return _removing(text, format, path, shared).done()


def _removing(text: str, format: str, path: Path, shared: str) -> _Planned:
    edit = Edit(text, format, path[:-1], shared)
    edit.require(path)

    def change(data: Any) -> Any:
        del data[edit.key(data, path[-1])]
        return data

    return _Planned(edit, change, lambda layout, at: layout.without((*at, path[-1])), path[-1])


def rename_key(text: str, format: str, path: Path, name: str, *, shared: str = "") -> Proven:
    """Another name of the entry at a path, in its place; references to it stay as they are."""
    edit = Edit(text, format, path[:-1], shared)
    edit.require(path)
    siblings = edit.layout.at(path[:-1])
    if not isinstance(siblings, dict):
        raise InputError(f"{said(path)} has no name", "choose an entry of a mapping")
    if name == path[-1]:
        return Proven()
    if name in siblings:
        raise InputError(f"there is '{name}' in {said(path[:-1])} already", "choose another name")

    def change(data: Any) -> Any:
        return {name if k == path[-1] else k: v for k, v in data.items()}

    return edit.done(change, lambda layout, at: layout.named((*at, path[-1]), name))


def move(text: str, format: str, path: Path, after: str = FIRST, *, shared: str = "") -> Proven:
    """The entry at a path behind another one of the same mapping or list; first without."""
    edit = Edit(text, format, path[:-1], shared)
    edit.require(path)
    order = [FIRST, *edit.layout.names(path[:-1])]
    if after in (path[-1], order[order.index(path[-1]) - 1]):
        return Proven()
    if after != FIRST:
        edit.require((*path[:-1], after))

    def change(data: Any) -> Any:
        if isinstance(data, dict):
            value = data.pop(path[-1])
            return _with_entry(data, path[-1], value, after)
        items = [(str(k), item) for k, item in enumerate(data)]
        one = items.pop(int(path[-1]))
        place = 1 + [k for k, _ in items].index(after) if after != FIRST else 0
        return [item for _, item in [*items[:place], one, *items[place:]]]

    return edit.done(change, lambda layout, at: layout.moved((*at, path[-1]), after), path[-1])


def together(
    text: str, format: str, values: Iterable[tuple[Path, Any]] = (), gone: Iterable[Path] = ()
) -> Proven | None:
    """Values put at paths and entries removed, proven at once; None if that cannot be: they are in
    each other's way, or something is shared. Then they are made one after the other."""
    document, layout = document_of(text, format), Edit(text, format, (), "").layout
    steps = [_putting(text, format, path, value) for path, value in values]
    steps += [_removing(text, format, path, "") for path in gone]
    wanted, splices = unshared(document.data), list[Splice]()
    for step in steps:
        where = step.edit.path
        if len(document.sharing((*where, "") if step.inside else where)) > 1:
            return None
        if step.entry and step.edit.aliases((*where, step.entry)):
            return None
        try:
            wanted = changed(wanted, where, step.change)
            splices += step.small(layout, where)
        except (LookupError, InputError):
            return None
    found = Edit(text, format, (), "").tried(lambda _: splices, layout, wanted)
    return None if found is None else Proven(found)


def _putting(text: str, format: str, path: Path, value: Any) -> _Planned:
    if path in document_of(text, format).spans:
        return _setting(text, format, path, value, "")
    return _inserting(text, format, path[:-1], path[-1], value, None, "")


def proven(text: str, format: str, splices: Sequence[Splice], wanted: Any) -> Proven:
    """The splices, if the text they give says what is wanted; raises InputError otherwise."""
    return Edit(text, format, (), "").proven([(None, lambda _: [*splices])], wanted)


def _with_entry(data: dict[str, Any], name: str, value: Any, after: str | None) -> dict[str, Any]:
    items = [*data.items()]
    place = len(items) if after is None else 0 if after == FIRST else 1 + [*data].index(after)
    return dict([*items[:place], (name, value), *items[place:]])


def _section_before(data: dict[str, Any], name: str) -> str | None:
    """The section behind which one goes, by the order of the reference; None: at the end."""
    if name not in KEYS or not any(k in data for k in KEYS[KEYS.index(name) :]):
        return None
    before = [k for k in data if k in KEYS[: KEYS.index(name)]]
    return max(before, key=KEYS.index) if before else FIRST
