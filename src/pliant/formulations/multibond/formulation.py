"""The multibond formulation: the graph of a system, its causality, and the equations they give.

Tree joints in rate form make the stores of the bodies dependent: mixed causality, no multipliers, a
rectangular mass matrix (S0 (8.42) and (8.45)). What closes a loop, and every driver, is a
constraintor; then the dependent stores are held by multipliers, too (S0 (8.38)-(8.39)).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.equations.layout import Scalar
from pliant.formulations.multibond.bodies import (
    add_body,
    add_frame,
    add_ground,
    body_motion,
    constant,
)
from pliant.formulations.multibond.extract import extract
from pliant.formulations.multibond.joints import (
    add_constraintor,
    add_driver,
    add_rate_joint,
    add_speeds,
)
from pliant.formulations.multibond.rows import Row
from pliant.formulations.multibond.rows import Rows as BondRows
from pliant.formulations.multibond.unknowns import Symbols
from pliant.graphs import SystemGraph, TreeEdge
from pliant.graphs.bonds import BondGraph, Causality, Source, State, assign
from pliant.graphs.spanning_tree import GROUND
from pliant.mechanics.motion import RATE, BodyMotion, JointState
from pliant.mechanics.rows import Rows
from pliant.mechanics.skeleton import Skeleton
from pliant.mechanics.unknowns import column
from pliant.mechanics.usage import kept_joints
from pliant.model.drivers import JointDriver
from pliant.spatial.ops import SymbolicOps
from pliant.spatial.pose import Pose

NAME = "multibond"
_STORES = ("vx", "vy", "vz", "wx", "wy", "wz")


def derive(graph: SystemGraph, ops: SymbolicOps, observe: bool = True) -> Equations:
    """Equations from the multibond graph of a system. Source: S0, chapters 6 to 8."""
    return _Derivation(graph, ops).equations(observe)


@dataclass(frozen=True, slots=True)
class SystemBonds:
    """The multibond graph of a system with its causality; ``coordinates``: the names of q;
    ``held``: how many equations hold cut joints and drivers."""

    graph: BondGraph
    causality: Causality
    coordinates: tuple[str, ...]
    held: int


def system_bonds(graph: SystemGraph, ops: SymbolicOps) -> SystemBonds:
    """The graph from which ``derive`` reads the equations of a system."""
    d = _Derivation(graph, ops)
    names = tuple(s.name for s in d.skeleton.unknowns.q_names)
    held = sum(r.size for r in d.skeleton.rows)
    return SystemBonds(d.graph, d.causality(), names, held)


class _Derivation:
    """Builds the graph of a system, then reads its equations."""

    def __init__(self, graph: SystemGraph, ops: SymbolicOps) -> None:
        self.tree, self.ops = graph, ops
        self.skeleton = Skeleton.of(graph, ops)
        self.motion = self.skeleton.motion
        self.graph = BondGraph(graph.model.name)
        self.symbols = Symbols(ops)
        self.kept = kept_joints(graph)
        self._move()
        self.skeleton.close()
        self._build()

    # --- motion in terms of the flows of stores

    def _move(self) -> None:
        """Poses in the coordinates of the tree, velocities in the flows of the bodies' stores."""
        joints = {e.joint.name: self.skeleton.unknowns.joint(e.joint) for e in self.tree.edges}
        moving = [j.state.q for j in joints.values()]
        rates = [j.qdot for j in joints.values()]
        for e in self.motion.elastic.values():
            moving.append(e.q)
            rates.append(e.u)
        for joint in joints.values():
            self._know(joint.state, joint.udot)
        change = column(self.ops, moving), column(self.ops, rates)
        for edge in self.tree.edges:
            across = self._across(edge, joints[edge.joint.name].state)
            X_WB = self.motion.bodies[edge.inner].X_WB @ across
            self.motion.bodies[edge.outer] = self._body(edge.outer, X_WB, change)

    def _across(self, edge: TreeEdge, state: JointState) -> Pose:
        """Pose of the outer body in the inner one."""
        turned = Pose(self.ops.const(state.joint.canonical_axes()), self.ops.zeros(3))
        X_PF = self.motion.placement(state.joint.parent)[1] @ turned
        X_CM = self.motion.placement(state.joint.child)[1] @ turned
        X = X_PF @ state.X_FM @ X_CM.inverse
        return X.inverse if edge.flipped else X

    def _body(self, body: str, X_WB: Pose, change: tuple[Any, Any]) -> BodyMotion:
        """Symbols of the two stores of a body, and its motion in them."""
        u, a = (self.ops.symbols([f"{body}.{s}{mark}" for s in _STORES]) for mark in ("", RATE))
        elastic = self.motion.elastic.get(body)
        names = [f"{body}.m.{s}" for s in _STORES[:3]] + [f"{body}.xi.M.{s}" for s in _STORES[3:]]
        for k, name in enumerate(names):
            self._put(name, u[k], a[k])
        for k, name in enumerate(elastic.names if elastic is not None else ()):
            self._put(f"{body}.xi.M.{name}_rate", elastic.u[k], elastic.a[k])  # type: ignore[union-attr]
        inertia = self.skeleton.inertia(body)
        return body_motion(self.motion, body, X_WB, inertia, u, a, change)

    def _know(self, state: JointState, a: Any) -> None:
        for k, name in enumerate(state.joint.rate_names):
            self._put(f"{state.joint.name}.{name}", state.u[k], a[k])

    def _put(self, name: str, u: Any, a: Any) -> None:
        self.symbols.put(name, u)
        self.symbols.put(name + RATE, a)

    # --- the graph

    def _build(self) -> None:
        add_ground(self.graph)
        for body, inertia in self.skeleton.inertias.items():
            add_body(self.graph, self.motion, body, inertia)
        for edge in self.tree.edges:
            add_rate_joint(self.graph, self.motion, self.motion.joints[edge.joint.name])
        for joint in self.kept:
            state = self.motion.joints[joint.name]
            add_speeds(self.graph, state.joint)
            self._know(state, self._kept_rates(joint.name))
        self._hold()
        for name, action in self.skeleton.actions.items():
            self._apply(name, action.loads, ())
            for k, effort in enumerate(action.efforts):
                at = self.motion.coordinate_index(effort.joint, effort.coordinate)
                self._effort(f"{name}.{k + 1}" if k else name, effort.joint, at, effort.value)

    def _kept_rates(self, name: str) -> Any:
        start = self.motion.joints[name].start
        new = self.skeleton.unknowns
        return column(self.ops, new.a)[start : start + self.motion.joints[name].joint.nu]

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

    def _is_constraintor(self, row: Rows) -> bool:
        model = self.tree.model
        if isinstance(model.drivers.get(row.owner), JointDriver):
            return True
        return row.owner in model.joints and row.owner not in self.motion.joints

    def _constraintor(self, row: Rows, lam: Any) -> None:
        model = self.tree.model
        driver = model.drivers.get(row.owner)
        if isinstance(driver, JointDriver):
            joint = self.motion.joints[driver.joint]
            k = self.motion.coordinate_index(driver.joint, driver.coordinate)
            rate = joint.u[k] - row.cv[0]
            add_driver(self.graph, row.owner, f"{driver.joint}.u", joint.joint.nu, k, rate)
            labels = ["lam"]
        else:
            add_constraintor(self.graph, self.motion, model.joints[row.owner])
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
            w, v = add_frame(self.graph, self.motion, load.frame)
            for part, at, value in (("T", w, load.torque), ("F", v, load.force)):
                self.graph.add("Se", f"{name}.{part}{i + 1}", Source(constant(R.T @ value)), 3,
                               owner=name, on=at)  # fmt: skip
        for k, value in efforts:
            state = next(s for s in self.motion.joints.values()
                         if s.start <= k < s.start + s.joint.nu)  # fmt: skip
            self._effort(f"{name}.u{k + 1}", state.joint.name, k - state.start, value)

    def _effort(self, name: str, joint: str, place: int, value: Any) -> None:
        n = self.motion.joints[joint].joint.nu
        own = self.ops.vec(*(value if k == place else 0 for k in range(n)))
        self.graph.add("Se", name, Source(constant(own)), n, owner=name, on=f"{joint}.u")

    # --- the equations

    def equations(self, observe: bool) -> Equations:
        """What the causal graph says, in the contract."""
        held = bool(self.skeleton.rows)
        rows = extract(self.graph, self.causality(), self.ops, self.skeleton.values,
                       multipliers=held, symbols=self.symbols)  # fmt: skip
        e = self.skeleton.equations(NAME, rows.residual)
        e = self._reordered(e, rows, held)
        if not observe:
            return e
        return self.skeleton.observed(e, self._transmitted(rows))

    def causality(self) -> Causality:
        return assign(self.graph, state=State(self.ops, self.skeleton.values))

    def _reordered(self, e: Equations, rows: BondRows, held: bool) -> Equations:
        """u: the flows of all stores; rows of cv: position level, dependent stores, velocities."""
        ops, layout = self.ops, e.layout
        names = [Scalar(_public(s.name), s.unit, s.node.owner) for s in rows.speeds]
        graph_cv: dict[str, list[Any]] = {}
        for r in rows.held:
            graph_cv.setdefault(r.owner.removesuffix(".CN"), []).append(r.expression)
        own = [(r, graph_cv.get(r.owner)) for r in self.skeleton.rows]
        cv = {r.owner + r.names[0]: ops.vec(*g) if g else r.cv for r, g in own}
        first = [r for r, _ in own if r.g is not None]
        last = [r for r, _ in own if r.g is None]
        dependent = list(rows.dependent)
        order = [*(cv[r.owner + r.names[0]] for r in first),
                 *([ops.vec(*(r.expression for r in dependent))] if dependent else []),
                 *(cv[r.owner + r.names[0]] for r in last)]  # fmt: skip
        n = layout.n_holonomic
        middle = tuple(Scalar(_public(r.name), r.unit, self.graph.nodes[r.owner].owner)
                       for r in dependent)  # fmt: skip
        lam = self.skeleton.lam
        between = _multipliers(ops, dependent)
        parts = [lam[k] for k in range(n)] + between + [lam[k] for k in range(n, lam.numel())]
        elastic = {}
        where = {s.name: k for k, s in enumerate(rows.speeds)}
        for name, (q, _, count) in e.elastic.items():
            first_name = self.motion.elastic[name].names
            u = where[f"{name}.xi.M.{first_name[0]}_rate"] if count else 0
            elastic[name] = (q, u, count)
        return replace(
            e, u=rows.u, a=rows.a, cv=column(ops, order),
            lam=column(ops, [ops.vec(*parts)] if parts else []),
            layout=replace(layout, u=tuple(names),
                           rows=(*layout.rows[:n], *middle, *layout.rows[n:])),
            form="augmented" if held else "mixed", elastic=elastic,
            u_of_qdot=self._speeds_of(e, rows),
        )  # fmt: skip

    def _speeds_of(self, e: Equations, rows: BondRows) -> Any:
        """u from q': joint and elastic speeds; those of dependent stores follow from them."""
        independent, given = e.u, e.u_of_qdot
        names = [r.name for r in rows.dependent]
        solved = dict(zip(names, _solutions(self.ops, rows), strict=True))
        total = self.ops.vec(*(solved.get(s.name, s.symbol) for s in rows.speeds))
        if not independent.numel():
            return total
        return self.ops.substitute([total], independent, given)[0]

    def _transmitted(self, rows: BondRows) -> dict[str, tuple[Any, Any]]:
        """Torque and force of tree joints on their child, in world axes about M."""
        found = {}
        for edge in self.tree.edges:
            joint = edge.joint
            if joint.name not in self.tree.model.joints:
                continue
            body = self.motion.placement(joint.child)[0]
            R = self.motion.bodies[body].X_WB.R
            w, v = (
                self.ops.vec(*(rows.evaluation.effort(f"{joint.name}.{part}", k) for k in range(3)))
                for part in ("w", "v")
            )
            found[joint.name] = R @ w, R @ v
        return found


def _multipliers(ops: SymbolicOps, dependent: list[Row]) -> list[Any]:
    return [r.symbol if r.symbol is not None else ops.symbol(f"lam.{r.name}") for r in dependent]


def _solutions(ops: SymbolicOps, rows: BondRows) -> list[Any]:
    """Flows of dependent stores, σ f of their rows u - σ f = 0."""
    symbols = {s.name: s.symbol for s in rows.speeds}
    return [
        -ops.substitute([ops.full(r.expression)], ops.full(symbols[r.name]), ops.zeros(1))[0]
        for r in rows.dependent
    ]


def _public(name: str) -> str:
    """body.m.vx and body.xi.M.wx are body.vx and body.wx."""
    return name.replace(".xi.M.", ".").replace(".m.", ".")
