"""States of networks are judged by their own size: micro-coulombs as well as volts."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.solve.start.state_sizes import absolute_tolerances, state_sizes


def _sizes(elements, t_end, **more):
    system = pl.System(networks=[pl.Network("n", elements, domain="electrical", **more)])
    prepared = prepare(system)
    start = initial_state(system, prepared, None, 0.0)
    names = [s.name for s in prepared.compiled.layout.x]
    return dict(zip(names, state_sizes(prepared.compiled, start.x, start.p, t_end), strict=True))


def _mesh(**elements):
    return {"mesh": {"junction": 1}, **{k: {**v, "on": "mesh"} for k, v in elements.items()}}


@pytest.mark.parametrize("C", [1e-12, 1e-6, 1e-3])
def test_a_charge_is_as_large_as_the_source_makes_it(C):
    """E C = 5 C after many time constants R C."""
    found = _sizes(_mesh(E={"Se": 5}, r={"R": 1000}, c={"C": C}), 1e5 * C)
    assert found["n.c.displacement"] == pytest.approx(5 * C, rel=1e-3)


def test_an_oscillation_has_the_size_of_its_amplitude():
    """LC: charge swings to 2 E C, current to E sqrt(C/L); the method damps both a little."""
    found = _sizes(_mesh(E={"Se": 1}, c={"C": 1e-9}, l={"I": 1e-3}), 1e-3)
    assert 1e-9 <= found["n.c.displacement"] <= 2.01e-9
    assert 0.3e-3 <= found["n.l.flow"] <= 1e-3


def test_a_source_that_starts_later_is_seen():
    found = _sizes(_mesh(E={"Se": "smoothstep(t, 0.5, 0.6)"}, r={"R": 1}, c={"C": 1e-6}), 1.0)
    assert found["n.c.displacement"] == pytest.approx(1e-6, rel=1e-2)


def test_a_balanced_bridge_is_not_judged_by_its_rounding():
    """No current through the coil in the middle; its two voltages of about 0.5 V cancel."""
    legs = {
        "a": {"junction": 0}, "b": {"junction": 0}, "top": {"junction": 0},
        "E": {"Se": 1, "on": "top"}, "ca": {"C": 1e-6, "on": "a"}, "cb": {"C": 1e-6, "on": "b"},
        "ra": {"junction": 1}, "Ra": {"R": 1000, "on": "ra"},
        "rb": {"junction": 1}, "Rb": {"R": 1000, "on": "rb"},
        "m": {"junction": 1}, "coil": {"I": 1e-3, "on": "m"},
    }  # fmt: skip
    ends = [("top", "ra"), ("ra", "a"), ("top", "rb"), ("rb", "b"), ("a", "m"), ("m", "b")]
    bonds = {f"{i}_{j}": {"from": i, "to": j} for i, j in ends}
    found = _sizes(legs, 1.0, bonds=bonds)
    assert found["n.ca.displacement"] == pytest.approx(1e-6, rel=1e-2)
    assert 1e-6 <= found["n.coil.flow"] <= 1


def test_nothing_known_is_size_one_and_mechanics_is_untouched():
    found = _sizes(_mesh(r={"R": 1}, c={"C": 1e-6}), 1.0)
    assert found["n.c.displacement"] == 1
    arm = pl.RigidBody("arm", mass=1, inertia=(1, 1, 1))
    system = pl.System(bodies=[arm], joints=[pl.Revolute("O", "ground", "arm")])
    prepared = prepare(system)
    start = initial_state(system, prepared, None, 0.0)
    assert absolute_tolerances(prepared.compiled, start.x, start.p, 1.0, 1e-6) is None


def test_small_charges_are_integrated_to_the_tolerance():
    """1 pF at 1 V: E C (1 - exp(-t / R C)), to 1e3 rtol of its size."""
    elements = _mesh(E={"Se": 1}, r={"R": 1e6}, c={"C": 1e-12})
    system = pl.System(networks=[pl.Network("n", elements, domain="electrical")])
    result = system.simulate(1e-5, every=1e-7, rtol=1e-8, method="dop853")
    exact = 1e-12 * (1 - np.exp(-result.time / 1e-6))
    assert np.abs(result.values("n.c.displacement") - exact).max() <= 1e-17
