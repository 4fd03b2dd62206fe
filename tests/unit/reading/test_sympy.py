"""SymPy expressions of values, and back."""

import numpy as np
import pytest
import sympy as sp
from tests.unit.reading.mechanisms import Rotor, SliderCrank
from tests.unit.reading.reading import from_sympy

from pliant.reading.algebra import Space, evaluate, readable_ops, to_sympy
from pliant.spatial.ops import NUMERIC


@pytest.mark.parametrize("mechanism", [SliderCrank, Rotor])
def test_equations_return_unchanged(mechanism):
    own = mechanism()
    rows = [own.Q1, own.Q2] if mechanism is SliderCrank else own.rows
    for row in rows:
        assert from_sympy(own.space, to_sympy(row)) == row


def test_roots_quotients_and_matrices_return_unchanged():
    space = Space()
    ops = readable_ops(space)
    m, l, q = (space.symbol(n) for n in "mlq")
    matrix = ops.mat([[space.sqrt(6) * m / l, space.cos(q)], [0, m**2 - 0.3]])
    expression = to_sympy(matrix)
    assert expression.shape == (2, 2)
    assert from_sympy(space, expression) == matrix


def test_trigonometric_expressions_of_sympy_come_in_normal_form():
    space = Space()
    x = sp.Symbol("x")
    assert from_sympy(space, sp.cos(x) ** 4 - sp.sin(x) ** 4 - sp.cos(2 * x)) == 0
    assert from_sympy(space, sp.sqrt(8) / sp.sqrt(2)) == 2


def test_definitions_are_expanded_on_demand():
    space = Space()
    ops = readable_ops(space)
    x, y = space.symbol("x"), space.symbol("y")
    value = (
        space.sqrt(x + y) / (x + 2 * y) + ops.where(ops.lt(x, y), x, y) * ops.atan2(x, y)
        + ops.maximum(x, y) * ops.abs(x - y) + ops.where(ops.logical_not(ops.le(y, x)), 1, 2)
        + (x + y) ** 0.3 + ops.tan(x)
    )  # fmt: skip
    symbols = sp.symbols("x y")
    assert len(to_sympy(value).free_symbols) > 5
    expanded = to_sympy(value, expand=True)
    assert expanded.free_symbols == set(symbols)
    for at in ((0.3, 0.8), (0.9, 0.2)):
        expected = evaluate(value, NUMERIC, dict(zip("xy", at, strict=True)))
        found = float(expanded.subs(dict(zip(symbols, at, strict=True))))
        assert np.isclose(found, expected, rtol=1e-12)
