"""What a network is once its elements have places: ways of bonds, boxes of parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pliant.arrays import Array


@dataclass(frozen=True, slots=True)
class Outline:
    """The box of a part and its full name."""

    name: str
    low: Array
    high: Array


@dataclass(slots=True)
class Arranged:
    """Places of elements, ways of bonds from tail to head, boxes of parts; ``exits``: ways of bonds
    to others from their element to the edge of the box, by bond."""

    nodes: dict[str, Array] = field(default_factory=dict)
    ways: dict[str, Array] = field(default_factory=dict)
    exits: dict[str, Array] = field(default_factory=dict)
    parts: list[Outline] = field(default_factory=list)
    low: Array = field(default_factory=lambda: np.zeros(2))
    high: Array = field(default_factory=lambda: np.zeros(2))

    def moved(self, shift: Array) -> Arranged:
        """Somewhere else."""
        nodes, ways, exits = (
            {k: p + shift for k, p in d.items()} for d in (self.nodes, self.ways, self.exits)
        )
        parts = [Outline(p.name, p.low + shift, p.high + shift) for p in self.parts]
        return Arranged(nodes, ways, exits, parts, self.low + shift, self.high + shift)

    def take(self, part: Arranged) -> None:
        """Everything in a part, as it stands."""
        self.nodes |= part.nodes
        self.ways |= part.ways
        self.parts += part.parts


def cleaned(points: Sequence[Array]) -> Array:
    """Without corners that are none."""
    kept = [points[0]]
    for p in points[1:]:
        if np.abs(p - kept[-1]).max() > 0.01:
            kept.append(p)
    corners = [kept[0]]
    for (a, b), (_, c) in pairwise(pairwise(kept)):
        along, onward = b - a, c - b
        turn = along[0] * onward[1] - along[1] * onward[0]
        if abs(turn) > 1e-6 * float(np.linalg.norm(along) * np.linalg.norm(onward)):
            corners.append(b)
    return np.array([*corners, kept[-1]])
