"""Natural coordinates from the motion of bodies: where their points and unit vectors are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.arrays import Array
from pliant.formulations.derivation.state_map import BesideJoints, StateMap
from pliant.formulations.natural.items import numeric_geometry
from pliant.formulations.natural.plan import NaturalPlan
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.flexible import rigid_offset
from pliant.mechanics.layout import Layout, PoseAndTwist
from pliant.mechanics.values import Values
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC


@dataclass(frozen=True, slots=True)
class NaturalMap(BesideJoints):
    """(q, u): joints with coordinates of their own, points and vectors, elastic coordinates."""

    plan: NaturalPlan

    @classmethod
    def of(cls, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> NaturalMap:
        """The map of a system."""
        plan = NaturalPlan.of(graph)
        return cls(StateMap.of(plan.unconnected, layout, parameters), plan)

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array]:
        """(q, u); see ``StateMap``."""
        q, u = self.joints(bodies, p, near)
        at, rates = self._items(bodies, self.joints.values(p))
        nq, nu = self._sizes
        return np.insert(q, nq, at), np.insert(u, nu, rates)

    @property
    def _sizes(self) -> tuple[int, int]:
        """Numbers of coordinates and speeds of joints; those of drivers in the tree are known."""
        nq = sum(j.nq for j in self.joints.carriers) - len(self.joints.known_q)
        return nq, sum(j.nu for j in self.joints.carriers) - len(self.joints.known_u)

    def _items(self, bodies: Mapping[str, PoseAndTwist], values: Values) -> tuple[Array, Array]:
        """Places and velocities of all points, directions and rates of all vectors."""
        geometry = numeric_geometry(values, self.plan.welds)
        found: dict[int, tuple[Array, Array]] = {}
        for solid in self.plan.solids.values():
            if solid.name == GROUND:
                continue
            own = bodies[solid.name]
            p, v = own.p_WB, own.v_WB
            if solid.flexible:
                tables = values.tables(solid.name).tables
                arm = own.R_WB @ rigid_offset(NUMERIC, tables).p
                p, v = p - arm, v - np.cross(own.w_WB, arm)
            for member in solid.members:
                along = own.R_WB @ geometry.local(member.place)
                turning = np.cross(own.w_WB, along)
                if self.plan.items[member.item].is_point:
                    found.setdefault(member.item, (p + along, v + turning))
                else:
                    found.setdefault(member.item, (along, turning))
        order = self.plan.unknown
        empty = [np.zeros(0)]
        return (np.concatenate(empty + [found[k][0] for k in order]),
                np.concatenate(empty + [found[k][1] for k in order]))  # fmt: skip

    def guess(self, p: Array) -> Array:
        """q with every body at the origin: assembly begins in joint coordinates."""
        still = PoseAndTwist(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))
        q = self.joints.guess(p)
        values = self.joints.values(p)
        at, _ = self._items(dict.fromkeys(values.model.bodies, still), values)
        return np.insert(q, self._sizes[0], at)
