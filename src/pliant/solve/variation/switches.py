"""Where a condition changes: the branch that is held between two changes, and the jump there.

At a zero t* of a guard g the motion goes over from y' = f⁻ to y' = f⁺. A change of the parameters
moves t*, so that for some time the other branch acts:

    δt* = -(∂g/∂y δy⁻ + ∂g/∂p δp) / (dg/dt)⁻          δy⁺ = δy⁻ + (f⁻ - f⁺) δt*

and an integral over time gains (z⁻ - z⁺) δt*. Where the law is continuous nothing jumps. Unknowns
of algebraic loops follow from k = 0 of the new branch. There is no derivative where a guard slides
along zero, only touches zero, or rests there while its branches differ.

Source: Rozenvasser, General sensitivity equations of discontinuous systems, 1967; Galán, Feehery,
Barton, Parametric sensitivity functions for hybrid discrete/continuous systems, 1999.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import CapabilityError
from pliant.records import dataclass
from pliant.solve.single_states import evaluate_function
from pliant.solve.start.loops import with_loops_closed
from pliant.solve.variation.path import Path
from pliant.solve.variation.slopes import Slopes
from pliant.solve.variation.start import closed_loops

_SAME = 1e-9
"""Part of the largest rate below which two branches agree."""
_STILL = 1e-9
"""Of its largest value over the duration: a guard that changes more slowly does not cross."""
_RESTS = 1e-12
"""Part of its largest value below which a guard is zero, and the largest that is none."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Intervals ``first`` to ``last`` (excluded) of a grid, and p with the branches held there."""

    first: int
    last: int
    p: Array


@dataclass(frozen=True, slots=True)
class Jump:
    """δy⁺ = ``matrix`` δy⁻ + ``direct``, sums gain ``row`` δy⁻ + ``more``."""

    matrix: Array
    direct: Array
    row: Array
    more: Array

    def after(self, S: Array) -> Array:
        """Changes behind it."""
        return self.matrix @ S + self.direct


Summed = Callable[[Array, Array], Array]
"""What is summed up, at packed states with p."""


@dataclass(frozen=True)
class Switches:
    """Conditions along a path."""

    path: Path
    slopes: Slopes

    def pieces(self, grid: Array) -> list[Piece]:
        """Runs of intervals in which all conditions keep their branches."""
        path, last = self.path, len(grid) - 1
        if not path.compiled.guards:
            return [Piece(0, last, path.p)]
        modes = self._modes((grid[1:] + grid[:-1]) / 2)
        starts = np.flatnonzero((modes[1:] != modes[:-1]).any(axis=1)) + 1
        ends = [0, *map(int, starts), last]
        return [Piece(a, b, self._held(modes[a])) for a, b in pairwise(ends)]

    def jumps(self, grid: Array, pieces: Sequence[Piece], summed: Summed) -> dict[int, Jump]:
        """By entry of the grid."""
        return {after.first: self._jump(float(grid[after.first]), before.p, after.p, summed)
                for before, after in pairwise(pieces)}  # fmt: skip

    @cached_property
    def _reach(self) -> Array:
        """How far guards get from zero."""
        path = self.path
        ends = path.ends
        Y = evaluate_function(path.compiled, "guards", path.states(ends), path.p)
        return np.asarray(np.abs(self._part("g", Y)).max(axis=0))

    def _part(self, name: str, Y: Array) -> Array:
        b = self.path.compiled.blocks["guards"][name]
        return np.asarray(Y[:, b.offset : b.offset + len(b.rows)])

    def _modes(self, times: Array) -> Array:
        """Of every guard, at times inside steps."""
        path = self.path
        X = path.states(times)
        Y = evaluate_function(path.compiled, "guards", X, path.p)
        g, modes = self._part("g", Y), self._part("here", Y)
        rests = np.abs(g) <= _RESTS * np.where(self._reach > _RESTS, self._reach, 1.0)
        for i in np.flatnonzero(rests.any(axis=0)):
            own = np.flatnonzero(rests[:, i])
            k = int(own[len(own) // 2])
            self._refuse_resting(X[k], modes[k], int(i))
            modes[rests[:, i], i] = modes[k, i]
        return modes

    def _refuse_resting(self, x: Array, modes: Array, i: int) -> None:
        """A guard at zero, whose branches differ."""
        tables = []
        for sign in (-1.0, 1.0):
            own = modes.copy()
            own[i] = sign * abs(own[i])  # that of a whole number is a half
            tables.append(self.slopes.evaluated(x[None], self._held(own))[0])
        size = np.abs(tables).max(initial=0.0)
        if np.abs(tables[1] - tables[0]).max(initial=0.0) > _SAME * size:
            raise CapabilityError(
                f"the condition '{self.path.compiled.guards[i]}' rests where it changes at t = "
                f"{x[0]:.6g} s: the derivative differs to both sides; move it off by a little"
            )

    def _held(self, modes: Array) -> Array:
        """p with these branches."""
        p, n = self.path.p.copy(), len(modes)
        p[len(p) - 2 * n : len(p) - n] = modes
        return p

    def _jump(self, time: float, before: Array, after: Array, summed: Summed) -> Jump:
        n, size = len(self.path.compiled.guards), self.slopes.states
        moved = np.arange(len(before) - 2 * n, len(before) - n)
        changed = moved[before[moved] != after[moved]]
        X = self.path.states(np.array([time]), before)
        rates = self.path.rates(X, before)[0]
        across, leap, total = self._leap(X, before, after, summed)
        pace, rows = self._moves(X, before, rates, changed - moved[0])
        made = [(leap, total)]
        if len(changed) > 1 and not _alike(rows, pace):
            made = self._one_by_one(X, before, after, changed, summed)
            apart = sum(own for own, _ in made) - leap
            if not _little(apart, rates) or len(made) != len(changed):
                names = [self.path.compiled.guards[int(k - moved[0])] for k in changed]
                raise CapabilityError(
                    f"the conditions {', '.join(map(repr, names))} change at once at t = "
                    f"{time:.6g} s: the derivative depends on which is first; move one of them"
                )
        matrix, direct = np.eye(size), np.zeros((size, rows.shape[1] - size))
        gain = np.zeros((len(total), rows.shape[1]))
        for (own, more), k, slope, row in zip(made, changed, pace, rows, strict=False):
            if _little(own, rates) and not more.any():
                continue
            span = float(self.path.ends[-1] - self.path.ends[0])
            guard = int(k - moved[0])
            if abs(slope) * span <= _STILL * self._reach[guard]:
                raise CapabilityError(
                    f"the condition '{self.path.compiled.guards[guard]}' only touches zero at t = "
                    f"{time:.6g} s, and its law jumps there: there is no derivative"
                )
            matrix += np.outer(own, row[:size] / slope)
            direct += np.outer(own, row[size:] / slope)
            gain += np.outer(more, row / slope)
        self._close_loops(across, after, matrix, direct)
        return Jump(matrix, direct, gain[:, :size], gain[:, size:])

    def _leap(
        self, X: Array, before: Array, after: Array, summed: Summed
    ) -> tuple[Array, Array, Array]:
        """The state behind a change of branches; y' and what is summed up before less behind."""
        across = self._across(X[0], after)
        rates = self.path.rates(X, before)[0] - self.path.rates(across, after)[0]
        return across, rates, summed(X, before)[0] - summed(across, after)[0]

    def _one_by_one(
        self, X: Array, before: Array, after: Array, changed: Integers, summed: Summed
    ) -> list[tuple[Array, Array]]:
        """Leaps of every condition alone."""
        found = []
        for k in changed:
            alone = before.copy()
            alone[k] = after[k]
            found.append(self._leap(X, before, alone, summed)[1:])
        return found

    def _across(self, x: Array, p: Array) -> Array:
        """The state behind a change: unknowns of loops jump."""
        c = self.path.compiled
        closed = with_loops_closed(c, x.copy(), p)
        return self.path.dynamics.completed_states(closed[None, : 1 + c.nq + c.nu + c.nx], p)

    def _moves(self, X: Array, p: Array, rates: Array, changed: Integers) -> tuple[Array, Array]:
        """dg/dt of guards, and -(∂g/∂y | ∂g/∂p)."""
        s = self.slopes
        Y = evaluate_function(s.compiled, "switches", X, p)
        g_y, g_p = s.block("switches", "gy", Y)[0], s.along("switches", "gp", Y)[0]
        pace = g_y @ rates + s.block("switches", "gt", Y)[0, :, 0]
        return pace[changed], -np.column_stack((g_y, g_p))[changed]

    def _close_loops(self, X: Array, p: Array, matrix: Array, direct: Array) -> None:
        """Rows of the unknowns of loops, from k = 0 of the new branch."""
        c, size = self.slopes.compiled, self.slopes.states
        if c.layout.loops:
            Y = evaluate_function(c, "start", X, p)
            both = np.concatenate((matrix, direct), axis=1)
            both[:, :] = closed_loops(c, Y, self.slopes, both, bare=size)
            matrix[:], direct[:] = both[:, :size], both[:, size:]


def _little(leap: Array, rates: Array) -> bool:
    """Whether rates go on without a jump."""
    return not np.abs(leap).max(initial=0.0) > _SAME * np.abs(rates).max(initial=0.0)


def _alike(rows: Array, pace: Array) -> bool:
    """Whether all conditions change together, whatever the parameters are."""
    if not pace.all():
        return False
    moves = rows / pace[:, None]
    return bool(np.abs(moves - moves[0]).max() <= 1e-6 * np.abs(moves).max(initial=0.0))


def refuse_sliding(path: Path, slid: Callable[[Array], str]) -> None:
    """A condition that slid along zero (dry friction that sticks)."""
    for chunk in path.chunks:
        said = slid(chunk.p) if path.compiled.guards else ""
        if said:
            raise CapabilityError(
                f"{said} before t = {chunk.t1:.6g} s: a motion that sticks has no derivative that "
                "its equations tell; end before it, or write the law smoothly (tanh(v/v0))"
            )
