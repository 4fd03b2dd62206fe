"""YAML text to plain data: YAML 1.2 scalars, no tags, no code, bounded size; and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pliant.errors import Fault, FileError
from pliant.model.files.document import FLOAT, MAX_DEPTH, MAX_NODES, Document, Path, scalar


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
