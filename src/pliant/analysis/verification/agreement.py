"""When do two runs of a model agree?

Every formulation runs at a tolerance and at a hundredth of it. Its own error is the difference,

    e = max_t |y(t; rtol) - y(t; rtol/100)|

and two formulations a, b agree on an observable y when at all times

    |y_a - y_b| <= 10 max(e_a, e_b) + 1e-9 scale

with the largest value of the same kind as scale. (The largest of the whole run: both tolerances may
begin with the same steps, and rounding in stiff systems comes and goes. Where they took the same
steps to the end, e tells nothing, and the finer tolerance is allowed.) Angles are compared by
sine and cosine, quaternions up to their sign; components of reactions that constraints do not
determine are left out, and what follows from them. Of powers and works the sum of all that are left
out is compared: redundant drivers share what they do as they like, but together do the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.results.series import Series
from pliant.show.page.verdict import Curve

FACTOR, ROUNDING = 10.0, 1e-9
SHARED = ("power", "work")
"""Kinds of which the sum is determined where the parts are not."""


@dataclass(frozen=True, slots=True)
class Pair:
    """The same motion at a tolerance and at a hundredth of it."""

    result: Result
    finer: Result

    @property
    def unseen(self) -> float:
        """The finer tolerance, if it made no other steps: their difference is not its error."""
        first, second = (r.info.get("statistics", {}).get("steps") for r in
                         (self.result, self.finer))  # fmt: skip
        return float(self.finer.info.get("rtol") or 0.0) if first == second else 0.0


@dataclass(frozen=True, slots=True)
class Gap:
    """An observable of two runs where it is worst: ``excess`` is the difference over its bound."""

    name: str
    unit: str
    difference: float
    bound: float
    excess: float
    time: float
    relative: float
    """The difference over the scale of its kind."""


def with_sums(pairs: Sequence[Pair]) -> list[Pair]:
    """The same with the sums of powers, and of works, that are not unique in some of them."""
    sums = []
    for kind in SHARED:
        series = [(n, s) for p in pairs for n, s in p.result.series.items() if s.kind == kind]
        names = dict.fromkeys(n for n, s in series if s.unique and not all(s.unique))
        if len(names) > 1:
            sums.append((together(names), tuple(names)))

    def summed(result: Result) -> Result:
        own = {name: _sum(result, parts) for name, parts in sums if set(parts) <= {*result.series}}
        return replace(result, series={**result.series, **own}) if own else result

    return [Pair(summed(p.result), summed(p.finer)) for p in pairs]


def _sum(result: Result, names: Iterable[str]) -> Series:
    parts = [result.series[name] for name in names]
    return replace(parts[0], values=sum(p.values for p in parts[1:]) + parts[0].values, unique=())


def together(names: Iterable[str]) -> str:
    """What the sum of observables is called."""
    return f"({' + '.join(names)})"


def common_names(a: Result, b: Result) -> list[str]:
    """Observables of both; angles of rotations are as unsure as they like near a singular pose,
    and follow from orientations."""
    unsure = ("angle", "angle_rate")
    return [n for n, s in a.series.items() if n in b.series and s.kind not in unsure]


def gaps(
    a: Pair, b: Pair, scales: Mapping[tuple[str, str], float], names: Iterable[str]
) -> list[Gap]:
    """Every observable at its worst time, the largest excess first."""
    found = []
    for name in names:
        curve = difference(a, b, name, scales)
        if curve is None:
            continue
        excess = curve.difference / curve.bound
        excess = np.where(np.isfinite(excess), excess, np.inf)
        k = int(np.argmax(excess))
        s = a.result.series[name]
        found.append(Gap(name, s.unit, float(curve.difference[k]), float(curve.bound[k]),
                         float(excess[k]), float(curve.time[k]),
                         float(curve.difference[k]) / scales[s.kind, s.unit]))  # fmt: skip
    return sorted(found, key=lambda g: -g.excess)


def difference(
    a: Pair, b: Pair, name: str, scales: Mapping[tuple[str, str], float]
) -> Curve | None:
    """Difference and bound of an observable over the common times; None if nothing is unique."""
    runs = (a.result, a.finer, b.result, b.finer)
    time, rows = common_times(runs)
    series = [r.series[name] for r in runs]
    keep = np.array([True])  # components that the constraints determine in all runs
    for s in series:
        width = 1 if s.values.ndim == 1 else s.values.shape[1]
        keep = keep & (np.array(s.unique) if s.unique else np.ones(width, dtype=bool))
    if not len(time) or not keep.any():
        return None
    first = series[0]
    values = [_values(s, first, row)[:, keep] for s, row in zip(series, rows, strict=True)]
    if first.kind == "coordinate" and first.unit == "rad":  # whatever turn they are on
        values = [np.concatenate([np.sin(v), np.cos(v)], axis=1) for v in values]
    ya, ya_finer, yb, yb_finer = values
    error = max(_gap(ya, ya_finer).max(), _gap(yb, yb_finer).max())
    small = max(ROUNDING, a.unseen, b.unseen)
    bound = FACTOR * error + small * scales[first.kind, first.unit]
    return Curve(name, first.unit, time, _gap(ya, yb), np.full(len(time), bound))


def common_times(results: Iterable[Result]) -> tuple[Array, list[NDArray[np.intp]]]:
    """Times of all results, and at which samples of each they are."""
    results = list(results)
    time = results[0].time
    for r in results[1:]:
        time = np.intersect1d(time, r.time)
    return time, [np.searchsorted(r.time, time) for r in results]


def _gap(a: Array, b: Array) -> Array:
    """Largest difference of all components, time by time."""
    found: Array = np.abs(a - b).max(axis=1)
    return found


def _values(series: Series, first: Series, rows: NDArray[np.intp]) -> Array:
    """Samples as rows; quaternions with the signs of the first run."""
    values = series.values.reshape(len(series.values), -1)[rows]
    if first.kind != "rotation":
        return values
    other = first.values[rows] if len(first.values) == len(series.values) else values
    sign = np.sign(np.sum(values * other, axis=1, keepdims=True))
    found: Array = values * np.where(sign == 0, 1.0, sign)
    return found
