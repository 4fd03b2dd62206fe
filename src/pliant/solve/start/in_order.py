"""Linear wishes in order of rank: each is met as nearly as those before it leave it free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pliant.arrays import Array, Flags
from pliant.records import dataclass

_RANK = 1e-10


@dataclass(frozen=True, slots=True)
class Met:
    """After a rank: x so far; what moves in the freedom before it (``moves``: rows of A); what is
    left over of the wish, A x + b."""

    x: Array
    moves: Flags
    left: Array


def by_rank(wishes: Iterable[tuple[Array, Array]], n: int) -> Iterator[Met]:
    """x with |A x + b| smallest for the first (A, b), among these for the second, and so on, rank
    by rank; what no wish speaks of is zero. b may have several columns."""
    x, Z = np.zeros(n), np.eye(n)
    for A, b in wishes:
        if x.ndim < b.ndim:
            x = np.zeros((n, *b.shape[1:]))
        if not Z.shape[1] or not len(b):
            yield Met(x, np.zeros(len(b), dtype=bool), A @ x + b)
            continue
        AZ = A @ Z
        U, s, Vt = np.linalg.svd(AZ, full_matrices=len(AZ) < AZ.shape[1])
        largest = float(np.abs(A).max(initial=0.0)) * np.sqrt(n)
        tiny = _RANK * max(largest, 1e-300)
        rank = int((s > tiny).sum())
        left = U[:, :rank].T @ (b + A @ x)
        x = x - Z @ (Vt[:rank].T @ (left.T / s[:rank]).T)
        Z = Z @ Vt[rank:].T
        yield Met(x, np.abs(AZ).max(axis=1) > tiny, A @ x + b)


def in_order(wishes: Iterable[tuple[Array, Array]], n: int) -> Array:
    """x after all ranks of ``by_rank``."""
    x = np.zeros(n)
    for met in by_rank(wishes, n):
        x = met.x
    return x


def least_squares(A: Array, b: Array, rcond: float = _RANK) -> Array:
    """x of least norm with |A x - b| smallest."""
    if not len(b):
        return np.zeros(A.shape[1])
    return np.asarray(np.linalg.lstsq(A, b, rcond=rcond)[0], dtype=np.float64)
