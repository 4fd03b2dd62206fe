"""Integrals over samples at any times: a polynomial through the neighbours of every interval.

Six neighbours give order 6, four give order 4; the difference of the two estimates the error.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array

POINTS = 6
"""Neighbours of an interval, and the order of the rule."""
_COARSE = 4


class Quadrature:
    """∫ dt over the interval of some times."""

    def __init__(self, time: Array) -> None:
        self._fine, self._coarse = _weights(time, POINTS), _weights(time, _COARSE)

    def __call__(self, values: Array) -> tuple[float, float]:
        """The integral of samples, and an estimate of its error."""
        fine = float(self._fine @ values)
        return fine, abs(fine - float(self._coarse @ values))


def _weights(time: Array, points: int) -> Array:
    """w with ∫ p dt = w · p(time) for polynomials p between neighbours, interval by interval.

    In a scaled time s, with moments m_k = ∫ s^k ds over the interval: Σ_j w_j s_j^k = m_k.
    """
    n = len(time)
    points = min(points, n)
    first = np.clip(np.arange(n - 1) + 1 - points // 2, 0, n - points)
    near = first[:, None] + np.arange(points)
    middle, size = (time[:-1] + time[1:]) / 2, (time[near[:, -1]] - time[near[:, 0]]) / 2
    scaled, half = (time[near] - middle[:, None]) / size[:, None], np.diff(time) / (2 * size)
    k = np.arange(points)
    moments = (half[:, None] ** (k + 1) - (-half[:, None]) ** (k + 1)) / (k + 1)
    powers = scaled[:, None, :] ** k[:, None]
    own = size[:, None] * np.linalg.solve(powers, moments[:, :, None])[:, :, 0]
    weights = np.zeros(n)
    np.add.at(weights, near, own)
    return weights
