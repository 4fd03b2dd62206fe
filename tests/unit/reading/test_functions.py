"""Functions without a normal form: shared definitions, exact derivatives, folding of numbers."""

import casadi as ca
import numpy as np
import pytest

from pliant.errors import UnknownName
from pliant.reading.algebra import (
    Space,
    definitions_of,
    definitions_text,
    evaluate,
    readable_ops,
    text,
    written_definitions,
)
from pliant.spatial.ops import NUMERIC
from pliant.spatial.symbolic import SYMBOLIC

UNARY = ("tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "abs")
FLAT = ("sign", "floor")
BINARY = ("atan2", "minimum", "maximum", "hypot")
CASES = {
    **{f: lambda ops, x, y, f=f: y * getattr(ops, f)(x * y / 3 + 0.1) for f in UNARY + FLAT},
    **{f: lambda ops, x, y, f=f: x * getattr(ops, f)(x - y, 2 * x * y) for f in BINARY},
    "where": lambda ops, x, y: ops.where(ops.lt(x, y), x * x, y * x),
    "where not": lambda ops, x, y: ops.where(ops.logical_not(ops.le(x, y)), x * x, y * x),
    "where and": lambda ops, x, y: ops.where(
        ops.logical_and(ops.lt(x, y), ops.lt(y, 2 * x)), x * x, y
    ),
    "where or": lambda ops, x, y: ops.where(ops.logical_or(ops.eq(x, y), ops.lt(y, x)), x * x, y),
    "reciprocal": lambda ops, x, y: y / (x + y * y),
    "power": lambda ops, x, y: (x + y) ** 1.7 + x**-2 + (x * y) ** 1.5,
}


@pytest.mark.parametrize("case", CASES)
def test_value_and_derivatives_agree_with_casadi(case):
    build = CASES[case]
    space = Space()
    ops = readable_ops(space)
    x, y = space.symbol("x"), space.symbol("y")
    own = build(ops, x, y)
    X, Y = ca.SX.sym("x"), ca.SX.sym("y")
    other = build(SYMBOLIC, X, Y)
    reference = ca.Function("f", [X, Y], [other, ca.gradient(other, ca.vertcat(X, Y))])
    slope = ops.gradient(own, ops.vec(x, y))
    for at in ((0.4, 0.9), (0.8, 0.3)):
        value, gradient = reference(*at)
        given = dict(zip("xy", at, strict=True))
        assert evaluate(own, NUMERIC, given) == pytest.approx(float(value), rel=1e-13)
        found = evaluate(slope, NUMERIC, given)
        assert np.allclose(found, np.array(gradient), rtol=1e-13, atol=1e-14)


def test_values_can_be_evaluated_as_casadi_expressions():
    space = Space()
    x, y = space.symbol("x"), space.symbol("y")
    value = space.sqrt(x * x + y) * space.cos(x + y) + 1 / (x + y)
    X, Y = ca.SX.sym("x"), ca.SX.sym("y")
    found = ca.Function("f", [X, Y], [evaluate(value, SYMBOLIC, {"x": X, "y": Y})])
    expected = np.sqrt(0.49 + 0.3) * np.cos(1.0) + 1 / 1.0
    assert float(found(0.7, 0.3)) == pytest.approx(expected, rel=1e-15)


def test_equal_definitions_are_shared_and_listed_once():
    space = Space()
    ops = readable_ops(space)
    x, y = space.symbol("x"), space.symbol("y")
    value = space.sqrt(x + y) * x + ops.exp(space.sqrt(y + x)) + 3 / (4 * x + 4 * y)
    assert len(definitions_of([value])) == 3
    assert definitions_text(written_definitions([value])) == (
        "root1 = sqrt(x + y)\nexp1 = exp(root1)\ninverse1 = 1/(x + y)"
    )
    assert text(value) == "x*root1 + exp1 + 3*inverse1/4"


def test_functions_of_numbers_are_numbers():
    space = Space()
    ops = readable_ops(space)
    x = space.symbol("x")
    assert ops.where(ops.lt(1, 2), x, 3) == x
    assert ops.maximum(2, 3) == 3
    assert ops.exp(0) == 1
    assert ops.hypot(3, 4) == 5
    assert ops.abs(-0.5) == 0.5


def test_squares_leave_a_root():
    space = Space()
    m, l = space.symbol("m"), space.symbol("l")
    assert space.sqrt(m**2 * l**2 / 4) == m * l / 2
    assert space.sqrt(8 * m**2) == 2 * space.sqrt(2) * m
    assert space.sqrt(l**2 * m + l**2) == l * space.sqrt(m + 1)
    q, _, _ = space.coordinate("q")
    assert text(space.sqrt(q * q)) == "root2"


def test_functions_of_time_have_their_own_derivatives():
    space = Space()
    ops = readable_ops(space)
    m, T = space.symbol("m"), space.function_of_time("T")
    first = ops.jtimes(m * T * T, space.symbol("t"), 1)
    second = ops.jtimes(first, space.symbol("t"), 1)
    T1, T2 = space.symbol("T_dot"), space.symbol("T_ddot")
    assert first == 2 * m * T * T1
    assert second == 2 * m * (T1 * T1 + T * T2)
    assert text(second) == "2*m*T*T'' + 2*m*T'**2"
    assert definitions_of([second]) == []
    assert evaluate(second, NUMERIC, {"m": 1.0, "T": 2.0, "T_dot": 3.0, "T_ddot": 4.0}) == 34.0


def test_a_symbol_without_a_value_is_named():
    space = Space()
    with pytest.raises(UnknownName, match="'m' has no value"):
        evaluate(space.symbol("m") * space.symbol("l"), NUMERIC, {"l": 1.0})


def test_long_chains_of_definitions_are_followed():
    """x_n = x_(n-1) + x_0²/n, a name each: no limit on how deep names rest on each other."""
    space = Space(naming_limit=1)
    ops = readable_ops(space)
    x = value = space.symbol("x")
    for n in range(1, 2000):
        value = space.name("step", value + x * x / n)
    harmonic = sum(1 / n for n in range(1, 2000))
    assert evaluate(value, NUMERIC, {"x": 2.0}) == pytest.approx(2 + 4 * harmonic, rel=1e-12)
    slope = evaluate(ops.jtimes(value, x, 1), NUMERIC, {"x": 2.0})
    assert slope == pytest.approx(1 + 4 * harmonic, rel=1e-12)
    (replaced,) = ops.substitute([value], x, space.constant(0))
    assert replaced == 0
