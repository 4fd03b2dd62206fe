"""Equations without dependent speeds: those that a row of their own defines.

    u_d = L u_i + b,   u_d' = d(L u_i + b)/dt

put into the rows of the independent speeds. In the mixed form, S0 (8.42) with (8.45), these are all
there are; with multipliers the rows of the dependent speeds say what their multipliers are.
Statics and modes are solved in this form: speeds of joints are constant in steady motion, those of
mass centres are not. Unknowns of algebraic loops are states in it (``at_rest``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pliant.equations.at_rest import loops_at_rest
from pliant.equations.contract import Equations
from pliant.equations.layout import Layout
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
    u_d, a_d, lam_d = _part(e, e.u, dependent), _part(e, e.a, dependent), _part(e, e.lam, own)
    flows = -_solved(e, _part(e, e.cv, own), u_d)
    rates = ops.substitute([e.total_derivative(flows)], u_d, flows)[0]
    old, new, residual = ops.stack([u_d, a_d]), ops.stack([flows, rates]), e.residual
    if residual.numel() == e.u.numel():
        taken = -_solved(e, -_part(e, residual, dependent), lam_d)
        taken = ops.substitute([taken], old, new)[0]
        old, new = ops.stack([old, lam_d]), ops.stack([new, taken])
        residual = _part(e, residual, kept)

    def known(x: Any) -> Any:
        return x if x is None or not x.numel() else ops.substitute([x], old, new)[0]

    return replace(
        e, form="independent", u=_part(e, e.u, kept), a=_part(e, e.a, kept),
        cv=known(_part(e, e.cv, rows)), lam=_part(e, e.lam, rows), qdot=known(e.qdot),
        residual=known(residual), f=known(e.f),
        u_of_qdot=_part(e, e.u_of_qdot, kept), x_start=known(e.x_start),
        layout=replace(e.layout, u=tuple(e.layout.u[k] for k in kept),
                       rows=tuple(e.layout.rows[k] for k in rows)),
        observables={n: replace(o, expression=known(o.expression))
                     for n, o in e.observables.items()},
        further={}, events={n: known(x) for n, x in e.events.items()},
        elastic={n: (q, kept.index(u) if count else 0, count)
                 for n, (q, u, count) in e.elastic.items()},
        bodies={n: known(x) for n, x in e.bodies.items()},
        axial={n: known(x) for n, x in e.axial.items()},
        given=e.given.mapped(known),
    )  # fmt: skip


def _solved(e: Equations, rows: Any, symbols: Any) -> Any:
    """What the rows are without the symbols, of which each contains one, by itself."""
    ops, n = e.ops, symbols.numel()
    slopes = ops.full(ops.jacobian(rows, symbols))
    if any(number(slopes[i, j]) != float(i == j) for i in range(n) for j in range(n)):
        raise CapabilityError(f"{e.formulation}: statics and modes need speeds that follow from "
                              "others one by one; use recursive or linear-graph")  # fmt: skip
    return ops.substitute([rows], symbols, ops.zeros(n))[0]


def _part(e: Equations, column: Any, places: list[int]) -> Any:
    return e.ops.stack([column[k] for k in places]) if places else e.ops.symbols(())
