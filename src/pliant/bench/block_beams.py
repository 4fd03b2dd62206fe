"""Straight beams of exact elements over blocks, for the block-sparse solver."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.bench.case import Run
from pliant.model.forces.exact_element import NodeLoads, PointData, exact_loads
from pliant.solve.abi import Compiled
from pliant.solve.sparse.element import ElementKind
from pliant.solve.sparse.frames import BlockFrame, frame_element
from pliant.solve.sparse.system import SparseSystem
from pliant.solve.sparse.transient import Integration
from pliant.spatial.interpolation import lobatto
from pliant.spatial.rotation import from_quaternion
from pliant.spatial.screws import Screw
from pliant.spatial.symbolic import SYMBOLIC

Array = NDArray[np.float64]
RADIUS = 0.9
"""Spectral radius of generalized-alpha, on both sides."""


@dataclass(frozen=True, slots=True)
class Mesh:
    """Elements of one beam and their order."""

    elements: int
    order: int

    @property
    def nodes(self) -> int:
        return self.elements * self.order + 1

    def points(self, length: float) -> tuple[Array, Array]:
        """Places of the nodes and the length each of them stands for (Lobatto's rule)."""
        x, weights = lobatto(self.order)
        h = length / self.elements
        places, shares = np.zeros(self.nodes), np.zeros(self.nodes)
        for e in range(self.elements):
            own = slice(e * self.order, (e + 1) * self.order + 1)
            places[own] = h * (e + x)
            shares[own] += h * weights
        return places, shares

    def coupled(self, nodes: Any) -> Any:
        """Nodes of every element, one row each."""
        last = len(nodes) - self.order
        return np.stack([nodes[i : last + i : self.order] for i in range(self.order + 1)], axis=1)


@cache
def exact_beam(order: int) -> ElementKind:
    """Straight exact element. Numbers: length, EA GA2 GA3, GJ EI2 EI3, and the quaternion of the
    sections in the axes of the first node."""
    along, none = SYMBOLIC.const([1.0, 0.0, 0.0]), SYMBOLIC.const(np.zeros(3))

    def found(frames: Any, p: Any) -> NodeLoads:
        first = frames[0]
        R = first.R_WP @ from_quaternion(SYMBOLIC, p[7:11])
        turned = BlockFrame(R, first.p_WP, first.v_WP, first.w_WP, first.a_WP, first.alpha_WP)
        point = PointData(p[4:7], p[1:4], Screw(none, along))
        return exact_loads(SYMBOLIC, p[0], [turned, *frames[1:]], [point] * order)

    def loads(frames: Any, p: Any) -> Any:
        given = found(frames, p)
        return given.forces, given.torques

    def energy(frames: Any, p: Any) -> Any:
        return found(frames, p).energy

    name = f"exact beam of order {order}"
    return frame_element(name, order + 1, 11, loads, energy=energy, key=f"bench {name}")


def timed_run(
    system: SparseSystem, q: Array, step: float, duration: float, watch: Any, every: float
) -> tuple[float, Any]:
    """Seconds in compiled code of a run by generalized-alpha, and the recorded motion."""
    integration = Integration(system, q, step=step, radius=RADIUS)
    began = Compiled.seconds
    motion = integration.run(round(duration / step), watch=watch, every=round(every / step))
    return Compiled.seconds - began, motion


def as_run(seconds: float, motion: Any, error: Array) -> Run:
    """What a benchmark keeps of a run."""
    return Run(seconds, float(np.abs(error).max()), steps=motion.steps)
