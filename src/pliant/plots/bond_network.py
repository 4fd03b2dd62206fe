"""A network in its box: junctions with their elements as stars, parts as boxes within the box.

Every level of parts is a graph of its own, in columns (``layered``): a star is a junction with the
elements that hang on it alone, above and below it, or at the side where nothing follows; a part is
a box whose bonds to others leave it at its left or right. Bonds run level and upright.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from pliant.arrays import Array
from pliant.graphs.bonds import Bond, BondGraph
from pliant.plots.bond_arranged import Arranged, Outline, cleaned
from pliant.plots.layered import Block, Layers, Span, columns_of, potential

PITCH = 46.0
"""Pixels from a junction to what hangs above or below it."""
_BESIDE, _APART, _EDGE, _FAN = 40.0, 12.0, 6.0, 22.0
Side = Literal["left", "right"]
TRACK = 16.0
_PAD, _TITLE, _GAP, _GUTTER = 13.0, 17.0, 12.0, 40.0
_SOURCES = frozenset({"Se", "Sf"})
_WHOLE = ""


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


def part_paths(graph: BondGraph, network: str, nodes: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The parts in which every element of a network stands, from outer to inner."""
    start = f"{network}." if network else ""
    owners = {n: graph.nodes[n].owner for n in nodes}
    return {
        n: tuple(owner.removeprefix(start).split(".")) if owner not in (network, _WHOLE) else ()
        for n, owner in owners.items()
    }


def arranged(
    graph: BondGraph, network: str, halves: Mapping[str, Array], sides: Mapping[str, Side]
) -> Arranged:
    """A network; ``halves``: half sizes of its symbols; ``sides``: where bonds to others leave."""
    paths = part_paths(graph, network, list(halves))
    bonds = [b for b in graph.bonds if b.tail in halves or b.head in halves]
    return _Level(graph, network, (), paths, bonds, halves, sides).arranged()


@dataclass
class _Level:
    """The network, or a part of it by its path."""

    graph: BondGraph
    network: str
    path: tuple[str, ...]
    paths: Mapping[str, tuple[str, ...]]
    bonds: Sequence[Bond]
    """Those with an end in it."""
    halves: Mapping[str, Array]
    sides: Mapping[str, Side]

    def arranged(self) -> Arranged:
        """Columns, then the blocks that know their sides, then heights and ways."""
        columns = self._columns()
        stars = dict[Hashable, Star]()
        parts = dict[Hashable, Arranged]()
        for k in self.items:
            if isinstance(k, str):
                stars[k] = self._star(k, columns)
            elif isinstance(k, tuple):
                parts[k] = self._part(k, columns)
        last = max(columns.values(), default=0)
        blocks: dict[Hashable, Block] = {}
        for k in self.items:
            b = stars[k].block if k in stars else _block(parts[k])
            b.column = columns[k]
            blocks[k] = b
        for bond, side in self.ports.items():
            half = 0.5 * TRACK
            column = -1 if side == "left" else last + 1
            blocks["port", bond] = Block(0, 0, half, half, column)
        if "left" in self.ports.values():
            for b in blocks.values():
                b.column += 1
        spans = [self._span(bond, blocks, parts) for bond in self.links]
        layers = Layers(blocks, spans, _GAP, TRACK, _GUTTER)
        layers.place()
        for star in stars.values():
            star.fan_out(layers)
        layers.align()
        layers.spread()
        return self._drawn(layers, stars, parts)

    # --- what there is

    @cached_property
    def items(self) -> list[Hashable]:
        """Names of elements with bonds of their own, and paths of parts."""
        found = dict[Hashable, None]()
        for node in self.halves:
            if self._is_within(node) and node not in self.leaves:
                found[self._item(node)] = None
        return list(found)

    @cached_property
    def leaves(self) -> dict[str, Bond]:
        """Elements of this level that hang on one junction of it, with their bonds."""
        found = {}
        for node in self.halves:
            attached = self.graph.attached(node)
            if self.paths[node] != self.path or len(attached) != 1:
                continue
            if self.graph.nodes[node].is_junction:
                continue
            bond = self.graph.bonds[attached[0][0]]
            other = bond.head if bond.tail == node else bond.tail
            is_here = self.paths.get(other) == self.path
            if is_here and self.graph.nodes[other].is_junction:
                found[node] = bond
        return found

    @cached_property
    def links(self) -> list[Bond]:
        """Bonds between items, and between an item and the outside."""
        own = {b.name for b in self.leaves.values()}
        return [b for b in self.bonds
                if b.name not in own and self._end(b, b.tail) != self._end(b, b.head)]  # fmt: skip

    @cached_property
    def partners(self) -> dict[Hashable, list[tuple[Bond, Hashable]]]:
        """What every item is linked to."""
        found: dict[Hashable, list[tuple[Bond, Hashable]]] = {}
        for bond in self.links:
            a, b = self._end(bond, bond.tail), self._end(bond, bond.head)
            found.setdefault(a, []).append((bond, b))
            found.setdefault(b, []).append((bond, a))
        return found

    @cached_property
    def hanging(self) -> dict[str, list[str]]:
        """The leaves of every junction."""
        found: dict[str, list[str]] = {}
        for leaf, bond in self.leaves.items():
            found.setdefault(bond.head if bond.tail == leaf else bond.tail, []).append(leaf)
        return found

    @cached_property
    def ports(self) -> dict[str, Side]:
        """Sides of the bonds to the outside."""
        return {b.name: self.sides[b.name] for b in self.bonds
                if not (self._is_within(b.tail) and self._is_within(b.head))}  # fmt: skip

    def _is_within(self, node: str) -> bool:
        return node in self.paths and self.paths[node][: len(self.path)] == self.path

    def _item(self, node: str) -> Hashable:
        path = self.paths[node]
        return path[: len(self.path) + 1] if len(path) > len(self.path) else node

    def _end(self, bond: Bond, node: str) -> Hashable:
        return self._item(node) if self._is_within(node) else ("port", bond.name)

    # --- columns

    def _columns(self) -> dict[Hashable, int]:
        """Sources at one end, bonds to the outside at the sides where they leave."""
        number = {k: i for i, k in enumerate(self.items)}
        edges, ends = [], dict[int, float]()
        for bond in self.links:
            a, b = self._end(bond, bond.tail), self._end(bond, bond.head)
            if a in number and b in number:
                edges.append((number[a], number[b]))
            else:
                item = number[a if a in number else b]
                ends[item] = 0.0 if self.ports[bond.name] == "left" else 1.0
        values = set(ends.values())
        if len(values) < 2:
            start = 1.0 if values == {0.0} else 0.0
            ends = {number[k]: start for k in self._fed()} | ends
        found = potential(len(number), edges, ends)
        if set(ends.values()) == {1.0}:
            found = -found
        columns = columns_of(len(number), edges, found)
        return {k: columns[i] for k, i in number.items()}

    def _fed(self) -> list[Hashable]:
        """Items with a source in them."""
        nodes = [n for n in self.halves
                 if self._is_within(n) and self.graph.nodes[n].kind in _SOURCES]  # fmt: skip
        found = []
        for n in nodes:
            bond = self.leaves.get(n)
            on = n if bond is None else bond.head if bond.tail == n else bond.tail
            found.append(self._item(on))
        return found

    def _facing(self, item: Hashable, columns: Mapping[Hashable, int]) -> dict[str, Side]:
        """The sides at which the bonds of an item leave it."""
        found: dict[str, Side] = {}
        for bond, other in self.partners.get(item, ()):
            if other in columns:
                found[bond.name] = "right" if columns[other] > columns[item] else "left"
            else:
                found[bond.name] = self.ports[bond.name]
        return found

    # --- blocks

    def _star(self, node: str, columns: Mapping[Hashable, int]) -> Star:
        leaves = self.hanging.get(node, [])
        sizes = {n: self.halves[n] for n in (node, *leaves)}
        sources = {n for n in leaves if self.graph.nodes[n].kind in _SOURCES}
        return Star.of(node, sizes, sources, self._facing(node, columns), TRACK)

    def _part(self, path: tuple[str, ...], columns: Mapping[Hashable, int]) -> Arranged:
        sides = self._facing(path, columns)
        level = _Level(self.graph, self.network, path, self.paths, [], self.halves, sides)
        level.bonds = [b for b in self.bonds
                       if level._is_within(b.tail) or level._is_within(b.head)]  # fmt: skip
        found = level.arranged()
        middle = np.array([0.5 * (found.low[0] + found.high[0]), _mean_exit(found)])
        name = ".".join([self.network, *path] if self.network else path)
        found.parts.insert(0, Outline(name, found.low, found.high))
        return found.moved(-middle)

    def _span(
        self, bond: Bond, blocks: Mapping[Hashable, Block], parts: Mapping[Hashable, Arranged]
    ) -> Span:
        ends = [self._end(bond, bond.tail), self._end(bond, bond.head)]
        ends.sort(key=lambda k: blocks[k].column)
        y = [parts[k].exits[bond.name][-1][1] if k in parts else 0.0 for k in ends]
        return Span(ends[0], ends[1], float(y[0]), float(y[1]))

    # --- result

    def _drawn(
        self, layers: Layers, stars: Mapping[Hashable, Star], parts: Mapping[Hashable, Arranged]
    ) -> Arranged:
        found, placed = Arranged(), dict[Hashable, Arranged]()
        for k, star in stars.items():
            found.nodes |= star.nodes(layers.blocks[k])
        for node, bond in self.leaves.items():
            other = bond.head if bond.tail == node else bond.tail
            ends = (node, other) if bond.tail == node else (other, node)
            found.ways[bond.name] = np.array([found.nodes[e] for e in ends])
        for k, part in parts.items():
            placed[k] = part.moved(np.array([layers.blocks[k].x, layers.blocks[k].y]))
            found.take(placed[k])
        for bond, span, way in zip(self.links, layers.spans, layers.ways(), strict=True):
            points = [*self._stub(bond, span, 0, found, placed, layers), *way]
            points += reversed(self._stub(bond, span, 1, found, placed, layers))
            if self._end(bond, bond.tail) != span.source:
                points.reverse()
            if bond.name in self.ports:
                inside = self._is_within(bond.tail)
                found.exits[bond.name] = cleaned(points if inside else points[::-1])
            else:
                found.ways[bond.name] = cleaned(points)
        self._box(found, layers)
        return found

    def _stub(
        self, bond: Bond, span: Span, end: int, found: Arranged,
        placed: Mapping[Hashable, Arranged], layers: Layers,
    ) -> list[Array]:  # fmt: skip
        """From an element to the edge of its column."""
        item = (span.source, span.target)[end]
        if item in placed:
            return list(placed[item].exits[bond.name])
        if not isinstance(item, str):
            return []
        at, off = found.nodes[item], (span.start, span.end)[end]
        if not off:
            return [at]
        reach = Star.reach(self.halves[item]) * (1 if end == 0 else -1)
        return [at, at + np.array([reach, off])]

    def _box(self, found: Arranged, layers: Layers) -> None:
        """Around everything, with room for a title; ports are on its sides."""
        own = [b for k, b in layers.blocks.items() if not (isinstance(k, tuple) and k[0] == "port")]
        left, right = ("left" in self.ports.values(), "right" in self.ports.values())
        first, last = layers.sides[0][0], layers.sides[-1][1]
        found.low = np.array([first - (0 if left else _PAD),
                              min(b.y - b.above for b in own) - _PAD - _TITLE])  # fmt: skip
        found.high = np.array([last + (0 if right else _PAD),
                               max(b.y + b.below for b in own) + _PAD])  # fmt: skip


def _block(part: Arranged) -> Block:
    return Block(float(-part.low[0]), float(part.high[0]), float(-part.low[1]),
                 float(part.high[1]))  # fmt: skip


def _mean_exit(part: Arranged) -> float:
    """Height of the first bond to others, or of the middle."""
    for way in part.exits.values():
        return float(way[-1][1])
    return 0.5 * float(part.low[1] + part.high[1])
