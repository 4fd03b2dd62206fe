"""What is asked of a motion, carried backward over its intervals by machine code.

An interval hands w on to its begin as Σ_i X_i, where the stages X_i (``collocation``) obey

    X_j - h Σ_i a_ij A_jᵀ X_i = b_j,        b_j: what enters stage j, w of the end the last of them

This is solved by the series 1 + h (a ⊗ A)ᵀ + ..., which ends soon where steps are short; where it
does not (stiff equations), by elimination.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Integers
from pliant.solve.machine.abi import Reals, at, entry, jit
from pliant.solve.machine.linear import dot
from pliant.solve.variation.collocation import STAGES, WEIGHTS

_TERMS, _LOOKED_AT = 60, 3
"""Terms of the series; how often its last one is looked at."""
_NOTHING, _FAR = 1e-33, 1e24
"""Squared size of a last term, and of one that will not become small in time."""


def carried_back(A: Array, reach: Integers, h: Array, entering: Array, w: Array) -> Array:
    """w at the begin of the first interval from that at the end of the last. ``A``: (interval,
    stage, n, n), whose rows are zero outside of ``reach`` (first column, end); ``w``: (column, n);
    ``entering``: (interval, column, stage, n) becomes X."""
    count, columns, _, n = entering.shape
    size = STAGES * n
    A, w, room = np.ascontiguousarray(A), w.copy(), np.zeros((columns + 2) * size)
    left = carry_back(A, reach, h, WEIGHTS, entering, w, room, count, columns, STAGES, n)
    for k in reversed(range(left)):
        entering[k, :, -1] += w
        entering[k] = eliminated(A[k], h[k], entering[k])
        w = entering[k].sum(axis=1)
    return w


def eliminated(A: Array, h: float, right: Array) -> Array:
    """X of one interval; ``right``: (column, stage, n)."""
    columns, stages, n = right.shape
    matrix = -h * np.einsum("ij,jab->jbia", WEIGHTS, A).reshape(stages * n, stages * n)
    matrix += np.eye(stages * n)
    return np.linalg.solve(matrix, right.reshape(columns, -1).T).T.reshape(right.shape)


@entry
def carry_back(
    A: Reals, reach: Integers, h: Reals, a: Reals, X: Reals, w: Reals, room: Reals, count: int,
    columns: int, stages: int, n: int,
) -> int:  # fmt: skip
    """w <- Σ X of interval after interval, the last first; how many are left over, whose series do
    not end. ``X``: what enters them, and what is found; ``room``: of two columns more than w."""
    size = stages * n
    for left in range(count, 0, -1):
        own = at(X, (left - 1) * columns * size)
        for f in range(columns):
            found = at(room, (f + 2) * size)
            for i in range(size):
                found[i] = own[f * size + i]
            for i in range(n):
                found[size - n + i] += w[f * n + i]
            own_A = at(A, (left - 1) * size * n)
            if not _series(own_A, reach, h[left - 1], a, stages, n, room, found):
                return left
        for i in range(columns * n):
            w[i] = 0.0
        for f in range(columns):
            for j in range(stages):
                for i in range(n):
                    value = room[(f + 2) * size + j * n + i]
                    own[f * size + j * n + i] = value
                    w[f * n + i] += value
    return 0


@jit
def _series(
    A: Reals, reach: Integers, h: float, a: Reals, stages: int, n: int, room: Reals, found: Reals
) -> bool:
    """found <- (1 + h (a ⊗ A)ᵀ + ...) found, of one column; False: the series does not end."""
    size = stages * n
    term, mixed = room, at(room, size)
    for i in range(size):
        term[i] = found[i]
    entered = dot(found, found, size)
    for k in range(_TERMS):
        _next_term(A, reach, h, a, stages, n, term, mixed)
        for i in range(size):
            found[i] += term[i]
        if k % _LOOKED_AT == _LOOKED_AT - 1:
            last = dot(term, term, size)
            if last <= _NOTHING * max(entered, dot(found, found, size)):
                return True
            if not last < _FAR * entered:
                return False
    return False


@jit
def _next_term(
    A: Reals, reach: Integers, h: float, a: Reals, stages: int, n: int, term: Reals, mixed: Reals
) -> None:
    """term <- h (a ⊗ A)ᵀ term."""
    for j in range(stages):
        for b in range(n):
            mixed[j * n + b] = 0.0
        for i in range(stages):
            part = h * a[i * stages + j]
            for b in range(n):
                mixed[j * n + b] += part * term[i * n + b]
    for j in range(stages):
        for b in range(n):
            term[j * n + b] = 0.0
        for i in range(n):
            part, row = mixed[j * n + i], at(A, (j * n + i) * n)
            for b in range(reach[2 * i], reach[2 * i + 1]):
                term[j * n + b] += part * row[b]
