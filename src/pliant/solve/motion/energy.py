"""The energy balance of a run: what came in, was dissipated and is stored, and what is missing.

    U(t) = E(t) - E(0) - ∫ P_in dt + ∫ P_out dt

is zero for the exact motion. The integrals are made by the integrators with the values of their own
stages, so that they are as accurate as the motion. U is compared with the energy exchanged,

    E* = max T + range of V + ∫ |P| dt,

where stores of networks are counted in T: states are as exact as they are large, and what a store
holds is off by as much of it, however little comes and goes.
Local errors of random sign leave U of the order rtol sqrt(N) E* after N steps; ten times that, and
a hundredth at most, gives a warning. A U larger than E* ends the run: nothing is left of it. Energy
that comes from nowhere is part of E* itself, of T and of V: more of it than of the rest, U > E* -
2 U, ends a run with fixed steps, which may be unstable. (Where steps follow errors, a motion that
only begins may be as small as its errors.)
The balance cannot see everything: a jump from one way of assembly to another keeps the energy.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import Failure
from pliant.solve.motion.sampling import energies
from pliant.solve.motion.work import GAUSS, resolved
from pliant.solve.single_states import RowSource, evaluate_function
from pliant.solve.transient.dense_output import RECORD_WORK
from pliant.solve.transient.driver import Chunk

LARGEST = 0.01
"""Part of the energy exchanged that may be missing at most."""
_ROUNDING = 1e-12
"""Of the energies themselves: differences below are rounding."""
_MANY, _NUMBERS = 2048, 200_000
"""Steps that are entered at once, and numbers of their records: copying more than a cache holds
costs more than it saves."""
EVERY = 16
"""Energies are looked at after so many steps, and after each where something is missing."""
_REFINED = 64
"""Steps of a chunk whose work is integrated anew at most."""


@dataclass(frozen=True, slots=True)
class EnergyBalance:
    """Energies of a run in J: ``supplied`` by sources, ``dissipated``, ``stored`` (gained by T, V
    and stores of networks), ``unaccounted`` = stored - supplied + dissipated at the end, ``worst``
    of that on the way; ``exchanged``: E* of this module; ``limit``: part of it that may miss."""

    supplied: float
    dissipated: float
    stored: float
    unaccounted: float
    worst: float
    exchanged: float
    limit: float

    def __str__(self) -> str:
        return (
            f"in {self.supplied:.4g} J, dissipated {self.dissipated:.4g} J, "
            f"stored {self.stored:.4g} J, unaccounted {self.unaccounted:.1g} J"
        )

    def __add__(self, other: EnergyBalance) -> EnergyBalance:
        """Of two parts of a run, one after the other."""
        return EnergyBalance(
            self.supplied + other.supplied, self.dissipated + other.dissipated,
            self.stored + other.stored, self.unaccounted + other.unaccounted,
            self.worst + other.worst, self.exchanged + other.exchanged,
            max(self.limit, other.limit),
        )  # fmt: skip

    @property
    def holds(self) -> bool:
        """Whether no more is missing than the tolerance explains."""
        return self.worst <= self.limit * self.exchanged

    @property
    def warning(self) -> str:
        """What a result says if it does not."""
        share = self.worst / self.exchanged if self.exchanged else np.inf
        return (
            f"energy: {self.worst:.2g} J are unaccounted for, {share:.2g} of "
            f"the {self.exchanged:.3g} J exchanged (a sound run stays below {self.limit:.1g}); "
            "use a smaller rtol or step, or another method"
        )


@dataclass(frozen=True, slots=True)
class EnergyBook:
    """Energies at the ends of the steps that are entered, and the work up to there."""

    start: float
    """E at the start."""
    energy: float
    """E at the end."""
    kinetic: float
    """The largest T."""
    low: float
    high: float
    """The range of V."""
    size: float
    """The largest energy."""
    supplied: float = 0.0
    dissipated: float = 0.0
    moved: float = 0.0
    """∫ |P| dt."""
    missing: float = 0.0
    """The largest |U| at the ends that were entered last, rounding apart."""
    worst: float = 0.0
    """That of all."""
    created: float = 0.0
    """The largest U."""

    @classmethod
    def opened(cls, T: float, E: float) -> EnergyBook:
        """With the energies at the start."""
        V = E - T
        return cls(E, E, max(0.0, T), V, V, max(0.0, abs(V), T))

    def entered(
        self, T: Sequence[float], E: Sequence[float], work: Sequence[Sequence[float]], moved: float
    ) -> EnergyBook:
        """With energies at some further ends, and the ``work`` from the last one entered up to each
        of them."""
        V = [e - t for e, t in zip(E, T, strict=True)]
        kinetic, low, high = max(self.kinetic, *T), min(self.low, *V), max(self.high, *V)
        size = max(self.size, kinetic, *map(abs, V))
        earlier = self.start + self.supplied - self.dissipated
        U = [e - earlier - given + lost for e, (given, lost) in zip(E, work, strict=True)]
        missing = max(map(abs, U)) - _ROUNDING * size
        return EnergyBook(
            self.start, E[-1], kinetic, low, high, size, self.supplied + work[-1][0],
            self.dissipated + work[-1][1], self.moved + moved, missing, max(self.worst, missing),
            max(self.created, max(U) - _ROUNDING * size),
        )  # fmt: skip

    @property
    def exchanged(self) -> float:
        """E* so far."""
        return self.kinetic + (self.high - self.low) + self.moved

    def balance(self, limit: float) -> EnergyBalance:
        """The balance so far."""
        stored = self.energy - self.start
        return EnergyBalance(self.supplied, self.dissipated, stored,
                             stored - self.supplied + self.dissipated, self.worst, self.exchanged,
                             limit)  # fmt: skip


def missing_allowed(rtol: float, steps: int) -> float:
    """Part of the energy exchanged that may be missing after so many steps."""
    return min(LARGEST, 10 * rtol * math.sqrt(max(steps, 1)))


class EnergyWatch:
    """Follows the balance of a run with this tolerance or with fixed steps, chunk by chunk."""

    def __init__(
        self, compiled: RowSource, dynamics: Dynamics, rtol: float, fixed: bool, *,
        refines: bool = True,
    ) -> None:  # fmt: skip
        """``refines``: where much is missing, work is looked at again inside of steps."""
        self._rtol, self._fixed, self._steps = rtol, fixed, 0
        self._compiled, self._dynamics = compiled, dynamics
        self._entered: EnergyBook | None = None
        self._refines = self._doubting = refines
        self._waiting: list[Chunk] = []
        self._first: tuple[Array, Array] | None = None
        """State and parameters at the start."""
        self.undefined = np.zeros(0)
        """The packed state at which energy or power is no finite number, if there is one."""

    def begin(self, x0: Array, p: Array) -> None:
        """Where it starts; its energies are computed with those of the first steps."""
        self._first = x0, p

    @property
    def _book(self) -> EnergyBook:
        """What is entered; the energies at the start are, if nothing else is."""
        if self._entered is None:
            assert self._first is not None
            x0, p = self._first
            [[T, E]] = evaluate_function(self._compiled, "energies", x0[None, :], p).tolist()
            self._entered = EnergyBook.opened(T, E)
        return self._entered

    @property
    def _limit(self) -> float:
        """Part of the energy exchanged that may be missing."""
        return LARGEST if self._fixed else missing_allowed(self._rtol, self._steps)

    def _lost(self, t: float) -> Failure | None:
        """Why a run stops whose energy has nothing to do with what was exchanged."""
        book = self._book
        if max(book.worst, 3 * book.created if self._fixed else 0.0) <= book.exchanged:
            return None
        return Failure("energy", t, f"t = {t:.6g} s: the energy balance is lost: {book.worst:.3g} "
                       f"J are unaccounted for, and {book.exchanged:.3g} J were exchanged; "
                       "use a smaller rtol or step, or another method")  # fmt: skip

    def take(self, chunk: Chunk, end: float) -> Failure | None:
        """All steps of a chunk that end by ``end``; why the run must stop, if it must.

        Chunks wait until there are many steps to look at, which costs little more than one.
        """
        if self._waiting and not np.array_equal(self._waiting[0].p, chunk.p):
            lost = self._settle()
            if lost is not None:
                return replace(lost, time=chunk.t0)
        count = int(np.searchsorted(chunk.times, end, side="right"))
        if count == len(chunk.times) and count:
            self._waiting.append(chunk)
        elif count:
            self._waiting.append(
                replace(chunk, times=chunk.times[:count], records=chunk.records[:count])
            )
        many = sum(len(c.times) for c in self._waiting) >= _MANY
        many |= sum(c.records.size for c in self._waiting) >= _NUMBERS
        last = chunk.status is not None or end < chunk.t1
        if not (many or last or not np.isfinite(chunk.records[-1:]).all()):
            return None
        lost = self._settle()
        if lost is None and end < chunk.t1:
            self._enter_part(chunk, float(chunk.times[count - 1]) if count else chunk.t0, end)
        return lost and replace(lost, time=max(lost.time, chunk.t0))

    def _enter_part(self, chunk: Chunk, start: float, end: float) -> None:
        """The part of a step inside of which the run ends."""
        X = self._dynamics.completed_states(chunk.evaluate(np.array([end])), chunk.p)
        T, E = evaluate_function(self._compiled, "energies", X, chunk.p).T.tolist()
        powers = partial(self._powers, chunk)
        work = chunk.work_in(powers, np.array([start]), np.array([end - start]), self._rtol)
        if np.isfinite(E).all() and np.isfinite(work).all():
            self._entered = self._book.entered(T, E, work.tolist(), float(np.abs(work).sum()))

    def _powers(self, chunk: Chunk, times: Array) -> Array:
        x = self._dynamics.completed_states(chunk.evaluate(times), chunk.p)
        return evaluate_function(self._compiled, "power_balance", x, chunk.p)

    def _settle(self) -> Failure | None:
        """Enter all steps that wait."""
        if not self._waiting:
            return None
        waiting, self._waiting = self._waiting, []
        chunk = waiting[0] if len(waiting) == 1 else replace(
            waiting[0], times=np.concatenate([c.times for c in waiting]),
            records=np.concatenate([c.records for c in waiting]),
        )  # fmt: skip
        count = len(chunk.times)
        work = chunk.records[:, RECORD_WORK : RECORD_WORK + 2].copy()
        self._steps += count
        T, E, done = self._at_ends(chunk, work, EVERY)
        if all(map(math.isfinite, (*E, *done[-1]))):
            entered = self._book.entered(T, E, done, float(np.abs(work).sum()))
            if not (self._refines and self._doubtful(entered)):
                self._entered = entered
                return self._lost(float(chunk.times[-1]))
        T, E, _ = self._at_ends(chunk, work, 1)
        sound = np.cumprod(np.isfinite(E) & np.isfinite(work).all(axis=1)).astype(bool)
        kept, whole = int(sound.sum()), chunk
        if kept:
            chunk = replace(chunk, times=chunk.times[:kept], records=chunk.records[:kept])
            self._enter(chunk, T[:kept], E[:kept], work[:kept])
        t = float(chunk.times[kept - 1]) if kept else chunk.t0
        if kept < count:
            self.undefined = self._inside(whole, kept)
            return Failure("not-a-number", t, f"t = {t:.6g} s: no finite value of energy or power "
                           "in the next step")  # fmt: skip
        return self._lost(t)

    def _inside(self, chunk: Chunk, step: int) -> Array:
        """The first state inside a step at which a power is no finite number, else its end."""
        start, h = chunk.records[step, :2]
        points = start + h * np.append((1 + GAUSS) / 2, 1.0)
        x = self._dynamics.completed_states(chunk.evaluate(points), chunk.p)
        P = evaluate_function(self._compiled, "power_balance", x, chunk.p)
        bad = np.flatnonzero(~np.isfinite(P).all(axis=1))
        found: Array = x[bad[0] if len(bad) else -1]
        return found

    def _doubtful(self, book: EnergyBook) -> bool:
        """Whether more is missing at the ends entered last than the tolerance explains."""
        return book.missing > self._limit * book.exchanged

    def _at_ends(
        self, chunk: Chunk, work: Array, every: int
    ) -> tuple[list[float], list[float], list[list[float]]]:
        """T and E at the end of every so many steps and of the last, and the work up to there."""
        ends = slice((len(work) - 1) % every, None, every)
        first, times = self._first, chunk.times[ends]
        opens = (self._entered is None and first is not None
                 and first[1].tobytes() == chunk.p.tobytes())  # fmt: skip
        if opens:
            times = np.concatenate(((chunk.t0,), times))
        T, E = energies(self._compiled, self._dynamics, chunk, times).T.tolist()
        if opens:
            self._entered = EnergyBook.opened(T.pop(0), E.pop(0))
        return T, E, work.cumsum(axis=0)[ends].tolist()

    def _enter(self, chunk: Chunk, T: list[float], E: list[float], work: Array) -> None:
        """Steps with the energies at their ends and the work in them."""
        book = self._book
        entered = book.entered(T, E, work.cumsum(axis=0).tolist(), float(np.abs(work).sum()))
        if self._doubtful(entered):
            self._refine(chunk, np.diff(E, prepend=book.energy), work)
            entered = book.entered(T, E, work.cumsum(axis=0).tolist(), float(np.abs(work).sum()))
        self._entered = entered

    def _refine(self, chunk: Chunk, gained: Array, work: Array) -> None:
        """Work of the steps where most is missing by Gauss' rule on the motion inside of them.

        Powers need not be as smooth as the motion whose error chooses the steps: a driven motion
        is exact in steps of any length, its torque is not. Where this explains nothing, the motion
        itself is wrong, and no more is tried.
        """
        if not self._doubting:
            return
        missing = np.abs(gained - work[:, 0] + work[:, 1])
        worst = np.argsort(missing)[-_REFINED:]
        worst = np.sort(worst[missing[worst] > 0])
        start, h = chunk.records[worst, 0], chunk.records[worst, 1]
        better = resolved(partial(self._powers, chunk), start, h, work[worst], self._rtol)
        left = np.abs(gained[worst] - better[:, 0] + better[:, 1])
        self._doubting = bool(left.sum() < 0.5 * missing[worst].sum())
        if self._doubting:
            work[worst] = better

    def finish(self) -> EnergyBalance:
        """The balance, with the steps that wait."""
        self._settle()
        return self._book.balance(self._limit)


def energy_watch(
    compiled: RowSource, dynamics: Dynamics, rtol: float, *, fixed: bool
) -> EnergyWatch | None:
    """A watch, if the model knows its energy and its powers."""
    known = not isinstance(compiled, CompiledEquations) or compiled.size.get("energies", 0) == 2
    if not known or "power_at" not in dynamics.capabilities:
        return None
    return EnergyWatch(compiled, dynamics, rtol, fixed)
