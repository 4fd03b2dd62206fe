"""Compliances whose energy depends on the mechanism, or on several displacements."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy.optimize import brentq

import pliant as pl
from pliant.errors import ModelError

K, G0, EPS_A, MASS = 2000.0, 2e-3, 4e-9, 0.05
PULL_IN = np.sqrt(8 * K * G0**3 / (27 * EPS_A))
"""Voltage above which a plate on a spring has no equilibrium; there it has moved G0/3."""
LAWS = [
    {"capacity": "epsA/(g0 - slide.displacement)"},
    {"stiffness": "(g0 - slide.displacement)/epsA"},
    {"energy": "q**2*(g0 - slide.displacement)/(2*epsA)"},
    {
        "energy": "q**2*(g0 - slide.displacement)/(2*epsA)",
        "displacement": "e*epsA/(g0 - slide.displacement)",
    },
]


def plates(law, **elements):
    """A plate on a spring, drawn by another one, in series with what is given."""
    own = {"mesh": {"junction": 1}, "gap": {"C": law, "on": "mesh"}} | elements
    return pl.System(
        parameters={"k": K, "g0": G0, "epsA": EPS_A, "m": MASS, "V": 0.5 * PULL_IN},
        bodies=[pl.RigidBody.point("plate", "m")],
        joints=[pl.Prismatic("slide", "ground", "plate", axis="x")],
        forces=[pl.JointSpring("back", "slide", stiffness="k")],
        networks=[pl.Network("drive", own, domain="electrical")],
    )


SUPPLY = {"supply": {"Se": "V", "on": "mesh"}, "wire": {"R": 1e5, "on": "mesh"}}


@pytest.mark.parametrize("law", LAWS)
def test_voltage_draws_the_plate_as_far_as_the_closed_form_says(law):
    """k x = epsA V² / 2 (g0 - x)², up to the pull-in voltage and a third of the gap."""
    system = plates(law, **SUPPLY)
    for part in (0.3, 0.9, 0.999):
        V = part * PULL_IN
        x = brentq(lambda x, V=V: K * x - EPS_A * V**2 / 2 / (G0 - x) ** 2, 0, G0 / 3, xtol=1e-18)
        found = system.statics(params={"V": V}).values("slide.displacement")[-1]
        assert found == pytest.approx(x, rel=1e-6)


def test_above_the_pull_in_voltage_there_is_no_equilibrium_in_the_gap():
    """Just above, a cubic is left with its one root behind the other plate."""
    found = plates(LAWS[0], **SUPPLY).statics(params={"V": 1.001 * PULL_IN})
    assert found.failure or found.values("slide.displacement")[-1] > G0


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
def test_a_charged_plate_with_a_coil_keeps_its_energy(law, formulation):
    """Charge swings through a coil while the plate swings on its spring."""
    start = {"displacement": 0.7 * PULL_IN * EPS_A / G0}
    gap = {"C": law, "on": "mesh", "initial": start}
    system = plates(law, coil={"I": 50.0, "on": "mesh"}, gap=gap)
    result = system.simulate(
        0.1, every=1e-3, rtol=1e-11, atol=1e-14, method="dop853", formulation=formulation
    ).require()
    energy = result.values("energy")
    assert np.abs(energy / energy[0] - 1).max() < 1e-9
    assert np.ptp(result.values("mechanical_energy")) > 1e-3 * energy[0]
    parts = result.values("mechanical_energy") + result.values("drive.energy")
    assert np.abs(parts - energy).max() < 1e-14 * energy[0]


@pytest.mark.parametrize("formulation", ["recursive", "multibond"])
@pytest.mark.parametrize("law", [LAWS[0], LAWS[3]], ids=["capacity", "energy"])
def test_a_voltage_source_on_the_plates_gives_the_current_of_their_motion(law, formulation):
    """Derivative causality: i = (C V)' = C V' + C' x' V."""
    system = plates(law, supply={"Se": "V*sin(200*t)", "on": "mesh"})
    result = system.simulate(0.05, every=5e-4, rtol=1e-10, formulation=formulation).require()
    t, x, v = (result.time, *(result.values(f"slide.displacement{s}") for s in ("", "_rate")))
    V, rate = 0.5 * PULL_IN * np.sin(200 * t), 100 * PULL_IN * np.cos(200 * t)
    current = EPS_A / (G0 - x) * rate + EPS_A / (G0 - x) ** 2 * v * V
    assert np.abs(result.values("drive.gap.flow") - current).max() < 1e-12 * np.abs(current).max()


def test_parts_and_parameters_of_other_networks_in_a_store():
    """A plate capacitor as a part that is given the coordinate and a parameter of elsewhere."""
    part = pl.Subgraph(
        "condenser",
        {"m": {"junction": 1}, "c": {"C": "a/(g0 - shift)", "on": "m"}},
        ports={"in": "m"}, domain="electrical", parameters={"a": None, "shift": None},
    )  # fmt: skip
    given = {"a": "other.epsA", "shift": "slide.displacement"}
    elements = {"mesh": {"junction": 1}, **SUPPLY,
                "gap": {"part": "condenser", "with": given, "ports": {"in": "mesh"}}}  # fmt: skip
    drop = {"n": {"junction": 1}, "e": {"Se": 1, "on": "n"}, "r": {"R": "1/epsA", "on": "n"}}
    base = plates(LAWS[0], **SUPPLY)
    drive = pl.Network("drive", elements, domain="electrical")
    other = pl.Network("other", drop, parameters={"epsA": EPS_A})
    own = base.model.with_(
        networks={n.name: n for n in (drive, other)}, subgraphs={part.name: part}
    )
    results = [s.statics().values("slide.displacement")[-1] for s in (base, pl.System(own))]
    assert results[1] == pytest.approx(results[0], rel=1e-9)
    assert results[0] > 1e-5


def test_audit_counts_the_energy_once_and_names_the_exchange():
    result = plates(LAWS[0], **SUPPLY).simulate(0.1, every=5e-4, rtol=1e-10).require()
    audit = result.power_audit()
    assert audit.junction_residual < 1e-10
    assert abs(audit.residual) < 1e-7 * audit.turnover
    assert [e.kind for e in audit.entries if e.element == "drive.gap"] == ["potential"]
    assert not [e for e in audit.entries if e.element == "drive.gap.slide"]
    (exchange,) = [e for e in audit.exchanges if e.element == "drive.gap"]
    assert (exchange.source, exchange.target) == ("electrical", "translation")
    gained = np.diff(result.values("mechanical_energy")[[0, -1]])[0]
    assert exchange.energy == pytest.approx(gained, rel=1e-5)


def test_a_field_given_by_its_energy_is_the_one_given_by_its_efforts():
    """E = a q1²/2 + b q1² q2² + c q2²/2 on two masses: the same motion, energy kept."""
    laws = (
        {"energy": "a*q1**2/2 + b*q1**2*q2**2 + c*q2**2/2"},
        {"effort": ["a*q1 + 2*b*q1*q2**2", "c*q2 + 2*b*q1**2*q2"]},
    )
    runs = []
    for law in laws:
        elements = {
            "x": {"junction": 1}, "y": {"junction": 1}, "mx": {"I": 1, "on": "x", "initial": 1},
            "my": {"I": 2, "on": "y"}, "k": {"C": law, "on": ["x", "y"], "initial": [0.1, 0.3]},
        }  # fmt: skip
        system = pl.System(parameters={"a": 3, "b": 5, "c": 2},
                           networks=[pl.Network("n", elements, domain="translation")])  # fmt: skip
        runs.append(system.simulate(3.0, every=0.1, rtol=1e-11, atol=1e-12).require())
    for name in ("n.mx.flow", "n.k.effort", "energy"):
        a, b = (r.values(name) for r in runs)
        assert np.abs(a - b).max() < 1e-9
    energy = runs[0].values("energy")
    assert np.abs(energy / energy[0] - 1).max() < 1e-9


IMPOSSIBLE = [
    ({"C": {"effort": ["2*q1 + q2", "3*q2"]}, "on": ["x", "y"]}, "C: its law has no energy"),
    ({"C": {"stiffness": [[1, 2], [0, 1]]}, "on": ["x", "y"]}, "C: its law has no energy"),
    ({"I": [[1, 2], [0, 1]], "on": ["x", "y"]}, "I: its matrix is not symmetric"),
    ({"C": {"effort": "3*q**3", "displacement": "e/3"}, "on": "x"}, "displacement contradict"),
    ({"C": {"energy": "q**4", "displacement": "e"}, "on": "x"}, "displacement contradict"),
    ({"R": {"effort": "f**3", "flow": "e"}, "on": "x"}, "R: effort and flow contradict"),
    ({"C": {"effort": "q", "energy": "q**2/2"}, "on": "x"}, "effort and energy are given"),
    ({"C": {"energy": ["q1**2", "q2**2"]}, "on": ["x", "y"]}, "a list of 2 for 2 components"),
    ({"C": {"effort": "q*t"}, "on": "x"}, "reads 't', but must be constant; a store that changes"),
]
POSSIBLE = [
    {"C": {"effort": ["2*q1 + q2", "q1 + 3*q2"]}, "on": ["x", "y"]},
    {"C": {"effort": "q**3", "displacement": "sign(e)*abs(e)**(1/3)"}, "on": "x"},
    {"C": {"effort": "clip(q, -1, 1)", "displacement": "e"}, "on": "x"},
    {"R": {"effort": "f*abs(f)", "flow": "sign(e)*sqrt(abs(e))"}, "on": "x"},
]


def with_element(element):
    masses = {"x": {"junction": 1}, "y": {"junction": 1}, "mx": {"I": 1, "on": "x"},
              "my": {"I": 1, "on": "y"}}  # fmt: skip
    return pl.System(networks=[pl.Network("n", masses | {"k": element})])


@pytest.mark.parametrize(("element", "phrase"), IMPOSSIBLE)
def test_laws_that_no_element_can_have_are_refused_by_name(element, phrase):
    with pytest.raises(ModelError, match=re.escape(phrase)) as caught:
        with_element(element)
    assert "element 'n.k'" in str(caught.value)


@pytest.mark.parametrize("element", POSSIBLE)
def test_laws_that_fit_are_taken(element):
    assert with_element(element)


@pytest.mark.parametrize("key", ["R", "TF", "GY", "Se"])
def test_other_elements_read_states_and_the_power_balances(key):
    """Laws that depend on states of other stores: conservative two-ports, controlled sources."""
    value = {"R": "2 + c.displacement**2", "TF": "1 + 0.5*c.effort", "GY": "1 + l.flow**2",
             "Se": "3*cos(t) - c.displacement"}[key]  # fmt: skip
    elements = {
        "a": {"junction": 1}, "b": {"junction": 1}, "src": {"Se": "cos(t)", "on": "a"},
        "l": {"I": 0.5, "on": "a"}, "r": {"R": 1, "on": "b"},
        "c": {"C": 0.4, "on": "b"}, "m": {"I": 2, "on": "b"},
        "between": {"GY" if key != "TF" else "TF": 1, "from": "a", "to": "b"},
    }  # fmt: skip
    changed = {"R": "r", "TF": "between", "GY": "between", "Se": "src"}[key]
    elements[changed] = elements[changed] | {key: value}
    if key == "TF":
        elements["m"] = {"R": 3, "on": "b"}
    system = pl.System(networks=[pl.Network("n", elements)])
    result = system.simulate(4.0, every=0.05, rtol=1e-10, outputs=["*"]).require()
    audit = result.power_audit()
    assert audit.junction_residual < 1e-10
    assert abs(audit.residual) < 1e-8 * audit.turnover
