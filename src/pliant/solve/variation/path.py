"""A motion that was computed, at any of its times: what the variational equations are about."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.transient.driver import Chunk


@dataclass(frozen=True)
class Path:
    """Steps from the packed state x0 on, which meets the constraints."""

    dynamics: Dynamics
    x0: Array
    p: Array
    chunks: Sequence[Chunk]

    @cached_property
    def ends(self) -> Array:
        """Where steps begin and end."""
        return np.concatenate([self.x0[:1], *(chunk.times for chunk in self.chunks)])

    def states(self, times: Array, p: Array | None = None) -> Array:
        """Packed states at increasing times, with accelerations and multipliers; ``p``: with modes
        of conditions set."""
        found = []
        last = np.array([chunk.t1 for chunk in self.chunks])
        which = np.minimum(np.searchsorted(last, times), len(self.chunks) - 1)
        for k, chunk in enumerate(self.chunks):
            own = times[which == k]
            if len(own):
                rows, values = chunk.evaluate(own), chunk.p if p is None else p
                found.append(self.dynamics.completed_states(rows, values))
        return np.concatenate(found) if found else np.zeros((0, self.dynamics.x_size))
