"""Which constraints are about to become dependent: the rows to name when a mechanism locks up, or
where two ways of assembly meet."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.solve.dynamics import Dynamics

NEAR, NEAR_FIXED_STEP = 1e-2, 0.2
"""Relative pivot below which constraints count as nearly dependent; the second where steps cannot
shrink towards the pose."""


CONTRADICTION = 0.05
"""Part of the prescribed rates that dependent constraints contradict: a lock-up."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """Constraints that are about to become dependent.

    ``pivot``: the smallest; ``row``: the one to blame (-1: none are nearly dependent); ``rows``:
    all that take part; ``locked``: they contradict each other, so that the motion cannot go on.
    Where they do not, two ways of assembly meet (a change point).
    """

    pivot: float
    row: int = -1
    rows: tuple[int, ...] = ()
    locked: bool = False


def near_dependency(dynamics: Dynamics, x: Array, p: Array, near: float = NEAR) -> Dependency:
    """The near dependency w G = 0 of the kept rows at x.

    w is the last left singular vector of the scaled rows. G u + b = 0 asks for w b = 0 where w G
    vanishes: prescribed rates b with w b != 0 lock the mechanism.
    """
    if dynamics.m == 0:
        return Dependency(1.0)
    r, kept, pivots = dynamics.rank(x, p)
    smallest = float(pivots.min()) if r else 1.0
    if r == 0 or not smallest < near or not np.all(np.isfinite(x)):
        return Dependency(smallest)
    at_rest = np.ascontiguousarray(x).copy()
    at_rest[1 + dynamics.nq : 1 + dynamics.nq + dynamics.nu] = 0.0
    y = dynamics.source.call("C", at_rest, p)
    G = dynamics.source.block("C", "G", y)[kept]
    size = np.linalg.norm(G, axis=1)
    b = dynamics.source.block("C", "cv", y)[kept] / size
    w = np.linalg.svd(G / size[:, None])[0][:, -1]
    part = np.abs(w)
    locked = abs(w @ b) > CONTRADICTION * np.abs(b).max()
    rows = tuple(int(i) for i in kept[part > 0.1 * part.max()])
    return Dependency(smallest, int(kept[np.argmax(part)]), rows, bool(locked))
