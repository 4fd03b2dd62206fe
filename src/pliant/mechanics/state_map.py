"""Coordinates from motion: what joint coordinates put every body where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.equations.layout import Layout
from pliant.equations.state import PoseAndTwist
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import TreeEdge
from pliant.mechanics.placed import Placed
from pliant.mechanics.start_guess import Placer, by_joints_alone, likely
from pliant.mechanics.usage import kept_joints
from pliant.mechanics.values import Values
from pliant.model.joints import Joint
from pliant.model.joints.rotational import RotationalJoint
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Carrier:
    """A joint that carries coordinates: q[start:start+nq], its chart at p[chart:chart+9]."""

    joint: Joint
    start: int
    chart: int


@dataclass(frozen=True, slots=True)
class StateMap:
    """q, u (and charts in p) of the joints that carry coordinates, from the motion of bodies."""

    model: Model
    carriers: tuple[Carrier, ...]
    parameters: Mapping[str, int]
    known_q: tuple[int, ...] = ()
    """Coordinates that a driver in the tree gives: they are no unknowns."""
    known_u: tuple[int, ...] = ()
    edges: tuple[TreeEdge, ...] = ()

    @classmethod
    def of(cls, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> StateMap:
        """The map for the joints of a graph, in the order of the layout."""
        charts = {g.start: g.chart for g in layout.groups}
        unknown = {s.name for s in layout.q}, {s.name for s in layout.u}
        carriers, start, starts_u = [], 0, 0
        known: tuple[list[int], list[int]] = ([], [])
        for joint in (*(e.joint for e in graph.edges), *kept_joints(graph)):
            last = start + joint.nq - (joint.groups[-1][1] if joint.groups else 0) - len(known[0])
            carriers.append(Carrier(joint, start, charts.get(last, -1) if joint.nq else -1))
            for k, (names, first) in enumerate(
                ((joint.coordinate_names, start), (joint.rate_names, starts_u))
            ):
                known[k].extend(first + i for i, name in enumerate(names)
                                if f"{joint.name}.{name}" not in unknown[k])  # fmt: skip
            start, starts_u = start + joint.nq, starts_u + joint.nu
        return cls(graph.model, tuple(carriers), parameters, tuple(known[0]), tuple(known[1]),
                   graph.edges)  # fmt: skip

    def values(self, p: Array) -> Values:
        """Numbers of the model for the parameters in p."""
        return Values.at(self.model, {name: float(p[k]) for name, k in self.parameters.items()})

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """(q, u, p). ``near``: angles are taken within half a turn of these coordinates."""
        p = p.copy()
        if near is not None:
            left_out = np.array(self.known_q, dtype=int)
            near = np.insert(near, left_out - np.arange(len(left_out)), 0.0)
        values = self.values(p)
        placed = Placed(values, bodies)
        q, u = [np.zeros(0)], [np.zeros(0)]
        for carrier in self.carriers:
            joint = carrier.joint.evaluated(values.number)
            X, V = placed.across(joint)
            own = _coordinates(joint, X, p, carrier)
            if near is not None:
                own = _nearest_turn(joint, own, near[carrier.start :])
            chart = None if carrier.chart < 0 else p[carrier.chart :][:9].reshape(3, 3)
            q.append(own)
            if joint.nu and joint.springs:
                u.append(joint.rates_of(NUMERIC, X).T @ V)
            elif joint.nu:
                u.append(np.linalg.lstsq(joint.motion(NUMERIC, own, chart), V, rcond=None)[0])
        q += [bodies[name].elastic for name in values.flexible]
        u += [bodies[name].elastic_rates for name in values.flexible]
        found = np.delete(np.concatenate(q), self.known_q)
        return found, np.delete(np.concatenate(u), self.known_u), p

    def guess(self, p: Array) -> tuple[Array, Array]:
        """(q, p) to begin assembly with: what was given, otherwise joint frames coincide."""
        p = p.copy()
        values = self.values(p)
        alone = by_joints_alone(self.model, self.edges)
        placer = Placer(values, () if alone else self.edges)
        q = []
        for carrier in self.carriers:
            joint = carrier.joint
            if joint.name not in self.model.joints:
                X = placer.given(joint.child) if alone else placer.poses[joint.child]
                own = _coordinates(joint, X, p, carrier)
            elif alone and not isinstance(joint, RotationalJoint):
                own = likely(joint, values.number)
            elif isinstance(joint, RotationalJoint):
                likely_pose = joint.pose(NUMERIC, likely(joint, values.number))
                X = likely_pose if alone else placer.relative(joint)
                own = _coordinates(joint, X, p, carrier)
            else:
                own = placer.coordinates(joint)
            q.append(own)
        q += [np.zeros(0), *map(values.initial_elastic, values.flexible)]
        return np.delete(np.concatenate(q), self.known_q), p

    def size(self, p: Array) -> float:
        """How large the model is."""
        return self.values(p).size


def _coordinates(joint: Joint, X: Pose, p: Array, carrier: Carrier) -> Array:
    """Coordinates of a pose; an angle set starts a chart in which it is regular."""
    if carrier.chart < 0:
        return np.asarray(joint.coordinates_of(NUMERIC, X), dtype=float)
    assert isinstance(joint, RotationalJoint)
    kind = joint.rotation_set
    p[carrier.chart : carrier.chart + 9] = kind.chart_for(X.R).ravel()
    moved = () if joint.nq == kind.size else tuple(X.p)
    return np.array([*moved, *kind.middle])


def _nearest_turn(joint: Joint, q: Array, near: Array) -> Array:
    q = q.copy()
    for k, scalar in enumerate(joint.scalars):
        if scalar.wraps and not joint.multi_turn:
            q[k] += 2 * np.pi * np.round((near[k] - q[k]) / (2 * np.pi))
    return q
