"""Where the cursor stands: the path of the entry it is in, also in a text that is not finished.

A text that is being typed is seldom valid. Keys are found by their indentation and, inside braces
and brackets, by what was opened and not closed; no parser is asked.
"""

from __future__ import annotations

import re

from pliant.model.files.document import Document
from pliant.records import dataclass

_KEY = re.compile(
    r"""(?P<dashes>(?:-[ \t]+)*)(?P<key>"[^"]*"|'[^']*'|[^\s#{}\[\],:"'][^#{}\[\],:]*):(?=\s|$)"""
)
_FLOW = re.compile(
    r"""[{}\[\],]|"(?:[^"\\]|\\.)*"?|'[^']*'?|\#.*|:(?=\s|$|[{\[])|[^{}\[\],:"'#\s]+|\s+|:|\#"""
)
_BLOCK = re.compile(r":\s*[|>][-+0-9]*\s*(#.*)?$")
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """``path`` of the mapping or value, ``word``: what is typed of it so far, from ``start`` on;
    ``is_value``: a value is expected, otherwise a key; ``is_comment``: nothing is."""

    path: Path
    word: str
    start: int
    is_value: bool
    is_comment: bool = False


def path_at(text: str, offset: int, format: str, document: Document | None) -> Path:
    """What a place belongs to, by the places of a text that could be read, else by its looks."""
    if document is not None and document.text == text:
        found = _enclosing(document, offset)
        if found:
            return found
    return place_at(text, offset, format).path


def _enclosing(document: Document, offset: int) -> Path:
    """The innermost entry whose key and value surround a place."""
    best: Path = ()
    for path, (start, end) in document.spans.items():
        start = min(start, document.keys.get(path, (start, end))[0])
        if start <= offset <= end and len(path) > len(best):
            best = path
    return best


def place_at(text: str, offset: int, format: str) -> Place:
    """The place of the cursor."""
    before = text[:offset]
    keys = _Keys()
    start = 0
    if format == "json":
        keys.flow_text(before, 0)
        return keys.place(before, 0)
    lines = before.split("\n")
    for number, line in enumerate(lines):
        keys.line(line, start, last=number == len(lines) - 1)
        start += len(line) + 1
    return keys.place(before, start - 1 - len(lines[-1]))


@dataclass(slots=True)
class _Open:
    """A brace or bracket that is open: the key before the value, or the number of the item."""

    kind: str
    key: str = ""
    index: int = 0
    is_value: bool = False

    @property
    def part(self) -> Path:
        if self.kind == "[":
            return (str(self.index),)
        return (self.key,) if self.is_value else ()


class _Keys:
    """Keys that enclose a place, line by line."""

    def __init__(self) -> None:
        self.block: list[tuple[int, str]] = []
        """Column and key of entries of block style; items of lists are numbered."""
        self.flow: list[_Open] = []
        self.scalar: int | None = None
        """Column of a key whose value is a text of several lines."""
        self.word, self.word_at = "", 0
        self.is_value = self.is_comment = False
        self.counts: dict[tuple[tuple[int, str], ...], int] = {}

    def line(self, line: str, start: int, *, last: bool) -> None:
        column = len(line) - len(line.lstrip(" "))
        content = line[column:]
        if self.flow:
            self.flow_text(line, start)
            return
        if self.scalar is not None:
            if not content or column > self.scalar:
                return
            self.scalar = None
        if not content.strip() and not last:
            return
        is_item = content.startswith("- ") or content == "-"
        while self.block and self._ends(column, is_item):
            self.block.pop()
        self._entry(content, column, start + column)
        if _BLOCK.search(line) and self.block:
            self.scalar = self.block[-1][0]

    def _ends(self, column: int, is_item: bool) -> bool:
        """Whether the innermost entry ends before a line; items may stand below their own key."""
        own, key = self.block[-1]
        return own > column or (own == column and not (is_item and not key.isdigit()))

    def _entry(self, content: str, column: int, start: int) -> None:
        self.is_value = False
        while content.startswith("- ") or content == "-":
            parent = tuple(self.block)
            k = self.counts.get(parent, 0)
            self.counts[parent] = k + 1
            self.block.append((column, str(k)))
            skipped = len(content) - len(content[1:].lstrip(" "))
            content, column, start = content[skipped:], column + skipped, start + skipped
            self.is_value = True
        match = _KEY.match(content)
        if match:
            self.block.append((column, match["key"].strip("\"'").strip()))
            self.is_value = True
            self.flow_text(content[match.end() :], start + match.end())
        else:
            self.flow_text(content, start)

    def flow_text(self, text: str, start: int) -> None:
        """What stands in one line after its key."""
        self.word, self.word_at, self.is_comment = "", start + len(text), False
        for match in _FLOW.finditer(text):
            token = match[0]
            if token in "{[":
                self.flow.append(_Open(token))
                self._no_word(start + match.end())
            elif token in "}]":
                if self.flow:
                    self.flow.pop()
                self._no_word(start + match.end())
            elif token == "," and self.flow:
                self.flow[-1].index += 1
                self.flow[-1].is_value = False
                self._no_word(start + match.end())
            elif token == ":" and self.flow and self.flow[-1].kind == "{":
                self.flow[-1].key = self.word.strip().strip("\"'")
                self.flow[-1].is_value = True
                self._no_word(start + match.end())
            elif token.startswith("#"):
                self.is_comment = True
                self._no_word(start + match.end())
            elif token.isspace():
                if self.word:
                    self.word += token
                else:
                    self.word_at = start + match.end()
            else:
                if not self.word:
                    self.word_at = start + match.start()
                self.word += token

    def _no_word(self, at: int) -> None:
        self.word, self.word_at = "", at

    def place(self, before: str, line_start: int) -> Place:
        path: Path = tuple(key for _, key in self.block)
        for opened in self.flow:
            path += opened.part
        inside = self.flow[-1] if self.flow else None
        is_value = inside.is_value or inside.kind == "[" if inside else self.is_value
        if not self.word:
            return Place(path, "", len(before), is_value, self.is_comment)
        return Place(path, self.word, self.word_at, is_value)


def last_word(typed: str, start: int) -> tuple[str, int]:
    """The name at the end of what is typed from a place on, and where it begins: formulas are
    completed word by word."""
    match = re.search(r"[A-Za-z_][\w.]*$", typed)
    return (match[0], start + match.start()) if match else ("", start + len(typed))
