"""What a model allows but seldom means: angles of many turns without a unit."""

import pytest

import pliant as pl

MODEL = """
pliant: 1
parameters: {{a0: 90, a1: 90 deg}}
ground: {{frames: {{G: {{at: [0, 0, 0], orientation: {{axis: z, angle: {frame}}}}}}}}}
bodies:
  a: {{rod: {{length: 1, mass: 1}}, initial: {{orientation: {{axis: z, angle: {pose}}}}}}}
  b: {{rod: {{length: 1, mass: 1}}}}
joints:
  J: {{spherical: {{}}, between: [ground.G, a]}}
  K: {{revolute: {{axis: z}}, between: [ground, b],
       initial: {{angle: {angle}, angle_rate: 90}}, guess: {{angle: {guess}}}}}
forces: {{s: {{joint_spring: {{stiffness: 1, free: {free}}}, joint: K}}}}
"""
NONE = {"frame": 0, "pose": 0, "angle": 0, "guess": 0, "free": 0}
WHO = {"frame": "ground", "pose": "body 'a'", "angle": "joint 'K'", "guess": "joint 'K'",
       "free": "force 's'"}  # fmt: skip


@pytest.mark.parametrize("place", list(NONE))
@pytest.mark.parametrize("value", ["90", "-45", "a0"])
def test_a_plain_number_of_more_than_two_turns_is_remarked_on(place, value):
    (said,) = pl.loads(MODEL.format(**NONE | {place: value})).doubts()
    number = {"a0": "90"}.get(value, value)
    assert said.startswith(WHO[place])
    assert f"is {number} rad, more than two turns; write {number} deg" in said


@pytest.mark.parametrize("value", ["90 deg", "a1", "90 rad", "12.5", "30*pi"])
def test_angles_with_a_unit_and_small_or_computed_ones_are_not(value):
    assert pl.loads(MODEL.format(**dict.fromkeys(NONE, value))).doubts() == ()


def test_a_constant_driver_is_an_angle_or_a_displacement_as_its_joint_says():
    def driven(kind):
        return pl.System(bodies=[pl.RigidBody.rod("b", 1.0, mass=1.0)],
                         joints=[kind("J", "ground", "b", axis="z")],
                         drivers=[pl.JointDriver("d", "J", motion=90)])  # fmt: skip

    assert driven(pl.Prismatic).doubts() == ()
    system = driven(pl.Revolute)
    assert "driver 'd': motion is 90 rad" in system.doubts()[0]
    assert system.check().remarks == system.doubts()
    assert system.kinematics(times=[0, 1]).warnings == system.doubts()
    assert system.statics().warnings == system.doubts()
    assert system.simulate(times=[0, 1e-3]).warnings == system.doubts()


def test_negative_damping_is_said_in_check_and_run():
    damper = pl.JointSpring("s", "J", damping=-1)
    system = pl.System(bodies=[pl.RigidBody.rod("b", 1.0, mass=1.0)], forces=[damper],
                       joints=[pl.Revolute("J", "ground", "b", axis="z")])  # fmt: skip
    assert "damping is negative" in system.check().remarks[0]
    assert "damping is negative" in system.simulate(times=[0, 1e-3]).warnings[0]


def test_parameters_of_networks_are_read_once_however_many_elements(monkeypatch):
    """400 cells took seconds to load when every element asked for all of them."""
    from pliant.model.networks import network

    calls = []
    inner = network.structural
    monkeypatch.setattr(network, "structural", lambda *a: calls.append(1) or inner(*a))
    counts = []
    for n in (3, 30):
        elements = "".join(f"      z{i}: {{junction: 0}}\n      c{i}: {{C: 1, on: z{i}}}\n"
                           f"      r{i}: {{R: 2, on: z{i}}}\n" for i in range(n))  # fmt: skip
        calls.clear()
        pl.loads(f"pliant: 1\nnetworks:\n  n:\n    domain: thermal\n    elements:\n{elements}")
        counts.append(len(calls))
    assert counts[0] == counts[1] > 0


def test_tables_of_many_flexible_bodies_are_made_once(monkeypatch):
    from pliant.mechanics.values import Values

    made = []
    inner = Values._made
    monkeypatch.setattr(Values, "_made", lambda *a: made.append(a[1]) or inner(*a))
    beam = "{length: 1, mass_per_length: 1, stiffness: {EIy: 1}, rotary: {rhoIy: 1, rhoIz: 1}}"
    own = f"{{beam: {beam}, shapes: {{bending_z: 1}}}}"
    beams = "".join(f"  b{i}: {own}\n" for i in range(70))
    model = pl.loads(f"pliant: 1\nbodies:\n{beams}").model
    for _ in range(2):
        for name in model.bodies:
            Values.of(model).tables(name)
    assert len(made) == 70
