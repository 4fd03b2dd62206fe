"""Numerics of this room: vectors, symmetric eigenvalue problems, damping, one Gauss rule per body.

Damping matrices D (n, n) of a body from its own M and K.

modal       D = M Φ diag(2 ζ ω) Φ^T M with the modes Φ of (K, M), Φ^T M Φ = 1
rayleigh    D = α M + β K
stiffness   D = β K

The rule has points, weights, and running integrals on the same points. It is composite over the
panels between stations (and elements). With one panel it has 4 x order + 24 points, order being the
highest mode number or polynomial degree: twice the wave number of a shape is what foreshortening
H(x) contains, four times what ∫H H contains.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod

import numpy as np
from numpy.polynomial import legendre

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.records import dataclass

#: Levi-Civita: (a x b)_i = EPS[i, j, k] a_j b_k.
EPS: Array = np.zeros((3, 3, 3))
EPS[0, 1, 2] = EPS[1, 2, 0] = EPS[2, 0, 1] = 1.0
EPS[0, 2, 1] = EPS[2, 1, 0] = EPS[1, 0, 2] = -1.0


def skew(v: Array) -> Array:
    """[v]x with [v]x a = v x a; leading axes of v are kept."""
    return np.asarray(-np.einsum("ijk,...k->...ij", EPS, v))


def frozen(array: Array) -> Array:
    """A read-only array of floats."""
    out = np.array(array, dtype=np.float64)
    out.setflags(write=False)
    return out


def symmetric_modes(K: Array, M: Array) -> tuple[Array, Array]:
    """K Phi = M Phi diag(w2) with Phi^T M Phi = 1, by Cholesky of the diagonally scaled M.

    The sign of each mode makes its largest entry positive, so that modes change continuously
    with the data.
    """
    if K.shape[0] == 0:
        return np.zeros(0), np.zeros((0, 0))
    scale = 1.0 / np.sqrt(np.diag(M)) if np.all(np.diag(M) > 0) else np.ones(len(M))
    try:
        factor = np.linalg.cholesky(M * np.outer(scale, scale))
    except np.linalg.LinAlgError:
        raise InputError(
            "the mass matrix of the shape functions is not positive definite",
            "use fewer or independent shapes, or rotary_inertia full",
        ) from None
    half = np.linalg.solve(factor, K * np.outer(scale, scale))
    whole = np.linalg.solve(factor, half.T)
    w2, vectors = np.linalg.eigh(0.5 * (whole + whole.T))
    modes = np.linalg.solve(factor.T, vectors) * scale[:, None]
    return w2, modes * largest_sign(modes)


def largest_sign(columns: Array) -> Array:
    """+1 or -1 for each column: the sign of its entry of largest size."""
    if columns.size == 0:
        return np.ones(columns.shape[1])
    rows = np.argmax(np.abs(columns), axis=0)
    return np.where(columns[rows, np.arange(columns.shape[1])] < 0, -1.0, 1.0)


Damping = tuple[str, tuple[float, ...]]
"""The kind, and its numbers: ζ of all modes or one per mode, lowest first (modes beyond the list:
none); α (1/s) and β (s); β."""
Dampings = tuple[tuple[tuple[str, ...], Damping], ...]
"""Of coordinates of these kinds; without kinds, of all."""


def damping_matrix(dampings: Dampings, M: Array, K: Array, kinds: Sequence[str] = ()) -> Array:
    """D, of modes in which coordinates of one kind move alone; zero without damping."""
    D = np.zeros_like(K)
    for chosen, damping in dampings:
        own = [k for k in range(len(K)) if not chosen or kinds[k] in chosen]
        block = np.ix_(own, own)
        D[block] += _damping_matrix(damping, M[block], K[block])
    return D


def _damping_matrix(damping: Damping, M: Array, K: Array) -> Array:
    kind, numbers = damping
    if kind == "rayleigh":
        alpha, beta = numbers
        return alpha * M + beta * K
    if kind == "stiffness":
        return numbers[0] * K
    zeta = np.zeros(len(K))
    zeta[: len(numbers) if len(numbers) > 1 else None] = numbers
    w2, modes = symmetric_modes(K, M)
    momenta = M @ modes
    return np.asarray((momenta * (2 * zeta * np.sqrt(np.clip(w2, 0.0, None)))) @ momenta.T)


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
        return cls.with_points(breaks, count)

    @classmethod
    def with_points(cls, breaks: Array, count: int) -> Rule:
        """A rule of so many points on each of these panels."""
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
