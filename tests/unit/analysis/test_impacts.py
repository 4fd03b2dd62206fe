"""Velocities that constraints do not allow: impulses at the start and at restarts."""

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions.impact import Impulse
from pliant.errors import StartError

BRIEF = {"times": [0, 1e-3]}


def strict(system):
    return pl.System(system.model, settings=replace(system.model.settings, assemble="strict"))


def test_an_impulse_keeps_what_the_constraint_leaves_free():
    """Two masses in a row are tied: the momentum m1 v1 + m2 v2 is kept, the energy is not."""
    M, G = np.diag([3.0, 1.0]), np.array([[1.0, -1.0], [2.0, -2.0]])
    after = Impulse(M, (G, np.zeros(2))).after(np.array([1.0, -1.0]))
    assert np.allclose(after, [0.5, 0.5], atol=1e-14)


def test_speeds_without_mass_follow_those_with_mass():
    """The third speed is the difference of the first two, and is stopped."""
    M, G = np.diag([3.0, 1.0, 0.0]), np.array([[1.0, -1.0, -1.0], [0.0, 0.0, 1.0]])
    after = Impulse(M, (G, np.zeros(2))).after(np.array([1.0, -1.0, 2.0]))
    assert np.allclose(after, [0.5, 0.5, 0.0], atol=1e-14)


def test_an_impulse_is_right_for_masses_of_very_different_size():
    M, G = np.diag([1e12, 1.0]), np.array([[1.0, -1.0]])
    after = Impulse(M, (G, np.zeros(1))).after(np.array([0.0, 1.0]))
    assert np.allclose(after, 1e-12, rtol=1e-6)


R, OMEGA = 0.2, 6 * np.pi
ROLLING = f"""
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  disc:
    cylinder: {{radius: {R}, length: 0.02, mass: 12, axis: x}}
    initial:
      position: [1, 0, {R}]
      velocity: [0, {R * OMEGA}, 0]
      angular_velocity: [{-OMEGA}, 10, 0]
constraints:
  roll: {{rolling: {{radius: {R}, axis: x}}, between: [ground, disc]}}
"""


def test_a_wheel_that_slips_at_the_start_is_stopped_by_the_impulse_at_its_contact():
    """Across the rolling direction: m dv = L, J dw = r L, v = r w after. J = m (3 r² + h²)/12."""
    result = pl.loads(ROLLING).simulate(**BRIEF)
    ratio = (3 * R**2 + 0.02**2) / 12 / R**2  # J / m r²
    after = 10 * ratio / (1 + ratio)
    w, v = result.values("disc.angular_velocity")[0], result.values("disc.velocity")[0]
    assert np.allclose(w, [-OMEGA, after, 0], atol=1e-9)
    assert np.allclose(v, [R * after, R * OMEGA, 0], atol=1e-9)
    said = result.warnings[0]
    assert "disc.angular_velocity given [-18.8496, 10, 0] rad/s, taken [-18.8496, 2.0" in said
    assert "disc.velocity given" in said


def test_strict_assembly_refuses_velocities_that_contradict():
    with pytest.raises(StartError, match=r"disc\.velocity given") as caught:
        strict(pl.loads(ROLLING)).simulate(**BRIEF)
    assert caught.value.exit_code == 2


def bar(**joint):
    """A bar on a hinge whose velocity was given at its end, with a part along the bar."""
    return pl.System(
        bodies=[pl.RigidBody("bar", 2.0, com=(-0.5, 0, 0), inertia=(0.01, 0.2, 0.2),
                             frames={"o": [-1, 0, 0]},
                             initial={"velocity": [3, 2, 0], "angular_velocity": [0, 0, 4]})],
        joints=[pl.Revolute("J", "ground", "bar.o", axis="z", **joint)],
    )  # fmt: skip


@pytest.mark.parametrize("joint", [{}, {"cut": True}])
def test_what_is_given_of_a_body_is_changed_by_the_impulse_in_its_joint(joint):
    """The moment about the hinge is kept: (J + m c²) w = J w0 + m c v0 of the mass centre."""
    J, m, c = 0.2, 2.0, 0.5
    v0 = 2 - 4 * c  # across the bar, at the mass centre
    w = (J * 4 + m * c * v0) / (J + m * c**2)
    result = bar(**joint).simulate(**BRIEF)
    assert result.values("bar.angular_velocity")[0] == pytest.approx([0, 0, w], abs=1e-10)
    assert result.values("bar.velocity")[0] == pytest.approx([0, w, 0], abs=1e-10)


def test_the_impulse_is_the_same_where_a_joint_keeps_its_coordinate():
    spring = pl.JointSpring("s", "J", stiffness=1)
    plain = bar().simulate(**BRIEF).values("bar.angular_velocity")[0]
    sprung = pl.System(bar(cut=True).model, forces=[spring]).simulate(**BRIEF)
    assert np.abs(sprung.values("bar.angular_velocity")[0] - plain).max() < 1e-10


FLYING = """
pliant: 1
bodies:
  a: {box: {size: [1, 1, 1], mass: 10}, frames: {h: [0.5, 0, 0]}}
  b: {box: {size: [1, 1, 0.1], mass: 2, com: [0.5, 0, 0]}}
joints:
  J: {revolute: {axis: z}, between: [a.h, b], initial: {angle: -1, angle_rate: 0.5}}
forces: {s: {joint_spring: {stiffness: 3}, joint: J}}
stop: {hit: {when: J.angle, direction: rising}}
simulate: {t_end: 20, rtol: 1e-10}
"""


def momentum(result, k):
    """Linear momentum, and angular momentum about the origin (mass centres of a and b)."""
    p = L = 0.0
    for name, m, J, com in (("a", 10, 10 / 6, 0.0), ("b", 2, 2 / 6, 0.5)):
        w = result.values(f"{name}.angular_velocity")[k]
        at = result.values(f"{name}.position")[k]
        v = result.values(f"{name}.velocity")[k]
        c = at + _turned(result, name, k) @ [com, 0, 0]
        v = v + np.cross(w, c - at)
        p, L = p + m * v, L + m * np.cross(c, v) + J * w
    return np.concatenate([p, L])


def _turned(result, name, k):
    w, x, y, z = result.values(f"{name}.orientation")[k]
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 0],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 0], [0, 0, 1]])  # fmt: skip


def locked_variants(system):
    rest = {"forces": [], "events": []}
    return {
        "weld": pl.System(system.model, joints=[pl.Fixed("J", "a.h", "b")], **rest),
        "cut weld": pl.System(system.model, joints=[pl.Fixed("J", "a.h", "b", cut=True)], **rest),
        "driver": pl.System(system.model, drivers=[pl.JointDriver("lock", "J", motion=0)], **rest),
    }


@pytest.fixture(scope="module")
def whole_flight():
    system = pl.loads(FLYING)
    return system, system.simulate()


@pytest.mark.parametrize("how", ["weld", "cut weld", "driver"])
@pytest.mark.parametrize("formulation", ["recursive", "natural"])
def test_a_restart_into_a_locked_model_keeps_momentum_and_says_what_is_lost(
    whole_flight, how, formulation
):
    system, result = whole_flight
    changed = locked_variants(system)[how]
    after = changed.simulate(times=[result.time[-1], result.time[-1] + 0.01], start=result,
                             formulation=formulation)  # fmt: skip
    before = momentum(result, -1)
    assert np.abs(momentum(after, 0) - before).max() < 1e-9 * np.abs(before).max()
    w = after.values("a.angular_velocity")[0] - after.values("b.angular_velocity")[0]
    assert np.abs(w).max() < 1e-9
    lost = result.values("kinetic_energy")[-1] - after.values("kinetic_energy")[0]
    assert lost > 0.1
    assert f"{lost:.4g} J are lost" in after.warnings[0]


def test_a_restart_into_the_same_model_is_not_an_impact(whole_flight):
    system, result = whole_flight
    end = result.time[-1]
    again = system.simulate(times=[end, end + 0.01], start=result)
    assert again.warnings == ()
    assert np.abs(momentum(again, 0) - momentum(result, -1)).max() < 1e-12


def test_a_restart_where_a_joint_does_not_hold_is_refused(whole_flight):
    system, result = whole_flight
    moved = pl.System(system.model, joints=[pl.Fixed("J", "a", "b")], forces=[], events=[])
    with pytest.raises(StartError, match=r"'J' \(gap 0\.5 m\) of this model does not hold"):
        moved.simulate(t_end=25, start=result)


@pytest.mark.parametrize("cut", [None, True])
def test_a_restart_half_a_turn_off_is_refused(cut):
    """The residual of a weld is zero half a turn off, too."""
    rod = pl.RigidBody.rod("rod", 1.0, mass=1.0)
    turned = pl.System(bodies=[rod], joints=[pl.Revolute("J", "ground", "rod", axis="z",
                                                         initial={"angle": np.pi})])  # fmt: skip
    result = turned.simulate(**BRIEF)
    weld = pl.System(bodies=[rod], joints=[pl.Fixed("J", "ground", "rod", cut=cut)])
    with pytest.raises(StartError, match="half a turn off"):
        weld.simulate(t_end=1, start=result)


def test_a_restart_of_a_large_tree_with_a_joint_locked_is_an_impact():
    """Twelve bodies are a matter of the kernel for trees; the impulse is computed all the same."""

    def chain(last):
        bodies = [pl.RigidBody(f"b{i}", 1.0, inertia=(1, 1, 1), frames={"e": [1, 0, 0]})
                  for i in range(12)]  # fmt: skip
        joints = [pl.Revolute(f"J{i}", "ground" if i == 0 else f"b{i - 1}.e", f"b{i}", axis="z",
                              initial={"angle": -1e-4, "angle_rate": 1.0} if i == 11 else {})
                  for i in range(11 + last)]  # fmt: skip
        joints += [] if last else [pl.Fixed("J11", "b10.e", "b11")]
        return pl.System(bodies=bodies, joints=joints)

    result = chain(True).simulate(times=[0, 1e-4])
    assert result.info["kernel"] == "tree"
    after = chain(False).simulate(times=[1e-4, 2e-4], start=result)
    assert "'J11' of this model stop motion" in after.warnings[0]
    lost = result.values("kinetic_energy")[-1] - after.values("kinetic_energy")[0]
    assert lost > 0


def test_blocks_refuse_to_go_on_where_joints_do_not_fit(whole_flight):
    system, result = whole_flight
    weld = locked_variants(system)["weld"]
    with pytest.raises(StartError, match="do not fit the end of the earlier run"):
        weld.simulate(t_end=25, start=result, method="sparse-alpha")
