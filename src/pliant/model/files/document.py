"""A file as plain data, with the line of everything in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

from pliant.errors import Fault

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
