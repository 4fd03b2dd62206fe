"""The linear-graph formulation: virtual work of all components in branch coordinates.

    step 1   branch transformations: motion and virtual displacements of every body
    step 2   circuits of cotree joints and motion drivers: Φ(q, t) = 0
    step 3   cutsets of the border joints and tree bodies: δW = Σ_b J_bᵀ w_b · δq = Qᵀ δq
    step 4   augmented form Q + Φ_qᵀ λ = 0 (24); the embedding form (27) follows from it

Source: S1 (15)-(27).

Step 1: branch transformations. Poses, velocities and virtual displacements of every body.

Along the tree path of a body its branches multiply (rotation) and add (translation). With V the
velocity (w; v) of a node in its own axes, and each branch giving the pose X = (R, p) of its head in
its tail and V_branch = H u of the head in the tail (axes of the tail):

    V_head = Ad(X) (V_tail + H u; at the head)        δ-columns: the same, column by column

Accelerations are time derivatives of the velocities, components in moving axes:
w' and v' + w x v. Source: S1 (5)-(7), (10)-(11), 4.1.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.equations import Equations
from pliant.graphs import LinearGraph, Step, SystemGraph
from pliant.graphs.linear_graph import joint_of
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.motion import BodyMotion
from pliant.mechanics.unknowns import column
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose, identity
from pliant.spatial.rotation import cross_columns

NAME = "linear-graph"
Columns = dict[str, tuple[Any, Any]]
"""Per owner of speeds (joint or flexible body): columns of w and v."""


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """The augmented form, n equations with multipliers for the cotree joints."""
    skeleton = TreeDerivation.of(graph, ops)
    kinematics = Kinematics(skeleton)
    columns = kinematics.run()
    skeleton.close()
    equations = skeleton.equations(NAME, _virtual_work(skeleton, columns))
    if not observe:
        return equations
    return skeleton.observed(equations, _transmitted(skeleton, kinematics.graph))


def _virtual_work(skeleton: TreeDerivation, columns: dict[str, Columns]) -> Any:
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


def _transmitted(skeleton: TreeDerivation, graph: LinearGraph) -> dict[str, tuple[Any, Any]]:
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


@dataclass(frozen=True, slots=True)
class Branch:
    """Across variables of a branch: pose of its head in its tail, and (w, v) columns of the head
    in the tail per speed of its owner, axes of the tail."""

    X: Pose
    owner: str = ""
    H_w: Any = None
    H_v: Any = None


@dataclass(frozen=True, slots=True)
class Node:
    """A frame: its pose in the world, its velocity and virtual displacements in its own axes."""

    X_W: Pose
    w: Any
    v: Any
    columns: Columns = field(default_factory=dict)


class Kinematics:
    """Motion of all nodes on the tree, in branch coordinates."""

    def __init__(self, skeleton: TreeDerivation) -> None:
        self.skeleton, self.motion = skeleton, skeleton.motion
        self.graph = LinearGraph.of(skeleton.graph)
        ops = self.motion.ops
        zero = ops.zeros(3)
        self._nodes: dict[str, Node] = {GROUND: Node(identity(ops), zero, zero)}
        self._branches: dict[str, Branch] = {}
        self.speeds: dict[str, tuple[Any, Any, Any, Any]] = {}
        """q, u, q', u' of every owner of speeds."""

    def run(self) -> dict[str, Columns]:
        """Give every body its motion; returns its virtual displacements (body axes)."""
        for edge in self.skeleton.graph.edges:  # coordinates in the order of the tree
            new = self.skeleton.unknowns.joint(edge.joint)
            self.speeds[edge.joint.name] = (new.state.q, new.state.u, new.qdot, new.udot)
        for name, e in self.motion.elastic.items():
            self.speeds[name] = (e.q, e.u, e.u, e.a)
        nodes = {edge.outer: self._node(edge.outer) for edge in self.skeleton.graph.edges}
        self._accelerate(nodes)
        return {name: node.columns for name, node in nodes.items()}

    def _node(self, name: str) -> Node:
        if name not in self._nodes:
            step = self.graph.path(name)[-1]
            inner = step.edge.tail if step.sign > 0 else step.edge.head
            found = self._beyond(self._node(inner), self._across(step))
            self._nodes[name] = self._named(name, found) if "." not in name else found
        return self._nodes[name]

    def _beyond(self, tail: Node, branch: Branch) -> Node:
        """Circuit equations of the head of a branch, in its axes."""
        ops, R, p = self.motion.ops, branch.X.R, branch.X.p

        def carried(w: Any, v: Any) -> tuple[Any, Any]:
            return R.T @ w, R.T @ (v + ops.cross(w, p))

        def columns(J_w: Any, J_v: Any) -> tuple[Any, Any]:
            parts = [carried(J_w[:, k], J_v[:, k]) for k in range(J_w.shape[1])]
            return ops.columns([a for a, _ in parts]), ops.columns([b for _, b in parts])

        w, v = carried(tail.w, tail.v)
        found = {owner: columns(*pair) for owner, pair in tail.columns.items()}
        if branch.owner and branch.H_w.shape[1]:
            own_w, own_v = R.T @ branch.H_w, R.T @ branch.H_v
            u = self.speeds[branch.owner][1]
            w, v = w + own_w @ u, v + own_v @ u
            if branch.owner in found:
                own_w, own_v = found[branch.owner][0] + own_w, found[branch.owner][1] + own_v
            found[branch.owner] = own_w, own_v
        return Node(tail.X_W @ branch.X, w, v, found)

    def _named(self, body: str, node: Node) -> Node:
        """Velocities and virtual displacements of a body under names of their own."""
        named = self.motion.ops.named
        columns = {
            owner: (named(f"dw_{body}_{owner}", J_w), named(f"dv_{body}_{owner}", J_v))
            for owner, (J_w, J_v) in node.columns.items()
        }
        w, v = named(f"w_{body}", node.w), named(f"v_{body}", node.v)
        return Node(node.X_W, w, v, columns)

    def _across(self, step: Step) -> Branch:
        """A branch in the direction of the path; (w, v) of the tail in the head if reversed:

        w' = -Rᵀ w,  v' = -Rᵀ (v - w x p).
        """
        branch = self._branch(step)
        if step.sign > 0:
            return branch
        X = branch.X
        if not branch.owner:
            return Branch(X.inverse)
        H_v = branch.H_v + cross_columns(self.motion.ops, X.p, branch.H_w)
        return Branch(X.inverse, branch.owner, -(X.R.T @ branch.H_w), -(X.R.T @ H_v))

    def _branch(self, step: Step) -> Branch:
        """Terminal equations of a branch."""
        edge = step.edge
        if edge.name not in self._branches:
            if edge.kind in ("arm", "flexible arm"):
                found = self._arm(edge.head)
            elif edge.kind == "body":
                found = self._body(edge.element)
            else:
                found = self._joint(joint_of(self.skeleton.graph, edge.element), edge.kind)
            self._branches[edge.name] = found
        return self._branches[edge.name]

    def _arm(self, node: str) -> Branch:
        body, _, frame = node.partition(".")
        reference = f"{body}.{frame}" if frame else body
        X = self.motion.placement(reference)[1]
        relative = self.motion.relative(reference)
        if relative is None:
            return Branch(X)
        return Branch(X, body, relative.J_w, relative.J_v)

    def _joint(self, name: str, part: str = "joint") -> Branch:
        """X and H of a joint between its frames, or of one half of a compound joint."""
        ops, state = self.motion.ops, self.motion.joints[name]
        R_FJ = Pose(ops.const(state.joint.canonical_axes()), ops.zeros(3))
        X, H_w, H_v = state.X_FM, state.H[:3, :], state.H[3:, :]
        none = ops.zeros(3, H_w.shape[1])
        if part == "translation":
            X, H_w = Pose(identity(ops).R, X.p), none
        elif part == "rotation":
            X, H_v = Pose(X.R, ops.zeros(3)), none
        return Branch(R_FJ @ X @ R_FJ.inverse, name, R_FJ.R @ H_w, R_FJ.R @ H_v)

    def _body(self, body: str) -> Branch:
        """A body in the tree: its frame moves freely, and with it the floating frame."""
        free = self._joint(f"{body}.free")
        X = free.X @ self.motion.placement(body)[1].inverse
        H_v = free.H_v - cross_columns(self.motion.ops, X.p - free.X.p, free.H_w)
        return Branch(X, free.owner, free.H_w, H_v)

    def _accelerate(self, nodes: dict[str, Node]) -> None:
        """Time derivatives of all velocities at once, so that they share what they have."""
        ops, motion = self.motion.ops, self.motion
        moving = ops.stack([q for q, _, _, _ in self.speeds.values()])
        rates = ops.stack([qdot for _, _, qdot, _ in self.speeds.values()])
        stacked = ops.stack([part for n in nodes.values() for part in (n.w, n.v)])
        bias = ops.jtimes(stacked, moving, rates)
        for k, (name, node) in enumerate(nodes.items()):
            alpha = bias[6 * k : 6 * k + 3]
            acc = bias[6 * k + 3 : 6 * k + 6] + ops.cross(node.w, node.v)
            for owner, (J_w, J_v) in node.columns.items():
                udot = self.speeds[owner][3]
                alpha, acc = alpha + J_w @ udot, acc + J_v @ udot
            motion.bodies[name] = BodyMotion(node.X_W, node.w, node.v, alpha, acc)
