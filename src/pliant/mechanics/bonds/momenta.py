"""Momenta as states: stores whose rates follow from accelerations of the mechanics.

Of stores s that share their motion with the mechanics (two wheels on a differential, its case on a
joint) the rows of a graph say

    A(q) x_s' + B(q) u' + c = 0        so        p = A x_s + B u,      p' = -c + A' x_s + B' u

free of accelerations: p is the state, and x_s = A⁻¹ (p - B u).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pliant.graphs.bonds.elements import DOMAINS, Node
from pliant.graphs.bonds.linear import depends, is_zero, solve_definite
from pliant.mechanics.bonds.rows import Row, Rows, share
from pliant.mechanics.bonds.states import Change, Pair, Reduction, entries, following, start_of
from pliant.mechanics.bonds.unknowns import Speed


def with_momenta(rows: Rows, change: Change, chosen: Callable[[Node], bool]) -> Rows:
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

    def rows(self) -> Rows:
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
