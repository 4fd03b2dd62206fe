"""Flows of the stores of bodies from the motion of bodies: for formulations in terms of momenta.

P_c' = v + w x c + S q' (world axes) and w (body axes) of every body, beside the joint speeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.equations.layout import Layout
from pliant.equations.state import PoseAndTwist
from pliant.graphs import SystemGraph
from pliant.mechanics.flexible import masses, rigid_offset
from pliant.mechanics.state_map import StateMap
from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody
from pliant.spatial.ops import NUMERIC

_STORES = ("vx", "vy", "vz", "wx", "wy", "wz")


@dataclass(frozen=True, slots=True)
class StoreMap:
    """q as a ``StateMap`` gives it, u by name: joint speeds that are unknowns (not of spherical and
    free joints, nor of driven ones), flows of stores, elastic rates."""

    joints: StateMap
    joint_speeds: tuple[str, ...]
    speeds: tuple[str, ...]

    @classmethod
    def of(cls, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> StoreMap:
        """The map for the stores in the order of the layout."""
        inner = StateMap.of(graph, layout, parameters)
        speeds = tuple(s.name for s in layout.u)
        names = [f"{c.joint.name}.{n}" for c in inner.carriers for n in c.joint.rate_names]
        return cls(inner, tuple(n for n in names if n in speeds), speeds)

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """(q, u, p); see ``StateMap``. Flows of stores of networks are not known here (NaN)."""
        q, u, p = self.joints(bodies, p, near)
        found = dict(zip(self.joint_speeds, u, strict=False))
        values = self.joints.values(p)
        for name, state in bodies.items():
            flows = _flows(values, name, state)
            found |= dict(zip((f"{name}.{s}" for s in _STORES), flows, strict=True))
        for name in values.flexible:
            pairs = zip(values.tables(name).data.names, bodies[name].elastic_rates, strict=True)
            found |= {f"{name}.{k}_rate": rate for k, rate in pairs}
        return q, np.array([found.get(name, np.nan) for name in self.speeds]), p

    def size(self, p: Array) -> float:
        """How large the model is."""
        return self.joints.size(p)

    def guess(self, p: Array) -> tuple[Array, Array]:
        """(q, p) to begin assembly with."""
        return self.joints.guess(p)


def _flows(values: Values, name: str, state: PoseAndTwist) -> Array:
    """P_c' in world axes and w in body axes."""
    body = values.model.bodies[name]
    w = state.R_WB.T @ state.w_WB
    if isinstance(body, RigidBody):
        c = values.vector(body.com) if values.number(body.mass) else np.zeros(3)
        return np.concatenate([state.v_WB + NUMERIC.cross(state.w_WB, state.R_WB @ c), w])
    numbers = values.tables(name)
    tables = numbers.tables
    n = numbers.data.count
    own = masses(NUMERIC, tables, numbers.packing.pairs, state.elastic, n)
    arm = own.s / own.mass - rigid_offset(NUMERIC, tables).p
    bent = own.S @ state.elastic_rates / own.mass if n else np.zeros(3)
    v = state.v_WB + NUMERIC.cross(state.w_WB, state.R_WB @ arm) + state.R_WB @ bent
    return np.concatenate([v, w])
