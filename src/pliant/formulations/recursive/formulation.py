"""The recursive formulation: relative coordinates on a tree, cut joints closed by multipliers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import casadi as ca
import numpy as np

from pliant.equations.contract import Equations, Given
from pliant.equations.layout import Group, Layout, Scalar
from pliant.formulations.recursive.backward import Transmitted, gather, subtract_load
from pliant.formulations.recursive.forward import Link, advance
from pliant.graphs import SystemGraph
from pliant.mechanics.efforts import efforts_on_speeds
from pliant.mechanics.given import given_state
from pliant.mechanics.inertia import BodyInertia, Wrench, flexible_inertia, rigid_inertia
from pliant.mechanics.motion import ElasticState, JointState, SystemMotion
from pliant.mechanics.observables import Observer
from pliant.mechanics.rows import Reaction, Rows, coordinate_rows, cut_rows, driver_rows
from pliant.mechanics.usage import kept_joints
from pliant.mechanics.values import Values
from pliant.model.bodies import Body, RigidBody
from pliant.model.forces.action import Action, Load
from pliant.model.joints import Joint

NAME = "recursive"


@dataclass(slots=True)
class _Unknowns:
    """Coordinates and speeds collected joint by joint."""

    q: list[Any] = field(default_factory=list)
    u: list[Any] = field(default_factory=list)
    a: list[Any] = field(default_factory=list)
    qdot: list[Any] = field(default_factory=list)
    rates: list[Any] = field(default_factory=list)
    speeds: list[Any] = field(default_factory=list)
    q_names: list[Scalar] = field(default_factory=list)
    u_names: list[Scalar] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)


def derive(graph: SystemGraph) -> Equations:
    """Equations in the coordinates of the tree joints; O(n) residual. Source: S4.

    Forward recursion of motion, backward recursion of forces; cut joints act by multipliers.
    """
    model = graph.model
    values = Values(model)
    motion = SystemMotion(model, values, values.ops)
    unknowns = _Unknowns()
    links = _forward(graph, motion, unknowns)
    kept = kept_joints(graph)
    for joint in kept:
        _new_joint(motion, unknowns, joint)
    for name, elastic in motion.elastic.items():
        _new_elastic(unknowns, name, elastic)
    rows = [
        coordinate_rows(motion, j) if j in kept else cut_rows(motion, j)
        for j in graph.cuts
        if j.m > 0 or j in kept
    ]
    rows += [r for d in model.drivers.values() for r in driver_rows(motion, d)]
    rows = [r for r in rows if r.g is not None] + [r for r in rows if r.g is None]
    lam = ca.SX.sym("lam", sum(r.size for r in rows))
    reactions = _reactions(rows, lam)
    actions = {name: f.act(motion) for name, f in model.forces.items()}
    inertias = {n: _inertia(motion, n, b) for n, b in model.bodies.items()}
    efforts = efforts_on_speeds(motion, actions.values(), reactions)
    wrenches = _wrenches(motion, inertias, actions, reactions)
    passed = gather(motion, links, wrenches)
    residual = _residual(motion, passed, efforts, wrenches)
    observer = Observer(motion, graph, rows, reactions, actions, inertias)
    observer.finish({k: (t.torque, t.force) for k, t in passed.items() if k in model.joints})
    equations = _equations(NAME, values, unknowns, rows, lam, residual, observer)
    return replace(
        equations,
        bodies={n: _body_motion(motion, n) for n in model.bodies},
        tables={n: slot.start for n, slot in values.flexible.items()},
        elastic=_elastic_places(motion, equations),
        given=_given(motion),
        alignment=_column([ca.SX(a) for r in rows for a in r.alignment], "alignment"),
        tree=graph.tree,
    )


def _forward(graph: SystemGraph, motion: SystemMotion, unknowns: _Unknowns) -> list[Link]:
    links = []
    for edge in graph.edges:
        state = _new_joint(motion, unknowns, edge.joint)
        body, link = advance(motion, edge, state, unknowns.qdot[-1], unknowns.a[-1])
        motion.bodies[edge.outer] = body
        links.append(link)
    return links


def _inertia(motion: SystemMotion, name: str, body: Body) -> BodyInertia:
    if isinstance(body, RigidBody):
        return rigid_inertia(motion.values, body)
    return flexible_inertia(motion.ops, motion.elastic[name])


def _wrenches(
    motion: SystemMotion,
    inertias: dict[str, BodyInertia],
    actions: dict[str, Action],
    reactions: list[Reaction],
) -> dict[str, Wrench]:
    """What every body needs from its joints: inertia less gravity and loads."""
    gravity = motion.values.vector(motion.model.gravity)
    wrenches: dict[str, Wrench] = {}
    for name, inertia in inertias.items():
        body = motion.bodies[name]
        g_B = body.X_WB.R.T @ gravity
        wrenches[name] = inertia.wrench(motion.ops, replace(body, acc=body.acc - g_B))
    for load in _loads(actions, reactions):
        subtract_load(motion, wrenches, load)
    return wrenches


def _elastic_places(motion: SystemMotion, e: Equations) -> dict[str, tuple[int, int, int]]:
    """Elastic coordinates stand last, in the order of the bodies."""
    total = sum(elastic.count for elastic in motion.elastic.values())
    q, u = e.q.numel() - total, e.u.numel() - total
    places = {}
    for name, elastic in motion.elastic.items():
        places[name] = (q, u, elastic.count)
        q, u = q + elastic.count, u + elastic.count
    return places


def _body_motion(motion: SystemMotion, name: str) -> Any:
    s = motion.frame(name)
    return ca.vertcat(ca.vec(ca.densify(ca.SX(s.R_WP))), s.p_WP, s.v_WP, s.w_WP)


def _given(motion: SystemMotion) -> Given:
    state = given_state(motion)
    return Given(
        tuple(state.position_names), _column(state.positions, "eq"),
        tuple(state.velocity_names), _column(state.velocities, "eu"),
    )  # fmt: skip


def _new_joint(motion: SystemMotion, unknowns: _Unknowns, joint: Joint) -> JointState:
    """Symbols for a joint's coordinates, and its pose and bases in them."""
    ops, name = motion.ops, joint.name
    q, rate = (ca.SX.sym(f"{name}.{k}", joint.nq) for k in ("q", "qdot"))
    u, a = (ca.SX.sym(f"{name}.{k}", joint.nu) for k in ("u", "a"))
    joint = joint.evaluated(motion.values.constant)
    start_q, start_u = sum(s.numel() for s in unknowns.q), sum(s.numel() for s in unknowns.u)
    chart = _groups(motion, unknowns, joint, start_q)
    H = joint.motion(ops, q, chart)
    state = JointState(joint, q, u, chart, start_u, joint.pose(ops, q, chart), H,
                       joint.effort(ops, q, chart))  # fmt: skip
    motion.joints[name] = state
    unknowns.q.append(q)
    unknowns.u.append(u)
    unknowns.a.append(a)
    unknowns.qdot.append(joint.qdot(ops, q, u))
    unknowns.rates.append(rate)
    unknowns.speeds.append(joint.speeds(ops, q, rate))
    unknowns.q_names += _named(name, joint.coordinate_names, joint.coordinate_units)
    unknowns.u_names += _named(name, joint.rate_names, joint.rate_units)
    return state


def _new_elastic(unknowns: _Unknowns, body: str, elastic: ElasticState) -> None:
    """Elastic coordinates of a body: plain numbers, u = q'."""
    if not elastic.count:
        return
    start = sum(s.numel() for s in unknowns.q)
    rate = ca.SX.sym(f"{body}.elastic_rate", elastic.count)
    unknowns.q.append(elastic.q)
    unknowns.u.append(elastic.u)
    unknowns.a.append(elastic.a)
    unknowns.qdot.append(elastic.u)
    unknowns.rates.append(rate)
    unknowns.speeds.append(rate)
    blank = [""] * elastic.count
    unknowns.q_names += _named(body, elastic.names, blank)
    unknowns.u_names += _named(body, [f"{n}_rate" for n in elastic.names], blank)
    unknowns.groups.append(Group("real", start, elastic.count, -1))


def _named(owner: str, names: Iterable[str], units: Iterable[str]) -> list[Scalar]:
    return [Scalar(f"{owner}.{n}", u, owner) for n, u in zip(names, units, strict=True)]


def _groups(motion: SystemMotion, unknowns: _Unknowns, joint: Joint, start: int) -> Any:
    """Register the coordinate groups; returns the chart rotation of an angle set, if any."""
    chart = None
    for kind, size in joint.groups:
        where = -1
        if kind in ("euler313", "bryant123"):
            where = motion.values.slot(f"{joint.name}.chart", np.eye(3))
            chart = ca.reshape(motion.values.symbols(where, 9), 3, 3).T
        unknowns.groups.append(Group(kind, start, size, where))  # type: ignore[arg-type]
        start += size
    return chart


def _reactions(rows: list[Rows], lam: Any) -> list[Reaction]:
    ends = np.cumsum([0] + [r.size for r in rows])
    return [r.react(lam[int(ends[i]) : int(ends[i + 1])]) for i, r in enumerate(rows)]


def _loads(actions: dict[str, Action], reactions: list[Reaction]) -> Iterable[Load]:
    for action in actions.values():
        yield from action.loads
    for reaction in reactions:
        yield from reaction.loads


def _residual(
    motion: SystemMotion,
    passed: dict[str, Transmitted],
    efforts: list[Any],
    wrenches: dict[str, Wrench],
) -> Any:
    """Rows in the order of u: transmitted minus effort (a kept cut joint transmits nothing), then
    the elastic forces."""
    parts = []
    for name, state in motion.joints.items():
        own = ca.vertcat(*efforts[state.start : state.start + state.joint.nu])
        parts.append(passed[name].row - own if name in passed else -own)
    parts += [wrenches[name].e for name, elastic in motion.elastic.items() if elastic.count]
    return ca.densify(ca.vertcat(*parts)) if parts else ca.SX.zeros(0, 1)


def _equations(
    name: str,
    values: Values,
    unknowns: _Unknowns,
    rows: list[Rows],
    lam: Any,
    residual: Any,
    observer: Observer,
) -> Equations:
    states = [s for r in rows for s in r.states]
    held = [r for r in rows if r.g is not None]
    layout = Layout(
        q=tuple(unknowns.q_names),
        u=tuple(unknowns.u_names),
        groups=tuple(unknowns.groups),
        rows=tuple(Scalar(f"{r.owner}.{n}", u, r.owner)
                   for r in rows for n, u in zip(r.names, r.units, strict=True)),
        x=tuple(Scalar(s.name, s.unit, s.name.partition(".")[0]) for s in states),
        n_holonomic=sum(r.size for r in held),
    )  # fmt: skip
    return Equations(
        formulation=name, layout=layout, t=values.t,
        q=_column(unknowns.q, "q"), u=_column(unknowns.u, "u"), a=_column(unknowns.a, "a"),
        x=_column([s.symbol for s in states], "x"), lam=lam,
        p=values.p, p_default=values.p_default,
        qdot=_column(unknowns.qdot, "qdot"), residual=residual,
        g=_column([r.g for r in held], "g"), cv=_column([r.cv for r in rows], "cv"),
        f=_column([s.rate for s in states], "f"), x_start=_column([s.start for s in states], "xs"),
        u_of_qdot=_column(unknowns.speeds, "speeds"),
        qdot_symbol=_column(unknowns.rates, "rates"),
        observables=observer.observables, events=observer.events, parameters=values.index,
        signals=values.signals, signal_slots=tuple(values.signal_slots),
    )  # fmt: skip


def _column(parts: list[Any], name: str) -> Any:
    """Stack columns; an empty stack is an empty symbol."""
    full = [p for p in parts if p.numel()]
    return ca.densify(ca.vertcat(*full)) if full else ca.SX.sym(name, 0)
