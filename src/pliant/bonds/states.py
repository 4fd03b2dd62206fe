"""Stores whose rates can be solved for become states: x' = f.

Of independent components s and dependent ones d of stores the rows of a graph say

    M_s x_s' + bias_s = e_s(x, u_d', ...)        u_d = L(t, q, x),  so  u_d' = dL/dt

which is A x_s' = ..., A = M_s + Lᵀ M_d L positive definite, as long as no rate comes in that is an
unknown of other equations. Where accelerations u' of the mechanics do (two wheels on a
differential, its case on a joint), momenta are the states:

    A(q) x_s' + B(q) u' + c = 0        so        p = A x_s + B u,      p' = -c + A' x_s + B' u

free of accelerations, and x_s = A⁻¹ (p - B u). Stores with other such rates stay in u.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pliant.bonds.elements import DOMAINS, Node
from pliant.bonds.laws import Compliance, State
from pliant.bonds.laws import column as law_column
from pliant.bonds.rows import BondEquations, Row, share
from pliant.bonds.structure import connected
from pliant.bonds.unknowns import Speed
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.records import dataclass
from pliant.spatial.linear import depends, is_zero, solve_definite


@dataclass(frozen=True, slots=True)
class Change:
    """What changes besides the stores of a graph: symbols and their rates as columns; ``speeds``
    of the mechanics, whose rates, the ``accelerations``, are unknowns."""

    symbols: Sequence[Any]
    rates: Sequence[Any]
    speeds: Sequence[Any] = ()
    accelerations: Sequence[Any] = ()


def change_in_time(values: SymbolicValues) -> Change:
    """Time and signals."""
    symbols, rates = [values.t], [1]
    signals = values.signals
    for k in range(0, 0 if signals is None else signals.numel(), 3):
        symbols.append(signals[k : k + 2])
        rates.append(signals[k + 1 : k + 3])
    return Change(symbols, rates)


def with_states(
    rows: BondEquations, change: Change, chosen: Callable[[Node], bool]
) -> BondEquations:
    """The rows with the chosen stores as states x where their rates can be solved for, and
    without the dependent stores that those determine; every effort and flow in terms of what is
    left."""
    reduction = Reduction.of(rows, change, chosen)
    return reduction.rows() if reduction.states or reduction.followers else rows


def starts(rows: BondEquations) -> list[Any]:
    """Initial values of the states x; those not given are zero."""
    return [start_of(rows, row) for row in rows.rates]


def start_of(rows: BondEquations, row: Row) -> Any:
    """What was given of a store, in terms of its state."""
    if row.start is not None:
        return row.start
    node, ops = rows.graph.nodes[row.owner], rows.ops
    state = State(ops, rows.unknowns.state.numbers)
    given = law_column(ops, state, 0.0 if node.start is None else node.start, node.dim)
    if node.kind == "C" and node.name in rows.unknowns.promoted:
        assert isinstance(node.law, Compliance)
        given = ops.full(node.law.effort(ops, state, ops.full(given)))
    return given[row.place]


Pair = tuple[Speed, Row]
Stage = tuple[Sequence[Any], Sequence[Any]]
"""Symbols and what replaces them."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """``states``: components that become states, with the rows their rates are solved from;
    ``followers``: dependent components, with the rows that say what they are."""

    source: BondEquations
    change: Change
    states: tuple[Pair, ...]
    followers: tuple[Pair, ...]

    @classmethod
    def of(cls, rows: BondEquations, change: Change, chosen: Callable[[Node], bool]) -> Reduction:
        """As many as possible."""
        dynamic = {r.name: r for r in rows.dynamic}
        dependent = {r.name: r for r in rows.dependent}
        own = [s for s in rows.speeds if chosen(s.node)]
        states = [(s, dynamic[s.name]) for s in own if not s.is_dependent]
        others = [(s, dependent[s.name]) for s in own if s.is_dependent]
        while True:
            found = cls(rows, change, tuple(states), following(rows, states, others))
            kept = found._solvable()
            if len(kept) == len(states):
                return found
            states = kept

    def _solvable(self) -> list[Pair]:
        """States whose rates follow from states alone, and that have a mass."""
        rows, ops = self.source, self.source.ops
        gone = {s.name for s, _ in (*self.states, *self.followers)}
        moving = [s.rate for s in rows.speeds if s.name not in gone]
        moving += [r.symbol for r in rows.dependent if r.symbol is not None and r.name not in gone]
        moving += [r.symbol for r in rows.held]
        moving += [e for a in self.change.accelerations for e in entries(a)]
        unsolved, found = rows.column(moving), []
        for pair, row in zip(self.states, self.own_rows(), strict=True):
            mass = ops.jacobian(row, ops.full(pair[0].rate))
            if not depends(ops, row, unsolved) and not is_zero(mass[0, 0]):
                found.append(pair)
        return found

    def own_rows(self) -> list[Any]:
        """Rows of the states in terms of their own rates alone."""
        own = [self.source.ops.full(r.expression) for _, r in self.states]
        return self.replaced(own, self.followed())

    def replaced(self, expressions: list[Any], stages: Iterable[Stage]) -> list[Any]:
        for symbols, values in stages:
            if symbols and expressions:
                to = self.source.column(symbols), self.source.column(values)
                expressions = self.source.ops.substitute(expressions, *to)
        return expressions

    def followed(self) -> list[Stage]:
        """The multiplier that stands for the effort of a dependent store, its rate, its flow."""
        source = self.source
        held = [(s, r) for s, r in self.followers if r.symbol is not None]
        flows = [share(source, r)[0] for _, r in self.followers]
        stored = [source.evaluation.stored(s.node)[s.place] for s, _ in held]
        return [
            ([r.symbol for _, r in held], stored),
            ([s.rate for s, _ in self.followers], [self._rate(f) for f in flows]),
            ([s.symbol for s, _ in self.followers], flows),
        ]

    def _rate(self, expression: Any) -> Any:
        """d/dt along the states x and what else changes."""
        ops, rates = self.source.ops, self.source.rates
        change = self.change
        symbols = [*change.symbols, *change.speeds, *(r.symbol for r in rates)]
        symbols += [s.symbol for s, _ in self.states]
        along = [*change.rates, *change.accelerations, *(r.expression for r in rates)]
        along += [s.rate for s, _ in self.states]
        if not symbols:
            return 0
        stacked = ops.stack([*map(ops.full, symbols)]), ops.stack([*map(ops.full, along)])
        return ops.full(ops.jtimes(ops.full(expression), *stacked))[0]

    # --- the rows that are left

    def rows(self) -> BondEquations:
        """Everything in terms of the states."""
        solved = self._solved()
        stages = [*self.followed(), ([s.rate for s, _ in self.states], solved)]
        rates = [Row(s.name, s.unit, s.node.name, rate, s.symbol, s.place)
                 for (s, _), rate in zip(self.states, solved, strict=True)]  # fmt: skip
        return self.reduced(stages, rates)

    def reduced(self, stages: Sequence[Stage], states: Sequence[Row]) -> BondEquations:
        """The rows of all others, with symbols replaced stage by stage; rates of the states."""
        source, ops = self.source, self.source.ops

        def replaced(rows: Sequence[Row]) -> tuple[Row, ...]:
            found = self.replaced([ops.full(r.expression) for r in rows], stages)
            return tuple(replace(r, expression=f[0]) for r, f in zip(rows, found, strict=True))

        gone = {s.name for s, _ in (*self.states, *self.followers)}
        residuals = self.replaced([ops.full(t.residual) for t in source.loops], stages)
        evaluation = source.evaluation
        for symbols, values in stages:
            if symbols:
                evaluation = evaluation.substituted(source.column(symbols), source.column(values))
        return replace(
            source, evaluation=evaluation,
            speeds=tuple(s for s in source.speeds if s.name not in gone),
            dynamic=replaced([r for r in source.dynamic if r.name not in gone]),
            dependent=replaced([r for r in source.dependent if r.name not in gone]),
            held=replaced(source.held),
            rates=(*replaced(source.rates), *states),
            loops=tuple(replace(t, residual=k[0])
                        for t, k in zip(source.loops, residuals, strict=True)),
        )  # fmt: skip

    def _solved(self) -> list[Any]:
        """x' of the states: A x' = b, block by block of A."""
        if not self.states:
            return []
        source, ops, n = self.source, self.source.ops, len(self.states)
        own = source.column(r[0] for r in self.own_rows())
        rates = source.column(s.rate for s, _ in self.states)
        A = ops.full(ops.jacobian(own, rates))
        (rest,) = ops.substitute([own], rates, ops.zeros(n))
        found: list[Any] = [None] * n
        full = [(i, j) for i in range(n) for j in range(n) if not is_zero(A[i, j])]
        for block, _ in connected(n, n, full):
            small = ops.full(ops.mat([[A[i, j] for j in block] for i in block]))
            right = ops.full(source.column(-rest[i] for i in block))
            if len(block) > 1 and self._changes(small):
                small, right = ops.named("mass", small, 1), ops.named("push", right, 1)
            x = solve_definite(ops, small, right)
            for k, i in enumerate(block):
                found[i] = x[k]
        return found

    def _changes(self, A: Any) -> bool:
        """Whether masses change with the motion: what they are is named then, to be read."""
        ops, moving = (
            self.source.ops,
            [*self.change.symbols, *(r.symbol for r in self.source.rates)],
        )
        return any(depends(ops, ops.flat(A), ops.full(s)) for s in moving)


def following(
    rows: BondEquations, states: Sequence[Pair], others: Sequence[Pair], known: Iterable[str] = ()
) -> tuple[Pair, ...]:
    """Dependent components whose rates are known if those of the states are; ``known``: further
    speeds with known rates."""
    names = {s.name for s, _ in states} | set(known)
    free = [s.symbol for s in rows.speeds if s.name not in names]
    unknown = rows.column([*free, *(t.symbol for t in rows.loops)])
    return tuple((s, r) for s, r in others if not depends(rows.ops, share(rows, r), unknown))


def entries(column: Any) -> list[Any]:
    """The entries of a column."""
    return [column[k] for k in range(column.numel())]


def with_momenta(
    rows: BondEquations, change: Change, chosen: Callable[[Node], bool]
) -> BondEquations:
    """The rows with the momenta of the chosen stores as states, where there are such."""
    own = [s for s in rows.speeds if chosen(s.node)]
    dynamic, dependent = ({r.name: r for r in part} for part in (rows.dynamic, rows.dependent))
    states = tuple((s, dynamic[s.name]) for s in own if not s.is_dependent)
    if not states:
        return rows
    symbols = rows.column(s.symbol for s, _ in states)
    others = [(s, dependent[s.name]) for s in own if s.is_dependent]
    others = [(s, r) for s, r in others if depends(rows.ops, share(rows, r), symbols)]
    mechanical = [s.name for s in rows.speeds if not chosen(s.node)]
    found = Reduction(rows, change, states, following(rows, states, others, mechanical))
    exchange = _Exchange.of(found)
    return rows if exchange is None else exchange.rows()


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A, B and c of the stores, and the symbols of their momenta."""

    reduction: Reduction
    A: Any
    B: Any
    c: Any
    u: Any
    a: Any
    p: Any

    @classmethod
    def of(cls, reduction: Reduction) -> _Exchange | None:
        """None if A or B depends on more than time and coordinates, if a store has no mass, or if
        a constraintor holds it: its rate then contains a multiplier."""
        rows, ops, change = reduction.source, reduction.source.ops, reduction.change
        own = rows.column(r[0] for r in reduction.own_rows())
        if depends(ops, own, rows.column(r.symbol for r in rows.held)):
            return None
        rates = rows.column(s.rate for s, _ in reduction.states)
        u, a = (
            rows.column(e for part in parts for e in entries(ops.full(part)))
            for parts in (change.speeds, change.accelerations)
        )
        A, B = ops.full(ops.jacobian(own, rates)), ops.full(ops.jacobian(own, a))
        moving = rows.column([*entries(rates), *entries(a), *entries(u), *entries(rows.x),
                              *(s.symbol for s, _ in reduction.states)])  # fmt: skip
        massless = any(is_zero(A[k, k]) for k in range(rates.numel()))
        if massless or any(depends(ops, ops.flat(part), moving) for part in (A, B)):
            return None
        gone = rows.column([*entries(rates), *entries(a)])
        (c,) = ops.substitute([own], gone, ops.zeros(gone.numel()))
        p = rows.unknowns.symbols.column([_name(s) for s, _ in reduction.states])
        return cls(reduction, A, B, c, u, a, p)

    def rows(self) -> BondEquations:
        """Everything in terms of the momenta."""
        ops, states = self.reduction.source.ops, self.reduction.states
        flows = solve_definite(ops, self.A, self.p - self.B @ self.u)
        rates = solve_definite(ops, self.A, -self.c - self.B @ self.a)
        stages = [
            *self.reduction.followed(),
            ([s.rate for s, _ in states], entries(ops.full(rates))),
            ([s.symbol for s, _ in states], entries(ops.full(flows))),
        ]
        expressions = self.reduction.replaced([ops.full(self._rates())], stages[-1:])[0]
        own = [self._row(k, pair, expressions[k]) for k, pair in enumerate(states)]
        return self.reduction.reduced(stages, own)

    def _rates(self) -> Any:
        """p' = -c + A' x + B' u."""
        ops, change = self.reduction.source.ops, self.reduction.change
        flows = self.reduction.source.column(s.symbol for s, _ in self.reduction.states)
        held = ops.full(self.A @ flows + self.B @ self.u)
        moving, along = ([*map(ops.full, part)] for part in (change.symbols, change.rates))
        return -self.c + ops.jtimes(held, ops.stack(moving), ops.stack(along))

    def _row(self, k: int, pair: Pair, expression: Any) -> Row:
        speed, source = pair[0], self.reduction.source
        given = source.column(
            start_of(source, Row(s.name, "", s.node.name, None, place=s.place))
            for s, _ in self.reduction.states
        )
        start = source.ops.full(self.A @ given + self.B @ self.u)[k]
        end = source.graph.ends(speed.node.name)[speed.place]
        domain = DOMAINS[source.graph.bonds[end.bond].domain]
        unit = domain.displacement if speed.node.kind == "C" else f"{domain.effort}*s"
        return Row(_name(speed), unit, speed.node.name, expression, self.p[k], speed.place, start)


def _name(speed: Speed) -> str:
    """The momentum of an inertia, the displacement of a compliance."""
    if speed.node.kind == "C":
        return f"{speed.name.removesuffix('.effort')}.displacement"
    return f"{speed.name.removesuffix('.flow')}.momentum"
