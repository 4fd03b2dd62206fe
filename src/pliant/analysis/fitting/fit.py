"""The verb: least squares of what a model tells to what was measured.

    minimise  sum over samples of ((measured - told(p)) / deviation)^2    within bounds of p

by trust regions within bounds (Branch, Coleman and Li 1999). Deviations that are not given are
those of the residuals themselves, one for each observable, found by turns with the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.analysis.faults import every_fault
from pliant.analysis.fitting.adjusted import Adjusted, adjusted
from pliant.analysis.fitting.identify import FAINT, known_of
from pliant.analysis.fitting.measured import Column, measured
from pliant.analysis.fitting.optimisers import optimisers, student
from pliant.analysis.fitting.trials import Trials
from pliant.analysis.sweeps.arguments import checked
from pliant.analysis.sweeps.job import request_of
from pliant.arrays import Array
from pliant.backends.choose import usual_back_end
from pliant.backends.request import setting_numbers, settled
from pliant.errors import InputError, RunError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.units import dimension_of, is_quantity, parse_quantity
from pliant.records import dataclass
from pliant.results.fit import Compared, Fit, Step
from pliant.study import Study

SHARE = 0.95
"""Probability of intervals."""
ROUNDS = 10
"""In which deviations are found."""
_SETTLED = 0.01
"""Relative change of deviations that ends the rounds."""
_SURPRISING = 2.0
"""How many times residuals may be as large as the deviations given."""
_NEAR = 1e-3
"""Part of a range in which a number that presses on a bound is put on it."""
_EXACT_SLOPES = 1e-6
"""Part of the largest effect that slopes which are exact may be off by."""
_EXACT = 1e-12
"""Part of what was measured that counts as no residual."""


def fitted(
    system: Study, data: Any, parameters: Any, bounds: Mapping[str, Any] | None, *,
    deviations: Any, progress: Callable[[Step], None] | None, most: int, how: Mapping[str, Any],
) -> Fit:  # fmt: skip
    """See ``System.fit``."""
    optimise = optimisers("fit")
    how = checked(how)
    _refuse_times(how)
    plan = settled(system, request_of(system, {n: v for n, v in how.items() if n != "outputs"}))
    known = usual_back_end(system).back_end.known(system)
    with every_fault() as looking_at:
        with looking_at():
            numbers = adjusted(system, parameters, bounds, how.get("params") or {})
        with looking_at():
            columns = measured(data, known, how.get("outputs"), plan.begin)
            given = _given_deviations(deviations, columns)
    samples = sum(len(c.times) for c in columns)
    if samples <= len(numbers):
        raise InputError(f"fit: {samples} samples for {len(numbers)} parameters",
                         "give more samples than parameters")  # fmt: skip
    times = np.unique(np.concatenate([*(c.times for c in columns), _begin(columns, plan.begin)]))
    observe = list(dict.fromkeys(c.owner for c in columns))
    trials = Trials(system, numbers, how, observe, times)
    for c in columns:
        trials.used.setdefault(c.owner, set()).add(c.component)
    problem = _Problem(trials, tuple(columns), _first_deviations(columns, given), progress)
    problem.residuals(numbers.inner(numbers.start), strict=True)
    return _Search(problem, given, optimise, most).fit()


def _refuse_times(how: Mapping[str, Any]) -> None:
    name = next((n for n in ("t_end", "every", "times") if n in how), None)
    if name is not None:
        raise InputError(f"fit: {name} is said by the data", f"leave {name} out")


def _begin(columns: Sequence[Column], begin: float) -> Array:
    """A run has two samples at least."""
    return np.array([begin] if len({t for c in columns for t in c.times[:2]}) < 2 else [])


def _given_deviations(given: Any, columns: Sequence[Column]) -> dict[str, float] | None:
    """A standard deviation for each column: one for all, or by observables; with units."""
    if given is None:
        return None
    if not isinstance(given, Mapping):
        given = dict.fromkeys((c.owner for c in columns), given)
    names = {n for c in columns for n in (c.name, c.owner)}
    for name in given:
        if name not in names:
            raise UnknownName(f"deviations: nothing named '{name}' was measured",
                              did_you_mean(str(name), names) or "leave it out")  # fmt: skip
    missing = next((c.name for c in columns if not {c.name, c.owner} & given.keys()), None)
    if missing is not None:
        raise InputError(f"deviations: that of '{missing}' is missing", "give one of every column")
    return {c.name: _deviation(c, given.get(c.name, given.get(c.owner))) for c in columns}


def _deviation(column: Column, given: Any) -> float:
    value = given
    if isinstance(given, str) and is_quantity(given):
        value, dimension = parse_quantity(given)
        if column.unit and dimension != dimension_of(column.unit):
            raise InputError(f"deviations: {given} is no {column.unit}, that of '{column.name}'",
                             "give a unit of the same kind")  # fmt: skip
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if isinstance(given, bool) or not 0 < found < np.inf:
        said = repr(given) if isinstance(given, str | float | int) else type(given).__name__
        raise InputError(f"deviations: {said} of '{column.name}' is not above zero",
                         "give the standard deviation of a sample")  # fmt: skip
    return found


def _first_deviations(columns: Sequence[Column], given: dict[str, float] | None) -> Array:
    """As given, otherwise how far what was measured reaches."""
    if given is not None:
        return np.array([given[c.name] for c in columns])
    reach: dict[str, float] = {}
    for c in columns:
        reach[c.owner] = max(reach.get(c.owner, 0.0), float(np.ptp(c.values)),
                             1e-3 * float(np.abs(c.values).max()))  # fmt: skip
    return np.array([reach[c.owner] or 1.0 for c in columns])


@dataclass(frozen=True)
class _Problem:
    """Residuals in ``deviations``, a row for each sample, and their slopes."""

    trials: Trials
    columns: tuple[Column, ...]
    deviations: Array
    progress: Callable[[Step], None] | None

    @property
    def numbers(self) -> Adjusted:
        return self.trials.numbers

    def told(self, values: Array) -> list[Array]:
        """What the model tells where something was measured, of every column."""
        found = self.trials.observed(values)
        return [_at(found[c.owner], c, self.trials.times) for c in self.columns]

    def residuals(self, x: Array, *, strict: bool = False) -> Array:
        """Infinite where a run does not get to its end, but for the first."""
        try:
            told = self.told(self.numbers.outer(x))
        except RunError as error:
            if strict:
                raise RunError(f"fit: the first run failed: {error}") from None
            return np.full(sum(len(c.times) for c in self.columns), np.inf)
        return np.concatenate([(t - c.values) / d for t, c, d in
                               zip(told, self.columns, self.deviations, strict=True)])  # fmt: skip

    def slopes(self, values: Array) -> Array:
        """By parameters."""
        found = self.trials.slopes(values).values
        both = zip(self.columns, self.deviations, strict=True)
        return np.concatenate([_at(found[c.owner], c, self.trials.times) / d for c, d in both])


def _at(values: Array, column: Column, times: Array) -> Array:
    """At the times of a column, of its component."""
    own = values[np.searchsorted(times, column.times)]
    return own if column.component is None else own[:, column.component]


class _Search:
    """From the start to the best numbers, and what is known of them."""

    def __init__(
        self, problem: _Problem, given: dict[str, float] | None, optimise: Any, most: int
    ) -> None:
        self._problem, self._given, self._optimise, self._most = problem, given, optimise, most
        self._steps: list[Step] = []
        self._failure = ""

    def fit(self) -> Fit:
        values = self._minimum(self._problem.numbers.start)
        for _ in range(ROUNDS if self._given is None else 0):
            before = self._problem.deviations
            now = self._own_deviations(values)
            self._problem = replace(self._problem, deviations=now)
            if self._failure or len({c.owner for c in self._problem.columns}) == 1:
                break
            values = self._minimum(values)
            if np.abs(now / before - 1).max() < _SETTLED:
                break
        return self._told(values)

    def _minimum(self, start: Array) -> Array:
        """From here; numbers that come to rest at a bound are put on it, and the others go on."""
        values, held = start, np.zeros(len(start), dtype=bool)
        for _ in range(len(start) + 1):
            values = self._led(values, ~held)
            more = self._pressed(values) & ~held
            if not more.any():
                break
            numbers = self._problem.numbers
            low = values - numbers.low < numbers.high - values
            values = np.where(more, np.where(low, numbers.low, numbers.high), values)
            held = held | more
            if held.all():
                break
        return values

    def _led(self, start: Array, free: Array) -> Array:
        """By trust regions, some numbers being held."""
        problem, numbers = self._problem, self._problem.numbers
        low, high = (end[free] for end in inner_ends(numbers))
        whole = numbers.inner(start)

        def placed(x: Array) -> Array:
            made = whole.copy()
            made[free] = x
            return made

        def jacobian(x: Array) -> Array:
            values = numbers.outer(placed(x))
            self._say(values, problem.residuals(placed(x)))
            return _heard(problem.slopes(values) * numbers.slopes(values))[:, free]

        with np.errstate(all="ignore"):
            found = self._optimise.least_squares(
                lambda x: problem.residuals(placed(x)), np.clip(whole[free], low, high), jacobian,
                (low, high), method="trf", x_scale="jac", ftol=1e-10, xtol=1e-9, gtol=1e-9,
                max_nfev=self._most,
            )  # fmt: skip
        self._failure = "" if found.status > 0 else f"no minimum after {self._most} runs"
        return numbers.outer(placed(found.x))

    def _pressed(self, values: Array) -> Array:
        """Which numbers are near an end of their range and would go beyond it."""
        problem, numbers = self._problem, self._problem.numbers
        gradient = problem.slopes(values).T @ problem.residuals(numbers.inner(values))
        near = _NEAR * np.where(np.isfinite(numbers.high - numbers.low),
                                numbers.high - numbers.low, numbers.scale)  # fmt: skip
        return np.asarray(((values - numbers.low <= near) & (gradient > 0))
                          | ((numbers.high - values <= near) & (gradient < 0)))  # fmt: skip

    def _say(self, values: Array, residuals: Array) -> None:
        size = float(np.sqrt(np.mean(residuals**2)))
        self._steps.append(Step(len(self._steps), size, self._problem.numbers.told(values)))
        if self._problem.progress is not None:
            self._problem.progress(self._steps[-1])

    def _own_deviations(self, values: Array) -> Array:
        """Those of residuals, of every observable; nothing is measured without any."""
        problem = self._problem
        told, columns = problem.told(values), problem.columns
        samples = sum(len(c.times) for c in columns)
        free = 1 - len(problem.numbers) / samples
        found = np.empty(len(columns))
        for owner in {c.owner for c in columns}:
            own = [k for k, c in enumerate(columns) if c.owner == owner]
            rest = np.concatenate([told[k] - columns[k].values for k in own])
            least = _EXACT * max(float(np.abs(columns[k].values).max()) for k in own)
            found[own] = max(float(np.sqrt(np.mean(rest**2) / free)), least, 1e-300)
        return found

    def _told(self, values: Array) -> Fit:
        problem, numbers, trials = self._problem, self._problem.numbers, self._problem.trials
        ends = numbers.at_ends(values)
        inner = np.array([name not in ends for name in numbers.names])
        slopes = trials.slopes(values)
        J = problem.slopes(values)
        tolerance = self._tolerance(bool(slopes.differences))
        names = [n for n, free in zip(numbers.names, inner, strict=True) if free]
        n = len(numbers)
        covariance, correlation = np.full((n, n), np.nan), np.full((n, n), np.nan)
        remarks: tuple[str, ...] = ()
        if names:
            known = known_of(J[:, inner], names, values[inner], numbers.scale[inner], tolerance)
            covariance[np.ix_(inner, inner)] = known.covariance
            correlation[np.ix_(inner, inner)] = known.correlation
            remarks = known.remarks
        rest = problem.residuals(numbers.inner(values), strict=True)
        freedom = max(len(rest) - int(inner.sum()), 1)
        chi = float(rest @ rest) / freedom
        width = np.sqrt(np.diag(covariance)) * student(SHARE, freedom)
        remarks += tuple(_end_words(name, end, numbers) for name, end in ends.items())
        if self._given is not None and chi > _SURPRISING**2:
            remarks += (f"residuals are {np.sqrt(chi):.3g} times as large as the deviations that "
                        "were given: the model does not tell all that was measured",)  # fmt: skip
        deviations = np.sqrt(np.diag(covariance))
        model = trials.system.described.name
        return Fit(
            numbers.told(values), dict(zip(numbers.names, numbers.units, strict=True)),
            numbers.told(deviations),
            {name: (float(v - w), float(v + w))
             for name, v, w in zip(numbers.names, values, width, strict=True)},
            covariance, correlation, self._compared(values), chi, remarks, self._failure,
            tuple(self._steps), slopes.differences, trials.count, model,
        )  # fmt: skip

    def _tolerance(self, by_differences: bool) -> float:
        """How exact slopes are: differences as runs are."""
        if not by_differences:
            return _EXACT_SLOPES
        system, how = self._problem.trials.system, self._problem.trials.how
        rtol = how.get("rtol") or setting_numbers(system, how.get("params"))["rtol"] or 1e-6
        return float(np.clip(100 * rtol, 1e-6, 1e-3))

    def _compared(self, values: Array) -> dict[str, Compared]:
        problem = self._problem
        told = problem.told(values)
        every = zip(problem.columns, told, problem.deviations, strict=True)
        return {c.name: Compared(c.times, c.values, t, float(d), c.unit) for c, t, d in every}


def _heard(J: Array) -> Array:
    """Without what is rounding: a number that has no effect stays where it is."""
    size = np.linalg.norm(J, axis=0)
    return np.where(size > FAINT * size.max(initial=0.0), J, 0.0)


def inner_ends(numbers: Adjusted) -> list[Array]:
    """Bounds as the optimiser sees them."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return [np.where(numbers.logarithmic, np.log(np.where(numbers.logarithmic, end, 1.0)),
                         end / numbers.scale) for end in (numbers.low, numbers.high)]  # fmt: skip


def _end_words(name: str, end: str, numbers: Adjusted) -> str:
    k = numbers.names.index(name)
    value = numbers.low[k] if end == "lower" else numbers.high[k]
    return f"{name} stands at its {end} bound {value:g}: the data would have it further"
