"""Degrees 3 and 4 of the kinetic energy with geometric stiffness `second-order` (normative 5).

With c1 = L q, xi = -1/2 q^T H q, A1 = w x c1 + c1' and A2 = w x xi + xi':

    T_rest = ∫ A1 . A2 + 1/2 |A2|² dm

needs C[i, a, k] = ∫ L_ia H_k dm and HH[k, l] = ∫ H_k H_l dm, k over the entries (d, a <= b) of H
that can be nonzero, d a direction (x for a beam): xi_d = -Σ_k c_k q_a q_b H_k with c_k = 1/2 for
a = b and 1 otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array, Flags
from pliant.flex.tables import PointFields

Pairs = tuple[tuple[int, int, int], ...]
"""(direction, a, b), a <= b."""


@dataclass(frozen=True, slots=True)
class HigherTables:
    """C (3, n, nH), HH (nH, nH) and the pairs (d, a, b), a <= b, of the entries of H."""

    C: Array
    HH: Array
    pairs: Pairs


def pairs_of(mask: Flags) -> Pairs:
    """Direction and pair a <= b at which H can be nonzero; mask (3, n, n), or (n, n) along x."""
    upper = np.triu(mask[None] if mask.ndim == 2 else mask)
    return tuple((int(d), int(a), int(b)) for d, a, b in zip(*np.nonzero(upper), strict=True))


def higher_tables(points: PointFields, pairs: Pairs) -> HigherTables:
    """Integrals over points with H, whose mass is the same along every direction."""
    if points.H is None or not pairs:
        return HigherTables(np.zeros((*points.L.shape[1:], 0)), np.zeros((0, 0)), ())
    d, a, b = np.array(pairs, dtype=int).T
    chosen = points.H[:, d, a, b]
    mass = points.mass
    weighted = mass[:, None] * chosen if mass.ndim == 1 else mass[::3, ::3] @ chosen
    C = np.tensordot(points.L, weighted, axes=(0, 0))
    HH = chosen.T @ weighted
    return HigherTables(np.asarray(C), np.asarray(0.5 * (HH + HH.T)), pairs)
