"""What formulations in the coordinates of a spanning tree have in common.

A formulation gives the motion of every body in the coordinates of the tree, then sums the forces
its own way; constraints, loads, inertia and observables are the same for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np

from pliant.bonds.networks.equations import (
    Network,
    evaluated_networks,
    network_observables,
    with_total_energy,
)
from pliant.formulations.derivation.constraint_rows import constraint_rows
from pliant.formulations.derivation.given import given_state
from pliant.formulations.derivation.internal import section_loads
from pliant.formulations.derivation.observables import Observer
from pliant.formulations.derivation.state_map import cut_joints_with_coordinates
from pliant.formulations.derivation.supports import axial_loads
from pliant.formulations.equations import Equations, Inputs, Speeds, Start, Told, Written
from pliant.formulations.loops import with_loops
from pliant.graphs import SystemGraph
from pliant.mechanics.inertia import BodyInertia, Wrench, flexible_inertia, rigid_inertia
from pliant.mechanics.joint_springs import spring_action, spring_coordinate_rows
from pliant.mechanics.layout import Layout, Scalar
from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.rows import (
    AuxiliaryState,
    ConstraintRows,
    Reaction,
    coordinate_rows,
    cut_rows,
    driver_rows,
    efforts_on_speeds,
    with_loads,
)
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.mechanics.unknowns import Unknowns, column
from pliant.model.forces.action import Action, Load
from pliant.observe.catalogue import SymbolicObservable
from pliant.records import dataclass
from pliant.spatial.linear import depends
from pliant.spatial.ops import SymbolicOps


@dataclass(slots=True)
class TreeDerivation:
    """Motion and unknowns of a model; after ``close`` also its constraints and forces.

    ``wrenches``: what every body needs from its joints, inertia less gravity and loads, in body
    axes about its origin; ``efforts``: applied along the speed of every joint.
    """

    graph: SystemGraph
    values: SymbolicValues
    motion: SystemMotion
    unknowns: Unknowns
    rows: list[ConstraintRows] = field(default_factory=list)
    lam: Any = None
    reactions: list[Reaction] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)
    inertias: dict[str, BodyInertia] = field(default_factory=dict)
    networks: list[Network] = field(default_factory=list)
    stores: list[tuple[Any, Any]] = field(default_factory=list)
    """Speeds beside those of joints in which a formulation writes the motion, with their rates."""
    efforts: list[Any] = field(default_factory=list)
    wrenches: dict[str, Wrench] = field(default_factory=dict)

    @classmethod
    def of(cls, graph: SystemGraph, ops: SymbolicOps) -> TreeDerivation:
        """Nothing but the frames on bodies is known yet."""
        values = SymbolicValues(graph.model, ops)
        motion = SystemMotion(graph.model, values, ops)
        return cls(graph, values, motion, Unknowns(motion))

    def close(self, held: Callable[[], list[ConstraintRows]] | None = None) -> None:
        """Once all bodies move: cut joints, drivers, forces and inertia.

        ``held`` gives the rows of constraints instead, where a formulation has its own; joints
        with coordinates are known then.
        """
        motion, model = self.motion, self.graph.model
        if held is None:
            for joint in cut_joints_with_coordinates(self.graph):
                self.unknowns.joint(joint, tied=True)
        for name, elastic in motion.elastic.items():
            self.unknowns.elastic(name, elastic)
        self._evaluate_networks()
        rows = [*(held or self.cut_and_driven)(), *(r for n in self.networks for r in n.held())]
        self.rows = [r for r in rows if r.g is not None] + [r for r in rows if r.g is None]
        self.lam = column(motion.ops, [
            motion.ops.symbols([f"lam.{r.owner}.{n}" for n in r.names]) if r.lam is None else r.lam
            for r in self.rows
        ])  # fmt: skip
        ends = np.cumsum([0] + [r.size for r in self.rows])
        self.reactions = [
            r.react(self.lam[int(ends[i]) : int(ends[i + 1])]) for i, r in enumerate(self.rows)
        ]
        self.actions = {n: with_loads(motion, f.act(motion)) for n, f in model.forces.items()}
        self.actions |= {n: spring_action(motion, j) for n, j in model.joints.items() if j.springs}
        self.actions |= {n.name: n.action(motion) for n in self.networks if n.bonds.attachments}
        self.inertias = {n: self.inertia(n) for n in model.bodies}
        self.efforts = efforts_on_speeds(motion, self.actions.values(), self.reactions)
        self.wrenches = self._wrenches()

    def cut_and_driven(self) -> list[ConstraintRows]:
        """Rows of cut joints, drivers and constraints."""
        motion, kept = self.motion, cut_joints_with_coordinates(self.graph)
        rows = [spring_coordinate_rows(motion, j) for j in kept if j.springs]
        rows += [
            coordinate_rows(motion, j) if j in kept else cut_rows(motion, j)
            for j in self.graph.cuts
            if (j.m > 0 or j in kept) and not j.springs
        ]
        return [*rows, *self.driven()]

    def driven(self) -> list[ConstraintRows]:
        """Rows of drivers and constraints."""
        drivers = self.motion.model.drivers.values()
        found = [r for driver in drivers for r in driver_rows(self.motion, driver)]
        return [*found, *constraint_rows(self.motion)]

    def _evaluate_networks(self) -> None:
        """Networks at the motion; what they carry may be read by forces."""
        motion, new = self.motion, self.unknowns
        self.networks = evaluated_networks(motion, new, self.stores)
        lam = [r.lam for n in self.networks for r in n.held()]
        rates = column(motion.ops, [*new.a, *(a for _, a in self.stores), *lam])
        for name, o in self.network_observables().items():
            if not depends(motion.ops, o.expression, rates):
                motion.carry(name, o.expression)

    def network_observables(self) -> dict[str, SymbolicObservable]:
        """Efforts, flows and powers of the elements of all networks."""
        new, x = self.unknowns, [s.symbol for n in self.networks for s in n.states()]
        moving = [self.values.t, *new.q, *new.u, *(u for u, _ in self.stores), *x]
        found: dict[str, SymbolicObservable] = {}
        for n in self.networks:
            found |= network_observables(n.rows, n.bonds, moving)
        return found

    @property
    def states(self) -> list[AuxiliaryState]:
        """States x: of drivers, then of networks."""
        return [*(s for r in self.rows for s in r.states),
                *(s for n in self.networks for s in n.states())]  # fmt: skip

    def inertia(self, name: str) -> BodyInertia:
        """Mass, first moment and inertia of a body at its elastic coordinates."""
        body = self.graph.model.rigid.get(name)
        if body is not None:
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
            subtract_load(motion, wrenches, load)
        for own in (b for action in self.actions.values() for b in action.bending):
            wrenches[own.body].e = wrenches[own.body].e - own.value
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
        loops = [t for n in self.networks for t in n.loops]
        return with_loops(self.without_loops(name, residual), loops)

    def without_loops(self, name: str, residual: Any) -> Equations:
        """The contract without observables and without the algebraic loops of networks."""
        states, held = self.states, [r for r in self.rows if r.g is not None]
        new, stacked = self.unknowns, self.unknowns.column
        values = self.values
        tables = {n: slot.start for slots in (values.flexible, values.sections)
                  for n, slot in slots.items()}  # fmt: skip
        return Equations(
            written=Written(name, self.graph.tree), ops=self.motion.ops, layout=self._layout(),
            inputs=Inputs(values.p, values.p_default, values.index, tables, values.signals,
                          tuple(values.signal_slots)),
            t=values.t,
            q=stacked(new.q), u=stacked(new.u), a=stacked(new.a),
            x=stacked([self.motion.ops.full(s.symbol) for s in states]), lam=self.lam,
            qdot=stacked(new.qdot), residual=residual,
            g=stacked([r.g for r in held]), cv=stacked([r.cv for r in self.rows]),
            f=stacked([self.motion.ops.full(s.rate) for s in states]),
            speeds=Speeds(stacked(new.speeds), stacked(new.rates)),
            start=Start(x=stacked([self.motion.ops.full(s.start) for s in states])),
        )  # fmt: skip

    def observed(
        self, equations: Equations, transmitted: Mapping[str, tuple[Any, Any]],
        networks: Mapping[str, SymbolicObservable] | None = None,
    ) -> Equations:  # fmt: skip
        """With observables, the motion of bodies and what was given of the initial state.

        ``transmitted``: torque and force of tree joints, in world axes about the origin of M;
        ``networks``: observables of networks, if the formulation has its own.
        """
        observer = Observer(
            self.motion, self.graph, self.rows, self.reactions, self.actions, self.inertias
        )
        observer.observables |= self.network_observables() if networks is None else networks
        own = [n.name for n in self.networks]
        observer.observables = with_total_energy(observer.observables, own)
        jointed = {k: v for k, v in transmitted.items() if k in self.graph.model.joints}
        ops, on_frames = self.motion.ops, [*self._on_frames(jointed)]
        loads = section_loads(self.motion, on_frames)
        observer.finish(jointed, loads)
        frames = ((n, self.motion.frame(n)) for n in self.graph.model.bodies)
        told = Told(
            observer.observables, events=observer.events,
            bodies={n: ops.stack([ops.flat(s.R_WP), s.p_WP, s.v_WP, s.w_WP]) for n, s in frames},
            axial=axial_loads(self.motion, on_frames), loads=loads,
        )  # fmt: skip
        start = replace(
            given_state(self.motion, self.unknowns.column), x=equations.start.x,
            alignment=column(ops, [ops.full(a) for r in self.rows for a in r.alignment]),
        )  # fmt: skip
        return replace(equations, told=told, start=start)

    def _on_frames(self, transmitted: Mapping[str, tuple[Any, Any]]) -> Iterable[Load]:
        """All loads on frames: applied, of cut joints and drivers, and of tree joints."""
        yield from self._loads()
        for name, (torque, force) in transmitted.items():
            joint = self.graph.model.joints[name]
            F, M = (self.motion.frame(frame).p_WP for frame in (joint.parent, joint.child))
            yield Load(joint.child, force, torque)
            yield Load(joint.parent, -force, -torque - self.motion.ops.cross(M - F, force))

    def _layout(self) -> Layout:
        rows, held = self.rows, [r for r in self.rows if r.g is not None]
        counts = {name: own.count for name, own in self.motion.elastic.items()}
        total, elastic = sum(counts.values()), {}  # elastic coordinates stand last
        q, u = len(self.unknowns.q_names) - total, len(self.unknowns.u_names) - total
        for name, count in counts.items():
            elastic[name] = (q, u, count)
            q, u = q + count, u + count
        return Layout(
            q=tuple(self.unknowns.q_names),
            u=tuple(self.unknowns.u_names),
            rotations=tuple(self.unknowns.rotations),
            rows=tuple(Scalar(f"{r.owner}.{n}", u, r.owner)
                       for r in rows for n, u in zip(r.names, r.units, strict=True)),
            x=tuple(Scalar(s.name, s.unit, s.name.partition(".")[0]) for s in self.states),
            n_holonomic=sum(r.size for r in held), elastic=elastic,
        )  # fmt: skip


def subtract_load(motion: SystemMotion, wrenches: dict[str, Wrench], load: Load) -> None:
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
