"""Velocities of all bodies from the rates of joints, frame by frame along the tree.

With w, v of a frame in its own axes, X = (R, p) the pose of the next frame in it, and the motion
(w_r, v_r) of the next frame in it (axes of the first):

    w_next = Rᵀ (w + w_r)              v_next = Rᵀ (v + w x p + v_r)

From the inner body to its joint frame (which moves in a flexible body), across the joint
(w_r, v_r) = H U, and from the joint frame to the outer body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pliant.graphs import TreeEdge
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.motion import SystemMotion
from pliant.spatial.pose import Pose, identity


@dataclass(frozen=True, slots=True)
class Moving:
    """A frame: pose in the world, angular velocity and velocity of its origin in its own axes."""

    X_W: Pose
    w: Any
    v: Any


@dataclass(frozen=True, slots=True)
class Passage:
    """The next frame in a frame: its pose, and its motion there."""

    X: Pose
    w: Any
    v: Any

    def back(self, ops: Any) -> Passage:
        """The first frame in the next one: w' = -Rᵀ w, v' = -Rᵀ (v - w x p)."""
        R, p = self.X.R, self.X.p
        return Passage(self.X.inverse, -(R.T @ self.w), -(R.T @ (self.v + ops.cross(p, self.w))))


def velocities(motion: SystemMotion, edges: tuple[TreeEdge, ...]) -> Mapping[str, Moving]:
    """Every body, in the order of the tree; joints have their states."""
    ops = motion.ops
    found = {GROUND: Moving(identity(ops), ops.zeros(3), ops.zeros(3))}
    for edge in edges:
        joint = edge.joint
        parent, child = _on_body(motion, joint.parent), _on_body(motion, joint.child)
        across = _across(motion, joint.name)
        way = [parent, across, child.back(ops)]
        if edge.flipped:
            way = [child, across.back(ops), parent.back(ops)]
        at = found[edge.inner]
        for passage in way:
            at = _next(ops, at, passage)
        name = edge.outer
        w, v = ops.named(f"w_{name}", at.w), ops.named(f"v_{name}", at.v)
        found[name] = Moving(at.X_W, w, v)
    return found


def _next(ops: Any, at: Moving, passage: Passage) -> Moving:
    R, p = passage.X.R, passage.X.p
    w = R.T @ (at.w + passage.w)
    return Moving(at.X_W @ passage.X, w, R.T @ (at.v + ops.cross(at.w, p) + passage.v))


def _on_body(motion: SystemMotion, reference: str) -> Passage:
    """From a body to a frame on it."""
    X, relative = motion.placement(reference)[1], motion.relative(reference)
    zero = motion.ops.zeros(3)
    return Passage(X, zero, zero) if relative is None else Passage(X, relative.w, relative.v)


def _across(motion: SystemMotion, name: str) -> Passage:
    """From frame F of a joint to M, both in the user's axes."""
    ops, state = motion.ops, motion.joints[name]
    J = Pose(ops.const(state.joint.canonical_axes()), ops.zeros(3))
    if not state.joint.nu:
        return Passage(J @ state.X_FM @ J.inverse, ops.zeros(3), ops.zeros(3))
    V = state.H @ state.u
    return Passage(J @ state.X_FM @ J.inverse, J.R @ V[:3], J.R @ V[3:])
