"""Time integration of a block-sparse system: generalized-alpha, or steps that conserve energy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array, Flags, Integers
from pliant.backends.blocks.loops import advance as code
from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.step_layout import INERTIA
from pliant.backends.blocks.loops.system_layout import EXTENT
from pliant.backends.blocks.solver.system import SparseSystem
from pliant.engine import fence, tiers
from pliant.errors import StepError

_THIN = 1e-10
"""Ratio of moments of inertia below which a body counts as a line."""
CHUNK = 256
NEWTON, CONSERVING = 1e-10, 1e-13
"""Error Newton's method may leave in a step of given length; where energy is to be conserved."""
ROUNDING = 2e-13
"""Errors of a step, as a part of the size of the system, that are not told from rounding."""


class DiscreteSystem:
    """Discrete residuals of all kinds, and per block mass, centre of mass and inertia about it."""

    def __init__(self, system: SparseSystem, dissipative: bool) -> None:
        from pliant.backends.blocks.solver.discrete_code import discrete_code, mass_matrices

        self._system = system
        self._codes = [discrete_code(e.kind.source, dissipative) for e in system.elements]
        M, other = np.zeros((len(system.shapes), 6, 6)), np.zeros(len(system.shapes), dtype=bool)
        for elements, made in zip(system.elements, self._codes, strict=True):
            if made.rigid:
                own = mass_matrices(elements.kind.source, elements.numbers)
                np.add.at(M, elements.blocks[:, 0], own)
            elif made.inertial:
                other[elements.blocks] = True
        self.bodies = _bodies(M, other)

    def install(self) -> None:
        """Let the system call these residuals."""
        ic, first = self._system.ic, int(self._system.ic[sl.KIND_TABLE])
        for k, made in enumerate(self._codes):
            ic[first + sl.KIND_INTS * k + sl.K_DISCRETE] = made.machine.address["discrete"]


def _bodies(M: Array, other: Flags) -> Array:
    """m, c, J, J^-1 of mass matrices [m 1, -m [c]x; m [c]x, J - m [c]x^2] about origins."""
    found, m = np.zeros((len(M), INERTIA)), M[:, 0, 0]
    first = np.stack([M[:, 5, 1], M[:, 3, 2], M[:, 4, 0]], axis=1)
    c = np.divide(first, m[:, None], out=np.zeros_like(first), where=m[:, None] > 0)
    cross = np.zeros((len(M), 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cross[:, j, i], cross[:, i, j] = c[:, k], -c[:, k]
    J = M[:, 3:, 3:] + m[:, None, None] * cross @ cross
    found[:, 0], found[:, 1:4], found[:, 4:13] = m, c, J.reshape(-1, 9)
    values = np.linalg.eigvalsh(J)
    whole = ~other & (m > 0) & (values[:, 0] > _THIN * values[:, 2])
    found[whole, 13:22] = np.linalg.inv(J[whole]).reshape(-1, 9)
    found[:, 22] = whole
    return found


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

    @property
    def error_factor(self) -> float:
        """Error of a step over h^2 |a' - a|."""
        am, af, beta, _ = self.numbers
        return abs(beta - 1 / 6 + (am - af) / 2)


@dataclass(frozen=True, slots=True)
class Motion:
    """Recorded coordinates: ``q`` has a row per sample, the watched blocks one after the other."""

    t: Array
    q: Array
    steps: int
    iterations: int
    factorisations: int
    rejected: int = 0


class Integration:
    """A run that can be continued, unless a step failed: state, factors and counters.

    Constraints must hold at the start, in position and velocity, and must not repeat each other.
    Steps are of equal length (``step``, then ``run``), or as long as the error of the motion
    allows (``rtol``, then ``run_to``): errors of about rtol of the size of the system, or rtol
    radians; ``atol`` is added for real coordinates, ``first_step`` is the first one tried. That
    needs accelerations without jitter: not steps that conserve energy, nor a radius of 1 where
    there are constraints.

    ``radius``: spectral radius of generalized-alpha; ``conserving``: energy and momenta are
    conserved instead, with ``dissipation`` from 0 (none) to 1. ``tolerance``: error left by
    Newton's method in a step, rotations in radians, translations over the size of the system.
    """

    def __init__(
        self,
        system: SparseSystem,
        q: Array,
        u: Array | None = None,
        *,
        step: float | None = None,
        radius: float = 0.9,
        conserving: bool = False,
        dissipation: float = 0.0,
        tolerance: float | None = None,
        t: float = 0.0,
        rtol: float | None = None,
        atol: float | None = None,
        first_step: float | None = None,
    ) -> None:
        if (step is None) == (rtol is None):
            raise ValueError("an integration needs either a step or a tolerance rtol")
        if conserving and rtol is not None:
            raise ValueError("steps that conserve energy are of given length: step, not rtol")
        if dissipation and not conserving:
            raise ValueError("dissipation belongs to conserving steps; generalized-alpha: radius")
        if rtol is not None and radius > 0.99 and system.algebraic.any():
            raise ValueError("with constraints, step control needs a radius below 1")
        self.system, self.step, self.rtol = system, step, rtol
        n, nq, blocks = system.n_all, system.nq, len(system.shapes)
        slots = (
            (st.W_Q, nq + n), (st.W_UDOT, n), (st.W_A, n), (st.W_Q0, nq + n), (st.W_UDOT0, n),
            (st.W_A0, n), (st.W_PSI, n), (st.W_R, n), (st.W_WEIGHTS, n),
            (st.W_TURNS, 18 * blocks), (st.W_SMALL, 40), (st.W_ERRORS, n),
            (st.W_INERTIA, st.INERTIA * blocks),
        )  # fmt: skip
        self._ints, self._reals = np.zeros(st.INTS, dtype=np.int64), np.zeros(st.REALS)
        starts, self._w = fence.apart([size for _, size in slots])
        self._ints[[slot for slot, _ in slots]] = starts
        self._ints[[st.W_U, st.W_U0]] = self._ints[[st.W_Q, st.W_Q0]] + nq  # behind coordinates
        self._version = -1
        self._ints[st.METHOD] = st.CONSERVING if conserving else st.ALPHA
        self._discrete = DiscreteSystem(system, dissipation > 0) if conserving else None
        if self._discrete is not None:
            self._vector(st.W_INERTIA, st.INERTIA * blocks)[:] = self._discrete.bodies.ravel()
            system.dc[EXTENT] = system.extent(q)
        method = Alpha(radius)
        self._reals[[st.TIME_NOW, st.XI]] = t, dissipation
        self._reals[st.ALPHA_M : st.GAMMA + 1] = method.numbers
        self._reals[st.ERROR_FACTOR] = method.error_factor
        self._vector(st.W_TURNS, 18 * blocks)[:] = system.no_turns
        self.q[:] = q
        self.u[:] = 0.0 if u is None else u
        system.set_header(t=t)
        udot, lam = system.accelerations(self.q, self.u)
        self._vector(st.W_UDOT, n)[:], self._vector(st.W_A, n)[:] = udot, udot
        system.set_multipliers(self.q, lam)
        self._vector(st.W_WEIGHTS, n)[:] = self._weights()
        if rtol is not None:
            self._control(rtol, rtol / 1e3 if atol is None else atol, first_step)
            tolerance = min(1e-8, max(1e-12, 0.01 * rtol**1.5)) if tolerance is None else tolerance
        else:
            self._reals[st.STEP] = step
        usual = CONSERVING if conserving else NEWTON
        self._reals[st.TOLERANCE] = usual if tolerance is None else tolerance

    def _weights(self) -> Array:
        """Weights of corrections; multipliers count as what their forces move in a step."""
        system = self.system
        weights, rows = system.weights(self.q), system.multiplier_rows()
        inertia = system.matrix.diagonal()[~rows[: system.n]]
        weights[rows] = weights.max(initial=0.0) / max(float(inertia.max(initial=0.0)), 1e-300)
        return weights

    def _control(self, rtol: float, atol: float, first: float | None) -> None:
        """Sizes that errors are compared with, and the first step."""
        system, scale = self.system, self._vector(st.W_ERRORS, self.system.n_all)
        scale[:] = 1 / np.where(system.weights(self.q) > 0, system.weights(self.q), 1.0)
        scale += atol / rtol
        for start, shape in zip(system.increments, system.shapes, strict=True):
            if not shape.algebraic:
                scale[start + 6 * shape.pose : start + shape.n] = atol / rtol
        allowed = rtol**1.5 / 4
        np.maximum(scale, ROUNDING / allowed * scale.max(initial=0.0), out=scale)
        if first is None:
            speed = np.abs(self.u / scale).max(initial=0.0)
            pull = np.sqrt(np.abs(self._vector(st.W_UDOT, system.n_all) / scale).max(initial=0.0))
            first = np.sqrt(rtol) / max(speed, pull, 1.0)
        self._reals[[st.STEP, st.NEXT_STEP]] = first
        self._reals[st.ALLOWED] = allowed

    @property
    def t(self) -> float:
        return float(self._reals[st.TIME_NOW])

    @property
    def q(self) -> Array:
        """Coordinates now."""
        return self._vector(st.W_Q, self.system.nq)

    @property
    def u(self) -> Array:
        """Speeds now, in the order of the unknowns."""
        return self._vector(st.W_U, self.system.n_all)

    def _vector(self, slot: int, size: int) -> Array:
        start = int(self._ints[slot])
        return self._w[start : start + size]

    def run(self, steps: int, *, watch: Sequence[int] = (), every: int = 1) -> Motion:
        """Go on for so many steps; coordinates of the blocks ``watch`` are recorded."""
        if self.rtol is not None:
            raise ValueError("steps of an integration with rtol are not counted: run_to(times)")
        ints, record = self._prepared(watch, steps // every + 1)
        ints[st.EVERY] = every
        found = code.DONE
        for done in range(0, steps, CHUNK):
            found = code.advance(*self._arrays(ints), record, min(CHUNK, steps - done))
            if found != code.DONE:
                break
        return self._recorded(found, ints, record)

    def run_to(self, times: Sequence[float] | Array, *, watch: Sequence[int] = ()) -> Motion:
        """Go on to the last of the times; coordinates of ``watch`` are recorded at each of them."""
        if self.rtol is None:
            raise ValueError("steps of given length are counted: run(steps)")
        goals = np.ascontiguousarray(times, dtype=float)
        self._reals[st.SHORTEST] = 1e-14 * max(float(np.abs(goals).max(initial=0.0)), 1e-300)
        ints, record = self._prepared(watch, len(goals))
        found = code.MORE
        while found == code.MORE:
            found = code.advance_to(*self._arrays(ints), record, goals, len(goals), CHUNK)
        return self._recorded(found, ints, record)

    def trace(self, goal: float, steps: int = 0) -> Iterator[Array]:
        """Go on to a time, or for so many steps of given length: rows (t, q, u, u') of all steps,
        some at a time."""
        vectors = ((st.W_Q, self.system.nq), (st.W_U, self.system.n_all),
                   (st.W_UDOT, self.system.n_all))  # fmt: skip
        index = np.concatenate([self._ints[slot] + np.arange(size) for slot, size in vectors])
        self._reals[st.SHORTEST] = 1e-14 * max(abs(goal), 1e-300)
        found = code.MORE
        while found == code.MORE:
            count = min(CHUNK, steps or CHUNK)
            ints, record = self._noting(index - self._ints[st.W_Q], count)
            ints[st.EVERY] = 1
            if self.rtol is None:
                found, steps = code.advance(*self._arrays(ints), record, count), steps - count
                found = code.MORE if found == code.DONE and steps else found
            else:
                found = code.trace_to(*self._arrays(ints), record, goal, count)
            self._ints[:] = ints[: st.INTS]
            yield record[: ints[st.ROWS]]
        if found != code.DONE:
            self._fail(found)

    def linear_residual(self) -> float:
        """|b - A d|/|b| (largest entries) of the first Newton system A d = b of the next step."""
        system, matrix = self.system, self.system.matrix
        kept = self._ints.copy(), self._reals.copy(), self._w.copy()
        code.newton_system(*self._arrays(self._ints))
        right = self._vector(st.W_R, system.n_all)[: system.n].copy()
        self._ints[:], self._reals[:], self._w[:] = kept
        self._version = -1
        matrix.factor(keep=True)
        left = matrix.defect(matrix.solve(right), right)
        return float(np.abs(left).max() / np.abs(right).max())

    def _prepared(self, watch: Sequence[int], rows: int) -> tuple[Integers, Array]:
        """Integers with the indices of what is recorded, and room for it."""
        system = self.system
        index = [system.coordinates[b] + i for b in watch for i in range(system.shapes[b].nq)]
        return self._noting(np.array(index, dtype=np.int64), rows)

    def _noting(self, index: Integers, rows: int) -> tuple[Integers, Array]:
        """The same for places in the work array, from the first coordinate on."""
        ints = np.r_[self._ints[: st.INTS], index]
        ints[st.WATCHED], ints[st.ROWS] = len(index), 0
        return ints, np.zeros((rows, 1 + len(index)))

    def _arrays(self, ints: Integers) -> tuple[NDArray[np.generic], ...]:
        """What compiled steps work on; better machine code may be at hand than before."""
        system, matrix = self.system, self.system.matrix
        tiers.begin()
        if self._discrete is not None:
            self._discrete.install()
        if matrix.version != self._version:
            ints[st.STALE] = 1
            matrix.open()
            self._version = matrix.version
        return system.ic, system.dc, ints, self._reals, self._w, matrix.values, matrix.pivots

    def _recorded(self, found: int, ints: Integers, record: Array) -> Motion:
        before = self._ints.copy()
        self._ints[:] = ints[: st.INTS]
        if found != code.DONE:
            self._fail(found)
        rows, counts = record[: ints[st.ROWS]], self._ints - before
        return Motion(
            rows[:, 0], rows[:, 1:], int(counts[st.STEPS]), int(counts[st.ITERATIONS]),
            int(counts[st.FACTORISATIONS]), int(counts[st.REJECTED]),
        )  # fmt: skip

    def _fail(self, found: int) -> None:
        why, what = "", "take a smaller step"
        if found >= code.SINGULAR:
            matrix = self.system.matrix
            became = "has entries that are no numbers" if matrix.undefined else "became singular"
            why = f" (its matrix {became} at {', '.join(matrix.members(found - code.SINGULAR))})"
        if found == code.TOO_SHORT:
            why, what = " (no shorter step helped)", "the motion may not be smooth here"
        raise StepError(
            f"Newton's method did not converge at t = {self.t:.6g} with step "
            f"{self._reals[st.STEP]:.3g}{why}; {what}"
        )
