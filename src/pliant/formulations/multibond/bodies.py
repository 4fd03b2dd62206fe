"""Bodies as multibond sub-graphs. Source: S0 figs. 2-3 and 6-2.

With the kinetic energy of a body over (v, w, q'), in axes of its floating frame B,

    J_c = M_vξ / m                velocity of the mass centre: v_c = v + J_c ξ',  ξ' = (w, q')
    M_ξ = M_ξξ - m J_cᵀ J_c       what is left to rotation and deformation

translation is an I:m at the mass centre in world axes, which needs no gyroscopic element, and the
rest an I:M_ξ(q) with bias 1/2 M_ξ' ξ' (so that its power is dT/dt) beside an EJS

    e = (w x p_w ; -dT_ξ/dq) + 1/2 M_ξ' ξ',   p = M_ξ ξ'

that does no work. 1:R, 1:W and 1:E carry velocity, angular velocity and elastic rates of B.

Motion of the bodies of a tree in the flows of their stores.

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

import numpy as np

from pliant import bonds
from pliant.bonds.unknowns import Symbols
from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.equations import Equations
from pliant.graphs import TreeEdge
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.inertia import BodyInertia, FlexibleInertia, Inertia
from pliant.mechanics.motion import (
    RATE,
    BodyMotion,
    ElasticState,
    JointState,
    SystemMotion,
    relative_motion,
)
from pliant.model.joints import Joint
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import skew, vee

XYZ = ("x", "y", "z")
ROTATION, TRANSLATION = "rotation", "translation"


def constant(value: Any) -> Any:
    """A law whose value is known already."""
    return lambda ops, state: value


@dataclass(frozen=True, slots=True)
class Split:
    """Mass, mass centre c in B, columns S / m of its velocity per elastic rate, and M_ξ."""

    mass: Any
    c: Any
    S: Any
    M: Any


def split(ops: SymbolicOps, inertia: BodyInertia) -> Split:
    """The kinetic energy of a body about its mass centre."""
    assert isinstance(inertia, Inertia | FlexibleInertia)
    m = inertia.mass
    massless = isinstance(m, float) and m == 0.0
    c = ops.zeros(3) if massless else inertia.mc / m
    J = inertia.I_o if isinstance(inertia, Inertia) else inertia.masses.J
    turning = J if massless else J - m * (skew(ops, c).T @ skew(ops, c))
    if isinstance(inertia, Inertia) or not inertia.elastic.count:
        return Split(m, c, None, turning)
    own, S = inertia.masses, inertia.masses.S / m
    B = own.B - m * (skew(ops, c) @ S)
    M = own.M - m * (S.T @ S)
    return Split(m, c, S, ops.stack([ops.columns([turning, B]), ops.columns([B.T, M])]))


def add_ground(graph: bonds.BondGraph) -> None:
    """Two junctions that stand still."""
    for part, domain in (("W", ROTATION), ("R", TRANSLATION)):
        graph.one(f"{GROUND}.{part}", 3, owner=GROUND, domain=domain)
        graph.add("Sf", f"{GROUND}.{part}.Sf", bonds.Source(0.0), 3, owner=GROUND, domain=domain,
                  on=f"{GROUND}.{part}")  # fmt: skip


def add_body(graph: bonds.BondGraph, motion: SystemMotion, body: str, inertia: BodyInertia) -> None:
    """The sub-graph of a body; its stores are ``body.m`` and ``body.xi``."""
    ops, own = motion.ops, split(motion.ops, inertia)
    elastic = motion.elastic.get(body)
    n = elastic.count if elastic is not None else 0
    common: dict[str, Any] = {"owner": body}
    graph.one(f"{body}.R", 3, domain=TRANSLATION, **common)
    graph.one(f"{body}.W", 3, domain=ROTATION, **common)
    _mass_centre(graph, motion, body, own)
    graph.one(f"{body}.xi", 3 + n, domain="" if n else ROTATION, **common)
    if elastic is None or not n:
        graph.bond(f"{body}.W", f"{body}.xi", 3, name=f"{body}.W-xi")
    else:
        graph.one(f"{body}.E", n, **common)
        _elastic_part(graph, motion, body, own, elastic)
    _turning(graph, ops, body, own.M, elastic if n else None)


def _mass_centre(graph: bonds.BondGraph, motion: SystemMotion, body: str, own: Split) -> None:
    """0c: v + J_c ξ' -> A -> 1:Pc with I:m and the weight, in world axes."""
    ops, R_WB = motion.ops, motion.bodies[body].X_WB.R
    common: dict[str, Any] = {"owner": body, "domain": TRANSLATION}
    graph.zero(f"{body}.0c", 3, **common)
    graph.one(f"{body}.Pc", 3, **common)
    graph.bond(f"{body}.R", f"{body}.0c", 3)
    lever = bonds.Transformer(constant(-skew(ops, own.c)))
    graph.transformer(f"{body}.TFc", f"{body}.W", f"{body}.0c", lever, (3, 3), owner=body)
    turn = bonds.Transformer(constant(R_WB), bonds.TRANSPOSE)
    graph.transformer(f"{body}.A", f"{body}.0c", f"{body}.Pc", turn, (3, 3), owner=body)
    mass = bonds.Inertia(constant(own.mass * ops.const(np.eye(3))))
    graph.add("I", f"{body}.m", mass, 3, priority=1, labels=[f"v{c}" for c in XYZ], on=f"{body}.Pc",
              **common)  # fmt: skip
    weight = own.mass * motion.values.vector(motion.model.gravity)
    graph.add("Se", f"{body}.g", bonds.Source(constant(weight)), 3, on=f"{body}.Pc", **common)


def _elastic_part(
    graph: bonds.BondGraph, motion: SystemMotion, body: str, own: Split, elastic: ElasticState
) -> None:
    """SUM(W, E) -> 1:xi; C:K and R:D; the mass centre moves with the deformation."""
    ops, n = motion.ops, elastic.count
    graph.add("SUM", f"{body}.SUM", None, 0, owner=body)
    graph.bond(f"{body}.W", f"{body}.SUM", 3)
    graph.bond(f"{body}.E", f"{body}.SUM", n)
    graph.bond(f"{body}.SUM", f"{body}.xi", 3 + n)
    moved = bonds.Transformer(constant(own.S))
    graph.transformer(f"{body}.TFS", f"{body}.E", f"{body}.0c", moved, (3, n), owner=body)
    K, D = (
        ops.mat([[elastic.tables[k].get((i, j), 0) for j in range(n)] for i in range(n)])
        for k in ("K", "D")
    )
    spring = bonds.Compliance.stiffness(constant(K), constant(elastic.q))
    graph.add("C", f"{body}.K", spring, n, owner=body, priority=99, on=f"{body}.E")
    if elastic.tables["D"]:
        graph.add("R", f"{body}.D", bonds.Resistance(constant(D)), n, owner=body, on=f"{body}.E")


def _turning(
    graph: bonds.BondGraph, ops: SymbolicOps, body: str, M: Any, elastic: ElasticState | None
) -> None:
    """I:M_ξ and EJS at 1:xi."""
    n = 3 + (elastic.count if elastic is not None else 0)

    def half_rate(state_ops: SymbolicOps, flow: Any) -> Any:
        """1/2 M_ξ' ξ'."""
        if elastic is None:
            return state_ops.zeros(3)
        held = state_ops.symbols([f"{body}.held.{k + 1}" for k in range(n)])
        rate = state_ops.jtimes(0.5 * (M @ held), elastic.q, held[3:])
        return state_ops.substitute([rate], held, flow)[0]

    def bias(state_ops: SymbolicOps, state: bonds.State) -> Any:
        return half_rate(state_ops, state.u[f"{body}.xi.M"])

    def gyroscopic(state_ops: SymbolicOps, state: bonds.State, flow: Any) -> Any:
        p = M @ flow
        turned = state_ops.cross(flow[:3], p[:3])
        if elastic is None:
            return turned
        held = state_ops.symbols([f"{body}.turned.{k + 1}" for k in range(n)])
        slope = state_ops.gradient(0.5 * state_ops.dot(held, M @ held), elastic.q)
        bent = state_ops.substitute([slope], held, flow)[0]
        return state_ops.stack([turned, -bent]) + half_rate(state_ops, flow)

    labels = [f"w{c}" for c in XYZ]
    labels += [] if elastic is None else [f"{name}_rate" for name in elastic.names]
    store = bonds.Inertia(constant(M), None if elastic is None else bias)
    graph.add("I", f"{body}.xi.M", store, n, owner=body, priority=2, labels=labels,
              domain="" if elastic is not None else ROTATION, on=f"{body}.xi")  # fmt: skip
    graph.add(
        "EJS", f"{body}.EJS", bonds.JunctionStructure(gyroscopic), n, owner=body, on=f"{body}.xi"
    )


def add_frame(graph: bonds.BondGraph, motion: SystemMotion, reference: str) -> tuple[str, str]:
    """Junctions of angular velocity and velocity of a frame, in axes of its body.

    w_P = w + J_w q',  v_P = v - p x w + J_v q'
    """
    body, X = motion.placement(reference)
    _, _, frame = reference.partition(".")
    relative = motion.relative(reference)
    if relative is None and not frame and body not in motion.elastic:
        return f"{body}.W", f"{body}.R"
    name = f"{body}.{frame or 'origin'}"
    if f"{name}.v" in graph.nodes:
        return (f"{name}.w" if relative is not None else f"{body}.W"), f"{name}.v"
    ops, n = motion.ops, 0 if relative is None else motion.elastic[body].count
    graph.zero(f"{name}.0v", 3, owner=body, domain=TRANSLATION)
    graph.one(f"{name}.v", 3, owner=body, domain=TRANSLATION)
    graph.bond(f"{body}.R", f"{name}.0v", 3)
    lever = bonds.Transformer(constant(-skew(ops, X.p)))
    graph.transformer(f"{name}.TFp", f"{body}.W", f"{name}.0v", lever, (3, 3), owner=body)
    graph.bond(f"{name}.0v", f"{name}.v", 3)
    if relative is None:
        return f"{body}.W", f"{name}.v"
    moved = bonds.Transformer(constant(relative.J_v))
    graph.transformer(f"{name}.TFv", f"{body}.E", f"{name}.0v", moved, (3, n), owner=body)
    graph.zero(f"{name}.0w", 3, owner=body, domain=ROTATION)
    graph.one(f"{name}.w", 3, owner=body, domain=ROTATION)
    graph.bond(f"{body}.W", f"{name}.0w", 3)
    turned = bonds.Transformer(constant(relative.J_w))
    graph.transformer(f"{name}.TFw", f"{body}.E", f"{name}.0w", turned, (3, n), owner=body)
    graph.bond(f"{name}.0w", f"{name}.w", 3)
    return f"{name}.w", f"{name}.v"


def body_motion(
    motion: SystemMotion, body: str, X_WB: Pose, inertia: BodyInertia, u: Any, a: Any
) -> BodyMotion:
    """Motion of B from the flows of the body's two stores, u = (P_c', w), a = u'.

    v = Aᵀ P_c' - d,  acc = Aᵀ P_c'' - (d' + w x d)        with d = w x c + S q'
    """
    ops, own, elastic = motion.ops, split(motion.ops, inertia), motion.elastic.get(body)
    w, alpha = u[3:6], a[3:6]
    d, change = ops.cross(w, own.c), ops.cross(alpha, own.c)
    if own.S is not None and elastic is not None:
        bent = own.S @ elastic.u
        moving, rates = ops.stack([elastic.q, elastic.u]), ops.stack([elastic.u, elastic.a])
        change = change + ops.cross(w, ops.jtimes(own.c, elastic.q, elastic.u))
        d, change = d + bent, change + ops.jtimes(bent, moving, rates)
    A = X_WB.R.T
    return BodyMotion(X_WB, w, A @ u[:3] - d, alpha, A @ a[:3] - change - ops.cross(w, d))


STORES = (*(f"m.v{c}" for c in XYZ), *(f"xi.M.w{c}" for c in XYZ))


def has_rates(joint: Joint) -> bool:
    """Whether a tree joint has a store of its rates: not if it leaves all rotation to the body."""
    return joint.told_set is None or bool(joint.scalars)


def public(name: str) -> str:
    """body.m.vx and body.xi.M.wx are body.vx and body.wx."""
    return name.replace(".xi.M.", ".").replace(".m.", ".")


def move_tree(skeleton: TreeDerivation, symbols: Symbols) -> None:
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


def _across(skeleton: TreeDerivation, edge: TreeEdge, state: JointState) -> Pose:
    """Pose of the outer body in the inner one."""
    motion, ops = skeleton.motion, skeleton.motion.ops
    turned = Pose(ops.const(state.joint.canonical_axes()), ops.zeros(3))
    X_PF = motion.placement(state.joint.parent)[1] @ turned
    X_CM = motion.placement(state.joint.child)[1] @ turned
    X = X_PF @ state.X_FM @ X_CM.inverse
    return X.inverse if edge.flipped else X


def _stores(skeleton: TreeDerivation, symbols: Symbols, body: str) -> tuple[Any, Any]:
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


def flows_of_rates(skeleton: TreeDerivation, e: Equations) -> dict[str, Any]:
    """Flows of the stores of all bodies from q', an expression in ``e.speeds.rates``.

    P_c' = ∂P_c/∂q q',  w = vee(Rᵀ ∂R/∂q q')
    """
    ops = e.ops
    found: dict[str, Any] = {}
    for body in skeleton.graph.bodies:
        X = skeleton.motion.bodies[body].X_WB
        centre = X.p + X.R @ split(ops, skeleton.inertias[body]).c
        turned = ops.folded(ops.jtimes(ops.flat(X.R), e.q, e.speeds.rates), 3)
        flows = ops.stack([ops.jtimes(centre, e.q, e.speeds.rates), vee(ops, X.R.T @ turned)])
        found |= {public(f"{body}.{s}"): flows[k] for k, s in enumerate(STORES)}
    return found
