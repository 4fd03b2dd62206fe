"""Point masses that nothing turns have a position and no rotation."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import CapabilityError, InputError
from pliant.graphs.spanning_tree import free_points

TIGHT = {"rtol": 1e-10, "atol": 1e-12}
FORMULATIONS = ("recursive", "linear-graph", "natural", "multibond", "kane")


def stone(**more):
    thrown = pl.RigidBody.point("stone", 1.0, initial={"velocity": [1, 0, 5]})
    return pl.System(gravity=(0, 0, -9.81), bodies=[thrown], **more)


@pytest.mark.parametrize("tree", ["joint", "absolute"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_thrown_stone_flies_along_its_parabola(formulation, tree):
    result = stone().simulate(1.0, formulation=formulation, tree=tree, rtol=1e-10)
    t = result.time
    exact = np.column_stack([t, 0 * t, 5 * t - 4.905 * t**2])
    assert np.abs(result.values("stone.position") - exact).max() < 1e-12
    assert result.info["degrees_of_freedom"] == 3


def test_a_point_has_three_degrees_of_freedom():
    assert stone().check().freedom == 3


POINTS = pl.System(
    gravity=(0, -9.81, 0),
    bodies=[pl.RigidBody.point("p0", 2.5, initial={"position": [0.8, 0, 0]}),
            pl.RigidBody.point("p1", 2.5, initial={"position": [1.6, 0, 0]})],
    joints=[pl.Distance("d0", "ground", "p0", length=0.8),
            pl.Distance("d1", "p0", "p1", length=0.8)],
)  # fmt: skip
HINGED = pl.System(
    gravity=(0, -9.81, 0),
    bodies=[pl.RigidBody("a", 2.5, com=(0.8, 0, 0), frames={"e": [0.8, 0, 0]}),
            pl.RigidBody("b", 2.5, com=(0.8, 0, 0), frames={"e": [0.8, 0, 0]})],
    joints=[pl.Revolute("A", "ground", "a", axis="z"), pl.Revolute("B", "a.e", "b", axis="z")],
)  # fmt: skip


@pytest.mark.parametrize("formulation", ["recursive", "natural"])
def test_points_on_distances_swing_as_their_twin_on_hinges(formulation):
    """Bodies whose mass is a point, on hinges, are the same double pendulum."""
    points = POINTS.simulate(1.0, formulation=formulation, **TIGHT)
    hinged = HINGED.simulate(1.0, **TIGHT)
    for point, frame in (("p0", "a.e"), ("p1", "b.e")):
        off = points.values(f"{point}.position")[-1] - hinged.values(f"{frame}.position")[-1]
        assert np.abs(off).max() < 1e-7


def test_a_satellite_comes_round():
    """Circular orbit of radius 2 with G M = 3."""
    speed = np.sqrt(1.5)
    start = {"position": [2, 0, 0], "velocity": [0, speed, 0]}
    system = pl.System(bodies=[pl.RigidBody.point("s", 7.0, initial=start)],
                       forces=[pl.Spring("g", "ground", "s", force="3*7/x^2")])  # fmt: skip
    period = 2 * np.pi * 2 / speed
    result = system.simulate(period, rtol=1e-11, atol=1e-13)
    assert np.abs(result.values("s.position")[-1] - [2, 0, 0]).max() < 1e-7


def test_a_point_hung_on_springs_has_a_stable_equilibrium():
    anchors = pl.Ground(frames={"A": [-1, 0, 1], "B": [1, 0, 1], "C": [0, 1, 1]})
    springs = [pl.Spring(f"s{k}", f"ground.{k}", "m", stiffness=200) for k in "ABC"]
    system = pl.System(ground=anchors, gravity=(0, 0, -9.81), forces=springs,
                       bodies=[pl.RigidBody.point("m", 2.0)])  # fmt: skip
    result = system.statics()
    assert result.info["stability"] == "stable"  # linear springs of no free length: K = 600 N/m
    assert result.values("m.position")[-1] == pytest.approx(
        [0, 1 / 3, 1 - 2 * 9.81 / 600], abs=1e-9
    )


def test_a_point_that_something_turns_keeps_its_rotation():
    point = pl.RigidBody("p", 1.0, frames={"off": [0.1, 0, 0]})
    pulled = pl.System(bodies=[point], forces=[pl.Spring("s", "ground", "p.off", stiffness=1)])
    assert free_points(pulled.model) == frozenset()
    turned = pl.System(bodies=[point], forces=[pl.Torque("T", "p", torque=(0, 0, 1))])
    assert free_points(turned.model) == frozenset()
    with pytest.raises(InputError, match="motion of 'p' is not determined"):
        turned.simulate(1.0)


def test_blocks_do_not_take_points():
    with pytest.raises(CapabilityError, match="body 'stone'"):
        stone().simulate(0.1, method="sparse-alpha")


def test_verify_refuses_accelerations_that_nothing_determines():
    """Before, it said that formulations disagree: each chose another spin of the rod."""
    rod = pl.RigidBody.rod("rod", 0.5, mass=1)
    system = pl.System(bodies=[rod], joints=[pl.Spherical("S", "ground", "rod")])
    with pytest.raises(InputError, match="motion of 'S' is not determined"):
        system.verify(pointwise=True, states=3)
