"""A transient run: chunks of compiled steps, and between them outputs, events, work, progress."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain

import numpy as np

from pliant.arrays import Array, increasing
from pliant.code import background, phases
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import Failure, UndefinedError
from pliant.solve.machine.abi import MachineFunction
from pliant.solve.motion.energy import EnergyBalance, EnergyWatch, energy_watch
from pliant.solve.motion.events import Blind, Crossing, EventRule, EventWatch
from pliant.solve.motion.sampling import Angles, sampled
from pliant.solve.single_states import RowSource, evaluate_function, observe, table_of
from pliant.solve.transient.change_points.departure import Departure, depart
from pliant.solve.transient.driver import Chunk, integrate

Progress = Callable[[float], None]

KINEMATIC = frozenset({
    "position", "velocity", "rotation", "coordinate", "rate", "angle", "angle_rate", "energy",
    "momentum", "deflection", "internal",
})  # fmt: skip
"""Kinds of observables that need no accelerations or multipliers."""
_SMALL, _SHORT, _LONG = 80, 256, 1024
"""Numbers of a state up to which chunks of steps are long; steps of short and of long ones. What is
done between them costs as much as a hundred steps of a small system, and waits for large ones."""
_KEPT = 30_000_000
"""States of samples are kept up to so many numbers."""
_STATES = 8
"""About as many states are kept along the run."""


@dataclass(slots=True)
class Trajectory:
    """What a run produced: samples of observables, work, events, and how it ended."""

    time: Array
    outputs: Array
    """Rows of the observables that were asked for."""
    work: Array
    """Rows of work, one column per power that was asked for."""
    turns: Array
    """Turns to add to each wrapped angle, asked for or not, times 2 pi."""
    events: list[Crossing] = field(default_factory=list)
    failure: str = ""
    failed: Failure | None = None
    statistics: dict[str, float] = field(default_factory=dict)
    along: list[tuple[Array, Array]] = field(default_factory=list)
    """Packed states along the run, each with its parameters."""
    rows: list[tuple[Array, Array]] = field(default_factory=list)
    """(t, q, u, xs) of all samples, in parts with their parameters; empty if they are too many."""
    flexible: list[Array] = field(default_factory=list)
    """Packed states at all samples, if there are elastic coordinates."""
    passed: list[float] = field(default_factory=list)
    """When change points were passed."""
    undefined: Array = field(default_factory=lambda: np.zeros(0))
    """The packed state at which an observable is no finite number, if the run ended there."""
    end: Array | Callable[[], Array] = field(default_factory=lambda: np.zeros(0))
    """The packed state at the end, or how it is made when it is asked for."""
    p_end: Array = field(default_factory=lambda: np.zeros(0))
    angles: Array = field(default_factory=lambda: np.zeros(0))
    """Wrapped angles at the end, on their turns."""
    energy: EnergyBalance | None = None
    """The energy balance, if the model knows its energy."""

    @property
    def x_end(self) -> Array:
        """The packed state at the end."""
        if callable(self.end):
            self.end = self.end()
        return self.end

    @property
    def states(self) -> list[tuple[Array, Array]]:
        """A few packed states spread over the run, each with its parameters."""
        found = [*self.along, (self.x_end, self.p_end)]
        return found[:: max(1, len(found) // _STATES)]


def run(
    compiled: RowSource,
    dynamics: Dynamics,
    x0: Array,
    p: Array,
    times: Array,
    *,
    rules: Sequence[EventRule] = (),
    progress: Progress | None = None,
    method: str = "auto",
    rtol: float = 1e-6,
    atol: float | Array | None = None,
    step: float | None = None,
    options: Mapping[str, float] | None = None,
    max_steps: int = 10_000_000,
    chunk_size: int | None = None,
    angles: Array | None = None,
    watch: Callable[[Trajectory], None] | None = None,
    chunks: Iterable[Chunk] | None = None,
    energy: EnergyWatch | None = None,
) -> Trajectory:
    """Integrate from x0 to the last of ``times`` and sample there. Ctrl-C keeps what is done.
    ``angles``: what wrapped angles begin next to, turns included (NaN: not known); ``watch``: is
    handed the samples since it was called last, after every chunk of steps that has some;
    ``chunks``, ``energy``: steps that are made by others, and their own balance."""
    recorder = _Recorder(compiled, dynamics, times, rules, rtol)
    recorder.energy = energy or energy_watch(compiled, dynamics, rtol, fixed=step is not None)
    start = depart(dynamics, x0, p, float(times[-1]), rtol, atol)
    chunks = chunks or integrate(
        dynamics, start.x, float(times[-1]), method=method, rtol=rtol, atol=atol, step=step,
        options=options, max_steps=max_steps, best_pivot=start.best_pivot,
        chunk=chunk_size or steps_at_once(dynamics),
        waypoints=waypoints_of(compiled, p, float(start.x[0]), float(times[-1])),
    )  # fmt: skip
    recorder.begin(start, p, angles)
    phases.entered("integrating")
    background.begin()
    started, compiled_before = clock.perf_counter(), MachineFunction.seconds
    try:
        for chunk in chain(start.steps, () if start.failure else chunks):
            stopped = recorder.take(chunk)
            if progress is not None:
                progress(chunk.t1)
            if watch is not None and (news := recorder.news()) is not None:
                watch(news)
            if stopped:
                break
    except KeyboardInterrupt:
        message = f"interrupted by the user at t = {recorder.reached:.6g} s"
        recorder.data.failure = message
        recorder.data.failed = Failure("interrupted", recorder.reached, message)
    recorder.data.energy = None if recorder.energy is None else recorder.energy.finish()
    statistics = recorder.data.statistics
    statistics["seconds"] = clock.perf_counter() - started
    statistics["compiled_seconds"] = MachineFunction.seconds - compiled_before
    return recorder.finished()


def steps_at_once(dynamics: Dynamics) -> int:
    """Of a chunk."""
    return _SHORT if dynamics.x_size > _SMALL else _LONG


def own_powers(compiled: RowSource) -> list[int]:
    """Powers that were asked for: their work is told as well."""
    asked = compiled.asked
    return [k for k, name in enumerate(compiled.powers) if name in asked]


def needs_forces(compiled: RowSource) -> bool:
    """Whether an observable that was asked for needs accelerations or multipliers."""
    return any(o.kind not in KINEMATIC for o in compiled.asked.values())


def waypoints_of(compiled: RowSource, p: Array, begin: float, end: float) -> Array:
    """Times known beforehand at which steps end."""
    if not isinstance(compiled, CompiledEquations) or not (compiled.signals or compiled.clocks):
        return np.zeros(0)
    from pliant.solve.motion.instants import instants

    return instants(compiled, p, begin, end)


class _Recorder:
    """Turns chunks into samples."""

    def __init__(
        self,
        compiled: RowSource,
        dynamics: Dynamics,
        times: Array,
        rules: Sequence[EventRule],
        rtol: float,
    ) -> None:
        self.compiled, self.dynamics, self._rtol = compiled, dynamics, rtol
        self._events = EventWatch(compiled, dynamics, rules, times)
        self.times = times
        self.next = 0
        self.reached = 0.0
        none = np.zeros((0, 0))
        self.data = Trajectory(np.zeros(0), none, none, none)
        self._rows: list[tuple[Array, Array, Array, Array]] = []
        self._told = 0, 0
        """Parts of samples, and events, that were told as news."""
        self._keeps = len(times) * self._state_size <= _KEPT
        self._own = own_powers(compiled)
        self._work = np.zeros(len(self._own))
        self._forces = needs_forces(compiled)
        self._start: Departure | None = None
        """Until the state at the start is looked at, which is with the first steps."""
        self._angles = Angles(len(compiled.wrapped))
        self.energy: EnergyWatch | None = None
        self._powerless = np.zeros(0)
        """The last state before, or at which, a power between samples was no finite number."""

    def begin(self, start: Departure, p: Array, angles: Array | None = None) -> None:
        """Where it starts; a start that does not go on by itself is looked at alone."""
        self._start = start
        self.data.end, self.data.p_end = start.x0, p
        self.reached = float(start.x0[0])
        if angles is not None:
            self._angles.near(self.reached, angles)
        if self.energy is not None:
            self.energy.begin(start.x0, p)
        if start.steps or start.failure is not None:
            self._alone(start, p)
        if start.failure is not None:
            self.data.failed, self.data.failure = start.failure, start.failure.message

    def _alone(self, start: Departure, p: Array) -> None:
        """Wrapped angles at the start; the sample there, if one is wanted."""
        x0, self._start = start.x0, None
        x = x0[None, :].copy()
        if not start.steps:
            x = self.dynamics.completed_states(x0[None, : self._state_size], p)
        turns = self._follow(x, p)
        if self.times[0] <= x0[0]:
            self._sample(x, p, np.zeros((1, len(self._work))), turns, observe(self.compiled, x, p))
            self.next = 1
            self._require_start(p)

    def _require_start(self, p: Array) -> None:
        """Raise if the sample at the start has no finite numbers."""
        if self.data.failed is not None and not self._rows:
            raise UndefinedError(self.data.failed.message, self.data.undefined, p)

    @property
    def _state_size(self) -> int:
        return 1 + self.dynamics.nq + self.dynamics.nu + self.dynamics.nx

    def take(self, chunk: Chunk) -> bool:
        """Everything in one chunk; True if an event ends the run."""
        end = chunk.t1
        found, blind = self._events.crossings(chunk)
        stop = next((c for c in found if c.rule.stop), None)
        if stop is not None:
            end, blind = stop.time, None
            found = [c for c in found if c.time <= end]
        elif blind is not None:
            end = blind.time
            if end <= self.reached:
                self._samples(chunk, end, last=False)
                raise UndefinedError(blind.what, blind.x, chunk.p)
        lost = None if self.energy is None else self.energy.take(chunk, end)
        if lost is not None:
            end, found = lost.time, [c for c in found if c.time <= lost.time]
        self.data.events += found
        early = stop is not None or lost is not None or blind is not None
        self._samples(chunk, end, last=early)
        if self.data.failed is not None:
            return True
        self.reached, self.data.p_end = end, chunk.p
        self.data.end = partial(state_at, self.dynamics, chunk, end)
        self.data.statistics = dict(chunk.stats)
        self.data.passed += [t for t in chunk.passed if t <= end]
        own = chunk.status if isinstance(chunk.status, Failure) and blind is None else None
        failure = own if lost is None else lost
        if failure is not None:
            self.data.failed, self.data.failure = failure, failure.message
        if lost is not None and self.energy is not None:
            self.data.undefined = self.energy.undefined
        elif blind is not None and failure is None:
            self._blind(blind)
        return early or failure is not None

    def _blind(self, blind: Blind) -> None:
        """The run ends where an event can no longer be watched."""
        time = float(blind.x[0])
        self.data.failed = Failure("not-a-number", time, blind.what)
        self.data.failure = f"t = {time:.6g} s: {blind.what}"
        self.data.undefined = blind.x

    def _samples(self, chunk: Chunk, end: float, last: bool) -> None:
        """Samples in (t0, end], work by Gauss quadrature over steps and samples."""
        wanted = self.times[self.next :]
        wanted = wanted[wanted <= end]
        self.next += len(wanted)
        failed = isinstance(chunk.status, Failure)
        if (last or failed) and (not len(wanted) or wanted[-1] < end) and end > self.reached:
            wanted = np.append(wanted, end)
        first, self._start = self._start is not None, None
        times, work = wanted, np.zeros((len(wanted), 0))
        blind = bool(self.compiled.wrapped) and not self._sees_turns(chunk, wanted, first=first)
        if self._own or blind:
            grid, done = self._along_steps(chunk, wanted, end, first=first)
            work = done[np.searchsorted(grid, wanted)]
            times = grid if blind else wanted
        kept = np.searchsorted(times, wanted) if blind else np.arange(len(wanted))
        x, turns, rows = sampled(self.compiled, self.dynamics, chunk, times, kept, self._angles,
                                 forces=self._forces)  # fmt: skip
        if len(wanted):
            self._sample(x, chunk.p, work[: len(x)], turns, rows)
            if first and wanted[0] <= self.reached:
                self._require_start(chunk.p)

    def _sees_turns(self, chunk: Chunk, wanted: Array, *, first: bool) -> bool:
        """Whether samples lie so close together that turns of angles are seen from one to the next,
        as they are from step to step."""
        if len(wanted) < 2 or not chunk.n_steps or (first and wanted[0] > self.reached):
            return False
        largest = max(float(np.diff(wanted).max()), float(wanted[0]) - self._angles.time)
        return largest <= float(chunk.records[:, 1].min())

    def _along_steps(
        self, chunk: Chunk, wanted: Array, end: float, *, first: bool
    ) -> tuple[Array, Array]:
        """Ends of steps and samples, and the work up to each of them."""
        grid = np.concatenate((chunk.times, wanted, (end,)))
        grid = increasing(grid[(grid > self.reached) & (grid <= end)])
        work = self._cumulated(chunk, grid)
        if first:
            return np.append(self.reached, grid), np.vstack((0 * work[:1].sum(axis=0), work))
        return grid, work

    def _cumulated(self, chunk: Chunk, grid: Array) -> Array:
        """Work done up to each time of the grid."""
        total = np.zeros((len(grid), len(self._work)))
        if not total.size:
            return total

        def powers(times: Array) -> Array:
            x = self.dynamics.completed_states(chunk.evaluate(times), chunk.p)
            power: Array = evaluate_function(self.compiled, "powers", x, chunk.p)[:, self._own]
            bad = np.flatnonzero(~np.isfinite(power).all(axis=1))
            if len(bad):
                sound = np.isfinite(x[: bad[0] + 1, : self._state_size]).all(axis=1)
                self._powerless = x[np.flatnonzero(sound)[-1]] if sound.any() else x[bad[0]]
            return power

        start = np.concatenate([[self.reached], grid[:-1]])
        done: Array = self._work + np.cumsum(
            chunk.work_in(powers, start, grid - start, self._rtol), axis=0
        )
        self._work = done[-1].copy()
        return done

    def _follow(self, x: Array, p: Array) -> Array:
        """Turns of wrapped angles at some states."""
        return self._angles.turns(x[:, 0], evaluate_function(self.compiled, "angles", x, p))

    def _follow_to_end(self) -> None:
        """Wrapped angles at the state that was reached, if the last sample lies before it."""
        if self.compiled.wrapped and self._angles.time < self.reached:
            self._follow(self.data.x_end[None], self.data.p_end)

    def _sample(self, x: Array, p: Array, work: Array, turns: Array, rows: Array) -> None:
        """Rows of observables, as far as all of them are finite numbers."""
        finite = np.isfinite(rows).all(axis=1) & np.isfinite(work).all(axis=1)
        good = len(x) if finite.all() else int(np.argmin(finite))
        if good < len(x):
            self._undefined(x[good], p, rows[good], work[good])
        if not good:
            return
        self.data.along.append((x[good // 2], p))
        if self._keeps:
            self.data.rows.append((x[:good, : self._state_size], p))
        if good < len(x):
            self.data.end, self.data.p_end = x[good - 1], p
        if isinstance(self.compiled, CompiledEquations) and self.compiled.layout.elastic:
            self.data.flexible.append(x[:good])
        self._rows.append((x[:good, 0].copy(), rows[:good], work[:good], turns[:good]))

    def _undefined(self, x: Array, p: Array, row: Array, work: Array) -> None:
        """The run ends where an observable is no finite number."""
        c, time = self.compiled, float(x[0])
        names = [n for n, at in table_of(c.asked).items() if not np.isfinite(row[at]).all()]
        lost = np.flatnonzero(~np.isfinite(work))
        names += [c.powers[self._own[k]].removesuffix("power") + "work" for k in lost]
        listed = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        what = f"no finite value of {listed}"
        self.data.failed = Failure("not-a-number", time, what)
        seen = len(names) > len(lost) or not len(self._powerless)
        self.data.undefined = x.copy() if seen else self._powerless
        self.data.failure = f"t = {time:.6g} s: {what}"

    def news(self) -> Trajectory | None:
        """Samples and events since this was asked last, as a run that ends here; None: none."""
        first, self._told = self._told, (len(self._rows), len(self.data.events))
        rows, events = self._rows[first[0] :], self.data.events[first[1] :]
        if not rows and not events:
            return None
        states = self.data.rows[first[0] :] if self._keeps else []
        self._follow_to_end()
        d = replace(
            self.data, events=events, rows=states, angles=self._angles.values.copy(), along=[]
        )
        return _tabled(d, rows)

    def finished(self) -> Trajectory:
        """All samples in one table."""
        if self._start is not None:
            self._alone(self._start, self.data.p_end)
        self._follow_to_end()
        self.data.angles = self._angles.values.copy()
        return _tabled(self.data, self._rows)


def state_at(dynamics: Dynamics, chunk: Chunk, time: float) -> Array:
    """The packed state inside a chunk."""
    found: Array = dynamics.completed_states(chunk.evaluate(np.array([time])), chunk.p)[0]
    return found


def _tabled(data: Trajectory, rows: Sequence[tuple[Array, Array, Array, Array]]) -> Trajectory:
    """A run with its samples in one table."""
    if len(rows) == 1:
        data.time, data.outputs, data.work, data.turns = rows[0]
    elif rows:
        parts = list(zip(*rows, strict=True))
        data.time, data.outputs = np.concatenate(parts[0]), np.concatenate(parts[1])
        data.work, data.turns = np.concatenate(parts[2]), np.concatenate(parts[3])
    return data


def sample_times(start: float, end: float, every: float | None) -> Array:
    """Output times: from start to end at an interval (500 intervals by default), end included."""
    if every is None:
        return np.linspace(start, end, 501)
    count = int(np.floor((end - start) / every * (1 + 1e-12) + 1e-9))
    times = np.asarray(start + every * np.arange(count + 1), dtype=np.float64)
    if end - times[-1] > 1e-9 * every:
        times = np.append(times, end)
    else:
        times[-1] = end
    return times
