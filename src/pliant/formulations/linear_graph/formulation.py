"""The linear-graph formulation: virtual work of all components in branch coordinates.

    step 1   branch transformations: motion and virtual displacements of every body
    step 2   circuits of cotree joints and motion drivers: Φ(q, t) = 0
    step 3   cutsets of the border joints and tree bodies: δW = Σ_b J_bᵀ w_b · δq = Qᵀ δq
    step 4   augmented form Q + Φ_qᵀ λ = 0 (24); the embedding form (27) follows from it

Source: S1 (15)-(27).
"""

from __future__ import annotations

from typing import Any

from pliant.equations.contract import Equations
from pliant.formulations.linear_graph.kinematics import Columns, Kinematics
from pliant.graphs import LinearGraph, SystemGraph
from pliant.graphs.linear_graph import joint_of
from pliant.mechanics.skeleton import Skeleton
from pliant.mechanics.unknowns import column
from pliant.spatial.ops import SymbolicOps

NAME = "linear-graph"


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """The augmented form, n equations with multipliers for the cotree joints."""
    skeleton = Skeleton.of(graph, ops)
    kinematics = Kinematics(skeleton)
    columns = kinematics.run()
    skeleton.close()
    equations = skeleton.equations(NAME, _virtual_work(skeleton, columns))
    if not observe:
        return equations
    return skeleton.observed(equations, _transmitted(skeleton, kinematics.graph))


def _virtual_work(skeleton: Skeleton, columns: dict[str, Columns]) -> Any:
    """Minus the generalised forces Q_j: inertia against loads, in the order of u (22).

    Ideal joints do no work; what cut joints and drivers do is in the loads, through λ.
    """
    total: dict[str, Any] = {}
    for body, displaced in columns.items():
        wrench = skeleton.wrenches[body]
        named = skeleton.motion.ops.named
        wrench.n, wrench.f = named(f"n_{body}", wrench.n), named(f"f_{body}", wrench.f)
        for owner, (J_w, J_v) in displaced.items():
            work = J_w.T @ wrench.n + J_v.T @ wrench.f
            total[owner] = total[owner] + work if owner in total else work
    rows = []
    for name in skeleton.motion.joints:
        own = skeleton.joint_efforts(name)
        rows.append(total[name] - own if name in total else -own)
    elastic = [n for n, e in skeleton.motion.elastic.items() if e.count]
    for name, own in zip(elastic, skeleton.elastic_rows(), strict=True):
        rows.append(own + total[name] if name in total else own)
    return column(skeleton.motion.ops, rows)


def _transmitted(skeleton: Skeleton, graph: LinearGraph) -> dict[str, tuple[Any, Any]]:
    """Cutsets of the tree joints in terms of force and torque: all that hangs on the joint.

    On the child of the joint, world axes, about the origin of its frame M. Source: S1 (4).
    """
    motion, ops = skeleton.motion, skeleton.motion.ops
    found = {}
    beyond = {
        body: {joint_of(skeleton.graph, s.edge.element) for s in graph.path(body)}
        for body in motion.model.bodies
    }
    for edge in skeleton.graph.edges:
        joint = edge.joint
        if joint.name not in motion.model.joints:
            continue
        o = motion.frame(joint.child).p_WP
        force, torque = ops.zeros(3), ops.zeros(3)
        for body, passed in beyond.items():
            if joint.name in passed:
                X, wrench = motion.bodies[body].X_WB, skeleton.wrenches[body]
                f = X.R @ wrench.f
                force = force + f
                torque = torque + X.R @ wrench.n + ops.cross(X.p - o, f)
        sign = -1 if edge.flipped else 1
        found[joint.name] = sign * torque, sign * force
    return found
