"""Readable equations of systems: names, forms, orders, substitution, SymPy, refusals."""

import re
from pathlib import Path

import numpy as np
import pytest
import sympy

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.errors import CapabilityError, InputError, UnknownName
from pliant.reading.algebra import text

EXAMPLES = Path(__file__).parents[3] / "examples"


def load(name):
    return pl.load(EXAMPLES / f"{name}.yaml")


def test_a_joint_with_one_coordinate_gives_it_its_name():
    e = load("planar_slider_crank").equations()
    assert [text(q) for q in e.coordinates] == ["O", "S", "A"]
    assert [text(u) for u in e.speeds] == ["O'", "S'", "A'"]
    assert [text(a) for a in e.accelerations] == ["O''", "S''", "A''"]


def test_other_names_are_used_everywhere():
    e = load("pendulum").equations(names={"pivot.angle": "theta"})
    assert e.rows == ("theta",)
    assert "theta''" in e.text()
    assert r"\ddot{\theta}" in e.latex()
    assert {str(s) for s in e.sympy()["residual"].free_symbols} == {"L", "m", "theta", "theta''"}


@pytest.mark.parametrize(
    ("names", "fault"),
    [
        ({"pivot.angel": "theta"}, r"no coordinate is named pivot\.angel; known: pivot\.angle"),
        ({"pivot.angle": "m"}, "'m' would mean two things"),
    ],
)
def test_names_that_cannot_be_given_are_refused(names, fault):
    with pytest.raises(InputError, match=fault):
        load("pendulum").equations(names=names)


def test_substitution_by_printed_names():
    e = load("pendulum").equations().subs({"m": 2, "pivot''": 0, "L": 0.5})
    assert list(e.residual) == [e.space.constant(9.81) * e.space.cos(e.coordinates[0])]
    with pytest.raises(UnknownName, match="no symbol is named mass"):
        load("pendulum").equations().subs({"mass": 2})


def numbers(system, choice, symbols):
    """Values of printed symbols at the assembled initial state with random speeds."""
    prepared = prepare(
        system,
        choice,
        functions=("explicit", "constraints", "initial", "tangent", "bodies", "start_states"),
        interpret=True,
    )
    start = initial_state(system, prepared, None, 0.0)
    c, x = prepared.compiled, start.x.copy()
    x[1 + c.nq : 1 + c.nq + c.nu] = np.random.default_rng(0).standard_normal(c.nu)
    found = {s.name: x[1 + k] for k, s in enumerate(c.layout.q)}
    found |= {s.name: x[1 + c.nq + k] for k, s in enumerate(c.layout.u)}
    found |= system.model.parameter_values() | {"t": 0.0}
    values = {s.text: found[s.name] for s in symbols if s.name in found}
    rates = {f"{s.text}'": found[f"{s.name}_rate"] for s in symbols if f"{s.name}_rate" in found}
    y = c.call("explicit", x, start.p)
    return values | rates, {k: c.block("explicit", k, y) for k in ("M", "h", "G")}


def test_sympy_matrices_have_the_numbers_of_the_compiled_ones():
    """M and h of what is printed, evaluated by SymPy, and of the machine code."""
    system = load("planar_slider_crank")
    e = system.equations("linear-graph")
    values, compiled = numbers(system, Choice("linear-graph"), e.space.symbols)
    found = e.sympy()
    for name, block in (("mass_matrix", "M"), ("forcing", "h")):
        got = np.array(found[name].subs({sympy.Symbol(k): v for k, v in values.items()}))
        wanted = compiled[block].reshape(got.shape)
        assert np.abs(got.astype(float) - wanted).max() < 1e-12 * np.abs(wanted).max()


def test_truncation_removes_products_of_elastic_coordinates():
    first, second = (load("rotating_beam").equations(truncate=n) for n in (1, 2))
    squared = re.compile(r"blade\.v\d\*\*2\*.*blade\.v1''")
    own = first.rows.index("blade.v1")
    assert not squared.search(text(first.residual[own]))
    assert len(second.residual[own]) > len(first.residual[own])
    assert second.truncate(1).text() == first.text()
    with pytest.raises(InputError, match="no order"):
        first.truncate(-1)


def test_letters_of_the_transformation_are_not_those_of_joints():
    """Joints of this mechanism are named J0 to J5."""
    e = load("bricard").equations(form="embedding")
    assert [text(x) for x in e.J] == ["K1", "K2", "K3", "K4"]
    assert "K = -G_d^-1 G_i" in e.text()


def test_the_transformation_is_written_out_for_two_dependent_speeds():
    e = load("planar_slider_crank").equations("linear-graph", form="embedding")
    lines = e.text().partition("Dependent coordinates\n")[2].splitlines()
    assert [re.split(" = ", line.strip())[0] for line in lines if "=" in line] == ["J1", "J2"]
    assert re.search(r"J1 = d\w+/d\w+ = ", e.text())


def test_long_lines_are_broken_outside_brackets():
    written = load("slider_crank_equations").equations().text(width=100)
    for line in written.splitlines():
        assert len(line) <= 100
        assert line.count("(") == line.count(")")


def test_everything_that_is_printed_counts():
    """Equations, constraints, and what stands for intermediate results."""
    e = load("haug_slider_crank").equations()
    definitions = e.as_dict()["definitions"]
    written = sum(map(len, [*e.residual, *e.constraints]))
    assert definitions
    assert e.size >= written + len(definitions)
    assert load("pendulum").equations().size == 2


@pytest.mark.parametrize("write", ["text", "latex", "as_dict"])
def test_equations_that_are_too_long_to_read_are_not_printed(write):
    e = load("bricard").equations(max_terms=3)
    with pytest.raises(CapabilityError, match=rf"{e.size} terms.* \(limit: 3\); .*--max-terms"):
        getattr(e, write)()
    assert getattr(load("bricard").equations(max_terms=e.size), write)()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["four_bars_40", "spatial_slider_crank", "stewart_platform"])
def test_large_examples_are_not_printed_unless_asked_for(name):
    """Matrices can be had all the same."""
    e = load(name).equations()
    assert e.mass_matrix.shape == (e.residual.numel(), e.accelerations.numel())
    with pytest.raises(CapabilityError, match=r"too many to be read \(limit: 1500\)"):
        e.text()


def test_equations_that_cannot_be_derived_for_reading_are_refused(monkeypatch):
    monkeypatch.setattr("pliant.analysis.equations.TOTAL", 3)
    fault = r"equations of \d+ terms cannot be read.*limit: 3 terms.*export C, Fortran or Python"
    with pytest.raises(CapabilityError, match=fault):
        load("bricard").equations()
    assert load("bricard").equations(max_terms=10_000).text()


def test_long_ratios_of_speeds_are_not_written_out():
    """Beyond 300 terms they are left to numbers."""
    e = load("column").equations(form="embedding")
    assert e.ratios == ()
    assert "= -G_d^-1 G_i, evaluated numerically" in e.text()


@pytest.mark.parametrize(
    ("choice", "fault"),
    [
        ({"form": "embeding"}, "unknown form 'embeding'"),
        ({"tree": "joints"}, "tree: 'joints' is no joint, body or driver"),
        ({"tree": ["O", "A", "B", "S"]}, "would close a loop"),
        ({"formulation": "recursion"}, "unknown formulation 'recursion'"),
        ({"truncate": -1}, "truncate: -1 is no order"),
        ({"max_terms": 0}, "max_terms: 0 is no number of terms"),
    ],
)
def test_choices_that_do_not_exist_are_refused(choice, fault):
    with pytest.raises(InputError, match=fault):
        load("planar_slider_crank").equations(**choice)


def test_states_of_networks_are_converted_and_substituted():
    """RLC: L i' = E - R i - q/C."""
    elements = {
        "mesh": {"junction": 1}, "E": {"Se": "E", "on": "mesh"}, "r": {"R": "R", "on": "mesh"},
        "l": {"I": "L", "on": "mesh"}, "c": {"C": "C", "on": "mesh"},
    }  # fmt: skip
    system = pl.System(
        networks=[pl.Network("n", elements)], parameters={"E": 1, "R": 2, "L": 3, "C": 4}
    )
    found = system.equations("recursive")
    (q, i), (q_rate, i_rate) = (found.sympy()[k] for k in ("states", "state_rates"))
    E, R, L, C = sympy.symbols("E R L C")
    assert q_rate == i
    assert sympy.simplify(L * i_rate - (E - R * i - q / C)) == 0
    changed = found.subs({"R": 7}).sympy()["state_rates"][1]
    assert sympy.simplify(L * changed - (E - 7 * i - q / C)) == 0


def test_a_store_that_depends_on_two_others_by_ratios_that_vary_is_written_in_few_lines():
    """(M + J3 T Tᵀ) w' = e - J3 T (T'ᵀ w): entries of the mass matrix have names."""
    elements = {
        "a": {"junction": 1}, "b": {"junction": 1}, "z": {"junction": 0}, "c": {"junction": 1},
        "j1": {"I": "J1", "on": "a"}, "j2": {"I": "J2", "on": "b"}, "j3": {"I": "J3", "on": "c"},
        "spring": {"C": {"stiffness": "k"}, "on": "a"},
        "one": {"MTF": "1 + 0.5*sin(spring.displacement)", "from": "a", "to": "z"},
        "two": {"MTF": "cos(spring.displacement)", "from": "b", "to": "z"},
    }  # fmt: skip
    values = {"J1": 2, "J2": 3, "J3": 1.5, "k": 5}
    network = pl.Network("n", elements, bonds={"zc": {"from": "z", "to": "c"}})
    found = pl.System(networks=[network], parameters=values).equations("recursive")
    written = found.text().splitlines()
    assert len(written) < 25
    assert any(line.startswith("mass_22 = ") for line in written)
    matrices, (q, w1, w2) = found.sympy(), (0.4, 1.2, -0.7)
    state = dict(zip(matrices["states"], (q, w1, w2), strict=True))
    rates = [float(rate.subs(state).subs(values)) for rate in matrices["state_rates"]]
    T, slope = np.array([1 + 0.5 * np.sin(q), np.cos(q)]), np.array([0.5 * np.cos(q), -np.sin(q)])
    right = np.array([-5 * q, 0]) - 1.5 * T * (slope @ [w1, w2]) * w1
    assert rates[1:] == pytest.approx(
        np.linalg.solve(np.diag([2, 3]) + 1.5 * np.outer(T, T), right), rel=1e-12
    )
    assert rates[0] == w1


def test_ratios_and_velocity_constraints_are_converted():
    """alpha2' = J2 alpha1' and s' = J1 alpha1' close the loop."""
    found = pl.load(EXAMPLES / "slider_crank_equations.yaml").equations(
        form="embedding", independent=["alpha1.angle"]
    )
    matrices = found.sympy()
    pairs = zip(matrices["ratio_numerators"], matrices["ratio_denominators"], strict=True)
    J = [above / below for above, below in pairs]
    speeds = list(matrices["speeds"])
    names = [str(s) for s in speeds]
    one = next(k for k, name in enumerate(names) if "alpha1" in name)
    others = [k for k in range(3) if k != one]
    gone = {speeds[k]: j * speeds[one] for k, j in zip(others, J, strict=True)}
    rows = matrices["velocity_constraints"].subs(gone)
    assert [sympy.simplify(row) for row in rows] == [0, 0]


@pytest.mark.parametrize("form", ["recursive", "multibond"])
def test_algebraic_loops_are_unknowns_with_equations_of_their_own(form):
    """Two resistances on one source, one of them cubic: nothing of how z is held is printed."""
    elements = {
        "a": {"junction": 1}, "s": {"Se": "E", "on": "a"},
        "r1": {"R": {"effort": "f**3"}, "on": "a"}, "r2": {"R": {"flow": "e + e**3"}, "on": "a"},
    }  # fmt: skip
    system = pl.System(networks=[pl.Network("n", elements)], parameters={"E": 1})
    written = system.equations(form).text()
    assert "Coordinates: none" in written
    assert "Equations of motion\n  none\n\nAlgebraic loops\n" in written
    assert "lam" not in written
    assert "integral" not in written


TOP = """
pliant: 1
parameters: {m: 2, h: 0.3, A: 0.1, C: 0.05, g: 9.81}
gravity: [0, 0, -g]
bodies: {top: {rigid: {mass: m, com: [0, 0, h], inertia: [A, A, C]}}}
joints: {ball: {spherical: {coordinates: euler313}, between: [ground, top]}}
"""
ANGLES = {"ball.angle1": "phi", "ball.angle2": "theta", "ball.angle3": "psi"}


@pytest.mark.parametrize("formulation", ["recursive", "linear-graph", "kane"])
def test_equations_of_a_heavy_top_in_euler_angles_are_those_of_the_books(formulation):
    """Euler's equations about the fixed point, and w = E(angles) angles'."""
    e = pl.loads(TOP).equations(formulation, names=ANGLES)
    assert [text(q) for q in e.coordinates] == ["phi", "theta", "psi"]
    rows, where = e.sympy()["residual"], {}
    m, h, A, C, g, theta, psi = sympy.symbols("m h A C g theta psi", real=True)
    for s in rows.free_symbols:
        where[s] = sympy.Symbol(str(s), real=True)
    wx, wy, wz, dx, dy, dz = sympy.symbols(
        "ball.wx ball.wy ball.wz ball.wx' ball.wy' ball.wz'", real=True
    )
    I = A + m * h**2
    expected = (
        I * dx - (I - C) * wy * wz - m * g * h * sympy.sin(theta) * sympy.cos(psi),
        I * dy - (C - I) * wz * wx + m * g * h * sympy.sin(theta) * sympy.sin(psi),
        C * dz,
    )
    for row, wanted in zip(rows, expected, strict=True):
        assert sympy.simplify(row.subs(where) - wanted) == 0
    written = e.text()
    assert "  theta' = ball.wx*cos(psi) - ball.wy*sin(psi)\n" in written
    assert "csc(theta) = 1/(sin(theta))" in written
    assert r"\dot{\theta} &= " in e.latex()
