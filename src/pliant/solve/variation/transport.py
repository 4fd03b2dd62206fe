"""Changes carried along a motion: forward from the start, or backward from what is asked.

    forward   S_(k+1) = Φ_k S_k + Γ_k                              a column for each direction
    backward  w_k = Φ_kᵀ w_(k+1) + what is asked at t_k,           a column for each functional
              gradient = w_0ᵀ S_0 + Σ_k w_(k+1)ᵀ Γ_k + direct parts

Both are sums over the same rows of the same intervals (``collocation``), and jump in between where
conditions change (``switches``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.solve.variation.adjoint import carried_back
from pliant.solve.variation.collocation import (
    NODES,
    STAGES,
    WEIGHTS,
    accumulated,
    rows_of,
)
from pliant.solve.variation.path import Path
from pliant.solve.variation.slopes import Slopes, Told
from pliant.solve.variation.switches import Jump, Piece, Switches

_ROOM = 1_000_000
"""Numbers of the matrices of intervals that are looked at together: they stay near the processor,
and long runs take no more of them."""


@dataclass(frozen=True, slots=True)
class Sum:
    """∫ y dt over the grid, or of y²: ``value`` of y in the rows of observables, ``slope`` of y
    from those rows and their slopes."""

    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]
    squared: bool = False

    def summed(self, y: Array) -> Array:
        """What stands under the integral."""
        return y * y if self.squared else y


@dataclass(frozen=True, slots=True)
class Sums:
    """All of them, and their derivatives by the directions."""

    values: Array
    slopes: Array


@dataclass(frozen=True, slots=True)
class Block:
    """Some intervals: slopes of rates at their stages, rows of sums there, what the stages read,
    and direct parts of sums."""

    first: int
    A: Array
    sums: Array
    Y: Array
    h: Array
    values: Array
    direct: Array


@dataclass(frozen=True)
class Transport:
    """``grid``: ends of intervals, those of all steps among them; ``S0``: δy at its begin."""

    path: Path
    slopes: Slopes
    S0: Array
    grid: Array
    sums: Sequence[Sum] = ()

    @cached_property
    def _pieces(self) -> list[Piece]:
        return self._switches.pieces(self.grid)

    @cached_property
    def _switches(self) -> Switches:
        return Switches(self.path, self.slopes)

    @cached_property
    def _jumps(self) -> dict[int, Jump]:
        return self._switches.jumps(self.grid, self._pieces, self._summed_at)

    def _summed_at(self, X: Array, p: Array) -> Array:
        """What is summed up, at packed states."""
        if not self.sums:
            return np.zeros((len(X), 0))
        values = self.slopes.told(X, p, self.path.rates(X, p)).values
        return np.stack([one.summed(one.value(X[:, 0], values)) for one in self.sums], axis=1)

    def forward(self) -> tuple[Array, Sums]:
        """S at every entry of the grid; sums."""
        n, many = self.S0.shape
        S = np.zeros((len(self.grid), n, many))
        S[0] = self.S0
        values, change = np.zeros(len(self.sums)), np.zeros((len(self.sums), many))
        for b in self._blocks():
            R, rows = self._accumulated(b), rows_of(b.A, b.h, b.sums)
            turned, more = rows.end.sum(axis=1), np.einsum("kirs,kisd->krd", rows.end, R)
            starts = S[b.first : b.first + len(b.h)].copy()
            if b.first in self._jumps:
                jump = self._jumps[b.first]
                change += jump.row @ starts[0] + jump.more
                starts[0] = jump.after(starts[0])
            for k in range(len(b.h)):
                S[b.first + k + 1] = turned[k] @ starts[k] + more[k]
                starts[k + 1 : k + 2] = S[b.first + k + 1]
            values += b.values
            begun = starts[:, None] + R
            change += b.direct + np.einsum("kims,kisd->md", rows.sums, begun)
        return S, Sums(values, change)

    def backward(self, asked: Sequence[Array]) -> tuple[Array, Sums]:
        """Gradients of Σ_k asked[f][k] y(t_k), where ``asked`` are rows (entry of the grid, y);
        sums."""
        points = len(asked)
        w = np.zeros((points + len(self.sums), len(self.S0)))
        gradient = np.zeros((len(w), self.S0.shape[1]))
        values = np.zeros(len(self.sums))
        for b in self._blocks(reverse=True):
            weights = self._entering(b, asked)
            w = carried_back(b.A, self.slopes.reach, b.h, weights, w)
            pulled = b.h[:, None, None, None] * (WEIGHTS.T @ weights)
            gradient += self.slopes.pulled(b.Y, pulled.swapaxes(1, 2).reshape(len(b.Y), *w.shape))
            gradient[points:] += b.direct
            values += b.values
            if b.first in self._jumps:
                jump = self._jumps[b.first]
                gradient += w @ jump.direct
                gradient[points:] += jump.more
                w = w @ jump.matrix
                w[points:] += jump.row
        for f, rows in enumerate(asked):
            w[f] += rows[0]
        gradient += w @ self.S0
        return gradient[:points], Sums(values, gradient[points:])

    def _entering(self, b: Block, asked: Sequence[Array]) -> Array:
        """What is asked of the stages of a block: (interval, column, stage, n)."""
        count, points, n = len(b.h), len(asked), len(self.S0)
        found = np.zeros((count, points + len(self.sums), STAGES, n))
        for f, rows in enumerate(asked):
            found[:, f, -1] = rows[b.first + 1 : b.first + 1 + count]
        found[:, points:] = b.sums.swapaxes(1, 2)
        return found

    def _blocks(self, *, reverse: bool = False) -> Iterator[Block]:
        """All intervals, some at a time; each within one piece."""
        size = max(1, _ROOM // max(1, STAGES * len(self.S0)) ** 2)
        self._expect(STAGES * (len(self.grid) - 1))
        for piece in reversed(self._pieces) if reverse else self._pieces:
            firsts = range(piece.first, piece.last, size)
            for first in reversed(firsts) if reverse else firsts:
                yield self._block(first, min(size, piece.last - first), piece.p)

    def _expect(self, rows: int) -> None:
        """So many states are looked at, a few at a time."""
        self.slopes.compiled.code.expect("motion", rows)
        if self.sums:
            self.slopes.compiled.code.expect("told", rows)
            self.path.compiled.code.expect("residual", rows)

    def _block(self, first: int, count: int, p: Array) -> Block:
        ends = self.grid[first : first + count + 1]
        h = np.diff(ends)
        X = self.path.states((ends[:-1, None] + h[:, None] * NODES).ravel(), p)
        Y, n, many = self.slopes.evaluated(X, p), len(self.S0), len(self.sums)
        A = self.slopes.rates_by_states(Y).reshape(count, STAGES, n, n)
        c, values = np.zeros((count, STAGES, many, n)), np.zeros(many)
        direct = np.zeros((many, self.S0.shape[1]))
        if many:
            told = self.slopes.told(X, p, self.path.rates(X, p))
            for k, one in enumerate(self.sums):
                c[:, :, k], values[k], direct[k] = _summed(one, told, X[:, 0], h)
        return Block(first, A, c, Y, h, values, direct)

    def _accumulated(self, b: Block) -> Array:
        B = self.slopes.rates_by_directions(b.Y)
        return accumulated(B.reshape(len(b.h), STAGES, *B.shape[1:]), b.h)


def _summed(one: Sum, told: Told, times: Array, h: Array) -> tuple[Array, float, Array]:
    """Rows c of a sum over the stages, its value, and its direct part."""
    weights = (h[:, None] * WEIGHTS[-1]).ravel()
    y = one.value(times, told.values)
    slope = weights * (2 * y if one.squared else 1.0)
    rows = slope[:, None] * one.slope(told.values, told.y)
    total = float(weights @ one.summed(y))
    return rows.reshape(len(h), STAGES, -1), total, slope @ one.slope(told.values, told.p)
