"""What a least squares problem knows of its parameters: covariance, and what it cannot tell apart.

Near the minimum, with J the slopes of residuals in standard deviations (Bard 1974, ch. 7):

    cov = (J^T J)^-1        J = U S V^T, columns of unit length:  v of s = 0 changes nothing
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass

FAINT = 1e-8
"""Part of the strongest effect below which a parameter has none."""
_TAKES_PART = 0.05
"""Part of the largest effect in a combination from which on a parameter is named."""
_ALIKE = 0.02
CLOSE = 0.99
"""Correlation that is remarked on."""


@dataclass(frozen=True, slots=True)
class Known:
    """``covariance`` is infinite where nothing is known; ``remarks``: in words, by names."""

    covariance: Array
    remarks: tuple[str, ...]

    @property
    def correlation(self) -> Array:
        """Not a number where nothing is known."""
        with np.errstate(invalid="ignore"):
            deviations = np.sqrt(np.diag(self.covariance))
            found = self.covariance / np.outer(deviations, deviations)
        return np.asarray(np.where(np.isfinite(self.covariance), found, np.nan))


def known_of(
    J: Array, names: Sequence[str], values: Array, scale: Array, tolerance: float
) -> Known:
    """``J``: slopes of residuals in standard deviations (row, parameter); ``scale``: of the
    parameters, in which changes are told where ``values`` are zero; ``tolerance``: how exact slopes
    are. A number that is nearly zero in the end has an effect as well."""
    n = len(names)
    units = np.where(values != 0.0, values, scale)
    effect = np.linalg.norm(J, axis=0) * np.maximum(np.abs(values), scale)
    silent = effect <= FAINT * effect.max(initial=0.0)
    covariance = np.zeros((n, n))
    covariance[silent, silent] = np.inf
    remarks = [f"{names[int(k)]} has no effect on this data" for k in np.flatnonzero(silent)]
    heard = np.flatnonzero(~silent)
    if len(heard):
        own = [names[int(k)] for k in heard]
        part, said = _parted(J[:, heard], own, units[heard], tolerance)
        covariance[np.ix_(heard, heard)] = part
        remarks += said
    found = Known(covariance, tuple(remarks))
    return Known(covariance, (*remarks, *_close(found.correlation, names)))


def _parted(
    J: Array, names: Sequence[str], units: Array, tolerance: float
) -> tuple[Array, list[str]]:
    """Covariance of parameters that have an effect, and combinations of them that have none."""
    own = np.linalg.norm(J, axis=0)
    _, few, Vt = np.linalg.svd(J / own)
    s = np.pad(few, (0, len(names) - len(few)))
    blind = s <= tolerance * s[0]
    weights = np.where(blind, 0.0, 1 / np.where(blind, 1.0, s) ** 2)
    covariance = (Vt.T * weights) @ Vt / np.outer(own, own)
    lost = (np.abs(Vt[blind]) > max(0.1 * _TAKES_PART, tolerance)).any(axis=0)
    covariance[np.ix_(lost, lost)] = np.nan
    covariance[lost, lost] = np.inf
    return covariance, _combinations(Vt[blind] / own / units, names, own * np.abs(units))


def _combinations(directions: Array, names: Sequence[str], effect: Array) -> list[str]:
    """Each in words, with as few names as can be; ``effect``: of a relative change of each."""
    return [_words(_largest_first(d), names, effect) for d in _reduced(directions)]


def _reduced(directions: Array) -> Array:
    """The same space of changes, by directions of few parameters: reduced row echelon form."""
    rows = directions.copy()
    for done in range(len(rows)):
        rest = np.abs(rows[done:])
        k, column = divmod(int(np.argmax(rest)), rest.shape[1])
        rows[[done, done + k]] = rows[[done + k, done]]
        rows[done] /= rows[done, column]
        for other in range(len(rows)):
            if other != done:
                rows[other] -= rows[other, column] * rows[done]
    return rows


def _largest_first(direction: Array) -> Array:
    """Relative changes, the largest 1."""
    k = int(np.argmax(np.abs(direction)))
    return np.asarray(direction / direction[k])


def _words(change: Array, names: Sequence[str], effect: Array) -> str:
    felt = np.abs(change) * effect
    part = [k for k in range(len(names)) if felt[k] > _TAKES_PART * felt.max()]
    change = change if change[part[0]] > 0 else -change
    moves = _and([_move(names[k], change[k]) for k in part])
    who = spoken([names[k] for k in part])
    if len(part) == 1:
        return f"{who} cannot be told from this data: {moves} changes nothing"
    only = ""
    if len(part) == 2:
        a, b = (names[k] for k in part)
        if abs(change[part[0]] - change[part[1]]) < _ALIKE:
            only = f"only their ratio {a} / {b} matters, "
        elif abs(change[part[0]] + change[part[1]]) < _ALIKE:
            only = f"only their product {a} * {b} matters, "
    return f"{who} cannot be told apart from this data: {only}{moves} changes nothing"


def _move(name: str, change: float) -> str:
    return f"{'raising' if change > 0 else 'lowering'} {name} by {abs(10 * change):.3g} %"


def spoken(names: Sequence[str]) -> str:
    """Names as a sentence: "damping and stiffness of k1" for paths of one element."""
    owners = {n.rpartition(".")[0] for n in names}
    owner = next(iter(owners))
    if len(owners) == 1 and "." in owner and len(names) > 1:
        return f"{_and([n.rpartition('.')[2] for n in names])} of {owner.partition('.')[2]}"
    return _and(names)


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _close(correlation: Array, names: Sequence[str]) -> list[str]:
    """Pairs that are hardly told apart."""
    found = []
    for i in range(len(names)):
        for k in range(i + 1, len(names)):
            if abs(correlation[i, k]) > CLOSE:
                found.append(f"{spoken([names[i], names[k]])} are told apart only poorly: their "
                             f"correlation is {correlation[i, k]:.4g}")  # fmt: skip
    return found
