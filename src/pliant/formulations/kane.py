"""Kane's equations: a row for each generalised speed u_r.

    F_r + F_r* = 0        F_r = Σ_B (∂w_B/∂u_r · T_B + ∂v_B/∂u_r · R_B) + Σ_j ∂U_j/∂u_r τ_j
                          F_r* = Σ_B (∂w_B/∂u_r · T_B* + ∂v_B/∂u_r · R_B*)

∂w_B/∂u_r, ∂v_B/∂u_r are partial velocities of body B; R_B, T_B its resultant of active forces and
their torque about its origin, R_B*, T_B* those of inertia; τ_j what acts along the rate U_j of a
joint. Contact forces that hold joints of the tree do not contribute; those of cut joints, drivers
and constraints are among the active ones, through λ. Source: S3; Kane, Levinson (1985) 4.4, 6.1.

Generalised speeds: the user's formulas in the place of rates of joints.

    u = Y(q) U + y(q)          U = Z(q) u + z(q),   Z = Y⁻¹

U: the rates that the formulas read, as many as there are formulas. All other rates of joints, and
those of elastic coordinates, are speeds themselves.

Velocities of all bodies follow from the rates of joints, frame by frame along the tree. With w, v
of a frame in its own axes, X = (R, p) the pose of the next frame in it, and the motion (w_r, v_r)
of the next frame in it (axes of the first):

    w_next = Rᵀ (w + w_r)              v_next = Rᵀ (v + w x p + v_r)

From the inner body to its joint frame (which moves in a flexible body), across the joint
(w_r, v_r) = H U, and from the joint frame to the outer body.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.errors import ModelError
from pliant.formulations.derivation.speed_map import SPEEDS, no_inverse, too_few
from pliant.formulations.derivation.state_map import cut_joints_with_coordinates
from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.equations import Equations, PartialVelocities
from pliant.graphs import SystemGraph, TreeEdge
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.layout import Scalar
from pliant.mechanics.motion import RATE, BodyMotion, SystemMotion
from pliant.mechanics.unknowns import column
from pliant.records import dataclass
from pliant.spatial.linear import is_zero, solved
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose, identity

NAME = "kane"


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """A row for each speed, with multipliers for what is cut, driven or constrained."""
    skeleton = TreeDerivation.of(graph, ops)
    partials = move(skeleton)
    skeleton.close(skeleton.cut_and_driven)
    equations = with_elastic_rates(skeleton.equations(NAME, _rows(skeleton, partials)))
    if not observe:
        return equations if graph.drivers else equations.telling(partials=partials)
    return skeleton.observed(equations, _transmitted(skeleton))


def move(skeleton: TreeDerivation) -> dict[str, PartialVelocities]:
    """Give every body its motion in the chosen speeds; returns its partial velocities."""
    motion, new, edges = skeleton.motion, skeleton.unknowns, skeleton.graph.edges
    for edge in edges:
        new.joint(edge.joint)
    for joint in cut_joints_with_coordinates(skeleton.graph):
        new.joint(joint, tied=True)
    if skeleton.graph.model.speeds:
        zero = motion.ops.zeros(3)
        for name, at in velocities(motion, edges).items():
            motion.bodies[name] = BodyMotion(at.X_W, at.w, at.v, zero, zero)
        choose(skeleton)
    moving = {n: at for n, at in velocities(motion, edges).items() if n != GROUND}
    _accelerate(skeleton, moving)
    u = column(motion.ops, [*new.u, *(e.u for e in motion.elastic.values())])
    jacobian, inner = motion.ops.jacobian, {e.outer: e.inner for e in edges}
    found = {}
    for n, at in moving.items():
        R_WB, R_WP = motion.bodies[n].X_WB.R, motion.bodies[inner[n]].X_WB.R
        axes = {n: motion.ops.const(np.eye(3)), inner[n]: R_WP.T @ R_WB, GROUND: R_WB}
        found[n] = PartialVelocities(u, jacobian(at.w, u), jacobian(at.v, u), axes)
    return found


def _accelerate(skeleton: TreeDerivation, moving: Mapping[str, Moving]) -> None:
    """alpha = w', acc = v' + w x v, components in moving axes; all derivatives at once."""
    motion, new, ops = skeleton.motion, skeleton.unknowns, skeleton.motion.ops
    elastic = motion.elastic.values()
    states = column(ops, [*new.q, *new.u, *(x for e in elastic for x in (e.q, e.u))])
    rates = column(ops, [*new.qdot, *new.a, *(x for e in elastic for x in (e.u, e.a))])
    stacked = column(ops, [part for at in moving.values() for part in (at.w, at.v)])
    changes = ops.jtimes(stacked, states, rates)
    for k, (name, at) in enumerate(moving.items()):
        alpha = ops.named(f"alpha_{name}", changes[6 * k : 6 * k + 3])
        acc = changes[6 * k + 3 : 6 * k + 6] + ops.cross(at.w, at.v)
        motion.bodies[name] = BodyMotion(at.X_W, at.w, at.v, alpha, ops.named(f"acc_{name}", acc))


def _rows(skeleton: TreeDerivation, partials: Mapping[str, PartialVelocities]) -> Any:
    """-(F_r + F_r*), in the order of u."""
    motion, new, ops = skeleton.motion, skeleton.unknowns, skeleton.motion.ops
    u = column(ops, new.u)
    total = ops.zeros(u.numel())
    for name, own in partials.items():
        wrench = skeleton.wrenches[name]
        n, f = ops.named(f"n_{name}", wrench.n), ops.named(f"f_{name}", wrench.f)
        total = total + own.w.T @ n + own.v.T @ f
    joints = [s for s in motion.joints.values() if s.joint.nu]
    if joints:
        rates = ops.jacobian(column(ops, [s.u for s in joints]), u)
        total = total - rates.T @ column(
            ops, [skeleton.joint_efforts(s.joint.name) for s in joints]
        )
    elastic = column(ops, skeleton.elastic_rows())
    if not elastic.numel():
        return ops.full(total)
    first = u.numel() - elastic.numel()
    return ops.full(ops.stack([total[:first], total[first:] + elastic]))


def _transmitted(skeleton: TreeDerivation) -> dict[str, tuple[Any, Any]]:
    """Torque and force of tree joints on their children, world axes, about the origin of M: what
    all bodies beyond the joint need."""
    motion, ops = skeleton.motion, skeleton.motion.ops
    needed: dict[str, tuple[Any, Any]] = {}
    for name, wrench in skeleton.wrenches.items():
        R = motion.bodies[name].X_WB.R
        needed[name] = R @ wrench.n, R @ wrench.f
    found = {}
    for edge in reversed(skeleton.graph.edges):
        (n, f), joint = needed[edge.outer], edge.joint
        p = motion.bodies[edge.outer].X_WB.p
        sign = -1 if edge.flipped else 1
        arm = p - motion.frame(joint.child).p_WP
        found[joint.name] = sign * (n + ops.cross(arm, f)), sign * f
        if edge.inner != GROUND:
            inner_n, inner_f = needed[edge.inner]
            moved = n + ops.cross(p - motion.bodies[edge.inner].X_WB.p, f)
            needed[edge.inner] = inner_n + moved, inner_f + f
    return found


def choose(skeleton: TreeDerivation) -> None:
    """Write the rates of joints in the speeds of the model; bodies move with the rates now."""
    formulas = skeleton.graph.model.speeds
    if not formulas:
        return
    motion, new, ops = skeleton.motion, skeleton.unknowns, skeleton.motion.ops
    rates = new.column(new.u)
    values = ops.stack([motion.value(f) for f in formulas.values()])
    slopes = ops.full(ops.jacobian(values, rates))
    places = [j for j in range(rates.numel())
              if any(not is_zero(slopes[i, j]) for i in range(len(formulas)))]  # fmt: skip
    if len(places) != len(formulas):
        raise ModelError([too_few(list(formulas), [new.u_names[j].name for j in places])])
    read = ops.stack([rates[j] for j in places])
    rest = ops.substitute([values], read, ops.zeros(len(places)))[0]
    u, a = (ops.symbols([n + mark for n in formulas]) for mark in ("", RATE))
    Y = [[slopes[i, j] for j in places] for i in range(len(formulas))]
    found = solved(ops, Y, [u[i] - rest[i] for i in range(len(formulas))])
    if found is None:
        raise ModelError([no_inverse(list(formulas))])
    _replace(skeleton, places, ops.stack(found), u, a, (values, rates))


def _replace(
    skeleton: TreeDerivation, places: list[int], rates: Any, u: Any, a: Any, read: tuple[Any, Any]
) -> None:
    """Speeds u in the place of the rates, which they give."""
    new, ops = skeleton.unknowns, skeleton.motion.ops
    values, U = read
    old = ops.stack([U[j] for j in places])
    of_rates = ops.substitute([values], U, new.column(new.speeds))[0]
    where = {j: k for k, j in enumerate(places)}
    start = 0
    for i, own in enumerate(new.u):
        span = range(start, start + own.numel())
        start += own.numel()
        if not any(j in where for j in span):
            continue
        for kept, with_ in ((new.u, u), (new.a, a), (new.speeds, of_rates)):
            kept[i] = ops.stack([with_[where[j]] if j in where else kept[i][k]
                                 for k, j in enumerate(span)])  # fmt: skip
        new.qdot[i] = ops.substitute([new.qdot[i]], old, rates)[0]
    for j, k in where.items():
        name = list(skeleton.graph.model.speeds)[k]
        new.u_names[j] = Scalar(name, new.u_names[j].unit, SPEEDS)
    for name, state in skeleton.motion.joints.items():
        if state.joint.nu:
            moved = ops.substitute([state.u], old, rates)[0]
            a_moved = ops.jtimes(
                moved, new.column([*new.q, *new.u]), new.column([*new.qdot, *new.a])
            )
            skeleton.motion.joints[name] = replace(state, u=moved, a=a_moved)


def with_elastic_rates(e: Equations) -> Equations:
    """Speeds that follow from q' may contain elastic rates: these are among the q', too."""
    ops, u = e.ops, e.speeds.u
    for q, start, count in e.layout.elastic.values():
        if count:
            own, rates = e.u[start : start + count], e.speeds.rates[q : q + count]
            u = ops.substitute([u], own, rates)[0]
    return replace(e, speeds=replace(e.speeds, u=u))


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
            R, p, w = passage.X.R, passage.X.p, at.w
            v = R.T @ (at.v + ops.cross(w, p) + passage.v)
            at = Moving(at.X_W @ passage.X, R.T @ (w + passage.w), v)
        name = edge.outer
        w, v = ops.named(f"w_{name}", at.w), ops.named(f"v_{name}", at.v)
        found[name] = Moving(at.X_W, w, v)
    return found


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
