"""Equations without what is known: dependent speeds, and coordinates that drivers prescribe.

Dependent speeds are those that a row of their own defines:

    u_d = L u_i + b,   u_d' = d(L u_i + b)/dt

put into the rows of the independent speeds. In the mixed form, S0 (8.42) with (8.45), these are all
there are; with multipliers the rows of the dependent speeds say what their multipliers are.
Statics and modes are solved in this form: speeds of joints are constant in steady motion, those of
mass centres are not. Unknowns of algebraic loops are states in it (``loops_at_rest``).

Motion drivers are branches of the tree: their coordinates are known functions of time.

    q_k = f(t),  u_k = f'(t),  u_k' = f''(t)       the row of u_k gives the driving effort

The coordinate, its row and the driver's constraint go; the multiplier of the driver, which stands
in that row alone, is what the row says. Source: S1 5.2 (drivers selected into the tree).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations, all_at_once
from pliant.equations.embedding import rates_of
from pliant.equations.layout import Group, Layout
from pliant.equations.loops import loops_at_rest
from pliant.errors import CapabilityError
from pliant.graphs.bonds.linear import number


def dependent_speeds(layout: Layout) -> list[int]:
    """Places in u of the speeds that have a row of their name."""
    rows = {s.name for s in layout.rows}
    return [k for k, s in enumerate(layout.u) if s.name in rows]


def eliminate(e: Equations) -> Equations:
    """Equations in the independent speeds alone."""
    e = loops_at_rest(e)
    if not dependent_speeds(e.layout):
        return replace(e, form="independent", further={})
    ops, names, dependent = e.ops, [s.name for s in e.layout.rows], dependent_speeds(e.layout)
    kept = [k for k in range(len(e.layout.u)) if k not in dependent]
    own = [names.index(e.layout.u[k].name) for k in dependent]
    rows = [k for k in range(len(names)) if k not in own]
    u_d, a_d, lam_d = e.part(e.u, dependent), e.part(e.a, dependent), e.part(e.lam, own)
    flows = -_solved(e, e.part(e.cv, own), u_d)
    rates = ops.substitute([e.total_derivative(flows)], u_d, flows)[0]
    old, new, residual = ops.stack([u_d, a_d]), ops.stack([flows, rates]), e.residual
    if residual.numel() == e.u.numel():
        taken = -_solved(e, -e.part(residual, dependent), lam_d)
        taken = ops.substitute([taken], old, new)[0]
        old, new = ops.stack([old, lam_d]), ops.stack([new, taken])
        residual = e.part(residual, kept)

    def known(all_: list[Any]) -> list[Any]:
        return ops.substitute(all_, old, new)

    cv, qdot, residual, f, x_start = all_at_once(
        known, (e.part(e.cv, rows), e.qdot, residual, e.f, e.x_start)
    )
    return replace(
        e.told(known), form="independent", u=e.part(e.u, kept), a=e.part(e.a, kept), cv=cv,
        lam=e.part(e.lam, rows), qdot=qdot, residual=residual, f=f, further={},
        u_of_qdot=e.part(e.u_of_qdot, kept), x_start=x_start,
        layout=replace(e.layout, u=tuple(e.layout.u[k] for k in kept),
                       rows=tuple(e.layout.rows[k] for k in rows)),
        elastic={n: (q, kept.index(u) if count else 0, count)
                 for n, (q, u, count) in e.elastic.items()},
    )  # fmt: skip


def _solved(e: Equations, rows: Any, symbols: Any) -> Any:
    """What the rows are without the symbols, of which each contains one, by itself."""
    ops, n = e.ops, symbols.numel()
    slopes = ops.full(ops.jacobian(rows, symbols))
    if any(number(slopes[i, j]) != float(i == j) for i in range(n) for j in range(n)):
        raise CapabilityError(f"{e.formulation}: statics and modes need speeds that follow from "
                              "others one by one; use recursive or linear-graph")  # fmt: skip
    return ops.substitute([rows], symbols, ops.zeros(n))[0]


def prescribe(e: Equations, drivers: Sequence[tuple[str, str]]) -> Equations:
    """Equations without the coordinates that drivers give. ``drivers``: (driver, coordinate)."""
    for driver, coordinate in drivers:
        e = _prescribe(e, driver, coordinate)
    return e


def _prescribe(e: Equations, driver: str, coordinate: str) -> Equations:
    row = next(k for k, s in enumerate(e.layout.rows) if s.owner == driver)
    i = next(k for k, s in enumerate(e.layout.q) if s.name == coordinate)
    j = rates_of(e.layout)[coordinate]
    ops = e.ops
    value = -ops.substitute([ops.full(e.g[row])], e.q[i], ops.zeros(1))[0]
    rate = e.total_derivative(value)
    acceleration = e.total_derivative(rate)
    old = ops.stack([e.q[i], e.u[j], e.a[j], e.qdot_symbol[i]])
    new = ops.stack([value, rate, acceleration, rate])
    effort = ops.substitute([ops.full(e.residual[j])], e.lam[row], ops.zeros(1))[0]

    def known(all_: list[Any]) -> list[Any]:
        return ops.substitute(ops.substitute(all_, e.lam[row], effort), old, new)

    q, u, rows, held = ([k for k in range(column.numel()) if k != left_out] for column, left_out
                        in ((e.q, i), (e.u, j), (e.cv, row), (e.g, row)))  # fmt: skip
    qdot, residual, g, cv, f, u_of_qdot, x_start, alignment = all_at_once(
        known, (e.part(e.qdot, q), e.part(e.residual, u), e.part(e.g, held), e.part(e.cv, rows),
                e.f, e.part(e.u_of_qdot, u), e.x_start, e.alignment),
    )  # fmt: skip
    return replace(
        e.told(known), layout=_layout(e.layout, i, j, row), q=e.part(e.q, q), u=e.part(e.u, u),
        a=e.part(e.a, u), lam=e.part(e.lam, rows), qdot=qdot, residual=residual, g=g, cv=cv, f=f,
        u_of_qdot=u_of_qdot, qdot_symbol=e.part(e.qdot_symbol, q), x_start=x_start,
        elastic={k: (a - (a > i), b - (b > j), n) for k, (a, b, n) in e.elastic.items()},
        alignment=alignment,
    )  # fmt: skip


def _layout(layout: Layout, i: int, j: int, row: int) -> Layout:
    groups = [
        Group(g.kind, g.start - (g.start > i), size, g.chart)
        for g in layout.groups
        if (size := g.size - (g.start <= i < g.start + g.size))
    ]
    return replace(
        layout, q=tuple(s for k, s in enumerate(layout.q) if k != i),
        u=tuple(s for k, s in enumerate(layout.u) if k != j), groups=tuple(groups),
        rows=tuple(s for k, s in enumerate(layout.rows) if k != row),
        n_holonomic=layout.n_holonomic - 1,
    )  # fmt: skip
