"""Where names stand: beside their edge or body, off nodes, lines and other names.

Each name has candidates; in a few rounds each takes the one of least cost, given the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.plots.graph_curves import Curve

_WIDE, _HIGH = 0.6, 1.1
"""Width of a letter and height of a line, in font sizes."""
_ALONG = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)
_OFF = (0.0, 7.0, 16.0, 30.0, 50.0)
_MARGIN = 3.0
_ROUNDS = 3


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


def settle(names: Sequence[Name], nodes: Array, radius: float, lines: Array) -> list[Array]:
    """A centre for each name; ``lines`` are points on everything that is drawn as a line."""
    fixed = [_standing(n, nodes, radius, lines) for n in names]
    chosen = [n.places[int(np.argmin(cost))] for n, cost in zip(names, fixed, strict=True)]
    halves = np.array([n.half for n in names]).reshape(-1, 2)
    for _ in range(_ROUNDS):
        for k, name in enumerate(names):
            others = np.delete(np.array(chosen), k, axis=0)
            boxes = np.delete(halves, k, axis=0)
            hits = 40 * _overlaps(name, others, boxes + 1) + 3 * _overlaps(name, others, boxes + 9)
            chosen[k] = name.places[int(np.argmin(fixed[k] + hits))]
    return chosen


def _standing(name: Name, nodes: Array, radius: float, lines: Array) -> Array:
    """Cost of every place as to what does not move."""
    on_nodes = _overlaps(name, nodes, np.full((len(nodes), 2), radius + _MARGIN))
    on_lines = _overlaps(name, lines, np.full((len(lines), 2), 1.0))
    return np.asarray(name.costs + 200 * on_nodes + 4 * np.minimum(on_lines, 12))


def _overlaps(name: Name, centres: Array, halves: Array) -> Array:
    """How many boxes each place of a name would overlap."""
    if not len(centres):
        return np.zeros(len(name.places))
    reach = name.half + halves.max(axis=0)
    low, high = name.places.min(axis=0) - reach, name.places.max(axis=0) + reach
    x, y = centres[:, 0], centres[:, 1]
    near = (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])
    centres, halves = centres[near], halves[near]
    step = np.abs(name.places[:, None] - centres[None])
    room = name.half + halves
    hit = (step[..., 0] < room[:, 0]) & (step[..., 1] < room[:, 1])
    return np.asarray(hit.sum(axis=1), dtype=np.float64)
