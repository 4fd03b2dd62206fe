"""Equations in independent speeds alone, where nothing but velocities is constrained.

    G_d u_d + G_i u_i + b = 0:    u_d = A u_i + a,  A = -G_d⁻¹ G_i       (kinematics: q' = N u)
    F̃_r = F_r + Σ_s A_sr F_s                                            λ = G_d⁻ᵀ r_d

q keeps all coordinates, u and the rows of motion have one entry for each degree of freedom; there
are no constraints left that a solution could leave. Source: Kane, Levinson (1985) 2.13, 4.4.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.equations.embedding import Partition
from pliant.equations.further import mapped
from pliant.equations.partials import PartialVelocities
from pliant.errors import CapabilityError
from pliant.graphs.bonds.linear import solved


def only_velocities(e: Equations, split: Partition) -> bool:
    """Whether the rows that count are constraints on velocities."""
    return bool(split.rows) and not e.layout.loops and min(split.rows) >= e.layout.n_holonomic


def reduce(e: Equations, split: Partition) -> Equations:
    """Equations in independent speeds; multipliers stand in observables as they follow."""
    ops, rows, d = e.ops, list(split.rows), list(split.dependent)
    i = split.independent(e.u.numel())
    u_d, a_d, u_i = (_part(e, x, own) for x, own in ((e.u, d), (e.a, d), (e.u, i)))
    held = _part(e, e.cv, rows)
    G_d = _entries(ops, ops.jacobian(held, u_d))
    rest = ops.substitute([held], u_d, ops.zeros(len(d)))[0]
    flows = _solved(e, G_d, [-rest[k] for k in range(len(rows))])
    rates = ops.substitute([e.total_derivative(flows)], u_d, flows)[0]
    old, new = ops.stack([u_d, a_d]), ops.stack([flows, rates])
    bare = ops.substitute([e.residual], e.lam, ops.zeros(e.lam.numel()))[0]
    bare = ops.substitute([bare], old, new)[0]
    A = ops.full(ops.jacobian(flows, u_i))
    residual = _part(e, bare, i) + A.T @ _part(e, bare, d)
    across = [[G_d[r][c] for r in range(len(rows))] for c in range(len(d))]
    taken = _solved(e, across, [bare[k] for k in d])
    lam = ops.stack([taken[rows.index(k)] if k in rows else 0 for k in range(e.lam.numel())])
    old, new = ops.stack([old, e.lam]), ops.stack([new, lam])

    def known(x: Any) -> Any:
        return x if x is None or not x.numel() else ops.substitute([x], old, new)[0]

    none = ops.symbols(())
    return replace(
        e, form="embedding", u=u_i, a=_part(e, e.a, i), lam=none, g=none, cv=none,
        qdot=known(e.qdot), residual=ops.full(residual), f=known(e.f), x_start=known(e.x_start),
        u_of_qdot=_part(e, e.u_of_qdot, i),
        layout=replace(e.layout, u=tuple(e.layout.u[k] for k in i), rows=(), n_holonomic=0),
        observables={n: replace(o, expression=known(o.expression))
                     for n, o in e.observables.items()},
        further=mapped(e.further, lambda o: replace(o, expression=known(o.expression))),
        events={n: known(x) for n, x in e.events.items()},
        elastic={n: (q, i.index(u) if count else 0, count)
                 for n, (q, u, count) in e.elastic.items()},
        bodies={n: known(x) for n, x in e.bodies.items()},
        axial={n: known(x) for n, x in e.axial.items()},
        given=e.given.mapped(known),
        partials={n: _independent(e, p, u_i, A, (i, d)) for n, p in e.partials.items()},
    )  # fmt: skip


def _independent(
    e: Equations, own: PartialVelocities, u_i: Any, A: Any, split: tuple[list[int], list[int]]
) -> PartialVelocities:
    """Partial velocities of the constrained system: ṽ_r = v_r + Σ_s A_sr v_s."""
    w, v = (_columns(e, x, split[0]) + _columns(e, x, split[1]) @ A for x in (own.w, own.v))
    return PartialVelocities(u_i, w, v, own.axes)


def _columns(e: Equations, matrix: Any, places: Iterable[int]) -> Any:
    return e.ops.columns([matrix[:, k] for k in places])


def _solved(e: Equations, A: list[list[Any]], b: list[Any]) -> Any:
    found = solved(e.ops, A, b)
    if found is None:
        raise CapabilityError("independent: the constraints do not determine the other speeds")
    return e.ops.stack(found)


def _entries(ops: Any, matrix: Any) -> list[list[Any]]:
    full = ops.full(matrix)
    return [[full[i, j] for j in range(full.shape[1])] for i in range(full.shape[0])]


def _part(e: Equations, column: Any, places: list[int]) -> Any:
    return e.ops.stack([column[k] for k in places]) if places else e.ops.symbols(())
