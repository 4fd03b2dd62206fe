"""Networks without mechanics, from model files, against closed forms, in every formulation."""

import numpy as np
import pytest
from tests.models.agreement import of_formulations

import pliant as pl
from pliant.errors import CapabilityError, ModelError

FORMULATIONS = ("recursive", "linear-graph", "multibond")
RTOL = 1e-10


def run(system, t_end, **options):
    how = {"every": t_end / 50, "rtol": RTOL, "atol": 1e-12, "method": "dop853", **options}
    return system.simulate(t_end, **how).require()


def response(A, b, x0, times):
    """x' = A x + b by eigenvalues: the exact solution of a linear network."""
    rest = -np.linalg.solve(A, b)
    values, vectors = np.linalg.eig(np.asarray(A, dtype=float))
    share = np.linalg.solve(vectors, np.asarray(x0, dtype=float) - rest)
    return rest + np.real(np.exp(np.outer(times, values)) * share @ vectors.T)


def off(result, name, expected):
    """Largest difference over the largest value."""
    return np.abs(result.values(name) - expected).max() / np.abs(expected).max()


RLC = """
pliant: 1
name: series RLC
parameters: {E: 5, R: 3, L: 0.2, C: 0.01}
networks:
  circuit:
    domain: electrical
    elements:
      mesh: {junction: 1}
      source: {Se: E, on: mesh}
      loss: {R: R, on: mesh}
      coil: {I: L, on: mesh}
      plates: {C: C, on: mesh}
"""


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_rlc_rings_as_its_closed_form(formulation, method):
    """i = E/(w L) exp(-d t) sin w t. Errors of steps add up over five periods of the ringing."""
    result = run(pl.System.loads(RLC), 1.0, formulation=formulation, method=method)
    d, t = 3.0 / 0.4, result.time
    w = np.sqrt(1 / (0.2 * 0.01) - d * d)
    current = 5.0 / (0.2 * w) * np.exp(-d * t) * np.sin(w * t)
    assert off(result, "circuit.coil.flow", current) < 1e-7
    stored = 0.5 * 0.2 * current**2 + 0.5 * 0.01 * result.values("circuit.plates.effort") ** 2
    assert off(result, "circuit.energy", stored) < 1e-7


def test_work_of_the_elements_is_the_energy_of_the_circuit():
    result = run(pl.System.loads(RLC), 0.5)
    given, lost = (result.values(f"circuit.{n}.work") for n in ("source", "loss"))
    assert off(result, "circuit.energy", given - lost) < 1e-7


def test_lc_circuit_keeps_its_energy_to_the_order_of_the_method():
    """Newmark's rule is of second order; what DOP853 loses of the energy is of the order of its
    tolerance, 1e-10 per step, over some hundred steps."""
    text = RLC.replace("R: 3,", "R: 0,").replace("coil: {I: L,", "coil: {I: L, initial: 2,")
    system, errors, w = pl.System.loads(text), [], 1 / np.sqrt(0.2 * 0.01)
    for h in (4e-4, 2e-4):
        result = run(system, 0.5, method="newmark", step=h, params={"E": 0})
        errors.append(off(result, "circuit.coil.flow", 2 * np.cos(w * result.time)))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.1)
    result = run(system, 0.5, params={"E": 0})
    energy = result.values("circuit.energy")
    assert np.abs(energy / energy[0] - 1).max() < 1e-8


MOTOR = """
pliant: 1
name: motor with a load behind a gear
parameters: {V: 24, Ra: 1.1, La: 0.02, k: 0.35, Jr: 0.004, b: 0.01, n: 5, Jl: 0.6, T: 2}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: V, on: mesh}
      motor:
        part: dc-motor
        with: {R: Ra, L: La, k: k, d: b, J: Jr}
        ports: {terminals: mesh, shaft: fast}
      fast: {junction: 1, domain: rotation}
      gear: {TF: 1/n, from: fast, to: slow}
      slow: {junction: 1, domain: rotation}
      load: {I: Jl, on: slow}
      torque: {Se: -T, on: slow}
"""


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_motor_with_a_load_follows_its_state_matrix(formulation):
    """(Jl + n² Jr) w' = n k i - n² b w - T,  La i' = V - Ra i - k n w; one of the inertias depends
    on the other, and is no state."""
    result = run(pl.System.loads(MOTOR), 2.0, formulation=formulation)
    J = 0.6 + 25 * 0.004
    A = np.array([[-1.1 / 0.02, -0.35 * 5 / 0.02], [5 * 0.35 / J, -25 * 0.01 / J]])
    x = response(A, np.array([24 / 0.02, -2 / J]), [0, 0], result.time)
    assert off(result, "drive.motor.inductance.flow", x[:, 0]) < 1e-8
    assert off(result, "drive.load.flow", x[:, 1]) < 1e-8
    assert off(result, "drive.motor.rotor.flow", 5 * x[:, 1]) < 1e-8
    spin = x @ A[1] - 2 / J
    assert off(result, "drive.motor.rotor.effort", 0.004 * 5 * spin) < 1e-7


PRESS = """
pliant: 1
name: hydraulic press
parameters: {Q: 2e-4, A: 4e-3, m: 50, d: 2e4, K: 5e7, chamber: 1e-3/1.4e9, G: 5e-11}
networks:
  press:
    domain: hydraulic
    elements:
      line: {junction: 0}
      pump: {part: pump-flow, with: {flow: Q, leakage: G}, ports: {outlet: line}}
      cylinder:
        part: cylinder
        with: {area_A: A, compliance_A: chamber}
        ports: {A: line, B: back, rod: ram}
      back: {junction: 0}
      tank: {C: 1e-4, on: back}
      ram: {junction: 1, domain: translation}
      mass: {I: m, on: ram}
      seal: {R: d, on: ram}
      billet: {C: {stiffness: K}, on: ram}
"""


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_press_follows_its_state_matrix(formulation):
    """Pressures p (line) and r (back, two compliances as one), speed v and way s of the ram:

    C p' = Q - G p - A v,  D r' = A v,  m v' = A (p - r) - d v - K s,  s' = v.
    """
    Q, area, m, d, K, G = 2e-4, 4e-3, 50.0, 2e4, 5e7, 5e-11
    C, D = 1e-3 / 1.4e9, 1e-4 + 1e-3 / 1.4e9
    A = np.array(
        [[-G / C, 0, -area / C, 0], [0, 0, area / D, 0],
         [area / m, -area / m, -d / m, -K / m], [0, 0, 1, 0]]
    )  # fmt: skip
    A = A[np.ix_([0, 2, 3], [0, 2, 3])] + np.outer([0, 1, 0], [0, 0, -(area**2) / (D * m)])
    system = pl.System.loads(PRESS)
    result = run(system, 0.2, formulation=formulation, method="radau", atol=1e-14)
    x = response(A, np.array([Q / C, 0, 0]), [0, 0, 0], result.time)
    assert off(result, "press.cylinder.oil_A.effort", x[:, 0]) < 1e-6
    assert off(result, "press.billet.displacement", x[:, 2]) < 1e-6
    assert off(result, "press.tank.effort", area * x[:, 2] / D) < 1e-6


def test_press_comes_to_rest_where_pump_and_orifice_balance():
    """Q = Cd a √(2/ρ) p/√(p + smooth): p follows from a square; the billet holds A p."""
    text = PRESS.replace("leakage: G", "leakage: 0").replace(
        "      back: {junction: 0}\n",
        "      edge: {part: orifice, with: {area: 2e-6, density: 870}, ports: {inlet: line, "
        "outlet: sink}}\n      sink: {junction: 0}\n"
        "      tank0: {part: tank, ports: {line: sink}}\n      back: {junction: 0}\n",
    )
    result = run(pl.System.loads(text), 3.0, method="radau", rtol=1e-9)
    ratio = (2e-4 / (0.6 * 2e-6 * np.sqrt(2 / 870))) ** 2
    pressure = ratio / 2 + np.sqrt(ratio**2 / 4 + ratio * 100)
    back = result.values("press.tank.effort")[-1]
    assert result.values("press.cylinder.oil_A.effort")[-1] == pytest.approx(pressure, rel=1e-7)
    force = 4e-3 * (pressure - back)
    assert result.values("press.billet.effort")[-1] == pytest.approx(force, rel=1e-7)


WALL = """
pliant: 1
name: heated room
parameters: {Q: 500, C_air: 4e4, C_brick: 3e6, R_inner: 0.02, R_outer: 0.05, T_out: 270}
networks:
  house:
    domain: thermal
    elements:
      room: {junction: 0}
      wall: {junction: 0}
      heater: {Sf: Q, on: room}
      air: {C: C_air, on: room, initial: {effort: 280}}
      brick: {C: C_brick, on: wall, initial: {effort: 275}}
      inner: {junction: 1}
      plaster: {R: R_inner, on: inner}
      outer: {junction: 1}
      bricks: {R: R_outer, on: outer}
      weather: {Se: T_out, on: outer}
    bonds:
      room_inner: {from: room, to: inner}
      inner_wall: {from: inner, to: wall}
      outer_wall: {from: outer, to: wall}
"""


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_heat_flows_as_the_matrix_exponential_says(formulation):
    result = run(pl.System.loads(WALL), 1e5, formulation=formulation, method="radau", atol=1e-3)
    a, c = 1 / 0.02, 1 / 0.05
    A = np.array([[-a / 4e4, a / 4e4], [a / 3e6, -(a + c) / 3e6]])
    x = response(A, np.array([500 / 4e4, c * 270 / 3e6]), [280, 275], result.time)
    assert off(result, "house.air.effort", x[:, 0]) < 1e-8
    assert off(result, "house.brick.effort", x[:, 1]) < 1e-8
    assert "house.air.power" not in result.series, "temperature times heat flow is no power"


COILS = """
pliant: 1
name: coils in series and capacitors in parallel
parameters: {E: 3}
networks:
  circuit:
    domain: electrical
    elements:
      mesh: {junction: 1}
      source: {Se: E*sin(40*t), on: mesh}
      one: {I: 0.3, on: mesh}
      two: {I: 0.2, on: mesh}
      loss: {R: 2, on: mesh}
      node: {junction: 0}
      first: {C: 0.01, on: node}
      second: {C: 0.03, on: node}
    bonds: {b: {from: mesh, to: node}}
"""


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_dependent_stores_of_a_network_are_no_states(formulation):
    """(L1 + L2) i' = E - R i - e,  (C1 + C2) e' = i: two states of four stores."""
    result = run(pl.System.loads(COILS), 0.5, formulation=formulation)
    L, C, w = 0.5, 0.04, 40.0
    A = np.array([[0, w, 0, 0], [-w, 0, 0, 0], [3 / L, 0, -2 / L, -1 / L], [0, 0, 1 / C, 0]])
    values, vectors = np.linalg.eig(A)
    share = np.linalg.solve(vectors, np.array([0, 1, 0, 0.0]))
    x = np.real((np.exp(np.outer(result.time, values)) * share) @ vectors.T)
    assert off(result, "circuit.one.flow", x[:, 2]) < 1e-7
    assert off(result, "circuit.second.effort", x[:, 3]) < 1e-7
    assert off(result, "circuit.two.effort", 0.2 * (x @ A[2])) < 1e-7
    assert off(result, "circuit.second.flow", 0.03 * x[:, 2] / C) < 1e-7


@pytest.mark.parametrize("text", [RLC, MOTOR, PRESS, WALL, COILS])
def test_formulations_agree_on_networks_alone(text):
    report = pl.System.loads(text).verify(pointwise=True, states=5)
    assert report.agree, str(report)
    assert not any(v.declined for v in of_formulations(report.verdicts))


def test_a_run_goes_on_where_it_ended():
    system = pl.System.loads(MOTOR)
    whole = run(system, 0.4)
    first = run(system, 0.2)
    second = run(system, 0.4, start=first, formulation="multibond")
    name = "drive.load.flow"
    assert second.values(name)[-1] == pytest.approx(whole.values(name)[-1], rel=1e-8)


def test_what_is_given_of_a_dependent_store_is_refused():
    text = COILS.replace("two: {I: 0.2,", "two: {I: 0.2, initial: 1,")
    with pytest.raises(ModelError, match=r"'circuit.two': initial: its flow follows from .*one"):
        pl.System.loads(text).simulate(1.0)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_networks_come_to_rest_in_statics(formulation):
    """Steady conduction: 500 W through both walls."""
    result = pl.System.loads(WALL).statics(formulation=formulation)
    assert result.values("house.brick.effort")[0] == pytest.approx(270 + 500 * 0.05, rel=1e-12)
    assert result.values("house.air.effort")[0] == pytest.approx(270 + 500 * 0.07, rel=1e-12)


def test_a_state_that_nothing_brings_to_rest_is_named():
    text = RLC.replace("plates: {C: C, on: mesh}", "plates: {R: 1, on: mesh}").replace(
        "E, on: mesh}", "E, on: mesh}\n      node: {junction: 0}\n      tank: {C: 1, on: node}"
    )
    with pytest.raises(CapabilityError, match=r"circuit.tank.displacement .* to rest"):
        pl.System.loads(text).statics()


def test_modes_of_a_network_are_the_eigenvalues_of_its_states():
    s = pl.System.loads(RLC).modes().eigenvalues
    assert s == pytest.approx([-7.5 + 1j * np.sqrt(500 - 7.5**2)], rel=1e-12)


def test_equations_of_a_network_are_printed_as_states():
    text = str(pl.System.loads(RLC).equations())
    assert "circuit.plates.displacement' = circuit.coil.flow" in text
    coil = "E/L - R*circuit.coil.flow/L - circuit.plates.displacement/(L*C)"
    assert f"circuit.coil.flow' = {coil}" in text


def test_check_names_the_states_of_networks():
    states = "drive.motor.inductance.flow, drive.motor.rotor.flow"
    assert f"network drive: states {states}" in str(pl.System.loads(MOTOR).check())


def test_a_signal_drives_a_source_across_a_capacitor():
    """i = C E'(t): the exact derivative of the spline that the signal is."""
    text = """
pliant: 1
signals: {E: {times: [0, 0.5, 1, 1.5, 2], values: [0, 1, 0.5, 2, 1]}}
networks:
  circuit:
    domain: electrical
    elements:
      node: {junction: 0}
      source: {Se: E, on: node}
      plates: {C: 0.02, on: node}
      mesh: {junction: 1}
      coil: {I: 3, on: mesh}
    bonds: {b: {from: node, to: mesh}}
"""
    result = run(pl.System.loads(text), 2.0, every=1e-3)
    voltage, current = (result.values(f"circuit.plates.{name}") for name in ("effort", "flow"))
    slope = (voltage[2:] - voltage[:-2]) / 2e-3
    assert np.abs(current[1:-1] - 0.02 * slope).max() < 1e-5
