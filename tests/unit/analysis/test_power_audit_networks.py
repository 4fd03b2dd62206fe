"""Power audits of networks in model files: electrical, thermal, coupled to mechanics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.results.power_audit import PowerAudit

JUNCTIONS = 1e-10
RLC = """
pliant: 1
networks:
  circuit:
    domain: electrical
    elements:
      mesh: {junction: 1}
      battery: {Se: 5, on: mesh}
      resistor: {R: 3, on: mesh}
      coil: {I: 200 mH, on: mesh}
      capacitor: {C: 10 mF, on: mesh}
simulate: {t_end: 4 s, rtol: 1e-10}
"""
OVEN = """
pliant: 1
networks:
  oven:
    domain: thermal
    elements:
      hot: {junction: 0}
      wall: {junction: 1}
      air: {junction: 0}
      way: {junction: 1}
      heater: {Sf: 500, on: hot}
      chamber: {C: 2000, on: hot, initial: 40000}
      brick: {R: 0.05, on: wall}
      room: {C: 50000, on: air}
      window: {R: 0.2, on: way}
      outside: {Se: -5, on: way}
    bonds:
      a: {from: hot, to: wall}
      b: {from: wall, to: air}
      c: {from: air, to: way}
simulate: {t_end: 400 s, rtol: 1e-10}
"""
WINCH = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  drum: {rigid: {mass: 3 kg, inertia: [0.02, 0.02, 0.02]}}
  arm: {rod: {length: 0.4, mass: 1.2 kg}}
joints:
  shaft: {revolute: {axis: y}, between: [ground, drum]}
  grip: {fixed: {}, between: [drum, arm]}
networks:
  drive:
    domain: electrical
    elements:
      mesh: {junction: 1}
      supply: {Se: 24, on: mesh}
      motor:
        part: dc-motor
        with: {R: 1.1, L: 0.02, k: 0.35, d: 0.01}
        ports: {terminals: mesh, shaft: axle}
      axle: {joint: shaft, coordinate: angle}
simulate: {t_end: 0.5 s, rtol: 1e-10}
"""
STIFFENING = """
pliant: 1
networks:
  swing:
    domain: translation
    elements:
      mass: {junction: 1}
      inertia: {I: 2, on: mass}
      spring: {C: {effort: "30*q + 900*q**3"}, on: mass, initial: 0.3}
      damper: {R: 0.4, on: mass}
simulate: {t_end: 1.3 s, rtol: 1e-11}
"""


def energy(audit: PowerAudit, element: str) -> float:
    return sum(e.energy for e in audit.entries if e.element == element)


def test_charging_a_capacitor_loses_as_much_as_it_stores() -> None:
    """C E² from the battery, half of it stored, half lost, once the current has died away."""
    audit = pl.System.loads(RLC).simulate().power_audit()
    half = 0.5 * 0.01 * 25
    assert energy(audit, "circuit.battery") == pytest.approx(2 * half, rel=1e-8)
    assert energy(audit, "circuit.resistor") == pytest.approx(half, rel=1e-8)
    assert energy(audit, "circuit.capacitor") == pytest.approx(half, rel=1e-8)
    assert abs(audit.residual) <= 1e-8 * half
    assert audit.junction_residual <= JUNCTIONS
    assert audit.agreement <= 1e-12


def test_heat_has_a_balance_of_its_own() -> None:
    """500 W for 400 s, and what comes in from outside, are in chamber and room; resistances between
    two temperatures keep nothing."""
    result = pl.System.loads(OVEN).simulate()
    audit = result.power_audit()
    stored = [result.values(f"oven.{c}.displacement") for c in ("chamber", "room")]
    gained = sum(q[-1] - q[0] for q in stored)
    assert energy(audit, "oven.heater") == pytest.approx(200e3, rel=1e-12)
    assert energy(audit, "oven.outside") == pytest.approx(gained - 200e3, rel=1e-6)
    assert energy(audit, "oven.brick") == energy(audit, "oven.window") == 0.0
    assert abs(audit.heat_residual) <= 1e-8 * gained
    assert audit.residual == audit.turnover == 0.0
    assert audit.junction_residual <= JUNCTIONS
    assert "balance of heat" in str(audit)


def test_the_balance_of_heat_finds_heat_that_came_from_nowhere() -> None:
    """Planted: 50 J that no flow has brought appear in the room, evenly over the run. The flows at
    every sample still add up at every junction; only stores against flows can tell. The room
    is up to 1 mK too warm then, and ½ · 1 mK / 0.2 K/W · 400 s = 1 J less comes in from outside."""
    result = pl.System.loads(OVEN).simulate()
    sound = result.power_audit().heat_residual
    room = result.series["oven.room.displacement"]
    wrong = room.values + 50 * result.time / result.time[-1]
    series = {**result.series, "oven.room.displacement": replace(room, values=wrong)}
    audit = replace(result, series=series).power_audit()
    assert audit.junction_residual <= JUNCTIONS
    assert audit.heat_residual - sound == pytest.approx(-51, rel=1e-3)


@pytest.mark.parametrize("formulation", ["recursive", "linear-graph", "multibond"])
def test_a_motor_lifts_an_arm(formulation: str) -> None:
    """What passes the gyrator is in the drum and the arm, at height, or lost in the bearing."""
    system = pl.System.loads(WINCH)
    result = system.simulate(formulation=formulation).require()
    audit = system.power_audit(result)
    (gyrator,) = audit.exchanges
    assert (gyrator.source, gyrator.target) == ("electrical", "rotation")
    kept = energy(audit, "drive.motor.resistance") + energy(audit, "drive.motor.inductance")
    assert gyrator.energy == pytest.approx(energy(audit, "drive.supply") - kept, rel=1e-6)
    angle = result.values("shaft.angle")[-1]
    assert audit.lifted == pytest.approx(-1.2 * 9.81 * 0.2 * np.sin(angle), rel=1e-9)
    into = [t.energy for t in audit.transfers if t.source == "drive (rotation)"]
    assert into == [pytest.approx(gyrator.energy - energy(audit, "drive.motor.friction"), rel=1e-6)]
    assert abs(audit.residual) <= 1e-7 * audit.turnover
    assert audit.junction_residual <= JUNCTIONS
    assert audit.agreement <= 1e-8


def test_a_spring_that_is_not_linear_stores_what_it_was_given() -> None:
    """15 q² + 225 q⁴, which no one told the audit."""
    result = pl.System.loads(STIFFENING).simulate()
    audit = result.power_audit()
    q = result.values("swing.spring.displacement")
    stored = 15 * q**2 + 225 * q**4
    assert energy(audit, "swing.spring") == pytest.approx(stored[-1] - stored[0], rel=1e-8)
    assert abs(audit.residual) <= 1e-8 * audit.turnover
