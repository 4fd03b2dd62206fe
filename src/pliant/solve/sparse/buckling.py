"""Loads at which an equilibrium becomes singular: bifurcation and limit points.

The eigenvalue mu of the tangent next to zero (K v = mu B v, B = 1 for rotations, 1 over the square
of the size of the system for translations, 0 for multipliers) comes from inverse iteration;
mu(load) = 0 is looked for along the path of equilibria between two loads with different numbers of
negative eigenvalues.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.errors import StepError
from pliant.solve.sparse.statics import Statics


class RegularTangentError(StepError):
    """Pivots change their signs, but no eigenvalue passes zero: loads that follow bodies make the
    tangent unsymmetric, and its pivots count nothing then."""


@dataclass(frozen=True, slots=True)
class CriticalLoad:
    """A load factor with a singular tangent, the state there and the way it gives (all blocks)."""

    load: float
    q: Array
    mode: Array


def smallest_eigenvalue(
    statics: Statics, q: Array, load: float, *, iterations: int = 200
) -> tuple[float, Array]:
    """mu of least size and its vector, largest entry 1."""
    system = statics.system
    statics.linearise(q, load)
    B = statics.weights**2
    v = np.where(B > 0, np.random.default_rng(0).normal(size=system.n_all), 0.0)
    v[B > 0] /= statics.weights[B > 0]
    mu = np.inf
    for _ in range(iterations):
        right = statics.scaled((B * v)[: system.n])
        w = np.where(B > 0, statics.solve(right), 0.0)
        new = float(v @ (B * v)) / float(v @ (B * w))
        v = w / np.sqrt(w @ (B * w))
        if abs(new - mu) <= 1e-12 * abs(new):
            break
        mu = new
    return new, v / np.abs(v).max()


def unstable(statics: Statics, q: Array, load: float) -> int:
    """Number of negative eigenvalues of the tangent."""
    statics.linearise(q, load)
    return statics.system.matrix.negative_pivots() - len(statics.multipliers)


def critical_load(statics: Statics, q: Array, low: float, high: float) -> CriticalLoad:
    """Where the tangent becomes singular between two loads; q: near the equilibrium at ``low``.

    The interval is halved by counting negative eigenvalues down to a hundredth. In it mu is nearly
    a straight line, and load(mu = 0) is interpolated through five points, none of which needs to be
    singular. The path is followed at fixed loads: bifurcations, not limit points.
    """
    state = statics.equilibrium(q, low).q
    stable = unstable(statics, state, low)
    if unstable(statics, statics.equilibrium(state, high).q, high) == stable:
        raise StepError(f"the tangent does not become singular between loads {low:g} and {high:g}")
    while high - low > 0.01 * abs(high):
        middle = (low + high) / 2
        tried = statics.equilibrium(state, middle).q
        if unstable(statics, tried, middle) == stable:
            low, state = middle, tried
        else:
            high = middle
    loads, values = np.linspace(low, high, 5), np.zeros(5)
    for k, load in enumerate(loads):
        state = statics.equilibrium(state, float(load)).q
        values[k], mode = smallest_eigenvalue(statics, state, float(load))
    if values[0] * values[-1] > 0:
        raise RegularTangentError(f"no eigenvalue passes zero between {low:g} and {high:g}")
    critical = _interpolated(values, loads)
    return CriticalLoad(critical, state, mode)


def _interpolated(x: Array, y: Array) -> float:
    """y at x = 0 of the polynomial through the points (Neville)."""
    y = y.copy()
    for k in range(1, len(x)):
        y[:-k] = (x[k:] * y[:-k] - x[:-k] * y[1 : len(y) - k + 1]) / (x[k:] - x[:-k])
    return float(y[0])
