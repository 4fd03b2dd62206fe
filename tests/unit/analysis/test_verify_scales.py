"""Quantities that cancel are measured by the terms they are made of."""

import pliant as pl
from pliant.analysis.verify_states import pointwise

FREE = "pliant: 1\nbodies: {b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\n"
TEETH = """
pliant: 1
gravity: [0, 0, -9.81]
bodies:
  small: {rigid: {mass: 1, inertia: [0.1, 0.2, 0.3]}}
  large: {rigid: {mass: 2, com: [0.1, 0, 0], inertia: [0.4, 0.5, 0.6]}}
joints:
  a: {revolute: {axis: y}, between: [ground, small], initial: {angle_rate: 3}}
  b: {revolute: {axis: y}, between: [ground, large]}
networks:
  teeth:
    domain: rotation
    elements:
      first: {joint: a}
      second: {joint: b}
      gear: {TF: 0.5, from: first, to: mesh}
      mesh: {junction: 0}
      contact: {CN: null, on: mesh}
    bonds: {b1: {from: second, to: mesh}}
"""
"""The flow at the teeth is zero: nothing but rounding of the rates that cancel in it."""


def worst(text):
    report = pointwise(pl.System.loads(text), states=5)
    return max(v.disagreement for v in report.verdicts if not v.declined)


def test_accelerations_of_a_free_body_are_zero_to_rounding():
    """Terms of size u² cancel in them: a few thousand roundings of these at most."""
    assert worst(FREE) < 1e-12


def test_a_flow_that_is_held_at_zero_is_zero_to_rounding():
    assert worst(TEETH) < 1e-12
