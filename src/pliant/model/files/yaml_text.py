"""YAML text to plain data with the place of everything in it, and back: YAML 1.2 scalars, no tags,
no code, bounded size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pliant.errors import Fault, FileError
from pliant.model.cures import Once, curing
from pliant.model.files.document import Document, Path, Span

MAX_DEPTH = 30
MAX_NODES = 2_000_000

_INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_QUOTED = ("'", '"', "|", ">")
_ANCHOR = re.compile(r"&\S+(?:\s|#[^\r\n]*)*")
_NO_TEXT = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COLON = re.compile(r"\s*:")


def scalar(text: str) -> Any:
    """The value of a plain scalar, by the core rules of YAML 1.2."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _INTEGER.fullmatch(text):
        return int(text) if len(text) < 18 else float(text)
    if FLOAT.fullmatch(text):
        return float(text)
    return text


def parse_yaml(text: str) -> Document:
    """The data of a YAML text. What cannot be parsed at all raises FileError."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    mark = text.startswith("\ufeff")
    try:
        return _Builder(yaml.parse(text[mark:], Loader=loader), text, int(mark)).document()
    except yaml.MarkedYAMLError as error:
        place, span = "", None
        at = error.problem_mark or error.context_mark
        if at:
            place = f", line {at.line + 1}, column {at.column + 1}"
            span = _around(text, at.index + mark)
        problem = error.problem or error.context or "broken"
        raise FileError(
            f"not valid YAML{place}: {problem}",
            "check indentation, brackets and quotes; is the file complete?",
            span,
        ) from None
    except yaml.YAMLError as error:
        found = _NO_TEXT.search(text)
        span = found.span() if found else None
        what = f"not valid YAML: {str(error).splitlines()[0]}"
        raise FileError(what, "is it text?", span) from None


def _around(text: str, at: int) -> Span:
    """The character where a parser gave up; at the end of a line or the file, the one before."""
    at = min(at, len(text))
    if at == len(text) or text[at] in "\r\n":
        at = len(text[:at].rstrip()) - 1
    return max(at, 0), max(at, 0) + (1 if text else 0)


def dump_yaml(data: Any) -> str:
    """YAML text of plain data that reads back as the same data."""
    import yaml

    class Dumper(yaml.SafeDumper):
        """Quotes what YAML 1.2 would read as a number."""

        def ignore_aliases(self, data: Any) -> bool:
            return True

    Dumper.add_implicit_resolver("tag:yaml.org,2002:float", FLOAT, list("-+.0123456789"))
    return str(
        yaml.dump(
            data,
            Dumper=Dumper,
            sort_keys=False,
            default_flow_style=None,
            width=96,
            allow_unicode=True,
        )
    )


class _Builder:
    """Builds data and places from parser events, so that nothing unexpected is ever constructed."""

    def __init__(self, events: Iterator[Any], text: str, shift: int) -> None:
        self.events = events
        self.text, self.shift = text, shift
        self.out = Document(text=text)
        self.anchors: dict[str, tuple[Any, int, Path]] = {}
        self.count = 0
        self.opened: Any = None
        self.cut: list[str] = []
        self.cut_at: Span | None = None

    def document(self) -> Document:
        event = self.next()
        while event.__class__.__name__ in ("StreamStartEvent", "DocumentStartEvent"):
            event = self.next()
        if event.__class__.__name__ == "StreamEndEvent":
            return self.out
        self.out.data = self.value(event, ())
        if self.cut:
            cure = "put formulas with a comma in quotes"
            raise FileError("; ".join(self.cut), cure, self.cut_at)
        self.next()
        event = self.next()
        if event.__class__.__name__ == "DocumentStartEvent":
            at = event.start_mark.index + self.shift
            what = "several YAML documents in one file"
            raise FileError(what, "keep one; remove '---'", (at, at + 3))
        return self.out

    def next(self) -> Any:
        return next(self.events)

    def value(self, event: Any, path: Path) -> Any:
        """The value an event begins."""
        if len(path) > MAX_DEPTH:
            self.refuse(event, f"nested more than {MAX_DEPTH} levels deep", "flatten it")
        if event.__class__.__name__ == "AliasEvent":
            return self.alias(event, path)
        if event.tag is not None and event.tag != "!":
            self.refuse(event, f"the tag '{event.tag}' is not allowed", "remove it")
        before = self.count
        self.counted(1, event)
        value = self.content(event, path)
        if event.anchor:
            self.anchors[event.anchor] = (value, self.count - before, path)
        return value

    def refuse(self, event: Any, what: str, cure: str) -> None:
        """Give up at an event."""
        raise FileError(f"line {event.start_mark.line + 1}: {what}", cure, self.place(event))

    def place(self, event: Any) -> Span:
        """Where an event stands, with its anchor."""
        return event.start_mark.index + self.shift, event.end_mark.index + self.shift

    def counted(self, nodes: int, event: Any) -> None:
        self.count += nodes
        if self.count > MAX_NODES:
            self.refuse(event, f"more than {MAX_NODES} values", "use a CSV file for data")

    def alias(self, event: Any, path: Path) -> Any:
        if event.anchor not in self.anchors:
            self.refuse(event, f"nothing is anchored as '&{event.anchor}'", "define it")
        value, size, anchored = self.anchors[event.anchor]
        self.counted(size, event)
        self.out.spans[path] = self.place(event)
        self.out.shared[path] = anchored
        return value

    def start(self, event: Any) -> int:
        """Where a value begins, behind its anchor."""
        at: int = event.start_mark.index + self.shift
        found = _ANCHOR.match(self.text, at) if event.anchor else None
        return found.end() if found else at

    def content(self, event: Any, path: Path) -> Any:
        kind = event.__class__.__name__
        if kind == "ScalarEvent":
            return self.scalar(event, path)
        start, spans = self.start(event), self.out.spans
        spans[path] = start, start
        value: Any
        if kind == "SequenceStartEvent":
            value, end, last = self.sequence(path)
        else:
            value, end, last = self.mapping(path)
        # A block ends with its last entry; its event comes after the comments that follow.
        stop = end.end_mark.index + self.shift if event.flow_style else last
        spans[path] = start, max(start, stop)
        return value

    def scalar(self, event: Any, path: Path) -> Any:
        self.parentheses(event)
        start, end = self.start(event), event.end_mark.index + self.shift
        if event.style in ("|", ">"):
            end = start + len(self.text[start:end].rstrip())
        self.out.spans[path] = min(start, end), end
        quoted = event.style in _QUOTED or event.tag == "!"
        return event.value if quoted else scalar(event.value)

    def parentheses(self, event: Any) -> None:
        """Notice a formula that YAML has cut at a comma: ``max(t`` and, the next text, ``1)``."""
        if event.style in _QUOTED:
            return
        more = event.value.count("(") - event.value.count(")")
        if more > 0:
            self.opened = event
        elif more < 0 and self.opened is not None:
            line, whole = self.opened.start_mark.line + 1, f"{self.opened.value}, {event.value}"
            self.cut.append(f"line {line}: the formula '{whole}' ends for YAML at its comma")
            span = self.start(self.opened), event.end_mark.index + self.shift
            self.cut_at = self.cut_at or span
            self.opened = None

    def sequence(self, path: Path) -> tuple[list[Any], Any, int]:
        """The items, the event that ends them, and the end of the last one."""
        items: list[Any] = []
        last = 0
        while (event := self.next()).__class__.__name__ != "SequenceEndEvent":
            inner = (*path, str(len(items)))
            items.append(self.value(event, inner))
            last = self.out.spans[inner][1]
        return items, event, last

    def mapping(self, path: Path) -> tuple[dict[str, Any], Any, int]:
        """The entries, the event that ends them, and the end of the last one."""
        items: dict[str, Any] = {}
        last, out = 0, self.out
        while (event := self.next()).__class__.__name__ != "MappingEndEvent":
            if event.__class__.__name__ != "ScalarEvent":
                self.refuse(event, "a key must be a name", "quote texts with colons")
            self.parentheses(event)
            key, inner = event.value, (*path, event.value)
            place = self.start(event), event.end_mark.index + self.shift
            if key in items:
                last = self.twice(path, key, place, event.start_mark.line + 1)
                continue
            items[key] = self.value(self.next(), inner)
            last = self.ended(inner, place)
            out.keys[inner] = place
            out.lines[inner] = event.start_mark.line + 1
        return items, event, last

    def ended(self, path: Path, key: Span) -> int:
        """The end of an entry; an empty value is put right behind its key and colon."""
        start, end = self.out.spans[path]
        if start < end:
            return end
        colon = _COLON.match(self.text, key[1])
        if "&" not in self.text[key[1] : start]:
            start = colon.end() if colon else key[1]
        self.out.spans[path] = start, start
        return start

    def twice(self, path: Path, key: str, place: Span, line: int) -> int:
        """Note a key that was there before, and read over its value."""
        kept, self.out = self.out, Document(text=self.text)
        self.value(self.next(), (*path, key))
        last = self.ended((*path, key), place)
        kept.faults += self.out.faults
        self.out = kept
        who, what = ".".join(path) or "model", f"'{key}' is given twice"
        fault = Fault(
            who, what, curing("keep one of them", Once()), f"line {line}", (*path, key), place
        )
        self.out.faults.append(fault)
        return last
