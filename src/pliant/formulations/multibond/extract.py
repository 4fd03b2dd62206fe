"""From a pure bond graph to the contract.

Observables are effort, flow and power of every bond, energy of every store, the balance at every
junction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from pliant.bonds import BondGraph, State, assign
from pliant.bonds.causality import Forced
from pliant.bonds.dependence import Dependence
from pliant.bonds.elements import DOMAINS, STORES, WITHOUT_POWER, Bond, Node
from pliant.bonds.evaluate import Evaluation, stored_energy
from pliant.bonds.laws import column as law_column
from pliant.bonds.rows import BondEquations, extract
from pliant.bonds.states import change_in_time, starts, with_states
from pliant.bonds.structure import structural_state
from pliant.errors import InputError
from pliant.formulations.equations import (
    Equations,
    Inputs,
    LazyObservables,
    Maker,
    Speeds,
    Start,
    Told,
    Wishes,
    Written,
)  # fmt: skip
from pliant.formulations.loops import INTEGRAL, with_loops
from pliant.mechanics.inertia import BodyInertia
from pliant.mechanics.layout import Layout, Scalar
from pliant.mechanics.motion import SystemMotion
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.forces.action import Action
from pliant.observe.catalogue import SymbolicObservable
from pliant.spatial.linear import is_zero
from pliant.spatial.ops import SymbolicOps

NAME = "multibond"
Form = Literal["explicit", "mixed", "augmented"]
HELD = "form 'mixed': the graph has constraintors"


def equations(
    graph: BondGraph,
    ops: SymbolicOps,
    values: SymbolicValues,
    *,
    forced: Forced | None = None,
    form: Form = "explicit",
    observe: bool = True,
) -> Equations:
    """The contract of a graph without a mechanical configuration.

    ``form``: ``explicit`` (every store whose rate can be solved for is a state x), ``mixed``
    (flows in u, dependent stores without multipliers, rows of independent ones only) or
    ``augmented`` (the same with multipliers). Every speed gets a coordinate of its own, the
    integral of the flow: interpolation between implicit steps works on coordinates.
    """
    causality = assign(graph, forced, structural_state(graph, ops, values))
    has_cn = any(n.kind == "CN" for n in graph.nodes.values())
    if form == "mixed" and has_cn:
        raise InputError(HELD, "use form 'augmented'")
    held = form == "augmented" or has_cn
    rows = extract(graph, causality, ops, values, multipliers=held)
    if form == "explicit":
        rows = with_states(rows, change_in_time(values), lambda node: True)
    return _contract(rows, values, "augmented" if held else "mixed", observe)


def _contract(rows: BondEquations, values: SymbolicValues, form: str, observe: bool) -> Equations:
    ops, column = rows.ops, rows.column
    names = [Scalar(s.name, s.unit, s.node.name) for s in rows.speeds]
    q_names = [f"{s.name}{INTEGRAL}" for s in names]
    q, rate = ops.symbols(q_names), ops.symbols([n + ".rate" for n in q_names])
    held = [*rows.dependent, *rows.held]
    e = Equations(
        written=Written(NAME, form=form), ops=ops, layout=_layout(rows, names, q_names),
        inputs=Inputs(values.p, values.p_default, values.index, signals=values.signals,
                      slots=tuple(values.signal_slots)),
        t=values.t,
        q=q, u=rows.u, x=rows.x, a=rows.a,
        lam=column(ops.symbol(f"lam.{r.name}") if r.symbol is None else r.symbol for r in held),
        qdot=rows.u, residual=rows.residual,
        g=ops.symbols(()), cv=column(r.expression for r in held), f=rows.f,
        speeds=Speeds(rate, rate), start=_start(rows),
    )  # fmt: skip
    e = with_loops(e, rows.loops)
    if not observe:
        return e
    return replace(e, told=Told(bond_observables(rows.evaluation, [values.t, e.u, rows.x])))


def _layout(rows: BondEquations, names: list[Scalar], q_names: list[str]) -> Layout:
    held = [Scalar(r.name, r.unit, r.owner) for r in (*rows.dependent, *rows.held)]
    return Layout(
        q=tuple(Scalar(n, "", s.owner) for n, s in zip(q_names, names, strict=True)),
        u=tuple(names),
        rows=tuple(held),
        x=tuple(Scalar(r.name, r.unit, r.owner) for r in rows.rates),
    )


def _start(rows: BondEquations) -> Start:
    """Initial states; flows of inertias and efforts of compliances that have a start."""
    names, units, residuals = [], [], []
    for speed in rows.speeds:
        node = speed.node
        if node.kind in STORES and node.start is not None:
            own = (
                speed.symbol if node.kind == "I" else rows.unknowns.state.x[node.name][speed.place]
            )
            names.append(speed.name)
            units.append(speed.unit)
            state = State(rows.ops, rows.unknowns.state.numbers)
            start = law_column(rows.ops, state, node.start, node.dim)
            residuals.append(own - start[speed.place])
    wishes = Wishes(tuple(names), tuple(units), rows.column(residuals)) if names else None
    return Start(((Wishes(), wishes),) if wishes else (), x=rows.column(starts(rows)))


def bond_observables(evaluation: Evaluation, moving: Sequence[Any] = ()) -> LazyObservables:
    """``<bond>.effort``, ``.flow`` and ``.power`` (``.product`` where effort times flow is not a
    power); ``<store>.energy`` where the state alone determines it; ``<element>.residual``: Σ σ eᵀ f
    of an element that neither stores nor dissipates.

    Power flows along the half arrow. That of a source, store or resistance belongs to it, so that
    its work is reported. ``moving``: symbols of time, coordinates, speeds and other states.
    """

    def makers() -> dict[str, Maker]:
        found: dict[str, Maker] = {}
        for b, bond in enumerate(evaluation.graph.bonds):
            found |= _of_bond(evaluation, b, bond)
        for node in evaluation.graph.nodes.values():
            found |= _of_node(evaluation, node, moving)
        return found

    return LazyObservables(makers)


def given_efforts(rows: BondEquations) -> dict[str, SymbolicObservable]:
    """``<source>.effort`` of sources of flow that stores depend on: what it takes to move these as
    given. Derivative causality is inverse dynamics. Source: S0 8.2."""
    graph, causality, ops = rows.graph, rows.causality, rows.ops
    dependence = Dependence(graph, causality)
    moved = {n for r in causality.refused for n in dependence.givers(r.store, r.component)}
    return {
        f"{n.name}.effort": SymbolicObservable(
            "", n.name, "effort",
            expression=ops.full(ops.vec(*(e for e, _ in rows.evaluation.into(n.name)))),
        )
        for n in graph.nodes.values() if n.kind == "Sf" and n.name in moved
    }  # fmt: skip


def potentials(
    motion: SystemMotion, inertias: Mapping[str, BodyInertia], actions: Mapping[str, Action]
) -> LazyObservables:
    """Energies of sources that have one: ``<body>.g.energy``, -m g · p_c, what lifting the mass
    centre has taken; ``<spring>.energy``, ``<spring>.energy.heat``, the power it dissipates;
    ``<element>.energy.kinetic`` of an element of inertia."""
    gravity = motion.values.vector(motion.model.gravity)

    def lifted(name: str, inertia: BodyInertia) -> SymbolicObservable:
        X = motion.bodies[name].X_WB
        value = -motion.ops.dot(gravity, inertia.mass * X.p + X.R @ inertia.mc)
        return SymbolicObservable("J", name, "energy", expression=motion.ops.full(value))

    def of_action(name: str, value: Any, unit: str = "J") -> SymbolicObservable:
        return SymbolicObservable(unit, name, "energy", expression=motion.ops.full(value))

    def makers() -> dict[str, Maker]:
        found: dict[str, Maker] = {f"{n}.g.energy": partial(lifted, n, I)
                                   for n, I in inertias.items()}  # fmt: skip
        for name, action in actions.items():
            if action.potential is not None:
                found[f"{name}.energy"] = partial(of_action, name, action.potential)
            if action.dissipated is not None:
                found[f"{name}.energy.heat"] = partial(of_action, name, action.dissipated, "W")
            if action.kinetic is not None:
                found[f"{name}.energy.kinetic"] = partial(of_action, name, action.kinetic)
        return found

    return LazyObservables(makers)


def _of_bond(evaluation: Evaluation, b: int, bond: Bond) -> dict[str, Maker]:
    graph, ops, domain = evaluation.graph, evaluation.ops, DOMAINS[bond.domain]
    labels = () if bond.dim == 1 else tuple(str(k + 1) for k in range(bond.dim))

    def effort() -> SymbolicObservable:
        value = ops.full(evaluation.efforts(b))
        return SymbolicObservable(domain.effort, bond.name, "effort", labels, expression=value)

    def flow() -> SymbolicObservable:
        value = ops.full(evaluation.flows(b))
        return SymbolicObservable(domain.flow, bond.name, "rate", labels, expression=value)

    def power() -> SymbolicObservable:
        e, f = ops.full(evaluation.efforts(b)), ops.full(evaluation.flows(b))
        value = ops.full(ops.dot(e, f))
        if domain.is_power:
            ends = (graph.nodes[name] for name in (bond.tail, bond.head))
            owner = next((n.name for n in ends if n.kind not in WITHOUT_POWER), "")
            return SymbolicObservable("W", owner, "power", expression=value)
        return SymbolicObservable(domain.product, bond.name, expression=value)

    last = "power" if domain.is_power else "product"
    return {f"{bond.name}.{k}": v for k, v in (("effort", effort), ("flow", flow), (last, power))}


def _of_node(evaluation: Evaluation, node: Node, moving: Sequence[Any]) -> dict[str, Maker]:
    if node.kind in WITHOUT_POWER:

        def residual() -> SymbolicObservable:
            value = evaluation.ops.full(balance(evaluation, node.name))
            return SymbolicObservable("W", node.name, expression=value)

        return {f"{node.name}.residual": residual}
    energy = stored_energy(evaluation, node, moving) if node.kind in STORES else None
    if energy is None or is_zero(energy):
        return {}
    value = evaluation.ops.full(energy)
    told = SymbolicObservable("J", node.name, "energy", expression=value)
    return {f"{node.name}.energy": lambda: told}


def balance(evaluation: Evaluation, node: str) -> Any:
    """Power that enters an element: Σ σ eᵀ f."""
    return sum(effort * flow for effort, flow in evaluation.into(node))
