"""The multibond formulation: the graph of a system, its causality, and the equations they give.

Tree joints make stores of the bodies dependent: mixed causality, no multipliers, a rectangular mass
matrix (S0 (8.42) and (8.45)). What closes a loop, and every driver, is a constraintor; then the
dependent stores are held by multipliers, too. The stores of free bodies are integral: where every
body is free and every joint cut, only joints have multipliers (S0 (8.38)-(8.39)).

Forms of the equations of a bond graph, to be read:

explicit     x' = f                              stores as states; without bodies
mixed        rows of independent stores          dependent stores without multipliers, (8.42)
             u_d - L u_i - b = 0                 and (8.45)
augmented    M u' = h + Gᵀ λ, G u + b = 0        a row for every store, (8.38)-(8.39)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from typing import Any

from pliant.bonds import BondGraph, Causality, Source, assign
from pliant.bonds.causality import Forced
from pliant.bonds.elements import STORES
from pliant.bonds.networks.equations import NetworkNumbers
from pliant.bonds.networks.graph import networks_bonds
from pliant.bonds.rows import BondEquations, extract, followed
from pliant.bonds.structure import structural_state
from pliant.bonds.unknowns import Speed, Symbols
from pliant.errors import InputError
from pliant.formulations.derivation.state_map import cut_joints_with_coordinates
from pliant.formulations.derivation.tree import TreeDerivation
from pliant.formulations.equations import Equations
from pliant.formulations.loops import with_loops
from pliant.formulations.multibond import bodies, joints
from pliant.formulations.multibond import networks as beside
from pliant.formulations.multibond.extract import (
    HELD,
    Form,
    bond_observables,
    given_efforts,
    potentials,
)
from pliant.formulations.multibond.extract import equations as network_equations
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.layout import Scalar
from pliant.mechanics.rows import ConstraintRows
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.mechanics.unknowns import column
from pliant.records import dataclass
from pliant.spatial.ops import SymbolicOps

NAME = "multibond"


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True, form: str = "") -> Equations:
    """Equations from the multibond graph of a system. Source: S0, chapters 6 to 8.

    ``form``: ``"mixed"`` or ``"augmented"``; without it mixed where nothing is held.
    """
    return _Derivation(graph, ops).equations(observe, form)


@dataclass(frozen=True, slots=True)
class SystemBonds:
    """The multibond graph of a system with its causality; ``coordinates``: the names of q;
    ``held``: how many equations hold cut joints and drivers; ``sizes``: gives rows and columns of
    M, and the dependent stores among the columns."""

    graph: BondGraph
    causality: Causality
    coordinates: tuple[str, ...]
    held: int
    sizes: Callable[[], tuple[int, int, int]]


def system_bonds(graph: SystemGraph, ops: SymbolicOps) -> SystemBonds:
    """The graph from which ``derive`` reads the equations of a system."""
    d = _Derivation(graph, ops)
    names = tuple(s.name for s in d.skeleton.unknowns.q_names)
    held = sum(r.size for r in d.skeleton.rows)
    return SystemBonds(d.graph, d.causality, names, held, d.sizes)


class _Derivation:
    """Builds the graph of a system, then reads its equations."""

    def __init__(self, graph: SystemGraph, ops: SymbolicOps) -> None:
        self.tree, self.ops = graph, ops
        self.skeleton = TreeDerivation.of(graph, ops)
        self.motion = self.skeleton.motion
        self.graph = BondGraph(graph.model.name)
        self.symbols = Symbols(ops)
        self.kept = cut_joints_with_coordinates(graph)
        bodies.move_tree(self.skeleton, self.symbols)
        self.skeleton.stores = beside.store_flows(self.symbols, graph.bodies)
        self.skeleton.close()
        self._build()

    # --- the graph

    def _build(self) -> None:
        if self.tree.bodies or any(n.bonds.attachments for n in self.skeleton.networks):
            bodies.add_ground(self.graph)
        for body in self.tree.bodies:
            bodies.add_body(self.graph, self.motion, body, self.skeleton.inertias[body])
        for edge in self.tree.edges:
            state = self.motion.joints[edge.joint.name]
            (joints.add_rate_joint if bodies.has_rates(edge.joint) else joints.add_ball)(
                self.graph, self.motion, state
            )
        for joint in self.kept:
            state = self.motion.joints[joint.name]
            joints.add_speeds(self.graph, state.joint)
            rates = column(self.ops, self.skeleton.unknowns.a)
            bodies.know_rates(
                self.symbols, state, rates[state.start : state.start + state.joint.nu]
            )
        self._hold()
        for joint in self.tree.model.joints.values():
            if joint.springs:
                joints.add_springs(self.graph, self.motion, joint)
        beside.add_networks(self.graph, self.skeleton, self.symbols)
        for name in self.tree.model.forces:
            action = self.skeleton.actions[name]
            self._apply(name, action.loads, ())
            for k, effort in enumerate(action.efforts):
                at = self.motion.coordinate_index(effort.joint, effort.coordinate)
                self._effort(f"{name}.{k + 1}" if k else name, effort.joint, at, effort.value)

    def _hold(self) -> None:
        """Constraintors of cut joints and joint drivers; other rows by the loads of λ."""
        place = 0
        for row, reaction in zip(self.skeleton.rows, self.skeleton.reactions, strict=True):
            lam = self.skeleton.lam[place : place + row.size]
            place += row.size
            if self._is_constraintor(row):
                self._constraintor(row, lam)
            else:
                self._apply(f"{row.owner}.{row.names[0]}", reaction.loads, reaction.efforts)

    def _is_constraintor(self, row: ConstraintRows) -> bool:
        model = self.tree.model
        driver = model.joint_drivers.get(row.owner)
        if driver is not None:
            return not self.motion.is_measured(driver.joint, driver.coordinate)
        return row.owner in model.joints and row.owner not in self.motion.joints

    def _constraintor(self, row: ConstraintRows, lam: Any) -> None:
        model = self.tree.model
        driver = model.joint_drivers.get(row.owner)
        if driver is not None:
            joint = self.motion.joints[driver.joint]
            k = self.motion.coordinate_index(driver.joint, driver.coordinate)
            rate = joint.u[k] - row.cv[0]
            joints.add_driver(self.graph, row.owner, f"{driver.joint}.u", joint.joint.nu, k, rate)
            labels = ["lam"]
        else:
            joints.add_constraintor(self.graph, self.motion, model.joints[row.owner])
            labels = list(row.names)
        for k, label in enumerate(labels):
            self.symbols.put(f"{row.owner}.CN.{label}", lam[k])

    def _apply(self, name: str, loads: Iterable[Any], efforts: Iterable[tuple[int, Any]]) -> None:
        """Loads on frames and efforts on speeds as modulated sources of effort."""
        for i, load in enumerate(loads):
            body, _ = self.motion.placement(load.frame)
            if body == GROUND:
                continue
            R = self.motion.bodies[body].X_WB.R
            w, v = bodies.add_frame(self.graph, self.motion, load.frame)
            for part, at, value in (("T", w, load.torque), ("F", v, load.force)):
                source = Source(bodies.constant(R.T @ value))
                self.graph.add("Se", f"{name}.{part}{i + 1}", source, 3, owner=name, on=at)
        for k, value in efforts:
            state = next(s for s in self.motion.joints.values()
                         if s.start <= k < s.start + s.joint.nu)  # fmt: skip
            self._effort(f"{name}.u{k + 1}", state.joint.name, k - state.start, value)

    def _effort(self, name: str, joint: str, place: int, value: Any) -> None:
        n = self.motion.joints[joint].joint.nu
        own = self.ops.vec(*(value if k == place else 0 for k in range(n)))
        self.graph.add("Se", name, Source(bodies.constant(own)), n, owner=name, on=f"{joint}.u")

    # --- the equations

    def equations(self, observe: bool, form: str = "") -> Equations:
        """What the causal graph says, in the contract."""
        if form == "mixed" and self.skeleton.rows:
            raise InputError(HELD, "use form 'augmented'")
        held = form == "augmented" or bool(self.skeleton.rows)
        rows = self._rows(held)
        e = self.skeleton.without_loops(NAME, rows.residual)
        e = replace(e, f=beside.network_rates(e, rows))
        e = with_loops(self._reordered(e, rows, held, observe), rows.loops)
        if not observe:
            return e
        self.skeleton.actions |= beside.network_actions(rows, self.skeleton)
        networks = beside.observables_of_networks(e, rows, self.skeleton)
        e = self.skeleton.observed(e, self._transmitted(rows), networks)
        own = bond_observables(rows.evaluation, [e.t, e.q, e.u, e.x])
        known = potentials(self.motion, self.skeleton.inertias, self.skeleton.actions)
        return e.telling(further=known | own)

    def _rows(self, held: bool) -> BondEquations:
        """What the causal graph says, stores of networks as states."""
        rows = extract(self.graph, self.causality, self.ops, NetworkNumbers(self.motion),
                       multipliers=held, symbols=self.symbols)  # fmt: skip
        return beside.with_network_states(rows, self.skeleton)

    def sizes(self) -> tuple[int, int, int]:
        """Rows and columns of M, dependent stores among the columns. Stores of networks may be
        states beside them: then the equations tell."""
        held, causality = bool(self.skeleton.rows), self.causality
        in_networks = (n for own in self.skeleton.networks for n in own.bonds.graph.nodes.values())
        if causality.conflicts or any(n.kind in STORES for n in in_networks):
            rows = self._rows(held)
            return len(rows.dynamic), len(rows.speeds), len(rows.dependent)
        columns = sum(n.dim for n in self.graph.nodes.values() if n.kind == "I")
        dependent = len(causality.derivative)
        return columns if held else columns - dependent, columns, dependent

    @cached_property
    def causality(self) -> Causality:
        state = structural_state(self.graph, self.ops, NetworkNumbers(self.motion))
        return assign(self.graph, beside.forced_strokes(self.skeleton.networks), state)

    def _reordered(self, e: Equations, rows: BondEquations, held: bool, observe: bool) -> Equations:
        """u: the flows of all stores; rows of cv: position level, dependent stores, velocities."""
        ops, layout = self.ops, e.layout
        names = [Scalar(self._name(s), s.unit, s.node.owner) for s in rows.speeds]
        graph_cv: dict[str, list[Any]] = {}
        for r in rows.held:
            graph_cv.setdefault(r.owner.removesuffix(".CN"), []).append(r.expression)
        own = [(r, graph_cv.get(r.owner)) for r in self.skeleton.rows]
        cv = {r.owner + r.names[0]: ops.vec(*g) if g else followed(rows, r.cv) for r, g in own}
        first = [r for r, _ in own if r.g is not None]
        last = [r for r, _ in own if r.g is None]
        dependent = list(rows.dependent)
        order = [*(cv[r.owner + r.names[0]] for r in first),
                 *([ops.vec(*(r.expression for r in dependent))] if dependent else []),
                 *(cv[r.owner + r.names[0]] for r in last)]  # fmt: skip
        n = layout.n_holonomic
        short = {s.name: self._name(s) for s in rows.speeds}
        middle = tuple(Scalar(short[r.name], r.unit, self.graph.nodes[r.owner].owner)
                       for r in dependent)  # fmt: skip
        lam = self.skeleton.lam
        between = [r.symbol if r.symbol is not None else ops.symbol(f"lam.{r.name}")
                   for r in dependent]  # fmt: skip
        parts = [lam[k] for k in range(n)] + between + [lam[k] for k in range(n, lam.numel())]
        elastic = {}
        where = {s.name: k for k, s in enumerate(rows.speeds)}
        for name, (q, _, count) in e.layout.elastic.items():
            first_name = self.motion.elastic[name].names
            u = where[f"{name}.xi.M.{first_name[0]}_rate"] if count else 0
            elastic[name] = (q, u, count)
        return replace(
            e, u=rows.u, a=rows.a, cv=column(ops, order),
            lam=column(ops, [ops.vec(*parts)] if parts else []),
            layout=replace(layout, u=tuple(names), elastic=elastic,
                           rows=(*layout.rows[:n], *middle, *layout.rows[n:])),
            written=replace(e.written, form="augmented" if held or not dependent else "mixed"),
            speeds=replace(e.speeds, u=self._speeds_of(e, rows) if observe else rows.u),
        )  # fmt: skip

    def _speeds_of(self, e: Equations, rows: BondEquations) -> Any:
        """u from q': joint and elastic speeds as they are, flows of stores from the poses."""
        known = {s.name: e.speeds.u[k] for k, s in enumerate(e.layout.u)}
        known |= bodies.flows_of_rates(self.skeleton, e)
        own = {s.name: known[self._name(s)] for s in rows.speeds if self._name(s) in known}
        own |= beside.flows_of_networks(rows, own)
        return self.ops.vec(*(own.get(s.name, s.symbol) for s in rows.speeds))

    def _name(self, speed: Speed) -> str:
        """The name of a speed; those of bodies are short."""
        return bodies.public(speed.name) if speed.node.owner in self.tree.bodies else speed.name

    def _transmitted(self, rows: BondEquations) -> dict[str, tuple[Any, Any]]:
        """Torque and force of tree joints on their child, in world axes about M."""
        found = {}
        for edge in self.tree.edges:
            joint = edge.joint
            if joint.name not in self.tree.model.joints or not joint.m:
                continue
            body = self.motion.placement(joint.child)[0]
            R = self.motion.bodies[body].X_WB.R
            bonds = {b.name for b in self.graph.bonds} & {f"{joint.name}.{p}" for p in "wv"}
            w, v = (rows.evaluation.efforts(f"{joint.name}.{p}") if f"{joint.name}.{p}" in bonds
                    else self.ops.zeros(3) for p in "wv")  # fmt: skip
            found[joint.name] = R @ w, R @ v
        return found


def written(graph: SystemGraph, ops: SymbolicOps, form: Form) -> Equations:
    """The equations of a system in one of the forms of its bond graph, without observables."""
    if graph.bodies:
        if form == "explicit":
            raise InputError("form 'explicit': the model has bodies",
                             "use form 'mixed', 'augmented' or 'embedding'")  # fmt: skip
        return derive(graph, ops, observe=False, form=form)
    if form == "explicit":
        d = _Derivation(graph, ops)
        e = d.equations(observe=False)
        e = e.telling(observables=given_efforts(d._rows(held=False)))
    else:
        e = _of_networks(graph, ops, form)
    layout = replace(e.layout, q=(), rotations=())
    return replace(e, written=replace(e.written, form=form, tree=""), q=ops.symbols(()),
                   layout=layout)  # fmt: skip


def _of_networks(graph: SystemGraph, ops: SymbolicOps, form: Form) -> Equations:
    """The networks of a model without bodies as one graph."""
    whole = BondGraph(graph.model.name)
    forced: Forced = {}
    for bonds in networks_bonds(graph.model, multipliers=form == "augmented"):
        whole.absorb(bonds.graph)
        forced = {**forced, **bonds.forced}
    values = SymbolicValues(graph.model, ops)
    return network_equations(whole, ops, values, forced=forced, form=form, observe=False)
