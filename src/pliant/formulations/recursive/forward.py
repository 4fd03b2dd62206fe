"""Forward recursion: pose, velocity and acceleration of every body from its inner neighbour.

With p the outer origin in inner axes, w_J, v_J the rotation and motion of the joint (inner axes):

    w = R^T (w_P + w_J)                     v = R^T (v_P + w_P x p + v_J)
    alpha = R^T (alpha_P + w_P x w_J + alpha_J)
    acc = R^T (acc_P + alpha_P x p + w_P x (w_P x p) + 2 w_P x v_J + a_J)

Source: S4 (2.5)-(2.31), derived anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca

from pliant.graphs import TreeEdge
from pliant.mechanics.motion import BodyMotion, JointState, SystemMotion
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Link:
    """One edge in the recursion: outer body B in inner body P.

    ``H_w``, ``H_v``: rotation and motion of the outer body per unit speed, and ``p_PM``: origin of
    the joint's frame M, all in inner axes.
    """

    edge: TreeEdge
    X_PB: Pose
    H_w: Any
    H_v: Any
    p_PM: Any


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
    return -(R.T @ H_w), -(R.T @ (H_v + _cross_columns(motion, p, H_w)))


def _cross_columns(motion: SystemMotion, p: Any, columns: Any) -> Any:
    """p x each column."""
    parts = [motion.ops.cross(p, columns[:, k]) for k in range(columns.shape[1])]
    return motion.ops.columns(parts) if parts else motion.ops.zeros(3, 0)


def advance(
    motion: SystemMotion, edge: TreeEdge, state: JointState, qdot: Any, udot: Any
) -> tuple[BodyMotion, Link]:
    """Motion of the outer body of an edge, given that of the inner one."""
    cross = motion.ops.cross
    inner = motion.bodies[edge.inner]
    X_PI, X_IO, X_OB = outer_pose(motion, edge, state)
    X_PB = X_PI @ X_IO @ X_OB
    basis_w, basis_v = joint_basis(motion, edge, state)
    r = X_PI.R @ (X_IO.R @ X_OB.p)
    H_w = X_PI.R @ basis_w
    H_v = X_PI.R @ basis_v - _cross_columns(motion, r, H_w)
    w_J, v_J = H_w @ state.u, H_v @ state.u
    alpha_J = H_w @ udot + _rate(w_J, state.q, qdot)
    a_J = H_v @ udot + _rate(v_J, state.q, qdot)
    p, R_BP = X_PB.p, X_PB.R.T
    w_P = inner.w
    body = BodyMotion(
        X_WB=inner.X_WB @ X_PB,
        w=R_BP @ (w_P + w_J),
        v=R_BP @ (inner.v + cross(w_P, p) + v_J),
        alpha=R_BP @ (inner.alpha + cross(w_P, w_J) + alpha_J),
        acc=R_BP @ (inner.acc + cross(inner.alpha, p) + cross(w_P, cross(w_P, p) + 2 * v_J) + a_J),
    )
    return body, Link(edge, X_PB, H_w, H_v, X_PI.p if edge.flipped else p - r)


def _rate(expression: Any, q: Any, qdot: Any) -> Any:
    """d(expression)/dt with u held: the H' u of the joint."""
    if q.numel() == 0:
        return ca.SX.zeros(*expression.shape)
    return ca.jtimes(expression, q, qdot)
