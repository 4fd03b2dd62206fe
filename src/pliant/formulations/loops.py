"""Algebraic loops k(t, q, u, x, z) = 0: among the states, in the measure of z, and to be read.

In the contract the unknowns z are entries of u without mass, their equations
k(t, q, u, x, z) = 0 are velocity constraints without a position level.

    with multipliers     residual of z:  -(∂k/∂z)ᵀ λ_k = 0, of u also -(∂k/∂u)ᵀ λ_k; as ∂k/∂z is
                         regular, λ_k = 0
    without              the rows of k join those of the dependent stores

So every solver holds k = 0 as it holds any velocity constraint, by projection after each step.
Every z gets a coordinate of its own, its integral: interpolation between implicit steps works on
coordinates.

At rest k = 0 stands in place of a rate z' = f. What comes to rest, f = 0, is found together with z:
so statics are solved, and modes, in which z follows the other states. Not for motion: there z
stands in u.

Solvers see rows in the measure of their unknowns: k becomes (∂k/∂z)⁻¹ k. Slopes of laws range over
many orders of magnitude (a diode conducts or blocks); row and column scales that suit one state do
not suit the next. The rows that solvers see are Newton's corrections of z: their slopes with
respect to z are the unit matrix wherever k = 0, errors are those of z, and an iteration with a
frozen matrix is still Newton's.

People read unknowns z with equations k = 0, no multipliers. In the contract z are speeds without
mass, held by multipliers that come out zero. Neither their rows nor their multipliers say anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import casadi as ca

from pliant.bonds.unknowns import Tear
from pliant.formulations.equations import Equations, Speeds
from pliant.mechanics.layout import Layout, Scalar
from pliant.mechanics.motion import RATE
from pliant.mechanics.unknowns import column


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
    start = replace(left.start, x=_joined(e, e.start.x, ops.zeros(n)))
    return replace(left, layout=layout, x=_joined(e, e.x, z), f=_joined(e, e.f, k), start=start)


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


INTEGRAL = "_integral"
"""Mark of the coordinate whose rate is an entry of u that has none of its own."""


def with_loops(e: Equations, loops: Sequence[Tear]) -> Equations:
    """The equations with the unknowns of loops as the last entries of q, u and cv."""
    if not loops:
        return e
    ops, names = e.ops, [t.name for t in loops]
    z = ops.full(ops.vec(*(t.symbol for t in loops)))
    k = ops.full(ops.vec(*(t.residual for t in loops)))
    lam, rate = ops.symbols([f"lam.{n}" for n in names]), ops.symbols([f"{n}.rate" for n in names])

    def longer(first: Any, last: Any) -> Any:
        return column(ops, [first, last])

    residual = e.residual
    if e.written.form != "mixed":
        if residual.numel():  # r - (∂k/∂u)ᵀ λ_k
            residual = residual - ops.jacobian(k, e.u).T @ lam
        residual = longer(residual, -ops.jacobian(k, z).T @ lam)
    return replace(
        e, layout=_layout(e.layout, loops), residual=residual,
        q=longer(e.q, ops.symbols([n + INTEGRAL for n in names])), u=longer(e.u, z),
        a=longer(e.a, ops.symbols([n + RATE for n in names])), lam=longer(e.lam, lam),
        qdot=longer(e.qdot, z), cv=longer(e.cv, k),
        speeds=Speeds(longer(e.speeds.u, rate), longer(e.speeds.rates, rate)),
    )  # fmt: skip


def _layout(layout: Layout, loops: Sequence[Tear]) -> Layout:
    n = len(loops)
    own = tuple(Scalar(t.name, t.unit, t.owner) for t in loops)
    return replace(
        layout, q=(*layout.q, *(Scalar(s.name + INTEGRAL, "", s.owner) for s in own)),
        u=(*layout.u, *own), rows=(*layout.rows, *own), loops=n,
    )  # fmt: skip
