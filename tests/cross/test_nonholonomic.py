"""Constraints on velocities against closed forms, in every formulation."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.agreement import disagreement

import pliant as pl
from pliant.analysis.verification.report import AGREEMENT
from pliant.backends.choice import Choice
from pliant.backends.tree.from_model import tree_objection
from pliant.formulations import FORMULATIONS
from pliant.graphs import spanning_tree
from pliant.solve import TREATMENTS

EXAMPLES = Path(__file__).parents[2] / "examples"
WAYS = [*({"formulation": name} for name in FORMULATIONS),
        {"formulation": "kane", "form": "embedding"},
        {"formulation": "linear-graph", "form": "embedding"}]  # fmt: skip
IDS = ["-".join(way.values()) for way in WAYS]
TIGHT = {"rtol": 1e-10, "atol": 1e-12}
G = 9.81


def times(result):
    return np.asarray(result.time)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_skate_on_a_slope_runs_along_a_cycloid(way):
    """x = a sin² wt, y = a (wt - sin(2wt)/2), a = g sin(alpha)/(2 w²); the ice pushes with
    2 m g sin(alpha) sin wt across the blade."""
    result = pl.load(EXAMPLES / "skate.yaml").simulate(2, **TIGHT, **way)
    w, pull, t = 3.0, G * np.sin(np.deg2rad(20)), times(result)
    a = pull / (2 * w**2)
    assert result.values("slope.x") == pytest.approx(a * np.sin(w * t) ** 2, abs=1e-8)
    assert result.values("slope.y") == pytest.approx(a * (w * t - np.sin(2 * w * t) / 2), abs=1e-8)
    across = np.stack([-np.sin(w * t), np.cos(w * t), 0 * t], axis=1)
    force = 4 * pull * np.sin(w * t)[:, None] * across
    assert result.values("edge.force") == pytest.approx(force, abs=1e-7)


def free_disc(lean, spin, turning, R=0.3, m=1.5):
    """A free body that touches the plane: leaning about x, with w in the axes of the lean."""
    inertia = [m * R**2 / 4, m * R**2 / 2, m * R**2 / 4]
    c, s = np.cos(lean), np.sin(lean)
    w = np.array([0, c * spin - s * turning, s * spin + c * turning])
    arm = R * np.array([0, -s, c])
    state = {"position": list(arm), "orientation": {"axis": "x", "angle": lean},
             "velocity": list(np.cross(w, arm)), "angular_velocity": list(w)}  # fmt: skip
    disc = pl.RigidBody("disc", mass=m, inertia=inertia, initial=state)
    roll = pl.Rolling("roll", "ground", "disc", radius=R, axis="y")
    return pl.System(gravity=[0, 0, -G], bodies=[disc], constraints=[roll])


def steady_spin(lean, turning, R=0.3):
    """u2 of steady motion at a lean: 4 g/R sin q2 + 6 u2 u3 - u3² tan q2 = 0."""
    return (turning**2 * np.tan(lean) - 4 * G / R * np.sin(lean)) / (6 * turning)


@pytest.mark.parametrize("way", WAYS[:-1], ids=IDS[:-1])
def test_disc_rolls_steadily_on_a_circle(way):
    """The lean stays; the centre runs on a circle with the rate u3 / cos q2 of the heading."""
    lean, turning = 0.35, 2.0
    spin = steady_spin(lean, turning)
    result = free_disc(lean, spin, turning).simulate(1.5, every=0.05, **TIGHT, **way)
    assert result.values("disc.position")[:, 2] == pytest.approx(0.3 * np.cos(lean), abs=1e-9)
    rate = turning / np.cos(lean)
    v = result.values("disc.velocity")
    heading = np.arctan2(v[:, 1], v[:, 0])
    turned = np.unwrap(heading)
    assert turned - turned[0] == pytest.approx(rate * times(result), abs=1e-8)
    assert np.hypot(v[:, 0], v[:, 1]) == pytest.approx(0.3 * abs(spin), rel=1e-9)


def test_fast_disc_wobbles_at_the_frequency_of_the_books():
    """Near upright, 5/4 q'' = (g/R - 3 u2²) q + 3 u2² q0: stable for 3 R u2² > g."""
    R, spin, start = 0.3, 6.0, 1e-4
    result = free_disc(start, spin, 0.0, R).simulate(1, every=0.02, **TIGHT, formulation="kane")
    stiffness = 3 * spin**2 - G / R
    middle, rate = 3 * spin**2 * start / stiffness, np.sqrt(0.8 * stiffness)
    w, x, y, z = result.values("disc.orientation").T
    lean = np.arcsin(2 * (y * z + w * x))
    expected = middle + (start - middle) * np.cos(rate * times(result))
    assert lean == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("treatment", sorted(TREATMENTS))
def test_every_treatment_holds_a_skate(treatment):
    method = "radau" if treatment == "direct" else "dop853"
    result = pl.load(EXAMPLES / "skate.yaml").simulate(
        1, every=0.1, constraints=treatment, method=method, rtol=1e-9
    )
    a = G * np.sin(np.deg2rad(20)) / 18
    tolerance = 1e-6 if treatment in ("penalty", "baumgarte") else 1e-8
    expected = a * np.sin(3 * times(result)) ** 2
    assert result.values("slope.x") == pytest.approx(expected, abs=tolerance)


def test_disc_keeps_its_energy_and_its_contact():
    result = free_disc(0.3, 8.0, 1.0).simulate(3, every=0.01, **TIGHT)
    energy = result.values("energy")
    assert np.ptp(energy) < 1e-8 * energy[0]
    assert np.abs(result.values("roll.contact")[:, 2]).max() < 1e-12
    assert np.abs(result.values("roll.power")).max() < 1e-10
    c, p, w = (result.values(f"disc.{q}") for q in ("velocity", "position", "angular_velocity"))
    slip = c + np.cross(w, result.values("roll.contact") - p)
    assert np.abs(slip).max() < 1e-11


def test_free_disc_and_disc_on_a_chain_move_alike():
    """The contact found from radius and axis, and the contact that a frame follows."""
    chain = pl.load(EXAMPLES / "rolling_disc.yaml").simulate(1, every=0.1, **TIGHT)
    free = free_disc(0.3, 6.0, 0.0, m=1.0).simulate(1, every=0.1, **TIGHT)
    for quantity in ("position", "velocity", "acceleration", "angular_velocity"):
        ours, other = (r.values(f"disc.{quantity}") for r in (free, chain))
        assert ours == pytest.approx(other, abs=2e-8)
    slip = chain.values("rolling.force")[:, :2]
    assert free.values("roll.force")[:, :2] == pytest.approx(slip, abs=1e-7)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
def test_ball_rolls_down_a_slope(way):
    """a = 5/7 g sin(alpha); friction 2/7 m g sin(alpha)."""
    alpha, m, R = 0.4, 2.0, 0.1
    slope = {"slope": pl.Frame("slope", orientation={"axis": "y", "angle": alpha})}
    state = {"position": [R * np.sin(alpha), 0, R * np.cos(alpha)]}
    ball = pl.RigidBody.sphere("ball", R, mass=m, initial=state)
    roll = pl.Rolling("roll", "ground.slope", "ball", radius=R)
    system = pl.System(gravity=[0, 0, -G], ground=pl.Ground(slope), bodies=[ball],
                       constraints=[roll])  # fmt: skip
    result = system.simulate(1, every=0.1, **TIGHT, **way)
    t, p = times(result), result.values("ball.position")
    moved = np.linalg.norm(p - p[0], axis=1)
    assert moved == pytest.approx(5 / 14 * G * np.sin(alpha) * t**2, abs=1e-9)
    along = np.array([np.cos(alpha), 0, -np.sin(alpha)])
    friction = result.values("roll.force") @ along
    assert friction == pytest.approx(-2 / 7 * m * G * np.sin(alpha), abs=1e-7)


def test_ball_on_a_turntable_runs_in_a_circle():
    """On a table that turns at W, a ball circles at 2/7 W, whatever its radius: the plane may be
    on a body that moves."""
    R, W = 0.05, 3.0
    table = pl.RigidBody.box("table", [1, 1, 0.1], mass=10)
    axle = pl.Revolute("axle", "ground", "table", axis="z")
    turn = pl.JointDriver("turn", "axle", motion=f"{W}*t")
    state = {"position": [0.4, 0, R], "velocity": [0.1, 0, 0],
             "angular_velocity": [W * 0.4 / R, 0.1 / R, 0]}  # fmt: skip
    ball = pl.RigidBody.sphere("ball", R, mass=0.1, initial=state)
    roll = pl.Rolling("roll", "table", "ball", radius=R)
    system = pl.System(bodies=[table, ball], joints=[axle], drivers=[turn], constraints=[roll],
                       gravity=[0, 0, -G])  # fmt: skip
    result = system.simulate(6, every=0.05, **TIGHT, formulation="kane")
    v = result.values("ball.velocity")
    a = result.values("ball.acceleration")
    spin = 2 / 7 * W * np.stack([-v[:, 1], v[:, 0], 0 * v[:, 0]], axis=1)
    assert a == pytest.approx(spin, abs=1e-9)
    assert np.linalg.norm(v, axis=1) == pytest.approx(0.1, abs=1e-8)


def test_wheel_with_a_round_edge_touches_at_the_height_of_its_lean():
    """Height of the centre: R cos(lean) + r; a sphere is the wheel with R = 0."""
    lean, R, r = 0.4, 0.2, 0.05
    c, s = np.cos(lean), np.sin(lean)
    state = {"position": [0, 0, R * c + r], "orientation": {"axis": "x", "angle": lean},
             "angular_velocity": [0, 3 * c, 3 * s]}  # fmt: skip
    wheel = pl.RigidBody("wheel", mass=1, inertia=[0.01, 0.02, 0.01], initial=state)
    roll = pl.Rolling("roll", "ground", "wheel", radius=R, axis="y", edge=r)
    system = pl.System(gravity=[0, 0, -G], bodies=[wheel], constraints=[roll])
    for name in FORMULATIONS:
        gap, what = disagreement(system, Choice(name), states=2)
        assert gap <= AGREEMENT, what
    result = system.simulate(1, every=0.05, **TIGHT)
    w, x, y, z = result.values("wheel.orientation").T
    height = R * np.sqrt(1 - 4 * (y * z + w * x) ** 2) + r  # from z of the axis, R_WB[2, 1]
    assert result.values("wheel.position")[:, 2] == pytest.approx(height, abs=1e-10)
    assert np.ptp(result.values("energy")) < 1e-8 * result.values("energy")[0]


FORMULAS = {
    "rates": "slope.y_rate*cos(slope.angle) - slope.x_rate*sin(slope.angle)",
    "velocity": "skate.velocity.y*cos(slope.angle) - skate.velocity.x*sin(slope.angle)",
    "own": "skate.own_velocity.y",
}


@pytest.mark.parametrize("formula", FORMULAS.values(), ids=FORMULAS)
def test_a_formula_holds_like_the_element(formula):
    """The skate as a formula of rates, of velocities in world axes, in its own axes."""
    skate = pl.load(EXAMPLES / "skate.yaml")
    other = pl.System(skate.model, constraints=[pl.VelocityConstraint("edge", formula)])
    ours, theirs = (s.simulate(1, every=0.1, **TIGHT) for s in (skate, other))
    for name in FORMULATIONS:
        gap, what = disagreement(other, Choice(name), states=2)
        assert gap <= AGREEMENT, what
    for name in ("slope.x", "slope.y", "slope.angle"):
        assert ours.values(name) == pytest.approx(theirs.values(name), abs=1e-9)
    force = np.linalg.norm(ours.values("edge.force"), axis=1)
    assert np.abs(theirs.values("edge.effort")) == pytest.approx(force, abs=1e-8)


def test_a_formula_may_change_with_time():
    """The direction of a path is given: y' = t x'; without friction the speed stays."""
    table = pl.Planar("table", "ground", "dot", initial={"x_rate": 1})
    rule = pl.VelocityConstraint("rule", "table.y_rate - t*table.x_rate")
    body = pl.RigidBody("dot", mass=1, inertia=[1, 1, 1])
    result = pl.System(bodies=[body], joints=[table], constraints=[rule]).simulate(
        2, every=0.1, **TIGHT
    )
    t = times(result)
    assert result.values("table.x_rate") == pytest.approx(1 / np.sqrt(1 + t**2), abs=1e-9)
    assert result.values("table.y_rate") == pytest.approx(t / np.sqrt(1 + t**2), abs=1e-9)


def test_constraints_are_written_and_read():
    for name in ("rolling_disc", "skate"):
        system = pl.load(EXAMPLES / f"{name}.yaml")
        assert pl.loads(system.text).model == system.model


def test_kernels_of_large_trees_decline_constraints():
    graph = spanning_tree(pl.load(EXAMPLES / "skate.yaml").model)
    assert "constraint 'edge'" in tree_objection(graph)
