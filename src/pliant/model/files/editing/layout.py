"""Where a change goes in a text, in the style of what stands around it.

Flow stays flow and block stays block, indentation is that of the neighbours, comments at the end of
lines stay. Nothing here is proven: `splices` does that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pliant.model.files.document import Document, Path, Span
from pliant.model.files.editing.inline import WIDTH, Writer

Splice = tuple[int, int, str]
"""Start and end of what is replaced, and the new text."""
FIRST = ""
"""As `after`: before all others."""

_SHORT = ("ground", "simulate")
"""Sections that are written in one line if they fit."""
_REST = re.compile(r"[ \t]*(,?)[ \t]*(?:#[^\r\n]*)?(?=\r|\n|$)")
_COLON = re.compile(r"\s*:")
_ANCHOR = re.compile(r"\s*&\S+")


class Layout:
    """One text, and what has to be replaced in it for a change."""

    def __init__(self, document: Document, format: str, plain: bool = True) -> None:
        self.document, self.text = document, document.text
        self.newline = "\r\n" if "\r\n" in self.text else "\n"
        self.write = Writer(format, plain, self.newline)

    def at(self, path: Path) -> Any:
        """The data at a path."""
        found = self.document.data
        for key in path:
            found = found[int(key)] if isinstance(found, list) else found[key]
        return found

    def names(self, path: Path) -> list[str]:
        """Keys of a mapping, indices of a list."""
        found = self.at(path)
        return [str(k) for k in range(len(found))] if isinstance(found, list) else [*found]

    def is_flow(self, path: Path) -> bool:
        """Whether a mapping or list stands in brackets; what is empty does, or is nothing."""
        start = self.document.spans[path][0]
        return self.text[start : start + 1] in ("{", "[")

    def in_flow(self, path: Path) -> bool:
        """Whether something around a value stands in brackets."""
        return any(self.is_flow(path[:size]) for size in range(len(path)))

    def start(self, path: Path) -> int:
        """Where an entry begins: its key, or the item of a list."""
        return self.document.keys.get(path, self.document.spans[path])[0]

    def end(self, path: Path) -> int:
        """Where an entry ends."""
        return self.document.entry(path)[1]

    def line_start(self, at: int) -> int:
        start = self.text.rfind("\n", 0, at) + 1
        return 1 if start == 0 and at and self.text.startswith("\ufeff") else start

    def line_end(self, at: int) -> int:
        """Where the line ends, before its line break."""
        end = self.text.find("\n", at)
        end = len(self.text) if end < 0 else end
        return end - 1 if end > at and self.text[end - 1] == "\r" else end

    def column(self, at: int) -> int:
        return at - self.line_start(at)

    def alone(self, at: int) -> bool:
        """Whether nothing stands before this in its line."""
        return not self.text[self.line_start(at) : at].strip(" \t")

    def colon(self, path: Path) -> int | None:
        """The place behind the colon of a key."""
        found = _COLON.match(self.text, self.document.keys[path][1])
        return found.end() if found else None

    # -- another value

    def value(self, path: Path, value: Any, opened: bool = False) -> list[Splice]:
        """Another value at a path; `opened`: its entries in lines of their own, if they may."""
        start, end = self.document.spans[path]
        if path not in self.document.keys:
            return [(start, end, (" " if start == end else "") + self.write.flow(value))]
        colon = self.colon(path)
        if colon is None:
            return [(start, end, f": {self.write.flow(value)}")]
        key = self.start(path)
        new = f" {self.write.flow(value)}"
        if not self.in_flow(path):
            new = self.write.behind(
                value, self.column(key), WIDTH if opened else self.column(colon)
            )
        return self.behind(path, colon, new)

    def behind(self, path: Path, colon: int, new: str) -> list[Splice]:
        """The text behind the colon of a key replaced; comments in that line stay."""
        start, end = self.document.spans[path]
        anchor = _ANCHOR.match(self.text, colon, start)
        colon = anchor.end() if anchor else colon
        if "\n" in self.text[colon:start]:
            first = self.line_end(colon)
            new_line = first if new.startswith(self.newline) else colon
            return [(new_line, new_line, new), (first, end, "")]
        if new.startswith(self.newline):
            last = self.line_end(end)
            return [(colon, end, ""), (last, last, new)]
        if start == end:
            return [(start, start, new)]
        return [(start, end, new.removeprefix(" "))]

    # -- another entry

    def entry(self, path: Path, name: str, value: Any, after: str | None) -> list[Splice]:
        """A new entry in a mapping, or item of a list."""
        found = self.at(path)
        if found is None or not found:
            made = [value] if isinstance(found, list) else {name: value}
            return self.value(path, made, opened=found is None or len(path) == 1)
        listed = isinstance(found, list)
        if self.is_flow(path) or self.in_flow(path):
            new = self.write.flow(value)
            return self.flow_entry(path, new if listed else f"{self.write.key(name)}: {new}", after)
        return self.block_entry(path, None if listed else name, value, after)

    def flow_entry(self, path: Path, entry: str, after: str | None) -> list[Splice]:
        names = self.names(path)
        if after == FIRST:
            first = self.start((*path, names[0]))
            return [(first, first, entry + self.separator(first))]
        last = (*path, names[-1] if after is None else after)
        end, between = self.end(last), self.separator(self.start(last))
        rest = _REST.match(self.text, end)
        if between != ", " and rest and rest.end() > end:
            stop, line = rest.end(), between[1:]
            if rest[1]:
                return [(stop, stop, f"{line}{entry},")]
            return [(end, end, ","), (stop, stop, f"{line}{entry}")]
        return [(end, end, between + entry)]

    def separator(self, entry: int) -> str:
        """What stands between entries in brackets: each has its line, or they share it."""
        if not self.alone(entry):
            return ", "
        return f",{self.newline}{self.text[self.line_start(entry) : entry]}"

    def block_entry(
        self, path: Path, name: str | None, value: Any, after: str | None
    ) -> list[Splice]:
        names = self.names(path)
        first = self.dash(path, names[0]) if name is None else self.start((*path, names[0]))
        indent = self.column(first)
        if name is None:
            entry = f"- {self.write.flow(value)}"
        else:
            entry = f"{self.write.key(name)}:"
            opened = not path and name not in _SHORT
            entry += self.write.behind(value, indent, WIDTH if opened else indent + len(entry))
        if after == FIRST:
            return [(first, first, f"{entry}{self.newline}{' ' * indent}")]
        before = (*path, names[-1] if after is None else after)
        last, gap = self.line_end(self.end(before)), self.newline
        above = self.text[: self.line_start(self.start(before))]
        if not path and above.endswith(2 * self.newline):
            gap += self.newline
        return [(last, last, f"{gap}{' ' * indent}{entry}")]

    def dash(self, path: Path, index: str) -> int:
        """The dash of an item of a block."""
        start = self.document.spans[path][0]
        if index == "0":
            return start
        before = self.end((*path, str(int(index) - 1)))
        found = re.compile(rf"^[ ]{{{self.column(start)}}}-(?=\s)", re.M)
        place = found.search(self.text, before, self.document.spans[(*path, index)][0])
        return place.end() - 1 if place else start

    # -- an entry less, renamed, elsewhere

    def without(self, path: Path) -> list[Splice]:
        """Everything but this entry."""
        parent, names = path[:-1], self.names(path[:-1])
        if len(names) == 1:
            empty = type(self.at(parent))()
            whole = self.document.spans[()]
            return self.value(parent, empty) if parent else [(*whole, self.write.flow(empty))]
        if self.is_flow(parent) or self.in_flow(parent):
            return self.flow_without(path)
        start, end = self.lines(path)
        if not self.alone(start):
            following = names[names.index(path[-1]) + 1 :]
            return [(start, self.start((*parent, following[0])), "")] if following else []
        return [(*self.whole_lines(start, end), "")]

    def flow_without(self, path: Path) -> list[Splice]:
        """Everything but an entry in brackets; the last one goes with its line, if it has one, and
        the comma before it."""
        parent, names = path[:-1], self.names(path[:-1])
        start, end = self.start(path), self.end(path)
        rest = _REST.match(self.text, end)
        if path[-1] != names[-1] or not self.alone(start) or not rest:
            return [(*self.flow_room(path), "")]
        before = self.end((*parent, names[-2]))
        comma = self.text.index(",", before)
        return [(comma, comma + 1, ""), (*self.whole_lines(start, rest.end()), "")]

    def flow_room(self, path: Path) -> Span:
        """An entry in brackets with the comma that goes with it."""
        parent, names = path[:-1], self.names(path[:-1])
        k = names.index(path[-1])
        if k + 1 < len(names):
            return self.start(path), self.start((*parent, names[k + 1]))
        return self.end((*parent, names[k - 1])), self.end(path)

    def lines(self, path: Path) -> Span:
        """An entry of a block, with the comment behind it."""
        parent, listed = path[:-1], path not in self.document.keys
        start = self.dash(parent, path[-1]) if listed else self.start(path)
        return start, self.line_end(self.end(path))

    def whole_lines(self, start: int, end: int) -> Span:
        """The same with one line break."""
        start = self.line_start(start)
        if self.text.startswith(self.newline, end):
            return start, end + len(self.newline)
        return max(start - len(self.newline), 0), end

    def named(self, path: Path, name: str) -> list[Splice]:
        """The key renamed."""
        return [(*self.document.keys[path], self.write.key(name))]

    def moved(self, path: Path, after: str) -> list[Splice]:
        """The entry behind another one of its mapping or list."""
        parent, names = path[:-1], self.names(path[:-1])
        if self.is_flow(parent) or self.in_flow(parent):
            entry = self.text[self.start(path) : self.end(path)]
            return [(*self.flow_room(path), ""), *self.flow_entry(parent, entry, after)]
        start, end = self.lines(path)
        body = self.text[self.line_start(start) : end]
        if after == FIRST:
            goal = self.line_start(self.lines((*parent, names[0]))[0])
            return [(goal, goal, body + self.newline), (*self.whole_lines(start, end), "")]
        goal = self.lines((*parent, after))[1]
        return [(goal, goal, self.newline + body), (*self.whole_lines(start, end), "")]


def ordered(splices: Sequence[Splice]) -> list[Splice]:
    """From the beginning of the text to its end."""
    return sorted(splices, key=lambda s: s[:2])
