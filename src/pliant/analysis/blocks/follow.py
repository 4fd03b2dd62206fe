"""What is followed along the steps of a run of blocks: its events, and its energy balance.

    E = T + V at the ends of steps, work by the trapezoidal rule: of the order of the methods

Generalized-alpha damps vibrations that are too fast for its steps, by design: what it takes is
missing in the balance, and the limit is that of fixed steps, also where steps follow errors.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.analysis.blocks.events import Watch
from pliant.analysis.blocks.model import BlockModel
from pliant.analysis.blocks.observe import Observations, States
from pliant.arrays import Array
from pliant.model.events import Event
from pliant.solve.energy import EnergyBook
from pliant.solve.failure import Failure

_STEPS, _WITH_EVENTS, _NUMBERS = 1024, 64, 1_000_000
"""Steps that are looked at together, the same with events, and numbers of them."""
_EVERY = 16
"""Energies are looked at after so many steps."""


class Follower:
    """Takes the steps of a run as they come: rows (t, q, u, u')."""

    def __init__(self, model: BlockModel, events: Mapping[str, Event], start: Array) -> None:
        self._model, self._rows = model, start[None]
        self._observer = Observations(model, self._states(self._rows))
        self.events = Watch(self._observer, events)
        self.energy = EnergyBook(0.0, fixed=True)
        self._most = min(_WITH_EVENTS if self.events.users else _STEPS, _NUMBERS // len(start))
        T, V = self._observer.book(powers=False)[:, :2].T
        self.energy.start(T, T + V)

    def take(self, rows: Array, *, last: bool = False) -> Failure | None:
        """Steps that were made; why the run ends in them if its balance is lost."""
        self._rows = np.concatenate([self._rows, rows])
        if len(self._rows) <= (1 if last else self._most):
            return None
        rows, self._rows = self._rows, self._rows[-1:]
        self.events.look(self._states(rows))
        return self._enter(self._states(rows[rows[:, 0] <= self.events.end]))

    @property
    def ended(self) -> bool:
        """Whether an event ended the run."""
        return bool(np.isfinite(self.events.end))

    def _states(self, rows: Array) -> States:
        nq, n = self._model.system.nq, self._model.system.n_all
        q, u, a = np.split(rows[:, 1:], [nq, nq + n], axis=1)
        return States(rows[:, 0], np.ones(len(rows)), q, u, a)

    def _enter(self, states: States) -> Failure | None:
        """Into the book; the first state is the end of the step before."""
        steps = len(states.t) - 1
        if steps < 1:
            return None
        power = self._observer.of(states).book(powers=True)[:, 2:]
        work = 0.5 * np.diff(states.t)[:, None] * (power[:-1] + power[1:])
        ends = np.arange(steps, 0, -_EVERY)[::-1]
        some = States(states.t[ends], states.load[ends], states.q[ends], states.u[ends],
                      states.a[ends])  # fmt: skip
        T, V = self._observer.of(some).book(powers=False)[:, :2].T
        between = np.add.reduceat(work, np.append(0, ends[:-1]), axis=0)
        self.energy.book(T, T + V, between, float(np.abs(work).sum()))
        return self.energy.lost(float(states.t[-1]))
