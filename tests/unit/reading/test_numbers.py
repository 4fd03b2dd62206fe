"""Floats that enter: fractions, roots, decimals; and what becomes of rounding."""

from fractions import Fraction
from math import cos, factorial, radians, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.errors import InputError
from pliant.reading.algebra import Space, readable_ops, text
from pliant.spatial.rotation import axis_angle, rot_x, rot_y, rot_z


@pytest.fixture
def space():
    return Space()


def test_short_decimals_are_exact(space):
    assert space.constant(0.25).rational == Fraction(1, 4)
    assert space.constant(1e-4).rational == Fraction(1, 10000)
    assert space.constant(9.81).rational == Fraction(981, 100)
    assert space.constant(0.1) + space.constant(0.2) == space.constant(0.3)
    assert space.constant(-2.1e11).rational == -210_000_000_000


def test_fractions_are_recognised_among_full_floats(space):
    assert space.constant(1 / 3).rational == Fraction(1, 3)
    assert space.constant(-5 / 7).rational == Fraction(-5, 7)
    for n in range(3, 36):
        assert space.constant(1.0 / factorial(n)).rational == Fraction(1, factorial(n))


@pytest.mark.parametrize("square", [2, 3, 5, 6, 14, Fraction(1, 2), Fraction(3, 4), Fraction(8, 3)])
def test_roots_are_recognised_and_square_to_their_radicand(space, square):
    for sign in (1, -1):
        root = space.constant(sign * sqrt(square))
        assert root * root == square
        assert root == sign * space.sqrt(square)
        assert float(root) == pytest.approx(sign * sqrt(square), rel=4e-16)


def test_roots_are_written_as_roots(space):
    l = space.symbol("l")
    assert text(cos(radians(45)) * l) == "sqrt(2)*l/2"
    assert text(sqrt(3) / 3 * l) == "sqrt(3)*l/3"
    assert text(1 / sqrt(14) * l) == "sqrt(14)*l/14"


def test_rotations_about_inclined_axes_are_exactly_orthogonal():
    space = Space()
    ops = readable_ops(space)
    one = ops.const(np.eye(3))
    q = space.symbol("q")
    for turn in (rot_x, rot_y, rot_z):
        for degrees in (15, 30, 45, 60, 75, 90, 120, 180, -135):
            R = turn(ops, radians(degrees))
            assert one == R.T @ R
    for axis in ((1, 1, 0), (1, 1, 1), (1, 2, 3), (3, 0, 4)):
        n = np.array(axis) / np.linalg.norm(axis)
        R = axis_angle(ops, ops.const(n), q)
        assert one == R.T @ R


def test_constant_vectors_are_normalised_exactly():
    ops = readable_ops(Space())
    for axis in ((1, 1, 0), (1, -2, 3), (0.5, 0.25, 1), (2, 3, 6)):
        a = ops.vec(*axis)
        n = a / ops.sqrt(ops.dot(a, a))
        assert ops.dot(n, n) == 1


@given(degrees=st.floats(1, 89))
def test_rounding_of_decimals_leaves_no_terms(degrees):
    """cos² + sin² = 1, and a rotation there and back is none, for any angle."""
    space = Space()
    ops = readable_ops(space)
    c, s = space.constant(cos(radians(degrees))), space.constant(sin(radians(degrees)))
    q, l = space.symbol("q"), space.symbol("l")
    assert c * c + s * s == 1
    R = rot_x(ops, radians(degrees)) @ rot_z(ops, q)
    assert ops.const(np.eye(3)) == R.T @ R
    assert (R @ (R.T @ ops.vec(l, 0, 0))).nnz() == 1


def test_decimals_do_not_spoil_exact_neighbours(space):
    m = space.symbol("m")
    value = cos(radians(27)) * m + m * m / 3
    assert dict(value.coefficients())[(space.monomials.times(1, 1)[0], 0)] == Fraction(1, 3)


def test_decimals_of_any_size_are_kept(space):
    for x in (1.2345678901234567e-300, -1.2345678901234567e300, 3.3333333333333335e150):
        assert float(space.constant(x)) == x


def test_what_is_not_a_number_is_refused(space):
    with pytest.raises(InputError, match="nan"):
        space.constant(float("nan"))
    with pytest.raises(TypeError):
        space.symbol("x") + "1"
