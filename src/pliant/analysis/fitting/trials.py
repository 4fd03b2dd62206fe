"""Trials: runs of one system with other numbers, and how what they tell depends on these.

Slopes come from ``pliant.analysis.sensitivities``, which are exact. Of a parameter that it refuses
they are central differences of runs with a tight tolerance, extrapolated once (Richardson): the
result says of which, and why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np

from pliant.analysis.fitting.adjusted import Adjusted
from pliant.analysis.sensitivities import sensitivities
from pliant.analysis.sensitivities.derivatives import RTOL
from pliant.analysis.sensitivities.parameters import legal_names
from pliant.analysis.sweeps.batch import Batch
from pliant.analysis.sweeps.job import request_of
from pliant.arrays import Array
from pliant.errors import CapabilityError, PliantError, RunError
from pliant.model.numbers.literals import is_path, with_named
from pliant.records import dataclass
from pliant.results.sensitivities import Sensitivities
from pliant.results.sweeps.runs import Observations, RunsMaker
from pliant.study import Study

_SURE = 1e-6
"""Relative error of sensitivities above which they are not taken."""
TIGHT = 1e-11
"""Relative tolerance of runs whose difference is taken."""
STEP = 1e-3
"""Part of a number by which it is moved for that; errors are of its fourth power."""


@dataclass(frozen=True, slots=True)
class Slopes:
    """``values``: of every observable (time, component or nothing, parameter); ``differences``: of
    which parameters they are differences, and why."""

    values: Mapping[str, Array]
    differences: Mapping[str, str]


@dataclass(frozen=True)
class Trials:
    """``how``: arguments of ``System.simulate``; ``observe``: what is looked at, at ``times``."""

    system: Study
    numbers: Adjusted
    how: Mapping[str, Any]
    observe: Sequence[str]
    times: Array
    _kept: dict[bytes, Mapping[str, Observations]] = field(default_factory=dict, repr=False)
    _batches: dict[float | None, Batch] = field(default_factory=dict, repr=False)
    _done: list[float | None] = field(default_factory=list, repr=False)
    used: dict[str, set[int | None]] = field(default_factory=dict, repr=False)
    """Which components of observables count (None: all), where not all of them do."""
    _why: dict[int, str] = field(default_factory=dict, repr=False)
    """Of numbers whose slopes are differences."""

    @property
    def count(self) -> int:
        """Runs until now, those for slopes among them."""
        return len(self._done)

    def observed(self, values: Array) -> Mapping[str, Array]:
        """Every observable over time; RunError if the run does not get to the end."""
        key = np.asarray(values).tobytes()
        if key not in self._kept:
            while len(self._kept) >= 4:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = self._run(values, None)
        return {name: s.values[0] for name, s in self._kept[key].items()}

    def about(self, values: Array) -> Mapping[str, Observations]:
        """The same with units and labels."""
        self.observed(values)
        return self._kept[np.asarray(values).tobytes()]

    def _run(self, values: Array, rtol: float | None) -> Mapping[str, Observations]:
        if rtol not in self._batches:
            how = {**self.how, "outputs": list(self.observe), "times": self.times}
            own = {} if rtol is None else {"rtol": rtol}
            self._batches[rtol] = Batch(self.system, request_of(self.system, {**how, **own}))
        made = RunsMaker(self.times, 1)
        params = {**(self.how.get("params") or {}), **self.numbers.params(values)}
        try:
            self._batches[rtol].enter(params, made)
        except PliantError as error:
            raise RunError(f"{self.told(values)}: {error}") from None
        self._done.append(rtol)
        runs = made.runs()
        if runs.failure[0]:
            raise RunError(f"{self.told(values)}: {runs.failure[0]}")
        return runs.series

    def told(self, values: Array) -> str:
        """Numbers in words."""
        return ", ".join(f"{n} = {v:.6g}" for n, v in self.numbers.told(values).items())

    def slopes(self, values: Array) -> Slopes:
        """How all of it depends on the numbers: exactly, but for those that are refused."""
        columns = self._exact(values, [k for k in range(len(self.numbers)) if k not in self._why])
        for k in self._why:
            columns[k] = self._differences(values, k)
        order = range(len(self.numbers))
        found = {name: np.stack([columns[k][name] for k in order], axis=-1)
                 for name in self.observed(values)}  # fmt: skip
        return Slopes(found, {self.numbers.names[k]: why for k, why in sorted(self._why.items())})

    def _exact(self, values: Array, wanted: Sequence[int]) -> dict[int, Mapping[str, Array]]:
        """By those that sensitivities take: all at once, otherwise one by one."""
        if not wanted:
            return {}
        try:
            return self._sensitivities(values, wanted)
        except PliantError as error:
            if len(wanted) > 1:
                alone = [self._exact(values, [k]) for k in wanted]
                return {k: column for own in alone for k, column in own.items()}
            self._why[wanted[0]] = self._by_path(str(error))
            return {}

    def _sensitivities(
        self, values: Array, wanted: Sequence[int]
    ) -> dict[int, Mapping[str, Array]]:
        if self.how.get("start") not in (None, "undeformed"):
            raise CapabilityError("the run starts from an equilibrium or an earlier result")
        study, aliases = self._named
        params = {**(self.how.get("params") or {}), **self.numbers.params(values)}
        given = {aliases.get(key, key): value for key, value in params.items()}
        keys = [aliases.get(key, key) for key in (self.numbers.keys[k] for k in wanted)]
        told = self.about(values)
        self._done.append(RTOL)
        with np.errstate(all="ignore"):
            made = sensitivities(study, keys, [*told], times=[*self.times], params=given,
                                 method="forward")  # fmt: skip
        if made.info["error"] > _SURE or not self._finite(made, told):
            raise CapabilityError("; ".join(made.warnings) or "they are no finite numbers")
        return {k: {name: _column(made, name, seen, column) for name, seen in told.items()}
                for column, k in enumerate(wanted)}  # fmt: skip

    def _finite(self, made: Sensitivities, told: Mapping[str, Observations]) -> bool:
        """Whether everything that is used has a derivative."""
        names = []
        for name, seen in told.items():
            used = self.used.get(name, {None})
            some = None not in used
            labels = [label for k, label in enumerate(seen.labels) if k in used or not some]
            names += [f"{name}.{label}" for label in labels] or [name]
        columns = [made.observables.index(name) for name in names]
        return bool(np.isfinite(made.values[:, columns]).all())

    @cached_property
    def _named(self) -> tuple[Study, Mapping[str, str]]:
        """The system in which all numbers that are looked for, or given, are parameters; their
        names by paths."""
        known = self.system.described.all_parameters()
        given = (*self.numbers.keys, *(self.how.get("params") or {}))
        paths = [key for key in given if key not in known and is_path(key)]
        if not paths:
            return self.system, {}
        aliases = legal_names(paths, known)
        return type(self.system)(with_named(self.system.described, aliases)), aliases

    def _by_path(self, text: str) -> str:
        """In the words of the user."""
        for path, alias in self._named[1].items():
            text = text.replace(alias, path)
        return text

    def _differences(self, values: Array, k: int) -> dict[str, Array]:
        """By one number: (4 D(h/2) - D(h)) / 3, D(h) = (f(p + h) - f(p - h)) / 2h; at an end of its
        range to one side of it."""
        numbers = self.numbers
        h = STEP * (abs(values[k]) if numbers.logarithmic[k] else numbers.scale[k])
        h = min(h, 0.25 * (numbers.high[k] - numbers.low[k]))
        room = min(values[k] - numbers.low[k], numbers.high[k] - values[k])
        weights = _CENTRAL if room >= h else _onward(values[k] - numbers.low[k] < h)
        found: dict[str, Array] = {}
        for part, weight in weights.items():
            moved = values.copy()
            moved[k] += part * h
            for name, series in self._run(moved, TIGHT).items():
                found[name] = found.get(name, 0.0) + weight / h * series.values[0]
        return found


_CENTRAL = {-1.0: 1 / 6, -0.5: -4 / 3, 0.5: 4 / 3, 1.0: -1 / 6}
"""Weights by parts of h."""


def _onward(above: bool) -> dict[float, float]:
    """The same of fourth order from a point to one side: parts 0 to 1 in quarters."""
    weights = -25 / 3, 16.0, -12.0, 16 / 3, -1.0
    sign = 1.0 if above else -1.0
    return {sign * k / 4: sign * w for k, w in enumerate(weights)}


def _column(made: Sensitivities, name: str, seen: Observations, k: int) -> Array:
    """Of an observable (time) or (time, component) by one number."""
    rows = [f"{name}.{label}" for label in seen.labels] or [name]
    found = made.values[:, [made.observables.index(row) for row in rows], k]
    return found if seen.labels else found[:, 0]
