"""Reciprocals of cosines and sines cancel: the form of a value stays unique."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.reading.algebra import Space, readable_ops
from pliant.reading.algebra.evaluate import evaluate
from pliant.spatial.ops import NUMERIC

SPACE = Space(runs=[("x", "y")])
X, Y, Z = (SPACE.symbol(n) for n in "xyz")
COS, SIN = SPACE.cos(X), SPACE.sin(X)


def test_common_factors_cancel():
    assert COS / COS == SIN / SIN == 1
    assert Z * SIN * COS / COS == Z * SIN
    assert SPACE.cos(3 * X) / COS == 4 * COS**2 - 3
    assert (1 / COS) * (1 / SIN) * SIN * COS == 1


def test_identities_of_the_tangent():
    tan = SIN / COS
    assert tan * tan + 1 == (1 / COS) ** 2
    assert SIN * tan == 1 / COS - COS
    ops = readable_ops(SPACE)
    assert ops.jtimes(ops.full(tan), ops.full(X), ops.full(1))[0] == (1 / COS) ** 2


def test_printed_as_a_secant():
    assert str(SIN / COS) == "sec(x)*sin(x)"
    assert (1 / SIN).latex() == r"\csc x"


waves = st.tuples(st.integers(-4, 4), st.integers(-2, 2), st.booleans(), st.integers(-3, 3))


@given(st.lists(waves, min_size=1, max_size=4), st.booleans(), st.integers(1, 3))
def test_reduced_products_keep_their_value(parts, by_sine, power):
    value = SPACE.constant(0)
    for n, m, is_sine, factor in parts:
        angle = n * X + m * Y
        value = value + factor * (SPACE.sin(angle) if is_sine else SPACE.cos(angle))
    divisor = SIN if by_sine else COS
    found = evaluate(value * (1 / divisor) ** power, NUMERIC, {"x": 0.7, "y": 0.4})
    number = evaluate(value, NUMERIC, {"x": 0.7, "y": 0.4})
    expected = number / (math.sin(0.7) if by_sine else math.cos(0.7)) ** power
    assert float(found) == pytest.approx(float(expected), abs=1e-9)


@given(st.lists(waves, min_size=1, max_size=3), st.booleans())
def test_dividing_undoes_multiplying(parts, by_sine):
    value = SPACE.constant(0)
    for n, m, is_sine, factor in parts:
        angle = n * X + m * Y
        value = value + factor * (SPACE.sin(angle) if is_sine else SPACE.cos(angle))
    divisor = SIN if by_sine else COS
    assert value * divisor / divisor == value
    assert value / divisor * divisor == value
