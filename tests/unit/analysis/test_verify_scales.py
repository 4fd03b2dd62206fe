"""Quantities that cancel are measured by the terms they are made of."""

from tests.models.meshing_gears import TEETH

import pliant as pl
from pliant.analysis.verification.states import pointwise

FREE = "pliant: 1\nbodies: {b: {rigid: {mass: 1, inertia: [1, 1, 1]}}}\n"


def worst(text):
    report = pointwise(pl.System.loads(text), states=5)
    return max(v.disagreement for v in report.verdicts if not v.declined)


def test_accelerations_of_a_free_body_are_zero_to_rounding():
    """Terms of size u² cancel in them: a few thousand roundings of these at most."""
    assert worst(FREE) < 1e-12


def test_a_flow_that_is_held_at_zero_is_zero_to_rounding():
    assert worst(TEETH) < 1e-12


def test_a_machine_of_picograms_is_compared_as_any_other():
    """Masses of 1e-12 kg beside the ones in constraints are no rounding."""
    text = """
pliant: 1
materials: {si: {E: 160 GPa, nu: 0.22, density: 2330}}
bodies:
  c:
    beam: {length: 100 um, section: {rectangle: {width: 20 um, height: 1 um}}, material: si}
    shapes: {bending: 2}
joints: {F: {fixed: {}, between: [ground, c.root]}}
forces: {f: {force: [0, 0, 1e-6], at: c.tip}}
"""
    assert worst(text) < 1e-11
