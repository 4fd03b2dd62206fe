"""Explicit equations x' = f of pure bond graphs against those with flows in u."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np
import pytest
from tests.unit.formulations.multibond_networks import (
    Numbers,
    contract,
    dc_motor,
    p,
    parallel_rlc,
    resistive_loop,
    series_rlc,
)
from tests.unit.formulations.test_multibond_networks import HEAT, MOTOR, RLC, thermal_wall

from pliant.bonds import BondGraph, Compliance, Inertia, Resistance, Source, Transformer

LOOP = dict(E=10.0, R1=2.0, R2=3.0, R3=4.0, L=0.5)


def coupled_coils() -> BondGraph:
    """Two meshes with mutual inductance; a third coil is in series with one of them."""
    g = BondGraph("coils")
    for k, name in enumerate(("one", "two")):
        g.one(name, domain="electrical")
        g.add("Se", f"E{k + 1}", Source(p(f"E{k + 1}")), on=name)
        g.add("R", f"R{k + 1}", Resistance(2.0 + k), on=name)
    g.add("I", "coils", Inertia(np.array([[0.3, 0.1], [0.1, 0.2]])), dim=2, priority=1)
    g.bond("one", "coils")
    g.bond("two", "coils")
    g.add("I", "third", Inertia(0.7), on="one")
    return g


def swelling_gear() -> BondGraph:
    """An inertia behind a gear whose ratio grows in time: its flow changes with the ratio, too."""
    g = BondGraph("gear")
    g.one("shaft", domain="rotation")
    g.one("axle", domain="rotation")
    g.add("I", "J1", Inertia(2.0), on="shaft", priority=1)
    g.add("MTF", "gear", Transformer(lambda ops, s: 1 + 0.5 * ops.sin(s.t)))
    g.bond("shaft", "gear")
    g.bond("gear", "axle")
    g.add("I", "J2", Inertia(3.0), on="axle")
    g.add("Se", "T", Source(p("T")), on="shaft")
    return g


def parallel_capacitors() -> BondGraph:
    """A source charges two capacitors, of which one is not linear."""
    g = BondGraph("capacitors")
    g.zero("node", domain="electrical")
    g.add("Sf", "J", Source(p("J")), on="node")
    g.add("C", "C1", Compliance.capacity(0.1), on="node", priority=1)
    varactor = Compliance(lambda ops, s, q: q, lambda ops, s, e: 0.2 * e + 0.05 * e * e * e)
    g.add("C", "C2", varactor, on="node")
    return g


CASES: dict[str, tuple[Any, dict[str, float], dict[str, float]]] = {
    "series RLC": (series_rlc, RLC, {"L.flow": 0.7, "C.displacement": 0.02}),
    "parallel RLC": (parallel_rlc, RLC, {"L.flow": 0.7, "C.displacement": 0.02}),
    "motor": (dc_motor, MOTOR, {"La.flow": 3.0, "load.flow": -1.0, "rotor.flow": -5.0}),
    "loop": (resistive_loop, LOOP, {"L.flow": 0.8}),
    "wall": (thermal_wall, HEAT, {"air.displacement": 1.2e7, "brick.displacement": 8.4e8}),
    "coils": (coupled_coils, dict(E1=3.0, E2=-1.0),
              {"coils.1": 0.4, "coils.2": 0.5, "third.flow": 0.4}),
    "capacitors": (parallel_capacitors, dict(J=0.5), {"C1.effort": 2.0, "C2.effort": 2.0}),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_rates_and_bonds_are_those_of_the_implicit_form(name: str) -> None:
    make, numbers, state = CASES[name]
    implicit = Numbers(contract(make(), numbers)).at(state)
    e = contract(make(), numbers, form="explicit")
    assert not e.layout.u
    explicit = Numbers(e).at(state)
    for state_name, rate in explicit["rates"].items():
        assert rate == pytest.approx(implicit["rates"][state_name], rel=1e-12)
    for bond, value in explicit["seen"].items():
        if not bond.endswith(".residual"):
            assert value == pytest.approx(implicit["seen"][bond], rel=1e-11, abs=1e-12)


def test_a_dependent_store_has_the_rate_of_its_ratio() -> None:
    """w2 = n(t) w1: (J1 + n² J2) w1' = T - J2 n n' w1."""
    e = contract(swelling_gear(), dict(T=4.0), form="explicit")
    t, w = 0.8, 1.3
    n, rate = 1 + 0.5 * np.sin(t), 0.5 * np.cos(t)
    found = Numbers(e).at({"J1.flow": w}, t=t)
    expected = (4.0 - 3.0 * n * rate * w) / (2.0 + 3.0 * n * n)
    assert found["rates"]["J1.flow"] == pytest.approx(expected, rel=1e-14)
    assert found["seen"]["J2.effort"] == pytest.approx(3.0 * (n * expected + rate * w), rel=1e-14)


def test_a_loop_that_is_not_linear_stays_among_the_speeds() -> None:
    e = contract(resistive_loop(cubic=True), LOOP, form="explicit")
    assert [s.name for s in e.layout.x] == ["L.flow"]
    assert len(e.layout.u) == 1
    assert e.cv.numel() == 1
    assert ca.jacobian(e.cv, e.u).nnz() == 1
