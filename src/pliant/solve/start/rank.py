"""Which rows of G to keep: one decision per accepted step, at a consistent state.

Householder QR with row pivoting of the scaled rows G_i / s_i, where s_i is the largest ||G_i||
seen so far (the present norm would hide a row that vanishes), at least 1e-4 of the largest s
(rows that are zero up to rounding, as in planar loops of spatial joints, must not be blown up to
one). Where all rows vanish, as those of a shaft in two bearings, the largest s is rounding itself:
a row that never was larger than the rounding of its terms (``row_terms``) has s_i = 1. A row is
kept while its pivot stays above the threshold and re-enters above ``hysteresis`` times it.
Source: docs/theory (threshold 1e-9, hysteresis 10: window [1e-10, 1e-8]).

Rows of joints, bodies and drivers are sums of products of unit vectors with lever arms and with
one another: their terms are of order one (in m or rad per unit of speed), however much of them
cancels. A shaft in two bearings has rows that cancel altogether, and what is left of them, some
1e-16, says nothing. The terms of other rows (laws of networks, rows written by hand) can have any
size.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.mechanics.layout import Layout
from pliant.solve.machine.abi import Integers, Reals, jit

THRESHOLD_DEFAULT = 1e-9
THRESHOLD_WITH_DRIFT = 1e-5
"""Where constraints are held in part only, dependent rows seem independent by as much."""
HYSTERESIS_DEFAULT = 10.0
SCALE_FLOOR = 1e-4
ROUNDING = 1e-12
"""Of a sum of terms of order one: far above its rounding with lever arms of up to a kilometre, and
far below the lever arms of the smallest mechanisms."""
INVERSE_ITERATIONS = 6
_OF_MOTION = frozenset(("m", "rad", "1", "m/s", "rad/s"))
"""Units of rows that are made of unit vectors and lever arms."""


@jit
def update_scales(G: Reals, m: int, n: int, terms: Reals, scale: Reals, largest: Reals) -> None:
    """largest_i: running maximum of ||G_i||; scale_i: the same with its floor, 1 for rounding."""
    top = 0.0
    for i in range(m):
        norm = 0.0
        for j in range(n):
            norm += G[i * n + j] * G[i * n + j]
        largest[i] = max(largest[i], np.sqrt(norm))
        top = max(top, largest[i])
    for i in range(m):
        scale[i] = max(largest[i], SCALE_FLOOR * top)
        if largest[i] <= ROUNDING * terms[i] or scale[i] == 0.0:
            scale[i] = 1.0


@jit
def pivoted_rows(
    G: Reals, m: int, n: int, scale: Reals, active: Integers, threshold: float, hysteresis: float,
    W: Reals, order: Integers, pivots: Reals,
) -> int:  # fmt: skip
    """Rank of the scaled rows; ``order`` are the rows by pivot, ``pivots`` the |R_kk|."""
    for i in range(m):
        order[i] = i
        for j in range(n):
            W[i * n + j] = G[i * n + j] / scale[i]
    for k in range(min(m, n)):
        best, largest = k, -1.0
        for i in range(k, m):
            size = 0.0
            for j in range(k, n):
                size += W[i * n + j] * W[i * n + j]
            size = np.sqrt(size)
            if active[order[i]] == 0:
                size /= hysteresis
            if size > largest:
                best, largest = i, size
        if not largest >= threshold or largest == 0.0:
            return k
        if best != k:
            swap = order[k]
            order[k] = order[best]
            order[best] = swap
            for j in range(n):
                value = W[k * n + j]
                W[k * n + j] = W[best * n + j]
                W[best * n + j] = value
        pivots[k] = _reflect(W, k, m, n)
    return min(m, n)


@jit
def reflect_in_order(
    G: Reals, m: int, n: int, scale: Reals, r: int, W: Reals, order: Integers, pivots: Reals
) -> None:
    """The same without a choice: r reflections of the scaled rows in a given order."""
    for i in range(m):
        for j in range(n):
            W[i * n + j] = G[order[i] * n + j] / scale[order[i]]
    for k in range(r):
        pivots[k] = _reflect(W, k, m, n)


@jit
def _reflect(W: Reals, k: int, m: int, n: int) -> float:
    """Householder reflection that maps row k to (.., alpha, 0, ..); returns |alpha|."""
    square = 0.0
    for j in range(k, n):
        square += W[k * n + j] * W[k * n + j]
    alpha = np.sqrt(square)
    if W[k * n + k] > 0.0:
        alpha = -alpha
    head = W[k * n + k]
    W[k * n + k] = head - alpha
    length = square - head * head + W[k * n + k] * W[k * n + k]
    if length > 0.0:
        for i in range(k + 1, m):
            dot = 0.0
            for j in range(k, n):
                dot += W[k * n + j] * W[i * n + j]
            dot *= 2.0 / length
            for j in range(k, n):
                W[i * n + j] -= dot * W[k * n + j]
    W[k * n + k] = alpha
    return float(abs(alpha))


@jit
def keep_rows(r: int, m: int, order: Integers, active: Integers, place: Integers) -> int:
    """active[i]: row i is kept; place[i]: its position among the kept, or -1. 1 if changed."""
    for i in range(m):
        active[i] = 0
    for k in range(r):
        active[order[k]] = 1
    changed, position = 0, 0
    for i in range(m):
        new = -1
        if active[i] == 1:
            new = position
            position += 1
        if new != place[i]:
            changed = 1
        place[i] = new
    return changed


@jit
def smallest_singular_value(L: Reals, r: int, n: int, v: Reals) -> float:
    """Of the lower triangle L (rows n apart), by inverse iteration on L L^T; v: r numbers."""
    for i in range(r):
        if L[i * n + i] == 0.0:
            return 0.0
        v[i] = 1.0 / np.sqrt(r)
    square = np.inf
    for _ in range(INVERSE_ITERATIONS):
        for i in range(r):
            for j in range(i):
                v[i] -= L[i * n + j] * v[j]
            v[i] /= L[i * n + i]
        for i in range(r - 1, -1, -1):
            for j in range(i + 1, r):
                v[i] -= L[j * n + i] * v[j]
            v[i] /= L[i * n + i]
        size = 0.0
        for i in range(r):
            size += v[i] * v[i]
        size = np.sqrt(size)
        for i in range(r):
            v[i] /= size
        square = 1.0 / size
    return float(np.sqrt(square))


def row_terms(layout: Layout, m: int) -> Array:
    """For each of m rows: 1 if it is made of unit vectors and lever arms, 0 if that is unknown."""
    terms = np.zeros(m)
    for i, row in enumerate(layout.rows[: m - layout.loops]):
        terms[i] = float(row.unit in _OF_MOTION)
    return terms


def without_rounding(G: Array, layout: Layout) -> Array:
    """G, its rows zero where nothing but rounding of their terms is left."""
    size = np.linalg.norm(G, axis=1)
    if not np.any(size <= ROUNDING):
        return G
    return np.where((size <= ROUNDING * row_terms(layout, len(G)))[:, None], 0.0, G)
