"""Graphs in columns: where blocks of any size stand so that edges run from left to right.

columns   every edge leads to a later column (longest ways from the left end); an edge over several
          columns passes them at heights of its own
heights   each block at the median height of those before it, then of those behind it, to and fro;
          blocks of a column keep their distances with the least sum of squared moves
tracks    edges that change their height do so between columns, side by side

The work is proportional to edges times columns crossed, times a fixed number of sweeps.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass

_SWEEPS = 10
_FIXED = 1e-6
"""Keeps pieces that hang on nothing from having no potential."""


@dataclass(slots=True)
class Block:
    """Extents about its own zero, in pixels; x and y of that zero when it is placed."""

    left: float
    right: float
    above: float
    below: float
    column: int = 0
    x: float = 0.0
    y: float = 0.0


@dataclass(slots=True)
class Span:
    """An edge from a block to a block of a later column; heights of its ends about their zeros.

    ``turned``: it leaves its source at the left, and enters its target at the right; so a block may
    be joined to one of its own column, and to itself.
    """

    source: Hashable
    target: Hashable
    start: float = 0.0
    end: float = 0.0
    turned: tuple[bool, bool] = (False, False)


def potential(count: int, edges: Sequence[tuple[int, int]], ends: Mapping[int, float]) -> Array:
    """Numbers that rise from one end of a graph to the other: given at ``ends``, elsewhere the
    mean of their neighbours. With ends of one kind, or none, the distance from them."""
    if len(set(ends.values())) < 2:
        return _distance(count, edges, list(ends) or [0])
    laplace = _FIXED * np.eye(count)
    for i, j in edges:
        laplace[i, i] += 1
        laplace[j, j] += 1
        laplace[i, j] -= 1
        laplace[j, i] -= 1
    known = list(ends)
    free = [k for k in range(count) if k not in ends]
    values = np.zeros(count)
    values[known] = [ends[k] for k in known]
    if free:
        rest = -laplace[np.ix_(free, known)] @ values[known]
        values[free] = np.linalg.solve(laplace[np.ix_(free, free)], rest)
    return values


def _distance(count: int, edges: Sequence[tuple[int, int]], start: Sequence[int]) -> Array:
    near: list[list[int]] = [[] for _ in range(count)]
    for i, j in edges:
        near[i].append(j)
        near[j].append(i)
    found = np.full(count, -1.0)
    waiting = [*start, *range(count)]  # pieces that hang on nothing begin anew
    for first in waiting:
        if found[first] >= 0 and first not in start:
            continue
        found[first] = 0.0
        front = [first]
        for node in front:
            for other in near[node]:
                if found[other] < 0 or found[other] > found[node] + 1:
                    found[other] = found[node] + 1
                    front.append(other)
    return found


def columns_of(count: int, edges: Sequence[tuple[int, int]], values: Array) -> list[int]:
    """Columns such that every edge leads from a lower to a higher value, ties by number; what has
    nothing before it stands right before what follows."""
    order = sorted(range(count), key=lambda k: (round(float(values[k]), 9), k))
    rank = {k: r for r, k in enumerate(order)}
    after: list[list[int]] = [[] for _ in range(count)]
    before: list[list[int]] = [[] for _ in range(count)]
    for i, j in edges:
        a, b = (i, j) if rank[i] < rank[j] else (j, i)
        after[a].append(b)
        before[b].append(a)
    column = [0] * count
    for k in order:
        column[k] = 1 + max((column[a] for a in before[k]), default=-1)
    for k in reversed(order):
        if not before[k] and after[k]:
            column[k] = min(column[b] for b in after[k]) - 1
    least = min(column, default=0)
    return [c - least for c in column]


@dataclass(slots=True)
class Layers:
    """Blocks by column, and edges; ``place`` gives every block its y, ``spread`` its x, and
    ``ways`` the corners of the edges."""

    blocks: dict[Hashable, Block]
    spans: list[Span]
    gap: float
    track: float
    gutter: float
    chains: list[list[Hashable]] = field(default_factory=list)
    columns: list[list[Hashable]] = field(default_factory=list)
    sides: list[tuple[float, float]] = field(default_factory=list)
    """Left and right edge of every column."""
    tracks: dict[tuple[int, int], float] = field(default_factory=dict)
    """x of the upright part of an edge between a column and the next."""

    def place(self) -> None:
        """Bends, order and heights; at last edges that leave a block at one height fan out."""
        for n, span in enumerate(self.spans):
            first, last = self._reach(span)
            bends: list[Hashable] = [("bend", n, c) for c in range(first + 1, last)]
            for c, bend in enumerate(bends, first + 1):
                half = 0.5 * self.track
                self.blocks[bend] = Block(0, 0, half, half, c)
            self.chains.append([span.source, *bends, span.target])
        count = 1 + max(b.column for b in self.blocks.values())
        self.columns = [[] for _ in range(count)]
        for name, block in self.blocks.items():
            self.columns[block.column].append(name)
        for c in (c for c, column in enumerate(self.columns) if not column):
            self.blocks["empty", c] = Block(0, 0, 0, 0, c)
            self.columns[c].append(("empty", c))
        self._heights()
        self._fan_out()
        self._align()

    def _reach(self, span: Span) -> tuple[int, int]:
        """The column behind which an edge begins, and the one before which it ends."""
        first, last = self.blocks[span.source].column, self.blocks[span.target].column
        return first - span.turned[0], last + span.turned[1]

    def _links(self) -> tuple[dict[Hashable, list[_Link]], dict[Hashable, list[_Link]]]:
        """To what is before and behind every block, with heights about the zeros."""
        before: dict[Hashable, list[_Link]] = {k: [] for k in self.blocks}
        behind: dict[Hashable, list[_Link]] = {k: [] for k in self.blocks}
        for span, chain in zip(self.spans, self.chains, strict=True):
            last = len(chain) - 2
            for i, (a, b) in enumerate(pairwise(chain)):
                start, end = span.start if i == 0 else 0.0, span.end if i == last else 0.0
                if self.blocks[a].column < self.blocks[b].column:
                    behind[a].append(_Link(b, start, end))
                    before[b].append(_Link(a, end, start))
        return before, behind

    def _heights(self) -> None:
        before, behind = self._links()
        for column in self.columns:
            self._settle(column, {})
        for sweep in range(_SWEEPS):
            links = before if sweep % 2 == 0 else behind
            order = self.columns if sweep % 2 == 0 else self.columns[::-1]
            for column in order:
                self._settle(column, {k: links[k] for k in column if links[k]})
        self._align()

    def _align(self) -> None:
        """From the tallest column outwards, every block level with one of those nearer to it, as
        far as there is room."""
        before, behind = self._links()
        tall = [sum(self.blocks[k].above + self.blocks[k].below + self.gap for k in column)
                for column in self.columns]  # fmt: skip
        first = tall.index(max(tall))
        for column in self.columns[first + 1 :]:
            self._settle(column, {k: before[k] or behind[k] for k in column})
        for column in self.columns[:first][::-1]:
            self._settle(column, {k: behind[k] or before[k] for k in column})

    def _settle(self, column: list[Hashable], links: Mapping[Hashable, Sequence[_Link]]) -> None:
        """Blocks at the medians of their neighbours, in that order, as near as others allow."""
        blocks = self.blocks
        for k in column:
            if links.get(k):
                goals = sorted(blocks[m.other].y + m.there - m.here for m in links[k])
                blocks[k].y = goals[(len(goals) - 1) // 2]
        column.sort(key=lambda k: blocks[k].y)
        steps = [0.0]
        for upper, lower in pairwise(column):
            steps.append(steps[-1] + blocks[upper].below + blocks[lower].above + self.gap)
        free = increasing([blocks[k].y - s for k, s in zip(column, steps, strict=True)])
        for k, y, s in zip(column, free, steps, strict=True):
            blocks[k].y = y + s

    def _fan_out(self) -> None:
        """Edges of one place leave at heights of their own; the most level one is straight, unless
        they would come near to those of the next place."""
        sides: dict[tuple[Hashable, bool], dict[float, list[tuple[float, int, bool]]]] = {}
        for n, (span, y) in enumerate(zip(self.spans, self._levels(), strict=True)):
            start = sides.setdefault((span.source, not span.turned[0]), {})
            start.setdefault(round(span.start, 3), []).append((y[1] - y[0], n, True))
            end = sides.setdefault((span.target, span.turned[1]), {})
            end.setdefault(round(span.end, 3), []).append((y[-2] - y[-1], n, False))
        for places in sides.values():
            heights = [-np.inf, *sorted(places), np.inf]
            for last, height, following in zip(heights, heights[1:], heights[2:], strict=False):
                rises = sorted(places[height])
                above, below = ((gap - self.track) // (2 * self.track)
                                for gap in (height - last, following - height))  # fmt: skip
                middle = min(range(len(rises)), key=lambda i: abs(rises[i][0]))
                middle = int(min(max(middle, len(rises) - 1 - below), max(above, 0)))
                for i, (_, n, at_start) in enumerate(rises):
                    off = self.track * (i - middle)
                    self.spans[n].start += off if at_start else 0.0
                    self.spans[n].end += 0.0 if at_start else off

    def spread(self) -> None:
        """Columns beside each other, the gutters as wide as the edges in them need."""
        rises: list[list[_Rise]] = [[] for _ in self.columns]
        for n, (span, y) in enumerate(zip(self.spans, self._levels(), strict=True)):
            first, last = self._reach(span)
            for gutter, (a, b) in enumerate(pairwise(y), first):
                at_left = (gutter > first or not span.turned[0],
                           gutter == last - 1 and span.turned[1])  # fmt: skip
                if abs(a - b) > _LEVEL:
                    rises[gutter].append(_Rise(n, a, b, at_left))
        x = 0.0
        for c, column in enumerate(self.columns):
            own = [self.blocks[k] for k in column]
            left, right = max(b.left for b in own), max(b.right for b in own)
            for block in own:
                block.x = x + left
            self.sides.append((x, x + left + right))
            x += left + right
            ordered = _ordered(rises[c])
            tracks = _tracks(ordered)
            for rise, track in zip(ordered, tracks, strict=True):
                self.tracks[rise.edge, c] = x + 0.5 * self.gutter + self.track * (track + 0.5)
            x += self.gutter + self.track * (1 + max(tracks, default=-1))

    def _levels(self) -> list[list[float]]:
        """Heights of every edge in the columns it touches."""
        found = []
        for span, chain in zip(self.spans, self.chains, strict=True):
            y = [self.blocks[k].y for k in chain]
            y[0], y[-1] = y[0] + span.start, y[-1] + span.end
            found.append(y)
        return found

    def ways(self) -> list[Array]:
        """Corners of every edge, from side to side of the columns of its ends; level in columns,
        upright between them."""
        ways = []
        for n, (span, y) in enumerate(zip(self.spans, self._levels(), strict=True)):
            start, end = self.blocks[span.source].column, self.blocks[span.target].column
            points = [(self.sides[start][0 if span.turned[0] else 1], y[0])]
            for gutter, levels in enumerate(pairwise(y), self._reach(span)[0]):
                if (n, gutter) in self.tracks:
                    points += [(self.tracks[n, gutter], level) for level in levels]
            points.append((self.sides[end][1 if span.turned[1] else 0], y[-1]))
            ways.append(np.array(points))
        return ways


_LEVEL = 0.5
"""Pixels of difference at which an edge is level."""
_CLOSE = 4.0
"""Heights that differ by less are one, to the eye."""


@dataclass(frozen=True, slots=True)
class _Link:
    """A neighbour; heights of the edge about the own zero and about its."""

    other: Hashable
    here: float
    there: float


@dataclass(frozen=True, slots=True)
class _Rise:
    """The upright part of an edge; ``at_left``: whether its start and its end go on to the left."""

    edge: int
    start: float
    end: float
    at_left: tuple[bool, bool]

    @property
    def order(self) -> tuple[float, float]:
        """From left to right: edges that fall, the lowest first, then those that rise, the highest
        first; edges that turn back enclose each other."""
        if self.at_left[0] == self.at_left[1]:
            span = abs(self.start - self.end)
            return (2.0, span) if self.at_left[0] else (-1.0, -span)
        left, right = (self.start, self.end) if self.at_left[0] else (self.end, self.start)
        return (0.0, -left) if right > left else (1.0, left)


def _ordered(rises: Sequence[_Rise]) -> list[_Rise]:
    """With few crossings; but where two have an end at one height, the one that goes on to the left
    is left of the one that goes on to the right."""
    rises = sorted(rises, key=lambda r: r.order)
    heights = np.array([(r.start, r.end) for r in rises]).reshape(-1, 2)
    at_left = np.array([r.at_left for r in rises], dtype=bool).reshape(-1, 2)
    left, right = np.where(at_left, heights, np.nan), np.where(at_left, np.nan, heights)
    ahead = (np.abs(left[:, None, :, None] - right[None, :, None]) < _CLOSE).any(axis=(2, 3))
    np.fill_diagonal(ahead, False)
    waiting, found = list(range(len(rises))), []
    while waiting:
        free = ~ahead[np.ix_(waiting, waiting)].any(axis=0)
        found.append(rises[waiting.pop(int(np.argmax(free)))])  # in a circle: as they come
    return found


def _tracks(rises: Sequence[_Rise]) -> list[int]:
    """Numbers of tracks: those whose heights overlap are side by side, in their order."""
    found: list[int] = []
    low, high = (np.array([f(r.start, r.end) for r in rises]) for f in (min, max))
    for i in range(len(rises)):
        beside = (low[:i] < high[i] + _CLOSE) & (high[:i] > low[i] - _CLOSE)
        found.append(1 + int(max(np.array(found)[beside], default=-1)))
    return found


def increasing(values: Sequence[float]) -> list[float]:
    """The non-decreasing sequence of the least sum of squared differences (pooled means)."""
    pools: list[tuple[float, int]] = []
    for value in values:
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    return [mean for mean, n in pools for _ in range(n)]
