"""Rows of equations from a graph with its causality. What they may not depend on is refused by the
names of the elements concerned.

    dynamic     (M_n u_n' + bias_n)_k - e = 0        independent components of I
                (dq_n(e)/dt)_k - σ f = 0             of a C whose effort stands in u
    dependent   u_n[k] - σ f = 0                     dependent components of I  (C: u - e = 0);
                                                     where f contains u', it is dynamic
    held        f = 0                                CN
    rates       x' = σ f                             C, its displacement a state
    loops       k = 0                                tears of algebraic loops

Dependent stores are never solved for: u' stays a symbol, so M may be rectangular, and M and G
stacked are square. Source: S0 (8.38)-(8.45).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from pliant.bonds import BondGraph, Causality
from pliant.bonds.diagnosis import conflicts
from pliant.bonds.elements import DOMAINS, Node
from pliant.bonds.evaluate import Evaluation
from pliant.bonds.laws import Numbers
from pliant.bonds.unknowns import Speed, Symbols, Tear, Unknowns, lam_names, promoted_from, x_names
from pliant.errors import Fault, ModelError
from pliant.mechanics.unknowns import column
from pliant.records import dataclass
from pliant.spatial.linear import depends
from pliant.spatial.ops import SymbolicOps


@dataclass(frozen=True, slots=True)
class Row:
    """One equation: ``expression`` is zero, or (of a rate) the derivative of what is named."""

    name: str
    unit: str
    owner: str
    expression: Any
    symbol: Any = None
    """The multiplier of a held row, the state of a rate."""
    place: int = 0
    """Component of the owner."""
    start: Any = None
    """Initial value of a state, if it is not what was given of the store."""


@dataclass(frozen=True, slots=True)
class BondEquations:
    """Everything that a graph and its causality say."""

    graph: BondGraph
    causality: Causality
    evaluation: Evaluation
    unknowns: Unknowns
    speeds: tuple[Speed, ...]
    dynamic: tuple[Row, ...]
    dependent: tuple[Row, ...]
    held: tuple[Row, ...]
    rates: tuple[Row, ...]
    loops: tuple[Tear, ...]

    @property
    def ops(self) -> SymbolicOps:
        return self.evaluation.ops

    def column(self, parts: Iterable[Any]) -> Any:
        """Expressions as a column; none as an empty column of symbols."""
        parts = list(parts)
        return column(self.ops, [self.ops.vec(*parts)] if parts else [])

    @property
    def u(self) -> Any:
        return self.column(s.symbol for s in self.speeds)

    @property
    def a(self) -> Any:
        return self.column(s.rate for s in self.speeds)

    @property
    def x(self) -> Any:
        return self.column(r.symbol for r in self.rates)

    @property
    def z(self) -> Any:
        return self.column(t.symbol for t in self.loops)

    @property
    def lam(self) -> Any:
        """Multipliers that the rows contain: of dependent rows (if they are held) and of CN."""
        own = [r.symbol for r in self.dependent if r.symbol is not None]
        return self.column([*own, *(r.symbol for r in self.held)])

    @property
    def residual(self) -> Any:
        """M u' - h - W λ."""
        return self.column(r.expression for r in self.dynamic)

    @property
    def f(self) -> Any:
        """x'."""
        return self.column(r.expression for r in self.rates)


def rows_of(evaluation: Evaluation, unknowns: Unknowns) -> BondEquations:
    """The rows of an evaluated graph."""
    graph = evaluation.graph
    dynamic, dependent = [], []
    for speed in unknowns.speeds:
        row, own = _store_rows(evaluation, unknowns, speed)
        dynamic += [] if row is None else [row]
        dependent += [] if own is None else [own]
    nodes = graph.nodes.values()
    return BondEquations(
        graph, evaluation.causality, evaluation, unknowns, tuple(unknowns.speeds), tuple(dynamic),
        tuple(dependent),
        tuple(r for n in nodes if n.kind == "CN" for r in _held_rows(evaluation, unknowns, n)),
        tuple(r for n in unknowns.displacements for r in _rates(evaluation, unknowns, n)),
        tuple(evaluation.tears),
    )  # fmt: skip


def _store_rows(
    evaluation: Evaluation, unknowns: Unknowns, speed: Speed
) -> tuple[Row | None, Row | None]:
    """The dynamic row and the dependent row of one component of a store."""
    node, k = speed.node, speed.place
    effort, flow = evaluation.into(node.name)[k]
    takes, shares = (effort, flow) if node.kind == "I" else (flow, effort)
    stored = evaluation.stored(node)[k]
    if (node.name, k) in unknowns.implicit:
        return Row(speed.name, "", node.name, speed.symbol - shares, place=k), None
    if not speed.is_dependent:
        return Row(speed.name, "", node.name, stored - takes, place=k), None
    row = Row(speed.name, speed.unit, node.name, speed.symbol - shares, place=k)
    multiplier = unknowns.held.get((node.name, k))
    if multiplier is None:
        return None, row
    own = Row(speed.name, "", node.name, stored - multiplier, place=k)
    return own, replace(row, symbol=multiplier)


def _held_rows(evaluation: Evaluation, unknowns: Unknowns, node: Node) -> Iterable[Row]:
    names, lam = lam_names(node), unknowns.lam[node.name]
    for k, end in enumerate(evaluation.graph.ends(node.name)):
        bond = evaluation.graph.bonds[end.bond]
        flow = evaluation.flow(end.bond, end.k)
        yield Row(names[k], DOMAINS[bond.domain].flow, node.name, flow, lam[k], k)


def _rates(evaluation: Evaluation, unknowns: Unknowns, node: Node) -> Iterable[Row]:
    names, x = x_names(node), unknowns.state.x[node.name]
    ends = evaluation.graph.ends(node.name)
    for k, (_, flow) in enumerate(evaluation.into(node.name)):
        unit = DOMAINS[evaluation.graph.bonds[ends[k].bond].domain].displacement
        yield Row(names[k], unit, node.name, flow, x[k], k)


def share(rows: BondEquations, row: Row) -> Any:
    """What a dependent store shares with others: L of its row u - L = 0, as a column of one."""
    (symbol,) = (s.symbol for s in rows.speeds if s.name == row.name)
    own, ops = rows.ops.full(row.expression), rows.ops
    return -ops.substitute([own], ops.full(symbol), ops.zeros(1))[0]


def dependent_flows(rows: BondEquations) -> dict[str, Any]:
    """What the dependent stores share with others, by name."""
    return {row.name: share(rows, row)[0] for row in rows.dependent}


def followed(rows: BondEquations, expression: Any) -> Any:
    """An expression with the flows of dependent stores in terms of independent ones, so that
    multipliers of its rows act as the graph transmits them: W = Gᵀ."""
    shares = dependent_flows(rows)
    if not shares:
        return expression
    symbols = {s.name: s.symbol for s in rows.speeds}
    own = rows.column(symbols[name] for name in shares)
    return rows.ops.substitute([rows.ops.full(expression)], own, rows.column(shares.values()))[0]


def extract(
    graph: BondGraph,
    causality: Causality,
    ops: SymbolicOps,
    numbers: Numbers,
    *,
    multipliers: bool = False,
    symbols: Symbols | None = None,
) -> BondEquations:
    """The rows of a graph. ``multipliers``: dependent stores keep their own rows, and multipliers
    hold them (W = Gᵀ); else what they take enters the rows of the others.

    A compliance in derivative causality becomes an effort in u, and with it every compliance that
    determines it. Raises a ModelError with all conflicts or objections.
    """
    found = conflicts(causality)
    if found:
        raise ModelError(found, graph.name)
    promoted, implicit = promoted_from(causality), frozenset[tuple[str, int]]()
    symbols = symbols or Symbols(ops)
    while True:
        unknowns = Unknowns.of(
            graph, causality, numbers, symbols, ops,
            promoted=promoted, implicit=implicit, multipliers=multipliers,
        )  # fmt: skip
        rows = rows_of(Evaluation(graph, causality, ops, unknowns.state, unknowns), unknowns)
        more, own = _coupled(rows) - promoted, _implicit_store(rows)
        if not more and own is None:
            break
        promoted, implicit = promoted | more, implicit | (frozenset() if own is None else {own})
    faults = objections(rows)
    if faults:
        raise ModelError(faults, graph.name)
    return rows


def _coupled(rows: BondEquations) -> frozenset[str]:
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


def _implicit_store(rows: BondEquations) -> tuple[str, int] | None:
    """A component in derivative causality whose flow contains its rate: its row, u - L(u') = 0, is
    an equation of motion if it is linear. Rates that stand in such a row say nothing new."""
    ops, implicit = rows.ops, rows.unknowns.implicit
    taken = rows.column(s.rate for s in rows.speeds if (s.node.name, s.place) in implicit)
    rates = {(s.node.name, s.place): s.rate for s in rows.speeds}
    for row in rows.dependent:
        place = (row.owner, row.place)
        own = [rates[place], *([] if row.symbol is None else [row.symbol])]
        expression, moving = ops.full(row.expression), rows.column(own)
        if not depends(ops, expression, moving) or depends(ops, expression, taken):
            continue
        if not depends(ops, _slopes(rows, expression, moving), moving):
            return place
    return None


def objections(rows: BondEquations) -> list[Fault]:
    """Everything that has no place in the contract.

    M and W must be free of u' and λ, the constraints, rates x' and loops k as well; with
    multipliers the constraints must be free of z, so that W = Gᵀ.
    """
    moving = rows.column([*_entries(rows.a), *_entries(rows.lam)])
    return [*_nonlinear(rows, moving), *_implicit(rows, moving)]


def rows_with(rows: BondEquations, chosen: Sequence[Row], symbols: Any) -> list[Row]:
    """Those of the chosen rows that depend on any of the symbols."""
    if not depends(rows.ops, rows.column(r.expression for r in chosen), symbols):
        return []
    return [r for r in chosen if depends(rows.ops, rows.ops.full(r.expression), symbols)]


def _nonlinear(rows: BondEquations, moving: Any) -> Iterator[Fault]:
    ops = rows.ops
    if not moving.numel() or not depends(ops, _slopes(rows, rows.residual, moving), moving):
        return
    for row in rows.dynamic:
        if depends(ops, _slopes(rows, ops.full(row.expression), moving), moving):
            what = "a non-linear law sees accelerations or multipliers"
            yield Fault(row.name, what, "use constraintors (CN) for what depends on it")


def _slopes(rows: BondEquations, expression: Any, moving: Any) -> Any:
    return rows.ops.flat(rows.ops.jacobian(expression, moving))


def _implicit(rows: BondEquations, moving: Any) -> Iterator[Fault]:
    for row in rows_with(rows, (*rows.dependent, *rows.held, *rows.rates), moving):
        what = "what determines it depends on rates of dependent stores or on multipliers"
        cure = "use R in place of MR, do not force its stroke, or put a resistance between them"
        if rows.graph.nodes[row.owner].kind == "CN":
            cure = "write Sf: 0 in place of CN"
        yield Fault(rows.graph.nodes[row.owner].title, what, cure)
    for tear in rows.loops:
        if depends(rows.ops, rows.ops.full(tear.residual), moving):
            what = "an algebraic loop that is not solved in place contains accelerations"
            yield Fault(tear.name, what, "use constraintors (CN) for dependent stores")
    for row in rows_with(rows, (*rows.dependent, *rows.held), rows.z) if rows.lam.numel() else ():
        yield Fault(rows.graph.nodes[row.owner].title, "its flow depends on an algebraic loop")


def _entries(column: Any) -> list[Any]:
    return [column[k] for k in range(column.numel())]
