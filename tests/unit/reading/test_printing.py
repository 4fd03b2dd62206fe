"""Text and LaTeX: numbers, names, brackets, matrices, definitions, folding."""

from fractions import Fraction

import pytest

from pliant.reading.algebra import (
    Space,
    bracketed,
    definitions_latex,
    equation_lines,
    folded,
    latex,
    readable_ops,
    text,
    written_definitions,
)
from pliant.reading.algebra.symbols import latex_name


@pytest.fixture
def space():
    return Space()


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (9.81, "9.81*m"), (0.25, "m/4"), (Fraction(5, 12), "5*m/12"), (0.1, "0.1*m"),
        (1e-5, "1e-5*m"), (2.1e11, "2.1e11*m"), (3, "3*m"), (-1, "-m"), (1500, "1500*m"),
        (0.8910065241883679, "0.891006524188368*m"), (1.5, "3*m/2"), (1234567, "1234567*m"),
    ],
)  # fmt: skip
def test_coefficients(space, number, written):
    assert text(number * space.symbol("m")) == written


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("l11", "l_{11}"), ("alpha1", r"\alpha_{1}"), ("phi_L", r"\phi_{L}"), ("m", "m"),
        ("crank.mass", r"\mathrm{crank.mass}"), ("omega", r"\omega"), ("J3x", "J_{3x}"),
        ("torque", r"\mathrm{torque}"), ("mass2", r"\mathrm{mass}_{2}"), ("lam", r"\lambda"),
        ("I_xy2", "I_{xy2}"), ("pin.my_angle", r"\mathrm{pin.my\_angle}"),
    ],
)  # fmt: skip
def test_latex_names(name, written):
    assert latex_name(name) == written


def test_time_derivatives(space):
    _, u, a = space.coordinate("alpha1")
    assert (text(u), text(a)) == ("alpha1'", "alpha1''")
    assert (latex(u), latex(a)) == (r"\dot{\alpha}_{1}", r"\ddot{\alpha}_{1}")
    assert latex(space.symbol("pin.angle''")) == r"\ddot{\mathrm{pin.angle}}"
    q = space.coordinate("pin.angle2", text="beta")
    assert (text(q[1]), latex(q[1])) == ("beta'", r"\dot{\beta}")


def test_quotients(space):
    m, g, l = (space.symbol(n) for n in "mgl")
    q = space.symbol("q")
    value = m * g / (2 * l) * space.cos(q) + 1 / l - 3 / (l * l * m)
    assert text(value) == "-3/(m*l**2) + 1/l + m*g*cos(q)/(2*l)"
    assert latex(value) == r"-\frac{3}{m l^{2}} + \frac{1}{l} + \frac{m g}{2 l} \cos q"


def test_factors_keep_the_order_of_declaration(space):
    z, b, a = (space.symbol(n) for n in "zba")
    assert text(a * b * z / 2) == "z*b*a/2"


def test_zero_and_one(space):
    zero = space.constant(0)
    assert (text(zero), latex(zero)) == ("0", "0")
    assert (text(zero + 1), latex(zero - 1)) == ("1", "-1")
    assert text(bracketed(zero)) == "0"


def test_double_angles_become_squares_where_they_are_shorter(space):
    a, m = space.symbol("a"), space.symbol("m")
    assert text(m * space.cos(a) ** 2) == "m*cos(a)**2"
    assert text(space.sin(a) ** 2 * 3) == "3*sin(a)**2"
    assert text(space.sin(2 * a) * m) == "2*m*sin(a)*cos(a)"
    assert text(space.cos(2 * a)) == "cos(2*a)"
    assert latex(space.sin(a) ** 2) == r"\sin^{2} a"


def test_common_factors_and_signs_leave_the_bracket(space):
    m, x, y = (space.symbol(n) for n in "mxy")
    assert text(bracketed(-m * x - m * y)) == "-m*(x + y)"
    assert text(bracketed(m * x / 4 - m * y / 4)) == "m/4*(x - y)"
    assert text(bracketed(x + y)) == "x + y"
    assert latex(bracketed(m * x / 4 - m * y / 4)) == r"\frac{m}{4} \left(x - y\right)"


def test_parameters_are_collected_in_the_rest(space):
    m, n, x, y = (space.symbol(k) for k in "mnxy")
    value = m * x + m * y + n * x - n * y + x * y
    assert text(equation_lines(value, parameters=[m, n])) == "m*(x + y) + n*(x - y) + x*y"
    mixed = m * x / n + m * y + x / m
    assert text(equation_lines(mixed, parameters=["m", "n"])) == "m*(x/n + y) + x/m"


def test_matrices(space):
    ops = readable_ops(space)
    m, q = space.symbol("m"), space.symbol("q")
    matrix = ops.mat([[m, 0], [m * space.cos(q) / 2, -1]])
    assert text(matrix) == "[m           0 ]\n[m*cos(q)/2  -1]"
    assert latex(matrix) == (
        "\\begin{pmatrix}\nm & 0 \\\\\n\\frac{m}{2} \\cos q & -1\n\\end{pmatrix}"
    )


def test_definitions(space):
    ops = readable_ops(space)
    x, y = space.symbol("x"), space.symbol("y")
    value = space.sqrt(x + y) + ops.where(ops.lt(x, y), x, y) + 1 / (x + y) + ops.tan(x)
    assert definitions_latex(written_definitions([value])) == "\n".join([
        r"\mathrm{root}_{1} &= \sqrt{x + y} \\",
        r"\mathrm{lt}_{1} &= x < y \\",
        r"\mathrm{case}_{1} &= \operatorname{where}\left(\mathrm{lt}_{1}, x, y\right) \\",
        r"\mathrm{inverse}_{1} &= \frac{1}{x + y} \\",
        r"\mathrm{tan}_{1} &= \tan\left(x\right)",
    ])  # fmt: skip


def test_long_lines_are_folded_before_signs():
    line = "0 = " + " + ".join(f"a{k}*b{k}" for k in range(12))
    short = folded(line, width=30, indent=4)
    rows = short.split("\n")
    assert all(len(row) <= 30 for row in rows)
    assert all(row.startswith("    + ") for row in rows[1:])
    assert " ".join(row.strip() for row in rows) == line
