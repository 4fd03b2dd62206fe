"""How the start changes: assembly, differentiated by the implicit function theorem.

Assembly meets g = 0 and wish after wish (``solve.start.assembly``); so do small changes of it:

    ∂g/∂q N δv + ∂g/∂p δp = 0,     ∂e_k/∂q N δv + ∂e_k/∂p δp = 0     in order of rank,  δq = N δv

and likewise of speeds with cv and the wishes of velocities. A wish that its rank leaves free to be
met is met exactly, which makes this exact; one that is met as nearly as possible only is refused.
States of networks begin as they depend on q, u and p, and unknowns of loops follow from k = 0.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array, Flags
from pliant.code.compiled import CompiledEquations
from pliant.errors import CapabilityError
from pliant.records import dataclass
from pliant.solve.single_states import evaluate_function
from pliant.solve.start.assembly import Assembler
from pliant.solve.start.in_order import by_rank
from pliant.solve.variation.slopes import Slopes

_LEFT = 1e-7
"""Part of the change that constraints may be off by: more, and it contradicts them."""
_MET = 1e-8
"""Scaled residuals below are zero."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """Rows A, b of a change, their residuals at the start, and names."""

    A: Array
    b: Array
    residual: Array
    names: Sequence[str]


@dataclass(frozen=True)
class StartSlopes:
    """``compiled``: the equations; ``size``: of the model; ``names``: of the directions."""

    compiled: CompiledEquations
    slopes: Slopes
    names: Sequence[str]
    size: float

    def at(self, x: Array, p: Array) -> Array:
        """δy by the directions at the assembled start x."""
        c = self.compiled
        solver = Assembler(c, p, float(x[0]), self.size)
        Y = evaluate_function(self.slopes.compiled, "start", x[None, : c.x_size].copy(), p)
        N = self.slopes.block("start", "Ny", Y)[0]
        Sq = N @ self._positions(solver, x, Y)
        Su = self._velocities(solver, x, Y, Sq)
        Sx = self._by(Y, "X", Sq, Su)
        return closed_loops(c, Y, self.slopes, np.concatenate((Sq, Su, Sx)))

    def _by(self, Y: Array, name: str, Sq: Array, Su: Array) -> Array:
        """Change of a column of the start."""
        S = np.zeros((self.slopes.states, Sq.shape[1]))
        S[: len(Sq)], S[len(Sq) : len(Sq) + len(Su)] = Sq, Su
        found = self.slopes.block("start", f"{name}y", Y)[0] @ S
        return np.asarray(found + self.slopes.along("start", f"{name}p", Y)[0])

    def _positions(self, solver: Assembler, x: Array, Y: Array) -> Array:
        c = self.compiled
        g, _, G = solver.constraints(x)
        rows = solver.rows[: c.mh]
        gp = self.slopes.along("start", "gp", Y)[0]
        names = [row.name for row in c.layout.rows[: c.mh]]
        held = _Wish(
            G[: c.mh] * rows[:, None] * solver.columns, gp * rows[:, None], g * rows, names
        )
        none = np.zeros((c.nq, gp.shape[1])), np.zeros((c.nu, gp.shape[1]))
        wishes = self._wishes(solver, x, Y, "position", *none)
        return np.asarray(self._solved([held, *wishes]) * solver.columns[:, None])

    def _velocities(self, solver: Assembler, x: Array, Y: Array, Sq: Array) -> Array:
        c = self.compiled
        _, cv, G = solver.constraints(x)
        rows = solver.rows_without_states(x)
        none = np.zeros((c.nu, Sq.shape[1]))
        scaled, change = solver.rows[rows], self._by(Y, "c", Sq, none)[rows]
        names = [row.name for row, own in zip(c.layout.rows, rows, strict=True) if own]
        held = _Wish(G[rows] * scaled[:, None] * solver.columns, change * scaled[:, None],
                     cv[rows] * scaled, names)  # fmt: skip
        wishes = self._wishes(solver, x, Y, "velocity", Sq, none)
        return np.asarray(self._solved([held, *wishes]) * solver.columns[:, None])

    def _wishes(
        self, solver: Assembler, x: Array, Y: Array, level: str, Sq: Array, Su: Array
    ) -> list[_Wish]:
        c, y, found = self.compiled, self.compiled.call("initial", x, solver.p), []
        own, letter, place = ("eq", "Q", 0) if level == "position" else ("eu", "U", 1)
        matrix = own.capitalize()
        for k, ranked in enumerate(c.wishes):
            units, names = [unit for _, unit in ranked[place]], [name for name, _ in ranked[place]]
            scaled = solver.per_size(units)
            residual = c.block("initial", f"{own}{k}", y) * scaled
            A = c.block("initial", f"{matrix}{k}", y) * scaled[:, None] * solver.columns
            b = self._by(Y, f"{letter}{k}", Sq, Su) * scaled[:, None]
            told: Flags = np.isfinite(residual) & np.isfinite(A).all(axis=1)
            kept = [name for name, own_told in zip(names, told, strict=True) if own_told]
            found.append(_Wish(A[told], b[told], residual[told], kept))
        return found

    def _solved(self, wishes: Sequence[_Wish]) -> Array:
        """δv over the columns of the assembler."""
        n = self.compiled.nu
        x = np.zeros((n, len(self.names)))
        steps = by_rank(((w.A, w.b) for w in wishes), n)
        for k, (wish, met) in enumerate(zip(wishes, steps, strict=True)):
            x = met.x
            if k == 0:
                self._refuse_contradiction(wish, met.left, x)
            soft: Flags = met.moves & (np.abs(wish.residual) > _MET)
            if k and soft.any():
                raise CapabilityError(
                    _compromise([wish.names[int(i)] for i in np.flatnonzero(soft)])
                )
        return x

    def _refuse_contradiction(self, wish: _Wish, left: Array, x: Array) -> None:
        """A parameter that dependent constraints leave no freedom for."""
        if not left.size:
            return
        off = np.abs(left) > _LEFT * (np.abs(wish.b) + np.abs(wish.A) @ np.abs(x)).max(axis=0)
        bad = np.argwhere(off)
        if len(bad):
            row, k = bad[np.argmax(np.abs(left)[tuple(bad.T)])]
            raise CapabilityError(contradiction(self.names[k], wish.names[row]))


def closed_loops(
    c: CompiledEquations, Y: Array, slopes: Slopes, S: Array, *, bare: int = 0
) -> Array:
    """δy with the unknowns z of algebraic loops, from k = 0; ``Y``: of function ``start``;
    ``bare``: columns before those of the directions."""
    n = c.layout.loops
    if not n:
        return S
    own, rows = slice(c.nq + c.nu - n, c.nq + c.nu), slice(c.m - n, c.m)
    slope = slopes.block("start", "cy", Y)[0, rows]
    found = S.copy()
    found[own] = 0.0
    change = slope @ found
    change[:, bare:] += slopes.along("start", "cp", Y)[0, rows]
    found[own] = -np.linalg.solve(slope[:, own], change)
    return found


def contradiction(name: str, row: str) -> str:
    """Why there is no derivative."""
    return (f"'{name}': with any other value the mechanism cannot be assembled: its constraints "
            f"are dependent, and '{row}' would not be met; vary what keeps it closed together "
            "with it, by a formula, or leave a redundant direction free")  # fmt: skip


def _compromise(names: Sequence[str]) -> str:
    listed = ", ".join(dict.fromkeys(names))
    return (f"the start is a compromise between the neutral positions or rates of {listed}, which "
            "depends on sizes of the model: give initial values that determine it (joints: "
            "initial)")  # fmt: skip
