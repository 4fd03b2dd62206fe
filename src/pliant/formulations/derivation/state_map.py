"""Coordinates from motion: what joint coordinates put every body where it is.

Assembly begins with bodies placed one after the other, down the joints from the ground. A joint has
the coordinates that were given, its guess or its neutral value; where the pose of the outer body is
given, those it has there. A body without a joint in the tree is placed by one of its other joints,
cut or on springs: so the guess does not depend on what is cut. Cut joints that are spoken of by
their coordinates keep some of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from pliant.arrays import Array
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import GROUND, TreeEdge
from pliant.mechanics.layout import Layout, PoseAndTwist, Scalar, StateFrom
from pliant.mechanics.placed import Placed
from pliant.mechanics.placement import rotation_of
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.networks.entries import each
from pliant.model.networks.flat import flatten
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose, identity


def joints_with_coordinates(model: Model) -> set[str]:
    """Joints whose coordinates a force, driver, sensor, network or one of their formulas uses, and
    those of which an output or event reads some that no pose tells (a quaternion has two signs).

    Cut joints among them keep coordinates of their own, so that angles beyond one turn, springs
    and drivers work on them as on any other joint.
    """
    elements = (*model.forces.values(), *model.drivers.values(), *model.sensors.values())
    used = {e.joint for e in elements if not _is_told(model, f"{e.joint}.{e.coordinate}")}
    used |= {joint for force in model.forces.values() for joint, _ in force.along}
    for _, path, _, formula, _ in model.each_formula():
        if path[0] in ("forces", "drivers", "constraints", "sensors", "speeds"):
            used |= _owners(model, formula)
    for formula in model.observing().values():
        used |= {n.partition(".")[0] for n in formula.names if _is_its_own(model, n)}
    for network in model.networks:
        for element in flatten(model, network).elements.values():
            used |= {element.port.joint} if element.port is not None else set()
            for entries in element.law.values():
                used |= {owner for _, formula in each(entries) for owner in _owners(model, formula)}
    return used & set(model.joints)


def _owners(model: Model, formula: Formula) -> set[str]:
    """Elements that a formula speaks of, but joints by what their pose tells."""
    spoken = (n for n in formula.names if "." in n and not _is_told(model, n))
    return {name.partition(".")[0] for name in spoken}


def _is_told(model: Model, name: str) -> bool:
    """Whether a name is that of something the pose of a joint tells."""
    owner, _, quantity = name.partition(".")
    joint = model.joints.get(owner)
    return joint is not None and any(quantity in (c.name, c.rate) for c in joint.measured)


def _is_its_own(model: Model, name: str) -> bool:
    """Whether a name is that of a coordinate or rate which joints tell by carrying it."""
    owner, _, quantity = name.partition(".")
    joint = model.joints.get(owner)
    if joint is None or _is_told(model, name):
        return False
    scalars = {name for c in joint.scalars for name in (c.name, c.rate)}
    return quantity in {*joint.coordinate_names, *joint.rate_names} - scalars


def cut_joints_with_coordinates(graph: SystemGraph) -> list[Joint]:
    """Cut joints that keep coordinates of their own; of those on springs only scalars are asked."""
    used = joints_with_coordinates(graph.model)
    return [j for j in graph.cuts
            if j.multi_turn or (j.name in used and (not j.springs or j.scalars))]  # fmt: skip


@dataclass(frozen=True, slots=True)
class StateMap:
    """q, u of the joints that carry coordinates, from the motion of bodies."""

    model: Model
    carriers: tuple[Joint, ...]
    parameters: Mapping[str, int]
    known_q: tuple[int, ...] = ()
    """Coordinates that a driver in the tree gives: they are no unknowns."""
    known_u: tuple[int, ...] = ()
    edges: tuple[TreeEdge, ...] = ()
    token: object = field(default_factory=object, compare=False, repr=False)
    """What it is known by among the maps of a model."""

    @classmethod
    def of(cls, graph: SystemGraph, layout: Layout, parameters: Mapping[str, int]) -> StateMap:
        """The map for the joints of a graph, in the order of the layout."""
        joints = (*(e.joint for e in graph.edges), *cut_joints_with_coordinates(graph))
        q = _known((f"{j.name}.{n}" for j in joints for n in j.coordinate_names), layout.q)
        u = _known((f"{j.name}.{n}" for j in joints for n in j.rate_names), layout.u)
        return cls(graph.model, joints, parameters, q, u, graph.edges)

    def values(self, p: Array) -> Values:
        """Numbers of the model for the parameters in p."""
        return Values.at(self.model, {name: float(p[k]) for name, k in self.parameters.items()})

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array]:
        """(q, u). ``near``: angles are taken within half a turn of these coordinates."""
        if near is not None:
            left_out = np.array(self.known_q, dtype=int)
            near = np.insert(near, left_out - np.arange(len(left_out)), 0.0)
        values = self.values(p)
        placed = Placed(values, bodies)
        q, u = [np.zeros(0)], [np.zeros(0)]
        for carrier in self.carriers:
            joint = carrier.evaluated(values.number)
            X, V = placed.across(joint)
            own = np.asarray(joint.coordinates_of(NUMERIC, X), dtype=float)
            if near is not None:
                own, near = _nearest_turn(joint, own, near), near[joint.nq :]
            q.append(own)
            if joint.nu and joint.springs:
                u.append(joint.rates_of(NUMERIC, X).T @ V)
            elif joint.nu:
                u.append(np.linalg.lstsq(joint.motion(NUMERIC, own), V, rcond=None)[0])
        q += [bodies[name].elastic for name in values.flexible]
        u += [bodies[name].elastic_rates for name in values.flexible]
        found = np.delete(np.concatenate(q), self.known_q)
        return found, np.delete(np.concatenate(u), self.known_u)

    def guess(self, p: Array) -> Array:
        """q to begin assembly with: what was given, otherwise joint frames coincide."""
        q: Array = self.values(p).remembered(("guess", self.token), self._guess)
        return q.copy()

    def _guess(self, values: Values) -> Array:
        alone = by_joints_alone(self.model, self.edges)
        placer = Placer(values, () if alone else self.edges)
        q = []
        for joint in self.carriers:
            if joint.name not in self.model.joints:
                X = placer.given(joint.child) if alone else placer.poses[joint.child]
                own = joint.coordinates_of(NUMERIC, X)
            else:
                own = likely(joint, values.number) if alone else placer.coordinates(joint)
            q.append(own)
        q += [np.zeros(0), *map(values.initial_elastic, values.flexible)]
        return np.delete(np.concatenate(q), self.known_q)

    def size(self, p: Array) -> float:
        """How large the model is."""
        return self.values(p).size

    def reads(self, p: Array) -> list[int]:
        """Entries of p that ``guess`` and ``size`` of these parameters follow from."""
        names = self.values(p).read_for(("guess", self.token), ("size",))
        return [self.parameters[name] for name in names]


def _known(names: Iterable[str], unknown: Sequence[Scalar]) -> tuple[int, ...]:
    """Which of the names are no unknowns."""
    left = {s.name for s in unknown}
    return tuple(k for k, name in enumerate(names) if name not in left)


@dataclass(frozen=True, slots=True)
class BesideJoints:
    """A map of further coordinates or speeds, which begins where that of the joints does."""

    joints: StateMap

    def size(self, p: Array) -> float:
        """How large the model is."""
        return self.joints.size(p)

    def guess(self, p: Array) -> Array:
        """q to begin assembly with."""
        return self.joints.guess(p)


def _nearest_turn(joint: Joint, q: Array, near: Array) -> Array:
    q = q.copy()
    for k, scalar in enumerate(joint.scalars):
        if scalar.wraps and not (joint.multi_turn and not joint.springs):
            q[k] += 2 * np.pi * np.round((near[k] - q[k]) / (2 * np.pi))
    return q


def likely(joint: Joint, value: Callable[[Formula], float]) -> Array:
    """Coordinates of a joint: given, guessed or neutral."""
    return joint.near({k: value(f) for k, f in (*joint.guess.items(), *joint.initial.items())})


def by_joints_alone(model: Model, edges: Sequence[TreeEdge]) -> bool:
    """Whether every joint can be guessed by itself: no body's pose was given but of free ones, and
    no body hangs on joints outside the tree only."""
    joints = _outside(model, edges)
    outside = {model.frame(end)[0] for j in joints for end in (j.parent, j.child)}
    for edge in edges:
        initial = model.bodies[edge.outer].initial
        posed = initial is not None and (initial.position or initial.orientation) is not None
        if edge.joint.name in model.joints:
            if posed:
                return False
        elif edge.outer in outside:
            return False
    return True


def _outside(model: Model, edges: Sequence[TreeEdge]) -> list[Joint]:
    """Joints that are not in the tree, as far as they have coordinates."""
    used = {e.joint.name for e in edges}
    return [j for j in model.joints.values() if j.in_tree and j.name not in used]


class Placer:
    """Places the bodies of a model."""

    def __init__(self, values: Values, edges: Sequence[TreeEdge]) -> None:
        model = values.model
        self.values, self.model, self.value = values, model, values.number
        self.poses: dict[str, Pose] = {GROUND: identity(NUMERIC)}
        self._places: dict[str, Mapping[str, Pose]] = {}
        self.others = _outside(model, edges)
        pending = list(edges)
        while pending:
            left = [e for e in pending if not self._placed(e)]
            if len(left) == len(pending):
                free = next(e for e in left if e.joint.name not in model.joints)
                self.poses[free.outer] = self.given(free.outer)
                left.remove(free)
            pending = left

    def _placed(self, edge: TreeEdge) -> bool:
        """Place the outer body if what it hangs on is placed."""
        body = edge.outer
        if edge.joint.name in self.model.joints:
            if edge.inner not in self.poses:
                return False
            self.poses[body] = self._through(edge)
            return True
        hung = []
        for joint in self.others:
            a, b = (self.model.frame(end)[0] for end in (joint.parent, joint.child))
            both = TreeEdge(joint, a, b, False), TreeEdge(joint, b, a, True)
            hung += [e for e in both if e.outer == body]
        anchored = next((e for e in hung if e.inner in self.poses), None)
        initial = self.model.bodies[body].initial
        if anchored is not None:
            self.poses[body] = self._through(anchored)
        elif not hung or (initial and None not in (initial.position, initial.orientation)):
            self.poses[body] = self.given(body)
        return body in self.poses

    def given(self, body: str, X: Pose | None = None) -> Pose:
        """X (or the origin) with what was given of the pose of a body."""
        X = identity(NUMERIC) if X is None else X
        initial = self.model.bodies[body].initial
        R, p = X.R, X.p
        if initial is not None and initial.position is not None:
            p = self.values.vector(initial.position)
        if initial is not None and initial.orientation is not None:
            R = rotation_of(NUMERIC, initial.orientation, self.value)
        return Pose(R, p)

    def _through(self, edge: TreeEdge) -> Pose:
        """Pose of the outer body, on a joint with its likely coordinates, or those its given pose
        asks for."""
        joint = edge.joint.evaluated(self.value)
        q = likely(edge.joint, self.value)
        X = self._outer(edge, joint.pose(NUMERIC, q))
        given = self.given(edge.outer, X)
        if given is X or (np.array_equal(given.R, X.R) and np.array_equal(given.p, X.p)):
            return X
        asked = self.coordinates(edge.joint, {edge.outer: given})
        return self._outer(edge, joint.pose(NUMERIC, asked))

    def coordinates(self, joint: Joint, poses: Mapping[str, Pose] | None = None) -> Array:
        """Coordinates of a joint between two bodies that are placed, within half a turn of the
        likely ones; those that were given stay. ``poses``: of bodies that are elsewhere."""
        own = likely(joint, self.value)
        found = joint.evaluated(self.value).coordinates_of(NUMERIC, self.relative(joint, poses))
        found = _nearest_turn(joint, found, own)
        fixed = [name in joint.initial for name in joint.coordinate_names]
        return np.where(fixed if joint.scalars else False, own, found)

    def relative(self, joint: Joint, poses: Mapping[str, Pose] | None = None) -> Pose:
        """X_FM in canonical axes."""
        known = {**self.poses, **(poses or {})}
        F, M = (known[end.partition(".")[0]] @ self._frame(end) for end in
                (joint.parent, joint.child))  # fmt: skip
        axes = Pose(joint.canonical_axes(), np.zeros(3))
        return (F @ axes).inverse @ (M @ axes)

    def _outer(self, edge: TreeEdge, X_FM: Pose) -> Pose:
        joint = edge.joint
        axes = Pose(joint.canonical_axes(), np.zeros(3))
        near, far = (joint.child, joint.parent) if edge.flipped else (joint.parent, joint.child)
        moved = X_FM.inverse if edge.flipped else X_FM
        base = self.poses[edge.inner] @ self._frame(near)
        return base @ axes @ moved @ axes.inverse @ self._frame(far).inverse

    def _frame(self, reference: str) -> Pose:
        body, _, frame = reference.partition(".")
        if body not in self._places:
            self._places[body] = self.values.initial_places(body)
        return self._places[body][frame]


MapOf = Callable[[SystemGraph, Layout, Mapping[str, int]], StateFrom]


@dataclass(frozen=True, slots=True)
class LoopMap:
    """What another map gives, then ``count`` unknowns that no body tells (NaN), and integrals of
    them that begin at zero."""

    others: StateFrom
    count: int

    def __call__(
        self, bodies: Mapping[str, PoseAndTwist], p: Array, near: Array | None = None
    ) -> tuple[Array, Array]:
        """(q, u)."""
        near = None if near is None else near[: len(near) - self.count]
        q, u = self.others(bodies, p, near)
        return self._longer(q), np.append(u, np.full(self.count, np.nan))

    def size(self, p: Array) -> float:
        """How large the model is."""
        return self.others.size(p)

    def guess(self, p: Array) -> Array:
        """q to begin assembly with."""
        return self._longer(self.others.guess(p))

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
