"""Where the texts of a multibond graph may stand, and what each place costs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from pliant.arrays import Array
from pliant.plots.graph_labels import Name, text_half

SMALL = 9.5
_OFF = (3.6, 5.6)
"""Pixels between the middle of a bond and its dimension."""
_ALONG = np.array([0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9])
_SHORT = 12.0
"""Parts of a way that are shorter have no text beside them."""


def beside(text: str, way: Array) -> Name:
    """Beside any of the straight parts of a way, rather at the middle of a long and level one."""
    half = text_half(text, SMALL)
    parts = [(a, b) for a, b in pairwise(way)]
    worth = [_worth(a, b) for a, b in parts]
    places, costs = [], []
    for (a, b), own in zip(parts, worth, strict=True):
        length = float(np.linalg.norm(b - a))
        if length < _SHORT and own < max(worth):
            continue
        along = (b - a) / max(length, 1e-9)
        for side in (1.0, -1.0):
            normal = side * np.array([along[1], -along[0]])
            for off in _OFF:
                reach = float(np.abs(normal) @ half) + off
                places.append(a + _ALONG[:, None] * (b - a) + reach * normal)
                costs.append(14 * np.abs(_ALONG - 0.5) + off + 0.02 * (max(worth) - own))
    return Name(text, SMALL, np.vstack(places), np.concatenate(costs))


def _worth(a: Array, b: Array) -> float:
    """Length of a straight part; half of it if it is upright."""
    step = np.abs(b - a)
    return float(np.linalg.norm(step)) * (0.5 if step[0] < step[1] else 1.0)


def headline(text: str, size: float, low: Array, high: Array) -> Name:
    """At the top of a box, in its middle if possible."""
    half = text_half(text, size)
    middle, y = 0.5 * (low[0] + high[0]), low[1] + half[1] + 5
    room = max(0.0, 0.5 * (high[0] - low[0]) - half[0] - 6)
    shifts = np.linspace(-1, 1, 21) * room
    places = np.column_stack([middle + shifts, np.full(len(shifts), y)])
    return Name(text, size, places, np.abs(shifts))


def near(text: str, size: float, at: Array) -> Name:
    """At a place, or somewhat above, below or beside it."""
    half = text_half(text, size)
    steps = np.array([(x, y) for y in (0, -6, 6, -12, 12) for x in (0, -0.5, 0.5, -1, 1)])
    places = at + steps * np.array([2 * half[0], 1.0])
    return Name(text, size, places, np.abs(steps) @ np.array([20.0, 1.0]))
