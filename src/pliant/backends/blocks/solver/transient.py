"""Time integration of a block-sparse system: generalized-alpha, or steps that conserve energy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.arrays import Array, Flags
from pliant.backends.blocks.loops import advance as code
from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.step_layout import INERTIA
from pliant.backends.blocks.loops.system_layout import EXTENT
from pliant.backends.blocks.solver.system import SparseSystem
from pliant.code import background
from pliant.code.llvm import fence
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
        from pliant.backends.blocks.solver.discrete_gradient_code import (
            discrete_code,
            mass_matrices,
        )

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


class Integration:
    """A run that can be continued, unless a step failed: state, factors and counters.

    Constraints must hold at the start, in position and velocity, and must not repeat each other.
    Steps are of equal length (``step``), or as long as the error of the motion allows (``rtol``):
    errors of about rtol of the size of the system, or rtol radians; ``atol`` is added for real
    coordinates. That needs accelerations without jitter: not steps that conserve energy, nor a
    radius of 1 where there are constraints.

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
        am, af = (2 * radius - 1) / (radius + 1), radius / (radius + 1)
        gamma = 0.5 + af - am
        beta = 0.25 * (gamma + 0.5) ** 2
        self._reals[[st.TIME_NOW, st.XI]] = t, dissipation
        self._reals[st.ALPHA_M : st.GAMMA + 1] = am, af, beta, gamma
        self._reals[st.ERROR_FACTOR] = abs(beta - 1 / 6 + (am - af) / 2)
        self._vector(st.W_TURNS, 18 * blocks)[:] = system.no_turns
        self.q[:] = q
        self.u[:] = 0.0 if u is None else u
        system.set_header(t=t)
        udot, lam = system.accelerations(self.q, self.u)
        self._vector(st.W_UDOT, n)[:], self._vector(st.W_A, n)[:] = udot, udot
        system.set_multipliers(self.q, lam)
        self._vector(st.W_WEIGHTS, n)[:] = self._weights()
        if rtol is not None:
            self._control(rtol, rtol / 1e3 if atol is None else atol)
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

    def _control(self, rtol: float, atol: float) -> None:
        """Sizes that errors are compared with, and the first step."""
        system, scale = self.system, self._vector(st.W_ERRORS, self.system.n_all)
        scale[:] = 1 / np.where(system.weights(self.q) > 0, system.weights(self.q), 1.0)
        scale += atol / rtol
        for start, shape in zip(system.increments, system.shapes, strict=True):
            if not shape.algebraic:
                scale[start + 6 * shape.pose : start + shape.n] = atol / rtol
        allowed = rtol**1.5 / 4
        np.maximum(scale, ROUNDING / allowed * scale.max(initial=0.0), out=scale)
        speed = np.abs(self.u / scale).max(initial=0.0)
        pull = np.sqrt(np.abs(self._vector(st.W_UDOT, system.n_all) / scale).max(initial=0.0))
        self._reals[[st.STEP, st.NEXT_STEP]] = np.sqrt(rtol) / max(speed, pull, 1.0)
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

    @property
    def row(self) -> Array:
        """(t, q, u, u') now."""
        return np.concatenate(
            [[self.t], self.q, self.u, self._vector(st.W_UDOT, self.system.n_all)]
        )

    def _vector(self, slot: int, size: int) -> Array:
        start = int(self._ints[slot])
        return self._w[start : start + size]

    def trace(self, goal: float, steps: int = 0) -> Iterator[Array]:
        """Go on to a time, or for so many steps of given length: rows (t, q, u, u') of all steps,
        some at a time."""
        width, matrix = 1 + self.system.nq + 2 * self.system.n_all, self.system.matrix
        self._reals[st.SHORTEST] = 1e-14 * max(abs(goal), 1e-300)
        found = code.MORE
        while found == code.MORE:
            count = min(CHUNK, steps or CHUNK)
            record, self._ints[st.ROWS] = np.zeros((count, width)), 0
            background.begin()  # better machine code may be at hand than before
            if self._discrete is not None:
                self._discrete.install()
            if matrix.version != self._version:
                self._ints[st.STALE] = 1
                matrix.open()
                self._version = matrix.version
            found = code.advance(self.system.ic, self.system.dc, self._ints, self._reals, self._w,
                                 matrix.values, matrix.pivots, record, goal, count)  # fmt: skip
            if self.rtol is None:
                steps -= count
                found = code.MORE if found == code.DONE and steps else found
            yield record[: self._ints[st.ROWS]]
        if found != code.DONE:
            self._fail(found)

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
