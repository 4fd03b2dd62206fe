"""The recursive formulation: relative coordinates on a tree, cut joints closed by multipliers.
After Roberson and Wittenburg.

Forward: pose, velocity and acceleration of every body from its inner neighbour. With p the outer
origin in inner axes, w_J, v_J the rotation and motion of the joint (inner axes):

    w = R^T (w_P + w_J)                     v = R^T (v_P + w_P x p + v_J)
    alpha = R^T (alpha_P + w_P x w_J + alpha_J)
    acc = R^T (acc_P + alpha_P x p + w_P x (w_P x p) + 2 w_P x v_J + a_J)

Where the joint's frames sit on flexible bodies, w_J and v_J also hold their motion in those bodies.
Source: S4 (2.5)-(2.31), derived anew.

Backward: inertia forces against applied ones, summed towards the ground. Row of joint J:
H_w^T n + H_v^T f - effort = 0, where (n, f) is the wrench the joint must transmit to everything
outside it. Source: S4 (3.1)-(3.14); Jourdain's principle.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.equations import Equations
from pliant.graphs import SystemGraph, TreeEdge
from pliant.mechanics.inertia import Wrench
from pliant.mechanics.motion import BodyMotion, ElasticState, JointState, SystemMotion
from pliant.mechanics.unknowns import column
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import cross_columns

NAME = "recursive"


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """Equations in the coordinates of the tree joints; O(n) residual. Source: S4.

    Forward recursion of motion, backward recursion of forces; cut joints act by multipliers.
    """
    skeleton = TreeDerivation.of(graph, ops)
    links = []
    for edge in graph.edges:
        new = skeleton.unknowns.joint(edge.joint)
        body, link = advance(skeleton.motion, edge, new.state, new.qdot, new.udot)
        skeleton.motion.bodies[edge.outer] = body
        links.append(link)
    skeleton.close()
    passed = gather(skeleton.motion, links, skeleton.wrenches)
    equations = skeleton.equations(NAME, _residual(skeleton, passed))
    if not observe:
        return equations
    return skeleton.observed(equations, {n: (t.torque, t.force) for n, t in passed.items()})


def _residual(skeleton: TreeDerivation, passed: dict[str, Transmitted]) -> Any:
    """Rows in the order of u: transmitted minus effort (a kept cut joint transmits nothing), then
    the elastic forces."""
    parts = []
    for name in skeleton.motion.joints:
        own = skeleton.joint_efforts(name)
        parts.append(passed[name].row - own if name in passed else -own)
    return column(skeleton.motion.ops, [*parts, *skeleton.elastic_rows()])


@dataclass(frozen=True, slots=True)
class Link:
    """One edge in the recursion: outer body B in inner body P.

    ``H_w``, ``H_v``: rotation and motion of the outer body per unit speed of the joint; ``inner``,
    ``outer``: the same per elastic rate of the two bodies; ``p_PM``: origin of the joint's frame M.
    All in inner axes.
    """

    edge: TreeEdge
    X_PB: Pose
    H_w: Any
    H_v: Any
    p_PM: Any
    inner: tuple[Any, Any] | None = None
    outer: tuple[Any, Any] | None = None


def outer_pose(motion: SystemMotion, edge: TreeEdge, state: JointState) -> tuple[Pose, Pose, Pose]:
    """X_PI (joint frame on the inner body), X_IO (across the joint), X_OB (to the outer body)."""
    joint = state.joint
    R_FJ = Pose(motion.ops.const(joint.canonical_axes()), motion.ops.zeros(3))
    X_PF = motion.placement(joint.parent)[1] @ R_FJ
    X_BM = motion.placement(joint.child)[1] @ R_FJ
    if edge.flipped:
        return X_BM, state.X_FM.inverse, X_PF.inverse
    return X_PF, state.X_FM, X_BM.inverse


def joint_basis(motion: SystemMotion, edge: TreeEdge, state: JointState) -> tuple[Any, Any]:
    """Columns of w and v of the outer joint frame in the inner one, inner joint axes.

    Flipped: w_MF = -R^T w_FM and v_MF = -R^T (v_FM - w_FM x p).
    """
    H_w, H_v = state.H[:3, :], state.H[3:, :]
    if not edge.flipped:
        return H_w, H_v
    R, p = state.X_FM.R, state.X_FM.p
    return -(R.T @ H_w), -(R.T @ (H_v + cross_columns(motion.ops, p, H_w)))


def advance(
    motion: SystemMotion, edge: TreeEdge, state: JointState, qdot: Any, udot: Any
) -> tuple[BodyMotion, Link]:
    """Motion of the outer body of an edge, given that of the inner one."""
    ops, cross = motion.ops, motion.ops.cross
    inner = motion.bodies[edge.inner]
    X_PI, X_IO, X_OB = outer_pose(motion, edge, state)
    X_PB = X_PI @ X_IO @ X_OB
    basis_w, basis_v = joint_basis(motion, edge, state)
    r = X_PI.R @ (X_IO.R @ X_OB.p)
    H_w = X_PI.R @ basis_w
    H_v = X_PI.R @ basis_v - cross_columns(motion.ops, r, H_w)
    w_J, v_J = H_w @ state.u, H_v @ state.u
    moving, rates = [state.q], [qdot]
    carried = _carried(motion, edge, X_PI, X_PB)
    for elastic, (J_w, J_v) in carried.values():
        w_J, v_J = w_J + J_w @ elastic.u, v_J + J_v @ elastic.u
        moving += [elastic.q, elastic.u]
        rates += [elastic.u, elastic.a]
    alpha_J, a_J = (
        H @ udot + ops.jtimes(rate, ops.stack(moving), ops.stack(rates))  # H u' + H' u
        for H, rate in ((H_w, w_J), (H_v, v_J))
    )
    p, R_BP = X_PB.p, X_PB.R.T
    w_P = inner.w
    named, name = motion.ops.named, edge.outer
    acc = inner.acc + cross(inner.alpha, p) + cross(w_P, cross(w_P, p) + 2 * v_J) + a_J
    body = BodyMotion(
        X_WB=inner.X_WB @ X_PB,
        w=named(f"w_{name}", R_BP @ (w_P + w_J)),
        v=named(f"v_{name}", R_BP @ (inner.v + cross(w_P, p) + v_J)),
        alpha=named(f"alpha_{name}", R_BP @ (inner.alpha + cross(w_P, w_J) + alpha_J)),
        acc=named(f"acc_{name}", R_BP @ acc),
    )
    ends = {end: columns for end, (_, columns) in carried.items()}
    p_PM = X_PI.p if edge.flipped else p - r
    return body, Link(edge, X_PB, H_w, H_v, p_PM, ends.get("inner"), ends.get("outer"))


def _carried(
    motion: SystemMotion, edge: TreeEdge, X_PI: Pose, X_PB: Pose
) -> dict[str, tuple[ElasticState, tuple[Any, Any]]]:
    """Columns of w_J, v_J per elastic rate of the bodies that carry the joint's frames.

    Inner frame at r from the outer origin: w_r, v_r + w_r x r. Outer frame at p_m in B, moving
    with w_m, v_m there: -R w_m, -R (v_m - w_m x p_m).
    """
    joint = edge.joint
    references = (joint.child, joint.parent) if edge.flipped else (joint.parent, joint.child)
    found = {}
    inner, outer = (motion.relative(reference) for reference in references)
    if inner is not None:
        r = X_PB.p - X_PI.p
        columns = inner.J_w, inner.J_v - cross_columns(motion.ops, r, inner.J_w)
        found["inner"] = motion.elastic[edge.inner], columns
    if outer is not None:
        p_m = motion.placement(references[1])[1].p
        turned = outer.J_v + cross_columns(motion.ops, p_m, outer.J_w)
        found["outer"] = motion.elastic[edge.outer], (-(X_PB.R @ outer.J_w), -(X_PB.R @ turned))
    return found


@dataclass(frozen=True, slots=True)
class Transmitted:
    """What a tree joint passes on: its generalised forces, and the wrench on its child in world
    axes about the origin of M."""

    row: Any
    torque: Any
    force: Any


def gather(
    motion: SystemMotion, links: Iterable[Link], wrenches: dict[str, Wrench]
) -> dict[str, Transmitted]:
    """Sum towards the ground; returns what each joint must transmit."""
    ops = motion.ops
    passed: dict[str, Transmitted] = {}
    for link in reversed(list(links)):
        outer, name = wrenches[link.edge.outer], link.edge.outer
        outer.n, outer.f = ops.named(f"n_{name}", outer.n), ops.named(f"f_{name}", outer.f)
        R, p = link.X_PB.R, link.X_PB.p
        n, f = R @ outer.n, R @ outer.f
        R_WP = motion.bodies[link.edge.inner].X_WB.R
        sign = -1 if link.edge.flipped else 1
        passed[link.edge.joint.name] = Transmitted(
            link.H_w.T @ n + link.H_v.T @ f,
            sign * (R_WP @ (n + ops.cross(p - link.p_PM, f))),
            sign * (R_WP @ f),
        )
        if link.outer is not None:
            outer.e = outer.e + link.outer[0].T @ n + link.outer[1].T @ f
        if link.edge.inner != "ground":
            inner = wrenches[link.edge.inner]
            if link.inner is not None:
                inner.e = inner.e + link.inner[0].T @ n + link.inner[1].T @ f
            inner.n = inner.n + n + ops.cross(p, f)
            inner.f = inner.f + f
    return passed
