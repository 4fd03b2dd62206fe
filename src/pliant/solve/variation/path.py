"""A motion that was computed, at any of its times: what the variational equations are about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.single_states import evaluate_function
from pliant.solve.transient.driver import Chunk


@dataclass(frozen=True)
class Path:
    """Steps from the packed state x0 on, which meets the constraints; ``p``: with conditions as
    they are written."""

    dynamics: Dynamics
    x0: Array
    p: Array
    chunks: Sequence[Chunk]

    @property
    def compiled(self) -> CompiledEquations:
        """What the motion follows."""
        found: CompiledEquations = self.dynamics.source
        return found

    @cached_property
    def ends(self) -> Array:
        """Where steps begin and end."""
        return np.concatenate([self.x0[:1], *(chunk.times for chunk in self.chunks)])

    def states(self, times: Array, p: Array | None = None) -> Array:
        """Packed states at increasing times, with accelerations and multipliers; ``p``: with
        branches of conditions held."""
        found = []
        last = np.array([chunk.t1 for chunk in self.chunks])
        which = np.minimum(np.searchsorted(last, times), len(self.chunks) - 1)
        for k, chunk in enumerate(self.chunks):
            own = times[which == k]
            if len(own):
                rows, values = chunk.evaluate(own), chunk.p if p is None else p
                found.append(self.dynamics.completed_states(rows, values))
        return np.concatenate(found) if found else np.zeros((0, self.dynamics.x_size))

    def rates(self, X: Array, p: Array) -> Array:
        """y' = [q' | u' | xs'] at packed states."""
        c = self.compiled
        first = 1 + c.nq + c.nu + c.nx
        parts = []
        Y = evaluate_function(c, "residual", X, p)
        for name in ("qdot", "xdot"):
            b = c.blocks["residual"][name]
            parts.append(Y[:, b.offset : b.offset + len(b.rows)])
        return np.concatenate((parts[0], X[:, first : first + c.nu], parts[1]), axis=1)
