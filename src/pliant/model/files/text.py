"""Text to plain data, with the line of everything in it, and back: YAML 1.2 scalars, no tags, no
code, bounded size; JSON with the same rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import field, replace
from pathlib import Path as FilePath
from typing import Any

from pliant.errors import Fault, FileError
from pliant.records import dataclass

Path = tuple[str, ...]

MAX_BYTES = 20_000_000
MAX_DEPTH = 30
MAX_NODES = 2_000_000

_INTEGER = re.compile(r"[-+]?[0-9]+")
FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ALIASES = {
    "frame": ("at", "frame"),
    "frame_a": ("between",),
    "frame_b": ("between",),
    "parent": ("between",),
    "child": ("between",),
    "coordinate": ("coordinate", "joint"),
    "translation": ("position", "velocity", "acceleration"),
}


@dataclass(slots=True)
class Document:
    """Plain data (None, bool, int, float, str, list, dict), line numbers, faults found so far."""

    data: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def placed(self, fault: Fault) -> Fault:
        """The fault with the place in the file it speaks of."""
        if fault.where:
            return fault
        line = self.line(fault.path)
        if line:
            return replace(fault, where=f"line {line}")
        shown = fault.path and not self.lines
        return replace(fault, where="at " + ".".join(fault.path)) if shown else fault

    def line(self, path: Path) -> int:
        """The line of a path; of what encloses it if the path itself is not in the file."""
        if path[:1] == ("events",) and ("stop", *path[1:2]) in self.lines:
            path = ("stop", *path[1:])
        while path:
            if path in self.lines:
                return self.lines[path]
            line = self._within(path)
            if line:
                return line
            path = path[:-1]
        return 0

    def _within(self, path: Path) -> int:
        """The line of a key somewhere below the element the path names."""
        if len(path) < 3:
            return 0
        keys = _ALIASES.get(path[-1], (path[-1],))
        found = [n for p, n in self.lines.items() if p[:2] == path[:2] and p[-1] in keys]
        return min(found, default=0)


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
    try:
        return _Builder(yaml.parse(text, Loader=loader)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = error.problem or error.context or "broken"
        raise FileError(
            f"not valid YAML{place}: {problem}",
            "check indentation, brackets and quotes; is the file complete?",
        ) from None
    except yaml.YAMLError as error:
        raise FileError(f"not valid YAML: {str(error).splitlines()[0]}", "is it text?") from None


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


_QUOTED = ("'", '"', "|", ">")


class _Builder:
    """Builds the data from parser events, so that nothing unexpected is ever constructed."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.out = Document()
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.count = 0
        self.opened: Any = None
        self.cut: list[str] = []

    def document(self) -> Document:
        event = self.next()
        while event.__class__.__name__ in ("StreamStartEvent", "DocumentStartEvent"):
            event = self.next()
        if event.__class__.__name__ == "StreamEndEvent":
            return self.out
        self.out.data = self.value(event, ())
        if self.cut:
            raise FileError("; ".join(self.cut), "put formulas with a comma in quotes")
        self.next()
        if self.next().__class__.__name__ == "DocumentStartEvent":
            raise FileError("several YAML documents in one file", "keep one; remove '---'")
        return self.out

    def next(self) -> Any:
        return next(self.events)

    def value(self, event: Any, path: Path) -> Any:
        """The value an event begins."""
        line = event.start_mark.line + 1
        if len(path) > MAX_DEPTH:
            raise FileError(f"line {line}: nested more than {MAX_DEPTH} levels deep", "flatten it")
        if event.__class__.__name__ == "AliasEvent":
            return self.alias(event, line)
        if event.tag is not None and event.tag != "!":
            raise FileError(f"line {line}: the tag '{event.tag}' is not allowed", "remove it")
        before = self.count
        self.counted(1, line)
        value = self.content(event, path)
        if event.anchor:
            self.anchors[event.anchor] = (value, self.count - before)
        return value

    def counted(self, nodes: int, line: int) -> None:
        self.count += nodes
        if self.count > MAX_NODES:
            raise FileError(f"line {line}: more than {MAX_NODES} values", "use a CSV file for data")

    def alias(self, event: Any, line: int) -> Any:
        if event.anchor not in self.anchors:
            raise FileError(f"line {line}: nothing is anchored as '&{event.anchor}'", "define it")
        value, size = self.anchors[event.anchor]
        self.counted(size, line)
        return value

    def content(self, event: Any, path: Path) -> Any:
        kind = event.__class__.__name__
        if kind == "ScalarEvent":
            self.parentheses(event)
            quoted = event.style in _QUOTED or event.tag == "!"
            return event.value if quoted else scalar(event.value)
        return self.sequence(path) if kind == "SequenceStartEvent" else self.mapping(path)

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
            self.opened = None

    def sequence(self, path: Path) -> list[Any]:
        items: list[Any] = []
        while (event := self.next()).__class__.__name__ != "SequenceEndEvent":
            items.append(self.value(event, (*path, str(len(items)))))
        return items

    def mapping(self, path: Path) -> dict[str, Any]:
        items: dict[str, Any] = {}
        while (event := self.next()).__class__.__name__ != "MappingEndEvent":
            line = event.start_mark.line + 1
            if event.__class__.__name__ != "ScalarEvent":
                raise FileError(f"line {line}: a key must be a name", "quote texts with colons")
            self.parentheses(event)
            key = event.value
            value = self.value(self.next(), (*path, key))
            if key in items:
                where = f"line {line}"
                who = ".".join(path) or "model"
                what = f"'{key}' is given twice"
                self.out.faults.append(Fault(who, what, "keep one of them", where, (*path, key)))
                continue
            items[key] = value
            self.out.lines[(*path, key)] = line
        return items


def parse_json(text: str) -> Document:
    """The data of a JSON text. What cannot be parsed at all raises FileError."""
    out = Document()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                fault = Fault("model", f"'{key}' is given twice", "keep one of them", path=(key,))
                out.faults.append(fault)
            found.setdefault(key, value)
        return found

    def refused(constant: str) -> float:
        raise FileError(f"{constant} is not a number JSON knows", "give a finite number")

    try:
        out.data = json.loads(
            text, object_pairs_hook=pairs, parse_constant=refused,
            parse_int=lambda digits: int(digits) if len(digits) < 18 else float(digits),
        )  # fmt: skip
    except json.JSONDecodeError as error:
        raise FileError(
            f"not valid JSON, line {error.lineno}, column {error.colno}: {error.msg}",
            "check commas, brackets and quotes; is the file complete?",
        ) from None
    except RecursionError:
        raise FileError("nested too deeply", "flatten it") from None
    if _depth(out.data) > MAX_DEPTH:
        raise FileError(f"nested more than {MAX_DEPTH} levels deep", "flatten it")
    return out


def dump_json(data: Any) -> str:
    """JSON text of plain data."""
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _depth(data: Any) -> int:
    level, below = 0, [data]
    while below and level <= MAX_DEPTH:
        level += 1
        lists = [list(d.values()) if isinstance(d, dict) else d for d in below]
        below = [item for part in lists if isinstance(part, list) for item in part]
    return level


_FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}


def parsed_file(path: FilePath) -> Document:
    """The data of a YAML or JSON file."""
    text = _text(path)
    try:
        return parsed(text, format_of(path))
    except FileError as error:
        raise FileError(f"{path.name}: {error.what}", error.cure) from None


def format_of(path: FilePath) -> str:
    """What a file is written in, by its name."""
    if path.suffix.lower() not in _FORMATS:
        raise FileError(f"{path.name}: unknown kind of file '{path.suffix}'",
                        "name it .yaml, .yml or .json")  # fmt: skip
    return _FORMATS[path.suffix.lower()]


def _text(path: FilePath) -> str:
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "check the path") from None
    if size > MAX_BYTES:
        raise FileError(f"{path.name}: larger than {MAX_BYTES // 10**6} MB", "use CSV for data")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise FileError(f"{path.name}: it is not a text file", "save it as UTF-8 text")
    return text


def parsed(text: str, format: str) -> Document:
    """The data of a text."""
    if format not in ("yaml", "json"):
        raise FileError(f"unknown format '{format}'", "use yaml or json")
    return parse_json(text) if format == "json" else parse_yaml(text)
