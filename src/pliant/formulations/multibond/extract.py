"""From a graph with its causality to rows of equations, and of a pure bond graph to the contract.

Algebraic loops in the contract: the unknowns z are entries of u without mass, their equations k are
velocity constraints without a position level.

    with multipliers     residual of z:  -(∂k/∂z)ᵀ λ_k = 0, of u also -(∂k/∂u)ᵀ λ_k; as ∂k/∂z is
                         regular, λ_k = 0
    without              the rows of k join those of the dependent stores

So every solver holds k = 0 as it holds any velocity constraint, by projection after each step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from pliant.equations.contract import Equations, Given
from pliant.equations.layout import Group, Layout, Scalar
from pliant.errors import InputError, ModelError
from pliant.formulations.multibond.bond_observables import bond_observables
from pliant.formulations.multibond.evaluate import Evaluation
from pliant.formulations.multibond.objections import objections, rows_with
from pliant.formulations.multibond.rows import Row, Rows, rows_of
from pliant.formulations.multibond.unknowns import (
    Configuration,
    Symbols,
    Unknowns,
    promoted_from,
)
from pliant.graphs.bonds import BondGraph, Causality, State, assign
from pliant.graphs.bonds.causality import Forced
from pliant.graphs.bonds.diagnosis import conflicts
from pliant.graphs.bonds.elements import STORES, Node
from pliant.graphs.bonds.laws import column as law_column
from pliant.graphs.bonds.linear import depends
from pliant.graphs.bonds.state import Numbers
from pliant.mechanics.motion import RATE
from pliant.mechanics.values import Values
from pliant.spatial.ops import SymbolicOps

NAME = "multibond"
Form = Literal["mixed", "augmented"]
_INTEGRAL = "_integral"


def extract(
    graph: BondGraph,
    causality: Causality,
    ops: SymbolicOps,
    numbers: Numbers,
    *,
    configurations: Iterable[Configuration] = (),
    multipliers: bool = False,
    symbols: Symbols | None = None,
) -> Rows:
    """The rows of a graph. ``multipliers``: dependent stores keep their own rows, and multipliers
    hold them (W = Gᵀ); else what they take enters the rows of the others.

    A compliance in derivative causality becomes an effort in u, and with it every compliance that
    determines it. Raises a ModelError with all conflicts or objections.
    """
    found = conflicts(causality)
    if found:
        raise ModelError(found, graph.name)
    places, promoted = tuple(configurations), promoted_from(causality)
    symbols = symbols or Symbols(ops)
    while True:
        unknowns = Unknowns.of(
            graph, causality, numbers, symbols, ops, configurations=places, promoted=promoted,
            multipliers=multipliers,
        )  # fmt: skip
        evaluation = Evaluation(graph, causality, ops, unknowns.state, unknowns)
        rows = rows_of(evaluation, unknowns, places)
        more = _coupled(rows) - promoted
        if not more:
            break
        promoted |= more
    faults = objections(rows)
    if faults:
        raise ModelError(faults, graph.name)
    return rows


def _coupled(rows: Rows) -> frozenset[str]:
    """Compliances with states x that dependent compliances depend on, or that see u' or λ."""
    nodes, x = rows.graph.nodes, rows.unknowns.state.x
    held = [r.symbol for r in (*rows.dependent, *rows.held) if r.symbol is not None]
    moving = rows.column([*(s.rate for s in rows.speeds), *held])
    found = {r.owner for r in rows_with(rows, rows.rates, moving)}
    shared = rows.column(r.expression for r in rows.dependent if nodes[r.owner].kind == "C")
    for name in dict.fromkeys(r.owner for r in rows.rates):
        if depends(rows.ops, shared, x[name]):
            found.add(name)
    return frozenset(found)


def equations(
    graph: BondGraph,
    ops: SymbolicOps,
    values: Values,
    *,
    forced: Forced | None = None,
    form: Form | None = None,
    observe: bool = True,
) -> Equations:
    """The contract of a graph without a mechanical configuration.

    Every speed gets a coordinate of its own, the integral of the flow: interpolation between
    implicit steps works on coordinates. ``form``: ``mixed`` (dependent stores without multipliers,
    rows of independent ones only) or ``augmented``; the default is mixed if there is no CN.
    """
    causality = assign(graph, forced)
    has_cn = any(n.kind == "CN" for n in graph.nodes.values())
    chosen = form or ("augmented" if has_cn else "mixed")
    if chosen == "mixed" and has_cn:
        raise InputError("form 'mixed': the graph has constraintors", "use form 'augmented'")
    rows = extract(graph, causality, ops, values, multipliers=chosen == "augmented")
    return _contract(rows, values, chosen, observe)


def _contract(rows: Rows, values: Values, form: Form, observe: bool) -> Equations:
    ops, column = rows.ops, rows.column
    speeds = [s.symbol for s in rows.speeds] + [t.symbol for t in rows.loops]
    names = [Scalar(s.name, s.unit, s.node.name) for s in rows.speeds]
    names += [Scalar(t.name, t.unit, t.owner) for t in rows.loops]
    q_names = [f"{s.name}{_INTEGRAL}" for s in names]
    a = [s.rate for s in rows.speeds] + [ops.symbol(t.name + RATE) for t in rows.loops]
    lam, residual = _held_together(rows)
    q, u, rate = ops.symbols(q_names), column(speeds), ops.symbols([n + ".rate" for n in q_names])
    return Equations(
        formulation=NAME, ops=ops, form=form, layout=_layout(rows, names, q_names), t=values.t,
        q=q, u=u, x=rows.x, a=column(a), lam=lam, p=values.p, p_default=values.p_default,
        qdot=u, residual=residual, g=ops.symbols(()),
        cv=column([r.expression for r in (*rows.dependent, *rows.held)]
                  + [t.residual for t in rows.loops]),
        f=rows.f, u_of_qdot=rate, qdot_symbol=rate, x_start=_starts(rows, rows.rates),
        observables=bond_observables(rows.evaluation) if observe else {},
        parameters=values.index, signals=values.signals,
        signal_slots=tuple(values.signal_slots), given=_given(rows),
    )  # fmt: skip


def _held_together(rows: Rows) -> tuple[Any, Any]:
    """Multipliers of all rows of cv, and the residual with the loops in it."""
    ops, own, z = rows.ops, rows.lam, rows.z
    missing = [r for r in (*rows.dependent, *rows.held) if r.symbol is None]
    extra = ops.symbols([f"lam.{t.name}" for t in rows.loops])
    if missing or (z.numel() and not own.numel()):
        unused = ops.symbols([f"lam.{r.name}" for r in missing])
        return rows.column(_entries(unused) + _entries(own) + _entries(extra)), rows.residual
    if not z.numel():
        return own, rows.residual
    lam = rows.column(_entries(own) + _entries(extra))
    by_u = rows.residual - ops.jacobian(rows.k, rows.u).T @ extra
    by_z = -ops.jacobian(rows.k, z).T @ extra
    return lam, ops.full(ops.stack([by_u, by_z]))


def _layout(rows: Rows, names: list[Scalar], q_names: list[str]) -> Layout:
    held = [Scalar(r.name, r.unit, r.owner) for r in (*rows.dependent, *rows.held)]
    return Layout(
        q=tuple(Scalar(n, "", s.owner) for n, s in zip(q_names, names, strict=True)),
        u=tuple(names),
        groups=(Group("real", 0, len(names)),) if names else (),
        rows=(*held, *(Scalar(t.name, t.unit, t.owner) for t in rows.loops)),
        x=tuple(Scalar(r.name, r.unit, r.owner) for r in rows.rates),
    )


def _starts(rows: Rows, states: Iterable[Row]) -> Any:
    """Initial displacements; those not given are zero."""
    nodes = rows.graph.nodes
    owners = dict.fromkeys(r.owner for r in states)
    return rows.column([x for name in owners for x in _start(rows, nodes[name])])


def _start(rows: Rows, node: Node) -> list[Any]:
    given = 0.0 if node.start is None else node.start
    state = State(rows.ops, rows.unknowns.state.numbers).within(node.scope)
    return _entries(law_column(rows.ops, state, given, node.dim))


def _given(rows: Rows) -> Given:
    """Initial flows of inertias and efforts of compliances that have a start."""
    names, residuals = [], []
    for speed in rows.speeds:
        node = speed.node
        if node.kind in STORES and node.start is not None:
            own = (
                speed.symbol if node.kind == "I" else rows.unknowns.state.x[node.name][speed.place]
            )
            names.append(speed.name)
            residuals.append(own - _start(rows, node)[speed.place])
    return (
        Given(velocity_names=tuple(names), velocities=rows.column(residuals)) if names else Given()
    )


def _entries(column: Any) -> list[Any]:
    return [column[k] for k in range(column.numel())]
