"""What networks hold of a mechanism: gears between joints, given flows, ratios that vary."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import pliant as pl
from pliant.errors import ModelError

J_A, J_B = 0.5 * 4 * 0.1**2, 0.5 * 3 * 0.15**2
"""Of a cylinder of 4 kg and one of 3 kg about their axes."""


def shafts(elements, bonds=None, initial=None, **more):
    """Two shafts a and b on bearings A and B, and a network on both."""
    bodies = [pl.RigidBody.cylinder("a", 0.1, 0.1, mass=4, axis="z"),
              pl.RigidBody.cylinder("b", 0.15, 0.1, mass=3, axis="z")]  # fmt: skip
    joints = [pl.Revolute("A", "ground", "a", axis="z", initial=initial or {}),
              pl.Revolute("B", "ground", "b", axis="z")]  # fmt: skip
    own = {"sa": {"joint": "A"}, "sb": {"joint": "B"}} | elements
    network = pl.Network("n", own, domain="rotation", bonds=bonds or {})
    return pl.System(bodies=bodies, joints=joints, networks=[network], **more)


def test_a_gear_between_two_joints_in_every_formulation():
    """J w' = T(t) - d i² w with J = J_A + i² J_B; the effort of the gear is what b takes."""
    i, d = 2.0, 0.02
    system = shafts({
        "gear": {"TF": "i", "from": "sa", "to": "sb"}, "drag": {"R": "d", "on": "sb"},
        "drive": {"Se": "0.3*cos(t)", "on": "sa"},
    }, initial={"angle_rate": 3}, parameters={"i": i, "d": d})  # fmt: skip
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(4, every=0.1, rtol=1e-10).require()
    t, J = result.time, J_A + i**2 * J_B
    r = d * i**2 / J
    part = 0.3 / J * (r * np.cos(t) + np.sin(t)) / (r**2 + 1)
    w = part + (3 - part[0]) * np.exp(-r * t)
    assert result.values("A.angle_rate") == pytest.approx(w, abs=1e-7)
    assert result.values("B.angle_rate") == pytest.approx(i * w, abs=1e-7)
    taken = J_B * i * (0.3 * np.cos(t) - d * i**2 * w) / J + d * i * w
    assert result.values("n.gear.effort") == pytest.approx(taken, abs=1e-8)
    assert abs(system.power_audit(result).residual) < 1e-8
    other = system.simulate(4, every=0.1, params={"i": 3.0}).require()
    ratio = other.values("B.angle_rate") / other.values("A.angle_rate")
    assert ratio == pytest.approx(np.full(len(t), 3.0), rel=1e-9)


def test_a_given_flow_moves_a_joint():
    """w = 3 sin t; the source gives the torque J_A w' + d w, and its work is what the rotor has."""
    elements = {"drive": {"Sf": "3*sin(t)", "on": "sa"}, "loss": {"R": 0.05, "on": "sa"},
                "drag": {"R": 0.02, "on": "sb"}}  # fmt: skip
    system = shafts(elements)
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(4, every=0.1, rtol=1e-9).require()
    t = result.time
    assert result.values("A.angle_rate") == pytest.approx(3 * np.sin(t), abs=1e-9)
    assert result.values("A.angle") == pytest.approx(3 - 3 * np.cos(t), abs=1e-7)
    torque = 3 * J_A * np.cos(t) + 0.05 * 3 * np.sin(t)
    assert result.values("n.drive.effort") == pytest.approx(torque, abs=1e-10)
    assert abs(system.power_audit(result).residual) < 1e-8


@pytest.mark.parametrize("ratio", ["1 + 0.5*sin(A.angle)", "0.8*sin(A.angle)"])
def test_a_ratio_that_varies_keeps_the_energy(ratio):
    """(J_A + i(A)² J_B) A'² is constant, also where the ratio passes through zero."""
    elements = {"cvt": {"MTF": ratio, "from": "sa", "to": "sb"}}
    system = shafts(elements, initial={"angle_rate": 3})
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(4, every=0.1, rtol=1e-10).require()
    angle, rate = result.values("A.angle"), result.values("A.angle_rate")
    i = eval(ratio.replace("A.angle", "angle"), {"sin": np.sin, "angle": angle})
    i0 = eval(ratio.replace("A.angle", "0.0"), {"sin": np.sin})
    assert angle[-1] > 2 * np.pi
    assert result.values("B.angle_rate") == pytest.approx(i * rate, abs=1e-9)
    energy = (J_A + i**2 * J_B) * rate**2
    assert energy == pytest.approx(np.full(len(angle), (J_A + i0**2 * J_B) * 9), rel=1e-7)


def test_ratios_of_both_sides_meet_at_a_flow_in_between():
    """2 A' = 3 B' over a shaft with a rotor of its own: J_A + (4/9) J_B + 4 J_r on the first."""
    elements = {
        "mid": {"junction": 1}, "up": {"TF": 2, "from": "sa", "to": "mid"},
        "down": {"TF": 3, "from": "sb", "to": "mid"}, "rotor": {"I": 0.01, "on": "mid"},
        "drive": {"Se": 0.3, "on": "sa"},
    }  # fmt: skip
    result = shafts(elements).simulate(2, every=0.5, rtol=1e-9).require()
    w = 0.3 * result.time / (J_A + J_B * 4 / 9 + 4 * 0.01)
    assert result.values("A.angle_rate") == pytest.approx(w, abs=1e-9)
    assert result.values("n.rotor.flow") == pytest.approx(2 * w, abs=1e-9)


def test_shafts_on_one_flow_turn_together():
    elements, bonds = {"drive": {"Se": 0.3, "on": "sa"}}, {"ab": {"from": "sa", "to": "sb"}}
    result = shafts(elements, bonds).simulate(2, every=0.5, rtol=1e-9).require()
    w = 0.3 * result.time / (J_A + J_B)
    assert result.values("B.angle_rate") == pytest.approx(w, abs=1e-9)
    assert result.values("n.ab.effort") == pytest.approx(np.full(5, J_B * 0.3 / (J_A + J_B)))


def planetary():
    """Sun of 20 teeth, ring of 60: 20 s + 60 r = 80 c, drawn as flows into one effort."""
    bodies = [pl.RigidBody.cylinder(n, 0.1, 0.1, mass=m, axis="z")
              for n, m in (("sun", 1), ("ring", 4), ("carrier", 2))]  # fmt: skip
    joints = [pl.Revolute(n[0].upper(), "ground", n, axis="z") for n in ("sun", "ring", "carrier")]
    elements = {
        "s": {"joint": "S"}, "r": {"joint": "R"}, "c": {"joint": "C"}, "teeth": {"junction": 0},
        "zs": {"TF": 20, "from": "s", "to": "teeth"}, "zr": {"TF": 60, "from": "r", "to": "teeth"},
        "zc": {"TF": -80, "from": "c", "to": "teeth"}, "drive": {"Se": 0.1, "on": "s"},
    }  # fmt: skip
    return pl.System(bodies=bodies, joints=joints,
                     networks=[pl.Network("n", elements, domain="rotation")])  # fmt: skip


def test_flows_of_three_joints_sum_to_zero():
    """J w' = T + λ z of each: λ from 20 s' + 60 r' - 80 c' = 0."""
    system = planetary()
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(1, every=0.5, rtol=1e-9).require()
    J, z = np.array([0.005, 0.02, 0.01]), np.array([20, 60, -80.0])
    lam = -z @ (np.array([0.1, 0, 0]) / J) / (z @ (z / J))
    rates = (np.array([0.1, 0, 0]) + lam * z) / J
    for name, rate in zip("SRC", rates, strict=True):
        assert result.values(f"{name}.angle_rate") == pytest.approx(rate * result.time, abs=1e-9)


PRESS = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {ram: {point: 50 kg}}
joints: {slide: {prismatic: {axis: z}, between: [ground, ram]}}
networks:
  oil:
    domain: hydraulic
    parameters: {Q: 0.1 L/s, A: 20 cm^2}
    elements:
      line: {junction: 1}
      pump: {Sf: "Q*smoothstep(t, 0, 1)", on: line}
      pipe: {R: 1e8, on: line}
      cylinder: {TF: 1/A, from: line, to: ram}
      ram: {joint: slide}
simulate: {t_end: 2, every: 0.25, rtol: 1e-9}
"""


def test_a_pump_moves_a_press_through_a_rigid_cylinder():
    """x' = Q / A; the pressure carries weight and inertia, the pump also the pipe."""
    system = pl.System.loads(PRESS)
    result = system.simulate().require()
    Q, A = 1e-4, 20e-4
    t = np.clip(result.time, 0, 1)
    speed, rise = t**3 * (10 - 15 * t + 6 * t**2), 30 * t**2 * (1 - t) ** 2
    assert result.values("slide.displacement_rate") == pytest.approx(Q / A * speed, abs=1e-9)
    force = 50 * (9.81 + Q / A * rise)
    pressure = force / A + 1e8 * Q * speed
    assert result.values("oil.pump.effort") == pytest.approx(pressure, rel=1e-8)
    assert system.verify(pointwise=True, states=3).agree


def test_the_velocity_of_a_frame_is_given_by_components():
    """A free body of 2 kg whose centre runs in a circle: force m a, orientation free."""
    elements = {"c": {"frame": "it"}, "carry": {"Sf": ["-sin(t)", "cos(t)", 0], "on": "c"}}
    start = {"velocity": [0, 1, 0], "angular_velocity": [0.3, 2, 0.1]}
    body = pl.RigidBody("it", 2, inertia=(0.1, 0.2, 0.3), initial=start)
    system = pl.System(bodies=[body], networks=[pl.Network("n", elements)])
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(2, every=0.1, rtol=1e-9).require()
    t = result.time
    force = np.stack([-2 * np.cos(t), -2 * np.sin(t), 0 * t], axis=1)
    assert result.values("n.carry.effort") == pytest.approx(force, abs=1e-8)
    spin = solve_ivp(lambda _, w: [(0.2 - 0.3) * w[1] * w[2] / 0.1, (0.3 - 0.1) * w[2] * w[0] / 0.2,
                                   (0.1 - 0.2) * w[0] * w[1] / 0.3],
                     (0, 2), [0.3, 2, 0.1], rtol=1e-11, atol=1e-12).y[:, -1]  # fmt: skip
    kinetic = 0.5 * (np.array([0.1, 0.2, 0.3]) @ spin**2 + 2)
    assert result.values("kinetic_energy")[-1] == pytest.approx(kinetic, rel=1e-8)


ARM = """
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  upper: {rod: {length: 1, mass: 2}, frames: {tip: [1, 0, 0]}}
  lower: {rod: {length: 0.5, mass: 1}}
joints:
  S: {revolute: {axis: z}, between: [ground, upper]}
  E: {revolute: {axis: z}, between: [upper.tip, lower], initial: {angle_rate: 0.5}}
simulate: {t_end: 2, every: 0.25, rtol: 1e-10}
"""
FLOWS = """
networks:
  given:
    domain: rotation
    elements:
      shoulder: {joint: S}
      elbow: {joint: E}
      s: {Sf: sin(t), on: shoulder}
      e: {Sf: 0.5*cos(2*t), on: elbow}
"""
DRIVERS = """
drivers:
  s: {velocity: sin(t), joint: S}
  e: {velocity: 0.5*cos(2*t), joint: E}
"""


def test_efforts_of_given_flows_are_inverse_dynamics():
    """Torques that move an arm as given: those of drivers, and M q'' + c + g of the books."""
    result = pl.loads(ARM + FLOWS).simulate().require()
    driven = pl.loads(ARM + DRIVERS).simulate().require()
    t, a, b = result.time, result.values("S.angle"), result.values("E.angle")
    da, db, dda, ddb = np.sin(t), 0.5 * np.cos(2 * t), np.cos(t), -np.sin(2 * t)
    shoulder = ((7 / 4 + np.cos(b) / 2) * dda + (1 / 12 + np.cos(b) / 4) * ddb
                - np.sin(b) / 4 * (db**2 + 2 * da * db) + 19.62 * np.cos(a)
                + 2.4525 * np.cos(a + b))  # fmt: skip
    elbow = ((1 / 12 + np.cos(b) / 4) * dda + ddb / 12 + np.sin(b) / 4 * da**2
             + 2.4525 * np.cos(a + b))  # fmt: skip
    for name, exact in (("s", shoulder), ("e", elbow)):
        assert result.values(f"given.{name}.effort") == pytest.approx(exact, abs=1e-8)
        assert driven.values(f"{name}.torque") == pytest.approx(exact, abs=1e-7)


def test_derivative_causality_writes_down_what_moves_the_stores():
    """F = (m + 9 m_2) f' + 9 r f with f = sin 2t, through a lever of 3."""
    elements = {
        "a": {"junction": 1}, "b": {"junction": 1}, "given": {"Sf": "sin(2*t)", "on": "a"},
        "m": {"I": 2, "on": "a"}, "lever": {"TF": 3, "from": "a", "to": "b"},
        "far": {"I": 0.5, "on": "b"}, "r": {"R": 4, "on": "b"},
    }  # fmt: skip
    system = pl.System(networks=[pl.Network("n", elements, domain="translation")])
    written = system.equations().text()
    assert "n.given.effort = 72*sin(t)*cos(t) + 13*cos(2*t)" in written
    result = system.simulate(2, every=0.5).require()
    exact = 36 * np.sin(2 * result.time) + 13 * np.cos(2 * result.time)
    assert result.values("n.given.effort") == pytest.approx(exact, rel=1e-9)


def test_a_gear_balances_torques_at_rest():
    """1 N m on the fast shaft is 2 N m on the slow one, against a spring of 4 N m/rad."""
    elements = {"gear": {"TF": 2, "from": "sa", "to": "sb"}, "push": {"Se": 1, "on": "sb"}}
    spring = pl.JointSpring("k", "A", stiffness=4)
    found = shafts(elements, forces=[spring]).statics()
    assert found.values("A.angle")[-1] == pytest.approx(0.5, rel=1e-9)
    assert found.values("B.angle")[-1] == pytest.approx(1.0, rel=1e-9)


@pytest.mark.parametrize(
    ("elements", "words"),
    [
        ({"gear": {"TF": 0, "from": "sa", "to": "sb"}}, "'n.gear': its ratio is 0"),
        ({"gear": {"TF": "i", "from": "sa", "to": "sb"}}, "'n.gear': its ratio is 0"),
        ({"one": {"Sf": 1, "on": "sa"}, "two": {"Sf": 2, "on": "sa"}}, "Sf n.one and Sf n.two"),
        ({"feed": {"Sf": "2*B.angle_rate", "on": "sa"}}, "'n.feed'.*reads 'B.angle_rate'"),
        ({"feed": {"Sf": "2*drag.flow", "on": "sa"}}, "'n.feed'.*reads 'n.drag.flow'"),
        ({"gear": {"MTF": "1 + A.angle_rate", "from": "sa", "to": "sb"}}, "reads 'A.angle_rate'"),
    ],
)  # fmt: skip
def test_what_cannot_be_held_is_refused(elements, words):
    own = {"drag": {"R": 0.1, "on": "sb"}, "loss": {"R": 0.1, "on": "sa"}} | elements

    def run():
        return shafts(own, parameters={"i": 0}).simulate(1)

    with pytest.raises(ModelError, match=words):
        run()


FOUR_BAR = """
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {rod: {length: 0.3, mass: 1}, frames: {tip: [0.3, 0, 0]}}
  coupler: {rod: {length: 0.8, mass: 2}, frames: {tip: [0.8, 0, 0]}}
  rocker: {rod: {length: 0.6, mass: 1.5}, frames: {tip: [0.6, 0, 0]}}
  wheel: {cylinder: {radius: 0.1, length: 0.1, mass: 3, axis: z}}
ground: {frames: {pivot: [0.9, 0, 0]}}
joints:
  O: {revolute: {axis: z}, between: [ground, crank], initial: {angle: 1, angle_rate: 2}}
  A: {revolute: {axis: z}, between: [crank.tip, coupler]}
  B: {revolute: {axis: z}, between: [coupler.tip, rocker.tip]}
  P: {revolute: {axis: z}, between: [ground.pivot, rocker]}
  W: {revolute: {axis: z}, between: [ground, wheel]}
networks:
  n:
    domain: rotation
    elements:
      crank: {joint: O}
      wheel: {joint: W}
      gear: {TF: -3, from: crank, to: wheel}
"""


def test_a_gear_on_a_closed_loop_in_every_formulation():
    system = pl.loads(FOUR_BAR)
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(1, every=0.1, rtol=1e-9).require()
    ratio = result.values("W.angle_rate") / result.values("O.angle_rate")
    assert ratio == pytest.approx(np.full(11, -3.0), rel=1e-8)
    assert np.ptp(result.values("energy")) < 1e-7


@pytest.mark.parametrize("formulation", ["recursive", "natural", "multibond"])
def test_multipliers_act_as_the_rows_they_belong_to(formulation):
    """∂residual/∂λ = -Gᵀ for what networks hold, as methods that solve for both at once need."""
    system = shafts({"gear": {"TF": 2, "from": "sa", "to": "sb"}})
    e = system.equations(formulation).equations
    W, G = e.ops.jacobian(e.residual, e.lam), e.ops.jacobian(e.cv, e.u)
    k = next(k for k, row in enumerate(e.layout.rows) if row.name == "n.gear.lam")
    rows = range(e.u.numel())
    found = [(W[i, k], -G[k, i]) for i in rows]
    assert all(one == other for one, other in found)
    assert any(one != 0 for one, _ in found)


def test_a_ratio_may_read_a_state_of_the_network():
    """i = 1 + q, q' = 0.1: the start meets it, random states of verify do."""
    elements = {
        "cvt": {"MTF": "1 + q.displacement", "from": "sa", "to": "sb"},
        "o": {"junction": 1}, "q": {"C": 1, "on": "o", "initial": 0.5},
        "feed": {"Sf": 0.1, "on": "o"},
    }  # fmt: skip
    system = shafts(elements, initial={"angle_rate": 3})
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(2, every=0.5, rtol=1e-10).require()
    ratio = result.values("B.angle_rate") / result.values("A.angle_rate")
    assert ratio == pytest.approx(1.5 + 0.1 * result.time, rel=1e-9)
