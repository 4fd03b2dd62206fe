"""Rotors, springs in world axes, actuators and cylinders between points, cables and stops, against
closed forms."""

import numpy as np
import pytest

import pliant as pl
from pliant.formulations import FORMULATIONS

TIGHT = {"rtol": 1e-10, "atol": 1e-12}
G = 9.81


def load(mass, name="load", **more):
    return pl.RigidBody(name, mass, inertia=[1, 1, 1], **more)


def swinging(forces, **more):
    """A wheel of 0.05 kg m^2 on a torsion spring of 8 N m/rad."""
    wheel = pl.RigidBody("wheel", 1, inertia=[0.05, 0.05, 0.05])
    return pl.System(
        bodies=[wheel],
        joints=[pl.Revolute("O", "ground", "wheel", axis="z", initial={"angle": 1})],
        forces=[pl.JointSpring("k", "O", stiffness=8), *forces], **more,
    )  # fmt: skip


@pytest.mark.parametrize("way", [*({"formulation": f} for f in FORMULATIONS), {"tree": "absolute"},
                                 {"formulation": "kane", "speeds": {"w": "3*O.angle_rate"}}],
                         ids=str)  # fmt: skip
def test_a_rotor_behind_a_gear_counts_with_the_square_of_the_ratio(way):
    """ω² = k / (J + J_r n²); it takes from the shaft what speeds it up."""
    speeds = {"speeds": way.pop("speeds")} if "speeds" in way else {}
    system = swinging([pl.Rotor("rotor", "O", inertia=4e-4, ratio=-20)], **speeds)
    result = system.simulate(3, every=0.1, **TIGHT, **way)
    w = np.sqrt(8 / (0.05 + 4e-4 * 400))
    angle = np.cos(w * np.asarray(result.time))
    assert result.values("O.angle") == pytest.approx(angle, abs=1e-8)
    assert result.values("rotor.torque") == pytest.approx(0.16 * w**2 * angle, abs=1e-7)
    assert np.ptp(result.values("energy")) < 1e-8


def test_a_rotor_is_what_a_wheel_behind_a_gear_is():
    plain, rotor = swinging([]).model, pl.RigidBody("rotor", 0.3, inertia=[4e-4, 4e-4, 4e-4])
    whole = pl.System(plain.with_(
        bodies=[*plain.bodies.values(), rotor],
        joints=[*plain.joints.values(), pl.Revolute("M", "ground", "rotor", axis="z")],
        constraints=[pl.Gear("mesh", "M.angle", "O.angle", -20)],
    ))  # fmt: skip
    found = whole.simulate(1, every=0.1, **TIGHT)
    short = swinging([pl.Rotor("rotor", "O", inertia=4e-4, ratio=-20)]).simulate(
        1, every=0.1, **TIGHT
    )
    assert found.values("O.angle") == pytest.approx(short.values("O.angle"), abs=1e-9)
    assert found.values("mesh.effort") == pytest.approx(short.values("rotor.torque") / 20, abs=1e-8)


def test_modes_statics_and_impulses_know_a_rotor():
    system = swinging([pl.Rotor("rotor", "O", inertia=4e-4, ratio=20)])
    assert system.modes().frequencies[0] == pytest.approx(np.sqrt(8 / 0.21) / (2 * np.pi))
    turned = swinging([pl.Rotor("rotor", "O", inertia=1), pl.Actuator("T", "O", effort="2")])
    assert turned.statics().values("O.angle")[-1] == pytest.approx(0.25)
    wheels = [pl.RigidBody(n, 1, inertia=[0.1, 0.1, 0.1]) for n in "ab"]
    joints = [pl.Revolute(n.upper(), "ground", n, axis="z", initial={"angle_rate": rate})
              for n, rate in (("a", 10), ("b", 0))]  # fmt: skip
    clutch = pl.System(bodies=wheels, joints=joints, forces=[pl.Rotor("rotor", "B", inertia=0.3)],
                       constraints=[pl.Gear("mesh", "A.angle", "B.angle", 1)])  # fmt: skip
    result = clutch.simulate(0.1, every=0.1)
    assert result.values("A.angle_rate") == pytest.approx(10 * 0.1 / 0.5)  # momentum is shared


def test_a_mass_of_a_coordinate_is_carried_along():
    """F = (m + m_r) a, without weight of its own."""
    guide = pl.Prismatic("S", "ground", "load", axis="z")
    system = pl.System(gravity=[0, 0, -G], bodies=[load(2.0)], joints=[guide],
                       forces=[pl.Rotor("belt", "S", inertia="3 kg")])  # fmt: skip
    result = system.simulate(1, every=0.5, **TIGHT)
    assert result.values("load.acceleration")[:, 2] == pytest.approx(-2 * G / 5)
    assert result.values("belt.force") == pytest.approx(3 * 2 * G / 5)


def test_springs_in_world_axes_each_have_their_own_frequency():
    """m x_i'' + d_i x_i' + k_i x_i = 0, whatever the body turns about."""
    m, k, d, start = 2.0, np.array([80.0, 20.0, 45.0]), np.array([0.0, 3.0, 1.0]), (0.3, -0.2, 0.1)
    body = pl.RigidBody("load", m, inertia=[0.1, 0.2, 0.3], initial={
        "position": start, "angular_velocity": [3, 1, -2]})  # fmt: skip
    mount = pl.WorldSpring("mount", "ground", "load", stiffness=list(k), damping=list(d))
    result = pl.System(bodies=[body], forces=[mount]).simulate(2, every=0.1, **TIGHT)
    t = np.asarray(result.time)[:, None]
    decay = d / (2 * m)
    w = np.sqrt(k / m - decay**2)
    x = start * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))
    assert result.values("load.position") == pytest.approx(x, abs=1e-8)
    assert result.values("mount.displacement") == pytest.approx(x, abs=1e-8)


def test_an_actuator_between_two_bodies_keeps_their_momentum():
    """F pushes them apart: μ s'' = F with the reduced mass μ."""
    bodies = [load(3.0, "a", initial={"position": [0, 0, 0]}),
              load(1.0, "b", initial={"position": [0.6, 0.8, 0]})]  # fmt: skip
    ram = pl.LinearActuator("ram", "a", "b", force="6*x - 2*v")
    result = pl.System(bodies=bodies, forces=[ram]).simulate(1, every=0.1, **TIGHT)
    t, mu = np.asarray(result.time), 0.75
    lam = np.roots([mu, 2, -6])  # μ x'' = 6 x - 2 x'
    c = np.linalg.solve([[1, 1], lam], [1, 0])
    x = c[0] * np.exp(lam[0] * t) + c[1] * np.exp(lam[1] * t)
    assert result.values("ram.length") == pytest.approx(x, rel=1e-8)
    assert result.values("ram.force") == pytest.approx(6 * x - 2 * result.values("ram.rate"))
    assert np.abs(result.values("momentum")).max() < 1e-9


def test_a_cylinder_carries_with_its_areas_and_tells_its_flows():
    boom = pl.RigidBody.rod("boom", 2.0, mass=30, frames={"eye": [0.8, 0, 0]})
    ram = pl.Cylinder("ram", "ground.base", "boom.eye", area_A=2e-3, area_B="1200 mm^2",
                      pressure_A="p", pressure_B="2 bar", damping=50)  # fmt: skip
    system = pl.System(
        gravity=[0, 0, -G], ground=pl.Ground(frames={"base": [0.3, 0, -0.9]}), bodies=[boom],
        parameters={"p": "10 bar"},
        joints=[pl.Revolute("O", "ground", "boom", axis="y", initial={"angle": "-0.1"})],
        forces=[ram, pl.JointSpring("k", "O", stiffness=300)],
    )  # fmt: skip
    rest = system.statics()
    phi, length = rest.values("O.angle")[-1], rest.values("ram.length")[-1]
    eye = 0.8 * np.array([np.cos(phi), 0, -np.sin(phi)])
    line = eye - [0.3, 0, -0.9]
    force = 10e5 * 2e-3 - 2e5 * 1.2e-3
    moment = np.cross(eye, force * line / np.linalg.norm(line))[1]
    assert np.linalg.norm(line) == pytest.approx(length)
    assert moment + 30 * G * np.cos(phi) - 300 * phi == pytest.approx(0, abs=1e-7 * force)
    result = system.simulate(0.2, every=0.1)
    v = result.values("ram.rate")
    assert result.values("ram.flow_A") == pytest.approx(2e-3 * v)
    assert result.values("ram.flow_B") == pytest.approx(-1.2e-3 * v)
    assert result.values("ram.force") == pytest.approx(force - 50 * v)


@pytest.mark.parametrize("formulation", ["recursive", "natural"])
def test_a_load_on_a_cable_jumps_for_ever(formulation):
    """Free fall over h, taut for 2 (π - atan(v0 ω/g)) / ω, and up again; the largest tension is
    m g + sqrt((m g)² + 2 k m g h)."""
    m, k, L, h = 2.0, 900.0, 0.5, 0.2
    w, v0 = np.sqrt(k / m), np.sqrt(2 * G * h)
    cable = pl.Spring("cable", "ground", "load", stiffness=k, free_length=L, acts="tension")
    system = pl.System(
        gravity=[0, 0, -G], bodies=[load(m)], forces=[cable],
        joints=[pl.Prismatic("S", "ground", "load", axis="z", initial={"displacement": h - L})],
    )  # fmt: skip
    taut, flight = 2 * (np.pi - np.arctan(v0 * w / G)) / w, 2 * v0 / G
    times = np.linspace(0, 3 * (taut + flight), 301)
    result = system.simulate(times[-1], times=times, **TIGHT, formulation=formulation)
    assert result.values("S.displacement")[[100, 200, 300]] == pytest.approx(h - L, abs=1e-8)
    force = result.values("cable.force")
    most = m * G + np.sqrt((m * G) ** 2 + 2 * k * m * G * h)
    assert force.max() == pytest.approx(most, rel=2e-3)  # at a sample near to it
    middle = system.simulate(flight / 2 + taut / 2, every=flight, **TIGHT)
    assert middle.values("cable.force")[-1] == pytest.approx(most, rel=1e-9)
    assert force.min() == 0
    assert np.ptp(result.values("energy")) < 1e-8 * most
    assert result.info["statistics"]["switches"] == 6


@pytest.mark.parametrize("acts", ["above", "below"])
def test_an_end_stop_gives_back_what_its_damping_leaves_and_does_not_stick(acts):
    """m x'' + d x' + k x = 0 until the force is zero, not until x is."""
    m, k, d, v0 = 0.5, 2000.0, 12.0, 3.0
    sign = 1 if acts == "above" else -1
    stop = pl.JointSpring("stop", "S", stiffness=k, damping=d, free=0.1 * sign, acts=acts)
    slide = pl.Prismatic("S", "ground", "load", axis="x",
                         initial={"displacement_rate": sign * v0})  # fmt: skip
    result = pl.System(bodies=[load(m)], joints=[slide], forces=[stop]).simulate(
        0.2, every=0.05, **TIGHT
    )
    decay = d / (2 * m)
    w = np.sqrt(k / m - decay**2)
    end = np.arctan2(-d * w, k - d * decay) % np.pi / w  # k x + d v = 0 for the first time
    v = v0 * np.exp(-decay * end) * (np.cos(w * end) - decay / w * np.sin(w * end))
    assert result.values("S.displacement_rate")[-1] == pytest.approx(sign * v, rel=1e-7)
    assert result.values("stop.force")[-1] == 0
    heat = 0.5 * m * (v0**2 - v**2)
    assert result.info["energy"].dissipated == pytest.approx(heat, rel=1e-5)


def test_a_buffer_pushes_when_it_is_short_and_a_law_may_be_one_sided():
    """Compression: 0 for x > 0; a law of its own is cut off in the same way."""
    for law, expected in (({"stiffness": 100}, 20.0), ({"force": "400*x"}, 80.0)):
        buffer = pl.Spring("b", "ground", "load", free_length=0.5, acts="compression", **law)
        joint = pl.Prismatic("S", "ground", "load", axis="x", initial={"displacement": 0.3})
        at = pl.System(bodies=[load(1)], joints=[joint], forces=[buffer]).simulate(1e-9, every=1e-9)
        assert at.values("b.force")[0] == pytest.approx(-expected)
        far = pl.System(
            bodies=[load(1)], forces=[buffer],
            joints=[pl.Prismatic("S", "ground", "load", axis="x", initial={"displacement": 0.7})],
        ).simulate(0.1, every=0.1)  # fmt: skip
        assert far.values("b.force")[-1] == 0
        assert far.values("S.displacement")[-1] == 0.7


def test_a_cable_may_begin_at_its_anchor():
    """A load that lies where its cable is fixed falls freely until it is taut."""
    cable = pl.Spring("cable", "ground", "load", stiffness=900, free_length=0.5, acts="tension")
    ball = pl.RigidBody("load", 2, inertia=[0.1, 0.1, 0.1], initial={"position": [0, 0, 0]})
    result = pl.System(gravity=[0, 0, -G], bodies=[ball], forces=[cable]).simulate(0.3, every=0.1)
    fall = G * np.asarray(result.time) ** 2 / 2
    assert result.values("load.position")[:, 2] == pytest.approx(-fall, abs=1e-12)
    assert result.values("cable.length") == pytest.approx(fall, abs=1e-12)


@pytest.mark.parametrize(("joint", "options", "wanted"), [
    (pl.Revolute, {"inertia": "2 kg"}, "expected kg*m^2"),
    (pl.Prismatic, {"inertia": "2 kg*m^2"}, "expected kg"),
    (pl.Prismatic, {"inertia": "2 kg", "ratio": "200 rad/m"}, "expected kg*m^2"),
    (pl.Revolute, {"inertia": -1}, "inertia is -1, not above zero"),
    (pl.Cylindrical, {"inertia": 1}, "joint 'O' has several coordinates"),
])  # fmt: skip
def test_rotors_that_cannot_be(joint, options, wanted):
    with pytest.raises(pl.PliantError) as error:
        pl.System(bodies=[load(1)], joints=[joint("O", "ground", "load", axis="z")],
                  forces=[pl.Rotor("rotor", "O", **options)])  # fmt: skip
    assert wanted in str(error.value)
