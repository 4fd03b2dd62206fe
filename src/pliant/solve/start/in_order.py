"""Linear wishes in order of rank: each is met as nearly as those before it leave it free."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pliant.arrays import Array

_RANK = 1e-10


def in_order(wishes: Iterable[tuple[Array, Array]], n: int) -> Array:
    """x with |A x + b| smallest for the first (A, b), among these for the second, and so on; what
    no wish speaks of is zero."""
    x, Z = np.zeros(n), np.eye(n)
    for A, b in wishes:
        if not Z.shape[1]:
            break
        if not len(b):
            continue
        AZ = A @ Z
        U, s, Vt = np.linalg.svd(AZ, full_matrices=len(AZ) < AZ.shape[1])
        largest = float(np.abs(A).max(initial=0.0)) * np.sqrt(n)
        rank = int((s > _RANK * max(largest, 1e-300)).sum())
        x = x - Z @ (Vt[:rank].T @ ((U[:, :rank].T @ (b + A @ x)) / s[:rank]))
        Z = Z @ Vt[rank:].T
    return x


def least_squares(A: Array, b: Array, rcond: float = _RANK) -> Array:
    """x of least norm with |A x - b| smallest."""
    if not len(b):
        return np.zeros(A.shape[1])
    return np.asarray(np.linalg.lstsq(A, b, rcond=rcond)[0], dtype=np.float64)
