"""Kane's equations: a row for each generalised speed u_r.

    F_r + F_r* = 0        F_r = Σ_B (∂w_B/∂u_r · T_B + ∂v_B/∂u_r · R_B) + Σ_j ∂U_j/∂u_r τ_j
                          F_r* = Σ_B (∂w_B/∂u_r · T_B* + ∂v_B/∂u_r · R_B*)

∂w_B/∂u_r, ∂v_B/∂u_r are partial velocities of body B; R_B, T_B its resultant of active forces and
their torque about its origin, R_B*, T_B* those of inertia; τ_j what acts along the rate U_j of a
joint. Contact forces that hold joints of the tree do not contribute; those of cut joints, drivers
and constraints are among the active ones, through λ. Source: S3; Kane, Levinson (1985) 4.4, 6.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.equations.contract import Equations, PartialVelocities
from pliant.formulations.kane.speeds import choose, with_elastic_rates
from pliant.formulations.kane.velocities import Moving, velocities
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.motion import BodyMotion, SystemMotion
from pliant.mechanics.skeleton import Skeleton
from pliant.mechanics.unknowns import column
from pliant.mechanics.usage import kept_joints
from pliant.spatial.ops import SymbolicOps

NAME = "kane"


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """A row for each speed, with multipliers for what is cut, driven or constrained."""
    skeleton = Skeleton.of(graph, ops)
    partials = move(skeleton)
    skeleton.close(skeleton.cut_and_driven)
    equations = with_elastic_rates(skeleton.equations(NAME, _rows(skeleton, partials)))
    if not observe:
        return equations if graph.drivers else replace(equations, partials=partials)
    return skeleton.observed(equations, _transmitted(skeleton))


def move(skeleton: Skeleton) -> dict[str, PartialVelocities]:
    """Give every body its motion in the chosen speeds; returns its partial velocities."""
    motion, new, edges = skeleton.motion, skeleton.unknowns, skeleton.graph.edges
    for joint in (*(e.joint for e in edges), *kept_joints(skeleton.graph)):
        new.joint(joint)
    if skeleton.graph.model.speeds:
        zero = motion.ops.zeros(3)
        for name, at in velocities(motion, edges).items():
            motion.bodies[name] = BodyMotion(at.X_W, at.w, at.v, zero, zero)
        choose(skeleton)
    moving = {n: at for n, at in velocities(motion, edges).items() if n != GROUND}
    _accelerate(skeleton, moving)
    u = column(motion.ops, [*new.u, *(e.u for e in motion.elastic.values())])
    jacobian, inner = motion.ops.jacobian, {e.outer: e.inner for e in edges}
    return {
        n: PartialVelocities(u, jacobian(at.w, u), jacobian(at.v, u), _axes(motion, n, inner[n]))
        for n, at in moving.items()
    }


def _axes(motion: SystemMotion, body: str, inner: str) -> dict[str, Any]:
    """From the axes of a body to its own, those of its inner neighbour and of the world."""
    R_WB, R_WP = motion.bodies[body].X_WB.R, motion.bodies[inner].X_WB.R
    return {body: motion.ops.const(np.eye(3)), inner: R_WP.T @ R_WB, GROUND: R_WB}


def _accelerate(skeleton: Skeleton, moving: Mapping[str, Moving]) -> None:
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


def _rows(skeleton: Skeleton, partials: Mapping[str, PartialVelocities]) -> Any:
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


def _transmitted(skeleton: Skeleton) -> dict[str, tuple[Any, Any]]:
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
