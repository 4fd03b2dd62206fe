"""From a graph with its causality to rows of equations.

What they may not depend on is refused by the names of the elements concerned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pliant.errors import Fault, ModelError
from pliant.graphs.bonds import BondGraph, Causality
from pliant.graphs.bonds.diagnosis import conflicts
from pliant.graphs.bonds.linear import depends
from pliant.graphs.bonds.state import Numbers
from pliant.mechanics.bonds.evaluate import Evaluation
from pliant.mechanics.bonds.rows import Row, Rows, rows_of
from pliant.mechanics.bonds.unknowns import Symbols, Unknowns, promoted_from
from pliant.spatial.ops import SymbolicOps


def extract(
    graph: BondGraph,
    causality: Causality,
    ops: SymbolicOps,
    numbers: Numbers,
    *,
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
    promoted = promoted_from(causality)
    symbols = symbols or Symbols(ops)
    while True:
        unknowns = Unknowns.of(
            graph, causality, numbers, symbols, ops, promoted=promoted, multipliers=multipliers
        )
        rows = rows_of(Evaluation(graph, causality, ops, unknowns.state, unknowns), unknowns)
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


def objections(rows: Rows) -> list[Fault]:
    """Everything that has no place in the contract.

    M and W must be free of u' and λ, the constraints, rates x' and loops k as well; with
    multipliers the constraints must be free of z, so that W = Gᵀ.
    """
    moving = rows.column([*_entries(rows.a), *_entries(rows.lam)])
    return [*_nonlinear(rows, moving), *_implicit(rows, moving), *_loops(rows, moving)]


def rows_with(rows: Rows, chosen: Sequence[Row], symbols: Any) -> list[Row]:
    """Those of the chosen rows that depend on any of the symbols."""
    if not depends(rows.ops, rows.column(r.expression for r in chosen), symbols):
        return []
    return [r for r in chosen if depends(rows.ops, rows.ops.full(r.expression), symbols)]


def _nonlinear(rows: Rows, moving: Any) -> Iterator[Fault]:
    ops = rows.ops
    if not moving.numel() or not depends(ops, _slopes(rows, rows.residual, moving), moving):
        return
    for row in rows.dynamic:
        if depends(ops, _slopes(rows, ops.full(row.expression), moving), moving):
            what = "a non-linear law sees accelerations or multipliers"
            yield Fault(row.name, what, "use constraintors (CN) for what depends on it")


def _slopes(rows: Rows, expression: Any, moving: Any) -> Any:
    return rows.ops.flat(rows.ops.jacobian(expression, moving))


def _implicit(rows: Rows, moving: Any) -> Iterator[Fault]:
    for row in rows_with(rows, (*rows.dependent, *rows.held, *rows.rates), moving):
        what = "what determines it depends on rates of dependent stores or on multipliers"
        cure = "use R in place of MR, do not force its stroke, or put a resistance between them"
        if rows.graph.nodes[row.owner].kind == "CN":
            cure = "write Sf: 0 in place of CN"
        yield Fault(_title(rows, row), what, cure)


def _loops(rows: Rows, moving: Any) -> Iterator[Fault]:
    for tear in rows.loops:
        if depends(rows.ops, rows.ops.full(tear.residual), moving):
            what = "an algebraic loop that is not solved in place contains accelerations"
            yield Fault(tear.name, what, "use constraintors (CN) for dependent stores")
    if rows.lam.numel():
        for row in rows_with(rows, (*rows.dependent, *rows.held), rows.z):
            yield Fault(_title(rows, row), "its flow depends on an algebraic loop")


def _title(rows: Rows, row: Row) -> str:
    return rows.graph.nodes[row.owner].title


def _entries(column: Any) -> list[Any]:
    return [column[k] for k in range(column.numel())]
