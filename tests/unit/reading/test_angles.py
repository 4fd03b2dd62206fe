"""Sines and cosines: identities hold as ==, and angles that are no integer sums get a name."""

from math import pi

import numpy as np
import pytest

from pliant.reading.algebra import (
    Space,
    definitions_text,
    evaluate,
    readable_ops,
    text,
    written_definitions,
)
from pliant.spatial.ops import NUMERIC


@pytest.fixture
def space():
    return Space(runs=[["a", "b"]])


def test_identities_inside_and_across_runs(space):
    a, b, c = (space.symbol(n) for n in "abc")
    cos, sin = space.cos, space.sin
    assert cos(a) ** 2 + sin(a) ** 2 == 1
    assert sin(a + b) == sin(a) * cos(b) + cos(a) * sin(b)
    assert cos(a + c) == cos(a) * cos(c) - sin(a) * sin(c)
    assert cos(2 * c) == 1 - 2 * sin(c) ** 2
    assert 4 * cos(a) ** 3 == 3 * cos(a) + cos(3 * a)
    assert cos(-a) == cos(a)
    assert sin(b - a) == -sin(a - b)
    assert cos(a - a) == 1
    assert sin(0) == 0


def test_angles_of_a_run_are_written_as_one_angle(space):
    a, b = space.symbol("a"), space.symbol("b")
    product = space.cos(a) * space.cos(b) - space.sin(a) * space.sin(b)
    assert text(product) == "cos(a + b)"


def test_right_angles_are_reduced_exactly(space):
    a = space.symbol("a")
    assert space.cos(a + pi / 2) == -space.sin(a)
    assert space.sin(a - 5 * pi / 2) == -space.cos(a)
    assert space.sin(pi - a) == space.sin(a)
    assert space.cos(a + pi / 3) == space.cos(a) / 2 - space.sqrt(3) * space.sin(a) / 2


def test_any_other_argument_is_an_angle_with_a_definition(space):
    omega, t, a = (space.symbol(n) for n in ("omega", "t", "a"))
    value = space.cos(omega * t)
    assert text(value) == "cos(angle1)"
    assert definitions_text(written_definitions([value])) == "angle1 = omega*t"
    assert space.cos(2 * omega * t) == 2 * value**2 - 1
    ops = readable_ops(space)
    assert ops.gradient(value, t)[0] == -omega * space.sin(omega * t)
    assert text(space.sin(1.5 * a)) == "sin(3*angle2)"


def test_a_new_angle_joins_the_run_it_is_added_to(space):
    a, slope, eta = (space.symbol(n) for n in ("a", "slope", "eta"))
    assert text(space.cos(a + slope * eta)) == "cos(a + angle1)"


def test_evaluation_agrees_with_the_functions_of_numbers(space):
    names = ("a", "b", "c", "omega")
    a, b, c, omega = (space.symbol(n) for n in names)
    at = dict(zip(names, np.random.default_rng(4).uniform(-2, 2, 4), strict=True))
    for build in (
        lambda f, a, b, c, w: f(2 * a - b + c + 0.3 * w * a + 0.4),
        lambda f, a, b, c, w: f(a) * f(a + b) * f(c - a) + w * f(w / 3),
    ):
        for f in ("sin", "cos"):
            found = evaluate(build(getattr(space, f), a, b, c, omega), NUMERIC, at)
            expected = build(getattr(np, f), *at.values())
            assert found == pytest.approx(expected, abs=1e-13)
