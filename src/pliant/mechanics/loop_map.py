"""Coordinates from motion where the last entries of q and u belong to algebraic loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from pliant.arrays import Array
from pliant.equations.layout import Layout
from pliant.equations.state import PoseAndTwist, StateFrom
from pliant.graphs import SystemGraph

MapOf = Callable[[SystemGraph, Layout, Mapping[str, int]], StateFrom]


@dataclass(frozen=True, slots=True)
class LoopMap:
    """What another map gives, then ``count`` unknowns that no body tells (NaN), and integrals of
    them that begin at zero."""

    others: StateFrom
    count: int

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """(q, u, p)."""
        near = None if near is None else near[: len(near) - self.count]
        q, u, p = self.others(bodies, p, near)
        return self._longer(q), np.append(u, np.full(self.count, np.nan)), p

    def size(self, p: Array) -> float:
        """How large the model is."""
        return self.others.size(p)

    def guess(self, p: Array) -> tuple[Array, Array]:
        """(q, p) to begin assembly with."""
        q, p = self.others.guess(p)
        return self._longer(q), p

    def _longer(self, q: Array) -> Array:
        return np.append(q, np.zeros(self.count))


def beside_loops(map_of: MapOf) -> MapOf:
    """A map for layouts with loops, from one for layouts without."""

    def of(graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> StateFrom:
        n = layout.loops
        if not n:
            return map_of(graph, layout, parameters)
        others = replace(layout, q=layout.q[:-n], u=layout.u[:-n], rows=layout.rows[:-n], loops=0)
        return LoopMap(map_of(graph, others, parameters), n)

    return of
