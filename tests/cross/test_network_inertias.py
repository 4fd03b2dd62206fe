"""Inertias of networks whose momentum is a law of their flow."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pliant as pl
from pliant.errors import CapabilityError, ModelError

PSI, I0, LS = 0.4, 1.5, 0.01
SATURATING = [
    {"momentum": "psi*tanh(f/i0) + Ls*f"},
    {"coenergy": "psi*i0*log(cosh(f/i0)) + Ls*f**2/2"},
]
"""Flux psi tanh(i/i0) of the iron, and what the air adds."""


def inductance(i):
    return PSI / I0 / np.cosh(i / I0) ** 2 + LS


def circuit(law, **elements):
    own = {"mesh": {"junction": 1}, "source": {"Se": "V", "on": "mesh"},
           "wire": {"R": 2, "on": "mesh"}, "L": {"I": law, "on": "mesh"}} | elements  # fmt: skip
    values = {"psi": PSI, "i0": I0, "Ls": LS, "V": 12}
    return pl.System(parameters=values, networks=[pl.Network("n", own, domain="electrical")])


@pytest.mark.parametrize("law", SATURATING)
def test_current_of_a_saturating_coil(law):
    """L(i) i' = V - R i, against scipy; the energy is ∫ i dp."""
    result = circuit(law).simulate(0.5, every=0.01, rtol=1e-11, atol=1e-12).require()
    reference = solve_ivp(
        lambda t, i: (12 - 2 * i) / inductance(i), (0, 0.5), [0.0],
        method="DOP853", rtol=1e-12, atol=1e-13, t_eval=result.time,
    )  # fmt: skip
    i = result.values("n.L.flow")
    assert np.abs(i - reference.y[0]).max() < 1e-8
    stored = PSI * i * np.tanh(i / I0) - PSI * I0 * np.log(np.cosh(i / I0)) + LS * i**2 / 2
    assert np.abs(result.values("n.energy") - stored).max() < 1e-9 * stored.max()
    audit = result.power_audit()
    assert audit.junction_residual < 1e-10
    assert abs(audit.residual) < 1e-9 * audit.turnover


def test_a_saturating_coil_with_a_capacitor_keeps_the_energy():
    system = circuit(SATURATING[1], wire={"C": 1e-3, "on": "mesh", "initial": {"effort": 60}})
    result = system.simulate(0.5, every=0.002, rtol=1e-11, atol=1e-13, params={"V": 0}).require()
    energy = result.values("energy")
    assert np.abs(energy / energy[0] - 1).max() < 1e-9
    assert np.abs(result.values("n.L.flow")).max() > 2 * I0


def test_coils_in_series_add_their_inductances():
    """Derivative causality: the second current is the first."""
    second = {"I": {"momentum": "0.1*atan(f)"}, "on": "mesh"}
    result = circuit(SATURATING[0], second=second).simulate(
        0.5, every=0.01, rtol=1e-11, atol=1e-12
    ).require()  # fmt: skip
    reference = solve_ivp(
        lambda t, i: (12 - 2 * i) / (inductance(i) + 0.1 / (1 + i**2)), (0, 0.5), [0.0],
        method="DOP853", rtol=1e-12, atol=1e-13, t_eval=result.time,
    )  # fmt: skip
    assert np.abs(result.values("n.L.flow") - reference.y[0]).max() < 1e-8


def test_a_current_source_meets_the_voltage_of_the_law():
    """Derivative causality: e = L(i) i'."""
    result = circuit(SATURATING[0], source={"Sf": "3*sin(20*t)", "on": "mesh"}).simulate(
        0.5, every=0.01
    ).require()  # fmt: skip
    i, rate = 3 * np.sin(20 * result.time), 60 * np.cos(20 * result.time)
    assert np.abs(result.values("n.L.effort") - inductance(i) * rate).max() < 1e-12


@pytest.mark.parametrize("formulation", ["recursive", "linear-graph", "multibond", "natural"])
def test_a_mass_that_grows_with_its_speed_on_a_joint(formulation):
    """p = v/√(1 - v²/4) in a constant force beside a mass m: m v + p = F t."""
    elements = {"at": {"joint": "slide"}, "F": {"Se": 2, "on": "at"},
                "m": {"I": {"coenergy": "-4*sqrt(1 - f**2/4)"}, "on": "at"}}  # fmt: skip
    system = pl.System(
        bodies=[pl.RigidBody.point("b", 0.5)],
        joints=[pl.Prismatic("slide", "ground", "b", axis="x")],
        networks=[pl.Network("n", elements, domain="translation")],
    )
    result = system.simulate(1.0, every=0.05, rtol=1e-11, formulation=formulation).require()
    v = result.values("slide.displacement_rate")
    assert np.abs(0.5 * v + v / np.sqrt(1 - v**2 / 4) - 2 * result.time).max() < 1e-9
    gained = result.values("energy") - result.values("energy")[0]
    assert np.abs(gained - 2 * result.values("slide.displacement")).max() < 1e-9


def test_a_field_given_by_its_coenergy_is_the_one_given_by_its_momenta():
    laws = (
        {"coenergy": "f1**2 + f2**2 + f1**2*f2**2 + 0.3*f1*f2"},
        {"momentum": ["2*f1 + 2*f1*f2**2 + 0.3*f2", "2*f2 + 2*f1**2*f2 + 0.3*f1"]},
    )
    runs = []
    for law in laws:
        elements = {
            "x": {"junction": 1}, "y": {"junction": 1}, "m": {"I": law, "on": ["x", "y"]},
            "kx": {"C": 0.3, "on": "x", "initial": 0.4},
            "ky": {"C": 0.1, "on": "y", "initial": -0.2},
        }  # fmt: skip
        system = pl.System(networks=[pl.Network("n", elements, domain="translation")])
        runs.append(system.simulate(3.0, every=0.1, rtol=1e-11, atol=1e-12).require())
    for name in ("n.m.flow", "energy"):
        a, b = (r.values(name) for r in runs)
        assert np.abs(a - b).max() < 1e-9
    energy = runs[0].values("energy")
    assert np.abs(energy / energy[0] - 1).max() < 1e-9


def test_printed_equations_hold_the_slope_of_the_law():
    text = circuit({"momentum": "psi*f + Ls*f**3"}).equations().text()
    assert "n.L.flow' = V*inverse1 - 2*n.L.flow*inverse1" in text
    assert "inverse1 = 1/(psi + 3*Ls*n.L.flow**2)" in text


def test_a_store_that_shares_its_rate_with_the_mechanism_is_refused_by_name():
    """A non-linear wheel of a differential: its momentum would have to be solved for the flow."""
    elements = {
        "at": {"joint": "slide"}, "node": {"junction": 0}, "x": {"junction": 1},
        "y": {"junction": 1}, "my": {"I": 1, "on": "y"},
        "mx": {"I": {"coenergy": "f**2 + f**4/4"}, "on": "x"},
    }  # fmt: skip
    bonds = {"a": {"from": "at", "to": "node"}, "b": {"from": "node", "to": "x"},
             "c": {"from": "node", "to": "y"}}  # fmt: skip
    system = pl.System(
        bodies=[pl.RigidBody.point("b", 0.5)],
        joints=[pl.Prismatic("slide", "ground", "b", axis="x")],
        networks=[pl.Network("n", elements, domain="translation", bonds=bonds)],
    )
    with pytest.raises(CapabilityError, match=re.escape("n.mx.flow: its rate cannot be solved")):
        system.simulate(0.1)


IMPOSSIBLE = [
    ({"momentum": ["2*f1 + f1*f2**2", "f2"]}, ["x", "y"], "I: its law has no energy"),
    ({"momentum": "f", "coenergy": "f**2/2"}, "x", "I: momentum and coenergy are given"),
    ({"coenergy": ["f1**2", "f2**2"]}, ["x", "y"], "a list of 2 for 2 components"),
    ({"momentum": "f - 4*f**3"}, "x", "at the start its momentum does not grow with its flow"),
    ({"coenergy": "f1**2 - f2**2"}, ["x", "y"], "at the start its momentum does not grow"),
    ({"momentum": "f*t"}, "x", "reads 't', but must be constant; a store that changes in time"),
]


@pytest.mark.parametrize(("law", "on", "phrase"), IMPOSSIBLE)
def test_laws_that_no_inertia_can_have_are_refused_by_name(law, on, phrase):
    start = 1 if on == "x" else 0
    elements = {"x": {"junction": 1}, "y": {"junction": 1}, "c": {"C": 1, "on": "x"},
                "d": {"C": 1, "on": "y"}, "m": {"I": law, "on": on, "initial": start}}  # fmt: skip
    if on == "x":
        elements["n"] = {"I": 1, "on": "y"}
    with pytest.raises(ModelError, match=re.escape(phrase)) as caught:
        pl.System(networks=[pl.Network("n", elements)])
    assert "element 'n.m'" in str(caught.value)
