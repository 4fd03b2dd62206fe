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
