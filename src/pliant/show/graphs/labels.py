"""Where names stand: beside their edge or body, off nodes, lines and other names.

Each name has candidates and takes the cheapest that is free. What is drawn lies in the cells of a
grid, so that a name looks only at what is near it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.show.graphs.curves import Curve

_WIDE, _HIGH = 0.6, 1.1
"""Width of a letter and height of a line, in font sizes."""
_ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
_OFF = (0.0, 7.0, 16.0, 30.0, 50.0)
Box = tuple[float, float, float, float]
"""Centre and half sizes."""
_CELL = 48.0
_SOLID = 40
"""A text upon a box costs as much as upon so many lines."""


@dataclass(frozen=True, slots=True)
class Name:
    """A text and the places (centres) where it may stand, with what each costs."""

    text: str
    size: float
    places: Array
    costs: Array

    @property
    def half(self) -> Array:
        """Half of width and height."""
        return text_half(self.text, self.size)


def text_half(text: str, size: float) -> Array:
    """Half of width and height of a text, on the safe side."""
    return np.array([0.5 * _WIDE * len(text), 0.5 * _HIGH]) * size


def beside_curve(text: str, size: float, curve: Curve, off: float = 6.5) -> Name:
    """A name on either side of a curve, near its middle if possible."""
    half = text_half(text, size)
    places, costs = [], []
    for s in _ALONG:
        point, along = curve.at(s), curve.direction(s)
        for side in (1.0, -1.0):
            normal = side * np.array([along[1], -along[0]])
            reach = float(np.abs(normal) @ half) + off
            for more in _OFF:
                places.append(point + normal * (reach + more))
                costs.append(14 * abs(s - 0.5) + 0.5 * more)
    return Name(text, size, np.array(places), np.array(costs))


def around_point(text: str, size: float, point: Array, off: float) -> Name:
    """A name around a point, below it if possible."""
    half = text_half(text, size)
    places, costs = [], []
    for k in range(24):
        angle = np.pi / 2 + (k + 1) // 2 * (1 if k % 2 else -1) * np.pi / 12
        ray = np.array([np.cos(angle), np.sin(angle)])
        for more in _OFF:
            places.append(
                point + ray * (off + more) + np.sign(np.round(ray, 6)) * half * np.abs(ray)
            )
            costs.append(0.1 * k + 0.5 * more)
    return Name(text, size, np.array(places), np.array(costs))


class LabelPlacer:
    """Boxes and straight lines by the cells they touch; ``cost`` of a text upon a line."""

    def __init__(self, cost: float = 1000.0) -> None:
        self._cost = cost
        self._boxes: dict[tuple[int, int], list[tuple[Box, int]]] = {}
        self._lines: dict[tuple[int, int], list[tuple[float, float, float, float]]] = {}

    def add_box(self, centre: Array, half: Array) -> None:
        box = (float(centre[0]), float(centre[1]), float(half[0]), float(half[1]))
        for cell in _cells(box):
            self._boxes.setdefault(cell, []).append((box, _SOLID))

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
                self._boxes.setdefault(cell, []).append((box, 1))
            else:
                self._lines.setdefault(cell, []).append((x0, y0, x1, y1))

    def hits(self, box: Box) -> int:
        """How many lines a box would cover; another box counts as several."""
        boxes, lines = set[tuple[Box, int]](), set[tuple[float, float, float, float]]()
        for cell in _cells(box):
            boxes.update(
                (b, weight) for b, weight in self._boxes.get(cell, ())
                if abs(b[0] - box[0]) < b[2] + box[2] and abs(b[1] - box[1]) < b[3] + box[3]
            )  # fmt: skip
            lines.update(s for s in self._lines.get(cell, ()) if _cut(s, box))
        return sum(weight for _, weight in boxes) + len(lines)

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
                cost += self._cost * self.hits((float(x), float(y), float(half[0]), float(half[1])))
                if cost < least:
                    least, best = cost, name.places[k]
            self.add_box(best, half)
            yield best


def _cells(box: Box) -> Iterator[tuple[int, int]]:
    x, y, wide, high = box
    for i in range(int((x - wide) // _CELL), int((x + wide) // _CELL) + 1):
        for j in range(int((y - high) // _CELL), int((y + high) // _CELL) + 1):
            yield i, j


def _cut(line: tuple[float, float, float, float], box: Box) -> bool:
    """Whether a line passes through a box: no axis, and not the normal of the line, parts them."""
    x0, y0, x1, y1 = line
    x, y, wide, high = box
    dx, dy = (x1 - x0) / 2, (y1 - y0) / 2
    cx, cy = (x0 + x1) / 2 - x, (y0 + y1) / 2 - y
    if abs(cx) >= wide + abs(dx) or abs(cy) >= high + abs(dy):
        return False
    return abs(cx * dy - cy * dx) < wide * abs(dy) + high * abs(dx)
