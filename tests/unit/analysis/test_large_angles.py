"""Laws of rotation are laws of the angle, not of its sine: 5, 60, 120 and 179 degrees."""

import numpy as np
import pytest

import pliant as pl
from pliant.mechanics.joint_springs import stretch
from pliant.model.joints import JOINTS
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import axis_angle

DEGREES = [5, 60, 120, 179]
K = 100.0
LOCKS = ["x rx ry rz", "x y rx ry", "x z rz"]
HELD = [*(k for k, cls in JOINTS.items()
          if k != "locks" and "rad" in cls.row_units and not cls.multi_turn), *LOCKS]  # fmt: skip
CROSSED = "universal", "x z rz"


def on_a_hinge(degrees, force):
    hinge = pl.Revolute("j", "ground", "b", axis="z", initial={"angle": f"{degrees} deg"})
    body = pl.RigidBody("b", 1, inertia=[1, 1, 1])
    return pl.System(bodies=[body], joints=[hinge], forces=[force])


@pytest.mark.parametrize("rotation", ["vector", "bryant123"])
@pytest.mark.parametrize("degrees", [*DEGREES, -120])
def test_a_bushing_turns_back_in_proportion_to_the_angle(degrees, rotation):
    """T = -K φ, U = K φ²/2, and the motion of a harmonic oscillator, φ0 cos 10 t."""
    bush = pl.Bushing("bush", "ground", "b", {"rotational": [K] * 3}, rotation=rotation)
    angle = np.radians(degrees)
    result = on_a_hinge(degrees, bush).simulate(0.5, every=0.05, rtol=1e-9)
    assert result.values("bush.torque.z")[0] == pytest.approx(-K * angle, rel=1e-12)
    assert result.values("bush.energy")[0] == pytest.approx(K * angle**2 / 2, rel=1e-12)
    expected = angle * np.cos(10 * result.time)
    assert np.abs(result.values("j.angle") - expected).max() < 1e-7


@pytest.mark.parametrize("degrees", DEGREES)
def test_a_bushing_turns_a_free_body_back_about_its_axis(degrees):
    """T = -K ϑ axis for the same stiffness about all axes, at the angle ϑ about any axis."""
    axis = np.array([2, -1, 2]) / 3
    half = np.radians(degrees) / 2
    start = {"orientation": {"quaternion": [np.cos(half), *(np.sin(half) * axis)]}}
    system = pl.System(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1], initial=start)],
        forces=[pl.Bushing("bush", "ground", "b", {"rotational": [K] * 3})],
    )
    torque = system.simulate(0.01, every=0.01).values("bush.torque")[0]
    assert np.allclose(torque, -K * np.radians(degrees) * axis, rtol=1e-11)


@pytest.mark.parametrize("degrees", DEGREES)
def test_a_damper_of_a_bushing_takes_the_rate_of_the_angle(degrees):
    bush = pl.Bushing("bush", "ground", "b", damping={"rotational": [3, 3, 3]})
    system = on_a_hinge(degrees, bush)
    joint = pl.Revolute("j", "ground", "b", initial={"angle": f"{degrees} deg", "angle_rate": 2})
    system = pl.System(system.described.with_(joints=[joint]))
    assert system.simulate(0.01).values("bush.torque.z")[0] == pytest.approx(-6, rel=1e-12)


@pytest.mark.parametrize("degrees", DEGREES)
def test_a_torsion_spring_takes_the_angle(degrees):
    spring = pl.TorsionSpring("coil", "j", stiffness=K)
    values = on_a_hinge(degrees, spring).simulate(0.01).values("coil.torque")
    assert values[0] == pytest.approx(-K * np.radians(degrees), rel=1e-12)


@pytest.mark.parametrize("rotation", ["vector", "bryant123"])
def test_all_formulations_take_a_bushing_at_large_angles(rotation):
    """Unequal stiffness, about two axes at once."""
    first = pl.RigidBody("a", 2, inertia=[0.3, 0.2, 0.4], frames={"P": [1, 0, 0]})
    second = pl.RigidBody("b", 1, inertia=[0.3, 0.5, 0.4], frames={"Q": [0, 1, 0]})
    joints = [
        pl.Universal("u", "ground", "a", initial={"angle1": 2.0, "angle2": 1.1}),
        pl.Spherical("s", "a.P", "b"),
    ]
    bushes = [
        pl.Bushing("bush", "ground", "b.Q", {"rotational": [3, 2, 1], "translational": [5, 6, 7]},
                   {"rotational": [0.1, 0.2, 0.3]}, rotation=rotation),
    ]  # fmt: skip
    report = pl.System(bodies=[first, second], joints=joints, forces=bushes).verify(
        pointwise=True, states=3
    )
    assert report.agree, str(report)


@pytest.mark.parametrize("degrees", DEGREES)
@pytest.mark.parametrize("kind", HELD)
def test_springs_of_a_joint_stretch_by_the_angle(kind, degrees):
    """A pose turned about x: the axis z of a hinge tilts by the angle, a weld turns by it. The
    right angle of a universal joint opens by it up to a quarter turn."""
    if kind in CROSSED and degrees > 90:
        degrees = 180 - degrees
    angle = np.radians(degrees)
    joint = (pl.Locks("J", "ground", "b", locked=kind.split()) if kind in LOCKS
             else JOINTS[kind]("J", "ground", "b"))  # fmt: skip
    axis = np.array([0, 0, 1.0]) if kind in CROSSED else np.array([1.0, 0, 0])
    R = axis_angle(NUMERIC, axis, angle)
    s, C = stretch(NUMERIC, joint, Pose(R, np.zeros(3)))
    assert np.linalg.norm(s) == pytest.approx(angle, rel=1e-10)
    V, h = np.array([0.3, -0.2, 0.5, 0.1, 0.4, -0.3]), 1e-6
    turn = np.linalg.norm(V[:3])
    ends = [
        stretch(NUMERIC, joint, Pose(axis_angle(NUMERIC, V[:3] / turn, k * h * turn) @ R,
                                     k * h * V[3:]))[0]
        for k in (1, -1)
    ]  # fmt: skip
    difference = (ends[0] - ends[1]) / (2 * h)
    assert np.abs(C.T @ V - difference).max() < 1e-8 + 10 * h**2 / (np.pi - angle) ** 3
