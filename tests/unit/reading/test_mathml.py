"""MathML: well formed, every symbol named, and the same formula as the LaTeX."""

from xml.etree import ElementTree

import pytest
from tests.unit.reading.mathml_as_latex import as_latex

from pliant.reading.algebra import Space, latex, readable_ops
from pliant.reading.algebra.symbols import latex_name
from pliant.reading.forms import Call
from pliant.reading.mathml import MATHML, math, mathml


@pytest.fixture
def space():
    return Space()


def parsed(markup):
    return ElementTree.fromstring(f"<math>{markup}</math>")


def names(markup):
    return {e.get("data-name") for e in parsed(markup).iter("mi") if e.get("data-name")}


NAMES = ("m", "l11", "alpha1", "phi_L", "crank.mass", "torque", "mass2", "I_xy2", "pin.my_angle",
         "x'", "alpha1''", "pin.angle'")  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_symbols_are_written_as_in_latex_and_bear_their_names(space, name):
    value = space.symbol(name)
    assert as_latex(parsed(mathml(value))) == latex(value).replace(r"\_", "_")
    assert names(mathml(value)) == {name}


def test_indices_accents_and_greek(space):
    _, u, _ = space.coordinate("alpha1")
    assert mathml(u) == (
        '<msub data-name="alpha1\'"><mover accent="true" data-name="alpha1\'">'
        '<mi data-name="alpha1\'">α</mi><mo>˙</mo></mover><mn>1</mn></msub>'
    )


def test_products_fractions_powers_and_functions(space):
    m, g, l, q = (space.symbol(n) for n in ("m", "g", "l", "q"))
    value = (
        m * g / (2 * l) * space.cos(q) ** 2
        + 1 / l
        - 3 / (l * l * m)
        + 2.1e11 * m
        + space.sin(q - l)
    )
    assert as_latex(parsed(mathml(value))) == latex(value)
    assert names(mathml(value)) == {"m", "g", "l", "q"}


def test_numbers(space):
    for number in (0, 1, -1, 0.25, 9.81, 1e-5, 2.1e11):
        value = number * space.symbol("m") if number else space.constant(0)
        assert as_latex(parsed(mathml(value))) == latex(value)


def test_brackets_and_collected_masses(space):
    m, a, b = (space.symbol(n) for n in ("m1", "a", "b"))
    value = m * a * a + m * b + m * a * b
    assert as_latex(parsed(mathml(value, [m]))) == latex(value, [m])


def test_matrices_and_columns(space):
    ops = readable_ops(space)
    x, y = space.symbol("x"), space.symbol("y")
    matrix = ops.mat([[x, 0], [1, x * y]])
    assert as_latex(parsed(mathml(matrix))) == latex(matrix)
    column = parsed(MATHML.column([mathml(x), mathml(y)]))
    assert as_latex(column) == r"\begin{bmatrix} x \\ y \end{bmatrix}"


@pytest.mark.parametrize("function", ["lt", "le", "eq", "logical_and", "logical_or", "reciprocal",
                                      "power", "sqrt", "abs", "asin", "log", "maximum", "tanh",
                                      "atan2"])  # fmt: skip
def test_functions_and_comparisons(space, function):
    from pliant.reading.algebra import equation_lines

    a, b = space.symbol("a"), space.symbol("b")
    arguments = tuple(equation_lines(v) for v in (a + b, b))
    form = Call(function, arguments)
    assert as_latex(parsed(mathml(form))) == latex(form)


def test_signs_of_markup_are_escaped():
    space = Space()
    value = space.symbol("a<b&c", "a<b&c", r"\mathrm{a<b&c}")
    root = parsed(mathml(value))
    assert names(mathml(value)) == {"a<b&c"}
    assert "".join(root.itertext()) == "a<b&c"


def test_a_whole_equation_is_one_element(space):
    root = ElementTree.fromstring(math(MATHML.number("0"), mathml(space.symbol("x"))))
    assert root.tag == "math"
    assert "".join(root.itertext()) == "0=x"


@pytest.mark.parametrize("name", ["φ", "rod.φ1", "a&b", "übung", "x^2", "a b", "a{b}", "a_b_c"])
def test_any_name_is_shown_as_it_is(name):
    assert "".join(parsed(MATHML.given(latex_name(name))).itertext()) == name
