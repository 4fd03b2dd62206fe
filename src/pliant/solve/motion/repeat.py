"""Runs that differ in parameters only: everything is laid out once.

Steps of a small mechanism take less time than laying out what they need. Here contexts and buffers
are kept from run to run, and pointers to them, and what is known of the start; a run is four calls
of machine code: onto the constraints, steps, energies, samples. It gives what ``run`` does, bit for
bit. Where there is more to tell (an event, a failure, energy that is missing) it gives nothing, and
``run`` tells it.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence
from functools import partial
from time import thread_time
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers, increasing, pointer
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.code.llvm import fence
from pliant.solve.dynamics import STATE, Dynamics
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import MachineFunction
from pliant.solve.motion.energy import (
    EVERY,
    EnergyBalance,
    EnergyBook,
    energy_watch,
    missing_allowed,
)
from pliant.solve.motion.events import EventRule, EventWatch
from pliant.solve.motion.run import Trajectory, needs_forces, own_powers, state_at, steps_at_once
from pliant.solve.motion.sampling import energies_inside, sample_records
from pliant.solve.single_states import chosen_columns, make_consistent
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.departure import depart
from pliant.solve.transient.dense_output import HOP, RECORD_WORK
from pliant.solve.transient.dop853 import method as dop853
from pliant.solve.transient.driver import Chunk
from pliant.solve.transient.integrator import Settings, turning
from pliant.solve.transient.radau import method as radau

_METHODS = ("auto", "dop853")
"""They begin with explicit steps of chosen length; where ``auto`` would go on with others, there is
more to tell."""
_FUNCTIONS = ("angles", "observables", "energies")
"""Angles, observables, energies."""


class Repeat:
    """Runs of one model from one time to another. ``fits`` is False once a run was too
    long, or stiff."""

    def __init__(
        self, compiled: CompiledEquations, dynamics: Dynamics, times: Array, x0: Array,
        method: str, rtol: float,
    ) -> None:  # fmt: skip
        d, n = dynamics, dynamics.nq + dynamics.nu + dynamics.nx
        self._compiled, self._dynamics, self._times, self._rtol = compiled, d, times, rtol
        self._size = d.x_size
        self._t0, self._widest = float(x0[0]), float(np.diff(times).max())
        self._forces, self.fits = needs_forces(compiled), True
        self.like: Any = None
        """What the last start is known by."""
        self.freedom = 0
        """Degrees of freedom there."""
        self._best_pivot, self._turning = 0.0, np.zeros(d.nu)
        settings = Settings(
            t_end=float(times[-1]), rtol=rtol, atol=np.full(n, rtol), step=0.0,
            h_max=float(times[-1]) - self._t0, max_steps=10_000_000, chunk=steps_at_once(d),
            dense=True, options={},
        )  # fmt: skip
        self._stepper = k = dop853.start(dop853.DOP853, d, x0, settings)
        k.reals[s.WATCH] = float(method == "auto" and not radau.RADAU.objections(d))
        self._steps = _Room(k.ic, k.dc, k.x, k.y, k.ints, k.reals)
        self._advance = _Call(dop853.advance, k.addresses, *self._steps.arrays[:4], k.record,
                              *k.record.shape, k.ints, k.reals)  # fmt: skip
        addresses, ic, dc, x, y = d.sampling()
        self._start, self._inside = _Room(*d.context(), *d.buffers()), _Room(ic, dc, x, y)
        for name in _FUNCTIONS:
            compiled.code.require(name)
        self._p = np.zeros(max(len(compiled.p), 1))
        self._consistent = _Call(make_consistent, d.addresses_of(STATE), *self._start.arrays[:4])
        self._bind_energies(addresses)
        self._bind_samples(addresses)
        self._version = background.version()

    @classmethod
    def objects(cls, compiled: CompiledEquations, dynamics: Dynamics, method: str) -> bool:
        """Whether runs of this model take more than these four calls."""
        return bool(
            method not in _METHODS or not dynamics.treatment.explicit or own_powers(compiled)
            or compiled.guards or compiled.signals or compiled.clocks
            or any(compiled.code.symbols(f, 1) is not None for f in _FUNCTIONS)
            or energy_watch(compiled, dynamics, 1.0, fixed=False) is None
        )  # fmt: skip

    def _bind_energies(self, addresses: Integers) -> None:
        """T and E at the start and at ends of steps."""
        room, record = self._inside, self._stepper.record
        most = len(record) // EVERY + 2
        self._ends, self._table = np.zeros(most), np.zeros((most, 2))
        self._energies = _Call(
            energies_inside, addresses, room.ic, room.dc, record, 0, record.shape[1], self._ends, 0,
            room.x, room.y, self._compiled.address("energies"), self._p, np.zeros(self._size),
            self._table,
        )  # fmt: skip

    def _bind_samples(self, addresses: Integers) -> None:
        k, room, n = self._compiled, self._inside, len(self._compiled.wrapped)
        columns, size = chosen_columns(k), self._size
        self._sizes = np.array([0, self._stepper.record.shape[1], 0, len(self._times), size,
                                self._forces, n, 0, len(columns)])  # fmt: skip
        self._all, self._followed = np.arange(len(self._times)), np.zeros(1 + 2 * n)
        self._work = np.zeros(n + size + max(k.size["angles"], k.size["observables"]))
        self._sample = _Call(
            sample_records, addresses, room.ic, room.dc, self._stepper.record, self._times,
            self._all, self._sizes, room.x, room.y, k.address("angles"),
            k.address("observables"), self._p, columns, self._followed, self._work, self._work,
            self._work, self._work,
        )  # fmt: skip

    @property
    def outdated(self) -> bool:
        """Whether something was compiled anew since it was laid out."""
        return self._version != background.version()

    @property
    def current(self) -> bool:
        """Whether runs can use it."""
        return self.fits and not self.outdated

    def consistent(self, x: Array, p: Array) -> Array | None:
        """x on the constraints, with a and lam (``Dynamics.consistent``)."""
        room, size = self._start, self._size
        room.renew(p)
        room.x[: min(size, len(x))] = x[:size]
        return None if self._consistent() else room.x[:size].copy()

    def run(
        self, x0: Array, p: Array, atol: float | Array | None, rules: Sequence[EventRule]
    ) -> Trajectory | None:
        """From a consistent start to the end; ``departs`` was asked for it, or for one like it."""
        began, compiled_before = clock.perf_counter(), MachineFunction.seconds
        background.begin()
        chunk = self._integrated(x0, p, atol)
        if chunk is None or self._eventful(chunk, rules):
            return None
        energy = self._balance(chunk)
        data = None if energy is None else self._sampled(chunk)
        if data is None:
            return None
        data.energy, data.statistics = energy, dict(chunk.stats)
        data.statistics["seconds"] = clock.perf_counter() - began
        data.statistics["compiled_seconds"] = MachineFunction.seconds - compiled_before
        return data

    def departs(self, x0: Array, p: Array, atol: float | Array | None) -> bool:
        """Whether a start is an ordinary one."""
        self.like = None
        start = depart(self._dynamics, x0, p, float(self._times[-1]), self._rtol, atol)
        self._best_pivot, self._turning = start.best_pivot, turning(self._dynamics, x0, p)
        return not start.steps and start.failure is None

    def _integrated(self, x0: Array, p: Array, atol: float | Array | None) -> Chunk | None:
        """All steps, if they are few and nothing happens."""
        k, d = self._stepper, self._dynamics
        self._steps.renew(p)
        k.x[: len(x0)], k.reals[s.BEST_PIVOT] = x0, self._best_pivot
        k.put(s.TURNS, self._turning)
        if atol is not None:
            k.put(s.ATOL, np.broadcast_to(atol, d.nq + d.nu + d.nx))
        code = self._advance()
        self.fits = code not in (s.FULL, s.STIFF)  # others will be long or stiff as well
        records = k.records
        if code != s.DONE or not len(records) or records[:, 2].max() >= HOP:
            return None
        times = records[:, 0] + records[:, 1]
        return Chunk(
            t0=self._t0, t1=float(times[-1]), times=times, n_steps=len(records), p=p,
            x_end=k.x[: self._size].copy(), stats=k.statistics, status="ok", records=records,
            dynamics=d,
        )  # fmt: skip

    def _eventful(self, chunk: Chunk, rules: Sequence[EventRule]) -> bool:
        if not rules:
            return False
        watch = EventWatch(self._compiled, self._dynamics, rules, self._times)
        found, blind = watch.crossings(chunk)
        return bool(found) or blind is not None

    def _balance(self, chunk: Chunk) -> EnergyBalance | None:
        """Of energies, if it holds."""
        count = chunk.n_steps
        ends = slice((count - 1) % EVERY, None, EVERY)
        times = chunk.times[ends]
        many = 1 + len(times)
        self._ends[0], self._ends[1:many] = self._t0, times
        self._inside.renew(chunk.p)
        self._p[: len(chunk.p)] = chunk.p
        call = self._energies
        call.passed[4], call.passed[7] = count, many
        call()
        T, E = self._table[:many].T.tolist()
        work = chunk.records[:, RECORD_WORK : RECORD_WORK + 2].copy()
        done, moved = work.cumsum(axis=0)[ends].tolist(), float(np.abs(work).sum())
        if not all(map(math.isfinite, (*E, *done[-1]))):
            return None
        book = EnergyBook.opened(T[0], E[0]).entered(T[1:], E[1:], done, moved)
        limit = missing_allowed(self._rtol, count)
        sound = book.missing <= limit * book.exchanged and book.worst <= book.exchanged
        return book.balance(limit) if sound else None

    def _sampled(self, chunk: Chunk) -> Trajectory | None:
        """Samples, if all of them are finite."""
        times, kept = self._grid(chunk)
        count, n, width = len(kept), self._sizes[6], self._sizes[8]
        self._inside.renew(chunk.p)
        self._followed.fill(0.0)
        self._work.fill(0.0)
        self._sizes[0], self._sizes[2] = chunk.n_steps, len(times)
        x, turns, rows = (np.zeros((count, k)) for k in (self._size, n, width))
        call = self._sample
        for place, array in ((4, times), (5, kept), (15, x), (16, turns), (17, rows)):
            call.give(place, array)
        if call() < count or not np.isfinite(rows.sum()):
            return None
        state = x[:, : 1 + self._dynamics.nq + self._dynamics.nu + self._dynamics.nx]
        return Trajectory(
            x[:, 0].copy(), rows, np.zeros((count, 0)), turns, along=[(x[count // 2], chunk.p)],
            rows=[(state, chunk.p)], flexible=[x] if self._compiled.layout.elastic else [],
            end=partial(state_at, self._dynamics, chunk, chunk.t1), p_end=chunk.p,
            angles=self._followed[1 : 1 + n].copy(), undefined=np.zeros(0),
        )  # fmt: skip

    def _grid(self, chunk: Chunk) -> tuple[Array, Integers]:
        """Times at which angles are followed, and which of them are samples: these alone, if no
        step is shorter than the time between them."""
        wanted = self._times
        if not self._sizes[6] or self._widest <= chunk.records[:, 1].min():
            return wanted, self._all
        grid = increasing(np.concatenate((chunk.times, wanted)))
        grid = grid[np.searchsorted(grid, self._t0) : np.searchsorted(grid, chunk.t1, "right")]
        return grid, np.searchsorted(grid, wanted)


class _Room:
    """A context and buffers, which are as they were laid out before every call."""

    def __init__(self, ic: Integers, dc: Array, x: Array, y: Array, *more: Any) -> None:
        self.ic, self.dc, self.x, self.y = ic, dc, x, y
        self.arrays = ic, dc, x, y, *more
        self._new = [array.copy() for array in self.arrays]
        self._parameters = slice(ic[c.PARAMETERS], ic[c.PARAMETERS] + ic[c.N_PARAMETERS])

    def renew(self, p: Array) -> None:
        """As new, with these parameters."""
        for array, new in zip(self.arrays, self._new, strict=True):
            array[:] = new
        self.dc[self._parameters] = p


class _Call:
    """A call of an entry whose arguments are kept; pointers to them are looked up once."""

    def __init__(self, entry: MachineFunction, *arguments: Any) -> None:
        self._entry, self._arguments = entry, [*arguments]
        self.passed = [pointer(a) if isinstance(a, np.ndarray) else a for a in arguments]
        self._function = entry._callable()

    def give(self, place: int, array: Array | Integers) -> None:
        """Another argument."""
        self._arguments[place], self.passed[place] = array, pointer(array)

    def __call__(self) -> int:
        if fence.ON:
            given = (a if isinstance(a, np.ndarray) else b
                     for a, b in zip(self._arguments, self.passed, strict=True))  # fmt: skip
            return self._entry(*given)
        began = thread_time()
        code: int = self._function(*self.passed)
        MachineFunction.seconds += thread_time() - began
        return code
