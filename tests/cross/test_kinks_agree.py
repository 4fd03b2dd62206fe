"""Laws with kinks in every formulation and method, first and later runs."""

from __future__ import annotations

import pytest

import pliant as pl
from pliant.formulations import FORMULATIONS

BALL = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {ball: {sphere: {radius: 50 mm, mass: 2 kg}}}
joints: {guide: {prismatic: {axis: z}, between: [ground, ball], initial: {displacement: START}}}
forces:
  stop:
    spring: {free_length: 50 mm, force: "piecewise(x < 0, 2e6*x*max(0, 1 - 0.1*v), 0)"}
    between: [ground, ball]
simulate: {t_end: 0.6 s, every: 0.1}
"""
HEIGHT = {"60 mm": 0.05655858036, "200 mm": 0.14224180762}
"""At 0.6 s; from an independent code with the switches by hand, and from rtol 1e-12 here."""

FOLLOWERS = """
pliant: 1
gravity: [0, -9.81, 0]
bodies:
  b0: {box: {size: [0.4, 0.1, 0.1], density: 1000}, frames: {l: [-0.2, 0, 0], r: [0.2, 0, 0]}}
  b1: {box: {size: [0.4, 0.1, 0.1], density: 1000}, frames: {l: [-0.2, 0, 0]}}
joints:
  q0: {prismatic: {axis: [0, 0, 1]}, between: [ground, b0.l]}
  q1: {revolute: {axis: [-0.577350269, 0.577350269, 0.577350269]}, between: [b0.r, b1.l]}
drivers: {drive: {joint: q0, displacement: 0.3*(1 - cos(2*pi*t))}}
constraints: {c1: {velocity: q1.angle_rate/(2*pi) - q0.displacement_rate}}
simulate: {t_end: 0.25, every: 0.05, rtol: 1e-10}
"""


@pytest.mark.parametrize("method", ["auto", "dop853", "radau"])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_ball_bounces_off_a_floor_written_as_a_law(formulation: str, method: str) -> None:
    """To 0.01 mm at 1e-6; the first run (fresh code) and later ones are equal to the last bit."""
    for start, height in HEIGHT.items():
        system = pl.loads(BALL.replace("START", start))
        ends: dict[float, list[float]] = {}
        for rtol in (1e-4, 1e-6, 1e-10, 1e-4, 1e-6, 1e-10):
            run = system.simulate(formulation=formulation, method=method, rtol=rtol)
            ends.setdefault(rtol, []).append(float(run.values("guide.displacement")[-1]))
        for rtol, found in ends.items():
            assert found[0] == found[1]
            assert found[0] == pytest.approx(height, abs=3 * rtol)


@pytest.mark.parametrize("atol", [1e-12, 1e-16])
@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_start_at_rest_takes_a_first_step_at_any_tolerance(formulation: str, atol: float) -> None:
    """Coordinates that are zero but for rounding say nothing about the scale of the motion."""
    result = pl.loads(FOLLOWERS).simulate(formulation=formulation, atol=atol)
    assert result.completed
    assert result.values("q1.angle")[-1] == pytest.approx(0.6 * 3.141592653589793, rel=1e-9)
