"""The proof of a change: the new text says exactly what was intended.

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
from pliant.model.files.editing.layout import Layout, Splice, ordered
from pliant.model.files.text import parsed

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


class Edit:
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
            raise InputError(f"there is no {said(path)} in the file",
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
        wanted = unshared(self.document.data)
        for place in places:
            wanted = changed(wanted, place, change)
        ways: list[Way] = [(None, lambda layout: small(layout, where))]
        if entry:
            aliases = self.aliases((*where, entry))
            ways.append(
                (None, lambda layout: [*self.copies(layout, aliases), *small(layout, where)])
            )
        return self.proven([*ways, *self.anew(where, wanted)], wanted)

    def own(self, change: Change, small: Small, where: Path) -> Proven:
        """The change made here alone, of a value that others share."""
        wanted = changed(unshared(self.document.data), self.path, change)
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
            raise InputError(f"{said(twice[0])} is given twice", "first keep one of them")
        raise InputError(f"the text of {said(self.path)} cannot be changed safely", _CURE)

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
    error = SharedError(f"{said(places[0])} is written once for {listed}",
                        "change all of them, or give this one its own copy")  # fmt: skip
    error.elements = tuple(dict.fromkeys(place[1] for place in places if len(place) > 1))
    return error


def said(path: Path) -> str:
    """A path in a message."""
    return f"'{'.'.join(path)}'" if path else "the file"


def _at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[int(key)] if isinstance(data, list) else data[key]
    return data


def unshared(data: Any) -> Any:
    """A copy in which nothing is shared."""
    if isinstance(data, dict):
        return {k: unshared(v) for k, v in data.items()}
    return [unshared(v) for v in data] if isinstance(data, list) else data


def changed(data: Any, path: Path, change: Change) -> Any:
    """The data with the change made at a path."""
    if not path:
        return change(data)
    key = int(path[0]) if isinstance(data, list) else path[0]
    data[key] = changed(data[key], path[1:], change)
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
