"""Rows of G for an elimination in fixed order: independent at a state and at others near it."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.errors import AssemblyError
from pliant.solve.dynamics import Dynamics

_AROUND = 4
_FAR = 0.2
"""Number of states around the first, and how far away their coordinates and speeds are."""
_LARGEST = 1e3
"""Entries of G at those states, over the largest at the first."""


def rows_and_states(dynamics: Dynamics, x: Array) -> tuple[list[int], Array]:
    """As many rows as are independent at x, and the states they were chosen at (x first)."""
    generator = np.random.default_rng(0)
    moving = slice(1, 1 + dynamics.nq + dynamics.nu)
    states = [x]
    for _ in range(_AROUND):
        near = x.copy()
        near[moving] += generator.normal(0.0, _FAR, moving.stop - 1)
        try:
            states.append(dynamics.consistent(near))
        except AssemblyError:
            continue
    rank = dynamics.rank(x)[0]
    source = dynamics.source
    rows = [source.block("constraints", "G", source.call("constraints", s, dynamics.p))
            for s in states]  # fmt: skip
    kept = [k for k, G in enumerate(rows) if _comparable(G, rows[0])]
    return independent_in_all([rows[k] for k in kept], rank), np.array([states[k] for k in kept])


def _comparable(G: Array, first: Array) -> bool:
    """Whether a state that was looked for around the first is one: elastic bodies may be torn far
    apart on the way, where rows grow without bounds."""
    largest = max(float(np.abs(first).max(initial=0.0)), 1.0)
    return bool(np.all(np.abs(G) <= _LARGEST * largest))


def independent_in_all(samples: list[Array], rank: int) -> list[int]:
    """Rows by pivoted orthogonalisation of all samples side by side, each row scaled to one."""
    A = np.hstack(samples)
    size = np.linalg.norm(A, axis=1)
    A = A / np.maximum(size, 1e-4 * size.max(initial=1e-300))[:, None]
    chosen: list[int] = []
    left = np.linalg.norm(A, axis=1)
    for _ in range(rank):
        best = int(np.argmax(left))
        chosen.append(best)
        q = A[best] / left[best]
        along = A @ q
        met = np.flatnonzero(along)  # few: most rows are of other loops
        A[met] -= np.outer(along[met], q)
        left[met] = np.linalg.norm(A[met], axis=1)
        left[chosen] = -1.0
    return sorted(chosen)
