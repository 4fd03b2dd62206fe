"""Signals: data of time in formulas, with their exact derivatives."""

import numpy as np
import pytest

import pliant as pl
from pliant.model.joints import Prismatic, Revolute
from pliant.spatial.ops import NUMERIC

TIGHT = {"rtol": 1e-10, "method": "dop853"}


def slider(**sections):
    return pl.System(
        bodies=[pl.RigidBody("block", 2.0, inertia=(0.1, 0.1, 0.1))],
        joints=[Prismatic("slide", "ground", "block", axis="x")],
        **sections,
    )


def test_force_of_a_long_signal_does_the_work_of_its_function():
    """2000 points of a sine: the spline is the sine to (dt)^4."""
    times = np.linspace(0, 2, 2001)
    signal = pl.Signal("push", tuple(times), tuple(np.sin(3 * times)))
    system = slider(signals=[signal], forces=[pl.Actuator("f", "slide", effort="4*push")])
    result = system.simulate(2.0, **TIGHT)
    t = result.time
    expected = 2 * (t / 3 - np.sin(3 * t) / 9)
    assert np.abs(result.values("slide.displacement") - expected).max() < 1e-6
    assert np.abs(result.values("f.force") - 4 * np.sin(3 * t)).max() < 1e-6


def test_position_driver_from_points_gives_velocity_and_acceleration_of_the_spline():
    times = np.linspace(-0.5, 2.5, 301)
    signal = pl.Signal("path", tuple(times), tuple(times**2))
    system = slider(signals=[signal], drivers=[pl.JointDriver("d", "slide", motion="3*path")])
    result = system.kinematics(2.0)
    t = result.time
    assert np.abs(result.values("slide.displacement") - 3 * t**2).max() < 1e-6
    assert np.abs(result.values("slide.displacement_rate") - 6 * t).max() < 1e-6
    assert np.abs(result.values("d.force") - 2.0 * 6).max() < 1e-6


def test_linear_signal_is_held_and_spline_continued_beyond_their_ends():
    points = {"times": (0.0, 0.5, 1.0), "values": (0.0, 1.0, 0.0)}
    signals = [
        pl.Signal("held", **points, interpolation="linear"),
        pl.Signal("smooth", **points),
    ]
    outputs = {"a": "held", "b": "smooth"}
    result = slider(signals=signals, outputs=outputs).simulate(2.0, outputs=["a", "b"], every=0.25)
    assert np.allclose(result.values("a"), [0, 0.5, 1, 0.5, 0, 0, 0, 0, 0])
    curve = [float(signals[1].at(NUMERIC, t)) for t in result.time]
    assert np.allclose(result.values("b"), curve, atol=1e-12)


def test_a_result_feeds_another_model():
    """Inverse dynamics of one run, saved, drives the same arm in another."""
    arm = {
        "bodies": [pl.RigidBody.rod("arm", 1.0, mass=1.0)],
        "joints": [Revolute("hub", "ground", "arm", axis="y")],
        "gravity": (0, 0, -9.81),
    }
    driver = pl.JointDriver("motor", "hub", motion="0.5*t^3 - 0.1*t^4")
    wanted = pl.System(**arm, drivers=[driver]).inverse(2.0, every=0.005)
    torque = pl.Signal("torque", wanted.time, wanted.values("motor.torque"))
    actuator = pl.Actuator("motor", "hub", effort="torque")
    result = pl.System(**arm, signals=[torque], forces=[actuator]).simulate(2.0, **TIGHT)
    assert result.values("hub.angle")[-1] == pytest.approx(0.5 * 8 - 0.1 * 16, abs=1e-5)
