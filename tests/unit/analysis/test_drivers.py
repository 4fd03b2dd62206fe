"""Prescribed motion at every level, kinematics and inverse dynamics, against closed forms."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import CapabilityError
from pliant.model.joints import Free, Prismatic, Revolute

TIGHT = {"rtol": 1e-11, "method": "dop853"}


def driven_pendulum(**motion):
    """A rod of 2 kg and 1 m turning about y under gravity; angle measured from +x downwards."""
    return pl.System(
        bodies=[pl.RigidBody.rod("rod", 1.0, mass=2.0)],
        joints=[Revolute("hinge", "ground", "rod", axis="y", initial={"angle_rate": 0.3})],
        drivers=[pl.JointDriver("motor", "hinge", **motion)],
        gravity=(0, 0, -9.81),
    )


@pytest.mark.parametrize(
    ("level", "motion"),
    [
        ("position", "0.3*t + 0.2*t^3"),
        ("velocity", "0.3 + 0.6*t^2"),
        ("acceleration", "1.2*t"),
    ],
)
def test_all_levels_prescribe_the_same_motion_and_need_the_same_torque(level, motion):
    result = driven_pendulum(level=level, motion=motion).simulate(1.5, **TIGHT)
    t = result.time
    angle = 0.3 * t + 0.2 * t**3
    assert np.abs(result.values("hinge.angle") - angle).max() < 1e-9
    torque = 2 / 3 * 1.2 * t - 2 * 9.81 * 0.5 * np.cos(angle)
    assert np.abs(result.values("motor.torque") - torque).max() < 1e-7
    gained = result.values("kinetic_energy") - result.values("kinetic_energy")[0]
    gained += result.values("potential_energy") - result.values("potential_energy")[0]
    assert np.abs(result.values("motor.work") - gained).max() < 1e-8


def test_inverse_dynamics_needs_no_integration_tolerance():
    system = driven_pendulum(level="position", motion="sin(3*t)")
    result = system.inverse(2.0, every=0.1)
    t = result.time
    torque = -2 / 3 * 9 * np.sin(3 * t) - 2 * 9.81 * 0.5 * np.cos(np.sin(3 * t))
    assert np.abs(result.values("hinge.angle") - np.sin(3 * t)).max() < 1e-13
    assert np.abs(result.values("motor.torque") - torque).max() < 1e-11


def test_kinematics_of_a_free_system_names_what_is_not_driven():
    system = pl.System(
        bodies=[pl.RigidBody.rod("rod", 1.0, mass=2.0)],
        joints=[Revolute("hinge", "ground", "rod", axis="y")],
    )
    with pytest.raises(CapabilityError, match=r"1 degrees of freedom .* hinge"):
        system.kinematics(1.0)


def test_frame_driver_carries_a_body_along_a_path_with_a_turning_orientation():
    """Position and orientation prescribed: velocity, angular velocity and loads follow."""
    turn = pl.Orientation.about("z", "2*t")
    system = pl.System(
        bodies=[pl.RigidBody("box", 3.0, inertia=(0.3, 0.2, 0.4))],
        joints=[Free("free", "ground", "box")],
        drivers=[
            pl.FrameDriver("hand", "box", translation=("cos(t)", "sin(t)", "t^2"), orientation=turn)
        ],
        gravity=(0, 0, -9.81),
    )
    result = system.kinematics(2.0)
    t = result.time
    assert np.allclose(result.values("box.position.x"), np.cos(t), atol=1e-12)
    assert np.allclose(result.values("box.velocity.z"), 2 * t, atol=1e-12)
    assert np.allclose(result.values("box.angular_velocity.z"), 2.0, atol=1e-12)
    quat = result.values("box.orientation")
    assert np.allclose(quat[:, 0], np.cos(t), atol=1e-12)
    force = result.values("hand.force")
    assert np.allclose(force[:, 0], -3 * np.cos(t), atol=1e-9)
    assert np.allclose(force[:, 2], 3 * (2 + 9.81), atol=1e-9)
    assert np.abs(result.values("hand.torque")).max() < 1e-9


def test_frame_driver_at_velocity_level_spins_a_body():
    system = pl.System(
        bodies=[pl.RigidBody("top", 1.0, inertia=(0.1, 0.1, 0.2))],
        joints=[Free("free", "ground", "top")],
        drivers=[
            pl.FrameDriver(
                "spin", "top", level="velocity", angular=(0, 0, 5), translation=(1, 0, 0)
            )
        ],
    )
    result = system.simulate(1.0, **TIGHT)
    assert np.allclose(result.values("top.angular_velocity.z"), 5.0, atol=1e-12)
    assert np.allclose(result.values("top.position.x"), result.time, atol=1e-10)


def test_partly_driven_frame_leaves_the_other_directions_free():
    system = pl.System(
        bodies=[pl.RigidBody("slug", 1.0, inertia=(0.1, 0.1, 0.1))],
        joints=[Free("free", "ground", "slug", initial={"vz": 1.0})],
        drivers=[pl.FrameDriver("guide", "slug", translation=("t", None, None))],
        gravity=(0, 0, -9.81),
    )
    result = system.simulate(1.0, **TIGHT)
    t = result.time
    assert np.allclose(result.values("slug.position.x"), t, atol=1e-12)
    assert np.allclose(result.values("slug.position.z"), t - 9.81 * t**2 / 2, atol=1e-10)


def slider_crank(**sections):
    return pl.System(
        bodies=[
            pl.RigidBody.rod("crank", 0.2, mass=1.0, frames={"A": [0.2, 0, 0]}),
            pl.RigidBody.rod("rod", 0.5, mass=2.0, frames={"B": [0.5, 0, 0]}),
            pl.RigidBody("slider", 0.5, inertia=(0.01, 0.01, 0.01)),
        ],
        joints=[
            Revolute("O", "ground", "crank", initial={"angle": 0.6}),
            Revolute("A", "crank.A", "rod", guess={"angle": -0.8}),
            Revolute("B", "rod.B", "slider", cut=True),
            Prismatic("S", "ground", "slider", axis="x", guess={"displacement": 0.6}),
        ],
        **sections,
    )


def test_a_driver_on_a_cut_joint_turns_it_through_many_turns():
    """Driving the cut hinge B is driving the mechanism by another angle."""
    forward = slider_crank(drivers=[pl.JointDriver("motor", "O", motion="0.6 + 20*t")])
    straight = forward.kinematics(1.0, every=0.05)
    assert straight.values("O.angle")[-1] == pytest.approx(20.6)
    lift = np.arcsin(0.2 / 0.5 * np.sin(straight.values("O.angle")))
    assert np.abs(straight.values("B.angle") - lift).max() < 1e-12


def test_a_spring_on_a_cut_joint_acts_as_on_a_tree_joint():
    spring = pl.JointSpring("k", "B", stiffness=4.0, free=0.2, damping=0.1)
    system = slider_crank(forces=[spring])
    cut = system.simulate(1.0, **TIGHT)
    other = pl.System(
        system.model.with_(
            joints=[
                Revolute("O", "ground", "crank", initial={"angle": 0.6}),
                Revolute("A", "crank.A", "rod", guess={"angle": -0.8}, cut=True),
                Revolute("B", "rod.B", "slider"),
                Prismatic("S", "ground", "slider", axis="x", guess={"displacement": 0.6}),
            ]
        )
    )
    also = other.simulate(1.0, **TIGHT)
    for name in ("O.angle", "B.angle", "k.torque", "S.displacement"):
        assert np.abs(cut.values(name) - also.values(name)).max() < 1e-9
    assert cut.compare(also, "A.force.x", "B.force.y").worst < 1e-8
