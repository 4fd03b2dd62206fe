"""Linear maps along a motion, many states at once.

    [ M  -Gᵀ ] [ δa ]     [ ∂r/∂y  ]        [ ∂r/∂p  ]
    [ G   0  ] [ δλ ] = - [ ∂ca/∂y ] δy  -  [ ∂ca/∂p ] δp       y = [q | u | xs]

    δy' = A δy + B δp:      δq' = ∂q'/∂y δy + ∂q'/∂p δp,  δu' = δa,  δxs' = ∂f/∂y δy + ∂f/∂p δp

Of dependent rows of G those are taken that the run kept; where it changed its mind, all of them,
and the solution of least norm.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Integers
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.single_states import evaluate_function

_RANK = 1e-10
"""Singular values below that part of the largest are those of dependent rows."""


@dataclass(frozen=True, slots=True)
class Told:
    """Observables of many states, and their slopes in y and along the directions."""

    values: Array
    y: Array
    p: Array


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

    def rates_by_directions(self, Y: Array) -> Array:
        """B."""
        forces = self._solved(Y, -self.along("motion", "Dp", Y))
        return self._rates(Y, "p", forces)

    def _rates(self, Y: Array, by: str, forces: Array) -> Array:
        get = self.block if by == "y" else self.along
        nu = self.compiled.nu
        parts = get("motion", f"V{by}", Y), forces[:, :nu], get("motion", f"W{by}", Y)
        return np.concatenate(parts, axis=1)

    def forces(self, Y: Array) -> tuple[Array, Array]:
        """Accelerations and multipliers by y, and by the directions."""
        right = self.block("motion", "Dy", Y), self.along("motion", "Dp", Y)
        found = self._solved(Y, -np.concatenate(right, axis=2))
        return found[:, :, : self.states], found[:, :, self.states :]

    def pulled(self, Y: Array, weights: Array) -> Array:
        """Σ over all states of weightsᵀ B, without B; ``weights``: (state, n, column)."""
        c, many = self.compiled, weights.shape[2]
        right = np.zeros((len(Y), c.nu + c.m, many))
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
        nu = self.compiled.nu
        own = np.concatenate((np.arange(nu), nu + self.kept))
        found = np.zeros_like(right)
        found[:, own] = np.linalg.solve(K[:, own[:, None], own], right[:, own])
        return found

    def told(self, X: Array, p: Array) -> Told:
        """Observables at many packed states."""
        Y = evaluate_function(self.compiled, "told", X, p)
        z, direct = self.block("told", "Yz", Y), self.along("told", "Yp", Y)
        b, n = self.compiled.blocks["told"]["y"], self.states
        values = Y[:, b.offset : b.offset + len(b.rows)]
        own, by_forces = z[:, :, :n], z[:, :, n:]
        if not by_forces.any():
            return Told(values, own, direct)
        in_y, in_p = self.forces(self.evaluated(X, p))
        return Told(values, own + by_forces @ in_y, direct + by_forces @ in_p)
