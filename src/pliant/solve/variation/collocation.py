"""Linear equations δy' = A δy + B δp over many intervals at once, by collocation.

Radau IIA with five stages (order 9, stiffly accurate): the stages Y_i of an interval h are

    Y_i = S_0 + h Σ_j a_ij (A_j Y_j + B_j),        S_1 = Y_5

so that S_1 = Σ_i L_i (S_0 + h Σ_j a_ij B_j) with L = [0 ... 0 1] (1 - h a ⊗ A)⁻¹: the rows L_i
carry sensitivities forward and adjoints backward, which therefore agree to rounding. A sum over the
stages, Σ_i c_i Y_i, has such rows of its own. Source: Hairer, Wanner, Solving ODEs II, IV.5.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Polynomial, legendre

from pliant.arrays import Array
from pliant.records import dataclass

STAGES = 5


def _radau() -> tuple[Array, Array]:
    """Nodes, zeros of P_s - P_(s-1) on [0, 1], and a_ij, integrals of Lagrange polynomials."""
    difference = np.zeros(STAGES + 1)
    difference[-1], difference[-2] = 1.0, -1.0
    nodes = (np.sort(legendre.legroots(difference)) + 1) / 2
    nodes[-1] = 1.0
    a = np.zeros((STAGES, STAGES))
    for j, own in enumerate(nodes):
        others = np.delete(nodes, j)
        integral = (Polynomial.fromroots(others) / np.prod(own - others)).integ()
        a[:, j] = integral(nodes) - integral(0.0)
    return nodes, a


NODES, WEIGHTS = _radau()


@dataclass(frozen=True, slots=True)
class Rows:
    """``end``: L of every interval (interval, stage, row, state); ``sums``: the same of sums over
    stages that were asked for."""

    end: Array
    sums: Array


def rows_of(A: Array, h: Array, sums: Array) -> Rows:
    """``A``: (interval, stage, n, n); ``sums``: c, (interval, stage, sum, n)."""
    count, _, n, _ = A.shape
    many = sums.shape[2]
    G = -h[:, None, None, None, None] * np.einsum("ij,kjab->kiajb", WEIGHTS, A)
    for i in range(STAGES):
        G[:, i, range(n), i, range(n)] += 1.0
    right = np.zeros((count, STAGES, n, n + many))
    right[:, -1, range(n), range(n)] = 1.0
    right[:, :, :, n:] = sums.swapaxes(2, 3)
    size = STAGES * n
    found = np.linalg.solve(
        G.reshape(count, size, size).swapaxes(1, 2), right.reshape(count, size, n + many)
    ).reshape(count, STAGES, n, n + many)
    found = found.swapaxes(2, 3)
    return Rows(found[:, :, :n], found[:, :, n:])


def accumulated(B: Array, h: Array) -> Array:
    """h Σ_j a_ij B_j; B: (interval, stage, n, ...)."""
    shape = (-1, *(1,) * (B.ndim - 1))
    return np.asarray(h.reshape(shape) * np.einsum("ij,kj...->ki...", WEIGHTS, B))
