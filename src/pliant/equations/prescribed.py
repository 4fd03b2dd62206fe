"""Motion drivers as branches of the tree: their coordinates are known functions of time.

    q_k = f(t),  u_k = f'(t),  u_k' = f''(t)       the row of u_k gives the driving effort

The coordinate, its row and the driver's constraint go; the multiplier of the driver, which stands
in that row alone, is what the row says. Source: S1 5.2 (drivers selected into the tree).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pliant.equations.contract import Equations
from pliant.equations.embedding import rates_of
from pliant.equations.further import mapped
from pliant.equations.layout import Group, Layout


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
    rate, acceleration = _rates(e, value)
    old = ops.stack([e.q[i], e.u[j], e.a[j], e.qdot_symbol[i]])
    new = ops.stack([value, rate, acceleration, rate])
    effort = ops.substitute([ops.full(e.residual[j])], e.lam[row], ops.zeros(1))[0]

    def known(x: Any) -> Any:
        if x is None or not x.numel():
            return x
        return ops.substitute(ops.substitute([x], e.lam[row], effort), old, new)[0]

    def of(column: Any, places: list[int]) -> Any:
        return ops.stack([column[k] for k in places]) if places else ops.symbols(())

    q, u = _others(e.q.numel(), i), _others(e.u.numel(), j)
    rows, held = _others(e.cv.numel(), row), _others(e.g.numel(), row)
    return replace(
        e, layout=_layout(e.layout, i, j, row), q=of(e.q, q), u=of(e.u, u), a=of(e.a, u),
        lam=of(e.lam, rows), qdot=known(of(e.qdot, q)), residual=known(of(e.residual, u)),
        g=known(of(e.g, held)), cv=known(of(e.cv, rows)), f=known(e.f),
        u_of_qdot=known(of(e.u_of_qdot, u)), qdot_symbol=of(e.qdot_symbol, q),
        x_start=known(e.x_start),
        observables={k: replace(o, expression=known(o.expression))
                     for k, o in e.observables.items()},
        further=mapped(e.further, lambda o: replace(o, expression=known(o.expression))),
        events={k: known(v) for k, v in e.events.items()},
        elastic={k: (a - (a > i), b - (b > j), n) for k, (a, b, n) in e.elastic.items()},
        bodies={k: known(v) for k, v in e.bodies.items()},
        axial={k: known(v) for k, v in e.axial.items()},
        given=e.given.mapped(known),
        alignment=known(e.alignment),
    )  # fmt: skip


def _rates(e: Equations, value: Any) -> tuple[Any, Any]:
    """First and second time derivative of a function of time, parameters and signals."""
    rate = e.total_derivative(value)
    return rate, e.total_derivative(rate)


def _others(count: int, left_out: int) -> list[int]:
    return [k for k in range(count) if k != left_out]


def _layout(layout: Layout, i: int, j: int, row: int) -> Layout:
    groups = [
        Group(g.kind, g.start - (g.start > i), g.size, g.chart)
        for g in (_shrunk(g, i) for g in layout.groups)
        if g.size
    ]
    return replace(
        layout, q=tuple(s for k, s in enumerate(layout.q) if k != i),
        u=tuple(s for k, s in enumerate(layout.u) if k != j), groups=tuple(groups),
        rows=tuple(s for k, s in enumerate(layout.rows) if k != row),
        n_holonomic=layout.n_holonomic - 1,
    )  # fmt: skip


def _shrunk(group: Group, i: int) -> Group:
    """A group without coordinate i."""
    inside = group.start <= i < group.start + group.size
    return replace(group, size=group.size - 1) if inside else group
