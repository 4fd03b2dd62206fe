"""Formulas of forces that read orientations, outputs and the motion of drivers."""

import numpy as np
import pytest
from tests.models import element_kinds as kinds

import pliant as pl
from pliant.formulations import FORMULATIONS

WAYS = [*({"formulation": name} for name in FORMULATIONS), {"tree": "absolute"}]
TIGHT = {"rtol": 1e-10, "atol": 1e-12}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_rocket_is_steered_by_where_it_points(way):
    """Thrust along its axis, in world axes by components of that axis, is thrust in body axes."""
    start = {"orientation": {"axis": [1, 2, 0], "angle": 0.3}, "angular_velocity": [0.5, 1, 3]}
    body = pl.RigidBody("r", 3, inertia=[0.2, 0.3, 0.1], frames={"nozzle": [0, 0, -0.5]},
                        initial=start)  # fmt: skip
    axis = [f"20*r.nozzle.z_axis.{c}" for c in "xyz"]
    found, expected = (
        pl.System(bodies=[body], forces=[force]).simulate(1, every=0.1, **TIGHT, **way)
        for force in (pl.Force("f", "r.nozzle", axis),
                      pl.Force("f", "r.nozzle", [0, 0, 20], axes="body"))
    )  # fmt: skip
    for name in ("r.position", "r.angular_velocity", "f.force"):
        assert found.values(name) == pytest.approx(expected.values(name), abs=1e-8)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_gimbal_spring_reads_the_angles_of_a_frame(way):
    """A torsion spring on the lean of an arm about y, by its Bryant angle and by its axis."""
    arm = pl.RigidBody.rod("arm", 0.5, mass=2, frames={"tip": [0.5, 0, 0]})
    joint = pl.Revolute("O", "ground", "arm", axis="y", initial={"angle": 0.7})
    laws = ("-5*O.angle", "-5*arm.tip.bryant123.angle2", "5*asin(arm.x_axis.z)")
    springs = [pl.Actuator("k", "O", effort=law) for law in laws]
    systems = [pl.System(bodies=[arm], joints=[joint], forces=[spring]) for spring in springs]
    runs = [system.simulate(1, every=0.1, **TIGHT, **way) for system in systems]
    for run in runs[1:]:
        assert run.values("O.angle") == pytest.approx(runs[0].values("O.angle"), abs=1e-9)


def test_angles_and_axes_are_told_alike_by_every_back_end():
    """By expressions, the kernel of trees, and blocks, over rows of states."""
    names = {"xy": "b.q.x_axis.y", "zz": "a.z_axis.z", "a": "b.bryant123.angle1",
             "b": "b.q.bryant123.angle3", "c": "a.euler313.angle2"}  # fmt: skip
    turning = pl.Torque("T", "b.q", [0.3, 0.2, "0.1*a.x_axis.x"])
    system = kinds.forced(turning)
    system = pl.System(system.model.with_(outputs=names))
    runs = [system.simulate(0.2, every=0.1, rtol=1e-9),
            system.simulate(0.2, every=0.1, step=1e-4, method="sparse-alpha")]  # fmt: skip
    R = [run.values("b.q.orientation") for run in runs]
    assert R[0] == pytest.approx(R[1], abs=1e-6)
    for name in names:
        assert runs[0].values(name) == pytest.approx(runs[1].values(name), abs=1e-6)
    w, x, y, z = R[0].T
    assert runs[0].values("xy") == pytest.approx(2 * (x * y + w * z), abs=1e-12)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_feedforward_by_the_acceleration_of_a_driver(way):
    """An actuator that carries the inertia of a driven arm leaves nothing to its driver."""
    arm = pl.RigidBody("arm", 2, inertia=[0.2, 0.2, 0.3])
    system = pl.System(
        bodies=[arm], joints=[pl.Revolute("O", "ground", "arm", axis="z")],
        drivers=[pl.JointDriver("D", "O", motion="0.4*sin(3*t)")],
        forces=[pl.Actuator("motor", "O", effort="0.3*D.acceleration + 0.1*D.velocity")],
        outputs={"lag": "O.angle - D.position"},
    )  # fmt: skip
    result = system.simulate(1, every=0.1, **TIGHT, **way)
    t = np.asarray(result.time)
    assert result.values("motor.torque") == pytest.approx(
        -0.3 * 3.6 * np.sin(3 * t) + 0.12 * np.cos(3 * t), abs=1e-9
    )
    assert result.values("D.torque") == pytest.approx(-0.12 * np.cos(3 * t), abs=1e-7)
    assert np.abs(result.values("lag")).max() < 1e-9


def test_a_signal_that_drives_is_read_with_its_derivatives():
    system = pl.System(
        bodies=[pl.RigidBody("arm", 2, inertia=[0.2, 0.2, 0.3])],
        joints=[pl.Revolute("O", "ground", "arm", axis="z")],
        drivers=[pl.JointDriver("D", "O", motion="road")],
        signals=[pl.Signal("road", [0, 0.5, 1, 1.5], [0, 0.2, 0.1, 0.3])],
        outputs={"acc": "D.acceleration", "vel": "D.velocity"},
    )  # fmt: skip
    result = system.simulate(1.5, every=0.1)
    assert result.values("acc") == pytest.approx(
        result.values("arm.angular_acceleration")[:, 2], abs=1e-9
    )
    assert result.values("vel") == pytest.approx(result.values("O.angle_rate"), abs=1e-9)


def test_a_force_reads_an_output():
    arm = pl.RigidBody.rod("arm", 0.5, mass=2)
    system = pl.System(
        bodies=[arm], joints=[pl.Revolute("O", "ground", "arm", axis="y", initial={"angle": 1})],
        forces=[pl.Actuator("motor", "O", effort="-6*lag")], outputs={"lag": "O.angle - sin(t)"},
    )  # fmt: skip
    result = system.simulate(0.5, every=0.1)
    assert result.values("motor.torque") == pytest.approx(-6 * result.values("lag"), abs=1e-12)


@pytest.mark.parametrize(("forces", "message"), [
    ({"effort": "arm.x_axis.w"}, "unknown name 'arm.x_axis.w'"),
    ({"effort": "arm.bryant123.angle4"}, "unknown name 'arm.bryant123.angle4'"),
    ({"effort": "D.jerk"}, "unknown name 'D.jerk'"),
])  # fmt: skip
def test_what_there_is_not_is_refused(forces, message):
    with pytest.raises(pl.PliantError, match=message):
        pl.System(
            bodies=[pl.RigidBody("arm", 2, inertia=[0.2, 0.2, 0.3])],
            joints=[pl.Revolute("O", "ground", "arm", axis="z")],
            drivers=[pl.JointDriver("D", "O", motion="t")],
            forces=[pl.Actuator("motor", "O", **forces)],
        )  # fmt: skip


def test_a_driver_reads_no_driver_and_a_coupling_no_orientation():
    bodies = [pl.RigidBody(n, 2, inertia=[0.2, 0.2, 0.3]) for n in "ab"]
    joints = [pl.Revolute(n.upper(), "ground", n, axis="z") for n in "ab"]
    first = pl.JointDriver("D", "A", motion="t")
    with pytest.raises(pl.PliantError, match=r"unknown name 'D.position'|reads 'D.position'"):
        pl.System(bodies=bodies, joints=joints,
                  drivers=[first, pl.JointDriver("E", "B", motion="2*D.position")])  # fmt: skip
    with pytest.raises(pl.PliantError, match=r"'a.x_axis.y' is no position"):
        pl.System(bodies=bodies, joints=joints,
                  constraints=[pl.Coupling("c", "B.angle - a.x_axis.y")])  # fmt: skip
