"""Places for texts where nothing else is: what is drawn lies in the cells of a grid, so that a text
looks only at what is near it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pliant.arrays import Array
from pliant.plots.graph_labels import Name

Box = tuple[float, float, float, float]
"""Centre and half sizes."""

_CELL = 48.0
_BLOCKED = 1000.0
"""Cost of every thing that a text would stand upon."""


class Occupied:
    """Boxes and straight lines by the cells they touch."""

    def __init__(self) -> None:
        self._boxes: dict[tuple[int, int], list[Box]] = {}
        self._lines: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}

    def add_box(self, centre: Array, half: Array) -> None:
        box = (float(centre[0]), float(centre[1]), float(half[0]), float(half[1]))
        for cell in _cells(box):
            self._boxes.setdefault(cell, []).append(box)

    def add_line(self, points: Array, wide: float) -> None:
        """Straight from point to point; ``wide``: half of what is kept free of texts."""
        for a, b in pairwise(points.tolist()):
            reach = max(abs(b[0] - a[0]), abs(b[1] - a[1]))
            pieces = max(1, int(reach / _CELL))
            for k in range(pieces):
                p, q = k / pieces, (k + 1) / pieces
                x0, x1 = (a[0] + s * (b[0] - a[0]) for s in (p, q))
                y0, y1 = (a[1] + s * (b[1] - a[1]) for s in (p, q))
                self._piece(x0, y0, x1, y1, wide)

    def _piece(self, x0: float, y0: float, x1: float, y1: float, wide: float) -> None:
        box = ((x0 + x1) / 2, (y0 + y1) / 2, abs(x1 - x0) / 2 + wide, abs(y1 - y0) / 2 + wide)
        level = abs(x1 - x0) < 0.5 or abs(y1 - y0) < 0.5
        for cell in _cells(box):
            if level:
                self._boxes.setdefault(cell, []).append(box)
            else:
                self._lines.setdefault(cell, []).append((x0, y0, x1, y1))

    def hits(self, box: Box) -> int:
        """How many things a box would cover."""
        boxes, lines = set[Box](), set[tuple[float, float, float, float]]()
        for cell in _cells(box):
            boxes.update(b for b in self._boxes.get(cell, ()) if _meet(b, box))
            lines.update(s for s in self._lines.get(cell, ()) if _cut(s, box))
        return len(boxes) + len(lines)

    def settle(self, names: Sequence[Name]) -> Iterator[Array]:
        """A centre for each name, the cheapest that is free; it is taken then."""
        for name in names:
            half = name.half
            order = np.argsort(name.costs, kind="stable")
            least, best = np.inf, name.places[order[0]]
            for k in order:
                cost = float(name.costs[k])
                if cost >= least:
                    break
                x, y = name.places[k]
                cost += _BLOCKED * self.hits((float(x), float(y), float(half[0]), float(half[1])))
                if cost < least:
                    least, best = cost, name.places[k]
            self.add_box(best, half)
            yield best


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    x, y, wide, high = box
    for i in range(int((x - wide) // _CELL), int((x + wide) // _CELL) + 1):
        for j in range(int((y - high) // _CELL), int((y + high) // _CELL) + 1):
            yield i, j


def _meet(a: Box, b: Box) -> bool:
    return abs(a[0] - b[0]) < a[2] + b[2] and abs(a[1] - b[1]) < a[3] + b[3]


def _cut(line: tuple[float, float, float, float], box: Box) -> bool:
    """Whether a line passes through a box: no axis, and not the normal of the line, parts them."""
    x0, y0, x1, y1 = line
    x, y, wide, high = box
    dx, dy = (x1 - x0) / 2, (y1 - y0) / 2
    cx, cy = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
    if abs(cx) >= wide + abs(dx) or abs(cy) >= high + abs(dy):
        return False
    return abs(cx * dy - cy * dx) < wide * abs(dy) + high * abs(dx)
