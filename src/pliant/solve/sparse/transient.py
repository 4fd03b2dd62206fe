"""Time integration of a block-sparse system: generalized-alpha, or an energy-conserving step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.engine import tiers
from pliant.errors import StepError
from pliant.solve.sparse import advance as code
from pliant.solve.sparse import step_layout as sl
from pliant.solve.sparse.system import SparseSystem

Array = NDArray[np.float64]
CHUNK = 256


@dataclass(frozen=True, slots=True)
class Alpha:
    """Numbers of the method for a spectral radius at infinite frequency (1: no damping)."""

    radius: float = 0.9

    @property
    def numbers(self) -> tuple[float, float, float, float]:
        """am, af, beta, gamma."""
        rho = self.radius
        am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        gamma = 0.5 + af - am
        return am, af, 0.25 * (gamma + 0.5) ** 2, gamma


@dataclass(frozen=True, slots=True)
class Motion:
    """Recorded coordinates: ``q`` has a row per sample, the watched blocks one after the other."""

    t: Array
    q: Array
    steps: int
    iterations: int
    factorisations: int


class Integration:
    """A run that can be continued, unless a step failed: state, factors and counters.

    Constraints must hold at the start, in position and velocity, and must not repeat each other.
    ``radius``: spectral radius of generalized-alpha; ``conserving``: the energy-conserving step
    instead. ``tolerance``: error left by Newton's method in a step, rotations in radians,
    translations over the size of the system.
    """

    def __init__(
        self,
        system: SparseSystem,
        q: Array,
        u: Array | None = None,
        *,
        step: float,
        radius: float = 0.9,
        conserving: bool = False,
        tolerance: float = 1e-10,
        t: float = 0.0,
    ) -> None:
        self.system, self.step = system, step
        n, nq = system.n_all, system.nq
        slots = (
            (sl.W_Q, nq), (sl.W_U, n), (sl.W_UDOT, n), (sl.W_A, n), (sl.W_Q0, nq), (sl.W_U0, n),
            (sl.W_UDOT0, n), (sl.W_A0, n), (sl.W_PSI, n), (sl.W_R, n), (sl.W_WEIGHTS, n),
            (sl.W_TURNS, 18 * len(system.shapes)), (sl.W_SMALL, 16),
        )  # fmt: skip
        starts = np.cumsum([0, *(size for _, size in slots)])
        self._ints, self._reals = np.zeros(sl.INTS, dtype=np.int64), np.zeros(sl.REALS)
        self._w = np.zeros(int(starts[-1]))
        for (slot, _), start in zip(slots, starts, strict=False):
            self._ints[slot] = start
        self._version = -1
        self._ints[sl.METHOD] = sl.CONSERVING if conserving else sl.ALPHA
        self._reals[:] = [t, step, *Alpha(radius).numbers, tolerance, 0.0]
        self._vector(sl.W_TURNS, 18 * len(system.shapes))[:] = system.no_turns
        self.q[:] = q
        self.u[:] = 0.0 if u is None else u
        system.set_header(t=t)
        udot, lam = system.accelerations(self.q, self.u)
        self._vector(sl.W_UDOT, n)[:], self._vector(sl.W_A, n)[:] = udot, udot
        system.set_multipliers(self.q, lam)
        self._vector(sl.W_WEIGHTS, n)[:] = self._weights()

    def _weights(self) -> Array:
        """Weights of corrections; multipliers count as what their forces move in a step."""
        system = self.system
        weights, rows = system.weights(self.q), system.multiplier_rows()
        inertia = system.matrix.diagonal()[~rows[: system.n]]
        weights[rows] = weights.max(initial=0.0) / max(float(inertia.max(initial=0.0)), 1e-300)
        return weights

    @property
    def t(self) -> float:
        return float(self._reals[sl.TIME_NOW])

    @property
    def q(self) -> Array:
        """Coordinates now."""
        return self._vector(sl.W_Q, self.system.nq)

    @property
    def u(self) -> Array:
        """Speeds now, in the order of the unknowns."""
        return self._vector(sl.W_U, self.system.n_all)

    def _vector(self, slot: int, size: int) -> Array:
        start = int(self._ints[slot])
        return self._w[start : start + size]

    def run(self, steps: int, *, watch: Sequence[int] = (), every: int = 1) -> Motion:
        """Go on for so many steps; coordinates of the blocks ``watch`` are recorded."""
        system, before = self.system, self._ints.copy()
        index = [system.coordinates[b] + i for b in watch for i in range(system.shapes[b].nq)]
        ints = np.r_[self._ints[: sl.INTS], np.array(index, dtype=np.int64)]
        ints[sl.WATCHED], ints[sl.EVERY], ints[sl.ROWS] = len(index), every, 0
        record = np.zeros((steps // every + 1, 1 + len(index)))
        found = self._advance(ints, record, steps)
        self._ints[:] = ints[: sl.INTS]
        if found != code.DONE:
            self._fail(found)
        rows = record[: ints[sl.ROWS]]
        counts = self._ints - before
        return Motion(
            rows[:, 0], rows[:, 1:], int(counts[sl.STEPS]), int(counts[sl.ITERATIONS]),
            int(counts[sl.FACTORISATIONS]),
        )  # fmt: skip

    def _advance(self, ints: NDArray[np.int64], record: Array, steps: int) -> int:
        """Steps in chunks: better machine code may be at hand for the next one."""
        system, matrix, found = self.system, self.system.matrix, code.DONE
        tiers.begin()
        if matrix.version != self._version:
            ints[sl.STALE] = 1
            matrix.open()
            self._version = matrix.version
        for done in range(0, steps, CHUNK):
            found = code.advance(
                system.ic, system.dc, ints, self._reals, self._w, matrix.values, matrix.pivots,
                record, min(CHUNK, steps - done),
            )  # fmt: skip
            if found != code.DONE:
                break
        return found

    def _fail(self, found: int) -> None:
        why = ""
        if found >= code.SINGULAR:
            blocks = self.system.matrix.members(found - code.SINGULAR)
            why = f" (its matrix became singular at {', '.join(blocks)})"
        raise StepError(
            f"Newton's method did not converge at t = {self.t:.6g} with step {self.step:.3g}{why}; "
            "take a smaller step"
        )
