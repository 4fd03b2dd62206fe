"""A bond as lines: its way between two symbols, half arrow, causal strokes."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond, Causality
from pliant.records import dataclass
from pliant.show.graphs.shapes import Line

COLOURS = {"translation": "#1f5a94", "rotation": "#b4481a", "electrical": "#b58900",
           "hydraulic": "#0b8a6a", "thermal": "#a02c5a", "": "#4a525c"}  # fmt: skip
"""By domain; bonds of no or of mixed domain are grey."""
DOUBLE, INNER, SINGLE = 4.4, 1.8, 1.5
_BARB, _SPREAD, _STROKE = 11.0, 5.5, 7.0
_GAP = np.array([4.0, 3.5])
"""Pixels between a symbol and its bonds."""

_OBLIQUE = 4.0
"""More of it where a bond leaves at 45 degrees, so that strokes keep off the symbol."""


@dataclass(frozen=True, slots=True)
class Ends:
    """How many components of a bond receive the effort at its tail and at its head."""

    tail: int
    head: int

    @classmethod
    def of(cls, causality: Causality, bond: int) -> Ends:
        dim = causality.graph.bonds[bond].dim
        head = sum(causality.stroke(bond, k) == "head" for k in range(dim))
        return cls(dim - head, head)

    @property
    def is_mixed(self) -> bool:
        return bool(self.tail and self.head)

    @property
    def text(self) -> str:
        """In words."""
        if self.is_mixed:
            return f"effort given to the head in {self.head} components, to the tail in {self.tail}"
        return f"effort given to the {'head' if self.head else 'tail'}"


def trimmed(points: Array, tail: Array, head: Array) -> Array:
    """The part of a way outside the boxes (half sizes) around its two ends."""
    points = _from_box(points, tail + _GAP)
    return _from_box(points[::-1], head + _GAP)[::-1]


def _from_box(points: Array, half: Array) -> Array:
    centre = points[0]
    outside = (np.abs(points - centre) > half).any(axis=1)
    if not outside.any():
        return points
    k = int(np.argmax(outside))
    a, b = points[k - 1], points[k]
    step = b - a
    s = [((np.sign(d) * h - (p - c)) / d) for d, h, p, c in zip(step, half, a, centre, strict=True)
         if abs(d) > 1e-9]  # fmt: skip
    length = float(np.linalg.norm(step))
    oblique = 2 * abs(float(step[0] * step[1])) / length**2
    start = min(s) + _OBLIQUE * oblique / length
    return np.vstack([a + min(max(start, 0.0), 0.95) * step, points[k:]])


def bond_lines(bond: Bond, way: Array, ends: Ends) -> list[Line]:
    """The line (double for a vector), the half arrow at its head, the strokes."""
    colour = COLOURS.get(bond.domain, COLOURS[""])
    what = f", {bond.domain}" if bond.domain else ""
    title = f"{bond.name}: {bond.tail} → {bond.head}, dimension {bond.dim}{what}; {ends.text}"
    vector = bond.dim > 1
    shapes = [
        Line(way, colour, DOUBLE if vector else SINGLE, kind="bond", name=bond.name, title=title)
    ]
    if vector:
        shapes.append(Line(way, "#ffffff", INNER))
    tip, along = way[-1], _direction(way[::-1])
    across = np.array([-along[1], along[0]])
    side = 0.5 * (DOUBLE if vector else 0.0)
    barb = np.array([tip + side * across, tip + _BARB * along + (side + _SPREAD) * across])
    shapes.append(Line(barb, colour, 1.6))
    for count, points in ((ends.tail, way), (ends.head, way[::-1])):
        if count:
            along = _direction(points)
            across = _STROKE * np.array([-along[1], along[0]])
            stroke = np.array([points[0] - across, points[0] + across])
            shapes.append(Line(stroke, "#20262e", 2.0, ends.is_mixed, kind="stroke"))
    return shapes


def _direction(way: Array) -> Array:
    """Unit vector from the first point towards the second."""
    step = way[1] - way[0]
    return np.asarray(step / max(float(np.linalg.norm(step)), 1e-9))
