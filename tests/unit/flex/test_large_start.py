"""Mechanisms with beams of large rotation start with these beams free of stress."""

import numpy as np
import pytest

import pliant as pl
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state

BEAM = """
    beam:
      length: 1.0
      stiffness: {EA: 4e6, GAy: 1e6, GAz: 1e6, EIy: 200, EIz: 200, GJ: 100}
      mass_per_length: 1
      rotary: {rhoIy: 1e-4, rhoIz: 1e-4}
    THEORY"""
FOUR_BAR = f"""
pliant: 1
ground: {{frames: {{B: {{at: [1.2, 0, 0]}}}}}}
bodies:
  crank: {{rod: {{length: 0.3, mass: 0.5}}, frames: {{tip: {{at: [0.3, 0, 0]}}}}}}
  coupler: {BEAM}
  rocker: {{rod: {{length: 0.7, mass: 0.8}}, frames: {{tip: {{at: [0.7, 0, 0]}}}}}}
joints:
  O: {{revolute: {{axis: z}}, between: [ground, crank], initial: {{angle: 1, angle_rate: 3}}}}
  A: {{revolute: {{axis: z}}, between: [crank.tip, coupler.root]}}
  C: {{revolute: {{axis: z}}, between: [coupler.tip, rocker.tip]}}
  D: {{revolute: {{axis: z}}, between: [ground.B, rocker], guess: {{angle: 1.5}}}}
"""
PRESSED = f"""
pliant: 1
ground: {{frames: {{B: {{at: [0.98, 0, 0]}}}}}}
bodies:
  strut: {BEAM}
joints:
  A: {{revolute: {{axis: z}}, between: [ground, strut.root]}}
  B: {{revolute: {{axis: z}}, between: [ground.B, strut.tip]}}
"""
THEORIES = (
    "theory: {exact: {elements: 2, order: 1}}",
    "theory: {large-rotation: {elements: 2, nodes: 2}}",
)


def rocker(theory):
    """Angle and rate of the rocker at the start, by cosine rule and loop closure with modes."""
    result = pl.loads(FOUR_BAR.replace("THEORY", theory)).simulate(t_end=1e-6)
    strain = float(result["coupler.strain_energy"][0])
    return float(result["D.angle"][0]), float(result["D.angle_rate"][0]), strain


def closed():
    """Angle and rate of the rocker of a rigid four-bar: |D + 0.7 e(phi) - 0.3 e(1)| = 1."""
    tip = 0.3 * np.array([np.cos(1), np.sin(1)])
    speed = 3 * 0.3 * np.array([-np.sin(1), np.cos(1)])
    low, high = 1.5, 2.5
    for _ in range(60):
        phi = (low + high) / 2
        r = np.array([1.2, 0]) + 0.7 * np.array([np.cos(phi), np.sin(phi)]) - tip
        low, high = (phi, high) if r @ r > 1 else (low, phi)
    across = 0.7 * np.array([-np.sin(phi), np.cos(phi)])
    return phi, float(r @ speed) / float(r @ across)


@pytest.mark.parametrize("theory", THEORIES)
def test_a_loop_closes_with_a_straight_beam(theory):
    angle, rate, strain = rocker(theory)
    phi, phi_rate = closed()
    assert angle == pytest.approx(phi, abs=1e-10)
    assert rate == pytest.approx(phi_rate, abs=1e-4)
    assert strain < 1e-9


def test_a_beam_that_must_bend_is_told():
    system = pl.loads(PRESSED.replace("THEORY", THEORIES[0]))
    state = initial_state(system, prepare(system), None, 0.0)
    assert any("strut" in r and "starts with strain" in r for r in state.remarks)


def test_an_output_may_be_observed_where_beams_close_a_loop():
    """The mechanism that is assembled with stiff beams knows no outputs, and needs none."""
    text = FOUR_BAR.replace("THEORY", THEORIES[0]) + "outputs: {sag: coupler.tip.position.y - 1}\n"
    system = pl.loads(text + "simulate: {t_end: 0.001, observe: [coupler.tip.position, sag]}\n")
    result = system.simulate()
    assert np.array_equal(result.values("sag"), result.values("coupler.tip.position.y") - 1)
