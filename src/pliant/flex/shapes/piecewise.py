"""Piecewise polynomials: Legendre coefficients on each panel. Polynomial families are one panel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.polynomial import legendre

from pliant.arrays import Array


@dataclass(frozen=True, slots=True)
class Piecewise:
    """f_a(x) = Σ_k c[e, k, a] P_k(t), t in [-1, 1] on panel e between breaks e and e + 1."""

    breaks: Array
    coefficients: Array

    @property
    def count(self) -> int:
        return int(self.coefficients.shape[2])

    @property
    def order(self) -> int:
        """The degree of one panel; many panels need no more points than their own degree."""
        return int(self.coefficients.shape[1]) - 1 if len(self.breaks) == 2 else 0

    def __call__(self, x: Array) -> Array:
        x = np.asarray(x, dtype=np.float64)
        panels = len(self.breaks) - 1
        e = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, panels - 1)
        h = np.diff(self.breaks)[e]
        t = 2 * (x - self.breaks[e]) / h - 1
        local = self.coefficients[e]
        out = np.empty((4, len(x), self.count))
        for d, basis in enumerate(derivatives(t, self.coefficients.shape[1])):
            out[d] = np.einsum("nk,nka->na", basis, local) * ((2 / h) ** d)[:, None]
        return out

    def __matmul__(self, modes: Array) -> Piecewise:
        """Linear combinations of these functions."""
        return Piecewise(self.breaks, np.asarray(self.coefficients @ modes))


def derivatives(t: Array, count: int) -> list[Array]:
    """Values and three derivatives of P_0 ... P_{count-1} at t, each (points, count)."""
    P: Array = np.asarray(legendre.legvander(t, count - 1), dtype=np.float64)
    out = [P]
    for _ in range(3):
        # P'_{k+1} = P'_{k-1} + (2k + 1) P_k
        D = np.zeros_like(P)
        for k in range(count - 1):
            D[:, k + 1] = (2 * k + 1) * out[-1][:, k] + (D[:, k - 1] if k else 0.0)
        out.append(D)
    return out
