"""Force elements against closed forms and conservation laws."""

import numpy as np
import pytest

import pliant as pl
from pliant.model.joints import Free, Prismatic, Revolute, Spherical

TIGHT = {"rtol": 1e-11, "method": "dop853"}


def block(**sections):
    """A mass of 2 kg sliding along x."""
    return pl.System(
        bodies=[pl.RigidBody("block", 2.0, inertia=(0.1, 0.1, 0.1))],
        joints=[Prismatic("slide", "ground", "block", axis="x", initial=sections.pop("initial"))],
        **sections,
    )


def test_spring_and_damper_give_the_damped_oscillation():
    k, d, m, x0 = 50.0, 1.5, 2.0, 0.1
    spring = pl.Spring("s", "ground.wall", "block", stiffness=k, damping=d, free_length=1.0)
    system = block(
        ground=pl.Ground(frames={"wall": [-1.0, 0, 0]}),
        forces=[spring],
        initial={"displacement": x0},
    )
    result = system.simulate(2.0, **TIGHT)
    decay, omega = d / (2 * m), np.sqrt(k / m - (d / (2 * m)) ** 2)
    t = result.time
    expected = x0 * np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
    assert np.abs(result.values("slide.displacement") - expected).max() < 1e-10
    assert np.allclose(result.values("s.length"), 1.0 + result.values("slide.displacement"))
    lost = result.values("s.work") + result.values("s.energy")
    assert np.allclose(
        result.values("energy"), lost - lost[0] + result.values("energy")[0], atol=1e-10
    )


def test_nonlinear_spring_law_conserves_its_own_energy():
    spring = pl.Spring("s", "ground.wall", "block", free_length=1.0, force="30*x + 400*x^3")
    system = block(ground=pl.Ground(frames={"wall": [-1.0, 0, 0]}), forces=[spring],
                   initial={"displacement": 0.3})  # fmt: skip
    result = system.simulate(3.0, **TIGHT)
    x, v = result.values("slide.displacement"), result.values("slide.displacement_rate")
    energy = v**2 + 15 * x**2 + 100 * x**4
    assert np.abs(energy - energy[0]).max() < 1e-9


def test_joint_spring_swings_with_its_natural_frequency():
    wheel = pl.RigidBody("wheel", 1.0, inertia=(0.1, 0.1, 0.2))
    system = pl.System(
        bodies=[wheel],
        joints=[Revolute("hub", "ground", "wheel", initial={"angle": 3.0})],
        forces=[pl.JointSpring("k", "hub", stiffness=5.0, free=1.0)],
    )
    result = system.simulate(4.0, **TIGHT)
    expected = 1.0 + 2.0 * np.cos(np.sqrt(5.0 / 0.2) * result.time)
    assert np.abs(result.values("hub.angle") - expected).max() < 1e-9
    assert np.allclose(result.values("k.torque"), -5.0 * (expected - 1.0), atol=1e-8)


def test_dry_friction_stops_a_sliding_block_in_the_expected_distance():
    """v' = -mu once the friction is fully developed: v0^2 / 2 mu, up to the regularisation."""
    friction = pl.JointFriction("mu", "slide", coulomb=4.0, speed=1e-3)
    result = block(forces=[friction], initial={"displacement_rate": 1.0}).simulate(1.0, rtol=1e-8)
    assert result.values("slide.displacement")[-1] == pytest.approx(1.0**2 / (2 * 2.0), abs=1e-3)
    assert abs(result.values("slide.displacement_rate")[-1]) < 1e-4
    assert result.values("mu.work")[-1] == pytest.approx(-1.0, abs=1e-6)


def test_viscous_friction_decays_exponentially():
    friction = pl.JointFriction("mu", "slide", viscous=3.0)
    result = block(forces=[friction], initial={"displacement_rate": 1.0}).simulate(1.0, **TIGHT)
    expected = np.exp(-1.5 * result.time)
    assert np.abs(result.values("slide.displacement_rate") - expected).max() < 1e-10


def test_body_fixed_force_turns_with_the_body():
    """A constant thrust on a disc spinning freely: the velocity of the centre is a circle."""
    w, F, m = 2.0, 3.0, 1.5
    system = pl.System(
        bodies=[pl.RigidBody("disc", m, inertia=(0.2, 0.2, 0.3))],
        joints=[Free("free", "ground", "disc", initial={"wz": w})],
        forces=[pl.Force("thrust", "disc", (F, 0, 0), axes="body")],
    )
    result = system.simulate(3.0, **TIGHT)
    t = result.time
    assert np.allclose(result.values("disc.velocity.x"), F / (m * w) * np.sin(w * t), atol=1e-9)
    assert np.allclose(
        result.values("disc.velocity.y"), F / (m * w) * (1 - np.cos(w * t)), atol=1e-9
    )


def test_torque_in_world_axes_changes_angular_momentum_at_its_own_rate():
    system = pl.System(
        bodies=[pl.RigidBody("body", 1.0, inertia=(0.1, 0.2, 0.25))],
        joints=[Spherical("ball", "ground", "body", initial={"wx": 3.0, "wy": 0.1})],
        forces=[pl.Torque("T", "body", (0.3, -0.2, "0.5*t"))],
    )
    result = system.simulate(2.0, **TIGHT)
    quat, w = result.values("body.orientation"), result.values("body.angular_velocity")
    momentum = np.array([rotation(q) @ np.diag([0.1, 0.2, 0.25]) @ rotation(q).T @ v
                         for q, v in zip(quat, w, strict=True)])  # fmt: skip
    t = result.time
    gained = np.column_stack([0.3 * t, -0.2 * t, 0.25 * t**2])
    assert np.allclose(momentum - momentum[0], gained, atol=1e-9)


def rotation(quat):
    from pliant.spatial.ops import NUMERIC
    from pliant.spatial.rotation import from_quaternion

    return from_quaternion(NUMERIC, quat)


def two_free_bodies(force):
    """Two bodies in free flight joined by one element; gravity is off."""
    rng = np.random.default_rng(4)
    start = {"wx": 2.0, "wy": -1.0, "wz": 0.5, "vx": 0.3}
    return pl.System(
        bodies=[
            pl.RigidBody(
                "a", 1.0, com=(0.1, 0, 0), inertia=(0.1, 0.2, 0.25), frames={"P": [0.2, 0.1, 0]}
            ),
            pl.RigidBody("b", 2.0, inertia=(0.3, 0.2, 0.25), frames={"P": [0, -0.1, 0.3]}),
        ],
        joints=[
            Free("fa", "ground", "a", initial=start),
            Free("fb", "ground", "b", initial={"x": 1.0, "wy": float(rng.uniform(1, 2))}),
        ],
        forces=[force],
    )


K = [[3, 0.2, 0, 0.5, 0, 0], [0.2, 2, 0, 0, 0, 0.1], [0, 0, 4, 0, 0, 0],
     [0.5, 0, 0, 20, 1, 0], [0, 0, 0, 1, 30, 0], [0, 0.1, 0, 0, 0, 25]]  # fmt: skip


@pytest.mark.parametrize(
    "force",
    [
        pl.Spring("s", "a.P", "b.P", stiffness=20.0, free_length=0.5),
        pl.Bushing("s", "a.P", "b.P", stiffness=K, preload=(0.1, 0, 0, 1, 0, 0)),
        pl.Bushing("s", "a.P", "b.P", stiffness=K, rotation="bryant123"),
    ],
    ids=["spring", "bushing", "bushing by angles"],
)
def test_undamped_elements_conserve_energy_and_momentum_at_large_rotations(force):
    result = two_free_bodies(force).simulate(2.0, **TIGHT)
    energy = result.values("energy")
    assert np.abs(energy - energy[0]).max() < 1e-9 * max(1.0, abs(energy[0]))
    linear, angular = momenta(result)
    assert np.abs(linear - linear[0]).max() < 1e-9
    assert np.abs(angular - angular[0]).max() < 1e-9


def momenta(result):
    bodies = (("a", 1.0, np.array([0.1, 0, 0]), np.diag([0.1, 0.2, 0.25])),
              ("b", 2.0, np.zeros(3), np.diag([0.3, 0.2, 0.25])))  # fmt: skip
    linear, angular = 0.0, 0.0
    for name, mass, com, inertia in bodies:
        R = np.array([rotation(q) for q in result.values(f"{name}.orientation")])
        w = result.values(f"{name}.angular_velocity")
        c = R @ com
        v = result.values(f"{name}.velocity") + np.cross(w, c)
        spin = np.einsum("kij,jl,kml,km->ki", R, inertia, R, w)
        linear = linear + mass * v
        angular = angular + np.cross(result.values(f"{name}.position") + c, mass * v) + spin
    return linear, angular


def test_damped_bushing_loses_exactly_the_work_it_does():
    D = {"rotational": [0.3, 0.2, 0.1], "translational": [1, 2, 3]}
    force = pl.Bushing("s", "a.P", "b.P", stiffness=K, damping=D)
    result = two_free_bodies(force).simulate(1.0, **TIGHT)
    change = result.values("kinetic_energy") - result.values("kinetic_energy")[0]
    assert np.abs(change - result.values("s.work")).max() < 1e-9
    assert result.values("energy")[-1] < result.values("energy")[0] - 0.1


def test_free_fall():
    system = pl.System(
        bodies=[
            pl.RigidBody.sphere(
                "ball", 0.1, mass=1.0, initial={"velocity": [1, 0, 2], "position": [0, 0, 5]}
            )
        ],
        gravity=(0, 0, -9.81),
    )
    result = system.simulate(1.0, **TIGHT)
    t = result.time
    assert np.allclose(result.values("ball.position.z"), 5 + 2 * t - 9.81 * t**2 / 2, atol=1e-11)
    assert np.allclose(result.values("ball.acceleration.z"), -9.81)


def test_controller_is_a_line():
    """PD control of an inverted pendulum settles at the set point."""
    system = pl.System(
        parameters={"kp": 60, "kd": 12},
        bodies=[pl.RigidBody.rod("arm", 1.0, mass=1.0)],
        joints=[Revolute("motor", "ground", "arm", axis="y", initial={"angle": 0.5})],
        forces=[
            pl.Actuator("pd", "motor", effort="-kp*(motor.angle + pi/2) - kd*motor.angle_rate")
        ],
        gravity=(0, 0, -9.81),
    )
    result = system.simulate(5.0, rtol=1e-9)
    assert result.values("motor.angle")[-1] == pytest.approx(-np.pi / 2, abs=1e-6)
    assert result.values("pd.torque")[0] == pytest.approx(-60 * (0.5 + np.pi / 2))


THROUGH_ZERO = """
pliant: 1
parameters: {L: 0, d: 0}
bodies: {b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}
joints:
  O: {prismatic: {axis: x}, between: [ground, b],
      initial: {displacement: 0, displacement_rate: 0.5}}
forces: {s: {spring: {stiffness: 10, free_length: %s, damping: %s}, between: [ground, b]}}
simulate: {t_end: 2, every: 0.05}
"""


@pytest.mark.parametrize("law", [("0", "0"), ("L", "d")], ids=["numbers", "parameters"])
@pytest.mark.parametrize("method", ["auto", "radau", "hht", "sparse-alpha", "sparse-conserving"])
def test_a_spring_without_free_length_swings_through_zero(method, law):
    """x = v/w sin w t, on every back end, from length 0, whether its zeros are parameters or not;
    the force is k|x|, and the rate of the length |v| where it is 0."""
    step = {} if method in ("auto", "radau") else {"step": 1e-3}
    system = pl.System.loads(THROUGH_ZERO % law)
    r = system.simulate(method=method, outputs=["O.displacement", "s"], **step)
    w = np.sqrt(10)
    exact = 0.5 / w * np.sin(w * r.time)
    error = 0.5 * r.time * w**2 * 1e-6 if step else 1e-5
    assert not r.failure
    assert (np.abs(r.values("O.displacement") - exact) <= error + 1e-15).all()
    assert np.abs(r.values("s.force") - 10 * np.abs(exact)).max() < 1e-4
    assert r.values("s.rate")[0] == pytest.approx(0.5)
    for given in ({"L": 0.1}, {"d": 0.1}) if law[0] == "L" else ():
        with pytest.raises(pl.PliantError, match=r"spring 's': its length is 0.*not defined"):
            system.simulate(method=method, params=given, **step)


@pytest.mark.parametrize("method", ["auto", "sparse"])
def test_rest_where_a_spring_has_no_length(method):
    system = pl.System.loads(THROUGH_ZERO % ("L", "d"))
    assert system.statics(method=method).values("O.displacement")[0] == 0.0
    with pytest.raises(pl.PliantError, match=r"spring 's': its length is 0.*not defined"):
        system.statics(method=method, params={"L": 0.1})
