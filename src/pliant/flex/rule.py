"""One Gauss rule per body: points, weights, and running integrals on the same points.

The rule is composite over the panels between stations (and elements). With one panel it has
4 x order + 24 points, order being the highest mode number or polynomial degree: twice the wave
number of a shape is what the foreshortening H(x) contains, four times what ∫H H contains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.polynomial import legendre

from pliant.arrays import Array


@lru_cache(maxsize=64)
def gauss(points: int) -> tuple[Array, Array]:
    """Gauss-Legendre points and weights on [-1, 1]."""
    t, w = legendre.leggauss(points)
    return t, w


@lru_cache(maxsize=64)
def running(points: int) -> Array:
    """I with (I f)_i = ∫_{-1}^{t_i} f dt for polynomials f of degree below `points`."""
    t, w = gauss(points)
    P = legendre.legvander(t, points)
    k = np.arange(points)
    coefficients = (P[:, :points] * w[:, None]).T * (k + 0.5)[:, None]
    lower = np.concatenate([np.ones((points, 1)), P[:, : points - 1]], axis=1)
    integrals = (P[:, 1:] - lower) / (2 * k + 1)
    integrals[:, 0] = t + 1
    return np.asarray(integrals @ coefficients)


@dataclass(frozen=True, slots=True)
class Rule:
    """Points x and weights w of a composite Gauss rule over `breaks`."""

    breaks: Array
    per_panel: int
    x: Array
    w: Array

    @classmethod
    def over(cls, breaks: Array, order: int) -> Rule:
        """A rule for shapes of the given order (mode number or degree) on these panels."""
        panels = len(breaks) - 1
        count = 12 + -(-4 * order // panels) if panels > max(order, 8) else 4 * order + 24
        t, w = gauss(count)
        half = np.diff(breaks)[:, None] / 2
        x = breaks[:-1, None] + half * (t + 1)
        return cls(breaks, count, x.ravel(), (half * w).ravel())

    def cumulative(self, f: Array) -> tuple[Array, Array]:
        """∫_0^x f at the points, and at the breaks."""
        panels = len(self.breaks) - 1
        shaped = f.reshape(panels, self.per_panel, prod(f.shape[1:]))
        half = np.diff(self.breaks)[:, None, None] / 2
        inside = half * np.einsum("ij,pjk->pik", running(self.per_panel), shaped)
        whole = half[:, 0] * np.einsum("j,pjk->pk", gauss(self.per_panel)[1], shaped)
        starts = np.concatenate([np.zeros((1, whole.shape[1])), np.cumsum(whole, axis=0)])
        at_points = (inside + starts[:-1, None, :]).reshape(f.shape)
        return at_points, starts.reshape((panels + 1, *f.shape[1:]))

    def panel(self, x: float) -> tuple[int, Array, Array]:
        """The panel that holds x, and a rule over its part from its start to x."""
        k = int(np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, len(self.breaks) - 2))
        t, w = gauss(self.per_panel)
        half = (x - self.breaks[k]) / 2
        return k, self.breaks[k] + half * (t + 1), half * w
