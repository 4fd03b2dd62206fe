"""Static equilibrium of a block-sparse system: Newton's method, adaptive load steps.

r(q, load) = 0,    K d = -r,    q <- q exp(d)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.engine import tiers
from pliant.errors import StepError
from pliant.solve.sparse.matrix import SingularBlockError
from pliant.solve.sparse.system import SparseSystem

EASY = 5
"""Iterations of a load step that is to be lengthened."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """A state of rest; ``changes`` are the sizes of Newton's corrections."""

    q: Array
    load: float
    changes: tuple[float, ...]


class Statics:
    """Solutions of one system. ``tolerance``: size of the last correction (rotations in radians,
    translations over the size of the system)."""

    def __init__(
        self, system: SparseSystem, q: Array, *, tolerance: float = 1e-10, iterations: int = 15
    ) -> None:
        self.system, self.tolerance, self.iterations = system, tolerance, iterations
        self.weights = system.weights(q)
        tiers.begin()
        rows = system.multiplier_rows()
        self.multipliers = np.flatnonzero(rows[: system.n])
        self.motion = np.flatnonzero(~rows[: system.n])
        self.springs = np.zeros(system.n_all)
        self.scale = 1.0
        if len(self.multipliers):
            self.scale = self._stiffness(q)

    def _stiffness(self, q: Array) -> float:
        """1 over the largest stiffness: what rows of motion are scaled by."""
        self.system.set_header(load=0.0)
        self.system.tangent(q)
        return 1.0 / max(float(np.abs(self.system.matrix.values).max()), 1e-300)

    def linearise(self, q: Array, load: float, *, keep: bool = False) -> Array:
        """Factor of the tangent; the scaled residual."""
        self.system.set_header(load=load, scale=self.scale)
        r = self.system.tangent(q)
        if len(self.multipliers):
            self.system.add_constraint_springs(self.weights, self.springs)
        self.system.matrix.factor(keep=keep)
        return self.scaled(r)

    def scaled(self, r: Array) -> Array:
        """Rows of motion times the scale."""
        r = r.copy()
        r[self.motion] *= self.scale
        return r

    def solve(self, right: Array) -> Array:
        """d with K d = right, for all blocks; multipliers in their own unit."""
        d, rows = np.zeros(self.system.n_all), self.multipliers
        w = self.springs[rows]
        scaled = right.copy()
        scaled[rows] *= np.sqrt(w)
        d[: self.system.n] = self.system.matrix.solve(scaled)
        d[rows] = (np.sqrt(w) * d[rows] - w * right[rows]) / self.scale
        return d

    def size(self, d: Array) -> float:
        """Largest change of position."""
        return float(np.abs(self.weights * d).max())

    def equilibrium(self, q: Array, load: float = 1.0) -> Equilibrium:
        """Newton's method from q at a fixed load."""
        changes: list[float] = []
        for _ in range(self.iterations):
            d = self.solve(-self.linearise(q, load))
            q = self.system.moved(q, d)
            changes.append(self.size(d))
            if changes[-1] < self.tolerance:
                return Equilibrium(q, load, tuple(changes))
            if not changes[-1] < 1e3 or (len(changes) > 4 and changes[-1] > 2 * changes[0]):
                break
        raise StepError(
            f"no equilibrium found at load factor {load:.6g}: the last corrections were "
            + ", ".join(f"{c:.2g}" for c in changes[-3:])
        )

    def load_path(
        self, q: Array, end: float = 1.0, *, start: float = 0.0, step: float = 0.1,
        shortest: float = 1e-6,
    ) -> Iterator[Equilibrium]:  # fmt: skip
        """Equilibria up to a load factor, with steps that follow the ease of the iteration."""
        load, sign = start, 1.0 if end >= start else -1.0
        found = self.equilibrium(q, start)
        yield found
        while load != end:
            goal = load + sign * min(step, abs(end - load))
            try:
                found = self.equilibrium(found.q, goal)
            except (StepError, SingularBlockError):
                step /= 2
                if step < shortest:
                    raise
                continue
            load = goal
            step *= 1.5 if len(found.changes) <= EASY else 1.0 if len(found.changes) < 10 else 0.7
            yield found
