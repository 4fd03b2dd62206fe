"""Work: integrals of powers over steps and samples, by Gauss' rule on the motion inside of them.

A step is as long as the motion allows, and a power need not be as smooth: a driven motion is exact
in steps of any length, its torque is not. An interval whose power is not yet resolved is cut into
2, 4, 8 ... panels until two of these agree.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Powers = Callable[[Array], Array]
"""Powers, a row for each of some times."""
_INNER, _OUTER = (np.sqrt(3 / 7 + sign * 2 / 7 * np.sqrt(6 / 5)) for sign in (-1, 1))
GAUSS = np.array([-_OUTER, -_INNER, _INNER, _OUTER])
GAUSS_WEIGHTS = np.array([18 - np.sqrt(30), 18 + np.sqrt(30)] * 2)[[0, 1, 3, 2]] / 36
"""Gauss' rule of four points on [-1, 1]."""
_BENT = np.array([2.5 * GAUSS_WEIGHTS * (3 * GAUSS**2 - 1) / 2,
                  3.5 * GAUSS_WEIGHTS * (5 * GAUSS**3 - 3 * GAUSS) / 2])  # fmt: skip
"""Coefficients of the second and third Legendre polynomial from values at these points."""
_RESOLVED = np.array([[2e-2], [2e-3]])
"""Coefficients fall like r^k: these parts of the largest power, r < 0.14, leave an error of about
r^8, 1e-7 of it. Both may be small by chance where many turns lie between: a fifth value must lie
on the cubic through the four, too."""
_FIFTH = -0.1345
_CUBIC = np.array([
    np.prod([(_FIFTH - b) / (a - b) for b in GAUSS if b != a]) for a in GAUSS
])  # fmt: skip
"""Where it is taken, and the cubic there from the values at the four points."""
_AGREE = 1e-8
_FINEST = 2048
"""Panels of an interval at most."""
_POINTS = 400_000
"""Evaluations that are made at once at most."""


def work_in(powers: Powers, start: Array, length: Array) -> Array:
    """∫ P dt over intervals, a row for each."""
    points = start[:, None] + length[:, None] * (0.5 + 0.5 * np.append(GAUSS, _FIFTH))
    every = powers(points.ravel()).reshape(len(start), len(GAUSS) + 1, -1)
    values, fifth = every[:, :-1], every[:, -1]
    work: Array = length[:, None] * np.einsum("k,gkp->gp", GAUSS_WEIGHTS / 2, values)
    bent = np.abs(np.einsum("ck,gkp->gcp", _BENT, values))
    off = np.abs(fifth - np.einsum("k,gkp->gp", _CUBIC, values))
    size = np.abs(values).max(axis=(0, 1), initial=0.0)
    rough = (bent > _RESOLVED * size).any(axis=(1, 2)) | (off > _RESOLVED[1] * size).any(axis=1)
    rough = np.flatnonzero(rough)
    if len(rough):
        work[rough] = resolved(powers, start[rough], length[rough], work[rough])
    return work


def resolved(powers: Powers, start: Array, length: Array, coarse: Array) -> Array:
    """The same with as many panels as it takes, from a first estimate."""
    work, left, count = coarse.copy(), np.arange(len(start)), 1
    while len(left) and count < _FINEST:
        count *= 2
        parts = np.array_split(left, 1 + count * len(GAUSS) * len(left) // _POINTS)
        apart = []
        for part in parts:
            finer, values = _panels(powers, start[part], length[part], count)
            allowed = _AGREE * length[part, None] * np.abs(values).max(axis=1)
            apart.append(part[(np.abs(finer - work[part]) > allowed).any(axis=1)])
            work[part] = finer
        left = np.concatenate(apart)
    return work


def _panels(powers: Powers, start: Array, length: Array, count: int) -> tuple[Array, Array]:
    """Work by Gauss' rule in each of ``count`` panels, and the powers at its points."""
    places = (np.arange(count)[:, None] + 0.5 + 0.5 * GAUSS).ravel() / count
    points = start[:, None] + length[:, None] * places
    values = powers(points.ravel()).reshape(len(start), len(places), -1)
    weights = np.tile(GAUSS_WEIGHTS, count) / (2 * count)
    work: Array = length[:, None] * np.einsum("k,gkp->gp", weights, values)
    return work, values
