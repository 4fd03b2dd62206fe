"""The formula language: precedence, every function, safety."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pliant as pl
from pliant.errors import FormulaError, UnitError
from pliant.model.formulas import Formula, formula, from_tree
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.formulas.parser import parse
from pliant.model.formulas.tree import Call, Name, Node, Number, text_of
from pliant.spatial.symbolic import SYMBOLIC

PRECEDENCE = {
    "1 + 2*3": 7,
    "(1 + 2)*3": 9,
    "2**3**2": 512,
    "2^3": 8,
    "-2**2": -4,
    "(-2)**2": 4,
    "2**-1": 0.5,
    "1 - 2 - 3": -4,
    "8/4/2": 1,
    "-3 + 5": 2,
    "--3": 3,
    "+4": 4,
    "2*-3": -6,
    ".5e1": 5,
    "1e3": 1000,
    "pi": math.pi,
    "2*pi": 2 * math.pi,
    "piecewise(1 < 2 and not 3 < 2, 10, 20)": 10,
    "piecewise(1 > 2 or 2 >= 2, 10, 20)": 10,
    "piecewise(0 < 1 < 1, 10, 20)": 20,
    "piecewise(1 == 1 and 1 != 2, 10, 20)": 10,
    "piecewise(1 > 2, 1, 3 > 2, 2, 3)": 2,
    "piecewise(1 > 2, 1, 3 < 2, 2, 3)": 3,
}


@pytest.mark.parametrize("text", PRECEDENCE)
def test_precedence(text: str) -> None:
    assert formula(text).value == pytest.approx(PRECEDENCE[text])


ELEMENTARY: dict[str, Callable[..., Any]] = {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp,
    "log": np.log, "sqrt": np.sqrt, "abs": np.abs, "sign": np.sign, "floor": np.floor,
    "atan2": np.arctan2, "hypot": np.hypot, "min": np.minimum, "max": np.maximum, "mod": np.mod,
    "clip": np.clip, "ramp": lambda x, a, b: np.interp(x, [a, b], [0, 1]),
    "smoothstep": lambda x, a, b: np.polyval([6, -15, 10, 0, 0, 0], (x - a) / (b - a)),
}  # fmt: skip
ARGUMENTS = {1: (0.3,), 2: (0.7, 0.4), 3: (0.6, 0.2, 0.9)}


@pytest.mark.parametrize("name", [*ELEMENTARY])
def test_functions_agree_with_numpy_as_numbers_and_as_symbols(name: str) -> None:
    args = ARGUMENTS[FUNCTIONS[name].least]
    expected = ELEMENTARY[name](*args)
    f = formula(f"{name}({', '.join('abc'[: len(args)])})")
    values = dict(zip("abc", args, strict=False))
    assert f.number(values) == pytest.approx(expected)
    symbols = {key: casadi.SX.sym(key) for key in values}
    compiled = casadi.Function("f", list(symbols.values()), [f.evaluate(SYMBOLIC, symbols.get)])
    assert float(compiled(*args)) == pytest.approx(expected)


def test_every_function_is_tested() -> None:
    assert {*ELEMENTARY, "piecewise", "table", "spline"} == set(FUNCTIONS)


XS, YS = [0.0, 1.0, 2.5, 4.0], [1.0, -1.0, 0.5, 3.0]


def test_table_is_linear_interpolation_held_at_the_ends() -> None:
    f = formula(f"table(x, {XS}, {YS})")
    for x in np.linspace(-1, 5, 61):
        assert f.number({"x": x}) == pytest.approx(np.interp(x, XS, YS))


def test_spline_is_natural_twice_differentiable_and_straight_outside() -> None:
    f = formula(f"spline(x, {XS}, {YS})")
    x = casadi.SX.sym("x")
    y = f.evaluate(SYMBOLIC, {"x": x}.get)
    dy = casadi.jacobian(y, x)
    ddy = casadi.jacobian(dy, x)
    derivatives = casadi.Function("d", [x], [y, dy, ddy])
    for knot, value in zip(XS, YS, strict=True):
        left = np.array(derivatives(knot - 1e-9)).ravel()
        right = np.array(derivatives(knot + 1e-9)).ravel()
        assert left[0] == pytest.approx(value, abs=1e-7)
        assert left == pytest.approx(right, abs=1e-7)
    assert float(derivatives(XS[0] - 1)[2]) == 0
    assert float(derivatives(XS[-1] + 1)[2]) == 0


def test_smoothstep_has_zero_first_and_second_derivative_at_its_ends() -> None:
    x = casadi.SX.sym("x")
    y = formula("smoothstep(x, 1, 3)").evaluate(SYMBOLIC, {"x": x}.get)
    dy = casadi.jacobian(y, x)
    d = casadi.Function("d", [x], [y, dy, casadi.jacobian(dy, x)])
    for at, value in ((1 + 1e-9, 0), (3 - 1e-9, 1)):
        assert np.array(d(at)).ravel() == pytest.approx([value, 0, 0], abs=1e-7)


NUMBERS = st.floats(-50, 50).map(lambda v: round(v, 3))


def _node(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    pair = st.tuples(children, children)
    binary = st.builds(Call, st.sampled_from(["+", "-", "*", "/", "**", "min", "max"]), pair)
    unary = st.builds(Call, st.sampled_from(["neg", "sin", "abs"]), st.tuples(children))
    condition = st.builds(Call, st.sampled_from(["<", ">=", "=="]), pair)
    joined = st.builds(Call, st.sampled_from(["and", "or"]), st.tuples(condition, condition))
    negated = st.builds(Call, st.just("not"), st.tuples(joined))
    conditions = st.one_of(condition, joined, negated)
    choice = st.builds(Call, st.just("piecewise"), st.tuples(conditions, children, children))
    return st.one_of(binary, unary, choice)


LEAVES: st.SearchStrategy[Node] = st.one_of(
    st.builds(Number, NUMBERS), st.builds(Name, st.sampled_from(["a", "b", "O.angle"]))
)


def _normal(node: Node) -> Node:
    """The tree as a parser would make it: signs of numbers folded, no negative zero."""
    if isinstance(node, Number):
        return Number(node.value + 0.0)
    if not isinstance(node, Call):
        return node
    args = tuple(_normal(a) for a in node.args)
    if node.function == "neg" and isinstance(args[0], Number):
        return Number(-args[0].value)
    return Call(node.function, args)


@given(st.recursive(LEAVES, _node, max_leaves=25))
@example(Call("**", (Call("neg", (Number(0.0),)), Number(0.0))))
def test_text_of_any_tree_parses_to_the_same_tree(tree: Node) -> None:
    tree = _normal(tree)
    assert parse(text_of(tree)) == tree


def _expression(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.tuples(children, st.sampled_from(["+", "-", "*", "/"]), children).map(" ".join)
    powers = st.tuples(children, st.integers(0, 3)).map(lambda p: f"({p[0]})**{p[1]}")
    return st.one_of(joined, powers, children.map("({})".format), children.map("-{}".format))


@given(st.recursive(NUMBERS.map(abs).map(str), _expression, max_leaves=20))
def test_arithmetic_is_pythons(text: str) -> None:
    try:
        expected = eval(text)  # the oracle: digits and operators made above
    except ArithmeticError:
        return
    if abs(expected) < 1e100:
        assert formula(text).value == pytest.approx(expected, rel=1e-12, abs=1e-12)


REFUSED = {
    "__import__('os')": "unexpected",
    "().__class__": "unexpected",
    "a.__class__.__bases__": "is not a name",
    "__import__(3)": "unknown function",
    "eval(3)": "unknown function",
    "lambda x: x": "unexpected",
    "[x for x in y]": "a list stands here",
    "{1: 2}": "unexpected",
    "x := 3": "unexpected",
    "f'{x}'": "unexpected",
    "a[0]": "unexpected",
    "a; b": "unexpected",
    "1 if 2 else 3": "if",
    "x = 3": "write == to compare",
    "a && b": "write 'and'",
    "(" * 100 + "1" + ")" * 100: "nested",
    "-" * 5000 + "1": "",
    "+".join(["1"] * 3000): "",
    "1" * 30000: "characters",
    "1" * 19000 + "x": "characters",
    "1 " + "m" * 10000: "characters",
    "a" * 10000: "characters",
    " " * 19000 + "$": "unexpected",
    "1e999": "too large",
    "nan": "finite",
    "2 x": "unknown unit",
    "x 2": "unexpected",
    "sin": "is a function",
    "sin()": "0 arguments where 1 are needed",
    "sin(1, 2)": "2 arguments where 1",
    "sin(1": "is not closed",
    "1 < 2 + (2 < 3)": "needs numbers",
    "not 3": "needs a condition",
    "a and 2": "needs conditions",
    "sin(1 < 2)": "a condition is not a number",
    "sin([1])": "a list is not a number",
    "piecewise(1, 2, 3)": "argument 1 must be a condition",
    "piecewise(1 < 2, 2, 3, 4)": "is missing",
    "table(x, [1, 2], [1])": "2 abscissae but 1 ordinates",
    "table(x, [1, y], [1, 2])": "numbers only",
    "table(x, [1], [1])": "at least two points",
    "arcsin(1)": "write asin",
    "": "empty",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_formula_is_refused_with_its_place(text: str) -> None:
    with pytest.raises((FormulaError, UnitError)) as caught:
        formula(text)
    assert REFUSED[text] in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.text(max_size=40))
def test_any_text_is_a_formula_or_an_input_error(text: str) -> None:
    try:
        result = formula(text)
    except (FormulaError, UnitError):
        return
    assert isinstance(result, Formula)
    assert formula(result.text) == result


def test_huge_powers_have_no_value_and_take_no_time() -> None:
    assert math.isnan(formula("9**9**9**9").value) or math.isinf(formula("9**9**9**9").value)


@pytest.mark.parametrize("value", [True, None, [1], {"a": 1}, object(), math.nan, math.inf, 1e200])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(FormulaError):
        formula(value)


def test_names_constants_and_equality() -> None:
    f = formula("l2/2 + O.angle*t + pi + hand.position.x")
    assert f.names == {"l2", "O.angle", "t", "hand.position.x"}
    assert not f.is_constant
    with pytest.raises(FormulaError, match="reads"):
        _ = f.value
    assert formula(" 3.0 ") == formula(3) == formula("3")
    assert formula("1500 mm") == formula(1.5)
    assert formula("a+b") == formula("a + b") != formula("b + a")
    assert pickle.loads(pickle.dumps(f)) == f
    assert hash(formula("a+b")) == hash(formula("a + b"))


def test_formulas_combine() -> None:
    length = formula("l + 1")
    area = 2 * length**2 / 3 - "b" + (-length)
    assert area.number({"l": 2.0, "b": 1.0}) == pytest.approx(2 * 9 / 3 - 1 - 3)
    assert formula(area.text) == area
    assert formula(6) * 7 == formula(42)
    assert from_tree(Number(2.0)) == formula(2)


def test_undefined_branch_of_piecewise_does_no_harm() -> None:
    assert formula("piecewise(a > 0, 1/a, 7)").number({"a": 0.0}) == 7


def test_a_constant_alone_is_a_number() -> None:
    assert formula("pi").number({}) == formula("pi").value == math.pi
    text = """
pliant: 1
bodies: {a: {box: {size: [1, 1, pi], mass: pi}}}
joints: {A: {revolute: {axis: z}, between: [ground, a], initial: {angle: pi}}}
forces: {load: {torque: [0, 0, pi], at: a}}
"""
    load = pl.loads(text).model.forces["load"]
    assert [f.number({}) for f in load.torque] == [0.0, 0.0, math.pi]
