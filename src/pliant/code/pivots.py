"""An order of elimination that is good at some states: least fill among pivots large in all.

Source: Markowitz (1957)
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass

THRESHOLD, GOOD = 0.05, 0.3
"""A pivot is at least this large compared with its column; from the second on it is as good as any:
small changes of numbers do not change the order."""


@dataclass(frozen=True, slots=True)
class Pivots:
    """Rows and columns in the order of their elimination; symmetric: one order for both."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    symmetric: bool


def choose_pivots(samples: Array) -> Pivots | None:
    """An order of elimination good for all samples (k, n, n); None if there is none."""
    size = np.abs(samples).max()
    if not np.isfinite(size) or size == 0.0:
        return None
    even = bool(np.abs(samples - samples.transpose(0, 2, 1)).max() <= 1e-12 * size)
    return (_order(samples, symmetric=True) if even else None) or _order(samples, symmetric=False)


def _order(samples: Array, symmetric: bool) -> Pivots | None:
    A = samples.copy()
    n = A.shape[1]
    pattern = np.any(A != 0.0, axis=0)
    rows, columns = list(range(n)), list(range(n))
    order: list[tuple[int, int]] = []
    while rows:
        best = None
        part = np.abs(A[:, rows][:, :, columns])
        top = part.max(axis=1)
        for b, j in enumerate(columns):
            for a, i in enumerate(rows):
                if (symmetric and i != j) or not pattern[i, j] or np.any(top[:, b] == 0.0):
                    continue
                good = float((part[:, a, b] / top[:, b]).min())
                if good < THRESHOLD:
                    continue
                fill = (pattern[i, columns].sum() - 1) * (pattern[rows, j].sum() - 1)
                if best is None or (fill, good < GOOD) < best[0]:
                    best = ((fill, good < GOOD), i, j)
        if best is None:
            return None
        _, i, j = best
        order.append((i, j))
        rows.remove(i)
        columns.remove(j)
        for k in rows:
            if pattern[k, j]:
                factor = A[:, k, j] / A[:, i, j]
                A[:, k, :] -= factor[:, None] * A[:, i, :]
                pattern[k] |= pattern[i]
    return Pivots(tuple(i for i, _ in order), tuple(j for _, j in order), symmetric)
