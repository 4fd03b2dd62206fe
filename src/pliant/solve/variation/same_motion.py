"""A change of the start in other coordinates: that of the same motion of the bodies.

A start is assembled in the coordinates of the joint tree, whatever formulation follows. With
b(q, u, p) the poses and twists of all bodies in either coordinates,

    ∂b/∂q δq + ∂b/∂p δp = δb      ∂g/∂q δq + ∂g/∂p δp = 0        (poses, then twists with cv)

elastic coordinates and states of networks change as they do there, by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import CapabilityError
from pliant.records import dataclass
from pliant.solve.single_states import evaluate_function
from pliant.solve.start.in_order import least_squares
from pliant.solve.variation.slopes import Slopes
from pliant.solve.variation.start import closed_loops

_POSE, _BODY = 12, 18
"""Numbers of a body that tell its pose; all of them."""
_RANK = 1e-9
_LEFT = 1e-7
"""Part of the change that may be left over."""


Part = tuple[tuple[Array, Array], Any, Any]
"""Slopes in y and along the directions, what the change is to be (None: nothing), and which rows
count."""


@dataclass(frozen=True)
class _At:
    """Slopes at one start, in the coordinates of one program."""

    slopes: Slopes
    Y: Array

    @classmethod
    def of(cls, slopes: Slopes, x: Array, p: Array) -> _At:
        rows = x[None, : slopes.compiled.x_size].copy()
        return cls(slopes, evaluate_function(slopes.compiled, "start", rows, p))

    def by(self, name: str) -> tuple[Array, Array]:
        """In y, and along the directions."""
        s = self.slopes
        return s.block("start", f"{name}y", self.Y)[0], s.along("start", f"{name}p", self.Y)[0]


@dataclass(frozen=True)
class SameMotion:
    """From the coordinates of ``source`` to those of ``target``."""

    source: Slopes
    target: Slopes

    def carried(self, S: Array, x: Array, p: Array, x_target: Array, p_target: Array) -> Array:
        """δy of the target where y of the source changes by S, at the same motion."""
        c = self.target.compiled
        there, here = _At.of(self.source, x, p), _At.of(self.target, x_target, p_target)
        in_y, along = there.by("B")
        wanted = in_y @ S + along
        found = np.zeros((self.target.states, S.shape[1]))
        q, u, held = slice(0, c.nq), slice(c.nq, c.nq + c.nu), self._elastic(S, found)
        poses = np.arange(len(wanted)) % _BODY < _POSE
        b, g, rows = here.by("B"), here.by("g"), self._rows(here)
        free = np.setdiff1d(np.arange(c.nq), held)
        self._solve(found, free, [(b, wanted, poses), (g, None, slice(None))], here, q)
        free = np.setdiff1d(np.arange(c.nq, c.nq + c.nu), held)
        self._solve(found, free, [(b, wanted, ~poses), (here.by("c"), None, rows)], here, u)
        self._networks(S, found, here)
        return closed_loops(c, here.Y, self.target, found)

    def _elastic(self, S: Array, found: Array) -> Integers:
        """Elastic coordinates and rates are those of the source; where they stand."""
        a, b, held = self.source.compiled, self.target.compiled, [np.zeros(0, dtype=np.int64)]
        for name, (q, u, n) in b.layout.elastic.items():
            q0, u0, _ = a.layout.elastic[name]
            for to, start in ((q, q0), (b.nq + u, a.nq + u0)):
                held.append(np.arange(to, to + n))
                found[held[-1]] = S[start : start + n]
        return np.concatenate(held)

    def _rows(self, here: _At) -> Array:
        """Rows of cv that hold speeds, states of networks being what they are."""
        c = self.target.compiled
        in_y = here.by("c")[0]
        free = ~in_y[:, c.nq + c.nu :].any(axis=1)
        return np.asarray(free & (np.arange(c.m) < c.m - c.layout.loops))

    def _solve(
        self, found: Array, free: Integers, parts: Sequence[Part], here: _At, own: slice
    ) -> None:
        """Entries ``free`` of y, so that all parts change as they are wanted."""
        A, b = [], []
        for (in_y, along), wanted, rows in parts:
            A.append(in_y[rows][:, free])
            b.append(((0.0 if wanted is None else wanted) - in_y @ found - along)[rows])
        matrix, right = np.concatenate(A), np.concatenate(b)
        self._refuse_untold(matrix, free, here, own)
        found[free] = least_squares(matrix, right)
        left = np.abs(matrix @ found[free] - right).max(initial=0.0)
        size = np.abs(right).max(initial=0.0) + np.abs(matrix).max(initial=0.0) * np.abs(
            found[free]
        ).max(initial=0.0)
        if left > _LEFT * size:
            raise CapabilityError(
                f"the change of the start is no motion in the coordinates of {self._name}: take "
                "formulation='recursive'"
            )

    @property
    def _name(self) -> str:
        return f"'{self.target.compiled.formulation}'"

    def _refuse_untold(self, A: Array, free: Integers, here: _At, own: slice) -> None:
        """Coordinates that no body tells."""
        c = self.target.compiled
        N = self.target.block("start", "Ny", here.Y)[0]
        moves = N[free] if own.start == 0 else np.eye(c.nu)[free - own.start]
        kept = c.nu - c.layout.loops
        moves = moves[:, :kept]
        size = np.linalg.norm(moves, 2) if moves.size else 0.0
        told, all_of = (np.linalg.matrix_rank(M, tol=_RANK * max(np.linalg.norm(M, 2), size))
                        if M.size else 0 for M in (A @ moves, moves))  # fmt: skip
        if told < all_of:
            raise CapabilityError(
                f"a coordinate of {self._name} belongs to no body: how it changes at the start is "
                "not known; take formulation='recursive'"
            )

    def _networks(self, S: Array, found: Array, here: _At) -> None:
        """States of networks and drivers by name; others begin as they depend on the rest."""
        a, b = self.source.compiled, self.target.compiled
        places = {s.name: a.nq + a.nu + k for k, s in enumerate(a.layout.x)}
        in_y, along = here.by("X")
        begun = in_y @ found + along if len(in_y) else np.zeros((b.nx, S.shape[1]))
        for k, s in enumerate(b.layout.x):
            own = S[places[s.name]] if s.name in places else begun[k]
            found[b.nq + b.nu + k] = own
