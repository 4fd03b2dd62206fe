"""Changes carried along a motion: forward from the start, or backward from what is asked.

    forward   S_(k+1) = Φ_k S_k + Γ_k                              a column for each direction
    backward  w_k = Φ_kᵀ w_(k+1) + what is asked at t_k,           a column for each functional
              gradient = w_0ᵀ S_0 + Σ_k w_(k+1)ᵀ Γ_k + direct parts

Both are sums over the same rows of the same intervals (``collocation``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.solve.variation.collocation import (
    NODES,
    STAGES,
    WEIGHTS,
    Rows,
    accumulated,
    rows_of,
)
from pliant.solve.variation.path import Path
from pliant.solve.variation.slopes import Slopes, Told

_ROOM = 4_000_000
"""Numbers of the matrices of intervals that are looked at together."""


@dataclass(frozen=True, slots=True)
class Sum:
    """∫ y dt over the grid, or of y²: ``value`` of y in the rows of observables, ``slope`` of y
    from those rows and their slopes."""

    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]
    squared: bool = False


@dataclass(frozen=True, slots=True)
class Sums:
    """All of them, and their derivatives by the directions."""

    values: Array
    slopes: Array


@dataclass(frozen=True, slots=True)
class Block:
    """Some intervals: rows, what the stages read, and direct parts of sums."""

    first: int
    rows: Rows
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

    def forward(self) -> tuple[Array, Sums]:
        """S at every entry of the grid; sums."""
        n, many = self.S0.shape
        S = np.zeros((len(self.grid), n, many))
        S[0] = self.S0
        values, change = np.zeros(len(self.sums)), np.zeros((len(self.sums), many))
        for b in self._blocks():
            R = self._accumulated(b)
            turned, more = b.rows.end.sum(axis=1), np.einsum("kirs,kisd->krd", b.rows.end, R)
            for k in range(len(b.h)):
                S[b.first + k + 1] = turned[k] @ S[b.first + k] + more[k]
            values += b.values
            begun = S[b.first : b.first + len(b.h), None] + R
            change += b.direct + np.einsum("kims,kisd->md", b.rows.sums, begun)
        return S, Sums(values, change)

    def backward(self, asked: Sequence[Array]) -> tuple[Array, Sums]:
        """Gradients of Σ_k asked[f][k] y(t_k), where ``asked`` are rows (entry of the grid, y);
        sums."""
        points, n = len(asked), len(self.S0)
        w = np.zeros((n, points + len(self.sums)))
        gradient = np.zeros((w.shape[1], self.S0.shape[1]))
        values = np.zeros(len(self.sums))
        for b in self._blocks(reverse=True):
            count = len(b.h)
            turned, own = b.rows.end.sum(axis=1), b.rows.sums.sum(axis=1)
            ends = np.zeros((count, *w.shape))
            for k in reversed(range(count)):
                for f, rows in enumerate(asked):
                    w[:, f] += rows[b.first + k + 1]
                ends[k] = w
                w = turned[k].T @ w
                w[:, points:] += own[k].T
            weights = np.einsum("kirs,krf->kisf", b.rows.end, ends)
            weights[..., points:] += b.rows.sums.swapaxes(2, 3)
            pulled = b.h[:, None, None, None] * np.einsum("ij,kisf->kjsf", WEIGHTS, weights)
            gradient += self.slopes.pulled(b.Y, pulled.reshape(-1, *w.shape))
            gradient[points:] += b.direct
            values += b.values
        for f, rows in enumerate(asked):
            w[:, f] += rows[0]
        gradient += w.T @ self.S0
        return gradient[:points], Sums(values, gradient[points:])

    def _blocks(self, *, reverse: bool = False) -> Iterator[Block]:
        """All intervals, some at a time."""
        size = max(1, _ROOM // (STAGES * len(self.S0)) ** 2)
        firsts = range(0, len(self.grid) - 1, size)
        for first in reversed(firsts) if reverse else firsts:
            yield self._block(first, min(size, len(self.grid) - 1 - first))

    def _block(self, first: int, count: int) -> Block:
        ends = self.grid[first : first + count + 1]
        h = np.diff(ends)
        X, p = self.path.states((ends[:-1, None] + h[:, None] * NODES).ravel()), self.path.p
        Y, n, many = self.slopes.evaluated(X, p), len(self.S0), len(self.sums)
        A = self.slopes.rates_by_states(Y).reshape(count, STAGES, n, n)
        c, values = np.zeros((count, STAGES, many, n)), np.zeros(many)
        direct = np.zeros((many, self.S0.shape[1]))
        if many:
            told = self.slopes.told(X, p)
            for k, one in enumerate(self.sums):
                c[:, :, k], values[k], direct[k] = _summed(one, told, X[:, 0], h)
        return Block(first, rows_of(A, h, c), Y, h, values, direct)

    def _accumulated(self, b: Block) -> Array:
        B = self.slopes.rates_by_directions(b.Y)
        return accumulated(B.reshape(len(b.h), STAGES, *B.shape[1:]), b.h)


def _summed(one: Sum, told: Told, times: Array, h: Array) -> tuple[Array, float, Array]:
    """Rows c of a sum over the stages, its value, and its direct part."""
    weights = (h[:, None] * WEIGHTS[-1]).ravel()
    y = one.value(times, told.values)
    slope = weights * (2 * y if one.squared else 1.0)
    rows = slope[:, None] * one.slope(told.values, told.y)
    total = float(weights @ (y * y if one.squared else y))
    return rows.reshape(len(h), STAGES, -1), total, slope @ one.slope(told.values, told.p)
