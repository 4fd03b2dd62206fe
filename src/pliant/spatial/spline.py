"""A cubic spline through points in space, and places on it by arc length."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array

_GAUSS = 16
_STEPS = 50


class Spline:
    """A cubic spline through points over the sum of chords u, not-a-knot: its third derivative
    is continuous at the second point and at the last but one (through three points: a parabola).

    Errors of a smooth curve fall with the fourth power of the distance of points.
    """

    def __init__(self, points: Array) -> None:
        self.points = np.asarray(points, dtype=float)
        chords = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        self.u = np.concatenate([[0.0], np.cumsum(chords)])
        self._c = _coefficients(self.u, self.points)
        lengths = [self._length(k, 1.0) for k in range(len(chords))]
        self.places = np.concatenate([[0.0], np.cumsum(lengths)])

    @property
    def length(self) -> float:
        """Arc length of the whole."""
        return float(self.places[-1])

    def at(self, x: float) -> tuple[Array, Array]:
        """Point and unit tangent at arc length x."""
        k = int(np.clip(np.searchsorted(self.places, x, side="right") - 1, 0, len(self.u) - 2))
        rest, h = x - self.places[k], self.u[k + 1] - self.u[k]
        s = rest / (self.places[k + 1] - self.places[k])
        for _ in range(_STEPS):
            step = (rest - self._length(k, s)) / (h * np.linalg.norm(self._slope(k, s)))
            s += step
            if abs(step) < 1e-15:
                break
        slope = self._slope(k, s)
        d = s * h
        point = ((self._c[3, k] * d + self._c[2, k]) * d + self._c[1, k]) * d + self._c[0, k]
        return point, slope / np.linalg.norm(slope)

    def _slope(self, k: int, s: float) -> Array:
        d = s * (self.u[k + 1] - self.u[k])
        found: Array = (3 * self._c[3, k] * d + 2 * self._c[2, k]) * d + self._c[1, k]
        return found

    def _length(self, k: int, s: float) -> float:
        """Arc length of the first part s of piece k."""
        from numpy.polynomial.legendre import leggauss

        at, weights = leggauss(_GAUSS)
        h = self.u[k + 1] - self.u[k]
        speeds = [np.linalg.norm(self._slope(k, 0.5 * s * (x + 1))) for x in at]
        return float(0.5 * s * h * np.dot(weights, speeds))


def _coefficients(u: Array, points: Array) -> Array:
    """c[j, k]: factor of (u - u_k)^j on piece k."""
    h, n = np.diff(u), len(u)
    rise = np.diff(points, axis=0) / h[:, None]
    bends: Array = np.zeros((n, 3))
    if n == 3:
        bends[:] = (rise[1] - rise[0]) / (h[0] + h[1]) * 2
    elif n > 3:
        bends = np.asarray(np.linalg.solve(*_conditions(h, rise)), dtype=np.float64)
    c = np.zeros((4, n - 1, 3))
    c[0] = points[:-1]
    c[1] = rise - h[:, None] * (2 * bends[:-1] + bends[1:]) / 6
    c[2] = bends[:-1] / 2
    c[3] = (bends[1:] - bends[:-1]) / (6 * h[:, None])
    return c


def _conditions(h: Array, rise: Array) -> tuple[Array, Array]:
    """Equations of the second derivatives: slopes are continuous; not-a-knot at both ends."""
    n = len(h) + 1
    A, b = np.zeros((n, n)), np.zeros((n, 3))
    for k in range(1, n - 1):
        A[k, k - 1 : k + 2] = h[k - 1], 2 * (h[k - 1] + h[k]), h[k]
        b[k] = 6 * (rise[k] - rise[k - 1])
    A[0, :3] = h[1], -(h[0] + h[1]), h[0]
    A[-1, -3:] = h[-1], -(h[-2] + h[-1]), h[-2]
    return A, b
