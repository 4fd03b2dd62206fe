"""Buckling as an event: columns against Euler, what does not buckle, forms and frames alike."""

import json
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions.validity import beam_column
from pliant.mechanics.values import Values

EXAMPLES = Path(__file__).parents[2] / "examples"
EI, LENGTH, MASS = 10.0, 2.0, 1.5
EULER = np.pi**2 * EI / LENGTH**2
PINNED_CLAMPED = 4.493409457909064**2 * EI / LENGTH**2
RATE = 100.0
"""Load per time: every column below buckles within a second."""
PLANE = {"bending_y": {"polynomial": 5}}
STIFF = 1e6


def column(joints, forces=None, drivers=None, bodies=None, EIy=EI, EIz=EI, frames=None, **options):
    beam = {
        "beam": {"length": LENGTH, "stiffness": {"EIy": EIy, "EIz": EIz}, "mass_per_length": MASS,
                 "rotary": {"rhoIy": 1e-3, "rhoIz": 1e-3}},
        "shapes": PLANE, "frames": frames or {},
    }  # fmt: skip
    model = {
        "pliant": 1, "ground": {"frames": {"far": [LENGTH, 0, 0]}}, "joints": joints,
        "bodies": {**(bodies or {}), "rod": {**beam, **options}},
        "forces": forces or {}, "drivers": drivers or {},
    }  # fmt: skip
    return pl.System.loads(json.dumps(model))


def pinned(**options):
    """Pinned at the ground and at a slider, which is pressed towards it."""
    joints = {
        "A": {"revolute": {"axis": "z"}, "between": ["ground", "rod.root"]},
        "B": {"revolute": {"axis": "z"}, "between": ["rod.tip", "slider"]},
        "S": {"prismatic": {"axis": "x"}, "between": ["ground.far", "slider"]},
    }
    forces = {"press": {"force": [f"-{RATE}*t", 0, 0], "at": "slider"}}
    return column(joints, forces, bodies={"slider": {"point": 0.1}}, **options)


CANTILEVER = {"A": {"fixed": {}, "between": ["ground", "rod.root"]}}


def cantilever(across=0.0, rate=RATE, **options):
    """Pressed at its tip by a force that keeps its direction."""
    press = {"force": [f"-{rate}*t", across, 0], "at": "rod.tip"}
    return column(CANTILEVER, {"press": press}, **options)


def lifted():
    """Standing on a table that is lifted with acceleration RATE t: its own inertia presses."""
    lift = {"A": {"prismatic": {"axis": "x"}, "between": ["ground", "rod.root"]}}
    return column(lift, drivers={"lift": {"joint": "A", "displacement": f"{RATE}*t**3/6"}})


WEIGHT = 7.8373474 * EI / LENGTH**3 / MASS


def onset(system, t_end=1.0, **options):
    """Times of the events by name."""
    return {e.name: e.time for e in system.simulate(t_end, **options).events}


@pytest.mark.parametrize(
    ("system", "load"),
    [
        (pinned(), EULER),
        (pinned(shapes={"bending_y": 2}, floating_frame="chord"), EULER),
        (cantilever(), EULER / 4),
        (lifted(), WEIGHT),
    ],
    ids=["pinned", "pinned in chord frame", "cantilever", "own inertia"],
)
def test_columns_buckle_at_their_critical_load(system, load):
    """Straight columns stay straight, so that the load at the event is that of Euler."""
    result = system.simulate(1.5 * load / RATE)
    (event,) = result.events
    assert event.name == "rod.buckling"
    assert event.time == pytest.approx(load / RATE, rel=1e-5)
    assert event.message.startswith("rod buckles: its axial force reaches -")
    assert result.completed


@pytest.mark.parametrize(
    "options",
    [{"tree": "absolute"}, {"formulation": "linear-graph"}, {"tree": ["lift"]},
     {"formulation": "linear-graph", "form": "embedding"}, {"method": "radau"},
     {"outputs": ["rod.tip.position"]}, {"every": 0.05}],
    ids=str,
)  # fmt: skip
def test_every_form_and_choice_of_outputs_sees_the_same(options):
    assert onset(lifted(), 0.1, **options) == {"rod.buckling": pytest.approx(WEIGHT / RATE, 1e-5)}


def test_an_imperfect_column_bends_when_its_event_says_so():
    """The deflection grows without bound behind the event, hardly before it."""
    result = cantilever(1e-4, rate=1).simulate(12)
    bent = np.abs(result.values("rod.tip.deflection.tangent(root).y"))
    (event,) = result.events
    assert event.time == pytest.approx(EULER / 4, rel=1e-3)
    assert bent[result.time < event.time].max() < 1e-3 * LENGTH
    assert bent[-1] > 0.1 * LENGTH


def test_a_run_that_fails_says_what_had_buckled():
    """The `dynamic` mass matrix lets the deflection grow until numbers overflow."""
    result = cantilever(1e-3, shapes={"bending_y": 2}, geometric_stiffness="dynamic").simulate(60)
    assert not result.completed
    assert "; rod had buckled at t = 0.0620" in result.failure


def test_a_column_that_is_overloaded_from_the_start():
    press = {"press": {"force": [-EULER, 0, 0], "at": "rod.tip"}}
    assert onset(column(CANTILEVER, press, shapes={"bending_y": 2}), 0.1) == {"rod.buckling": 0.0}


def test_no_event_without_geometric_stiffness():
    assert onset(cantilever(geometric_stiffness="none"), 0.1) == {}


def test_tension_and_falling_over_are_no_buckling():
    """A rotating beam; a stiff rod that falls from upright, free at its pin."""
    assert onset(pl.load(EXAMPLES / "rotating_beam.yaml"), None) == {}
    pin = {"A": {"revolute": {"axis": "z"}, "between": ["ground", "rod.root"],
                 "initial": {"angle": 1.5}}}  # fmt: skip
    weight = {"w": {"force": [0, -2.0, 0], "at": "rod.tip"}}
    assert onset(column(pin, weight, EIz=STIFF), 0.5, method="radau") == {}


# Supports: the factor of Euler's load in the planes x-y and x-z

SPHERICAL = {"A": {"spherical": {}, "between": ["ground", "rod.root"]},
             "B": {"spherical": {}, "between": ["rod.tip", "ground.far"]}}  # fmt: skip


def ends(root, tip, root_frame="root"):
    return {"A": {**root, "between": ["ground", f"rod.{root_frame}"]},
            "B": {**tip, "between": ["rod.tip", "ground.far"]}}  # fmt: skip


def joint(kind, axis="z"):
    return {kind: {"axis": axis}}


SUPPORTS = [
    (dict(joints=SPHERICAL), EULER, EULER),
    (dict(joints=ends(joint("revolute"), joint("revolute"))), EULER, 4 * EULER),
    (dict(joints=ends(joint("revolute", "x"), joint("revolute", "x"))), 4 * EULER, 4 * EULER),
    (dict(joints=ends({"universal": {"axis": "x", "axis2": "y"}}, {"spherical": {}})),
     PINNED_CLAMPED, EULER),
    (dict(joints=ends({"fixed": {}}, joint("cylindrical", "x"))), 4 * EULER, 4 * EULER),
    (dict(joints=ends({"fixed": {}}, joint("prismatic", "y"))), EULER, 4 * EULER),
    (dict(joints=ends(joint("revolute"), joint("revolute")),
          drivers={"d": {"joint": "A", "angle": "t"}}), PINNED_CLAMPED, 4 * EULER),
    (dict(joints=ends(joint("revolute"), joint("revolute"), "turned"),
          frames={"turned": {"at": [0, 0, 0],
                             "orientation": {"axis": "x", "angle": "90 deg"}}}),
     PINNED_CLAMPED, PINNED_CLAMPED),
    (dict(joints={}, drivers={"d": {"frame": "rod.root", "position": [0, 0, 0],
                                    "orientation": {"bryant123": [0, 0, "t"]}}}),
     EULER / 4, EULER / 4),
    (dict(joints={"A": {"fixed": {}, "between": ["hub", "rod.root"]}},
          bodies={"hub": {"box": {"size": [1, 1, 1], "mass": 5}}}), EULER / 4, EULER / 4),
    (dict(joints={"A": {"fixed": {}, "between": ["ground", "rod.root"]},
                  "B": {**joint("revolute"), "between": ["rod.tip", "hub"]}},
          bodies={"hub": {"box": {"size": [1, 1, 1], "mass": 5}}}), EULER / 4, EULER / 4),
]  # fmt: skip


@pytest.mark.parametrize("k", range(len(SUPPORTS)))
def test_joints_and_drivers_support_a_beam(k):
    given, *expected = SUPPORTS[k]
    for plane, load in zip(("EIy", "EIz"), expected, strict=True):
        both = {"bending": {"polynomial": 8}}
        model = column(**given, **{plane: STIFF}, shapes=both).model
        frames = ["", *model.bodies["rod"].frames]
        beam = beam_column(Values.of(model), "rod")
        loads = np.zeros((1, len(beam.per_load)))
        loads[0, frames.index("tip")] = -load
        assert abs(beam.margins(loads)[0]) < 1e-4


# M4: the crank-rocker with a rocker 200 times heavier (He 1993, section 9.4)

HEAVY = {"heavier": 200}


def test_the_coupler_of_the_crank_rocker_buckles():
    """Its axial force passes Euler's load at 0.557718 s at the crank pin and at 0.558068 s at the
    rocker pin; the mean of both, which counts for a uniform pinned beam, at 0.557891 s. Between the
    pins deformation adds up to 6 N, 5e-6 s later. Reference samples of 0.5 ms, interpolated
    linearly: good for 1e-6 s."""
    system = pl.load(EXAMPLES / "crank_rocker.yaml")
    assert onset(system, 0.6, params=HEAVY) == {
        "coupler.buckling": pytest.approx(0.557896, abs=2e-6)
    }
    assert onset(system, 0.6) == {}


def test_it_buckles_under_the_normal_force_along_the_beam():
    """K + ∫ N v' v' dx is singular at the event, N along the chord from the balance of sections."""
    system = pl.load(EXAMPLES / "crank_rocker.yaml")
    times = np.array([0, 0.55785, 0.55795])
    r = system.simulate(times=times, rtol=1e-10, params=HEAVY, outputs=["coupler.v1", "coupler.v2"])
    data = system.values(HEAVY).tables("coupler").data
    points, weights = np.polynomial.legendre.leggauss(12)
    x, w = 0.305 * (1 + points), 0.305 * weights
    slopes = np.array([data.frame(place).psi[2] for place in x])
    turned = np.stack([r.values("coupler.v1"), r.values("coupler.v2")], axis=1) @ slopes.T
    d = r.diagram("coupler", times, stations=x)
    N = d["N"] * np.cos(turned) - d["Qy"] * np.sin(turned)
    more = [(w * n * slopes.T) @ slopes for n in N]
    margins = [1 + np.linalg.eigvals(np.linalg.solve(data.K, added)).min() for added in more]
    at = np.interp(0, -np.array(margins[1:]), times[1:])
    assert at == pytest.approx(onset(system, 0.6, params=HEAVY)["coupler.buckling"], abs=5e-7)


@pytest.mark.slow
def test_floating_frames_agree_on_the_crank_rocker():
    """The margin knows no floating frame; the motions differ to third order in v/l = 0.02."""
    text = (EXAMPLES / "crank_rocker.yaml").read_text()
    text = text.replace("{bending_y: 2}", "{bending_y: {polynomial: 3}}")
    times = [
        onset(pl.System.loads(text.replace("frame: chord", f"frame: {frame}")), 0.57,
              params=HEAVY)["coupler.buckling"]
        for frame in ("chord", "root", "mass-centre")
    ]  # fmt: skip
    assert np.ptp(times) < 2e-4
