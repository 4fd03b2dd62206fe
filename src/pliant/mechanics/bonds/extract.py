"""From a graph with its causality to rows of equations."""

from __future__ import annotations

from collections.abc import Iterable

from pliant.errors import ModelError
from pliant.graphs.bonds import BondGraph, Causality
from pliant.graphs.bonds.diagnosis import conflicts
from pliant.graphs.bonds.linear import depends
from pliant.graphs.bonds.state import Numbers
from pliant.mechanics.bonds.evaluate import Evaluation
from pliant.mechanics.bonds.objections import objections, rows_with
from pliant.mechanics.bonds.rows import Rows, rows_of
from pliant.mechanics.bonds.unknowns import (
    Configuration,
    Symbols,
    Unknowns,
    promoted_from,
)
from pliant.spatial.ops import SymbolicOps


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
