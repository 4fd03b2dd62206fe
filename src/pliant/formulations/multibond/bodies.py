"""Bodies as multibond sub-graphs. Source: S0 figs. 2-3 and 6-2.

With the kinetic energy of a body over (v, w, q'), in axes of its floating frame B,

    J_c = M_vξ / m                velocity of the mass centre: v_c = v + J_c ξ',  ξ' = (w, q')
    M_ξ = M_ξξ - m J_cᵀ J_c       what is left to rotation and deformation

translation is an I:m at the mass centre in world axes, which needs no gyroscopic element, and the
rest an I:M_ξ(q) with bias 1/2 M_ξ' ξ' (so that its power is dT/dt) beside an EJS

    e = (w x p_w ; -dT_ξ/dq) + 1/2 M_ξ' ξ',   p = M_ξ ξ'

that does no work. 1:R, 1:W and 1:E carry velocity, angular velocity and elastic rates of B.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.graphs.bonds import (
    TRANSPOSE,
    BondGraph,
    Compliance,
    Inertia,
    JunctionStructure,
    Resistance,
    Source,
    State,
    Transformer,
)
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.inertia import BodyInertia, FlexibleInertia
from pliant.mechanics.inertia import Inertia as RigidInertia
from pliant.mechanics.motion import BodyMotion, ElasticState, SystemMotion
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import skew

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
    assert isinstance(inertia, RigidInertia | FlexibleInertia)
    m = inertia.mass
    massless = isinstance(m, float) and m == 0.0
    c = ops.zeros(3) if massless else inertia.mc / m
    J = inertia.I_o if isinstance(inertia, RigidInertia) else inertia.masses.J
    turning = J if massless else J - m * (skew(ops, c).T @ skew(ops, c))
    if isinstance(inertia, RigidInertia) or not inertia.elastic.count:
        return Split(m, c, None, turning)
    own, S = inertia.masses, inertia.masses.S / m
    B = own.B - m * (skew(ops, c) @ S)
    M = own.M - m * (S.T @ S)
    return Split(m, c, S, ops.stack([ops.columns([turning, B]), ops.columns([B.T, M])]))


def add_ground(graph: BondGraph) -> None:
    """Two junctions that stand still."""
    for part, domain in (("W", ROTATION), ("R", TRANSLATION)):
        graph.one(f"{GROUND}.{part}", 3, owner=GROUND, domain=domain)
        graph.add("Sf", f"{GROUND}.{part}.Sf", Source(0.0), 3, owner=GROUND, domain=domain,
                  on=f"{GROUND}.{part}")  # fmt: skip


def add_body(graph: BondGraph, motion: SystemMotion, body: str, inertia: BodyInertia) -> None:
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


def _mass_centre(graph: BondGraph, motion: SystemMotion, body: str, own: Split) -> None:
    """0c: v + J_c ξ' -> A -> 1:Pc with I:m and the weight, in world axes."""
    ops, R_WB = motion.ops, motion.bodies[body].X_WB.R
    common: dict[str, Any] = {"owner": body, "domain": TRANSLATION}
    graph.zero(f"{body}.0c", 3, **common)
    graph.one(f"{body}.Pc", 3, **common)
    graph.bond(f"{body}.R", f"{body}.0c", 3)
    lever = Transformer(constant(-skew(ops, own.c)))
    graph.transformer(f"{body}.TFc", f"{body}.W", f"{body}.0c", lever, (3, 3), owner=body)
    turn = Transformer(constant(R_WB), TRANSPOSE)
    graph.transformer(f"{body}.A", f"{body}.0c", f"{body}.Pc", turn, (3, 3), owner=body)
    mass = Inertia(constant(own.mass * ops.const(np.eye(3))))
    graph.add("I", f"{body}.m", mass, 3, priority=1, labels=[f"v{c}" for c in XYZ], on=f"{body}.Pc",
              **common)  # fmt: skip
    weight = own.mass * motion.values.vector(motion.model.gravity)
    graph.add("Se", f"{body}.g", Source(constant(weight)), 3, on=f"{body}.Pc", **common)


def _elastic_part(
    graph: BondGraph, motion: SystemMotion, body: str, own: Split, elastic: ElasticState
) -> None:
    """SUM(W, E) -> 1:xi; C:K and R:D; the mass centre moves with the deformation."""
    ops, n = motion.ops, elastic.count
    graph.add("SUM", f"{body}.SUM", None, 0, owner=body)
    graph.bond(f"{body}.W", f"{body}.SUM", 3)
    graph.bond(f"{body}.E", f"{body}.SUM", n)
    graph.bond(f"{body}.SUM", f"{body}.xi", 3 + n)
    moved = Transformer(constant(own.S))
    graph.transformer(f"{body}.TFS", f"{body}.E", f"{body}.0c", moved, (3, n), owner=body)
    K, D = (
        ops.mat([[elastic.tables[k].get((i, j), 0) for j in range(n)] for i in range(n)])
        for k in ("K", "D")
    )
    spring = Compliance.stiffness(constant(K), constant(elastic.q))
    graph.add("C", f"{body}.K", spring, n, owner=body, priority=99, on=f"{body}.E")
    if elastic.tables["D"]:
        graph.add("R", f"{body}.D", Resistance(constant(D)), n, owner=body, on=f"{body}.E")


def _turning(
    graph: BondGraph, ops: SymbolicOps, body: str, M: Any, elastic: ElasticState | None
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

    def bias(state_ops: SymbolicOps, state: State) -> Any:
        return half_rate(state_ops, state.u[f"{body}.xi.M"])

    def gyroscopic(state_ops: SymbolicOps, state: State, flow: Any) -> Any:
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
    store = Inertia(constant(M), None if elastic is None else bias)
    graph.add("I", f"{body}.xi.M", store, n, owner=body, priority=2, labels=labels,
              domain="" if elastic is not None else ROTATION, on=f"{body}.xi")  # fmt: skip
    graph.add("EJS", f"{body}.EJS", JunctionStructure(gyroscopic), n, owner=body, on=f"{body}.xi")


def add_frame(graph: BondGraph, motion: SystemMotion, reference: str) -> tuple[str, str]:
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
    lever = Transformer(constant(-skew(ops, X.p)))
    graph.transformer(f"{name}.TFp", f"{body}.W", f"{name}.0v", lever, (3, 3), owner=body)
    graph.bond(f"{name}.0v", f"{name}.v", 3)
    if relative is None:
        return f"{body}.W", f"{name}.v"
    moved = Transformer(constant(relative.J_v))
    graph.transformer(f"{name}.TFv", f"{body}.E", f"{name}.0v", moved, (3, n), owner=body)
    graph.zero(f"{name}.0w", 3, owner=body, domain=ROTATION)
    graph.one(f"{name}.w", 3, owner=body, domain=ROTATION)
    graph.bond(f"{body}.W", f"{name}.0w", 3)
    turned = Transformer(constant(relative.J_w))
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
