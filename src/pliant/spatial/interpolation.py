"""Polynomials through the Gauss-Lobatto points of [0, 1], and their values at Gauss points."""

from __future__ import annotations

from functools import lru_cache
from math import comb

import numpy as np
from numpy.polynomial import Legendre
from numpy.polynomial.legendre import leggauss

from pliant.arrays import Array
from pliant.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Interpolation:
    """Nodes on [0, 1] with Lobatto weights; Gauss points with weights, and N, N' there by row."""

    nodes: Array
    lumped: Array
    points: Array
    weights: Array
    N: Array
    dN: Array

    @property
    def order(self) -> int:
        """Degree of the polynomials."""
        return len(self.nodes) - 1


@lru_cache
def interpolation(order: int, points: int) -> Interpolation:
    """Polynomials of this order, and a Gauss rule of so many points."""
    nodes, lumped = lobatto(order)
    at, weights = leggauss(points)
    at = (at + 1) / 2
    N, dN = lagrange(nodes, at)
    return Interpolation(nodes, lumped, at, weights / 2, N, dN)


def lobatto(order: int) -> tuple[Array, Array]:
    """Gauss-Lobatto points and weights of [0, 1]: its ends, and where P_order' = 0."""
    P = Legendre.basis(order)
    inner = np.sort(P.deriv().roots().real) if order > 1 else np.zeros(0)
    x = np.concatenate([[-1.0], inner, [1.0]])
    weights = 1.0 / (comb(order + 1, 2) * P(x) ** 2)
    return (x + 1) / 2, weights / 2


def lagrange(nodes: Array, at: Array) -> tuple[Array, Array]:
    """Values and derivatives of the Lagrange polynomials of the nodes, a row for each place."""
    powers = np.arange(len(nodes))
    coefficients = np.linalg.inv((2 * nodes[:, None] - 1) ** powers)
    x = 2 * at[:, None] - 1
    N = x**powers @ coefficients
    dN = 2 * (powers[1:] * x ** (powers[1:] - 1)) @ coefficients[1:]
    return N, dN
