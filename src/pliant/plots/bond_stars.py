"""A junction of a network with the elements that hang on it: above, below, or beside it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.plots.layered import Block, Layers

PITCH = 46.0
"""Pixels from a junction to what hangs above or below it."""
_BESIDE, _APART, _EDGE, _FAN = 40.0, 12.0, 6.0, 22.0


@dataclass(slots=True)
class Star:
    """A junction, or any other element with bonds to several; places about its own."""

    name: str
    places: dict[str, Array]
    block: Block
    track: float

    @staticmethod
    def reach(half: Array) -> float:
        """From the middle of a symbol to where its bonds run side by side."""
        return float(half[0]) + _FAN

    @classmethod
    def of(
        cls, name: str, halves: Mapping[str, Array], sources: Collection[str],
        sides: Mapping[str, str], track: float,
    ) -> Star:  # fmt: skip
        """``sides``: at which the other bonds of the junction leave, by bond. A source stands in
        line at a free left side, any element at a free right side."""
        own = halves[name]
        count = {s: sum(side == s for side in sides.values()) for s in ("left", "right")}
        places = {name: np.zeros(2)}
        waiting = [n for n in halves if n != name]
        for side, sign in (("left", -1.0), ("right", 1.0)):
            fitting = [n for n in waiting if (n in sources) == (side == "left")]
            if not count[side] and fitting:
                leaf = fitting[0]
                places[leaf] = np.array([sign * (own[0] + _BESIDE + halves[leaf][0]), 0.0])
                waiting.remove(leaf)
        fan = track * max(0, max(count.values()) - 1)
        upper = waiting[: (len(waiting) + 1) // 2]
        for row, sign in ((upper, -1.0), (waiting[len(upper) :], 1.0)):
            wide = sum(2 * halves[n][0] + _APART for n in row) - _APART
            x = -0.5 * wide
            for n in row:
                places[n] = np.array([x + halves[n][0], sign * (PITCH + fan)])
                x += 2 * halves[n][0] + _APART
        edge = {s: cls.reach(own) if count[s] > 1 else 0.0 for s in count}
        left = max(max(halves[n][0] - p[0] for n, p in places.items()), edge["left"]) + _EDGE
        right = max(max(halves[n][0] + p[0] for n, p in places.items()), edge["right"]) + _EDGE
        above = max(max(halves[n][1] - p[1] for n, p in places.items()), fan)
        below = max(max(halves[n][1] + p[1] for n, p in places.items()), fan)
        return cls(name, places, Block(left, right, above, below), track)

    def nodes(self, block: Block) -> dict[str, Array]:
        """Where everything stands."""
        return {n: p + np.array([block.x, block.y]) for n, p in self.places.items()}

    def fan_out(self, layers: Layers) -> None:
        """Bonds of one side leave at heights of their own; the most level one is straight."""
        for at_start in (True, False):
            rises = layers.rises(self.name, at_start)
            order = sorted(rises, key=lambda e: e[1])
            middle = min(range(len(order)), key=lambda i: abs(order[i][1]), default=0)
            for i, (span, _) in enumerate(order):
                off = self.track * (i - middle)
                if at_start:
                    span.start = off
                else:
                    span.end = off
