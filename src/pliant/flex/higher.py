"""Degrees 3 and 4 of the kinetic energy with geometric stiffness `second-order` (normative 5).

With c1 = (s, v, w), xi = -1/2 q^T H q, A1 = w x c1 + c1' and A2 = (w x e1) xi + e1 xi':

    T_rest = ∫ρA (A1 . A2 + 1/2 |A2|²) dx

needs C[i, a, k] = ∫ρA L_ia H_k dx and HH[k, l] = ∫ρA H_k H_l dx, k over the entries (a <= b) of H
that can be nonzero: xi = -Σ_k c_k q_a q_b H_k with c_k = 1/2 for a = b and 1 otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.flex.arrays import Array, Mask


@dataclass(frozen=True, slots=True)
class HigherTables:
    """C (3, n, nH), HH (nH, nH) and the pairs (a, b), a <= b, of the entries of H."""

    C: Array
    HH: Array
    pairs: tuple[tuple[int, int], ...]


def pairs_of(mask: Mask) -> tuple[tuple[int, int], ...]:
    """The pairs a <= b at which H can be nonzero."""
    return tuple((int(a), int(b)) for a, b in zip(*np.nonzero(np.triu(mask)), strict=True))


def higher_tables(
    dm: Array, L: Array, H: Array, pairs: tuple[tuple[int, int], ...]
) -> HigherTables:
    """Integrals over points of mass dm with H (P, n, n) along e1."""
    a, b = np.array(pairs, dtype=int).reshape(-1, 2).T
    chosen = H[:, a, b]
    C = np.tensordot(dm[:, None, None] * L, chosen, axes=(0, 0))
    return HigherTables(np.asarray(C), np.asarray((dm[:, None] * chosen).T @ chosen), pairs)
