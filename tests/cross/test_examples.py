"""One verdict for every example: all ways of writing its equations give one answer.

At random states accelerations, reactions, powers and energies agree to 1e-9; along the motion every
observable of two runs differs by no more than ten times the larger of their own integration errors,
and 1e-9 of the largest value of its kind (``verify_agreement``). A way that is left out is listed
here with the reason given.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.analysis.verification.report import VerifyReport
from pliant.analysis.verification.runs import (
    Span,
    all_choices,
    along_motion_too,
    other_back_ends,
    run_choices,
)
from pliant.analysis.verification.states import FUNCTIONS, pointwise, prepared_choice
from pliant.analysis.verification.verify import along_motion
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import initial_state
from pliant.solve.start.random_state import is_regular, random_state, regular_state
from pliant.solve.start.redundancy import constraint_matrix

EXAMPLES = {p.stem: p for p in (Path(__file__).parents[2] / "examples").glob("*.yaml")}
DECLINED = {
    "four_bars_40": {
        "linear-graph, absolute tree, embedding": "485 dependent speeds, more than 200",
        "natural, absolute tree": "2063 accelerations and multipliers, more than 1500",
    }
}
"""Forms that are not compared, with the reason given."""
_RUNS_LEFT = ("multibond", "natural", "linear-graph, absolute tree")
DENSE = dict.fromkeys(("four_bars_40", "robot_arm", "wind_turbine", "double_wishbone"), _RUNS_LEFT)
"""Many unknowns in dense matrices: compared at states, too long for a run."""
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
"""Trees of loops in which some bodies move by joints, others by position and orientation."""
FURTHER = (
    "planar_slider_crank",
    "haug_slider_crank",
    "pendulating_rotor",
    "crank_rocker",
    "rotating_beam",
)
"""Examples that are also run in the best tree and by the embedding form of absolute coordinates."""
ENDS = {
    "bend_45": 0.1, "bricard": 0.5, "column": 0.2, "crank_rocker": 0.03, "elastica": 0.2,
    "four_bars_2": 0.5, "four_bars_40": 0.2, "haug_slider_crank": 0.5, "heavy_top": 0.3,
    "hydraulic_crane": 0.02, "scotch_yoke": 0.3,
    "manipulator": 0.5, "manipulator_exact": 0.2, "pendulating_rotor": 0.5, "pendulum": 1.0,
    "planar_slider_crank": 0.5, "rolling_disc": 0.5, "right_angle_frame": 0.5,
    "rotating_beam": 1.0, "skate": 0.5, "slider_crank_equations": 0.2, "space_robot": 5.0,
    "spin_up": 0.3, "spinning_blade": 0.2, "springboard": 0.2, "spatial_slider_crank": 0.005,
    "stewart_platform": 0.2, "two_link_chain": 0.5, "planetary_gear": 0.2,
    "machine_on_mounts": 1.5, "load_on_a_cable": 0.5, "robot_arm": 0.3, "quick_return": 0.5,
    "double_wishbone": 0.1, "wind_turbine": 1.0, "motor_shaft": 0.2, "transformer": 0.05,
    "satellite": 4.0, "belt_drive": 0.3,
}  # fmt: skip
"""How long each is run, in seconds."""
LINEAR = {"theory": {"exact": {"elements": 1, "order": 1}}}
COARSE = {
    "bend_45": LINEAR,
    "elastica": LINEAR,
    "manipulator_exact": LINEAR,
    "right_angle_frame": LINEAR,
    "robot_arm": {"shapes": {"bending_z": 1}},
    "space_robot": {"shapes": {"bending_z": 1}},
    "spin_up": LINEAR,
    "springboard": {"theory": {"segments": {"count": 2, "directions": ["bending_z"]}}},
    "wind_turbine": {"shapes": {"bending_z": 1}},
}
TREES = ("pendulum", "springboard", "two_link_chain")
NO_TREE = dict.fromkeys(
    ("manipulator", "manipulator_exact", "pendulating_rotor", "robot_arm", "rotating_beam",
     "space_robot", "spin_up", "spinning_blade"), "driver",
) | dict.fromkeys(
    ("bend_45", "elastica", "right_angle_frame", "machine_on_mounts", "load_on_a_cable"),
    "not act along",
) | dict.fromkeys(("rolling_disc", "skate", "planetary_gear"), "constraint") | dict.fromkeys(
    ("belt_drive", "motor_shaft", "transformer"), "network",
) | dict.fromkeys(("satellite", "wind_turbine"), "not a plain rigid body") | {
    "heavy_top": "along an angle"
}  # fmt: skip
"""Why the tree kernel does not take them; others have loops."""
NO_BLOCKS = dict.fromkeys(
    ("belt_drive", "crank_rocker", "hydraulic_crane", "motor_shaft", "transformer"),
    "first-order states",
) | dict.fromkeys(("rolling_disc", "skate", "planetary_gear"), "holds velocities")
SLOW = ("four_bars_40", "manipulator", "manipulator_exact", "space_robot", "stewart_platform")
"""Long to compile in every form."""


def load(name):
    """An example; beams of long ones as coarse as they can be, which leaves every term in."""
    system = pl.load(EXAMPLES[name])
    if name not in COARSE:
        return system
    bodies = system.described.bodies.values()
    coarse = [replace(b, **COARSE[name]) if isinstance(b, pl.Beam) else b for b in bodies]
    return pl.System(system.described.with_(bodies=coarse))


def mixed(name):
    return [Choice("linear-graph", tuple(MIXED[name]))] if name in MIXED else []


def further(name, system):
    if name not in FURTHER:
        return []
    return [
        Choice.of(system, formulation="linear-graph", tree="best"),
        Choice("linear-graph", "absolute", form="embedding"),
        Choice(form="embedding"),
    ]


def runs(name, system):
    """Every formulation in every form on its first tree, and more trees of the linear graph."""
    absolute = Choice("linear-graph", "absolute")
    ways = [*run_choices(complete=False), absolute, *mixed(name), *further(name, system)]
    left = DENSE.get(name, ())
    return [
        w for w in dict.fromkeys(ways) if not f"{w.formulation}, {w.label}".startswith(tuple(left))
    ]


def verdict(name):
    """At random states and along the motion."""
    system = load(name)
    ways = runs(name, system)
    compared = list(dict.fromkeys([*all_choices(system), *ways]))
    at_states = pointwise(
        system, states=3, choices=compared, back_ends=other_back_ends(), whole=ways
    )
    absolute = prepared_choice(system, Choice("recursive", "absolute"), complete=False)
    motion, _ = along_motion(
        system, Span(ENDS[name], ENDS[name], 1e-6, "dop853"), ways, at_states.verdicts,
        absolute if isinstance(absolute, Program) else None,
        back_ends=along_motion_too(system, complete=False),
    )  # fmt: skip
    return VerifyReport(at_states, motion)


def not_by_back_ends(name):
    """Back ends that do not take an example, and why."""
    found = {} if name in TREES else {"recursive, tree kernel": NO_TREE.get(name, "closes a loop")}
    return found | ({"blocks, absolute tree": NO_BLOCKS[name]} if name in NO_BLOCKS else {})


def test_every_example_has_a_verdict():
    assert set(ENDS) == set(EXAMPLES)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in sorted(ENDS)]
)
def test_all_ways_give_one_answer(name):
    """Every form is compared, or declined for a reason that is known."""
    report = verdict(name)
    assert report.agree, str(report)
    verdicts = report.pointwise.verdicts
    declined = {f"{v.formulation}, {v.variant}": v.declined for v in verdicts if v.declined}
    expected = {**DECLINED.get(name, {}), **not_by_back_ends(name)}
    assert set(declined) == set(expected)
    assert all(expected[way] in reason for way, reason in declined.items())
    assert sum(v.formulation == "linear-graph" for v in verdicts) >= 4


def test_a_form_that_is_never_regular_is_declined(monkeypatch):
    """No random state where its speeds are independent: it is not compared, which is no verdict."""
    monkeypatch.setattr("pliant.analysis.verification.states._splits", lambda *a: False)
    ways = [Choice("linear-graph", "absolute", form="embedding")]
    report = pointwise(load("planar_slider_crank"), states=2, choices=ways, back_ends=())
    (told,) = [v for v in report.verdicts if v.variant == "absolute tree, embedding"]
    assert "depend on each other" in told.declined
    assert told.agrees
    assert told.left_out == 0


@pytest.mark.parametrize("complete", [False, True])
def test_large_forms_are_compared_if_they_are_asked_for(monkeypatch, complete):
    monkeypatch.setattr("pliant.analysis.verification.states._EMBEDDED", 1)
    report = load("planar_slider_crank").verify(pointwise=True, states=1, complete=complete)
    said = [v.declined for v in report.verdicts if "embedding" in v.variant]
    assert len(said) >= 2
    assert all(("ask for it by --complete" in reason) is not complete for reason in said)


def test_states_are_taken_where_constraints_are_regular():
    """Far from their start forty loops close at nearly singular positions only."""
    system = load("four_bars_40")
    prepared = prepare(system, functions=FUNCTIONS, interpret=True)
    c, start = prepared.compiled, initial_state(system, prepared, None, 0.0)
    far, near = np.random.default_rng(0), np.random.default_rng(0)
    first = random_state(c, start.p, start.x, far)
    assert not is_regular(constraint_matrix(c, first, start.p))
    state = regular_state(c, start.p, start.x, near, np.ones(c.nu))
    assert is_regular(constraint_matrix(c, state, start.p))
