"""Changes of a model text by splices, each proven: the new text says exactly what was intended.

A change is tried in the smallest place first, in the style of what stands around it. If the text it
gives does not parse to the old data with the change made to it, what encloses the place is written
anew, and so on up to the section.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.files.document import Document, Path
from pliant.model.files.editing.layout import FIRST, Layout, Splice, ordered
from pliant.model.files.reading import KEYS
from pliant.model.files.text import parsed

__all__ = ["FIRST", "Proven", "SharedError", "Splice", "applied", "document_of", "insert",
           "inverse", "move", "proven", "remove", "rename_key", "set_value"]  # fmt: skip

Way = tuple[Path | None, Callable[[Layout], list[Splice]]]
"""How a change may be made, and what is written anew if it is."""
Small = Callable[[Layout, Path], list[Splice]]
Change = Callable[[Any], Any]
"""From the data of a mapping or list to what they shall be."""
_CURE = "change the text by hand"


class _OverlapError(InputError):
    """Splices that do not fit the text, or each other."""


class SharedError(InputError):
    """A change inside of a value that is written once for several elements."""


class Proven(list[Splice]):
    """Splices whose text says what was intended; ``anew`` is the path of a larger entry that had to
    be written anew for it."""

    anew: Path | None = None


def applied(text: str, splices: Sequence[Splice]) -> str:
    """The text with everything replaced; places are those of the old text."""
    parts, last = [], 0
    for start, end, new in ordered(splices):
        if not last <= start <= end <= len(text):
            what = f"splice {start} to {end} of {len(text)} characters overlaps, or is outside"
            raise _OverlapError(what, "read the text again")
        parts += [text[last:start], new]
        last = end
    return "".join([*parts, text[last:]])


def inverse(text: str, splices: Sequence[Splice]) -> list[Splice]:
    """What gives the old text again when it is applied to the new one."""
    found, shift = [], 0
    for start, end, new in ordered(splices):
        found.append((start + shift, start + shift + len(new), text[start:end]))
        shift += len(new) - (end - start)
    return found


def set_value(text: str, format: str, path: Path, value: Any, *, shared: str = "") -> Proven:
    """Another value at a path that is in the file.

    ``shared`` says what to do inside of an anchored value: change ``"all"`` that share it, or give
    this one its ``"own"`` copy; without it, such a change is refused.
    """
    edit = _Edit(text, format, path, shared)
    edit.require(path)
    if not path:
        raise InputError("the whole file is no value of an entry", "give the path of an entry")
    return edit.done(lambda _: value, lambda layout, at: layout.value(at, value), inside=False)


def insert(
    text: str, format: str, path: Path, name: str, value: Any, after: str | None = None, *,
    shared: str = "",
) -> Proven:  # fmt: skip
    """A new entry of the mapping at a path, or item of the list, behind the one that is named; at
    the end without, sections where the reference lists them. What is missing of the path is made.
    """
    document = document_of(text, format)
    while path and (path not in document.spans or document.data is None):
        path, name, value, after = path[:-1], path[-1], {name: value}, None
    edit = _Edit(text, format, path, shared)
    found = edit.layout.at(path)
    if found is not None and not isinstance(found, dict | list):
        raise InputError(f"{_said(path)} is no mapping and no list", "choose another place")
    if isinstance(found, dict) and name in found:
        raise InputError(f"there is '{name}' in {_said(path)} already", "choose another name")
    if after is None and not path and isinstance(found, dict):
        after = _section_before(found, name)
    if after not in (None, FIRST):
        edit.require((*path, str(after)))

    def change(data: Any) -> Any:
        if isinstance(data, list):
            place = len(data) if after is None else 0 if after == FIRST else int(after) + 1
            return [*data[:place], value, *data[place:]]
        return _with_entry(data or {}, name, value, after)

    return edit.done(change, lambda layout, at: layout.entry(at, name, value, after))


def remove(text: str, format: str, path: Path, *, shared: str = "") -> Proven:
    """Without the entry at a path; of the last one, an empty mapping or list stays."""
    edit = _Edit(text, format, path[:-1], shared)
    edit.require(path)

    def change(data: Any) -> Any:
        del data[edit.key(data, path[-1])]
        return data

    return edit.done(change, lambda layout, at: layout.without((*at, path[-1])), path[-1])


def rename_key(text: str, format: str, path: Path, name: str, *, shared: str = "") -> Proven:
    """Another name of the entry at a path, in its place; references to it stay as they are."""
    edit = _Edit(text, format, path[:-1], shared)
    edit.require(path)
    siblings = edit.layout.at(path[:-1])
    if not isinstance(siblings, dict):
        raise InputError(f"{_said(path)} has no name", "choose an entry of a mapping")
    if name == path[-1]:
        return Proven()
    if name in siblings:
        raise InputError(f"there is '{name}' in {_said(path[:-1])} already", "choose another name")

    def change(data: Any) -> Any:
        return {name if k == path[-1] else k: v for k, v in data.items()}

    return edit.done(change, lambda layout, at: layout.named((*at, path[-1]), name))


def move(text: str, format: str, path: Path, after: str = FIRST, *, shared: str = "") -> Proven:
    """The entry at a path behind another one of the same mapping or list; first without."""
    edit = _Edit(text, format, path[:-1], shared)
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


def proven(text: str, format: str, splices: Sequence[Splice], wanted: Any) -> Proven:
    """The splices, if the text they give says what is wanted; raises InputError otherwise."""
    return _Edit(text, format, (), "").proven([(None, lambda _: [*splices])], wanted)


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


_KNOWN: OrderedDict[tuple[str, str], Document] = OrderedDict()
"""The texts that were parsed last, or proven, which is the same."""
_REMEMBERED = 4


def document_of(text: str, format: str) -> Document:
    """A text with places, which nobody may change; raises FileError if it is none."""
    known = _KNOWN.get((text, format))
    return _remembered(parsed(text, format), format) if known is None else known


def _remembered(document: Document, format: str) -> Document:
    _KNOWN[document.text, format] = document
    _KNOWN.move_to_end((document.text, format))
    while len(_KNOWN) > _REMEMBERED:
        _KNOWN.popitem(last=False)
    return document


class _Edit:
    """One change of the mapping or list at a path."""

    def __init__(self, text: str, format: str, path: Path, shared: str) -> None:
        self.text, self.format, self.path, self.shared = text, format, path, shared
        self.document = document_of(text, format)
        self.layout = Layout(self.document, format)

    def require(self, path: Path) -> None:
        """Refuse a path that is not in the file."""
        try:
            self.layout.at(path)
        except (KeyError, IndexError, TypeError, ValueError):
            raise InputError(f"there is no {_said(path)} in the file",
                             "read the text again") from None  # fmt: skip

    def key(self, data: Any, name: str) -> Any:
        return int(name) if isinstance(data, list) else name

    def done(self, change: Change, small: Small, entry: str = "", inside: bool = True) -> Proven:
        """The change made in the smallest place in which it can be proven; ``inside``: it is one of
        an entry, not of the value itself."""
        within = (*self.path, "") if inside else self.path
        places = [place[: len(place) - inside] for place in self.document.sharing(within)]
        where = places[0]
        if len(places) > 1 and self.shared not in ("all", "own"):
            raise _shared(places)
        if len(places) > 1 and self.shared == "own":
            return self.own(change, small, where)
        wanted = _copied(self.document.data)
        for place in places:
            wanted = _changed(wanted, place, change)
        ways: list[Way] = [(None, lambda layout: small(layout, where))]
        if entry:
            aliases = self.aliases((*where, entry))
            ways.append(
                (None, lambda layout: [*self.copies(layout, aliases), *small(layout, where)])
            )
        return self.proven([*ways, *self.anew(where, wanted)], wanted)

    def own(self, change: Change, small: Small, where: Path) -> Proven:
        """The change made here alone, of a value that others share."""
        wanted = _changed(_copied(self.document.data), self.path, change)
        for size in range(1, len(self.path) + 1):
            if self.path[:size] in self.document.shared:
                ways = self.anew(self.path[:size], wanted)
                copied = [(None, next(ways)[1])]  # its own copy is what was asked for
                return self.proven([*copied, *ways], wanted)
        shared = self.document.shared.items()
        others = [alias for alias, anchored in shared if where[: len(anchored)] == anchored]
        return self.proven(
            [(None, lambda layout: [*self.copies(layout, others), *small(layout, where)])], wanted
        )

    def anew(self, path: Path, wanted: Any) -> Iterator[Way]:
        """What encloses a path written anew, from the smallest to its section."""
        for size in range(len(path), 0, -1):
            at = path[:size]
            yield at, lambda layout, at=at: layout.value(at, _at(wanted, at))  # type: ignore[misc]

    def aliases(self, path: Path) -> list[Path]:
        """Of what is anchored in an entry."""
        shared = self.document.shared.items()
        return [alias for alias, anchored in shared if anchored[: len(path)] == path]

    def copies(self, layout: Layout, aliases: Iterable[Path]) -> list[Splice]:
        """Aliases as values of their own."""
        return [s for alias in aliases for s in layout.value(alias, layout.at(alias))]

    def proven(self, ways: Iterable[Way], wanted: Any) -> Proven:
        """The first splices that give the data that are wanted."""
        for anew, way in ways:
            for plain in (True, False):
                splices = self.tried(way, Layout(self.document, self.format, plain), wanted)
                if splices is not None:
                    found = Proven(splices)
                    found.anew = anew
                    return found
        twice = [fault.path for fault in self.document.faults]
        if twice:
            raise InputError(f"{_said(twice[0])} is given twice", "first keep one of them")
        raise InputError(f"the text of {_said(self.path)} cannot be changed safely", _CURE)

    def tried(
        self, way: Callable[[Layout], list[Splice]], layout: Layout, wanted: Any
    ) -> list[Splice] | None:
        try:
            splices = [s for s in way(layout) if s[0] != s[1] or s[2]]
            new = parsed(applied(self.text, splices), self.format)
        except (FileError, _OverlapError, LookupError):
            return None
        if len(new.faults) > len(self.document.faults) or not _same(new.data, wanted):
            return None
        _remembered(new, self.format)
        return ordered(splices)


def _shared(places: list[Path]) -> SharedError:
    names = list(dict.fromkeys(".".join(place[:2]) for place in places))
    listed = ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else names[0]
    error = SharedError(f"{_said(places[0])} is written once for {listed}",
                        "change all of them, or give this one its own copy")  # fmt: skip
    error.elements = tuple(dict.fromkeys(place[1] for place in places if len(place) > 1))
    return error


def _said(path: Path) -> str:
    return f"'{'.'.join(path)}'" if path else "the file"


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data


def _copied(data: Any) -> Any:
    """A copy in which nothing is shared."""
    if isinstance(data, dict):
        return {k: _copied(v) for k, v in data.items()}
    return [_copied(v) for v in data] if isinstance(data, list) else data


def _changed(data: Any, path: Path, change: Change) -> Any:
    """The data with the change made at a path."""
    if not path:
        return change(data)
    key = int(path[0]) if isinstance(data, list) else path[0]
    data[key] = _changed(data[key], path[1:], change)
    return data


def _same(a: Any, b: Any) -> bool:
    """Equal in values, types and order."""
    if type(a) is not type(b):
        return False
    if isinstance(a, dict):
        return [*a] == [*b] and all(_same(v, b[k]) for k, v in a.items())
    if isinstance(a, list):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)
