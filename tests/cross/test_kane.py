"""Generalised speeds change Kane's equations, not the motion."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.agreement import disagreement
from tests.models.random_systems import (
    random_beam,
    random_flexible_tree,
    random_tree,
    with_loop,
)
from tests.published.test_equations import Symbols

import pliant as pl
from pliant.analysis.verification.report import AGREEMENT
from pliant.backends.choice import Choice
from pliant.errors import CapabilityError, ModelError

EXAMPLES = Path(__file__).parents[2] / "examples"
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


def with_speeds(rng, system):
    """As many random combinations of rates as there are in two joints, and more."""
    joints = [j for j in system.model.joints.values() if j.in_tree]
    chosen = [joints[k] for k in rng.permutation(len(joints))[:2]]
    rates = [f"{j.name}.{n}" for j in chosen for n in j.rate_names]
    reads = [f"cos({j.name}.{j.scalars[0].name})" for j in joints if j.scalars] or ["1"]
    speeds = {}
    for i, own in enumerate(rates):
        terms = [f"{rng.uniform(0.1, 0.4):.3f}*{rng.choice(reads)}*{r}" for r in rates if r != own]
        speeds[f"s{i}"] = " + ".join([f"{rng.uniform(2, 3):.3f}*{own}", *terms])
    return pl.System(system.model, speeds=speeds)


def agrees(system, tree="joint"):
    """With the recursive formulation, at random states."""
    gap, what = disagreement(system, Choice("kane", tree), states=3)
    assert gap <= AGREEMENT, what


@pytest.mark.parametrize("seed", range(4))
def test_random_speeds_on_random_trees(seed):
    rng = np.random.default_rng(seed)
    agrees(with_speeds(rng, random_tree(rng, 3)))


@pytest.mark.parametrize("kind", ["revolute", "distance"])
def test_random_speeds_in_a_loop(kind):
    rng = np.random.default_rng(3)
    tree = random_tree(rng, 3, kinds=("spherical", "universal", "cylindrical"))
    agrees(with_speeds(rng, with_loop(rng, tree, kind)))


def test_random_speeds_beside_flexible_bodies():
    rng = np.random.default_rng(5)
    tree = random_flexible_tree(rng, 2, kinds=("revolute", "prismatic"))
    agrees(with_speeds(rng, tree))


def test_speeds_of_a_body_on_a_flexible_one():
    """They contain elastic rates, which stay speeds themselves."""
    beam = random_beam(np.random.default_rng(0), "beam")
    tool = pl.RigidBody("tool", mass=1, inertia=[0.1, 0.2, 0.3], com=[0.1, 0, 0])
    joints = [pl.Revolute("base", "ground", "beam.root", axis="z"),
              pl.Revolute("wrist", "beam.tip", "tool", axis="z")]  # fmt: skip
    speeds = {"w0": "base.angle_rate", "w1": "tool.own_angular_velocity.z"}
    system = pl.System(bodies=[beam, tool], joints=joints, gravity=[0, -9.81, 0], speeds=speeds)
    agrees(system)
    runs = [system.simulate(0.2, every=0.05, **TIGHT, formulation=f) for f in ("recursive", "kane")]
    for name in ("tool.position", "tool.angular_velocity", "w1"):
        first, second = (r.values(name) for r in runs)
        assert first == pytest.approx(second, abs=1e-7)


def gimbal(**sections):
    """A body in three revolutes, z, y, x, without weight."""
    none = {"mass": 0, "inertia": [0, 0, 0]}
    parameters = {"A": 1.0, "B": 2.0, "C": 2.5}
    body = pl.RigidBody("body", mass=1, inertia=["A", "B", "C"])
    joints = [
        pl.Revolute("yaw", "ground", "outer", axis="z", initial={"angle": 0.2, "angle_rate": 1}),
        pl.Revolute("pitch", "outer", "inner", axis="y", initial={"angle": 0.4, "angle_rate": 2}),
        pl.Revolute("roll", "inner", "body", axis="x", initial={"angle": 0.1, "angle_rate": -1}),
    ]
    bodies = [pl.RigidBody("outer", **none), pl.RigidBody("inner", **none), body]
    return pl.System(parameters=parameters, bodies=bodies, joints=joints, **sections)


OWN = {f"w{c}": f"body.own_angular_velocity.{c}" for c in "xyz"}


def test_own_angular_velocities_give_the_equations_of_euler():
    """A wx' = (B - C) wy wz and so on, whatever the coordinates."""
    e = gimbal(speeds=OWN).equations("kane")
    A, B, C, x, y, z, dx, dy, dz = Symbols(e)("A B C wx wy wz wx' wy' wz'")
    assert list(e.residual) == [
        A * dx - (B - C) * y * z, B * dy - (C - A) * z * x, C * dz - (A - B) * x * y,
    ]  # fmt: skip


def test_speeds_change_the_equations_but_not_the_motion():
    plain, other = gimbal(), gimbal(speeds=OWN)
    assert plain.equations("kane").text() != other.equations("kane").text()
    runs = [
        s.simulate(3, every=0.1, **TIGHT, formulation=f)
        for s, f in ((plain, "recursive"), (plain, "kane"), (other, "kane"))
    ]
    for name in ("body.orientation", "body.angular_velocity", "yaw.angle", "pitch.torque"):
        first, *others = (r.values(name) for r in runs)
        for found in others:
            assert found == pytest.approx(first, abs=1e-8)


def test_speeds_may_read_the_angles_of_a_rotation():
    """Components of the angular velocity of a top in axes that do not spin with it."""
    c, s = "cos(ball.angle3)", "sin(ball.angle3)"
    speeds = {"along": f"{c}*ball.wx - {s}*ball.wy", "across": f"{s}*ball.wx + {c}*ball.wy",
              "spin": "ball.wz"}  # fmt: skip
    start = {"angle2": 0.8, "angle3": 0.3, "wz": 12, "wx": 0.5}
    ball = pl.Spherical("ball", "ground", "top", coordinates="euler313", initial=start)
    top = pl.RigidBody("top", 1.0, inertia=(0.1, 0.1, 0.05), com=(0, 0, 0.1))
    system = pl.System(gravity=(0, 0, -9.81), bodies=[top], joints=[ball], speeds=speeds)
    agrees(system)
    assert "ball.angle2' = along" in system.equations("kane").text()
    runs = [system.simulate(1, every=0.1, **TIGHT, formulation=f) for f in ("recursive", "kane")]
    for name in ("top.orientation", "ball.angle1", "along"):
        first, second = (r.values(name) for r in runs)
        assert second == pytest.approx(first, abs=1e-8)


def test_speeds_are_observables():
    system = pl.load(EXAMPLES / "rolling_disc.yaml")
    runs = [system.simulate(0.3, every=0.1, **TIGHT, formulation=f) for f in ("recursive", "kane")]
    for name in ("u1", "u2", "u3"):
        first, second = (r.values(name) for r in runs)
        assert first == pytest.approx(second, abs=1e-8)


def test_disc_with_multipliers_and_in_independent_speeds():
    """Two equations fewer, no constraint left, the same motion and the same forces."""
    system = pl.load(EXAMPLES / "rolling_disc.yaml")
    ways = [{}, {"formulation": "kane"}, {"formulation": "kane", "form": "embedding"}]
    runs = [system.simulate(2, every=0.1, **TIGHT, **way) for way in ways]
    for name in ("disc.position", "disc.angular_velocity", "rolling.force", "spin.force"):
        first, *others = (r.values(name) for r in runs)
        for found in others:
            assert found == pytest.approx(first, abs=1e-7)
    reduced = system.equations("kane", form="embedding")
    assert reduced.speeds.numel() == 3
    assert reduced.coordinates.numel() == 5
    assert not list(reduced.velocity_constraints)


def test_independent_speeds_may_be_named():
    system = pl.load(EXAMPLES / "rolling_disc.yaml")
    chosen = ["contact.x_rate", "u1", "u3"]
    e = system.equations("kane", form="embedding", independent=chosen)
    assert e.rows == ("contact.x", "u1", "u3")
    runs = [system.simulate(0.5, every=0.1, **TIGHT, formulation="kane", form="embedding",
                            independent=i) for i in (chosen, ())]  # fmt: skip
    first, second = (r.values("disc.position") for r in runs)
    assert first == pytest.approx(second, abs=1e-8)


@pytest.mark.parametrize("method", ["radau", "generalized-alpha"])
def test_implicit_methods_take_chosen_speeds(method):
    system = pl.load(EXAMPLES / "skate.yaml")
    how = {"step": 1e-3} if method == "generalized-alpha" else TIGHT
    for form in ("augmented", "embedding"):
        r = system.simulate(1, every=0.1, method=method, formulation="kane", form=form, **how)
        t, a = np.asarray(r.time), 9.81 * np.sin(np.deg2rad(20)) / 18
        assert r.values("slope.x") == pytest.approx(a * np.sin(3 * t) ** 2, abs=2e-6)


def test_speeds_that_do_not_match_are_named():
    few = {"w": "yaw.angle_rate + pitch.angle_rate"}
    with pytest.raises(ModelError, match=r"1 formula reads 2 rates: yaw\.angle_rate, pitch"):
        gimbal(speeds=few).equations("kane")
    same = {"a": "yaw.angle_rate + roll.angle_rate", "b": "2*yaw.angle_rate + 2*roll.angle_rate"}
    with pytest.raises(ModelError, match="a, b are not independent"):
        gimbal(speeds=same).simulate(0.1, formulation="kane")


def test_a_driver_in_the_tree_leaves_no_speeds_to_choose():
    rotor = pl.load(EXAMPLES / "pendulating_rotor.yaml")
    system = pl.System(rotor.model, speeds={"w": "2*nutation.angle_rate"})
    agrees(system)
    with pytest.raises(CapabilityError, match="T1: a driver in the tree"):
        system.equations("kane", tree=["T1", "nutation", "T2"])
