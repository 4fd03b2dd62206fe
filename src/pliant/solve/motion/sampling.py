"""Samples of a run: states inside steps on the constraints, turns of angles, observables.

An angle that is known modulo a turn goes on from the sample before it on the turn that is nearest
to what the rates of the interval predict. Where equations are machine code, all of this is one loop
of machine code.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.observe.frames import TURN, turns_along
from pliant.solve.dynamics import Dynamics
from pliant.solve.machine.abi import Integers, Reals, at, call_model, entry, jit
from pliant.solve.single_states import (
    RowSource,
    chosen_columns,
    complete_row,
    evaluate_function,
    observe,
    passed,
)
from pliant.solve.transient.dense_output import state_inside
from pliant.solve.transient.driver import Chunk

_WHOLE = 6755399441055744.0
"""1.5 * 2^52: a number that this is added to and taken from again is rounded to a whole one."""
RECORDS, WIDTH, COUNT, KEPT, SIZE, FORCES, ANGLES, BEGUN, COLUMNS = range(9)
"""Sizes that ``sample_records`` is handed."""


@jit
def _followed(turns: Reals, y: Reals, followed: Reals, n: int, t: float, begun: bool) -> None:
    """Turns of n angles, y = (angle, rate) each; followed = [t | angles | rates] of the sample
    before, and then of this one, with the angles as they are known."""
    for j in range(n):
        angle, rate = y[2 * j], y[2 * j + 1]
        if begun:
            mean = (rate + followed[1 + n + j]) / 2
            predicted = followed[1 + j] + (t - followed[0]) * mean
            if predicted == predicted:
                turns[j] += (predicted - angle) / TURN + _WHOLE - _WHOLE
        followed[1 + j], followed[1 + n + j] = angle, rate
    followed[0] = t


@entry
def sample_records(
    address: Integers, ic: Integers, dc: Reals, record: Reals, times: Reals, kept: Integers,
    sizes: Integers, x: Reals, y: Reals, angles: int, observables: int, p: Reals,
    columns: Integers, followed: Reals, work: Reals, states: Reals, turns: Reals, out: Reals,
) -> int:  # fmt: skip
    """States, turns and observables at those of the times that are kept; how many of them are
    finite, before the first that is not.

    ``work``: room for turns, for a row (t, q, u, xs), and for what the functions give.
    """
    n, size, width = sizes[ANGLES], sizes[SIZE], sizes[COLUMNS]
    row_of = at(work, n)
    found = at(work, n + size)
    row = taken = 0
    begun = sizes[BEGUN] == 1
    for k in range(sizes[COUNT]):
        row = state_inside(
            address, ic, dc, record, sizes[RECORDS], sizes[WIDTH], row, times[k], x, y, row_of
        )
        complete_row(address, ic, dc, row_of, x, y, k == 0, sizes[FORCES])
        if n > 0:
            call_model(angles, x, p, found)
            _followed(work, found, followed, n, times[k], begun)
            begun = True
        if taken < sizes[KEPT] and kept[taken] == k:
            target = at(states, taken * size)
            for i in range(size):
                target[i] = x[i]
            for j in range(n):
                turns[taken * n + j] = TURN * work[j]
            if width > 0:
                call_model(observables, x, p, found)
            finite = True
            for j in range(width):
                value = found[columns[j]]
                out[taken * width + j] = value
                finite = finite and value - value == 0.0
            if not finite:
                return int(taken)
            taken += 1
    for j in range(n):
        followed[1 + j] += TURN * work[j]
    return int(taken)


@entry
def energies_inside(
    address: Integers, ic: Integers, dc: Reals, record: Reals, records: int, width: int,
    times: Reals, count: int, x: Reals, y: Reals, energies: int, p: Reals, row_of: Reals,
    out: Reals,
) -> int:  # fmt: skip
    """out[k] <- T, E at ``count`` increasing times inside the records; row_of has zeros for a and
    lam, which they do not depend on."""
    row = 0
    for k in range(count):
        row = state_inside(
            address, ic, dc, record, records, width, row, times[k], x, y, row_of
        )  # fmt: skip
        call_model(energies, row_of, p, at(out, 2 * k))
    return 0


class Angles:
    """Angles known modulo a turn, followed from sample to sample."""

    def __init__(self, count: int) -> None:
        self.state = np.zeros(1 + 2 * count)
        """[t | angles | rates] of the last sample, the angles on their turns (NaN: not known)."""
        self.begun = False

    @property
    def time(self) -> float:
        """Up to when they are followed."""
        return float(self.state[0])

    @property
    def values(self) -> Array:
        """The angles there."""
        return self.state[1 : 1 + len(self.state) // 2]

    def near(self, t: float, angles: Array) -> None:
        """What they begin next to."""
        self.state[0], self.values[:], self.begun = t, angles, True

    def turns(self, t: Array, y: Array) -> Array:
        """What to add to the angles at some further times, y = (angle, rate) of each."""
        angle, rate, n = y[:, 0::2], y[:, 1::2], len(self.values)
        if self.begun:
            before = np.where(np.isnan(self.values), angle[0], self.values)
            t = np.append(self.time, t)
            angle, rate = np.vstack((before, angle)), np.vstack((self.state[1 + n :], rate))
        turns = turns_along(t, angle, rate)
        self.state = np.concatenate(([t[-1]], angle[-1] + turns[-1], rate[-1]))
        begun, self.begun = self.begun, True
        return turns[1:] if begun else turns


def sampled(
    compiled: RowSource, dynamics: Dynamics, chunk: Chunk, times: Array, kept: Integers,
    angles: Angles, *, forces: bool,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Packed states, turns of wrapped angles, and observables that were asked for, at ``kept`` ones
    of some times of a chunk; these end with the first that has an observable without a finite
    value. ``forces``: whether accelerations and multipliers are needed."""
    if (
        not isinstance(compiled, CompiledEquations)
        or not chunk.n_steps
        or not len(times)
        or compiled.code.symbols("angles", len(times)) is not None
        or compiled.code.symbols("observables", len(times)) is not None
    ):
        x = dynamics.completed_states(chunk.evaluate(times), chunk.p, forces=forces)
        turns = np.zeros((len(x), 0))
        if len(angles.values) and len(x):
            turns = angles.turns(x[:, 0], evaluate_function(compiled, "angles", x, chunk.p))
        x, turns = x[kept], turns[kept]
        return x, turns, observe(compiled, x, chunk.p)
    compiled.code.require("angles")
    compiled.code.require("observables")
    n, size, columns = len(angles.values), dynamics.x_size, chosen_columns(compiled)
    addresses, ic, dc, x, y = dynamics.sampling(chunk.p)
    records, count, width = np.ascontiguousarray(chunk.records), len(kept), len(columns)
    sizes = np.array(
        [*records.shape, len(times), count, size, forces, n, angles.begun, width], dtype=np.int64
    )
    room = np.zeros(n + size + max(compiled.size["angles"], compiled.size["observables"]))
    states, turns, out = np.zeros((count, size)), np.zeros((count, n)), np.zeros((count, width))
    good = sample_records(
        addresses, ic, dc, records, np.ascontiguousarray(times), kept, sizes, x, y,
        compiled.address("angles"), compiled.address("observables"), passed(chunk.p), columns,
        angles.state, room, states, turns, out,
    )  # fmt: skip
    angles.begun = True
    end = min(good + 1, count)
    return states[:end], turns[:end], out[:end]


def energies(compiled: RowSource, dynamics: Dynamics, chunk: Chunk, times: Array) -> Array:
    """T and E at some times of a chunk, a row for each."""
    if (
        not isinstance(compiled, CompiledEquations)
        or compiled.code.symbols("energies", len(times)) is not None
    ):
        rows = chunk.evaluate(times)
        X = np.zeros((len(rows), dynamics.x_size))
        X[:, : rows.shape[1]] = rows
        return evaluate_function(compiled, "energies", X, chunk.p)
    compiled.code.require("energies")
    addresses, ic, dc, x, y = dynamics.sampling(chunk.p)
    records, out = np.ascontiguousarray(chunk.records), np.zeros((len(times), 2))
    energies_inside(
        addresses, ic, dc, records, *records.shape, np.ascontiguousarray(times), len(times), x, y,
        compiled.address("energies"), passed(chunk.p), np.zeros(dynamics.x_size), out,
    )  # fmt: skip
    return out
