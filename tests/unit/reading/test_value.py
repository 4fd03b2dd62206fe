"""Laws of values: a ring with unique forms, whose derivatives are exact."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pliant.reading.algebra import Space, TooLarge, evaluate, readable_ops
from pliant.spatial.ops import NUMERIC

SPACE = Space(runs=[["a", "b"]])
OPS = readable_ops(SPACE)
NAMES = ("m", "l", "x", "a", "b", "c")
SYMBOLS = {name: SPACE.symbol(name) for name in NAMES}
ATOMS = [
    *SYMBOLS.values(),
    SPACE.cos(SYMBOLS["a"]),
    SPACE.sin(SYMBOLS["a"] + SYMBOLS["b"]),
    SPACE.cos(2 * SYMBOLS["b"]),
    SPACE.sin(SYMBOLS["c"]),
    SPACE.sqrt(2),
    SPACE.sqrt(6),
    1 / SYMBOLS["l"],
    SPACE.sqrt(SYMBOLS["x"] + 3),
    1 / (2 + SPACE.cos(SYMBOLS["c"])),
]
rational = st.fractions(-3, 3, max_denominator=12)
term = st.tuples(rational, st.lists(st.sampled_from(range(len(ATOMS))), max_size=3))


@st.composite
def values(draw):
    total = SPACE.constant(0)
    for c, factors in draw(st.lists(term, max_size=4)):
        product = SPACE.constant(c)
        for k in factors:
            product = product * ATOMS[k]
        total = total + product
    return total


def numbers(seed):
    rng = np.random.default_rng(seed)
    return {name: rng.uniform(0.4, 1.4) for name in NAMES}


@given(x=values(), y=values(), z=values())
def test_values_form_a_commutative_ring(x, y, z):
    assert x + y == y + x
    assert (x + y) + z == x + (y + z)
    assert x * y == y * x
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x + 0 == x
    assert x * 1 == x
    assert not x - x
    assert not x * 0
    assert hash(x + y) == hash(y + x)


@given(x=values(), y=values())
def test_arithmetic_is_that_of_the_numbers_the_values_stand_for(x, y):
    given = numbers(1)
    a, b = (evaluate(v, NUMERIC, given) for v in (x, y))
    size = 1 + sum(abs(evaluate(v, NUMERIC, given)) for v in (x * y, x, y))
    bound = 1e-12 * size * (1 + abs(a)) * (1 + abs(b))
    assert abs(evaluate(x + y, NUMERIC, given) - (a + b)) < bound
    assert abs(evaluate(x * y, NUMERIC, given) - a * b) < bound


@given(x=values(), y=values(), k=st.sampled_from(NAMES))
def test_derivative_of_a_product_follows_leibniz(x, y, k):
    def d(v):
        return OPS.gradient(v, SYMBOLS[k])[0]

    assert d(x * y) == d(x) * y + x * d(y)
    assert d(x + 3 * y) == d(x) + 3 * d(y)


@given(x=values(), k=st.sampled_from(NAMES))
def test_derivative_agrees_with_differences(x, k):
    """Central differences of fourth order: error of order h^4."""
    h, at = 1e-3, numbers(2)
    found = evaluate(OPS.gradient(x, SYMBOLS[k])[0], NUMERIC, at)
    shifted = [evaluate(x, NUMERIC, {**at, k: at[k] + n * h}) for n in (-2, -1, 1, 2)]
    difference = (shifted[0] - 8 * shifted[1] + 8 * shifted[2] - shifted[3]) / (12 * h)
    scale = 1 + sum(abs(c) for _, c in x.coefficients())
    assert abs(found - difference) < 1e-6 * float(scale)


@given(x=values(), y=values())
def test_jtimes_is_the_jacobian_times_the_rate(x, y):
    column = OPS.vec(*SYMBOLS.values())
    rate = OPS.vec(*(SYMBOLS["m"] * (k + 1) - k for k in range(len(NAMES))))
    expression = OPS.vec(x, y)
    assert OPS.jtimes(expression, column, rate) == OPS.jacobian(expression, column) @ rate


@given(x=values(), y=values(), k=st.sampled_from(NAMES))
def test_substitution_is_evaluation_with_another_number(x, y, k):
    at = numbers(3)
    (found,) = OPS.substitute([x], SYMBOLS[k], SYMBOLS["m"] / 2 + SYMBOLS["a"] / 3 + 1)
    new = at["m"] / 2 + at["a"] / 3 + 1
    expected = evaluate(x, NUMERIC, {**at, k: new})
    scale = 1 + float(sum(abs(c) for _, c in x.coefficients()))
    assert evaluate(found, NUMERIC, at) == pytest.approx(expected, abs=1e-9 * scale)


def test_powers_and_division():
    m, l = SYMBOLS["m"], SYMBOLS["l"]
    assert (m + l) ** 3 == m * m * m + 3 * m * m * l + 3 * m * l * l + l * l * l
    assert (m + l) ** 0 == 1
    assert m**2 * l / (m * l) == m
    assert m / 4 == m * 0.25 == m * Fraction(1, 4)
    assert (m * l) ** -2 * m**2 * l**2 == 1
    assert 1 / (2 * SPACE.sqrt(2)) == SPACE.sqrt(2) / 4
    inverse = 1 / (m + l)
    assert 3 / (2 * m + 2 * l) == Fraction(3, 2) * inverse
    assert m / (m * m + m * l) == inverse
    with pytest.raises(ZeroDivisionError):
        m / (l - l)


def test_numpy_scalars_are_numbers():
    m = SYMBOLS["m"]
    assert np.float64(0.5) * m == m / 2
    assert np.float64(2) + m == m + 2
    assert m - np.int64(1) == -(np.int64(1) - m)


def test_a_value_that_grows_past_the_limit_is_refused():
    space = Space(max_terms=10)
    total = sum((space.symbol(f"x{k}") for k in range(5)), space.constant(0))
    with pytest.raises(TooLarge, match="15 terms"):
        total * total
