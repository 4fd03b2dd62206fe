"""Coordinates from motion: what joint coordinates put every body where it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.equations.layout import Layout
from pliant.equations.state import PoseAndTwist
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import TreeEdge
from pliant.mechanics.flexible_numbers import flexible_names, flexible_numbers
from pliant.mechanics.flexible_places import Velocities, flexible_places
from pliant.mechanics.placement import placements
from pliant.mechanics.start_guess import Placer, by_joints_alone, likely
from pliant.mechanics.usage import kept_joints
from pliant.model.formulas import Formula
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
class JointGap:
    """Residual of a joint and its rate; ``aligned``: not at a false root."""

    gap: Array
    rate: Array
    units: tuple[str, ...]
    aligned: bool

    def sizes(self, size: float) -> tuple[float, float]:
        """Largest gap and rate, lengths over the size of the model."""
        scale = np.array([1 / size if unit == "m" else 1.0 for unit in self.units])
        gap = float(np.abs(self.gap * scale).max(initial=0.0))
        return gap if self.aligned else np.inf, float(np.abs(self.rate * scale).max(initial=0.0))

    def text(self) -> str:
        """The largest gap with its unit."""
        if not self.aligned:
            return "half a turn off"
        k = int(np.argmax(np.abs(self.gap)))
        return f"gap {abs(float(self.gap[k])):.3g} {self.units[k]}"


class _Numbers:
    """Formulas of parameters in numbers."""

    def __init__(self, parameters: Mapping[str, int], p: Array) -> None:
        self.parameters = {name: float(p[k]) for name, k in parameters.items()}

    def __call__(self, f: Formula) -> float:
        return float(f.value if f.is_constant else f.evaluate(NUMERIC, self.parameters.__getitem__))


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

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array, Array]:
        """(q, u, p). ``near``: angles are taken within half a turn of these coordinates."""
        p = p.copy()
        if near is not None:
            left_out = np.array(self.known_q, dtype=int)
            near = np.insert(near, left_out - np.arange(len(left_out)), 0.0)
        value = _Numbers(self.parameters, p)
        states, places, moving = self._moving(bodies, value)
        flexible = flexible_names(self.model)
        q, u = [np.zeros(0)], [np.zeros(0)]
        for carrier in self.carriers:
            joint = carrier.joint.evaluated(value)
            X, V = _relative(joint, states, places, moving)
            own = _coordinates(joint, X, p, carrier)
            if near is not None:
                own = _nearest_turn(joint, own, near[carrier.start :])
            chart = None if carrier.chart < 0 else p[carrier.chart :][:9].reshape(3, 3)
            q.append(own)
            if joint.nu and joint.springs:
                u.append(joint.rates_of(NUMERIC, X).T @ V)
            elif joint.nu:
                u.append(np.linalg.lstsq(joint.motion(NUMERIC, own, chart), V, rcond=None)[0])
        q += [states[name].elastic for name in flexible]
        u += [states[name].elastic_rates for name in flexible]
        found = np.delete(np.concatenate(q), self.known_q)
        return found, np.delete(np.concatenate(u), self.known_u), p

    def _moving(
        self, bodies: Mapping[str, PoseAndTwist], value: _Numbers
    ) -> tuple[dict[str, PoseAndTwist], dict[str, dict[str, Pose]], dict[str, Velocities]]:
        """Motion of bodies and of the ground, their frames, and how these move in them."""
        at_rest = PoseAndTwist(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3))
        states = {"ground": at_rest, **bodies}
        flexible = flexible_names(self.model)
        places = {n: self._places(n, value) for n in states if n not in flexible}
        moving: dict[str, Velocities] = {}
        for name in flexible:
            places[name], moving[name] = self._flexible(name, states[name], value)
        return states, places, moving

    def gaps(self, bodies: Mapping[str, PoseAndTwist], p: Array) -> dict[str, JointGap]:
        """How far joints are from holding, with bodies that move as they do; those on springs
        hold nothing."""
        value = _Numbers(self.parameters, p)
        states, places, moving = self._moving(bodies, value)
        found = {}
        for name, described in self.model.joints.items():
            if described.m and not described.springs and not described.multi_turn:
                joint = described.evaluated(value)
                X, V = _relative(joint, states, places, moving)
                up = min((float(a) for a in joint.alignment(NUMERIC, X)), default=1.0)
                rate = joint.constraint(NUMERIC, X).T @ V
                found[name] = JointGap(joint.residual(NUMERIC, X), rate, joint.row_units, up > 0)
        return found

    def _places(self, name: str, value: _Numbers) -> dict[str, Pose]:
        ground = name == "ground"
        frames = self.model.ground.frames if ground else self.model.bodies[name].frames
        return placements(NUMERIC, frames, value)

    def _flexible(
        self, name: str, state: PoseAndTwist, value: _Numbers
    ) -> tuple[dict[str, Pose], Velocities]:
        """Frames relative to the model's body frame, and their velocities in it."""
        numbers = flexible_numbers(self.model, name, value.parameters)
        placed, moving = flexible_places(
            NUMERIC, numbers.tables, self.model.bodies[name].frames, value, state.elastic,
            state.elastic_rates,
        )  # fmt: skip
        home = placed[""].p
        return {k: Pose(X.R, X.p - home) for k, X in placed.items()}, moving

    def places(self, body: str, parameters: Mapping[str, float]) -> Mapping[str, Pose]:
        """Frames of a rigid body in it."""
        p = np.array([parameters[name] for name in self.parameters])
        return self._places(body, _Numbers({n: k for k, n in enumerate(self.parameters)}, p))

    def guess(self, p: Array) -> tuple[Array, Array]:
        """(q, p) to begin assembly with: what was given, otherwise joint frames coincide."""
        p = p.copy()
        value = _Numbers(self.parameters, p)
        alone = by_joints_alone(self.model, self.edges)
        placer = Placer(self.model, () if alone else self.edges, value, self._undeformed(value))
        q = [np.zeros(0)]
        for carrier in self.carriers:
            joint = carrier.joint
            if joint.name not in self.model.joints:
                X = placer.given(joint.child) if alone else placer.poses[joint.child]
                own = _coordinates(joint, X, p, carrier)
            elif alone and not isinstance(joint, RotationalJoint):
                own = likely(joint, value)
            elif isinstance(joint, RotationalJoint):
                likely_pose = joint.pose(NUMERIC, likely(joint, value))
                X = likely_pose if alone else placer.relative(joint)
                own = _coordinates(joint, X, p, carrier)
            else:
                own = placer.coordinates(joint)
            q.append(own)
        return np.delete(np.concatenate([*q, self._elastic_guess(value)]), self.known_q), p

    def _undeformed(self, value: _Numbers) -> Callable[[str], Mapping[str, Pose]]:
        """Frames of bodies as they are guessed, elastic ones as they were given."""
        flexible = flexible_names(self.model)
        count = {n: len(flexible_numbers(self.model, n, value.parameters).data.names)
                 for n in flexible}  # fmt: skip
        first = dict(zip(flexible, np.cumsum([0, *count.values()]), strict=False))
        every, rest = self._elastic_guess(value), np.zeros(3)

        def places(body: str) -> Mapping[str, Pose]:
            if body not in count:
                return self._places(body, value)
            elastic = every[first[body] :][: count[body]]
            state = PoseAndTwist(np.eye(3), rest, rest, rest, elastic, np.zeros(count[body]))
            return self._flexible(body, state, value)[0]

        return places

    def size(self, p: Array) -> float:
        """How large the model is: the farthest frame on a body from its origin, otherwise the
        farthest position that was given, otherwise 1 m."""
        value = _Numbers(self.parameters, p)
        places = self._undeformed(value)
        arms = [float(np.linalg.norm(X.p)) for n in self.model.bodies for X in places(n).values()]
        far = max(arms, default=0.0)
        if far > 0:
            return far
        starts = (b.initial.position for b in self.model.bodies.values() if b.initial is not None)
        given = [np.linalg.norm([value(c) for c in x]) for x in starts if x is not None]
        return float(max(given, default=0.0)) or 1.0

    def _elastic_guess(self, value: _Numbers) -> Array:
        """Elastic coordinates as given, otherwise undeformed."""
        found: list[float] = []
        for name in flexible_names(self.model):
            names = flexible_numbers(self.model, name, value.parameters).data.names
            given = getattr(self.model.bodies[name].initial, "elastic", {})
            found += [value(given[n]) if n in given else 0.0 for n in names]
        return np.array(found)


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


def _relative(
    joint: Joint,
    states: Mapping[str, PoseAndTwist],
    places: Mapping[str, Mapping[str, Pose]],
    moving: Mapping[str, Velocities],
) -> tuple[Pose, Array]:
    """X_FM and V_FM (in F) of a joint, canonical axes."""
    R_FJ = joint.canonical_axes()
    ends = []
    for reference in (joint.parent, joint.child):
        body, _, frame = reference.partition(".")
        s, X_BP = states[body], places[body][frame]
        offset = s.R_WB @ X_BP.p
        w_r, v_r = moving.get(body, {}).get(frame, (np.zeros(3), np.zeros(3)))
        v = s.v_WB + NUMERIC.cross(s.w_WB, offset) + s.R_WB @ v_r
        w = s.w_WB + s.R_WB @ w_r
        ends.append((s.R_WB @ X_BP.R @ R_FJ, s.p_WB + offset, v, w))
    (R_F, p_F, v_F, w_F), (R_M, p_M, v_M, w_M) = ends
    r = p_M - p_F
    V = np.concatenate([R_F.T @ (w_M - w_F), R_F.T @ (v_M - v_F - NUMERIC.cross(w_F, r))])
    return Pose(R_F.T @ R_M, R_F.T @ r), V
