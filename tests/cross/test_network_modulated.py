"""Inertias of networks that change with the mechanism: they act on the joint they read."""

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl

L0, A, K, FREE = 0.2, 0.02, 6000.0, 0.015
LAWS = [
    "L0/(1 + slide.displacement/a)",
    {"coenergy": "L0/(1 + slide.displacement/a)*f**2/2"},
    {"coenergy": "L0/(1 + slide.displacement/a)*i0**2*(sqrt(1 + f**2/i0**2) - 1)"},
]
"""The last one saturates."""
FORMULATIONS = ["recursive", "multibond", "natural"]


def solenoid(law, R, **elements):
    """A coil L(x) = L0/(1 + x/a) that pulls a plunger against a spring."""
    own = {
        "mesh": {"junction": 1},
        "supply": {"Se": "V", "on": "mesh"},
        "wire": {"R": R, "on": "mesh"},
        "L": {"I": law, "on": "mesh", "initial": 1},
    } | elements
    return pl.System(
        parameters={"L0": L0, "a": A, "V": 0, "i0": 2},
        bodies=[pl.RigidBody.point("plunger", 0.1)],
        joints=[
            pl.Prismatic("slide", "ground", "plunger", axis="x", initial={"displacement": FREE})
        ],
        forces=[pl.JointSpring("back", "slide", stiffness=K, free=FREE)],
        networks=[pl.Network("coil", own, domain="electrical")],
        outputs={"linkage": "L0/(1 + slide.displacement/a)*coil.L.flow"},
    )


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("law", LAWS[:2])
def test_a_shorted_coil_keeps_its_flux_and_the_energy(law, formulation):
    """No source, no resistance: d(L i)/dt = 0, and L i²/2 + m v²/2 + k x²/2 stay."""
    result = solenoid(law, R=0).simulate(
        0.1, every=1e-3, rtol=1e-11, atol=1e-13, method="dop853", formulation=formulation
    ).require()  # fmt: skip
    for name in ("linkage", "energy"):
        values = result.values(name)
        assert np.abs(values / values[0] - 1).max() < 1e-9
    assert np.ptp(result.values("slide.displacement")) > 1e-4


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("law", LAWS)
def test_coil_capacitor_and_plunger_exchange_energy_and_lose_none(law, formulation):
    system = solenoid(law, R=0, c={"C": 1e-3, "on": "mesh"})
    result = system.simulate(
        0.1, every=1e-3, rtol=1e-11, atol=1e-13, method="dop853", formulation=formulation
    ).require()
    energy = result.values("energy")
    assert np.abs(energy / energy[0] - 1).max() < 1e-9
    assert np.ptp(result.values("mechanical_energy")) > 0.01 * energy[0]


def pulls(law, i, x):
    """-∂T*/∂x."""
    slope = L0 / A / (1 + x / A) ** 2
    return slope * (4 * (np.sqrt(1 + i**2 / 4) - 1) if law is LAWS[2] else i**2 / 2)


@pytest.mark.parametrize("law", LAWS)
def test_at_rest_the_pull_is_that_of_the_closed_form(law):
    """k (free - x) = -∂T*/∂x at i = V/R; of a linear coil 1/2 dL/dx i²."""
    result = solenoid(law, R=4).statics(params={"V": 12})
    x = brentq(lambda x: K * (FREE - x) - pulls(law, 3.0, x), 0, FREE, xtol=1e-18)
    assert FREE - x > 1e-4
    assert result.values("slide.displacement")[-1] == pytest.approx(x, rel=1e-8)
    assert result.values("coil.L.flow")[-1] == pytest.approx(3.0, rel=1e-9)


@pytest.mark.parametrize("law", [LAWS[0], LAWS[2]])
def test_formulations_agree_and_power_balances(law):
    system = solenoid(law, R=4)
    assert system.verify(pointwise=True, states=4, params={"V": 12}).agree
    result = system.simulate(0.05, every=1e-3, rtol=1e-10, params={"V": 12}).require()
    audit = result.power_audit()
    assert audit.junction_residual < 1e-10
    assert abs(audit.residual) < 1e-8 * audit.turnover
    assert [e.kind for e in audit.entries if e.element == "coil.L"] == ["kinetic"]
    (exchange,) = [e for e in audit.exchanges if e.element == "coil.L"]
    assert {exchange.source, exchange.target} == {"electrical", "translation"}


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_a_current_source_meets_the_voltage_of_the_motion(formulation):
    """Derivative causality: e = (L i)' = L i' + dL/dx x' i."""
    shorted = {"supply": {"Sf": "V*sin(200*t)", "on": "mesh"}, "L": {"I": LAWS[0], "on": "mesh"}}
    result = solenoid(LAWS[0], R=1, **shorted).simulate(
        0.05, every=5e-4, rtol=1e-10, params={"V": 3}, formulation=formulation
    ).require()  # fmt: skip
    t, x, v = (result.time, *(result.values(f"slide.displacement{s}") for s in ("", "_rate")))
    assert np.abs(v).max() > 1e-3
    i, rate, L = 3 * np.sin(200 * t), 600 * np.cos(200 * t), L0 / (1 + x / A)
    expected = L * rate - L0 / A / (1 + x / A) ** 2 * v * i
    error = np.abs(result.values("coil.L.effort") - expected).max()
    assert error < 1e-12 * np.abs(expected).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_an_inertia_that_changes_with_its_own_joint_obeys_lagrange(formulation):
    """J θ'' + 1/2 dJ/dθ θ'² = 0 with the J of both: θ' = θ'(0) √(J(0)/J)."""
    elements = {"at": {"joint": "pin"}, "J": {"I": "1 + 0.5*cos(pin.angle)", "on": "at"}}
    body = pl.RigidBody("wheel", mass=1, inertia=[0.4, 0.4, 0.4])
    pin = pl.Revolute("pin", "ground", "wheel", axis="z", initial={"angle_rate": 3})
    system = pl.System(bodies=[body], joints=[pin],
                       networks=[pl.Network("n", elements, domain="rotation")])  # fmt: skip
    result = system.simulate(3.0, every=0.05, rtol=1e-11, formulation=formulation).require()
    J = 1.4 + 0.5 * np.cos(result.values("pin.angle"))
    assert np.abs(result.values("pin.angle_rate") - 3 * np.sqrt(1.9 / J)).max() < 1e-8


def test_an_inertia_on_a_differential_keeps_the_energy():
    """Its momentum is the state: its rate contains the acceleration of the joint it reads."""
    elements = {
        "at": {"joint": "slide"}, "node": {"junction": 0}, "x": {"junction": 1},
        "y": {"junction": 1}, "mx": {"I": "2 + cos(3*slide.displacement)", "on": "x"},
        "my": {"I": 1, "on": "y"}, "k": {"C": 0.2, "on": "x", "initial": 0.5},
    }  # fmt: skip
    bonds = {"a": {"from": "at", "to": "node"}, "b": {"from": "node", "to": "x"},
             "c": {"from": "node", "to": "y"}}  # fmt: skip
    slide = pl.Prismatic("slide", "ground", "b", axis="x", initial={"displacement_rate": 1})
    system = pl.System(
        bodies=[pl.RigidBody.point("b", 0.5)], joints=[slide],
        networks=[pl.Network("n", elements, domain="translation", bonds=bonds)],
    )  # fmt: skip
    places = []
    for formulation in ("recursive", "multibond"):
        result = system.simulate(
            3.0, every=0.05, rtol=1e-11, atol=1e-12, formulation=formulation
        ).require()
        energy = result.values("energy")
        assert np.abs(energy / energy[0] - 1).max() < 1e-9
        places.append(result.values("slide.displacement"))
    assert np.abs(places[0] - places[1]).max() < 1e-9
    assert np.ptp(places[0]) > 0.1
