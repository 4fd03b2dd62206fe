"""Where assembly begins: bodies placed one after the other, down the joints from the ground.

A joint has the coordinates that were given, its guess or its neutral value; where the pose of the
outer body was given, those it has there. A body without a joint in the tree is placed by one of its
other joints, cut or on springs: so the guess does not depend on what is cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from pliant.arrays import Array
from pliant.graphs.spanning_tree import GROUND, TreeEdge
from pliant.mechanics.placement import rotation_of
from pliant.mechanics.values import Values
from pliant.model.formulas import Formula
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose, identity


def likely(joint: Joint, value: Callable[[Formula], float]) -> Array:
    """Coordinates of a joint: given, guessed or neutral."""
    known = {k: value(f) for k, f in (*joint.guess.items(), *joint.initial.items())}
    pairs = zip(joint.coordinate_names, joint.neutral, strict=True)
    return np.array([known.get(name, usual) for name, usual in pairs])


def by_joints_alone(model: Model, edges: Sequence[TreeEdge]) -> bool:
    """Whether every joint can be guessed by itself: no body's pose was given but of free ones, and
    no body hangs on joints outside the tree only."""
    outside = set(_touched(model, _outside(model, edges)))
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


def _touched(model: Model, joints: Sequence[Joint]) -> Iterator[str]:
    for joint in joints:
        yield from (model.frame(end)[0] for end in (joint.parent, joint.child))


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
        hung = [e for j in self.others for e in self._edges(j) if e.outer == body]
        anchored = next((e for e in hung if e.inner in self.poses), None)
        if anchored is not None:
            self.poses[body] = self._through(anchored)
        elif not hung or self._fixed(body):
            self.poses[body] = self.given(body)
        return body in self.poses

    def _edges(self, joint: Joint) -> tuple[TreeEdge, TreeEdge]:
        a, b = (self.model.frame(end)[0] for end in (joint.parent, joint.child))
        return TreeEdge(joint, a, b, False), TreeEdge(joint, b, a, True)

    def _fixed(self, body: str) -> bool:
        initial = self.model.bodies[body].initial
        return initial is not None and None not in (initial.position, initial.orientation)

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
        for k, scalar in enumerate(joint.scalars):
            if scalar.wraps and not joint.multi_turn:
                found[k] += 2 * np.pi * np.round((own[k] - found[k]) / (2 * np.pi))
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
