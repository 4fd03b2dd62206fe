"""Every example in every form: pointwise to 1e-9, and the same motion.

Two runs agree if they differ by no more than ten times the larger of their own integration errors,
|y(rtol) - y(rtol/100)|, and 1e-9 of the size of the quantity.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.choice import Choice
from pliant.analysis.prepare import initial_state, parameters, prepare
from pliant.analysis.verify_report import AGREEMENT
from pliant.analysis.verify_states import (
    FUNCTIONS,
    Known,
    _kind,
    _observed,
    _scales,
    _worst,
)
from pliant.solve.assembly import random_state
from pliant.solve.degrees import constraint_matrix, unique_reactions
from pliant.solve.regular import is_regular, regular_state

EXAMPLES = {p.stem: p for p in (Path(__file__).parents[2] / "examples").glob("*.yaml")}
DECLINED = {
    "four_bars_40": {
        "linear-graph, absolute tree, embedding": "485 dependent speeds, more than 200",
        "natural, absolute tree": "2063 accelerations and multipliers, more than 1500",
    }
}
"""Forms that are not compared, with the reason given."""
MIXED = {
    "bricard": ["J0", "rod2", "J5", "J4", "rod3"],
    "column": ["foot", "head"],
    "crank_rocker": ["O", "A", "rocker"],
    "four_bars_2": ["A0", "coupler1", "A1", "coupler2", "A2"],
    "haug_slider_crank": ["A", "rod", "S"],
    "planar_slider_crank": ["O", "rod", "S"],
    "slider_crank_equations": ["alpha1", "rod", "s"],
    "spatial_slider_crank": ["O", "rod", "S"],
    "stewart_platform": ["platform", *(f"{joint}{i}" for joint in "UP" for i in range(1, 7))],
}
MOTIONS = {
    "bend_45": ("bend.tip.position.z", 0.1),
    "bricard": ("J2.angle", 0.5),
    "column": ("column.mid.deflection.y", 0.2),
    "crank_rocker": ("coupler.mid.deflection.y", 0.03),
    "elastica": ("rod.tip.position.y", 0.2),
    "four_bars_2": ("bar0.B.position.x", 0.5),
    "four_bars_40": ("bar0.B.position.x", 0.2),
    "haug_slider_crank": ("S.displacement", 0.5),
    "hydraulic_crane": ("pivot.angle", 0.02),
    "manipulator": ("payload.tip.position.z", 0.5),
    "manipulator_exact": ("payload.tip.position.z", 0.2),
    "pendulating_rotor": ("nutation.angle", 0.5),
    "pendulum": ("pivot.angle", 1.0),
    "planar_slider_crank": ("S.displacement", 0.5),
    "rolling_disc": ("disc.position.x", 0.5),
    "right_angle_frame": ("leg2.tip.position.z", 0.5),
    "rotating_beam": ("blade.tip.deflection.y", 1.0),
    "skate": ("slope.y", 0.5),
    "slider_crank_equations": ("s.displacement", 0.2),
    "space_robot": ("wrist.hand.position.x", 5.0),
    "spin_up": ("blade.tip.position.y", 1.0),
    "spinning_blade": ("blade.tip.position.x", 0.2),
    "springboard": ("board.tip.position.z", 0.2),
    "spatial_slider_crank": ("rod.mid.position.y", 0.005),
    "stewart_platform": ("platform.position.z", 0.2),
    "two_link_chain": ("link2.end.position.x", 0.5),
}
LINEAR = {"theory": {"exact": {"elements": 1, "order": 1}}}
COARSE = {
    "bend_45": LINEAR,
    "elastica": LINEAR,
    "manipulator_exact": LINEAR,
    "right_angle_frame": LINEAR,
    "space_robot": {"shapes": {"bending_z": 1}},
    "spin_up": LINEAR,
    "springboard": {"theory": {"segments": {"count": 2, "directions": ["bending_z"]}}},
}
SLOW = (
    "bend_45",
    "four_bars_40",
    "manipulator",
    "manipulator_exact",
    "right_angle_frame",
    "space_robot",
    "spatial_slider_crank",
    "spin_up",
    "springboard",
    "stewart_platform",
)
"""Long to compile in every form."""
WAYS = {
    "joint": {"tree": "joint"},
    "absolute": {"tree": "absolute"},
    "embedding": {"tree": "joint", "form": "embedding"},
    "mixed": {},
}


def each(names):
    """Names as parameters of a test, long ones marked."""
    return [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in sorted(names)]


def load(name):
    """An example; beams of long ones as coarse as they can be, which leaves every term in."""
    system = pl.load(EXAMPLES[name])
    if name not in COARSE:
        return system
    bodies = system.described.bodies.values()
    coarse = [replace(b, **COARSE[name]) if isinstance(b, pl.Beam) else b for b in bodies]
    return pl.System(system.described.with_(bodies=coarse))


@pytest.mark.parametrize("name", each(EXAMPLES))
def test_all_forms_agree_at_random_states(name):
    """Every form is compared, or declined for a reason that is known."""
    report = load(name).verify(pointwise=True, states=3 if name in SLOW else 5)
    assert report.agree, str(report)
    declined = {f"{v.formulation}, {v.variant}": v.declined for v in report.verdicts if v.declined}
    expected = DECLINED.get(name, {})
    assert list(declined) == list(expected)
    assert all(expected[way] in reason for way, reason in declined.items())
    assert sum(v.formulation == "linear-graph" for v in report.verdicts) == 4


@pytest.mark.parametrize("complete", [False, True])
def test_large_forms_are_compared_if_they_are_asked_for(monkeypatch, complete):
    monkeypatch.setattr("pliant.analysis.verify_states._EMBEDDED", 1)
    report = load("planar_slider_crank").verify(pointwise=True, states=1, complete=complete)
    said = [v.declined for v in report.verdicts if "embedding" in v.variant]
    assert len(said) >= 2
    assert all(("ask for it by --complete" in reason) is not complete for reason in said)


def test_states_are_taken_where_constraints_are_regular():
    """Far from their start forty loops close at nearly singular positions only."""
    system = load("four_bars_40")
    c = prepare(system, functions=FUNCTIONS).compiled
    start = initial_state(system, prepare(system, functions=FUNCTIONS), None, 0.0)
    far, near = np.random.default_rng(0), np.random.default_rng(0)
    first = random_state(c, start.p, start.x, far)
    assert not is_regular(constraint_matrix(c, first, start.p))
    state = regular_state(c, start.p, start.x, near, np.ones(c.nu))
    assert is_regular(constraint_matrix(c, state, start.p))


def disagreement(system, choice, states):
    """The largest gap to the recursive formulation at random states: (gap, observable)."""
    first = prepare(system, functions=FUNCTIONS)
    target = prepare(system, choice, functions=FUNCTIONS)
    start = initial_state(system, first, None, 0.0)
    rng = np.random.default_rng(0)
    kinds = {n: _kind(system, o) for n, o in first.compiled.observed.items()}
    amplitude = np.ones(first.compiled.nu)
    for _, u, n in first.compiled.elastic.values():
        amplitude[u : u + n] = 1e-3
    worst = []
    for _ in range(states):
        x = regular_state(first.compiled, start.p, start.x, rng, amplitude)
        y = _observed(first, x, start.p)
        scales = _scales(first, x, start.p, y, kinds)
        known = Known(x, y, scales, unique_reactions(first.compiled, x, start.p))
        own = parameters(system, target, None)
        worst.append(_worst(first, start.p, target, own, known, None))
    return max(worst)


@pytest.mark.parametrize("name", each(MIXED))
def test_mixed_trees_agree_at_random_states(name):
    """Some bodies by joints, others by their own position and orientation."""
    choice = Choice("linear-graph", tuple(MIXED[name]))
    gap, what = disagreement(load(name), choice, states=3)
    assert gap <= AGREEMENT, what


def motion(system, observable, t_end, rtol, **choice):
    result = system.simulate(
        t_end, every=t_end / 20, rtol=rtol, method="dop853", outputs=[observable], **choice
    )
    return result.require().values(observable)


def same_motion(name, way):
    observable, t_end = MOTIONS[name]
    how = {"formulation": "linear-graph", **WAYS[way]}
    how |= {"tree": MIXED[name]} if way == "mixed" else {}
    system = load(name)

    def solved(**choice):
        y, better = (motion(system, observable, t_end, rtol, **choice) for rtol in (1e-6, 1e-8))
        return y, np.abs(y - better).max()

    (ya, ea), (yb, eb) = solved(formulation="recursive"), solved(**how)
    assert np.abs(ya - yb).max() <= 10 * max(ea, eb) + 1e-9 * np.abs(ya).max()


def test_every_example_moves():
    assert set(MOTIONS) == set(EXAMPLES)


@pytest.mark.parametrize("way", ["joint", "embedding"])
@pytest.mark.parametrize("name", each(MOTIONS))
def test_the_same_motion(name, way):
    same_motion(name, way)


@pytest.mark.parametrize("name", each(set(MOTIONS) - {"four_bars_40"}))
def test_the_same_motion_in_absolute_coordinates(name):
    """Forty four-bars have 1091 unknowns there, in dense matrices: too long for a run."""
    same_motion(name, "absolute")


@pytest.mark.parametrize("name", each([name for name in MOTIONS if name in MIXED]))
def test_the_same_motion_in_mixed_coordinates(name):
    same_motion(name, "mixed")
