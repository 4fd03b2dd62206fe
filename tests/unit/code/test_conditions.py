"""Conditions of expressions: guards are found, shared, and hold their branches."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

from pliant.code.conditions import guard_parts, held
from pliant.formulations.equations import Equations, Inputs, Speeds, Written
from pliant.mechanics.layout import Layout, Scalar
from pliant.model.formulas import formula
from pliant.spatial.symbolic import SYMBOLIC


def law(text: str) -> Equations:
    """x' = f(t, x, c) with one state x and a parameter c."""
    t, x, c = ca.SX.sym("t"), ca.SX.sym("x"), ca.SX.sym("c")
    none = ca.SX.zeros(0, 1)
    value = formula(text).evaluate(SYMBOLIC, {"t": t, "x": x, "c": c}.__getitem__)
    return Equations(
        written=Written("test"), ops=SYMBOLIC,
        layout=Layout((), (), (), x=(Scalar("x", "1", "x"),)), inputs=Inputs(c, np.array([2.0])),
        t=t, q=none, u=none, x=x, a=none, lam=none, qdot=none, residual=none, g=none, cv=none,
        f=ca.SX(value), speeds=Speeds(none, none),
    )  # fmt: skip


def values(e: Equations, x: float, modes: list[float], widths: list[float] | None = None) -> float:
    f = ca.Function("f", [e.t, e.x, e.p], [e.f])
    return float(f(0.0, x, [2.0, *modes, *(widths or [0.0] * len(modes))]))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("tanh(x) + sqrt(1 + x**2) + hypot(x, t) + exp(-x)", 0),
        ("spline(x, [0, 1, 2], [0, 1, 0])", 0),
        ("max(c, 1)*abs(c) + piecewise(c > 1, x, 0)", 0),  # nothing there moves
        ("abs(x) + sign(x) + max(x, 0) + piecewise(x > 0, 1, x <= 0, 2, 0)", 1),
        ("max(x, c) + min(c, x) + abs(x - c) + abs(c - x)", 1),
        ("clip(x, -1, 1)", 2),
        ("table(x, [0, 1, 2], [0, 1, 0])", 3),
        ("mod(x, 2)", 1),
        ("piecewise(x > 1, (x - 1)**1.5, 0)", 1),
    ],
)
def test_number_of_guards(text: str, count: int) -> None:
    assert len(held(law(text))[1]) == count


@pytest.mark.parametrize(
    ("text", "below", "above"),
    [("abs(x)", -0.5, 0.5), ("max(x, 0)", 0.0, 0.5), ("min(x, 0)", 0.5, 0.0), ("sign(x)", -1, 1),
     ("piecewise(x < 0, 3*x, 7)", 1.5, 7), ("piecewise(x >= 0, 7, 3*x)", 1.5, 7)],
)  # fmt: skip
def test_branch_is_held_whatever_the_state(text: str, below: float, above: float) -> None:
    """At x = 1/2 the lower branch goes on if its mode is set; without a mode it is as written."""
    e, _ = held(law(text))
    assert values(e, 0.5, [-1.0]) == below
    assert values(e, 0.5, [1.0]) == above == values(e, 0.5, [0.0])


def test_floor_holds_its_whole_number() -> None:
    e, _ = held(law("floor(x)"))
    assert values(e, 3.2, [2.5]) == 2.0
    assert values(e, 3.2, [0.0]) == 3.0


def test_sliding_branches_are_joined_by_a_ramp() -> None:
    e, _ = held(law("piecewise(x < 0, 4, 8)"))
    assert [values(e, x, [2.0], [0.1]) for x in (-0.1, 0.0, 0.05, 0.1)] == [4.0, 6.0, 7.0, 8.0]
    assert [values(e, x, [0.0], [0.1]) for x in (-9.0, 0.05, 9.0)] == [4.0, 7.0, 8.0]


def test_power_goes_on_beyond_its_branch_only_while_held() -> None:
    e, _ = held(law("piecewise(x > 1, (x - 1)**1.5, 0)"))
    slightly = 1 - 1e-8
    assert values(e, slightly, [1.0]) == pytest.approx(-1e-12)
    assert values(e, slightly, [-1.0]) == 0.0 == values(e, slightly, [0.0])
    slope = ca.Function("d", [e.t, e.x, e.p], [ca.jacobian(e.f, e.x)])
    assert np.isfinite(float(slope(0.0, slightly, [2.0, -1.0, 0.0])))


def test_margins_and_rates_are_those_of_the_guard() -> None:
    e, guards = held(law("-2*abs(x)"))
    parts = guard_parts(e, guards)
    names = list(parts)
    f = ca.Function("K", [e.t, e.x, e.p], [parts[k] for k in names])
    found = dict(zip(names, map(float, f(0.0, -0.5, [2.0, -1.0, 0.0])), strict=True))
    assert found == {"g": -0.5, "rate": -1.0, "margin": 0.5, "margin_rate": 1.0, "next": 1.0,
                     "here": -1.0, "pace": 0.0}  # fmt: skip
