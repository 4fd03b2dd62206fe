"""Events: zero crossings of named expressions, located inside the steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial

import numpy as np

from pliant.arrays import Array, increasing
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.single_states import RowSource, evaluate_function
from pliant.solve.transient.driver import Chunk

_INSIDE = 8
"""Places looked at inside every step, besides the output times: two crossings closer together than
that are not seen."""
_STRIDE = 2
"""Onsets are looked for at the end of every second step."""


@dataclass(frozen=True, slots=True)
class EventRule:
    """Which crossings of entry ``index`` of ``events`` count, and whether one ends the run."""

    name: str
    index: int
    direction: str
    stop: bool
    message: str


@dataclass(frozen=True, slots=True)
class OnsetRule(EventRule):
    """The first time that a margin computed from states is not above zero.

    Looked for at the ends of steps only, since a margin may be costly, and located inside them.
    """

    margin: Callable[[Array, Array], Array]
    """Of packed rows x, and of parameters."""
    describe: Callable[[Array, Array], str]
    """The message, from one packed x and parameters."""
    seen: list[float] = field(default_factory=list)
    """When it happened."""


@dataclass(frozen=True, slots=True)
class Crossing:
    """An event that happened."""

    rule: EventRule
    time: float


@dataclass(frozen=True, slots=True)
class Blind:
    """An event that can no longer be watched: its formula has no value (is NaN) at a state x,
    ``time`` is the last time before."""

    rule: EventRule
    time: float
    x: Array

    @property
    def what(self) -> str:
        return f"event '{self.rule.name}' has no value"


class EventWatch:
    """Looks for crossings, chunk by chunk.

    What an event was at the end of a chunk it is at the beginning of the next: computed anew it may
    differ by rounding, and steps often end just where an event is zero (a guard of the same
    condition), so that one crossing would be seen twice or not at all.
    """

    def __init__(
        self, compiled: RowSource, dynamics: Dynamics, rules: Sequence[EventRule], outputs: Array
    ) -> None:
        """``outputs``: times to look at as well."""
        self._compiled, self._dynamics, self._outputs = compiled, dynamics, outputs
        self._rules = tuple(rules)
        self._last: Array | None = None

    def crossings(self, chunk: Chunk) -> tuple[list[Crossing], Blind | None]:
        """All crossings in one chunk, in the order of time, and the first event that is lost, if
        one is."""
        if not chunk.n_steps:
            return [], None
        onsets = [r for r in self._rules if isinstance(r, OnsetRule) and not r.seen]
        found = _onsets(self._dynamics, chunk, onsets) if onsets else []
        rules = [r for r in self._rules if not isinstance(r, OnsetRule)]
        zeros, blind = self._zeros(chunk, rules) if rules else ([], None)
        found = [c for c in found + zeros if blind is None or c.time <= blind.time]
        return sorted(found, key=lambda c: c.time), blind

    def _zeros(
        self, chunk: Chunk, rules: Sequence[EventRule]
    ) -> tuple[list[Crossing], Blind | None]:
        """Crossings of entries of ``events``, and the first entry that becomes NaN."""

        def states(times: Array) -> Array:
            return self._dynamics.completed_states(chunk.evaluate(times), chunk.p)

        def values(times: Array) -> Array:
            return evaluate_function(self._compiled, "events", states(times), chunk.p)

        grid = self._places(chunk)
        table = values(grid)
        if self._last is not None:
            table[0] = self._last
        self._last = table[-1].copy()
        found = []
        for rule in rules:
            y = table[:, rule.index]
            rising, falling = (y[:-1] < 0) & (y[1:] >= 0), (y[:-1] > 0) & (y[1:] <= 0)
            hit = {"rising": rising, "falling": falling}.get(rule.direction, rising | falling)
            for k in np.flatnonzero(hit):
                look = partial(_value, values, rule.index)
                time = _locate(look, float(grid[k]), float(grid[k + 1]), float(y[k]))
                found.append(Crossing(rule, time))
        return found, _first_blind(values, states, rules, grid, table)

    def _places(self, chunk: Chunk) -> Array:
        """Times to look at: inside steps, and those of outputs."""
        ends = np.concatenate([[chunk.t0], chunk.times])
        fractions = np.arange(_INSIDE) / _INSIDE
        inside = (ends[:-1, None] + np.diff(ends)[:, None] * fractions).ravel()
        outputs = self._outputs
        asked = outputs[(outputs > chunk.t0) & (outputs < chunk.t1)]
        return increasing(np.concatenate([inside, asked, ends[-1:]]))


def _first_blind(
    values: Callable[[Array], Array], states: Callable[[Array], Array],
    rules: Sequence[EventRule], grid: Array, table: Array,
) -> Blind | None:  # fmt: skip
    """The event that is NaN first, with the time located inside the step."""
    lost = [(int(np.argmax(bad)), r) for r in rules if (bad := np.isnan(table[:, r.index])).any()]
    if not lost:
        return None
    k, rule = min(lost, key=lambda pair: pair[0])
    last = first = float(grid[k])
    if k:
        first = _locate(lambda t: -float(np.isnan(_value(values, rule.index, t))) or 1.0,
                        float(grid[k - 1]), first, 1.0)  # fmt: skip
        last = float(np.nextafter(first, -np.inf))
    return Blind(rule, last, states(np.array([first]))[0])


def _onsets(dynamics: Dynamics, chunk: Chunk, rules: Sequence[OnsetRule]) -> list[Crossing]:
    """First times in one chunk at which margins are not above zero."""

    def states(times: Array) -> Array:
        return dynamics.completed_states(chunk.evaluate(times), chunk.p)

    def margin(rule: OnsetRule, time: float) -> float:
        return float(rule.margin(states(np.array([time])), chunk.p)[0])

    grid = np.concatenate([[chunk.t0], chunk.times[-1::-_STRIDE][::-1]])
    X = states(grid)
    found = []
    for rule in rules:
        y = rule.margin(X, chunk.p)
        if not np.any(y <= 0):
            continue
        k = int(np.argmax(y <= 0))
        time = float(grid[k])
        if k:
            time = _locate(partial(margin, rule), float(grid[k - 1]), time, float(y[k - 1]))
        rule.seen.append(time)
        message = rule.describe(states(np.array([time]))[0], chunk.p)
        found.append(Crossing(replace(rule, message=message), time))
    return found


def _value(values: Callable[[Array], Array], index: int, time: float) -> float:
    return float(values(np.array([time]))[0, index])


def _locate(function: Callable[[float], float], low: float, high: float, at_low: float) -> float:
    """Bisection to rounding: about fifty evaluations of the interpolant."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if (function(middle) > 0) == (at_low > 0):
            low = middle
        else:
            high = middle
    return high
