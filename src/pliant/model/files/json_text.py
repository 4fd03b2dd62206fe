"""JSON text to plain data with the place of everything in it, by the same rules as YAML, and
back."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from pliant.errors import Fault, FileError
from pliant.model.cures import Once, curing
from pliant.model.files.document import Document, Path, Span
from pliant.model.files.yaml_text import MAX_DEPTH

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')
_NO_NUMBERS = ("NaN", "Infinity", "-Infinity")


def parse_json(text: str) -> Document:
    """The data of a JSON text. What cannot be parsed at all raises FileError."""
    shift = int(text.startswith("\ufeff"))
    out = Document(text=text)
    try:
        out.data = json.loads(
            text[shift:], object_pairs_hook=_first, parse_constant=_Refused.now,
            parse_int=lambda digits: int(digits) if len(digits) < 18 else float(digits),
        )  # fmt: skip
    except _Refused as error:
        what = f"{error} is not a number JSON knows"
        raise FileError(what, "give a finite number", _no_number(text)) from None
    except json.JSONDecodeError as error:
        at = min(error.pos + shift, max(len(text) - 1, 0))
        raise FileError(
            f"not valid JSON, line {error.lineno}, column {error.colno}: {error.msg}",
            "check commas, brackets and quotes; is the file complete?",
            (at, min(at + 1, len(text))),
        ) from None
    except RecursionError:
        raise FileError("nested too deeply", "flatten it") from None
    if _depth(out.data) > MAX_DEPTH:
        raise FileError(f"nested more than {MAX_DEPTH} levels deep", "flatten it")
    _Placing(out).all()
    return out


def dump_json(data: Any) -> str:
    """JSON text of plain data."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _first(items: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of a key that is given twice, the first value."""
    found: dict[str, Any] = {}
    for key, value in items:
        found.setdefault(key, value)
    return found


class _Refused(Exception):  # noqa: N818 (never leaves this file)
    """A constant that is no number."""

    @classmethod
    def now(cls, constant: str) -> float:
        raise cls(constant)


def _no_number(text: str) -> Span | None:
    tokens = _TOKEN.finditer(text)
    return next((token.span() for token in tokens if token.group() in _NO_NUMBERS), None)


class _Placing:
    """Places of keys and values in a text that is known to be JSON."""

    def __init__(self, out: Document) -> None:
        self.out, self.text = out, out.text
        shift = int(out.text.startswith("\ufeff"))
        self.tokens: Iterator[re.Match[str]] = _TOKEN.finditer(out.text, shift)
        self.starts = [0, *(m.end() for m in re.finditer("\n", out.text))]

    def all(self) -> None:
        """Every place."""
        self.value(next(self.tokens), ())

    def value(self, token: re.Match[str], path: Path) -> int:
        """Note a value; where it ends."""
        first = token.group()
        end = token.end()
        if first == "{":
            end = self.mapping(path)
        elif first == "[":
            end = self.sequence(path)
        self.out.spans[path] = token.start(), end
        return end

    def sequence(self, path: Path) -> int:
        count = 0
        while (token := next(self.tokens)).group() != "]":
            if token.group() != ",":
                self.value(token, (*path, str(count)))
                count += 1
        return token.end()

    def mapping(self, path: Path) -> int:
        known: set[str] = set()
        while (token := next(self.tokens)).group() != "}":
            if token.group() == ",":
                continue
            key = json.loads(token.group(), strict=False)
            next(self.tokens)
            if key in known:
                self.twice(path, key, token)
                continue
            known.add(key)
            inner = (*path, key)
            self.out.keys[inner] = token.span()
            self.out.lines[inner] = self.line(token)
            self.value(next(self.tokens), inner)
        return token.end()

    def line(self, token: re.Match[str]) -> int:
        return bisect_right(self.starts, token.start())

    def twice(self, path: Path, key: str, token: re.Match[str]) -> None:
        """Note a key that was there before, and read over its value."""
        kept, self.out = self.out, Document(text=self.text)
        self.value(next(self.tokens), (*path, key))
        kept.faults += self.out.faults
        self.out = kept
        who, where = ".".join(path) or "model", f"line {self.line(token)}"
        what, cure = f"'{key}' is given twice", curing("keep one of them", Once())
        fault = Fault(who, what, cure, where, (*path, key), token.span())
        self.out.faults.append(fault)


def _depth(data: Any) -> int:
    level, below = 0, [data]
    while below and level <= MAX_DEPTH:
        level += 1
        lists = [list(d.values()) if isinstance(d, dict) else d for d in below]
        below = [item for part in lists if isinstance(part, list) for item in part]
    return level
