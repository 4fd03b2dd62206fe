"""Joints that lock chosen motions, and a pin in a slot: loops, reactions, springs along what is
left."""

from __future__ import annotations

import numpy as np
import pytest
from tests.models.agreement import of_formulations
from tests.models.random_systems import random_tree, with_loop

import pliant as pl
from pliant.model.joints import JOINTS

SPRINGS = {"stiffness": 1e3, "rotational_stiffness": 1e3}


@pytest.mark.parametrize(("choice", "held"), [
    ("x", None), ("x y", None), ("y rx", None), ("rx ry", None), ("x y rz", None),
    ("pin_slot", None), ("x y", SPRINGS), ("x rz", SPRINGS),
])  # fmt: skip
def test_a_loop_agrees_with_something_acting_in_it(choice, held):
    """Its coordinates are asked for, so that it keeps some of its own where it is cut."""
    rng = np.random.default_rng(len(choice))
    system = with_loop(rng, random_tree(rng, 2, kinds=("revolute", "spherical")), "fixed")
    loop = system.model.joints["loop"]
    cls = JOINTS["pin_slot" if choice == "pin_slot" else "locks"]
    own = {} if choice == "pin_slot" else {"locked": choice.split()}
    joint = cls("loop", loop.parent, loop.child, **own, springs=held)
    first, last = joint.scalars[0], joint.scalars[-1]
    law = f"2*cos(t) - 0.3*loop.{last.name} - 0.1*loop.{first.rate}"
    forces = [pl.JointSpring("spring", "loop", first.name, stiffness=5, damping=1, free=0.1),
              pl.Actuator("motor", "loop", last.name, effort=law)]  # fmt: skip
    joints = [j for n, j in system.model.joints.items() if n != "loop"]
    report = pl.System(system.model.with_(joints=[*joints, joint], forces=forces)).verify(
        pointwise=True, states=2
    )
    assert report.agree, str(report)
    assert not any(v.declined for v in of_formulations(report.verdicts))


def body(**frames):
    return pl.RigidBody("b", 2.0, inertia=[0.1, 0.2, 0.3], frames=frames)


@pytest.mark.parametrize("cut", [False, True])
def test_reactions_lie_along_what_is_locked(cut):
    """A body whose centre is led across by a ball on an inclined line: the weight across the line
    is carried, that along it accelerates."""
    slope = pl.Frame("line", orientation=pl.Orientation.about("y", "30 deg"))
    ball = pl.Locks("J", "ground.line", "b", locked=["y", "z"], cut=cut, initial={"wy": 3.0})
    system = pl.System(ground=pl.Ground([slope]), bodies=[body()], joints=[ball],
                       gravity=(0, 0, -9.81))  # fmt: skip
    result = system.simulate(1.0, every=0.1, rtol=1e-9)
    carried = 2 * 9.81 * np.cos(np.pi / 6)
    across = carried * np.array([0.5, 0, np.sqrt(0.75)])
    assert result.values("J.force") == pytest.approx(np.tile(across, (11, 1)), abs=1e-8)
    assert np.abs(result.values("J.torque")).max() < 1e-8
    assert result.values("J.x")[-1] == pytest.approx(9.81 / 4, abs=1e-7)
    assert result.values("J.angular_velocity")[-1] == pytest.approx([0, 3.0, 0], abs=1e-8)


def test_one_locked_rotation_is_a_universal_joint_and_all_of_them_a_weld():
    """Equal motion and equal reactions."""
    tip = {"e": [0.3, 0.1, 0.2]}
    start = {"rx": 0.4, "ry": 0.2, "rx_rate": 2.0, "ry_rate": -3.0}
    cross = pl.Locks("J", "ground", "b.e", locked=["x", "y", "z", "rz"], initial=start)
    names = {"rx": "angle1", "ry": "angle2", "rx_rate": "angle1_rate", "ry_rate": "angle2_rate"}
    same = pl.Universal("J", "ground", "b.e", initial={names[k]: v for k, v in start.items()})
    ran = [pl.System(bodies=[body(**tip)], joints=[j], gravity=(0, 0, -9.81)).simulate(
        1.0, every=0.1, rtol=1e-10) for j in (cross, same)]  # fmt: skip
    for name in ("b.position", "J.force", "J.torque"):
        assert ran[0].values(name) == pytest.approx(ran[1].values(name), abs=1e-7)
    weld = pl.Locks("J", "ground", "b.e", locked=["x", "y", "z", "rx", "ry", "rz"])
    still = pl.System(bodies=[body(**tip)], joints=[weld], gravity=(0, 0, -9.81)).simulate(0.1)
    assert still.values("J.force")[-1] == pytest.approx([0, 0, 2 * 9.81])
    assert still.values("J.torque")[-1] == pytest.approx([2 * 9.81 * -0.1, 2 * 9.81 * 0.3, 0])


def test_a_scotch_yoke_moves_as_the_cosine():
    result = pl.load("examples/scotch_yoke.yaml").simulate(0.3, rtol=1e-9)
    stroke = 0.08 * np.cos(result.values("O.angle"))
    assert result.values("yoke.position")[:, 0] == pytest.approx(stroke, abs=1e-10)
    assert np.abs(result.values("slot.force")[:, 1]).max() < 1e-9  # none along the slot
