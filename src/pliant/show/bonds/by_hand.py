"""A network where the user put its elements: places are in units of a grid, what has none goes to
the nearest free place beside what it is bonded to. Bonds are straight, with one bend where they
would run through a symbol.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise

import numpy as np

from pliant.arrays import Array, Flags
from pliant.bonds import Bond
from pliant.records import dataclass
from pliant.show.bonds.arranged import Arranged, Place, Side, cleaned
from pliant.show.bonds.network import PAD, TITLE, Level

GRID = 20.0
"""Pixels of a unit."""
_GAP = np.array([26.0, 12.0])
"""Pixels around symbols that the user did not place."""
_RINGS = 24
_BENDS = (40.0, 80.0, 120.0)
_EPS = 1e-9


def in_places(level: Level) -> Arranged:
    """A network or part: on the places that are known of it, or by itself."""
    given = known_places(level, level.places.get(level.name, {}))
    return by_hand(level, given) if given else level.arranged()


def known_places(level: Level, places: Mapping[str, Place]) -> dict[Hashable, Place]:
    """Places of elements and parts that there are, given by their names in a network."""
    start, depth = f"{level.name}." if level.name else "", len(level.path)
    items: dict[str, Hashable] = {}
    for node, path in level.paths.items():
        if path == level.path:
            items[node.removeprefix(start)] = node
        elif path[:depth] == level.path:
            items[path[depth]] = path[: depth + 1]
    return {items[name]: place for name, place in places.items() if name in items}


def by_hand(level: Level, given: Mapping[Hashable, Place]) -> Arranged:
    """Every element and part at its own place."""
    return _Hand(level, given).arranged()


@dataclass
class _Hand:
    """A network on its way to its places."""

    level: Level
    given: Mapping[Hashable, Place]

    @cached_property
    def elements(self) -> list[str]:
        """Those that are in no part of it."""
        return [n for n in self.level.halves if self.level.paths[n] == self.level.path]

    @cached_property
    def parts(self) -> list[tuple[str, ...]]:
        own, depth = self.level.path, len(self.level.path)
        inner = (p[: depth + 1] for p in self.level.paths.values() if len(p) > depth)
        return list(dict.fromkeys(path for path in inner if path[:depth] == own))

    @cached_property
    def bonds(self) -> list[Bond]:
        """Between elements and parts of the network."""
        item, ports = self.level.item, self.level.ports
        return [b for b in self.level.bonds
                if b.name not in ports and item(b.tail) != item(b.head)]  # fmt: skip

    def arranged(self) -> Arranged:
        columns: dict[Hashable, float] = {
            k: float(self.given[k][0]) if k in self.given else np.inf
            for k in (*self.elements, *self.parts)
        }
        places = self._settled(self._corners(self._parts(columns)))
        parts = self._parts({k: float(at[0]) for k, at in places.items()})
        found = Arranged({n: places[n] for n in self.elements})
        ends: dict[tuple[str, str], Array] = {}
        for k, part in parts.items():
            moved = part.moved(places[k])
            found.take(moved)
            ends |= moved.exits
        corners = {k: (places[k] + low, places[k] + high)
                   for k, (low, high) in self._corners(parts).items()}  # fmt: skip
        found.low = np.min([low for low, _ in corners.values()], axis=0)
        found.low = found.low - np.array([PAD, PAD + TITLE])
        found.high = np.max([high for _, high in corners.values()], axis=0) + PAD
        self._join(found, ends, corners)
        return found

    def _parts(self, columns: Mapping[Hashable, float]) -> dict[Hashable, Arranged]:
        """Boxes of parts, about their places; ``columns``: what stands farther to the right."""
        return {path: self.level.boxed(path, self._sides(path, columns)) for path in self.parts}

    def _corners(self, parts: Mapping[Hashable, Arranged]) -> dict[Hashable, tuple[Array, Array]]:
        """Of symbols and parts, about their places."""
        found: dict[Hashable, tuple[Array, Array]] = {
            n: (-self.level.halves[n], self.level.halves[n]) for n in self.elements
        }
        return found | {k: (b.low, b.high) for k, b in parts.items()}

    def _sides(self, path: tuple[str, ...], columns: Mapping[Hashable, float]) -> dict[str, Side]:
        """The sides at which bonds leave a part: where the others are."""
        level, found = self.level, dict[str, Side]()
        for bond in level.bonds:
            a, b = (level.is_within(n) and level.item(n) == path for n in (bond.tail, bond.head))
            if a == b:
                continue
            other = bond.head if a else bond.tail
            if bond.name in level.ports:
                found[bond.name] = level.ports[bond.name]
            else:
                ahead = columns[level.item(other)] > columns[path]
                found[bond.name] = "right" if ahead else "left"
        return found

    def _settled(self, items: Mapping[Hashable, tuple[Array, Array]]) -> dict[Hashable, Array]:
        """A place for everything."""
        partners: dict[Hashable, list[Hashable]] = {}
        for bond in self.bonds:
            a, b = self.level.item(bond.tail), self.level.item(bond.head)
            partners.setdefault(a, []).append(b)
            partners.setdefault(b, []).append(a)
        found = {k: GRID * np.array(p, dtype=float) for k, p in self.given.items()}
        waiting = [k for k in items if k not in found]
        while waiting:
            near = [(k, p) for k in waiting for p in partners.get(k, ()) if p in found]
            item = near[0][0] if near else waiting[0]
            taken = [(at + items[k][0], at + items[k][1]) for k, at in found.items()]
            middle = found[near[0][1]] if near else _below(taken)
            level = item not in self.level.leaves
            free = (at for at in _around(middle, level) if not _hits(at, items[item], taken))
            found[item] = next(free, middle)
            waiting.remove(item)
        return found

    def _join(
        self, found: Arranged, ends: Mapping[tuple[str, str], Array],
        corners: Mapping[Hashable, tuple[Array, Array]],
    ) -> None:  # fmt: skip
        """Ways of all bonds; ``ends``: those out of parts, by bond and node."""
        item = self.level.item
        names = {k: i for i, k in enumerate(corners)}
        low = np.array([box[0] for box in corners.values()]).reshape(-1, 2)
        high = np.array([box[1] for box in corners.values()]).reshape(-1, 2)

        def out(bond: Bond, node: str) -> Array:
            return ends.get((bond.name, node), found.nodes[node][None])

        for bond in self.bonds:
            tail, head = out(bond, bond.tail), out(bond, bond.head)
            others = np.ones(len(low), dtype=bool)
            others[[names[item(bond.tail)], names[item(bond.head)]]] = False
            middle = way_between(tail[-1], head[-1], low[others], high[others])
            found.ways[bond.name] = cleaned([*tail, *middle[1:-1], *head[::-1]])
        for bond in (b for b in self.level.bonds if b.name in self.level.ports):
            node = bond.tail if self.level.is_within(bond.tail) else bond.head
            way, left = out(bond, node), self.level.ports[bond.name] == "left"
            edge = np.array([found.low[0] if left else found.high[0], way[-1][1]])
            found.exits[bond.name, node] = cleaned([*way, edge])


def _hits(at: Array, item: tuple[Array, Array], taken: Iterable[tuple[Array, Array]]) -> bool:
    low, high = at + item[0] - _GAP, at + item[1] + _GAP
    return any((high > other[0]).all() and (other[1] > low).all() for other in taken)


def _below(taken: Iterable[tuple[Array, Array]]) -> Array:
    """A place on the grid under everything."""
    lowest = max((float(high[1]) for _, high in taken), default=-2 * GRID)
    return np.array([0.0, GRID * np.ceil(lowest / GRID + 2)])


def _around(middle: Array, level: bool) -> Iterator[Array]:
    """Places on the grid, the nearest first: rather beside (``level``), or below and above."""

    def order(step: tuple[int, int]) -> tuple[float, ...]:
        x, y = step
        near = abs(x) + 3 * abs(y) if level else 3 * abs(x) + abs(y)
        return near, x < 0, y < 0

    reach = range(-_RINGS, _RINGS + 1)
    steps = sorted(((x, y) for x in reach for y in reach), key=order)
    return (middle + GRID * np.array(s, dtype=float) for s in steps)


def way_between(a: Array, b: Array, low: Array, high: Array) -> Array:
    """Straight, or with the bend at which the fewest symbols (corners) are run through."""
    best, least = np.array([a, b]), _count(np.array([a, b]), low, high)
    for way in _bent(a, b) if least else ():
        hits = _count(way, low, high)
        if hits < least:
            best, least = way, hits
        if not least:
            break
    return best


def _bent(a: Array, b: Array) -> Iterator[Array]:
    """Ways with one bend."""
    yield np.array([a, [a[0], b[1]], b])
    yield np.array([a, [b[0], a[1]], b])
    step = b - a
    normal = np.array([-step[1], step[0]]) / max(float(np.linalg.norm(step)), 1e-9)
    for off in _BENDS:
        for sign in (1, -1):
            yield np.array([a, 0.5 * (a + b) + sign * off * normal, b])


def _count(way: Array, low: Array, high: Array) -> int:
    """How many boxes a way runs through."""
    crossed = np.zeros(len(low), dtype=bool)
    for p, q in pairwise(way):
        crossed |= _crossed(p, q, low, high)
    return int(crossed.sum())


def _crossed(p: Array, q: Array, low: Array, high: Array) -> Flags:
    """Which boxes a straight line runs through: where it is within both ranges at once."""
    enter, leave = np.zeros(len(low)), np.ones(len(low))
    for axis in (0, 1):
        step = q[axis] - p[axis]
        if abs(step) < _EPS:
            outside = (p[axis] <= low[:, axis]) | (p[axis] >= high[:, axis])
            leave = np.where(outside, -1.0, leave)
            continue
        ends = np.stack([low[:, axis] - p[axis], high[:, axis] - p[axis]]) / step
        enter, leave = np.maximum(enter, ends.min(axis=0)), np.minimum(leave, ends.max(axis=0))
    return np.asarray(leave - enter > _EPS)
