"""Motion of the bodies of a tree in the flows of their stores.

A body has two stores: I:m with P_c', the velocity of its mass centre in world axes, and I:M_ξ with
(w, q_f'). Poses follow from the coordinates of the tree; velocities are flows of stores, dependent
or not. Rates of coordinates:

    joint with a store of its own (I:0)      q' = N u
    spherical joint, free body               q' = N Eᵀ V_FM,  V_FM from flows f(R, W) of both bodies

The second line is S0 (8.46): the stores of a free body are integral, those of a body on a spherical
joint in rotation, and no rate of the joint is solved for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.formulations.multibond.bodies import XYZ, body_motion, split
from pliant.graphs import TreeEdge
from pliant.mechanics.bonds.unknowns import Symbols
from pliant.mechanics.motion import RATE, JointState
from pliant.mechanics.rows import relative_motion
from pliant.mechanics.skeleton import Skeleton
from pliant.model.joints import Joint
from pliant.model.joints.rotational import RotationalJoint
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import vee

STORES = (*(f"m.v{c}" for c in XYZ), *(f"xi.M.w{c}" for c in XYZ))


def has_rates(joint: Joint) -> bool:
    """Whether a tree joint has a store of its rates: not if it leaves all rotation to the body."""
    return not isinstance(joint, RotationalJoint)


def public(name: str) -> str:
    """body.m.vx and body.xi.M.wx are body.vx and body.wx."""
    return name.replace(".xi.M.", ".").replace(".m.", ".")


def move_tree(skeleton: Skeleton, symbols: Symbols) -> None:
    """Every body of the tree, in order; ``symbols`` learns those of all stores."""
    motion = skeleton.motion
    for edge in skeleton.graph.edges:
        joint = skeleton.unknowns.joint(edge.joint)
        X_WB = motion.bodies[edge.inner].X_WB @ _across(skeleton, edge, joint.state)
        u, a = _stores(skeleton, symbols, edge.outer)
        inertia = skeleton.inertia(edge.outer)
        motion.bodies[edge.outer] = body_motion(motion, edge.outer, X_WB, inertia, u, a)
        if has_rates(edge.joint):
            know_rates(symbols, joint.state, joint.udot)
        else:
            state = joint.state  # q' = N Eᵀ V_FM: its rates are what its bodies do
            u = state.E.T @ relative_motion(motion, state.joint).V_FM
            motion.joints[state.joint.name] = replace(state, u=u)
            skeleton.unknowns.qdot[-1] = state.joint.qdot(motion.ops, state.q, u)


def know_rates(symbols: Symbols, state: JointState, udot: Any) -> None:
    """The flows of a joint's own store."""
    for k, name in enumerate(state.joint.rate_names):
        _put(symbols, f"{state.joint.name}.{name}", state.u[k], udot[k])


def _across(skeleton: Skeleton, edge: TreeEdge, state: JointState) -> Pose:
    """Pose of the outer body in the inner one."""
    motion, ops = skeleton.motion, skeleton.motion.ops
    turned = Pose(ops.const(state.joint.canonical_axes()), ops.zeros(3))
    X_PF = motion.placement(state.joint.parent)[1] @ turned
    X_CM = motion.placement(state.joint.child)[1] @ turned
    X = X_PF @ state.X_FM @ X_CM.inverse
    return X.inverse if edge.flipped else X


def _stores(skeleton: Skeleton, symbols: Symbols, body: str) -> tuple[Any, Any]:
    """Flows (P_c', w) of the two stores of a body and their rates."""
    ops, elastic = skeleton.motion.ops, skeleton.motion.elastic.get(body)
    names = [f"{body}.{s}" for s in STORES]
    u, a = (ops.symbols([public(n) + mark for n in names]) for mark in ("", RATE))
    for k, name in enumerate(names):
        _put(symbols, name, u[k], a[k])
    if elastic is not None:
        for k, name in enumerate(elastic.names):
            _put(symbols, f"{body}.xi.M.{name}_rate", elastic.u[k], elastic.a[k])
    return u, a


def _put(symbols: Symbols, name: str, u: Any, a: Any) -> None:
    symbols.put(name, u)
    symbols.put(name + RATE, a)


def flows_of_rates(skeleton: Skeleton, e: Equations) -> dict[str, Any]:
    """Flows of the stores of all bodies from q', an expression in ``e.qdot_symbol``.

    P_c' = ∂P_c/∂q q',  w = vee(Rᵀ ∂R/∂q q')
    """
    ops = e.ops
    found: dict[str, Any] = {}
    for body in skeleton.graph.bodies:
        X = skeleton.motion.bodies[body].X_WB
        centre = X.p + X.R @ split(ops, skeleton.inertias[body]).c
        turned = ops.folded(ops.jtimes(ops.flat(X.R), e.q, e.qdot_symbol), 3)
        flows = ops.stack([ops.jtimes(centre, e.q, e.qdot_symbol), vee(ops, X.R.T @ turned)])
        found |= {public(f"{body}.{s}"): flows[k] for k, s in enumerate(STORES)}
    return found
