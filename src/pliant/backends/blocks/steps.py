"""Steps of blocks as a run of any back end sees them (``solve.run``): states inside of steps, and
functions of rows (t, q, u, u').

Between the ends of a step, q is the cubic with the rates q' = (R v, quat w / 2, u) at both, u the
cubic with u', and u' and multipliers are linear: errors of fourth order, below those of the steps.

    E = T + V at the ends of steps, work by the trapezoidal rule: of the order of the methods

Generalized-alpha damps vibrations that are too fast for its steps, by design: what it takes is
missing in the balance, and the limit is that of fixed steps, also where steps follow errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array
from pliant.backends.blocks.observe import Observations, States
from pliant.mechanics.layout import Layout
from pliant.model.events import Event
from pliant.model.formulas import Formula
from pliant.observe.catalogue import DISSIPATED, SUPPLIED, Quantity
from pliant.observe.frames import cross, rotations
from pliant.records import dataclass
from pliant.solve.constraints import TREATMENTS
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import Failure
from pliant.solve.motion.events import OnsetRule
from pliant.solve.motion.work import Powers
from pliant.solve.transient.dense_output import RECORD_HEADER
from pliant.solve.transient.driver import Chunk


class WholeStates(Dynamics):
    """Rows (t, q, u, u') of blocks: nothing is left to be completed."""

    @property
    def x_size(self) -> int:
        """Length of a row."""
        return 1 + self.nq + self.nu + self.nx

    def completed_states(self, X: Array, p: Array | None = None, *, forces: bool = True) -> Array:
        """The rows themselves."""
        return X


def whole_states(nq: int, n: int) -> WholeStates:
    """Of systems with so many coordinates and unknowns."""
    none = np.zeros(1, dtype=np.int64)
    return WholeStates(
        nq=nq, nu=n, nx=n, m=0, services={}, ic=none, dc=np.zeros(1), layout=Layout((), (), ()),
        treatment=TREATMENTS["projection"],
    )  # fmt: skip


class Functions:
    """What a run asks of rows, by the letters of functions: observables (O), powers of elements
    (W), angles known modulo a turn with their rates (A), events (E), kinetic and total energy (H),
    power supplied and dissipated (Z)."""

    def __init__(self, look: Observations, observe: Sequence[str] | None) -> None:
        self.look, self.asked = look, look.chosen(observe)
        self.observed, self.wrapped = self.asked, tuple(look.wrapped)
        self.powers = tuple(name for name, q in self.asked.items() if q.is_element_power)
        told = look.observer.teller.told().values()
        booked = [q for q in told if q.role in (SUPPLIED, DISSIPATED)]
        self._signs = np.array(
            [[q.role == SUPPLIED, -(q.role == DISSIPATED)] for q in booked], dtype=float
        )
        known, self._events = look.known, look.model.numbers.model.events
        wanted: dict[str, Sequence[Quantity | Formula]] = {
            "observables": [*self.asked.values()],
            "powers": [self.asked[name] for name in self.powers],
            "angles": [v for q in look.wrapped.values() for v in (q, known[q.wraps])],
            "events": [event.when for event in self._events.values()],
            "energies": [known["kinetic_energy"], known["energy"]], "power_balance": booked,
        }  # fmt: skip
        self._looks = {name: look.observer.look(what) for name, what in wanted.items()}

    def evaluate_rows(self, name: str, X: Array, p: Array) -> Array:
        """One of them for rows."""
        found = self._looks[name](self.look.at(X))
        return np.asarray(found @ self._signs.reshape(-1, 2)) if name == "power_balance" else found

    @property
    def users(self) -> bool:
        """Whether a user gave events."""
        return not self._events.keys() <= self.look.model.numbers.model.origin.keys()

    @property
    def onsets(self) -> list[OnsetRule]:
        """Events of beams alone, which are looked for at the ends of steps."""

        last: list[Array] = []  # rows and all events there: one rule after the other asks for them

        def values(X: Array, p: Array) -> Array:
            if not last or last[0] is not X:
                last[:] = X, self.evaluate_rows("events", X, p)
            return last[1]

        def rule(k: int, name: str, e: Event) -> OnsetRule:
            return OnsetRule(  # an event is above zero when it has happened
                name, k, e.direction, e.stop, e.message,
                lambda X, p: -values(X, p)[:, k], lambda x, p: e.message,
            )  # fmt: skip

        return [rule(k, *event) for k, event in enumerate(self._events.items())]


@dataclass(frozen=True, slots=True)
class Steps(Chunk):
    """Records end with (q, u, u') at the ends of steps; ``start``: the row before the first."""

    start: Array = field(repr=False)
    look: Observations = field(repr=False)

    @classmethod
    def of(
        cls, functions: Functions, dynamics: Dynamics, rows: Array, stats: dict[str, float],
        status: str | Failure | None,
    ) -> Steps:  # fmt: skip
        """From rows at the ends of steps, and before them."""
        t, p = rows[:, 0], np.zeros(0)
        power, h = functions.evaluate_rows("power_balance", rows, p), np.diff(t)[:, None]
        work = 0.5 * h * (power[1:] + power[:-1])
        kind = np.zeros((len(h), 1))
        records = np.concatenate([t[:-1, None], h, kind, work, rows[1:, 1:]], axis=1)
        return cls(
            t0=float(t[0]), t1=float(t[-1]), times=t[1:], n_steps=len(h), p=p, x_end=rows[-1],
            stats=stats, status=status, records=records, dynamics=dynamics, start=rows[0],
            look=functions.look,
        )  # fmt: skip

    def evaluate(self, times: Array) -> Array:
        """Rows at increasing times of these steps."""
        t = np.append(self.start[0], self.times)
        at_end = np.minimum(np.searchsorted(t, times), len(t) - 1)
        found, inside = self._ends(at_end), np.flatnonzero(t[at_end] != times)
        if len(inside):
            k = np.clip(np.searchsorted(t, times[inside]) - 1, 0, len(t) - 2)
            some = self._ends(np.arange(k[0], k[-1] + 2))
            found[inside] = self._between(some, times[inside], k - k[0])
        return found

    def _ends(self, k: NDArray[np.intp]) -> Array:
        """Rows at the ends of steps; 0: before the first."""
        rows, later = np.empty((len(k), len(self.start))), k > 0
        rows[~later], own = self.start, k[later] - 1
        rows[later, 0], rows[later, 1:] = self.times[own], self.records[own, RECORD_HEADER:]
        return rows

    def _between(self, rows: Array, times: Array, k: NDArray[np.intp]) -> Array:
        """Rows inside of steps k."""
        s = self.look.at(rows).states
        h = (s.t[k + 1] - s.t[k])[:, None]
        x = (times[:, None] - s.t[k][:, None]) / h
        q = _cubic(s.q, self._rates(s), k, x, h)
        system = self.look.model.system
        for at, shape in zip(system.coordinates, system.shapes, strict=True):
            own = slice(at, at + shape.nq)
            if shape.algebraic:
                q[:, own] = s.q[k, own] + x * (s.q[k + 1, own] - s.q[k, own])
            elif shape.pose:
                quat = q[:, at + 3 : at + 7]
                quat /= np.linalg.norm(quat, axis=1)[:, None]
        a = s.a[k] + x * (s.a[k + 1] - s.a[k])
        return np.concatenate([times[:, None], q, _cubic(s.u, s.a, k, x, h), a], axis=1)

    def _rates(self, s: States) -> Array:
        """q' at the ends."""
        system, rates = self.look.model.system, np.zeros_like(s.q)
        places = zip(system.coordinates, system.increments, system.shapes, strict=True)
        for at, go, shape in places:
            if shape.pose:
                quat, v, w = s.q[:, at + 3 : at + 7], s.u[:, go : go + 3], s.u[:, go + 3 : go + 6]
                e0, e = quat[:, :1], quat[:, 1:]
                rates[:, at : at + 3] = np.einsum("nij,nj->ni", rotations(quat), v)
                rates[:, at + 3] = -0.5 * (e * w).sum(axis=1)
                rates[:, at + 4 : at + 7] = 0.5 * (e0 * w + cross(e, w))
            own = slice(at + 7 * shape.pose, at + shape.nq)
            rates[:, own] = s.u[:, go + 6 * shape.pose : go + shape.n]
        return rates

    def work_in(self, powers: Powers, start: Array, length: Array, rtol: float) -> Array:
        """By the trapezoidal rule."""
        if not len(start):
            return powers(start)
        found = powers(np.append(start, start[-1] + length[-1]))
        return np.asarray(0.5 * length[:, None] * (found[1:] + found[:-1]))


def _cubic(y: Array, rate: Array, k: NDArray[np.intp], x: Array, h: Array) -> Array:
    """Hermite's cubic in the intervals k."""
    y0, y1, r0, r1 = y[k], y[k + 1], h * rate[k], h * rate[k + 1]
    found: Array = y0 + x * (r0 + x * (3 * (y1 - y0) - 2 * r0 - r1 + x * (r0 + r1 - 2 * (y1 - y0))))
    return found
