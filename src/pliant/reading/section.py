"""Further parts of readable equations: a title with lines "left = right"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pliant.reading.algebra import Matrix, Value, folded, text
from pliant.reading.parts import Part, Row
from pliant.reading.printing import Typeset
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """left = right; the right side is a value, or a column of three."""

    left: str
    left_latex: str
    right: Value | Matrix
    owner: str = ""
    """What it is said of: a coordinate or a body."""

    @property
    def values(self) -> list[Value]:
        return [self.right] if isinstance(self.right, Value) else list(self.right)

    @property
    def text(self) -> str:
        written = [text(x) for x in self.values]
        one = isinstance(self.right, Value)
        return f"{self.left} = {written[0] if one else '[' + ', '.join(written) + ']'}"

    def row(self, printer: Typeset) -> Row:
        """The same in the language of a printer."""
        one = isinstance(self.right, Value)
        written = [printer.written(x) for x in self.values]
        right = written[0] if one else printer.column(written)
        return Row(self.left, self.owner, printer.given(self.left_latex), right)


@dataclass(frozen=True, slots=True)
class Section:
    """What is printed after the equations of motion."""

    title: str
    lines: tuple[Line, ...]

    @property
    def values(self) -> list[Value]:
        """All that is printed."""
        return [x for line in self.lines for x in line.values]

    def text(self, width: int) -> list[str]:
        """Title and lines."""
        return ["", self.title, *(folded(f"  {line.text}", width, 6) for line in self.lines)]

    def part(self, printer: Typeset) -> Part:
        """The same in the language of a printer."""
        return Part(self.title, [line.row(printer) for line in self.lines])

    def changed(self, change: Callable[[Any], Any]) -> Section:
        """With every right side changed."""
        lines = tuple(replace(line, right=change(line.right)) for line in self.lines)
        return replace(self, lines=lines)
