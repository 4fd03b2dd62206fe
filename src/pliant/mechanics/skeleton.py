"""What formulations in the coordinates of a spanning tree have in common.

A formulation gives the motion of every body in the coordinates of the tree, then sums the forces
its own way; constraints, loads, inertia and observables are the same for all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from pliant.equations.contract import Equations, Given
from pliant.equations.layout import Layout, Scalar
from pliant.graphs import SystemGraph
from pliant.mechanics.axial_loads import axial_loads
from pliant.mechanics.efforts import efforts_on_speeds
from pliant.mechanics.given import given_state
from pliant.mechanics.inertia import BodyInertia, Wrench, flexible_inertia, rigid_inertia
from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.observables import Observer
from pliant.mechanics.rows import Reaction, Rows, coordinate_rows, cut_rows, driver_rows
from pliant.mechanics.unknowns import Unknowns, column
from pliant.mechanics.usage import kept_joints
from pliant.mechanics.values import Values
from pliant.model.bodies import RigidBody
from pliant.model.forces.action import Action, Load
from pliant.spatial.ops import SymbolicOps


@dataclass(slots=True)
class Skeleton:
    """Motion and unknowns of a model; after ``close`` also its constraints and forces.

    ``wrenches``: what every body needs from its joints, inertia less gravity and loads, in body
    axes about its origin; ``efforts``: applied along the speed of every joint.
    """

    graph: SystemGraph
    values: Values
    motion: SystemMotion
    unknowns: Unknowns
    rows: list[Rows] = field(default_factory=list)
    lam: Any = None
    reactions: list[Reaction] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)
    inertias: dict[str, BodyInertia] = field(default_factory=dict)
    efforts: list[Any] = field(default_factory=list)
    wrenches: dict[str, Wrench] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: SystemGraph, ops: SymbolicOps) -> Skeleton:
        """Nothing but the frames on bodies is known yet."""
        values = Values(graph.model, ops)
        motion = SystemMotion(graph.model, values, ops)
        return cls(graph, values, motion, Unknowns(motion))

    def close(self) -> None:
        """Once all bodies move: cut joints, drivers, forces and inertia."""
        graph, motion, model = self.graph, self.motion, self.graph.model
        kept = kept_joints(graph)
        for joint in kept:
            self.unknowns.joint(joint)
        for name, elastic in motion.elastic.items():
            self.unknowns.elastic(name, elastic)
        rows = [
            coordinate_rows(motion, j) if j in kept else cut_rows(motion, j)
            for j in graph.cuts
            if j.m > 0 or j in kept
        ]
        rows += [r for d in model.drivers.values() for r in driver_rows(motion, d)]
        self.rows = [r for r in rows if r.g is not None] + [r for r in rows if r.g is None]
        self.lam = motion.ops.symbols([f"lam.{r.owner}.{n}" for r in self.rows for n in r.names])
        ends = np.cumsum([0] + [r.size for r in self.rows])
        self.reactions = [
            r.react(self.lam[int(ends[i]) : int(ends[i + 1])]) for i, r in enumerate(self.rows)
        ]
        self.actions = {name: f.act(motion) for name, f in model.forces.items()}
        self.inertias = {n: self.inertia(n) for n in model.bodies}
        self.efforts = efforts_on_speeds(motion, self.actions.values(), self.reactions)
        self.wrenches = self._wrenches()

    def inertia(self, name: str) -> BodyInertia:
        """Mass, first moment and inertia of a body at its elastic coordinates."""
        body = self.graph.model.bodies[name]
        if isinstance(body, RigidBody):
            return rigid_inertia(self.values, body)
        return flexible_inertia(self.motion.ops, self.motion.elastic[name])

    def _wrenches(self) -> dict[str, Wrench]:
        motion = self.motion
        gravity = self.values.vector(motion.model.gravity)
        wrenches: dict[str, Wrench] = {}
        for name, inertia in self.inertias.items():
            body = motion.bodies[name]
            g_B = body.X_WB.R.T @ gravity
            wrenches[name] = inertia.wrench(motion.ops, replace(body, acc=body.acc - g_B))
        for load in self._loads():
            _subtract_load(motion, wrenches, load)
        return wrenches

    def _loads(self) -> Iterable[Load]:
        for action in self.actions.values():
            yield from action.loads
        for reaction in self.reactions:
            yield from reaction.loads

    def joint_efforts(self, name: str) -> Any:
        """Efforts applied along the speeds of a joint."""
        state = self.motion.joints[name]
        return self.motion.ops.vec(*self.efforts[state.start : state.start + state.joint.nu])

    def elastic_rows(self) -> list[Any]:
        """Forces that the elastic coordinates of the bodies still need, in the order of u."""
        flexible = self.motion.elastic
        return [self.wrenches[name].e for name, elastic in flexible.items() if elastic.count]

    def equations(self, name: str, residual: Any) -> Equations:
        """The contract, without observables."""
        states = [s for r in self.rows for s in r.states]
        held = [r for r in self.rows if r.g is not None]
        new, stacked = self.unknowns, self.unknowns.column
        equations = Equations(
            formulation=name, ops=self.motion.ops, layout=self._layout(), t=self.values.t,
            q=stacked(new.q), u=stacked(new.u), a=stacked(new.a),
            x=stacked([s.symbol for s in states]), lam=self.lam,
            p=self.values.p, p_default=self.values.p_default,
            qdot=stacked(new.qdot), residual=residual,
            g=stacked([r.g for r in held]), cv=stacked([r.cv for r in self.rows]),
            f=stacked([s.rate for s in states]), x_start=stacked([s.start for s in states]),
            u_of_qdot=stacked(new.speeds), qdot_symbol=stacked(new.rates),
            parameters=self.values.index, signals=self.values.signals,
            signal_slots=tuple(self.values.signal_slots), tree=self.graph.tree,
            tables={n: slot.start for n, slot in self.values.flexible.items()},
        )  # fmt: skip
        return replace(equations, elastic=self._elastic_places(equations))

    def observed(
        self, equations: Equations, transmitted: Mapping[str, tuple[Any, Any]]
    ) -> Equations:
        """With observables, the motion of bodies and what was given of the initial state.

        ``transmitted``: torque and force of tree joints, in world axes about the origin of M.
        """
        observer = Observer(
            self.motion, self.graph, self.rows, self.reactions, self.actions, self.inertias
        )
        jointed = {k: v for k, v in transmitted.items() if k in self.graph.model.joints}
        observer.finish(jointed)
        return replace(
            equations, observables=observer.observables, events=observer.events,
            bodies={n: self._body_motion(n) for n in self.graph.model.bodies},
            given=self._initial(), alignment=self._alignment(),
            axial=axial_loads(self.motion, self._forces(jointed)),
        )  # fmt: skip

    def _forces(self, transmitted: Mapping[str, tuple[Any, Any]]) -> Iterable[tuple[str, Any]]:
        """All forces on frames: applied, of cut joints and drivers, and of tree joints."""
        for load in self._loads():
            yield load.frame, load.force
        for name, (_, force) in transmitted.items():
            joint = self.graph.model.joints[name]
            yield joint.child, force
            yield joint.parent, -force

    def _layout(self) -> Layout:
        rows, held = self.rows, [r for r in self.rows if r.g is not None]
        states = [s for r in rows for s in r.states]
        return Layout(
            q=tuple(self.unknowns.q_names),
            u=tuple(self.unknowns.u_names),
            groups=tuple(self.unknowns.groups),
            rows=tuple(Scalar(f"{r.owner}.{n}", u, r.owner)
                       for r in rows for n, u in zip(r.names, r.units, strict=True)),
            x=tuple(Scalar(s.name, s.unit, s.name.partition(".")[0]) for s in states),
            n_holonomic=sum(r.size for r in held),
        )  # fmt: skip

    def _alignment(self) -> Any:
        ops = self.motion.ops
        return column(ops, [ops.full(a) for r in self.rows for a in r.alignment])

    def _elastic_places(self, e: Equations) -> dict[str, tuple[int, int, int]]:
        """Elastic coordinates stand last, in the order of the bodies."""
        total = sum(elastic.count for elastic in self.motion.elastic.values())
        q, u = e.q.numel() - total, e.u.numel() - total
        places = {}
        for name, elastic in self.motion.elastic.items():
            places[name] = (q, u, elastic.count)
            q, u = q + elastic.count, u + elastic.count
        return places

    def _body_motion(self, name: str) -> Any:
        s, ops = self.motion.frame(name), self.motion.ops
        return ops.stack([ops.flat(s.R_WP), s.p_WP, s.v_WP, s.w_WP])

    def _initial(self) -> Given:
        state, stacked = given_state(self.motion), self.unknowns.column
        return Given(
            tuple(state.position_names), stacked(state.positions),
            tuple(state.velocity_names), stacked(state.velocities),
        )  # fmt: skip


def _subtract_load(motion: SystemMotion, wrenches: dict[str, Wrench], load: Load) -> None:
    """Take an applied load off the wrench its body still needs from its joint."""
    body, X_BP = motion.placement(load.frame)
    if body == "ground":
        return
    R_WB = motion.bodies[body].X_WB.R
    f = R_WB.T @ load.force
    n = R_WB.T @ load.torque + motion.ops.cross(X_BP.p, f)
    wrench = wrenches[body]
    wrench.n, wrench.f = wrench.n - n, wrench.f - f
    frame = motion.relative(load.frame)
    if frame is not None:
        wrench.e = wrench.e - frame.J_w.T @ (R_WB.T @ load.torque) - frame.J_v.T @ f
