"""A network in its box: junctions with their elements as stars, parts as boxes within the box.

Every level of parts is a graph of its own, in columns (``layered``): a star is a junction with the
elements that hang on it alone, above and below it, or at the side where nothing follows; a part is
a box whose bonds to others leave it at its left or right. Bonds run level and upright.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import field
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond, BondGraph
from pliant.records import dataclass
from pliant.show.bonds.arranged import TRACK, Arranged, Link, Place, Side, joined
from pliant.show.graphs.layered import columns_of, potential

PITCH = 46.0
"""Pixels from a junction to what hangs above or below it."""
_BESIDE, _APART, _EDGE, _FAN = 40.0, 12.0, 6.0, 22.0
PAD, TITLE, _GAP, _GUTTER = 13.0, 17.0, 12.0, 40.0
_SOURCES = frozenset({"Se", "Sf"})
_WHOLE = ""


def star(
    name: str, halves: Mapping[str, Array], sources: Collection[str], sides: Collection[str]
) -> Arranged:
    """A junction, or any other element with bonds to several; places about its own. ``sides``: at
    which its other bonds leave. A source stands in line at a free left side, any element at a free
    right side."""
    own = halves[name]
    count = {s: sum(side == s for side in sides) for s in ("left", "right")}
    places = {name: np.zeros(2)}
    waiting = [n for n in halves if n != name]
    for side, sign in (("left", -1.0), ("right", 1.0)):
        fitting = [n for n in waiting if (n in sources) == (side == "left")]
        if not count[side] and fitting:
            leaf = fitting[0]
            places[leaf] = np.array([sign * (own[0] + _BESIDE + halves[leaf][0]), 0.0])
            waiting.remove(leaf)
    fan = TRACK * max(0, max(count.values()) - 1)
    upper = waiting[: (len(waiting) + 1) // 2]
    for row, sign in ((upper, -1.0), (waiting[len(upper) :], 1.0)):
        x = -0.5 * (sum(2 * halves[n][0] + _APART for n in row) - _APART)
        for n in row:
            places[n] = np.array([x + halves[n][0], sign * (PITCH + fan)])
            x += 2 * halves[n][0] + _APART
    low = np.min([p - halves[n] for n, p in places.items()], axis=0)
    high = np.max([p + halves[n] for n, p in places.items()], axis=0)
    reach = {s: float(own[0]) + _FAN if count[s] > 1 else 0.0 for s in count}
    low = np.minimum(low, [-reach["left"], -fan]) - np.array([_EDGE, 0.0])
    high = np.maximum(high, [reach["right"], fan]) + np.array([_EDGE, 0.0])
    return Arranged(places, low, high)


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
    return Level.of(graph, network, halves, sides).arranged()


@dataclass
class Level:
    """The network, or a part of it by its path."""

    graph: BondGraph
    network: str
    path: tuple[str, ...]
    paths: Mapping[str, tuple[str, ...]]
    bonds: Sequence[Bond]
    """Those with an end in it."""
    halves: Mapping[str, Array]
    sides: Mapping[str, Side]
    places: Mapping[str, Mapping[str, Place]] = field(default_factory=dict)
    """Where the user put elements, by the full names of the network and its parts."""
    way: Callable[[Level], Arranged] | None = None
    """How parts are arranged, if not by themselves."""

    @classmethod
    def of(
        cls, graph: BondGraph, network: str, halves: Mapping[str, Array], sides: Mapping[str, Side]
    ) -> Level:
        """The uppermost one of a network."""
        paths = part_paths(graph, network, list(halves))
        bonds = [b for b in graph.bonds if b.tail in halves or b.head in halves]
        return cls(graph, network, (), paths, bonds, halves, sides)

    @property
    def name(self) -> str:
        """The full name of the network or part."""
        return ".".join([self.network, *self.path][not self.network :])

    def arranged(self) -> Arranged:
        """Columns, then the boxes that know their sides, then heights and ways."""
        if not self.items:
            return Arranged({}, -np.array([PAD, PAD + TITLE]), np.array([PAD, PAD]))
        columns = self._columns()
        items: dict[Hashable, Arranged] = {
            k: self._star(k, columns) if isinstance(k, str) else self._part(k, columns)
            for k in self.items
        }
        last = max(columns.values(), default=0)
        half = np.array([0.0, 0.5 * TRACK])
        for name, side in self.ports.items():
            columns["port", name] = -1 if side == "left" else last + 1
            items["port", name] = Arranged({}, -half, half)
        left, right = ("left" in self.ports.values(), "right" in self.ports.values())
        columns = {k: c + left for k, c in columns.items()}
        links = []
        for bond in self.links:
            ends = self._end(bond, bond.tail), self._end(bond, bond.head)
            for end, node in zip(ends, (bond.tail, bond.head), strict=True):
                if end == ("port", bond.name):
                    items[end].exits[bond.name, node] = np.zeros((1, 2))
            sides: tuple[Side, Side] = ("right", "left")
            ahead = columns[ends[0]] < columns[ends[1]]
            links.append(Link(bond, ends, sides if ahead else ("left", "right")))
        found = joined(items, columns, links, self.halves, _GAP, _GUTTER)
        for bond in self.leaves.values():
            found.ways[bond.name] = np.array([found.nodes[bond.tail], found.nodes[bond.head]])
        for bond in self.links:
            if bond.name in self.ports:
                way = found.ways.pop(bond.name)
                if self.is_within(bond.tail):
                    found.exits[bond.name, bond.tail] = way
                else:
                    found.exits[bond.name, bond.head] = way[::-1]
        found.low = found.low - np.array([0 if left else PAD, PAD + TITLE])
        found.high = found.high + np.array([0 if right else PAD, PAD])
        return found

    # --- what there is

    @cached_property
    def items(self) -> list[Hashable]:
        """Names of elements with bonds of their own, and paths of parts."""
        found = dict[Hashable, None]()
        for node in self.halves:
            if self.is_within(node) and node not in self.leaves:
                found[self.item(node)] = None
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
                if not (self.is_within(b.tail) and self.is_within(b.head))}  # fmt: skip

    def is_within(self, node: str) -> bool:
        """Whether an element stands in it."""
        return node in self.paths and self.paths[node][: len(self.path)] == self.path

    def item(self, node: str) -> Hashable:
        """The element itself, or the path of the part it stands in."""
        path = self.paths[node]
        return path[: len(self.path) + 1] if len(path) > len(self.path) else node

    def _end(self, bond: Bond, node: str) -> Hashable:
        return self.item(node) if self.is_within(node) else ("port", bond.name)

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
                 if self.is_within(n) and self.graph.nodes[n].kind in _SOURCES]  # fmt: skip
        found = []
        for n in nodes:
            bond = self.leaves.get(n)
            on = n if bond is None else bond.head if bond.tail == n else bond.tail
            found.append(self.item(on))
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

    # --- boxes

    def _star(self, node: str, columns: Mapping[Hashable, int]) -> Arranged:
        leaves = self.hanging.get(node, [])
        sizes = {n: self.halves[n] for n in (node, *leaves)}
        sources = {n for n in leaves if self.graph.nodes[n].kind in _SOURCES}
        return star(node, sizes, sources, self._facing(node, columns).values())

    def _part(self, path: Hashable, columns: Mapping[Hashable, int]) -> Arranged:
        """A part, about its middle, at the height of its first bond to others if it has any."""
        assert isinstance(path, tuple)
        return self.boxed(path, self._facing(path, columns))

    def boxed(self, path: tuple[str, ...], sides: Mapping[str, Side]) -> Arranged:
        """A part in its box; ``sides``: where its bonds to others leave."""
        level = Level(self.graph, self.network, path, self.paths, [], self.halves, sides,
                      self.places, self.way)  # fmt: skip
        level.bonds = [b for b in self.bonds
                       if level.is_within(b.tail) or level.is_within(b.head)]  # fmt: skip
        found = level.arranged() if self.way is None else self.way(level)
        middle = 0.5 * (found.low + found.high)
        for way in list(found.exits.values())[:1]:
            middle[1] = way[-1][1]
        return found.around(level.name, middle).moved(-middle)
