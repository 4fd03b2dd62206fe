"""How bonds between groups run: level out of a group, along gutters and channels, level into one.

straight    the two ends are level and face each other
gutter      both ends are at one gutter: level, vertical, level
passage     ... and level through cells of a row that are empty
channel     ... or through the channel above or below a row
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from pliant.arrays import Array
from pliant.graphs.bonds import Bond
from pliant.plots.bond_groups import Grid, Side
from pliant.plots.bond_places import TRACK, Places, Traffic, sides_of

_LEVEL = 0.6
"""Pixels."""
_FAN = 26.0
"""From a node to where its bonds run side by side."""


@dataclass(frozen=True, slots=True)
class Way:
    """The plan of a bond: gutters at its ends; row that it passes, or channel, if they differ."""

    bond: Bond
    groups: tuple[str, str]
    sides: tuple[Side, Side]
    gutters: tuple[int, int]
    passage: int | None = None
    channel: int | None = None

    @property
    def is_upright(self) -> bool:
        """Whether it joins a group with the one above."""
        return self.sides[0] in ("top", "bottom")


def planned(grid: Grid) -> list[Way]:
    """A way for each bond between groups."""
    sides = sides_of(grid)
    taken = set(grid.cells.values())
    found = []
    for bond, a, b in grid.outside():
        own = sides[bond.name, "tail"], sides[bond.name, "head"]
        g = _gutter(grid, a, own[0]), _gutter(grid, b, own[1])
        rows = grid.cell(a)[1], grid.cell(b)[1]
        passage = channel = None
        if g[0] != g[1] and own[0] in ("left", "right"):
            between = range(min(g), max(g))
            free = [r for r in rows[::-1] if not any((c, r) in taken for c in between)]
            passage = free[0] if free else None
            channel = None if free else max(rows) if rows[0] != rows[1] else rows[0] + 1
        found.append(Way(bond, (a, b), own, g, passage, channel))
    return found


def _gutter(grid: Grid, group: str, side: Side) -> int:
    column = grid.cell(group)[0]
    return column if side == "left" else column + 1


def traffic(ways: Iterable[Way]) -> Traffic:
    """Bonds in every gutter and channel."""
    gutters: Counter[int] = Counter()
    channels: Counter[int] = Counter()
    for way in ways:
        if not way.is_upright:
            gutters.update(set(way.gutters))
            channels.update([] if way.channel is None else [way.channel])
    return Traffic(gutters, channels)


@dataclass(slots=True)
class _Upright:
    """A vertical part: from y to y in a gutter, and the side its ends come from."""

    way: int
    gutter: int
    start: float
    end: float
    faces: tuple[str, str]
    x: float = 0.0


def routed(ways: Sequence[Way], places: Places) -> list[Array]:
    """Points (n, 2) of every bond between groups, from node to node."""
    return _Router(ways, places).run()


class _Router:
    """Levels at the nodes, then tracks in channels and gutters."""

    def __init__(self, ways: Sequence[Way], places: Places) -> None:
        self.ways, self.places = ways, places
        self.level = self._levels()
        self.channel = self._channels()
        self.uprights = self._uprights()

    def run(self) -> list[Array]:
        parts: dict[int, list[_Upright]] = {}
        for part in self.uprights:
            parts.setdefault(part.way, []).append(part)
        return [self._joined(k, parts.get(k, [])) for k in range(len(self.ways))]

    def _joined(self, k: int, parts: Sequence[_Upright]) -> Array:
        """With what runs inside the boxes of its ends."""
        way = self.ways[k]
        between = self._vertical(k) if way.is_upright else self._path(k, way, parts)
        return np.vstack([self._exit(k, 0)[:-1], between, self._exit(k, 1)[:-1][::-1]])

    def _exit(self, k: int, end: int) -> Array:
        bond = self.ways[k].bond
        return self.places.exit(bond.name, bond.tail if end == 0 else bond.head)

    def _node(self, k: int, end: int) -> Array:
        """Where a bond begins: at its node, or where it leaves a box."""
        return np.asarray(self._exit(k, end)[-1])

    def _levels(self) -> dict[tuple[int, int], float]:
        """Bonds of one node and side fan out; the one that is most level is straight."""
        at: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for k, way in enumerate(self.ways):
            for end, node in enumerate((way.bond.tail, way.bond.head)):
                start = node if len(self._exit(k, end)) == 1 else way.bond.name
                at.setdefault((start, way.sides[end]), []).append((k, end))
        found: dict[tuple[int, int], float] = {}
        for ends in at.values():
            axis = 0 if self.ways[ends[0][0]].is_upright else 1
            rise = {e: self._node(e[0], 1 - e[1])[axis] - self._node(*e)[axis] for e in ends}
            order = sorted(ends, key=lambda e: rise[e])
            middle = min(range(len(order)), key=lambda i: abs(rise[order[i]]))
            for i, e in enumerate(order):
                found[e] = float(self._node(*e)[axis]) + TRACK * (i - middle)
        return found

    def _channels(self) -> dict[int, float]:
        """One track for each bond in a channel."""
        found, used = {}, Counter[int]()
        for k, way in enumerate(self.ways):
            if way.channel is not None:
                rows = self.places.rows
                top = rows[way.channel - 1][1] if way.channel else 0.0
                used[way.channel] += 1
                found[k] = top + 6 + TRACK * used[way.channel]
        return found

    def _uprights(self) -> list[_Upright]:
        found = []
        for k, way in enumerate(self.ways):
            if way.is_upright:
                continue
            a, b = self.level[k, 0], self.level[k, 1]
            g, h = way.gutters
            if g == h:
                found.append(_Upright(k, g, a, b, (way.sides[0], way.sides[1])))
                continue
            between = self._between(k, way)
            to, back = ("right", "left") if h > g else ("left", "right")
            found.append(_Upright(k, g, a, between, (way.sides[0], back)))
            found.append(_Upright(k, h, between, b, (to, way.sides[1])))
        moving = [p for p in found if abs(p.start - p.end) > _LEVEL]
        for gutter in {p.gutter for p in moving}:
            self._tracks(gutter, [p for p in moving if p.gutter == gutter])
        return moving

    def _between(self, k: int, way: Way) -> float:
        """The height at which a bond goes from gutter to gutter."""
        if way.channel is not None:
            return self.channel[k]
        own_row = self.places.grid.cell(way.groups[0])[1]
        return self.level[k, 0] if way.passage == own_row else self.level[k, 1]

    def _tracks(self, gutter: int, parts: list[_Upright]) -> None:
        """Parts whose heights overlap are side by side, in their order."""
        columns = self.places.columns
        left = columns[gutter - 1][1] if gutter else 0.0
        right = columns[gutter][0] if gutter < len(columns) else None
        found: list[int] = []
        low, high = np.zeros(len(parts)), np.zeros(len(parts))
        for i, part in enumerate(ordered := _ordered(parts)):
            low[i], high[i] = sorted((part.start, part.end))
            beside = (low[:i] < high[i] + 4) & (high[:i] > low[i] - 4)
            found.append(1 + int(max(np.array(found)[beside], default=-1)))
        wide = TRACK * max(found)
        first = left + 13.0 if right is None else 0.5 * (left + right - wide)
        for part, track in zip(ordered, found, strict=True):
            part.x = first + TRACK * track

    def _path(self, k: int, way: Way, parts: Sequence[_Upright]) -> Array:
        points = [*self._leave(k, 0, way.sides[0])]
        for part in parts:
            points += [np.array([part.x, part.start]), np.array([part.x, part.end])]
        points += reversed(self._leave(k, 1, way.sides[1]))
        return np.array(points)

    def _leave(self, k: int, end: int, side: str) -> list[Array]:
        node = self._node(k, end)
        if abs(node[1] - self.level[k, end]) < _LEVEL:
            return [node]
        reach = -_FAN if side == "left" else _FAN
        return [node, np.array([node[0] + reach, self.level[k, end]])]

    def _vertical(self, k: int) -> Array:
        """From a group to the one above it."""
        a, b = self._node(k, 0), self._node(k, 1)
        upper, lower = (0, 1) if a[1] < b[1] else (1, 0)
        host = self.places.placed[self.ways[k].groups[lower]]
        x = self.level[k, lower], self.level[k, upper]
        y = float(host.low[1]) - 8 - 0.5 * TRACK * self._rank(k, lower)
        low, high = self._node(k, lower), self._node(k, upper)
        points = [low, np.array([x[0], low[1] - _FAN / 2]), np.array([x[0], y]),
                  np.array([x[1], y]), high]  # fmt: skip
        if abs(x[0] - x[1]) < _LEVEL and abs(low[0] - x[0]) < _LEVEL:
            points = [low, high]
        return np.array(points if lower == 0 else points[::-1])

    def _rank(self, k: int, lower: int) -> int:
        """Which of the bonds upwards of a node it is, from the outer ones inwards."""
        node = self._node(k, lower)
        return int(abs(self.level[k, lower] - node[0]) // TRACK)


def _order(part: _Upright) -> tuple[float, float]:
    """From left to right: bonds that fall, the lowest first; then those that rise, the highest
    first; bonds that turn back enclose each other."""
    if part.faces[0] == part.faces[1]:
        span = abs(part.start - part.end)
        return (2.0, span) if part.faces[0] == "right" else (-1.0, -span)
    from_left = part.faces[0] == "right"
    start, end = (part.start, part.end) if from_left else (part.end, part.start)
    return (0.0, -start) if end > start else (1.0, start)


def _ordered(parts: Sequence[_Upright]) -> list[_Upright]:
    """With few crossings; but where two parts have an end at one height, the one whose bond goes
    on to the left is left of the one whose bond goes on to the right."""
    ends: dict[tuple[int, bool], list[int]] = {}
    for k, part in enumerate(parts):
        for y, face in ((part.start, part.faces[0]), (part.end, part.faces[1])):
            ends.setdefault((round(y), face == "right"), []).append(k)
    behind: list[set[int]] = [set() for _ in parts]
    for (y, to_left), own in ends.items():
        if to_left:
            others = {k for d in (-1, 0, 1) for k in ends.get((y + d, False), ())}
            for k in own:
                behind[k] |= others - {k}
    waiting = Counter(k for later in behind for k in later)
    rank = sorted(range(len(parts)), key=lambda k: _order(parts[k]))
    place = {k: r for r, k in enumerate(rank)}
    ready = [place[k] for k in rank if not waiting[k]]
    found: list[_Upright] = []
    left = dict.fromkeys(rank)
    while left:
        k = rank[heappop(ready)] if ready else next(iter(left))  # in a circle: as they come
        if k not in left:
            continue
        del left[k]
        found.append(parts[k])
        for other in behind[k]:
            waiting[other] -= 1
            if not waiting[other]:
                heappush(ready, place[other])
    return found
