"""Which constraints are about to become dependent: the rows to name when a mechanism locks up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pliant.solve.dynamics import Dynamics

Array = NDArray[np.float64]
NEAR, NEAR_FIXED_STEP = 1e-2, 0.2
"""Relative pivot below which constraints count as nearly dependent; the second where steps cannot
shrink towards the pose."""


def near_dependency(
    dynamics: Dynamics, x: Array, p: Array, near: float = NEAR
) -> tuple[float, int, tuple[int, ...]]:
    """(smallest pivot, row to blame or -1, all rows that take part) at x.

    The kept rows nearly satisfy w G = 0; w is the last left singular vector of the scaled rows.
    """
    if dynamics.m == 0:
        return 1.0, -1, ()
    r, kept, pivots = dynamics.rank(x, p)
    smallest = float(pivots.min()) if r else 1.0
    if r == 0 or not smallest < near or not np.all(np.isfinite(x)):
        return smallest, -1, ()
    y = dynamics.source.call("C", np.ascontiguousarray(x), p)
    G = dynamics.source.block("C", "G", y)[kept]
    G = G / np.linalg.norm(G, axis=1, keepdims=True)
    w = np.abs(np.linalg.svd(G)[0][:, -1])
    return smallest, int(kept[np.argmax(w)]), tuple(int(i) for i in kept[w > 0.1 * w.max()])
