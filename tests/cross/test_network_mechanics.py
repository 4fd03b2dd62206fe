"""Networks coupled to mechanics: closed forms, and the same answer in every formulation."""

from pathlib import Path

import numpy as np
import pytest
from tests.models.agreement import of_formulations
from tests.models.meshing_gears import TEETH

import pliant as pl
from pliant.backends.tree.run import suitable

EXAMPLES = Path(__file__).parents[2] / "examples"
FORMULATIONS = ("recursive", "linear-graph", "multibond")

PENDULUM = """
pliant: 1
name: pendulum with a geared motor
gravity: [0, 0, -9.81]
parameters: {V: 12, R: 0.4, L: 0.05, k: 0.3, J: 0.002, d: 0.01, n: 10}
bodies:
  arm: {rigid: {mass: 2, com: [0.25, 0, 0], inertia: [0.01, 0.05, 0.05]}}
joints:
  O: {revolute: {axis: y}, between: [ground, arm], initial: {angle: 0.3, angle_rate: 1.7}}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: V, on: mesh}
      loss: {R: R, on: mesh}
      coil: {I: L, on: mesh, initial: 4}
      motor: {GY: k, from: mesh, to: rotor}
      rotor: {junction: 1, domain: rotation}
      inertia: {I: J, on: rotor}
      bearing: {R: d, on: rotor}
      gear: {TF: 1/n, from: rotor, to: axle}
      axle: {joint: O, coordinate: angle}
outputs: {current: drive.coil.flow}
events: {strong: {when: drive.coil.flow - 5}}
"""
ARM = 0.05 + 2 * 0.25**2


def at_start(system, **options):
    """Observables at t = 0, with the accelerations solved for there."""
    result = system.simulate(1e-6, every=1e-6, outputs=["*"], **options).require()
    return {name: series.values[0] for name, series in result.series.items()}


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize(("angle", "rate", "current"), [(0.3, 1.7, 4.0), (-1.1, -0.4, 20.0)])
def test_geared_motor_on_a_pendulum_accelerates_as_the_closed_form(
    formulation, angle, rate, current
):
    """(I + n² J) w' = n k i - n² d w + m g l cos a,  L i' = V - R i - n k w: equal to rounding."""
    text = PENDULUM.replace("angle: 0.3, angle_rate: 1.7", f"angle: {angle}, angle_rate: {rate}")
    text = text.replace("initial: 4", f"initial: {current}")
    seen = at_start(pl.System.loads(text), formulation=formulation)
    torque = 10 * 0.3 * current - 100 * 0.01 * rate
    spin = (torque + 2 * 9.81 * 0.25 * np.cos(angle)) / (ARM + 100 * 0.002)
    voltage = 12 - 0.4 * current - 10 * 0.3 * rate
    assert seen["arm.angular_acceleration"][1] == pytest.approx(spin, rel=1e-14)
    assert seen["drive.coil.effort"] == pytest.approx(voltage, rel=1e-14)
    assert seen["drive.inertia.effort"] == pytest.approx(0.002 * 10 * spin, rel=1e-13)
    assert seen["drive.power"] == pytest.approx((torque - 100 * 0.002 * spin) * rate, rel=1e-13)
    assert seen["current"] == current


def test_rotor_behind_the_gear_is_a_dependent_store_of_the_graph():
    """multibond: rows of the joint alone; flows of joint, body and rotor in u; the current in x."""
    e = pl.System.loads(PENDULUM).equations("multibond").equations
    assert (e.residual.numel(), e.u.numel(), e.cv.numel()) == (1, 8, 7)
    assert "drive.inertia.flow" in [s.name for s in e.layout.u]
    assert [s.name for s in e.layout.x] == ["drive.coil.flow"]


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_energy_of_the_drive_and_the_arm_is_the_work_of_supply_and_losses(formulation):
    result = pl.System.loads(PENDULUM).simulate(
        1.0, every=0.05, rtol=1e-10, formulation=formulation
    )
    stored = result.values("energy")
    parts = result.values("mechanical_energy") + result.values("drive.energy")
    assert np.abs(stored - parts).max() <= 1e-14 * np.abs(stored).max()
    work = {n: result.values(f"drive.{n}.work") for n in ("supply", "loss", "bearing")}
    given = work["supply"] - work["loss"] - work["bearing"]
    assert np.abs(stored - stored[0] - given).max() < 1e-7 * np.abs(work["supply"]).max()
    moved = result.values("mechanical_energy") - result.values("mechanical_energy")[0]
    assert np.abs(moved - result.values("drive.work")).max() < 1e-7 * np.abs(moved).max()


def test_events_and_outputs_read_networks():
    """The current passes 5 A where its samples, a millisecond apart, say so: to i'' h²/8."""
    result = pl.System.loads(PENDULUM).simulate(1.0, every=1e-3, rtol=1e-9)
    when = next(e.time for e in result.events if e.name == "strong")
    assert np.interp(when, result.time, result.values("current")) == pytest.approx(5.0, abs=2e-3)


FOUR_BAR = """
pliant: 1
name: four-bar with two drives
gravity: [0, 0, -9.81]
ground: {frames: {D: [1, 0, 0]}}
bodies:
  crank:
    rigid: {mass: 1, com: [0.15, 0, 0], inertia: [0.01, 0.02, 0.02]}
    frames: {A: [0.3, 0, 0]}
  coupler:
    rigid: {mass: 2, com: [0.45, 0, 0], inertia: [0.01, 0.2, 0.2]}
    frames: {C: [0.9, 0, 0]}
  rocker:
    rigid: {mass: 1.5, com: [0.3, 0, 0], inertia: [0.01, 0.1, 0.1]}
    frames: {C: [0.6, 0, 0]}
joints:
  O: {revolute: {axis: y}, between: [ground, crank], initial: {angle: -1, angle_rate: 2}}
  A: {revolute: {axis: y}, between: [crank.A, coupler]}
  C: {revolute: {axis: y}, between: [coupler.C, rocker.C], cut: true}
  D: {revolute: {axis: y}, between: [ground.D, rocker], guess: {angle: -1.5}}
networks:
  tree:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 10*cos(3*t), on: mesh}
      motor:
        part: dc-motor
        with: {R: 0.5, L: 0.02, k: 0.4, d: 0.1, J: 0.03}
        ports: {terminals: mesh, shaft: axle}
      axle: {joint: O}
  loop:
    domain: electrical
    elements:
      mesh: {junction: 1}
      short: {R: 0.2 + 0.1*sin(C.angle), on: mesh}
      brake:
        part: dc-motor
        with: {R: 0.5, L: 0.02, k: 0.4, J: 0.01}
        ports: {terminals: mesh, shaft: axle}
      axle: {joint: C}
  tie:
    domain: translation
    elements:
      a: {frame: crank.A}
      d: {frame: ground.D}
      across: {junction: 0, dim: 3}
      spring: {C: {stiffness: 300}, on: across, initial: [-0.1, 0, 0.2]}
      damper: {R: 5, on: across}
      lump: {I: 0.7, on: a}
    bonds: {b1: {from: a, to: across, dim: 3}, b2: {from: across, to: d, dim: 3}}
  rail:
    domain: translation
    elements:
      tip: {frame: coupler.C, direction: [0, 0.6, 0.8]}
      drag: {R: {effort: 3*f*abs(f)}, on: tip}
  wheel:
    domain: rotation
    elements:
      turn: {frame: coupler, rotation: true}
      drag: {R: [0.1, 0.2, 0.3], on: turn}
"""


BENDING = """
pliant: 1
name: network on a bending arm
gravity: [0, 0, -9.81]
bodies:
  a: {rigid: {mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.2, 0.3]}, frames: {t: [0.5, 0, 0.1]}}
  b:
    beam:
      {length: 1, stiffness: {EIy: 100, EIz: 150}, mass_per_length: 1,
       rotary: {rhoIy: 0.01, rhoIz: 0.02}}
    shapes: {bending_y: 1, bending_z: 1}
    damping: {modal: 0.01}
joints:
  C: {cylindrical: {axis: z}, between: [ground, a]}
  S: {spherical: {}, between: [a.t, b.root]}
networks:
  n:
    domain: translation
    elements:
      slide: {joint: C, coordinate: displacement}
      k: {C: {stiffness: 40}, on: slide}
      m: {I: 0.3, on: slide}
      tip: {frame: b.tip, direction: [0.6, 0, 0.8]}
      r: {R: 2, on: tip}
      mt: {I: 0.2, on: tip}
      spin: {joint: C, coordinate: angle}
      fly: {I: 0.05, on: spin}
      tor: {frame: b.tip, rotation: true}
      jr: {I: [0.01, 0.02, 0.03], on: tor}
"""


@pytest.mark.slow
@pytest.mark.parametrize("text", [FOUR_BAR, BENDING], ids=["four-bar", "bending"])
def test_attachments_of_every_kind_agree(text):
    """Tree joint, cut joint with a modulated resistance, frames in space, along a direction and in
    rotation, on rigid and flexible bodies; stores that move with the mechanics."""
    report = pl.System.loads(text).verify(pointwise=True, states=6)
    assert report.agree, str(report)
    assert not any(v.declined for v in of_formulations(report.verdicts))


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_mass_on_a_spring_of_bonds_swings_as_its_closed_form(formulation):
    """m x'' + d x' + k (x - x0) = m g on each axis; a third of the mass is a store at the frame."""
    text = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  ball:
    rigid: {mass: 2, inertia: [1, 1, 1]}
    initial: {position: [0.1, 0, 0], velocity: [0, 0.4, 0]}
networks:
  tie:
    domain: translation
    elements:
      end: {frame: ball}
      wall: {frame: ground}
      across: {junction: 0, dim: 3}
      stretch: {junction: 1, dim: 3}
      spring: {C: {stiffness: 90}, on: stretch, initial: [0.1, 0, 0]}
      damper: {R: 6, on: stretch}
      lump: {I: 1, on: end}
    bonds:
      b1: {from: end, to: across, dim: 3}
      b2: {from: across, to: wall, dim: 3}
      b3: {from: across, to: stretch, dim: 3}
"""
    result = pl.System.loads(text).simulate(2.0, every=0.04, rtol=1e-10, formulation=formulation)
    m, d, k, t = 3.0, 6.0, 90.0, result.time
    rate, w = d / (2 * m), np.sqrt(k / m - (d / (2 * m)) ** 2)
    decay = np.exp(-rate * t)
    swing, push = decay * (np.cos(w * t) + rate / w * np.sin(w * t)), decay * np.sin(w * t) / w
    sag = -2 * 9.81 / k
    exact = np.column_stack([0.1 * swing, 0.4 * push, sag * (1 - swing)])
    assert np.abs(result.values("ball.position") - exact).max() < 1e-9


def test_friction_of_a_joint_heats_its_bearing():
    """The heat C T is the work of the friction: the first law."""
    text = PENDULUM.replace(
        "outputs:",
        """  bearing:
    domain: thermal
    elements:
      steel: {junction: 0}
      friction: {Sf: 0.5*O.angle_rate**2, on: steel}
      heat: {C: 20, on: steel}
forces: {rub: {actuator: -0.5*O.angle_rate, joint: O}}
outputs:""",
    )
    system = pl.System.loads(text)
    result = system.simulate(1.0, every=0.05, rtol=1e-10)
    heat = result.values("bearing.heat.displacement")
    assert np.abs(heat + result.values("rub.work")).max() < 1e-8 * heat.max()
    assert system.verify(pointwise=True, states=4).agree


def test_a_controller_reads_a_current():
    """Torque k i by an actuator that reads the current of a network without an attachment, against
    the same motor as a gyrator (back-voltage by a source that reads the speed)."""
    apart = (
        PENDULUM[: PENDULUM.index("networks:")]
        + """
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: V - n*k*O.angle_rate, on: mesh}
      loss: {R: R, on: mesh}
      coil: {I: L, on: mesh, initial: 4}
forces: {torque: {actuator: n*k*drive.coil.flow - n**2*d*O.angle_rate, joint: O}}
"""
    )
    whole = pl.System.loads(PENDULUM.replace("J: 0.002", "J: 0"))
    apart = pl.System.loads(apart)
    one, other = (s.simulate(1.0, every=0.05, rtol=1e-10) for s in (whole, apart))
    for name in ("O.angle", "drive.coil.flow"):
        assert np.abs(one.values(name) - other.values(name)).max() < 1e-8
    report = apart.verify(pointwise=True, states=4)
    assert report.agree, str(report)


def test_a_motor_on_a_driven_joint_shows_its_torque():
    """A driver turns the arm at 2 rad/s: the driving torque is what arm and drive resist."""
    text = PENDULUM.replace("angle_rate: 1.7", "angle_rate: 2") + (
        "drivers: {spin: {joint: O, angle: 0.3 + 2*t}}\n"
    )
    for formulation in FORMULATIONS:
        seen = at_start(pl.System.loads(text), formulation=formulation)
        held = -(10 * 0.3 * 4 - 100 * 0.01 * 2 + 2 * 9.81 * 0.25 * np.cos(0.3))
        assert seen["spin.torque"] == pytest.approx(held, rel=1e-12)


def test_large_trees_with_networks_are_left_to_expressions():
    bodies = [pl.RigidBody(f"b{k}", mass=1, inertia=[0.1, 0.1, 0.1]) for k in range(12)]
    joints = [
        pl.Revolute(f"j{k}", f"b{k - 1}" if k else "ground", f"b{k}", axis="y") for k in range(12)
    ]
    brake = pl.Network(
        "brake", {"axle": {"joint": "j3"}, "drag": {"R": 0.2, "on": "axle"}}, domain="rotation"
    )
    system = pl.System(bodies=bodies, joints=joints, networks=[brake])
    assert suitable(system) == "network 'brake' needs expressions of the whole system"
    assert system.simulate(0.01).completed


DIFFERENTIAL = (
    PENDULUM[: PENDULUM.index("networks:")]
    + """
networks:
  axle:
    domain: rotation
    elements:
      case: {joint: O}
      left: {junction: 1}
      right: {junction: 1}
      wheels: {junction: 0}
      a: {I: 0.1, on: left, initial: 3}
      b: {I: 0.2, on: right}
      rub: {R: 0.3, on: right}
    bonds:
      b1: {from: left, to: wheels}
      b2: {from: right, to: wheels}
      b3: {from: wheels, to: case}
"""
)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_wheels_on_a_differential_share_the_motion_of_the_joint(formulation):
    """w_a + w_b = w:  a w_a' = T,  b w_b' = T - d w_b,  I w' = m g l cos - T, T on all three."""
    seen = at_start(pl.System.loads(DIFFERENTIAL), formulation=formulation)
    w, w_a = 1.7, 3.0
    w_b = w - w_a
    weight = 2 * 9.81 * 0.25 * np.cos(0.3)
    # unknowns w', w_a', w_b', T: torque that the wheels take from the joint
    matrix = [[ARM, 0, 0, 1], [0, 0.1, 0, -1], [0, 0, 0.2, -1], [1, -1, -1, 0]]
    spin, spin_a, spin_b, torque = np.linalg.solve(matrix, [weight, 0, -0.3 * w_b, 0])
    assert seen["arm.angular_acceleration"][1] == pytest.approx(spin, rel=1e-13)
    assert seen["axle.a.effort"] == pytest.approx(0.1 * spin_a, rel=1e-13)
    assert seen["axle.b.effort"] == pytest.approx(0.2 * spin_b, rel=1e-13)
    assert seen["axle.b.flow"] == pytest.approx(w_b, rel=1e-13)
    assert seen["axle.power"] == pytest.approx(-torque * w, rel=1e-13)


def test_momenta_of_wheels_are_states_in_every_formulation():
    system = pl.System.loads(DIFFERENTIAL)
    report = system.verify(pointwise=True, states=5)
    assert report.agree, str(report)
    result = system.simulate(1.0, every=0.05, rtol=1e-10)
    stored = result.values("energy")
    lost = result.values("axle.rub.work")
    assert np.abs(stored - stored[0] + lost).max() < 1e-8 * np.abs(lost).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_stalled_motor_holds_the_arm(formulation):
    """Statics: i = V/R, and n k i balances the weight."""
    system = pl.System.loads(PENDULUM.replace("V: 12", "V: 0.3"))
    result = system.statics(formulation=formulation)
    assert result.values("current")[0] == pytest.approx(0.3 / 0.4, rel=1e-12)
    lifted = -10 * 0.3 * 0.75 / (2 * 9.81 * 0.25)
    assert np.cos(result.values("O.angle")[0]) == pytest.approx(lifted, rel=1e-11)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_modes_of_arm_and_motor_are_those_of_their_state_matrix(formulation):
    """J w' = -m g l sin a δa - n² d w + n k i,  L i' = -R i - n k w about the stalled position."""
    system = pl.System.loads(PENDULUM.replace("V: 12", "V: 0.3"))
    modes = system.modes(at="equilibrium", formulation=formulation)
    lift = np.sqrt((2 * 9.81 * 0.25) ** 2 - (10 * 0.3 * 0.75) ** 2)
    J = ARM + 100 * 0.002
    A = [[0, 1, 0], [-lift / J, -100 * 0.01 / J, 3 / J], [0, -3 / 0.05, -0.4 / 0.05]]
    exact = np.linalg.eigvals(A)
    exact = exact[exact.imag >= 0]
    found = modes.eigenvalues
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(exact), rel=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_constraintor_holds_two_joints_together(formulation):
    """w_b = -w_a/2: (I_a + I_b/4) w_a' = -m g l/2 at the start, T_b = 2 T_a at the teeth."""
    seen = at_start(pl.System.loads(TEETH), formulation=formulation)
    weight = 2 * 9.81 * 0.1
    large = 0.5 + 2 * 0.1**2
    spin = -0.5 * weight / (0.2 + large / 4)
    assert seen["b.angle_rate"] == pytest.approx(-1.5, rel=1e-14)
    assert seen["small.angular_acceleration"][1] == pytest.approx(spin, rel=1e-13)
    assert seen["large.angular_acceleration"][1] == pytest.approx(-spin / 2, rel=1e-13)
    assert abs(seen["teeth.contact.effort"]) == pytest.approx(abs(0.2 * spin / 0.5), rel=1e-12)
    assert seen["teeth.power"] == pytest.approx(0.0, abs=1e-12)


def test_a_constraintor_agrees_and_holds_in_a_run():
    system = pl.System.loads(TEETH)
    report = system.verify(pointwise=True, states=4)
    assert report.agree, str(report)
    for method in ("dop853", "radau"):
        result = system.simulate(1.0, every=0.05, rtol=1e-9, method=method)
        turned = result.values("b.angle_rate") + result.values("a.angle_rate") / 2
        assert np.abs(turned).max() < 1e-10
        energy = result.values("energy")
        assert np.abs(energy - energy[0]).max() < 1e-6 * np.abs(energy).max()


@pytest.mark.slow
def test_hydraulic_crane_lifts_its_load():
    system = pl.load(EXAMPLES / "hydraulic_crane.yaml")
    result = system.simulate().require()
    start, end = result.values("stroke.displacement")[[0, -1]]
    assert end - start == pytest.approx(0.25, abs=2e-3)
    bottom, top = (result.values(f"oil.cylinder.oil_{side}.effort") for side in "AB")
    force = 5e-3 * bottom - 3.4e-3 * top
    rate = result.values("stroke.displacement_rate")
    assert np.abs(result.values("oil.power") - force * rate).max() < 1e-9 * np.abs(force).max()
    report = system.verify(pointwise=True, states=4)
    assert report.agree, str(report)
