"""How the edges of a graph run: straight where the way is free, bent around what is in it.

An edge is a quadratic Bézier curve P(s) = (1-s)² a + 2 s (1-s) c + s² b whose control point c lies
beside the middle of its ends. Each edge takes the bend of least cost, in order: nodes that it would
touch, edges that it would run upon, and the bend itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass

_SAMPLES = 41
_CLEAR = 20.0
"""Pixels that an edge keeps from nodes it does not end at."""
_BESIDE = 9.0
"""Closer than this, two edges look like one."""
_BENDS = (0.0, 26.0, 52.0, 78.0, 110.0, 150.0)
_BEND = 0.03
"""Cost of a pixel of bend."""
_ARCS = (0.16, 0.24, 0.34, 0.46, 0.6)
"""Bends of arcs, as parts of the distance between their ends."""


@dataclass(frozen=True, slots=True)
class Curve:
    """From ``a`` to ``b`` with control point ``c``."""

    a: Array
    c: Array
    b: Array

    def at(self, s: Array | float) -> Array:
        """Points of the curve."""
        s = np.asarray(s, dtype=np.float64)[..., None]
        return np.asarray((1 - s) ** 2 * self.a + 2 * s * (1 - s) * self.c + s**2 * self.b)

    def direction(self, s: float) -> Array:
        """Unit tangent."""
        slope = 2 * (1 - s) * (self.c - self.a) + 2 * s * (self.b - self.c)
        return np.asarray(slope / max(float(np.linalg.norm(slope)), 1e-9))


@dataclass(frozen=True, slots=True)
class Ends:
    """An edge to be drawn; ``arc``: always bent, a light line behind the mechanism."""

    tail: int
    head: int
    arc: bool = False


def curves(nodes: Array, edges: Sequence[Ends]) -> list[Curve]:
    """The curve of least cost for each edge; earlier edges have the better way."""
    found: list[Curve] = []
    taken = np.zeros((0, 2))
    for edge in edges:
        least, best = np.inf, None
        for curve, bend in _options(nodes, edge):
            if _BEND * abs(bend) >= least:  # a stronger one can no longer be cheaper
                break
            cost = _BEND * abs(bend) + _touched(curve, nodes, edge)
            if cost < least:
                cost += _covered(curve, taken)
            if cost < least:
                least, best = cost, curve
        assert best is not None
        found.append(best)
        taken = np.vstack([taken, best.at(np.linspace(0.1, 0.9, _SAMPLES))])
    return found


def _options(nodes: Array, edge: Ends) -> list[tuple[Curve, float]]:
    a, b = nodes[edge.tail], nodes[edge.head]
    along = b - a
    length = float(np.linalg.norm(along))
    # A normal that does not depend on the direction of the edge keeps parallel edges apart.
    if (along[0], along[1]) < (0.0, 0.0):
        along = -along
    normal = np.array([-along[1], along[0]]) / max(length, 1e-9)
    bends = [f * length for f in _ARCS if f * length > 20] if edge.arc else []
    bends += [h for h in _BENDS if h or not edge.arc]
    signed = [s * h for h in sorted(bends) for s in ((1, -1) if h else (1,))]
    return [(Curve(a, (a + b) / 2 + 2 * h * normal, b), h) for h in signed]


def _touched(curve: Curve, nodes: Array, edge: Ends) -> float:
    """Cost of nodes that a curve comes too close to."""
    points = curve.at(np.linspace(0.1, 0.9, _SAMPLES))
    others = _around(points, np.delete(nodes, (edge.tail, edge.head), axis=0), _CLEAR)
    if not len(others):
        return 0.0
    near = _nearest(points, others).min(axis=0)
    return float((60 * np.clip(1 - near / _CLEAR, 0, None) + 30 * (near < _CLEAR)).sum())


def _covered(curve: Curve, taken: Array) -> float:
    """Cost of running upon other curves; those of one node meet at their ends."""
    cut = 0.1 + 0.8 / 5
    inner = curve.at(np.linspace(cut, 1 - cut, _SAMPLES - 2 * (_SAMPLES // 5)))
    beside = _around(inner, taken, _BESIDE)
    if not len(beside):
        return 0.0
    return 1.6 * float((_nearest(inner, beside).min(axis=1) < _BESIDE).sum())


def _around(points: Array, others: Array, distance: float) -> Array:
    """Those of other points that can be within a distance."""
    low, high = points.min(axis=0) - distance, points.max(axis=0) + distance
    x, y = others[:, 0], others[:, 1]
    inside = (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])
    return np.asarray(others[inside])


def _nearest(a: Array, b: Array) -> Array:
    """Distances between two sets of points."""
    step = a[:, None] - b[None]
    return np.asarray(np.hypot(step[..., 0], step[..., 1]))
