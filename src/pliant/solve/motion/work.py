"""Work: integrals of powers over steps and samples, by Gauss' rule on the motion inside of them.

A step is as long as the motion allows, and a power need not be as smooth: a driven motion is exact
in steps of any length, its torque is not. An interval whose power is not yet resolved is cut in
two where it is not: at a jump of the power some 30 times, over many turns of it everywhere. What
is rounding (of reactions that do no work) is taken as it stands.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.arrays import Array

Powers = Callable[[Array], Array]
"""Powers, a row for each of some times."""
_INNER, _OUTER = (np.sqrt(3 / 7 + sign * 2 / 7 * np.sqrt(6 / 5)) for sign in (-1, 1))
GAUSS = np.array([-_OUTER, -_INNER, _INNER, _OUTER])
GAUSS_WEIGHTS = np.array([18 - np.sqrt(30), 18 + np.sqrt(30)] * 2)[[0, 1, 3, 2]] / 36
"""Gauss' rule of four points on [-1, 1]."""
_BENT = np.array([2.5 * GAUSS_WEIGHTS * (3 * GAUSS**2 - 1) / 2,
                  3.5 * GAUSS_WEIGHTS * (5 * GAUSS**3 - 3 * GAUSS) / 2])  # fmt: skip
"""Coefficients of the second and third Legendre polynomial from values at these points. Of the
largest power they may be r^k: they fall like that, and leave an error of r^8. Both may be small by
chance where many turns lie between: a fifth value must lie on the cubic through the four, too."""
_FIFTH = -0.1345
_CUBIC = np.array([
    np.prod([(_FIFTH - b) / (a - b) for b in GAUSS if b != a]) for a in GAUSS
])  # fmt: skip
"""Where it is taken, and the cubic there from the values at the four points."""
AGREE = 1.0
"""Times the tolerance of the run and the largest power of an element: by how much its mean in an
interval may change when that is cut. The better one of two is nearer by far (2^-8) where the power
is smooth."""
_ROUNDING = 1e-11
"""Of the largest power: what a power that is zero may show."""
_HERE, _NEXT = np.array([0.2, 0.5, 0.7]), 1e-11
"""Where the rounding of powers is looked at, and what is next to it, in parts of an interval."""
_FINEST, _DEPTH = 2048, 35
"""Panels of an interval at most, and how often one is cut."""
_CUT = 0.45
"""Where: in the middle, sums of weights before a jump are often the same for both rules."""
_POINTS = 400_000
"""Evaluations that are made at once at most."""


def work_in(powers: Powers, start: Array, length: Array, rtol: float) -> Array:
    """∫ P dt over intervals, a row for each, as exact as the motion is."""
    points = start[:, None] + length[:, None] * (0.5 + 0.5 * np.append(GAUSS, _FIFTH))
    every = powers(points.ravel()).reshape(len(start), len(GAUSS) + 1, -1)
    values, fifth = every[:, :-1], every[:, -1]
    work: Array = length[:, None] * np.einsum("k,gkp->gp", GAUSS_WEIGHTS / 2, values)
    bent = np.abs(np.einsum("ck,gkp->gcp", _BENT, values))
    off = np.abs(fifth - np.einsum("k,gkp->gp", _CUBIC, values))
    size = np.abs(values).max(axis=(0, 1), initial=0.0)
    size = np.maximum(size, _ROUNDING * size.max(initial=0.0))
    r = rtol ** (1 / 8)
    most = np.array([[r**2], [r**3]])
    rough = (bent > most * size).any(axis=(1, 2)) | (off > most[1] * size).any(axis=1)
    rough = np.flatnonzero(rough)
    if len(rough):
        work[rough] = resolved(powers, start[rough], length[rough], work[rough], rtol, size)
    return work


def resolved(
    powers: Powers, start: Array, length: Array, coarse: Array, rtol: float,
    size: Array | float = 0.0,
) -> Array:  # fmt: skip
    """The same from a first estimate, each interval cut in two where its work still changes;
    ``size``: of powers elsewhere."""
    begin, whole, work = start, length, np.zeros_like(coarse)
    owner, count = np.arange(len(start)), np.ones(len(start), dtype=int)
    noise = np.zeros_like(coarse)
    for depth in range(_DEPTH):
        parts = np.outer(length, [_CUT, 1 - _CUT]).ravel()
        start = np.stack([start, start + _CUT * length], axis=1).ravel()
        fine, largest = _panels(powers, start, parts)
        both = fine.reshape(len(owner), 2, -1).sum(axis=1)
        size = np.maximum(size, largest.max(axis=0))
        allowed = (whole[:, None] * np.maximum(AGREE * rtol * size, noise))[owner]
        rough = (np.abs(both - coarse) > allowed).any(axis=1) & (count[owner] < _FINEST)
        np.add.at(work, owner[~rough], both[~rough])
        if not rough.any():
            return work
        if depth == 0:
            left = owner[rough]
            noise[left] = 4 * _noise(powers, begin[left], whole[left])
        np.add.at(count, owner[rough], 1)
        halves = np.repeat(rough, 2)
        owner, start, length = owner[rough].repeat(2), start[halves], parts[halves]
        coarse = fine[halves]
    np.add.at(work, owner, coarse)
    return work


def _noise(powers: Powers, start: Array, length: Array) -> Array:
    """What powers change by over next to no time: rounding, which no panel resolves."""
    times = start[:, None] + length[:, None] * _HERE
    after = times + np.maximum(_NEXT * length[:, None], 8 * np.spacing(np.abs(times)))
    pairs = powers(np.stack([times, after], axis=2).ravel()).reshape(len(start), len(_HERE), 2, -1)
    found: Array = np.abs(pairs[:, :, 1] - pairs[:, :, 0]).max(axis=1)
    return found


def _panels(powers: Powers, start: Array, length: Array) -> tuple[Array, Array]:
    """Work by Gauss' rule in each panel, and the largest power of each."""
    works, sizes = [], []
    for part in np.array_split(np.arange(len(start)), 1 + len(start) * len(GAUSS) // _POINTS):
        points = start[part, None] + length[part, None] * (0.5 + 0.5 * GAUSS)
        values = powers(points.ravel()).reshape(len(part), len(GAUSS), -1)
        works.append(length[part, None] * np.einsum("k,gkp->gp", GAUSS_WEIGHTS / 2, values))
        sizes.append(np.abs(values).max(axis=1))
    return np.concatenate(works), np.concatenate(sizes)
