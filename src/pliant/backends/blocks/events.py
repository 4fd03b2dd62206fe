"""What is followed along the steps of a run of blocks: its events, its energy balance, work of
elements and turns of angles.

Events are located inside of steps. Between the ends of a step, q is the cubic with the rates q' =
(R v, quat w / 2, u) at both, u the cubic with u', and u' and multipliers are linear: errors of
fourth order, below those of the steps.

    E = T + V at the ends of steps, work by the trapezoidal rule: of the order of the methods

Generalized-alpha damps vibrations that are too fast for its steps, by design: what it takes is
missing in the balance, and the limit is that of fixed steps, also where steps follow errors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array, Flags
from pliant.backends.blocks.model import BlockModel
from pliant.backends.blocks.observe import Observations, States
from pliant.model.events import Event
from pliant.observe.catalogue import DISSIPATED, SUPPLIED
from pliant.observe.frames import rotations, turns_along
from pliant.results.result import EventRecord
from pliant.results.series import Series, with_work
from pliant.solve.energy import EnergyBook
from pliant.solve.failure import Failure

_INSIDE = 8
"""Places looked at inside every step: two crossings closer together than that are not seen."""
_PARTS, _PASSES = 64, 9
"""A crossing is looked for in so many parts of the interval it lies in, again and again: to
rounding."""
Holds = Callable[[Array], Flags]
_STEPS, _WITH_EVENTS, _NUMBERS = 1024, 64, 1_000_000
"""Steps that are looked at together, the same with events, and numbers of them."""
_SAME = 1e-6
"""Of a step: ends of steps nearer to an output time than that are at that time."""
_EVERY = 16
"""Energies are looked at after so many steps."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Motion over a few steps, from the states at their ends."""

    model: BlockModel
    ends: States

    def at(self, times: Array) -> States:
        """The states at some times."""
        s = self.ends
        k = np.clip(np.searchsorted(s.t, times, side="left") - 1, 0, len(s.t) - 2)
        h = (s.t[k + 1] - s.t[k])[:, None]
        x = (times[:, None] - s.t[k][:, None]) / h
        rates, still = self._rates(), self._still
        q = _cubic(s.q, rates, k, x, h)
        q[:, still] = (s.q[k] + x * (s.q[k + 1] - s.q[k]))[:, still]
        for quat in self._quaternions:
            q[:, quat] /= np.linalg.norm(q[:, quat], axis=1)[:, None]
        a = s.a[k] + x * (s.a[k + 1] - s.a[k])
        return States(times, np.ones(len(times)), q, _cubic(s.u, s.a, k, x, h), a)

    def _rates(self) -> Array:
        """q' at the ends."""
        system, s = self.model.system, self.ends
        rates = np.zeros_like(s.q)
        places = zip(system.coordinates, system.increments, system.shapes, strict=True)
        for at, go, shape in places:
            if shape.pose:
                quat, u = s.q[:, at + 3 : at + 7], s.u[:, go : go + 6]
                rates[:, at : at + 3] = np.einsum("nij,nj->ni", rotations(quat), u[:, :3])
                rates[:, at + 3 : at + 7] = 0.5 * _product(quat, u[:, 3:])
            own = slice(at + 7 * shape.pose, at + shape.nq)
            rates[:, own] = s.u[:, go + 6 * shape.pose : go + shape.n]
        return rates

    @property
    def _still(self) -> list[int]:
        """Coordinates without rates: multipliers."""
        system = self.model.system
        pairs = zip(system.coordinates, system.shapes, strict=True)
        return [at + k for at, shape in pairs if shape.algebraic for k in range(shape.nq)]

    @property
    def _quaternions(self) -> list[slice]:
        system = self.model.system
        pairs = zip(system.coordinates, system.shapes, strict=True)
        return [slice(at + 3, at + 7) for at, shape in pairs if shape.pose]


def _cubic(y: Array, rate: Array, k: NDArray[np.intp], x: Array, h: Array) -> Array:
    """Hermite's cubic in the intervals k."""
    y0, y1, r0, r1 = y[k], y[k + 1], h * rate[k], h * rate[k + 1]
    found: Array = y0 + x * (r0 + x * (3 * (y1 - y0) - 2 * r0 - r1 + x * (r0 + r1 - 2 * (y1 - y0))))
    return found


def _product(quat: Array, w: Array) -> Array:
    """quat [0, w], row by row."""
    e0, e = quat[:, :1], quat[:, 1:]
    real = -(e * w).sum(axis=1, keepdims=True)
    return np.concatenate([real, e0 * w + np.cross(e, w)], axis=1)


def _nearest(times: Array, wanted: Array) -> NDArray[np.intp]:
    """Which of some rising times is nearest to each of others."""
    after = np.clip(np.searchsorted(times, wanted), 0, len(times) - 1)
    before = np.maximum(after - 1, 0)
    return np.where(wanted - times[before] < times[after] - wanted, before, after)


@dataclass(frozen=True, slots=True)
class Blind:
    """An event that has no value at a state, and the last time before."""

    name: str
    time: float
    there: States


class Watch:
    """Looks at the steps of a run as they come; what it has seen is in ``records``, ``stop`` (the
    state at which an event ended the run) and ``blind``."""

    def __init__(self, observer: Observations, events: Mapping[str, Event]) -> None:
        self._observer, self._events = observer, events
        self._look = observer.observer.look([event.when for event in events.values()])
        self.users = any(":" not in name for name in events)
        """Whether a user gave events; those of beams alone are looked for at the ends of steps."""
        self._last: Array | None = None
        self.records: list[EventRecord] = []
        self.stop: States | None = None
        self.blind: Blind | None = None

    @property
    def end(self) -> float:
        """When a stop, or an event that was lost, ended the run; infinite if none did."""
        if self.stop is not None:
            return float(self.stop.t[0])
        return np.inf if self.blind is None else self.blind.time

    def _values(self, states: States) -> Array:
        return self._look(self._observer.of(states))

    def look(self, ends_of_steps: States) -> None:
        """At some steps, from the end of the last one before on."""
        if not self._events:
            return
        steps, ends = Steps(self._observer.model, ends_of_steps), ends_of_steps.t
        grid = ends
        if self.users:
            inside = ends[:-1, None] + np.diff(ends)[:, None] * np.arange(_INSIDE) / _INSIDE
            grid = np.append(inside.ravel(), ends[-1])
        table = self._values(steps.at(grid) if self.users else ends_of_steps)
        if self._last is not None:  # as it was seen, not anew: it may be zero but for rounding
            table[0] = self._last
        self._last = table[-1].copy()
        self.blind = self._blind(steps, grid, table)
        end = np.inf if self.blind is None else self.blind.time
        found = [r for r in self._crossings(steps, grid, table) if r.time <= end]
        found.sort(key=lambda record: record.time)
        stops = [r.time for r in found if self._events[r.name].stop]
        if stops:
            self.stop, self.blind = steps.at(np.array(stops[:1])), None
            found = [r for r in found if r.time <= stops[0]]
        self.records += found

    def _crossings(self, steps: Steps, grid: Array, table: Array) -> list[EventRecord]:
        found = []
        for k, (name, event) in enumerate(self._events.items()):
            a, b = table[:-1, k], table[1:, k]
            rising, falling = (a < 0) & (b >= 0), (a > 0) & (b <= 0)
            hit = {"rising": rising, "falling": falling}.get(event.direction, rising | falling)
            for i in np.flatnonzero(hit):
                low, high = float(grid[i]), float(grid[i + 1])
                beyond: Holds = (lambda y: y >= 0) if a[i] < 0 else (lambda y: y <= 0)
                time = self._first(steps, k, low, high, beyond)
                found.append(EventRecord(name, time, event.message))
        return found

    def _blind(self, steps: Steps, grid: Array, table: Array) -> Blind | None:
        bad = np.isnan(table)
        if not bad.any():
            return None
        i = int(np.argmax(bad.any(axis=1)))
        k = int(np.argmax(bad[i]))
        low, high = float(grid[max(i - 1, 0)]), float(grid[i])
        time = self._first(steps, k, low, high, np.isnan) if i else high
        before = float(np.nextafter(time, -np.inf)) if i else time
        return Blind(list(self._events)[k], before, steps.at(np.array([time])))

    def _first(self, steps: Steps, k: int, low: float, high: float, holds: Holds) -> float:
        """The first time after ``low`` at which an event ``holds``, as it does at ``high``."""
        for _ in range(_PASSES):
            times = np.linspace(low, high, _PARTS + 1)
            if not (np.diff(times) > 0).all():
                break
            true = holds(self._values(steps.at(times[1:-1]))[:, k])
            i = int(np.argmax(np.append(true, True)))
            low, high = float(times[i]), float(times[i + 1])
        return high


class Follower:
    """Takes the steps of a run as they come: rows (t, q, u, u'). ``observe``: what is asked for at
    the times of a grid."""

    def __init__(
        self, model: BlockModel, events: Mapping[str, Event], start: Array, grid: Array,
        observe: Sequence[str] | None,
    ) -> None:  # fmt: skip
        self._model, self._rows, self._grid = model, start[None], grid
        self._observer = Observations(model, self._states(self._rows))
        self.events = Watch(self._observer, events)
        self._begin(self._observer, observe)
        self.energy = EnergyBook(0.0, fixed=True)
        self._most = min(_WITH_EVENTS if self.events.users else _STEPS, _NUMBERS // len(start))
        self.energy.start(*self._energies(self._observer).T)

    def take(self, rows: Array, *, last: bool = False) -> Failure | None:
        """Steps that were made; why the run ends in them if its balance is lost."""
        self._rows = np.concatenate([self._rows, rows])
        if len(self._rows) <= (1 if last else self._most):
            return None
        states, self._rows = self._states(self._rows), self._rows[-1:]
        self.events.look(states)
        states, stop = states[states.t <= self.events.end], self.events.stop
        if stop is not None and stop.t[0] > states.t[-1]:
            states = states + stop
        return self._enter(states, self._follow(states, ended=stop is not None))

    def _begin(self, look: Observations, observe: Sequence[str] | None) -> None:
        """Choose powers whose work is asked for, angles that are known modulo a turn, and powers of
        the energy book."""
        chosen, told = look.chosen(observe).items(), look.observer.teller.told().values()
        self._powers = {name: q for name, q in chosen if q.is_element_power}
        angles = [v for q in look.wrapped.values() for v in (q, look.known[q.wraps])]
        booked = [q for q in told if q.role in (SUPPLIED, DISSIPATED)]
        self._signs = np.array([[q.role == SUPPLIED, -(q.role == DISSIPATED)] for q in booked])
        self._along = look.observer.look([*self._powers.values(), *booked, *angles])
        self._energies = look.observer.look([look.known[n] for n in ("kinetic_energy", "energy")])
        self._work = np.zeros(len(self._powers))
        self._turns = look.first_turns(look.angles()[0][0])
        self._kept = [(look.states.t, self._work[None], self._turns[None])]

    def _follow(self, states: States, *, ended: bool) -> Array:
        """Work in every step that the book enters, by the trapezoidal rule. That of elements, and
        turns by rates, are kept at the times of the grid and where an event ended the run. The
        first state is the end of the step before."""
        n, k, t = len(self._powers), len(self._signs), states.t
        if len(t) < 2:
            return np.zeros((0, 2))
        table = self._along(self._observer.of(states))
        h, angles, rates = np.diff(t)[:, None], table[:, n + k :: 2], table[:, n + k + 1 :: 2]
        done = 0.5 * h * (table[1:, : n + k] + table[:-1, : n + k])
        work = self._work + np.cumsum(done[:, :n], axis=0)
        turns = self._turns + turns_along(t, angles, rates)[1:]
        self._work, self._turns = work[-1], turns[-1]
        kept = np.abs(t[1:] - self._grid[_nearest(self._grid, t[1:])]) <= _SAME * h[:, 0]
        kept[-1] |= ended
        self._kept.append((t[1:][kept], work[kept], turns[kept]))
        return np.asarray(done[:, n:] @ self._signs.reshape(k, 2))

    def told(self, states: States) -> Observations:
        """Observations of samples, with the turns that were followed."""
        t, _, turns = (np.concatenate(parts) for parts in zip(*self._kept, strict=True))
        found = turns[_nearest(t, states.t)].T
        return self._observer.of(states, dict(zip(self._observer.wrapped, found, strict=True)))

    def with_work(self, series: dict[str, Series], times: Array) -> dict[str, Series]:
        """Series of samples with the work of elements whose power was asked for."""
        t, work, _ = (np.concatenate(parts) for parts in zip(*self._kept, strict=True))
        return with_work(series, self._powers, work[_nearest(t, times)])

    @property
    def ended(self) -> bool:
        """Whether an event ended the run."""
        return bool(np.isfinite(self.events.end))

    @property
    def reached(self) -> float:
        """Up to when events, work and turns are known."""
        return float(self._rows[0, 0])

    @property
    def width(self) -> int:
        """Length of a row."""
        return int(self._rows.shape[1])

    def _states(self, rows: Array) -> States:
        nq, n = self._model.system.nq, self._model.system.n_all
        q, u, a = np.split(rows[:, 1:], [nq, nq + n], axis=1)
        return States(rows[:, 0], np.ones(len(rows)), q, u, a)

    def _enter(self, states: States, work: Array) -> Failure | None:
        """Into the book; the first state is the end of the step before."""
        steps = len(states.t) - 1
        if steps < 1:
            return None
        ends, work = np.arange(steps, 0, -_EVERY)[::-1], work[:steps]
        T, E = self._energies(self._observer.of(states[ends])).T
        between = np.add.reduceat(work, np.append(0, ends[:-1]), axis=0)
        self.energy.book(T, E, between, float(np.abs(work).sum()))
        return self.energy.lost(float(states.t[-1]))
