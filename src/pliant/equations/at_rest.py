"""Algebraic loops among the states: k(t, q, u, x, z) = 0 in place of a rate z' = f.

What comes to rest, f = 0, is found together with z: so statics are solved, and modes, in which z
follows the other states. Not for motion: there z stands in u (``pliant.mechanics.bonds.loops``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.equations.layout import Layout, Scalar


def loops_at_rest(e: Equations) -> Equations:
    """The equations with the unknowns of loops as the last states x."""
    ops, n = e.ops, e.layout.loops
    if not n:
        return e
    z, k, lam = (_last(column, n) for column in (e.u, e.cv, e.lam))
    residual = e.residual
    if residual.numel() == e.u.numel():
        residual = ops.substitute([_others(e, residual, n)], lam, ops.zeros(n))[0]
    return replace(
        e, layout=_layout(e.layout, n), residual=residual, x=_joined(e, e.x, z),
        f=_joined(e, e.f, k), x_start=_joined(e, e.x_start, ops.zeros(n)),
        q=_others(e, e.q, n), u=_others(e, e.u, n), a=_others(e, e.a, n),
        lam=_others(e, e.lam, n), cv=_others(e, e.cv, n), qdot=_others(e, e.qdot, n),
        u_of_qdot=_others(e, e.u_of_qdot, n), qdot_symbol=_others(e, e.qdot_symbol, n),
    )  # fmt: skip


def _last(column: Any, n: int) -> Any:
    return column[column.numel() - n :]


def _others(e: Equations, column: Any, n: int) -> Any:
    count = column.numel() - n
    return column[:count] if count else e.ops.symbols(())


def _joined(e: Equations, first: Any, last: Any) -> Any:
    return e.ops.full(e.ops.stack([first, last])) if first is not None and first.numel() else last


def _layout(layout: Layout, n: int) -> Layout:
    own = tuple(Scalar(s.name, s.unit, s.name.partition(".")[0]) for s in layout.u[-n:])
    return replace(
        layout, q=layout.q[:-n], u=layout.u[:-n], rows=layout.rows[:-n], x=(*layout.x, *own),
        groups=tuple(g for g in layout.groups if g.start < len(layout.q) - n), loops=0, algebraic=n,
    )  # fmt: skip
