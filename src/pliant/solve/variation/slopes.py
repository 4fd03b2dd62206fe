"""Linear maps along a motion, many states at once.

    [ M  -Gᵀ ] [ δa ]     [ ∂r/∂y  ]        [ ∂r/∂p  ]
    [ G   0  ] [ δλ ] = - [ ∂ca/∂y ] δy  -  [ ∂ca/∂p ] δp       y = [q | u | xs]

    δy' = A δy + B δp:      δq' = ∂q'/∂y δy + ∂q'/∂p δp,  δu' = δa,  δxs' = ∂f/∂y δy + ∂f/∂p δp

Of dependent rows of G those are taken that the run kept; where it changed its mind, all of them,
and the solution of least norm.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.single_states import evaluate_function

_RANK = 1e-10
"""Singular values below that part of the largest are those of dependent rows."""


@dataclass(frozen=True, slots=True)
class Told:
    """Observables and events of many states, their slopes in y and along the directions, and their
    rates along the motion."""

    values: Array
    y: Array
    p: Array
    rate: Array


@dataclass(frozen=True)
class Slopes:
    """``compiled``: of ``pliant.code.slopes``; ``directions``: of p, a column for each of what is
    varied; ``kept``: rows of G, None: those of every state."""

    compiled: CompiledEquations
    directions: Array
    kept: Integers | None

    @property
    def states(self) -> int:
        """Of y."""
        return self.compiled.nq + self.compiled.nu + self.compiled.nx

    def evaluated(self, X: Array, p: Array) -> Array:
        """Function ``motion`` at many packed states."""
        return evaluate_function(self.compiled, "motion", X, p)

    def block(self, function: str, name: str, Y: Array) -> Array:
        """A matrix of many rows."""
        b = self.compiled.blocks[function][name]
        full = np.zeros((len(Y), *b.shape))
        full[:, b.rows, b.cols] = Y[:, b.offset : b.offset + len(b.rows)]
        return full

    def along(self, function: str, name: str, Y: Array) -> Array:
        """A matrix of slopes in p times the directions."""
        return self.block(function, name, Y) @ self.directions

    def rates_by_states(self, Y: Array) -> Array:
        """A."""
        forces = self._solved(Y, -self.block("motion", "Dy", Y))
        return self._rates(Y, "y", forces)

    @cached_property
    def reach(self) -> Integers:
        """First column and end of what may differ from zero, for every row of A."""
        c = self.compiled
        found = np.tile(np.array([0, self.states], dtype=np.int64), (self.states, 1))
        for name, first in (("Vy", 0), ("Wy", c.nq + c.nu)):
            b = c.blocks["motion"][name]
            for k in range(b.shape[0]):
                own = b.cols[b.rows == k]
                found[first + k] = (own.min(), own.max() + 1) if len(own) else (0, 0)
        return found

    def rates_by_directions(self, Y: Array) -> Array:
        """B."""
        forces = self._solved(Y, -self.along("motion", "Dp", Y))
        return self._rates(Y, "p", forces)

    def _rates(self, Y: Array, by: str, forces: Array) -> Array:
        get = self.block if by == "y" else self.along
        nu = self.compiled.nu
        parts = get("motion", f"V{by}", Y), forces[:, :nu], get("motion", f"W{by}", Y)
        return np.concatenate(parts, axis=1)

    def forces(self, Y: Array) -> tuple[Array, Array, Array]:
        """Accelerations and multipliers by y, by the directions, and by t."""
        n, get = self.states, self.block
        right = get("motion", "Dy", Y), self.along("motion", "Dp", Y), get("motion", "Dt", Y)
        found = self._solved(Y, -np.concatenate(right, axis=2))
        return found[:, :, :n], found[:, :, n:-1], found[:, :, -1]

    def pulled(self, Y: Array, weights: Array) -> Array:
        """Σ over all states of weights B, without B; ``weights``: (state, column, n)."""
        c, many = self.compiled, weights.shape[1]
        weights = weights.swapaxes(1, 2)
        right = np.zeros((len(Y), c.nu + c.m, many))  # of the columns of K
        right[:, : c.nu] = weights[:, c.nq : c.nq + c.nu]
        forces = -self._solved(Y, right, turned=True)
        total = np.zeros((many, len(self.directions)))
        for name, own in (
            ("Dp", forces), ("Vp", weights[:, : c.nq]), ("Wp", weights[:, c.nq + c.nu :])
        ):  # fmt: skip
            b = c.blocks["motion"][name]
            values = Y[:, b.offset : b.offset + len(b.rows)]
            np.add.at(total.T, b.cols, np.einsum("ke,kem->em", values, own[:, b.rows]))
        return total @ self.directions

    def _solved(self, Y: Array, right: Array, *, turned: bool = False) -> Array:
        """K⁻¹ right, ``turned``: with its transpose."""
        K = self.block("motion", "Da", Y)
        K = K.swapaxes(1, 2) if turned else K
        if self.kept is None:
            return np.asarray(np.linalg.pinv(K, rcond=_RANK) @ right)
        rows, columns = self._kept_entries
        if len(rows) == len(columns) == K.shape[1] == K.shape[2]:
            return np.asarray(np.linalg.solve(K, right))
        own, others = (columns, rows) if turned else (rows, columns)
        found = np.zeros((len(K), K.shape[2], right.shape[2]))
        found[:, others] = np.linalg.solve(K[:, own[:, None], others], right[:, own])
        return found

    @property
    def _kept_entries(self) -> tuple[Integers, Integers]:
        """Rows and columns of K without those of dependent rows of G; equations whose speeds are
        not independent may do without multipliers."""
        c, kept = self.compiled, np.asarray(self.kept)
        lam = kept if c.has_lam else kept[:0]
        return np.concatenate((np.arange(c.nd), c.nd + kept)), np.concatenate(
            (np.arange(c.nu), c.nu + lam)
        )

    def told(self, X: Array, p: Array, rates: Array) -> Told:
        """Observables and events at many packed states, where y moves at ``rates``."""
        Y = evaluate_function(self.compiled, "told", X, p)
        z, direct = self.block("told", "Yz", Y), self.along("told", "Yp", Y)
        own, by_forces = z[:, :, : self.states], z[:, :, self.states :]
        moves = self.block("told", "Yt", Y)[:, :, 0]
        if by_forces.any():
            in_y, in_p, in_t = self.forces(self.evaluated(X, p))
            own, direct = own + by_forces @ in_y, direct + by_forces @ in_p
            moves = moves + _times(by_forces, in_t)
        return Told(self.column("told", "y", Y), own, direct, moves + _times(own, rates))

    def column(self, function: str, name: str, Y: Array) -> Array:
        """A dense vector of many rows."""
        b = self.compiled.blocks[function][name]
        return Y[:, b.offset : b.offset + len(b.rows)]


def _times(A: Array, b: Array) -> Array:
    """A matrix times a vector, in each of many rows."""
    return np.asarray((A @ b[:, :, None])[:, :, 0])
