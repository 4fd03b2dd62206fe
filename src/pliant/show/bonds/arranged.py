"""Boxes of a bond graph beside each other: a junction with its elements, a part of a network, a
group. Each knows the places of its elements; ``joined`` puts them in columns and draws the bonds
between them, and the whole is such a box again.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond
from pliant.records import dataclass
from pliant.show.graphs.layered import Block, Layers, Span

Side = Literal["left", "right", "top", "bottom"]
Place = tuple[float, float]
"""Where the user put an element: to the right and down, in units of a grid."""
TRACK = 16.0
"""Distance of bonds that run side by side."""
_FAN = 22.0
"""From a symbol to where its bonds run side by side."""


@dataclass(frozen=True, slots=True)
class Outline:
    """The box of a group or part and its full name; ``at``: the place by which it is put somewhere,
    of parts."""

    name: str
    low: Array
    high: Array
    at: Array | None = None

    def moved(self, shift: Array) -> Outline:
        """Somewhere else."""
        at = None if self.at is None else self.at + shift
        return Outline(self.name, self.low + shift, self.high + shift, at)


@dataclass(slots=True)
class Arranged:
    """Places of elements, of the names of frames, and of Sf:0 at junctions; ways of bonds from tail
    to head; ``exits``: ways of bonds to others from their element to the edge of the box, by bond
    and element."""

    nodes: dict[str, Array] = field(default_factory=dict)
    low: Array = field(default_factory=lambda: np.zeros(2))
    high: Array = field(default_factory=lambda: np.zeros(2))
    frames: dict[str, Array] = field(default_factory=dict)
    held: dict[str, Array] = field(default_factory=dict)
    ways: dict[str, Array] = field(default_factory=dict)
    exits: dict[tuple[str, str], Array] = field(default_factory=dict)
    boxes: list[Outline] = field(default_factory=list)

    def moved(self, shift: Array) -> Arranged:
        """Somewhere else."""
        kept = (self.nodes, self.frames, self.held, self.ways)
        nodes, frames, held, ways = ({k: p + shift for k, p in d.items()} for d in kept)
        exits = {k: way + shift for k, way in self.exits.items()}
        boxes = [b.moved(shift) for b in self.boxes]
        low, high = self.low + shift, self.high + shift
        return Arranged(nodes, low, high, frames, held, ways, exits, boxes)

    def take(self, part: Arranged) -> None:
        """Everything in a part, as it stands; it has no more bonds to others."""
        for own, other in ((self.nodes, part.nodes), (self.frames, part.frames),
                           (self.held, part.held), (self.ways, part.ways)):  # fmt: skip
            own |= other
        self.boxes += part.boxes

    def exit(self, bond: str, node: str) -> Array:
        """The way (n, 2) of a bond within the box, from its node on."""
        known = self.exits.get((bond, node))
        return self.nodes[node][None] if known is None else known

    def around(self, name: str, at: Array | None = None) -> Arranged:
        """The same with its box as one to draw; ``at``: the place by which it is put."""
        self.boxes.insert(0, Outline(name, self.low, self.high, at))
        return self


@dataclass(frozen=True, slots=True)
class Link:
    """A bond between two boxes, by name, and the sides at which it leaves them; tail first."""

    bond: Bond
    boxes: tuple[Hashable, Hashable]
    sides: tuple[Side, Side]


def joined(
    items: Mapping[Any, Arranged], columns: Mapping[Any, int], links: Sequence[Link],
    halves: Mapping[str, Array], gap: float, gutter: float,
) -> Arranged:  # fmt: skip
    """Boxes in their columns, with the ways of the bonds between them. ``halves``: half sizes of
    symbols."""
    blocks: dict[Hashable, Block] = {
        k: Block(float(-b.low[0]), float(b.high[0]), float(-b.low[1]), float(b.high[1]), columns[k])
        for k, b in items.items()
    }
    spans, orders = [], []
    for link in links:
        nodes = link.bond.tail, link.bond.head
        order = sorted((0, 1), key=lambda i: (columns[link.boxes[i]], link.sides[i]))
        exits = [items[link.boxes[i]].exit(link.bond.name, nodes[i]) for i in order]
        y = [float(way[-1][1]) for way in exits]
        a, b = order
        turned = link.sides[a] == "left", link.sides[b] == "right"
        spans.append(Span(link.boxes[a], link.boxes[b], y[0], y[1], turned))
        orders.append((order, y))
    layers = Layers(blocks, spans, gap, TRACK, gutter)
    layers.place()
    layers.spread()
    placed = {k: b.moved(np.array([blocks[k].x, blocks[k].y])) for k, b in items.items()}
    found = Arranged()
    for part in placed.values():
        found.take(part)
    for link, span, way, (order, y) in zip(links, spans, layers.ways(), orders, strict=True):
        stubs = {}
        for i, off in zip(order, (span.start - y[0], span.end - y[1]), strict=True):
            node = (link.bond.tail, link.bond.head)[i]
            stubs[i] = list(placed[link.boxes[i]].exit(link.bond.name, node))
            if off:
                reach = (halves[node][0] + _FAN) * (-1 if link.sides[i] == "left" else 1)
                stubs[i].append(stubs[i][-1] + np.array([reach, off]))
        points = [*stubs[0], *way[:: 1 if order[0] == 0 else -1], *stubs[1][::-1]]
        found.ways[link.bond.name] = cleaned(points)
    own = [blocks[k] for k in items]
    found.low = np.array([layers.sides[0][0], min(b.y - b.above for b in own)])
    found.high = np.array([layers.sides[-1][1], max(b.y + b.below for b in own)])
    return found


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
