"""Generalised speeds: the user's formulas in the place of rates of joints.

    u = Y(q) U + y(q)          U = Z(q) u + z(q),   Z = Y⁻¹

U: the rates that the formulas read, as many as there are formulas. All other rates of joints, and
those of elastic coordinates, are speeds themselves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.equations.layout import Scalar
from pliant.errors import ModelError
from pliant.graphs.bonds.linear import is_zero
from pliant.graphs.bonds.solving import solved
from pliant.mechanics.motion import RATE
from pliant.mechanics.skeleton import Skeleton
from pliant.mechanics.speed_map import SPEEDS, no_inverse, too_few


def choose(skeleton: Skeleton) -> None:
    """Write the rates of joints in the speeds of the model; bodies move with the rates now."""
    formulas = skeleton.graph.model.speeds
    if not formulas:
        return
    motion, new, ops = skeleton.motion, skeleton.unknowns, skeleton.motion.ops
    rates = new.column(new.u)
    values = ops.stack([motion.value(f) for f in formulas.values()])
    slopes = ops.full(ops.jacobian(values, rates))
    places = [j for j in range(rates.numel())
              if any(not is_zero(slopes[i, j]) for i in range(len(formulas)))]  # fmt: skip
    if len(places) != len(formulas):
        raise ModelError([too_few(list(formulas), [new.u_names[j].name for j in places])])
    read = ops.stack([rates[j] for j in places])
    rest = ops.substitute([values], read, ops.zeros(len(places)))[0]
    u, a = (ops.symbols([n + mark for n in formulas]) for mark in ("", RATE))
    Y = [[slopes[i, j] for j in places] for i in range(len(formulas))]
    found = solved(ops, Y, [u[i] - rest[i] for i in range(len(formulas))])
    if found is None:
        raise ModelError([no_inverse(list(formulas))])
    _replace(skeleton, places, ops.stack(found), u, a, (values, rates))


def _replace(
    skeleton: Skeleton, places: list[int], rates: Any, u: Any, a: Any, read: tuple[Any, Any]
) -> None:
    """Speeds u in the place of the rates, which they give."""
    new, ops = skeleton.unknowns, skeleton.motion.ops
    values, U = read
    old = ops.stack([U[j] for j in places])
    of_rates = ops.substitute([values], U, new.column(new.speeds))[0]
    where = {j: k for k, j in enumerate(places)}
    start = 0
    for i, own in enumerate(new.u):
        span = range(start, start + own.numel())
        start += own.numel()
        if not any(j in where for j in span):
            continue
        for kept, with_ in ((new.u, u), (new.a, a), (new.speeds, of_rates)):
            kept[i] = ops.stack([with_[where[j]] if j in where else kept[i][k]
                                 for k, j in enumerate(span)])  # fmt: skip
        new.qdot[i] = ops.substitute([new.qdot[i]], old, rates)[0]
    for j, k in where.items():
        name = list(skeleton.graph.model.speeds)[k]
        new.u_names[j] = Scalar(name, new.u_names[j].unit, SPEEDS)
    for name, state in skeleton.motion.joints.items():
        if state.joint.nu:
            moved = ops.substitute([state.u], old, rates)[0]
            skeleton.motion.joints[name] = replace(state, u=moved)


def with_elastic_rates(e: Equations) -> Equations:
    """Speeds that follow from q' may contain elastic rates: these are among the q', too."""
    ops, u = e.ops, e.u_of_qdot
    for q, start, count in e.elastic.values():
        if count:
            own, rates = e.u[start : start + count], e.qdot_symbol[q : q + count]
            u = ops.substitute([u], own, rates)[0]
    return replace(e, u_of_qdot=u)
