"""Algebraic loops k(t, q, u, x, z) = 0: among the states, in the measure of z, and to be read.

At rest k = 0 stands in place of a rate z' = f. What comes to rest, f = 0, is found together with z:
so statics are solved, and modes, in which z follows the other states. Not for motion: there z
stands in u (``pliant.mechanics.bonds.unknowns``).

Solvers see rows in the measure of their unknowns: k becomes (∂k/∂z)⁻¹ k. Slopes of laws range over
many orders of magnitude (a diode conducts or blocks); row and column scales that suit one state do
not suit the next. The rows that solvers see are Newton's corrections of z: their slopes with
respect to z are the unit matrix wherever k = 0, errors are those of z, and an iteration with a
frozen matrix is still Newton's.

People read unknowns z with equations k = 0, no multipliers. In the contract z are speeds without
mass, held by multipliers that come out zero. Neither their rows nor their multipliers say anything.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi as ca

from pliant.equations.contract import Equations
from pliant.equations.layout import Scalar


def loops_at_rest(e: Equations) -> Equations:
    """The equations with the unknowns of loops as the last states x."""
    ops, n = e.ops, e.layout.loops
    if not n:
        return e
    z, k, lam = (column[column.numel() - n :] for column in (e.u, e.cv, e.lam))
    q, u, rows = (range(column.numel() - n) for column in (e.q, e.u, e.cv))
    residual = e.residual
    if residual.numel() == e.u.numel():
        residual = ops.substitute([e.part(residual, u)], lam, ops.zeros(n))[0]
    left = e.less(list, residual, q=q, u=u, rows=rows)
    own = tuple(Scalar(s.name, s.unit, s.name.partition(".")[0]) for s in e.layout.u[-n:])
    layout = replace(left.layout, x=(*left.layout.x, *own), loops=0, algebraic=n)
    return replace(left, layout=layout, x=_joined(e, e.x, z), f=_joined(e, e.f, k),
                   x_start=_joined(e, e.x_start, ops.zeros(n)))  # fmt: skip


def _joined(e: Equations, first: Any, last: Any) -> Any:
    return e.ops.full(e.ops.stack([first, last])) if first is not None and first.numel() else last


def scaled_loops(e: Equations) -> Equations:
    """The equations with scaled rows of loops; k itself is kept as ``loops``."""
    n, nu = e.layout.loops, e.u.numel()
    if not n:
        return e
    first = e.cv.numel() - n
    z, k, lam = e.u[nu - n :], e.cv[first:], e.lam[first:]
    step = ca.densify(ca.solve(ca.sparsify(ca.jacobian(k, z)), k))
    residual = e.residual
    if residual.numel() == nu:
        bare = ca.substitute(residual, lam, ca.SX.zeros(n))
        residual = ca.densify(bare - ca.jtimes(step, e.u, lam, True))
    return replace(e, residual=residual, cv=ca.vertcat(e.cv[:first, :], step), loops=k)


def loops_apart(e: Equations) -> Equations:
    """The equations without the rows and multipliers of loops, and without integrals of z."""
    n, ops = e.layout.loops, e.ops
    if not n:
        return e
    lam = e.lam[e.lam.numel() - n :]
    (residual,) = ops.substitute([ops.full(e.residual)], lam, ops.zeros(n))
    kept = min(residual.numel(), e.u.numel() - n)
    rows = [residual[k] for k in range(kept)]
    q = [e.q[k] for k in range(e.q.numel() - n)]
    return replace(
        e, residual=ops.full(ops.stack(rows)), q=ops.full(ops.stack(q)),
        layout=replace(e.layout, q=e.layout.q[: len(q)]),
    )  # fmt: skip
