"""What a text says and where: plain data, and the place of every key and every value in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from pliant.errors import Fault
from pliant.records import dataclass

Path = tuple[str, ...]
"""Keys, and indices of lists, from the whole file inwards."""
Span = tuple[int, int]
"""Start and end in the text, in code points."""

_ALIASES = {
    "frame": ("at", "frame"),
    "frame_a": ("between",),
    "frame_b": ("between",),
    "parent": ("between",),
    "child": ("between",),
    "coordinate": ("coordinate", "joint"),
    "translation": ("position", "velocity", "acceleration"),
    "angular": ("angular_velocity", "angular_acceleration"),
}
"""Fields of elements that files say by other keys."""


@dataclass
class Document:
    """Plain data (None, bool, int, float, str, list, dict), its places, faults found so far.

    A value's place is the value alone: without its key, its anchor, comments and line breaks
    around it; an empty value is an empty place.
    """

    data: Any = None
    lines: dict[Path, int] = field(default_factory=dict)
    """The line of every key."""
    faults: list[Fault] = field(default_factory=list)
    spans: dict[Path, Span] = field(default_factory=dict)
    """The place of every value; of an alias (`*leg`) the alias itself."""
    keys: dict[Path, Span] = field(default_factory=dict)
    """The place of every key, with its quotes."""
    shared: dict[Path, Path] = field(default_factory=dict)
    """Where an alias stands, and where what it stands for is written."""
    text: str = ""

    def placed(self, fault: Fault) -> Fault:
        """The fault with the place in the file it speaks of."""
        where, path = fault.where, self.nearest(fault.path)
        if not where and path in self.lines:
            where = f"line {self.lines[path]}"
        elif not where and fault.path and not self.lines:
            where = "at " + ".".join(fault.path)
        return replace(fault, where=where, span=fault.span or self.marked(fault.path))

    def line(self, path: Path) -> int:
        """The line of a path; of what encloses it if the path itself is not in the file."""
        return self.lines.get(self.nearest(path), 0)

    def span(self, path: Path) -> Span:
        """The place of a value; of what encloses it if it is not in the file."""
        path = self.nearest(path, keyed=False)
        return self.spans[path] if path else self.whole

    def entry(self, path: Path) -> Span:
        """The place of a key and its value; of an item of a list, of the item."""
        path = self.nearest(path, keyed=False)
        if not path:
            return self.whole
        value = self.spans[path]
        key = self.keys.get(path, value)
        return min(key[0], value[0]), max(key[1], value[1])

    def marked(self, path: Path) -> Span:
        """What to mark in the text when something is to be said of a path: key and value, the key
        alone of what takes several lines."""
        path = self.nearest(path, keyed=False)
        if not path:
            return self.whole
        start, end = self.entry(path)
        long = "\n" in self.text[start:end]
        return self.keys[path] if long and path in self.keys else (start, end)

    @property
    def whole(self) -> Span:
        """The whole text."""
        return 0, len(self.text)

    def nearest(self, path: Path, keyed: bool = True) -> Path:
        """The path itself, or that of the key of the file which comes nearest to it."""
        if path[:1] == ("events",) and ("stop", *path[1:2]) in self.keys:
            path = ("stop", *path[1:])
        path = self.written(path)
        known = self.keys if keyed else self.spans
        if path in known:
            return path
        for size in range(len(path) - 1, 0, -1):
            if path[:size] in known:
                return self._within(path[:size], path[size:])
        return ()

    def _within(self, element: Path, rest: Path) -> Path:
        """A key somewhere below an element; else the element."""
        if len(element) < 2:
            return element
        for name in reversed(rest):
            keys, size = _ALIASES.get(name, (name,)), len(element)
            inside = self._inside.get(element[:2], ())
            below = [p for p in inside if len(p) > size and p[:size] == element]
            found = [p for p in below if p[-1] in keys]
            if name == "motion":  # of a driver: the key is the name of a coordinate, or a level
                found = [p for p in below if p[-1] not in ("joint", "coordinate")]
            if found:
                return found[0]
        return element

    @cached_property
    def _inside(self) -> dict[Path, list[Path]]:
        """Paths of keys by the element that they are in."""
        found: dict[Path, list[Path]] = {}
        for path in self.keys:
            found.setdefault(path[:2], []).append(path)
        return found

    def written(self, path: Path) -> Path:
        """Where a value is written: behind an alias, where it was anchored."""
        for size in range(1, len(path) + 1 if self.shared else 0):
            if path[:size] in self.shared and size < len(path):
                return self.written((*self.shared[path[:size]], *path[size:]))
        return path

    def sharing(self, path: Path) -> list[Path]:
        """Everything that changes with the value at a path, itself first: the same value, seen
        through each alias of something it is in."""
        found = [self.written(path)]
        for one in found:
            for alias, anchored in self.shared.items():
                if one[: len(anchored)] == anchored:
                    found.append((*alias, *one[len(anchored) :]))
        return found


def value_at(data: Any, path: Path, missing: Any = None) -> Any:
    """What stands in plain data at a path; ``missing`` where there is nothing."""
    for key in path:
        if isinstance(data, Mapping) and key in data:
            data = data[key]
        elif isinstance(data, list) and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return missing
    return data
