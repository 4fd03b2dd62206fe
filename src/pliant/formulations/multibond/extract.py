"""From a pure bond graph to the contract."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pliant.equations.contract import Equations, Given, Wishes
from pliant.equations.layout import Group, Layout, Scalar
from pliant.errors import InputError
from pliant.formulations.multibond.bond_observables import bond_observables
from pliant.graphs.bonds import BondGraph, State, assign
from pliant.graphs.bonds.causality import Forced
from pliant.graphs.bonds.elements import STORES, Node
from pliant.graphs.bonds.laws import column as law_column
from pliant.graphs.bonds.structure import structural_state
from pliant.mechanics.bonds.extract import extract
from pliant.mechanics.bonds.loops import INTEGRAL, with_loops
from pliant.mechanics.bonds.rows import Row, Rows
from pliant.mechanics.bonds.states import change_in_time, starts, with_states
from pliant.mechanics.symbolic_values import SymbolicValues
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


def _contract(rows: Rows, values: SymbolicValues, form: str, observe: bool) -> Equations:
    ops, column = rows.ops, rows.column
    names = [Scalar(s.name, s.unit, s.node.name) for s in rows.speeds]
    q_names = [f"{s.name}{INTEGRAL}" for s in names]
    q, rate = ops.symbols(q_names), ops.symbols([n + ".rate" for n in q_names])
    held = [*rows.dependent, *rows.held]
    e = Equations(
        formulation=NAME, ops=ops, form=form, layout=_layout(rows, names, q_names), t=values.t,
        q=q, u=rows.u, x=rows.x, a=rows.a, lam=column(_multipliers(rows, held)),
        p=values.p, p_default=values.p_default, qdot=rows.u, residual=rows.residual,
        g=ops.symbols(()), cv=column(r.expression for r in held), f=rows.f,
        u_of_qdot=rate, qdot_symbol=rate, x_start=rows.column(starts(rows)),
        parameters=values.index, signals=values.signals,
        signal_slots=tuple(values.signal_slots), given=_given(rows),
    )  # fmt: skip
    e = with_loops(e, rows.loops)
    if not observe:
        return e
    return replace(e, observables=bond_observables(rows.evaluation, [values.t, e.u, rows.x]))


def _multipliers(rows: Rows, held: list[Row]) -> list[Any]:
    """Those that the rows contain, others that nothing contains."""
    return [rows.ops.symbol(f"lam.{r.name}") if r.symbol is None else r.symbol for r in held]


def _layout(rows: Rows, names: list[Scalar], q_names: list[str]) -> Layout:
    held = [Scalar(r.name, r.unit, r.owner) for r in (*rows.dependent, *rows.held)]
    return Layout(
        q=tuple(Scalar(n, "", s.owner) for n, s in zip(q_names, names, strict=True)),
        u=tuple(names),
        groups=(Group("real", 0, len(names)),) if names else (),
        rows=tuple(held),
        x=tuple(Scalar(r.name, r.unit, r.owner) for r in rows.rates),
    )


def _start(rows: Rows, node: Node) -> list[Any]:
    given = 0.0 if node.start is None else node.start
    state = State(rows.ops, rows.unknowns.state.numbers)
    return _entries(law_column(rows.ops, state, given, node.dim))


def _given(rows: Rows) -> Given:
    """Initial flows of inertias and efforts of compliances that have a start."""
    names, units, residuals = [], [], []
    for speed in rows.speeds:
        node = speed.node
        if node.kind in STORES and node.start is not None:
            own = (
                speed.symbol if node.kind == "I" else rows.unknowns.state.x[node.name][speed.place]
            )
            names.append(speed.name)
            units.append(speed.unit)
            residuals.append(own - _start(rows, node)[speed.place])
    if not names:
        return Given()
    return Given(((Wishes(), Wishes(tuple(names), tuple(units), rows.column(residuals))),))


def _entries(column: Any) -> list[Any]:
    return [column[k] for k in range(column.numel())]
