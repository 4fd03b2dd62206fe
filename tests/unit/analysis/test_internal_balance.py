"""Internal forces of few shapes carry what they miss; what shapes do not tell is not zero."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import UnknownName

BEAM = """
pliant: 1
gravity: [0, 0, -10]
bodies:
  b:
    beam: {length: 2, mass_per_length: 3, stiffness: {EA: 1e7, EIy: 1e4, EIz: 1e4}}
    shapes: SHAPES
joints: {O: {JOINT, between: [ground, b.root]}}
simulate: {t_end: 0.01}
"""
WEIGHT, MOMENT = 60.0, 60.0
"""ρA g l, and ρA g l²/2 at the root."""


def beam(shapes, joint="fixed: {}", **drivers):
    text = BEAM.replace("SHAPES", shapes).replace("JOINT", joint)
    return pl.System(pl.loads(text).described, **drivers)


def off(result, name):
    """The remark on an internal force, if there is one."""
    return [w for w in result.warnings if w.startswith(f"b.root.{name}: off by")]


@pytest.mark.parametrize(("shapes", "missing"), [(1, 2 / 3), (2, 1 / 6)])
def test_a_moment_of_few_shapes_carries_what_it_misses(shapes, missing):
    """A cantilever under its weight, EI w'' of polynomials x² .. x^(n+1) against its moment."""
    result = beam(f"{{bending_z: {{polynomial: {shapes}}}, axial: 1}}").statics()
    (said,) = off(result, "internal_moment")
    assert f"off by {missing * MOMENT:.3g} N*m from the reaction of 'O' (60 N*m at most)" in said


def test_enough_shapes_carry_no_remark():
    """w of degree 4 is exact: ρA g (l - x)²/2 at the root."""
    result = beam("{bending_z: {polynomial: 3}, axial: 1}").statics()
    assert result.values("b.root.internal_moment.y")[-1] == pytest.approx(MOMENT, rel=1e-4)
    assert not off(result, "internal_moment")
    assert not off(result, "internal_force")


def test_the_reaction_is_looked_at_even_if_nobody_asked_for_it():
    system = beam("{bending_z: {polynomial: 1}}")
    result = system.statics(outputs=["b.root.internal_moment"])
    assert "O.torque" not in result.series
    assert off(result, "internal_moment")


def test_a_driver_of_the_hinge_is_not_part_of_its_reaction():
    """Held by a driver, the hinge itself holds no moment about its axis: nothing to compare."""
    hold = pl.JointDriver("hold", "O", motion="0")
    system = beam("{bending_z: {polynomial: 3}}", "revolute: {axis: y}", drivers=[hold])
    result = system.simulate(0.01, method="radau")
    assert not off(result, "internal_moment")


def test_directions_without_shapes_are_absent_not_zero():
    """A bar turning at 30 rad/s is pulled by ρA ω² l²/2 at its root: bending does not tell."""
    turn = pl.JointDriver("turn", "O", motion="30*t")
    system = beam("{bending_y: 2}", "revolute: {axis: z}", drivers=[turn])
    result = system.simulate(0.01)
    pull = 3 * 30**2 * 2**2 / 2
    assert np.linalg.norm(result.values("O.force")[-1]) == pytest.approx(pull, rel=0.01)
    assert result.series["b.root.internal_force"].labels == ("y",)
    assert result.series["b.root.internal_moment"].labels == ("z",)
    for name in ("b.root.stress", "b.root.internal_force.x"):
        with pytest.raises(UnknownName, match="only if it has axial shapes"):
            result.values(name)
        with pytest.raises(UnknownName, match="only if it has axial shapes"):
            system.simulate(0.01, outputs=[name])
