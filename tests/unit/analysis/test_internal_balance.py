"""What shapes miss of internal forces is said where either of them is asked for."""

import numpy as np
import pytest

import pliant as pl
from pliant.errors import InputError, UnknownName

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
    """The remark on a force of the shapes, if there is one."""
    return [w for w in result.warnings if f".{name}: off by" in w]


@pytest.mark.parametrize(("shapes", "missing"), [(1, 2 / 3), (2, 1 / 6)])
def test_a_moment_of_few_shapes_carries_what_it_misses(shapes, missing):
    """A cantilever under its weight, EI w'' of polynomials x² .. x^(n+1) against its moment."""
    system = beam(f"{{bending_z: {{polynomial: {shapes}}}}}")
    (said,) = off(system.statics(outputs=["b.*.elastic_moment"]), "elastic_moment")
    assert f"off by {missing * MOMENT:.3g} N*m from internal_moment" in said
    assert "(60 N*m at most)" in said


def test_enough_shapes_carry_no_remark():
    """w of degree 4 is exact: ρA g (l - x)²/2 at the root."""
    system = beam("{bending_z: {polynomial: 3}, axial: {polynomial: 2}}")
    result = system.statics(outputs=["b.*.elastic_moment", "b.*.internal_force"])
    assert result.values("b.root.elastic_moment.y")[-1] == pytest.approx(MOMENT, rel=1e-4)
    assert not off(result, "elastic_moment")
    assert not off(result, "elastic_force")


def test_axial_shapes_are_compared_where_an_internal_force_is_asked_for():
    """A hanging rod: one shape sin(π x/2l) carries at its root (4/π) ρA g l... less than ρA g l."""
    hanging = BEAM.replace("[0, 0, -10]", "[10, 0, 0]").replace("JOINT", "fixed: {}")
    system = pl.loads(hanging.replace("SHAPES", "{axial: 1}"))
    result = system.statics(outputs=["b.root.internal_force"])
    assert result.values("b.root.internal_force.x")[0] == pytest.approx(WEIGHT, rel=1e-9)
    assert off(result, "elastic_force")


def test_who_does_not_ask_is_told_nothing():
    assert not off(beam("{bending_z: {polynomial: 1}}").statics(), "elastic_moment")


def test_a_beam_without_axial_shapes_is_pulled_all_the_same():
    """A bar turning at 30 rad/s is pulled by ρA ω² l²/2 at its root; bending does not tell."""
    turn = pl.JointDriver("turn", "O", motion="30*t")
    system = beam("{bending_y: 2}", "revolute: {axis: z}", drivers=[turn])
    result = system.simulate(0.01)
    pull = 3 * 30**2 * 2**2 / 2
    assert result.values("b.root.internal_force.x")[-1] == pytest.approx(pull, rel=0.01)
    assert result.series["b.root.elastic_force"].labels == ("y",)
    assert result.series["b.root.elastic_moment"].labels == ("z",)
    assert not np.any(result.values("b.tip.internal_force"))


@pytest.mark.parametrize(("shapes", "name", "said"), [
    ("{bending_y: 2}", "b.root.elastic_force.x", "only if it has axial shapes"),
    ("{bending_y: 2}", "b.root.elastic_moment.x", "only in directions that have shapes"),
    ("{bending_y: 2}", "b.root.stress", "stress needs a section"),
    ("{bending_y: 2}\n    theory: segments(4)", "b.root.internal_force.x", "cut into segments"),
])  # fmt: skip
def test_what_is_not_told_says_why(shapes, name, said):
    system = beam(shapes)
    with pytest.raises(UnknownName, match=said):
        system.simulate(0.01).values(name)
    with pytest.raises(UnknownName, match=said):
        system.simulate(0.01, outputs=[name])


def test_blocks_say_that_they_do_not_tell_it():
    result = beam("{bending_y: 2}").simulate(0.01, method="sparse-alpha")
    with pytest.raises(UnknownName, match="the sparse solver does not tell internal forces"):
        result.values("b.root.internal_force")
    with pytest.raises(InputError, match="does not tell internal forces along 'b'"):
        result.diagram("b")
