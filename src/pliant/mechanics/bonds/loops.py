"""Algebraic loops in the contract: the unknowns z are entries of u without mass, their equations
k(t, q, u, x, z) = 0 are velocity constraints without a position level.

    with multipliers     residual of z:  -(∂k/∂z)ᵀ λ_k = 0, of u also -(∂k/∂u)ᵀ λ_k; as ∂k/∂z is
                         regular, λ_k = 0
    without              the rows of k join those of the dependent stores

So every solver holds k = 0 as it holds any velocity constraint, by projection after each step.
Every z gets a coordinate of its own, its integral: interpolation between implicit steps works on
coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.equations.layout import Group, Layout, Scalar
from pliant.mechanics.bonds.unknowns import Tear
from pliant.mechanics.motion import RATE
from pliant.mechanics.unknowns import column

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
    if e.form != "mixed":
        if residual.numel():  # r - (∂k/∂u)ᵀ λ_k
            residual = residual - ops.jacobian(k, e.u).T @ lam
        residual = longer(residual, -ops.jacobian(k, z).T @ lam)
    return replace(
        e, layout=_layout(e.layout, loops), residual=residual,
        q=longer(e.q, ops.symbols([n + INTEGRAL for n in names])), u=longer(e.u, z),
        a=longer(e.a, ops.symbols([n + RATE for n in names])), lam=longer(e.lam, lam),
        qdot=longer(e.qdot, z), cv=longer(e.cv, k),
        u_of_qdot=longer(e.u_of_qdot, rate), qdot_symbol=longer(e.qdot_symbol, rate),
    )  # fmt: skip


def _layout(layout: Layout, loops: Sequence[Tear]) -> Layout:
    n = len(loops)
    own = tuple(Scalar(t.name, t.unit, t.owner) for t in loops)
    return replace(
        layout, q=(*layout.q, *(Scalar(s.name + INTEGRAL, "", s.owner) for s in own)),
        u=(*layout.u, *own), rows=(*layout.rows, *own), loops=n,
        groups=(*layout.groups, Group("real", len(layout.q), n)),
    )  # fmt: skip
