"""Runs that begin in a change point or beside it, and long steps over one.

A parallelogram with all bars in line can go on as such or as an antiparallelogram. At rest nobody
can tell: the run says so. With the speeds of one of them it goes on; speeds of neither are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.cross.test_change_points import pendulum_angle

import pliant as pl
from pliant.errors import StepError

MODEL = """
pliant: 1
name: parallelogram
parameters: {g: -9.81, angle: 0, rate: 0, other_rate: 0}
gravity: [0, g, 0]
ground: {frames: {D: [0.2, 0, 0]}}
bodies:
  a: {rod: {length: 0.5, mass: 1}, frames: {B: [0.5, 0, 0]}}
  c: {rod: {length: 0.2, mass: 3}, frames: {C: [0.2, 0, 0]}}
  b: {rod: {length: 0.5, mass: 1}, frames: {C: [0.5, 0, 0]}}
joints:
  A: {revolute: {axis: z}, between: [ground, a], initial: {angle: angle, angle_rate: rate}}
  B: {revolute: {axis: z}, between: [a.B, c], initial: {angle: -angle, angle_rate: other_rate}}
  C: {revolute: {axis: z}, between: [c.C, b.C], cut: true}
  D: {revolute: {axis: z}, between: [ground.D, b], guess: {angle: angle}}
"""
BOTH, ONE = pl.loads(MODEL), pl.loads(MODEL.replace(", angle_rate: other_rate", ""))
"""Rates of A and B are given, or that of A alone."""
STIFF = 9.81 * (0.5 + 1.5) / (0.5 / 3 + 0.75)
"""m g r / I of the parallelogram, a pendulum."""
WAYS: list[dict[str, Any]] = [
    *({"formulation": f} for f in ("recursive", "kane", "linear-graph", "multibond", "natural")),
    *({"formulation": f, "tree": "absolute"} for f in ("recursive", "linear-graph", "multibond")),
    {"method": "dop853"}, {"method": "radau"}, {"method": "hht", "step": 1e-3},
    *({"constraints": c} for c in ("augmented", "baumgarte", "complement", "direct", "elimination",
                                   "partitioning", "penalty")),
]  # fmt: skip
FEW = [{}, {"tree": "absolute"}, {"formulation": "natural"}, {"method": "radau"}]


def name(way: dict[str, Any]) -> str:
    return "-".join(str(v) for v in way.values()) or "auto"


def pendulum(angle: float, rate: float, t: float) -> float:
    """Angle at t of a = -STIFF cos(angle)."""
    return pendulum_angle(angle, rate, t, STIFF, 4000)


def run(way: dict[str, Any], *more: str, system: pl.System = BOTH, **params: float) -> pl.Result:
    outputs = ["A.angle", "B.angle", "A.angle_rate", "B.angle_rate", "energy", *more]
    return system.simulate(0.2, every=0.02, rtol=1e-8, outputs=outputs, params=params, **way)


def off_branch(r: pl.Result) -> float:
    """How far the bars are from parallel."""
    return float(np.abs(np.exp(1j * (r.values("A.angle") + r.values("B.angle"))) - 1).max())


@pytest.mark.parametrize("way", WAYS, ids=name)
def test_a_start_at_rest_in_the_pose_stops_there(way: dict[str, Any]) -> None:
    r = run(way)
    assert not r.completed
    assert r.info["failure_code"] == "change-point"
    assert r.time.tolist() == [0.0]
    assert "the start is a change point" in r.failure
    assert "('" in r.failure


@pytest.mark.parametrize("way", [{"form": "embedding"}, {"method": "sparse-alpha"}], ids=name)
def test_ways_without_equations_there_refuse_such_a_start(way: dict[str, Any]) -> None:
    """Blocks leave dependent rows out for good, and the loop would come apart."""
    for rate in (0.0, 12.0):
        with pytest.raises(StepError, match="the start is a change point"):
            run(way, rate=rate, other_rate=-rate)


@pytest.mark.parametrize("way", WAYS, ids=name)
def test_speeds_of_one_branch_lead_out_of_the_pose(way: dict[str, Any]) -> None:
    """Accelerations of the pose itself are those of the branch, too."""
    r = run(way, "a.angular_acceleration", rate=12, other_rate=-12)
    loose = way.get("constraints") in ("penalty", "baumgarte") or "step" in way
    assert r.completed
    assert off_branch(r) < (1e-4 if loose else 1e-12)
    assert abs(r.values("A.angle")[-1] - pendulum(0, 12, 0.2)) < (1e-4 if loose else 1e-7)
    assert r.values("a.angular_acceleration")[0, 2] == pytest.approx(-STIFF, rel=1e-6)
    assert any("passed a change point at t = 0 s" in w for w in r.warnings)


@pytest.mark.parametrize("way", FEW, ids=name)
def test_speeds_of_the_other_branch_lead_to_it(way: dict[str, Any]) -> None:
    """Closed to second order: b = 7/3 a, and the coupler turns at (b - a) r / d = 40 rad/s."""
    r = run(way, rate=12, other_rate=28)
    a, c = r.values("A.angle"), r.values("A.angle") + r.values("B.angle")
    C = 0.5 * np.exp(1j * a) + 0.2 * np.exp(1j * c)
    assert r.completed
    assert np.abs(np.abs(C - 0.2) - 0.5).max() < 1e-12
    assert off_branch(r) > 0.1
    assert np.ptp(r.values("energy")) < 1e-6 * np.abs(r.values("energy")).max()


@pytest.mark.parametrize("way", FEW, ids=name)
def test_speeds_of_neither_branch_stop(way: dict[str, Any]) -> None:
    """A rate that is not given follows a rule that knows of no branches."""
    given = ({"rate": 12, "other_rate": other} for other in (0.0, -11.9))
    for r in (run(way, system=ONE, rate=12), *(run(way, **rates) for rates in given)):
        assert r.info["failure_code"] == "change-point"
        assert r.time.tolist() == [0.0]


@pytest.mark.parametrize("way", FEW, ids=name)
@pytest.mark.parametrize("angle", [1e-9, 1e-7, 1e-5, 1e-3, 0.02])
@pytest.mark.parametrize("rate", [12, -12])
def test_starts_beside_the_pose_stay_on_their_branch(
    way: dict[str, Any], angle: float, rate: float
) -> None:
    """Towards it and away from it."""
    r = run(way, angle=angle, rate=rate, other_rate=-rate)
    assert r.completed
    assert off_branch(r) < 1e-12
    assert abs(r.values("A.angle")[-1] - pendulum(angle, rate, 0.2)) < 1e-7


@pytest.mark.parametrize("rtol", [1e-3, 3e-4, 1e-4, 1e-6])
@pytest.mark.parametrize("way", FEW, ids=name)
def test_long_steps_do_not_miss_a_pose(way: dict[str, Any], rtol: float) -> None:
    """Without weight it turns evenly, and steps may be as long as they like."""
    r = BOTH.simulate(
        5, every=0.5, rtol=rtol, outputs=["A.angle", "B.angle"], **way,
        params={"g": 0, "angle": 0.7, "rate": 12, "other_rate": -12},
    )  # fmt: skip
    count = int((0.7 + 60) / np.pi)
    remark = next(w for w in r.warnings if "change point" in w)
    assert r.completed
    assert f"and {count - 3} more times" in remark
    assert off_branch(r) < 1e-12


@pytest.mark.parametrize("start", [(0.3, -7), (1.0, 8)])
def test_other_pivots_do_not_hide_a_pose(start: tuple[float, float]) -> None:
    """In natural coordinates with square bars the pose shows in the pivots only next to it."""
    square = pl.loads(
        MODEL.replace("[0.2, 0, 0]", "[1, 0, 0]").replace("[0.5, 0, 0]", "[1, 0, 0]")
        .replace("length: 0.2", "length: 1").replace("length: 0.5", "length: 1")
        .replace("mass: 3", "mass: 1")
    )  # fmt: skip
    (angle, rate), outputs = start, ["A.angle"]
    params = {"angle": angle, "rate": rate, "other_rate": -rate}
    r = square.simulate(
        1, every=0.05, rtol=1e-8, outputs=outputs, params=params, formulation="natural"
    )
    remark = next(w for w in r.warnings if "change point" in w)
    assert abs(np.floor(r.values("A.angle")[-1] / np.pi)) == 3
    assert remark.partition(":")[0].count(" s") == 3


def test_redundant_constraints_are_no_change_point() -> None:
    """Bricard's mechanism and planar loops of spatial joints lose no rank at the start."""
    files = ("bricard", "four_bars_2", "planar_slider_crank", "stewart_platform")
    for file, tree in (*((f, "joint") for f in files), ("bricard", "absolute")):
        s = pl.load(f"examples/{file}.yaml")
        r = s.simulate(0.01, every=0.01, outputs=["energy"], tree=tree)
        assert r.completed
        assert not any("change point" in w for w in r.warnings)


@pytest.mark.parametrize(("law", "goes_on"), [("4*t", True), ("4*t**2", False)])
def test_a_driver_from_the_pose_needs_the_other_speeds(law: str, goes_on: bool) -> None:
    """Its own rate does not say which way the coupler turns, unless that is given."""
    text = MODEL.replace("initial: {angle: angle, angle_rate: rate}", "guess: {angle: 0}")
    driven = pl.loads(f'{text}drivers:\n  d: {{joint: A, angle: "{law}"}}\n')
    r = run({}, system=driven, other_rate=-4 if goes_on else 0)
    assert r.completed == goes_on
    if goes_on:
        assert off_branch(r) < 1e-12
    else:
        assert r.info["failure_code"] == "change-point"


ROD = """
pliant: 1
gravity: [0, -9.81, 0]
bodies: {rod: {rod: {mass: 1, length: 0.1}}}
joints:
  O: {revolute: {axis: z}, between: [ground, rod]}
"""


def test_a_joint_that_repeats_another_changes_nothing() -> None:
    """All of its constraints are held already: none is left whose pivot could be looked at."""
    again = ROD + "  P: {revolute: {axis: z}, between: [ground, rod]}\n"
    one, two = (pl.loads(text).simulate(t_end=0.5).values("O.angle") for text in (ROD, again))
    assert np.array_equal(one, two)


SEGMENTS = """
pliant: 1
name: segments in a loop
ground: {frames: {D: [0.4, 0, 0]}}
materials: {steel: {E: 200 GPa, nu: 0.3, density: 7850}}
bodies:
  crank: {rod: {length: 0.1, mass: 0.3}, frames: {A: [0.1, 0, 0]}}
  arm:
    beam: {length: 0.4, section: {rectangle: {width: 4 mm, height: 20 mm}}, material: steel}
    theory: {segments: {count: 4, directions: DIRECTIONS}}
joints:
  O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 0.7, angle_rate: 5}}
  A: {revolute: {axis: z}, between: [crank.A, arm.root]}
  S: {pin_slot: {axis: z, slot: x}, between: [ground.D, arm.tip]}
simulate: {t_end: 1e-3}
"""


@pytest.mark.parametrize(
    ("directions", "says"),
    [("[bending_y, bending_z]", "cannot twist; give it a shape of torsion"),
     ("[bending_y]", ""), ("[bending_y, bending_z, torsion]", "")],
)  # fmt: skip
def test_segments_that_cannot_twist_are_named(directions, says):
    """Bent in both planes they follow what twists their ends; straight they cannot."""
    result = pl.loads(SEGMENTS.replace("DIRECTIONS", directions)).simulate(outputs=["O.angle"])
    assert says in result.failure if says else not result.failure
