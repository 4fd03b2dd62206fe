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
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pliant.arrays import Array

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
    """An edge from a block to a block of a later column; heights of its ends about their zeros."""

    source: Hashable
    target: Hashable
    start: float = 0.0
    end: float = 0.0


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
    ends: dict[bool, dict[Hashable, list[int]]] = field(
        default_factory=lambda: {True: {}, False: {}}
    )
    """Numbers of the edges that begin (True) and end at every block."""
    sides: list[tuple[float, float]] = field(default_factory=list)
    """Left and right edge of every column."""

    def place(self) -> None:
        """Bends, order and heights."""
        for n, span in enumerate(self.spans):
            first, last = self.blocks[span.source].column, self.blocks[span.target].column
            bends: list[Hashable] = [("bend", n, c) for c in range(first + 1, last)]
            for c, bend in enumerate(bends, first + 1):
                half = 0.5 * self.track
                self.blocks[bend] = Block(0, 0, half, half, c)
            self.chains.append([span.source, *bends, span.target])
            self.ends[True].setdefault(span.source, []).append(n)
            self.ends[False].setdefault(span.target, []).append(n)
        count = 1 + max(b.column for b in self.blocks.values())
        self.columns = [[] for _ in range(count)]
        for name, block in self.blocks.items():
            self.columns[block.column].append(name)
        self._heights()

    def _links(self) -> tuple[dict[Hashable, list[_Link]], dict[Hashable, list[_Link]]]:
        """To what is before and behind every block, with heights about the zeros."""
        before: dict[Hashable, list[_Link]] = {k: [] for k in self.blocks}
        behind: dict[Hashable, list[_Link]] = {k: [] for k in self.blocks}
        for span, chain in zip(self.spans, self.chains, strict=True):
            last = len(chain) - 2
            for i, (a, b) in enumerate(pairwise(chain)):
                start, end = span.start if i == 0 else 0.0, span.end if i == last else 0.0
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
        self.align()

    def align(self) -> None:
        """Every block level with one of those before it, as far as there is room."""
        before, behind = self._links()
        for column in self.columns:
            self._settle(column, {k: before[k] or behind[k] for k in column})

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

    def rises(self, name: Hashable, at_start: bool) -> list[tuple[Span, float]]:
        """Edges that begin (or end) at a block, and how far they lead up or down to the next
        column."""
        y, found = self.blocks[name].y, []
        for n in self.ends[at_start].get(name, ()):
            span, chain = self.spans[n], self.chains[n]
            other = chain[1] if at_start else chain[-2]
            far = (span.end if at_start else span.start) if len(chain) == 2 else 0.0
            found.append((span, self.blocks[other].y + far - y))
        return found

    def spread(self) -> None:
        """Columns beside each other, the gutters as wide as the edges in them need."""
        x = 0.0
        rising = [0] * (len(self.columns) + 1)
        for levels, (first, _) in self._levels():
            for i, (a, b) in enumerate(pairwise(levels)):
                rising[first + i] += abs(a - b) > _LEVEL
        for c, column in enumerate(self.columns):
            own = [self.blocks[k] for k in column]
            left, right = max(b.left for b in own), max(b.right for b in own)
            for block in own:
                block.x = x + left
            self.sides.append((x, x + left + right))
            x += left + right + self.gutter + self.track * rising[c]

    def _levels(self) -> list[tuple[list[float], tuple[int, int]]]:
        """Heights of every edge in the columns it touches, with the first and last column."""
        found = []
        for span, chain in zip(self.spans, self.chains, strict=True):
            y = [self.blocks[k].y for k in chain]
            y[0], y[-1] = y[0] + span.start, y[-1] + span.end
            found.append((y, (self.blocks[chain[0]].column, self.blocks[chain[-1]].column)))
        return found

    def ways(self) -> list[Array]:
        """Corners of every edge, from the right of the column of its source to the left of that of
        its target; level in columns, upright between them."""
        levels = self._levels()
        rises: list[list[_Rise]] = [[] for _ in self.columns]
        for n, (y, (c, _)) in enumerate(levels):
            for i, (a, b) in enumerate(pairwise(y)):
                if abs(a - b) > _LEVEL:
                    rises[c + i].append((n, a, b))
        tracks: dict[tuple[int, int], float] = {}
        for gutter, own in enumerate(rises[:-1]):
            middle = 0.5 * (self.sides[gutter][1] + self.sides[gutter + 1][0])
            first = middle - 0.5 * self.track * (len(own) - 1)
            for i, (n, _, _) in enumerate(sorted(own, key=_few_crossings)):
                tracks[n, gutter] = first + self.track * i
        ways = []
        for n, (y, (c, last)) in enumerate(levels):
            points = [(self.sides[c][1], y[0])]
            for gutter in range(c, last):
                if (n, gutter) in tracks:
                    points += [(tracks[n, gutter], y[gutter - c]),
                               (tracks[n, gutter], y[gutter - c + 1])]  # fmt: skip
            points.append((self.sides[last][0], y[-1]))
            ways.append(np.array(points))
        return ways


_Rise = tuple[int, float, float]
"""An edge and its heights on both sides of a gutter."""
_LEVEL = 0.5
"""Pixels of difference at which an edge is level."""


@dataclass(frozen=True, slots=True)
class _Link:
    """A neighbour; heights of the edge about the own zero and about its."""

    other: Hashable
    here: float
    there: float


def increasing(values: Sequence[float]) -> list[float]:
    """The non-decreasing sequence of the least sum of squared differences (pooled means)."""
    pools: list[tuple[float, int]] = []
    for value in values:
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    return [mean for mean, n in pools for _ in range(n)]


def _few_crossings(rise: _Rise) -> tuple[float, float]:
    """From left to right: edges that fall, the lowest first, then those that rise, the highest."""
    _, start, end = rise
    return (0.0, -start) if end > start else (1.0, start)
