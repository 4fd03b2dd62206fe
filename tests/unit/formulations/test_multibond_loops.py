"""Algebraic loops and dependent stores against closed forms."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from tests.models.running import run
from tests.unit.formulations.multibond_networks import (
    Numbers,
    contract,
    dc_motor,
    p,
    resistive_loop,
    runnable,
    series_rlc,
)

from pliant.bonds import (
    BondGraph,
    Compliance,
    Field,
    Gyrator,
    Inertia,
    JunctionStructure,
    Resistance,
    Source,
    Transformer,
)
from pliant.errors import ModelError
from pliant.formulations.multibond.extract import equations
from pliant.mechanics.symbolic_values import SymbolicValues
from pliant.model.model import Model
from pliant.reading.algebra import Space, readable_ops

LOOP = dict(E=10.0, R1=2.0, R2=3.0, R3=4.0, L=0.5)


def test_linear_loop_is_solved_in_place() -> None:
    """L i' = R2 (E - R1 i)/(R1 + R2) - R3 i."""
    e = contract(resistive_loop(), LOOP)
    assert [s.name for s in e.layout.u] == ["L.flow"]
    for i in (0.0, 0.8, -2.5):
        rate = (3.0 * (10.0 - 2.0 * i) / 5.0 - 4.0 * i) / 0.5
        found = Numbers(e).at({"L.flow": i})
        assert found["rates"]["L.flow"] == pytest.approx(rate, rel=1e-14, abs=1e-13)
        assert Numbers(e).largest_imbalance(found["seen"]) < 1e-14


def cubic_current(e: float, R1: float, R2: float, i: float) -> float:
    """The real root f of R2 f + f³ = E - R1 (f + i), by Cardano."""
    a, b = R1 + R2, e - R1 * i
    root = np.sqrt(b * b / 4 + a**3 / 27)
    return float(np.cbrt(b / 2 + root) + np.cbrt(b / 2 - root))


def test_cubic_loop_keeps_one_unknown_without_mass() -> None:
    e = contract(resistive_loop(cubic=True), LOOP)
    assert len(e.layout.u) == 2
    assert e.layout.u[0].name == "L.flow"
    assert len(e.layout.rows) == 1
    assert e.residual.numel() == 1
    z = e.layout.u[1].name
    f = cubic_current(10.0, 2.0, 3.0, 0.7)
    value = {"R1.effort": 2.0 * (f + 0.7), "R2.flow": f, "R2.effort": 3.0 * f + f**3}[z]
    found = Numbers(e).at({"L.flow": 0.7, z: value})
    assert abs(found["cv"][0]) < 1e-13
    rate = (3.0 * f + f**3 - 4.0 * 0.7) / 0.5
    assert found["rates"]["L.flow"] == pytest.approx(rate, rel=1e-12)


def reference_current(t_end: float, n: int) -> float:
    """L i' = R2 f + f³ - R3 i with f from Cardano, classical Runge-Kutta."""

    def rate(i: float) -> float:
        f = cubic_current(10.0, 2.0, 3.0, i)
        return (3.0 * f + f**3 - 4.0 * i) / 0.5

    i, h = 0.0, t_end / n
    for _ in range(n):
        k1 = rate(i)
        k2 = rate(i + h / 2 * k1)
        k3 = rate(i + h / 2 * k2)
        k4 = rate(i + h * k3)
        i += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return i


@pytest.mark.parametrize("method", ["dop853", "radau", "generalized-alpha"])
@pytest.mark.parametrize("form", ["mixed", "augmented"])
def test_cubic_loop_is_simulated_with_its_unknown(method: str, form: str) -> None:
    model = runnable(contract(resistive_loop(cubic=True), LOOP, form=form), {}, 0.4)
    fixed = method == "generalized-alpha"
    options = dict(step=1e-3) if fixed else dict(rtol=1e-10, atol=1e-12)
    _, chunks = run(model, method, **options)
    assert chunks[-1].status == "ok"
    end = chunks[-1].x_end
    nq = model.compiled.nq
    i = end[1 + nq]
    assert i == pytest.approx(reference_current(0.4, 4000), rel=1e-5 if fixed else 1e-8)
    cv = model.compiled.call("constraints", np.ascontiguousarray(end))
    assert np.abs(model.compiled.block("constraints", "cv", cv)).max() < 1e-10


def parallel_capacitors(start: float | None = None) -> BondGraph:
    g = BondGraph("capacitors")
    g.zero("node", domain="electrical")
    g.add("Sf", "J", Source(p("J")), on="node")
    g.add("C", "C1", Compliance.capacity(p("C1")), on="node", start=start)
    g.add("C", "C2", Compliance.capacity(p("C2")), on="node")
    g.add("R", "R", Resistance(p("R")), on="node")
    return g


def test_parallel_capacitors_become_efforts_in_u() -> None:
    """(C1 + C2) v' = J - v/R with M = [C1 C2], G = [-1 1]."""
    e = contract(parallel_capacitors(), dict(J=0.2, C1=0.01, C2=0.03, R=50.0))
    numbers = Numbers(e)
    assert numbers.u_names == ["C1.effort", "C2.effort"]
    assert numbers.x_names == []
    found = numbers.at({"C1.effort": 4.0, "C2.effort": 4.0})
    assert found["M"].tolist() == [[0.01, 0.03]]
    assert found["G"].tolist() == [[-1.0, 1.0]]
    rate = (0.2 - 4.0 / 50.0) / 0.04
    assert found["rates"]["C1.effort"] == pytest.approx(rate, rel=1e-14)
    assert found["rates"]["C2.effort"] == pytest.approx(rate, rel=1e-14)
    assert found["seen"]["C2.flow"] == pytest.approx(0.03 * rate, rel=1e-14)


def test_an_effort_source_across_a_capacitor_needs_its_derivative() -> None:
    """i = C E' = C E w cos w t."""
    g = BondGraph()
    g.zero("node", domain="electrical")
    g.add("Se", "E", Source(lambda ops, s: 3.0 * ops.sin(5.0 * s.t)), on="node")
    g.add("C", "C", Compliance.capacity(0.02), on="node")
    numbers = Numbers(contract(g, {}))
    found = numbers.at({"C.effort": 3.0 * np.sin(5.0 * 0.3)}, t=0.3)
    current = 0.02 * 3.0 * 5.0 * np.cos(1.5)
    assert found["seen"]["C.flow"] == pytest.approx(current, rel=1e-13)
    assert abs(found["cv"][0]) < 1e-15


def test_a_non_linear_capacitor_is_dependent_through_its_inverse() -> None:
    """q = C e + c e³ in parallel with C1: (C1 + C + 3 c e²) e' = J."""
    g = BondGraph()
    g.zero("node", domain="electrical")
    g.add("Sf", "J", Source(0.5), on="node")
    g.add("C", "C1", Compliance.capacity(0.1), on="node", priority=1)
    varactor = Compliance(lambda ops, s, q: q, lambda ops, s, e: 0.2 * e + 0.05 * e * e * e)
    g.add("C", "C2", varactor, on="node")
    found = Numbers(contract(g, {})).at({"C1.effort": 2.0, "C2.effort": 2.0})
    assert found["rates"]["C1.effort"] == pytest.approx(0.5 / (0.3 + 0.15 * 4.0), rel=1e-14)


def test_a_dependent_capacitor_without_inverse_is_refused_by_name() -> None:
    g = BondGraph()
    g.zero("node")
    g.add("Sf", "J", Source(0.5), on="node")
    g.add("C", "C1", Compliance.capacity(0.1), on="node", priority=1)
    g.add("C", "C2", Compliance(lambda ops, s, q: q * q * q), on="node")
    with pytest.raises(ModelError, match="C C2: its effort is fixed by other elements"):
        contract(g, {})


def test_gear_makes_the_rotor_dependent() -> None:
    """M is 2 x 3, G 1 x 3: u_rotor = n u_load."""
    e = contract(
        dc_motor(), dict(V=1.0, Ra=1.0, La=1.0, k=1.0, Jr=2.0, b=0.0, n=4.0, Jl=3.0, T=0.0)
    )
    found = Numbers(e).at({})
    assert found["M"].tolist() == [[1.0, 0.0, 0.0], [0.0, 8.0, 3.0]]
    assert found["G"].tolist() == [[0.0, 1.0, -4.0]]


def test_a_loop_may_contain_the_effort_of_a_dependent_store() -> None:
    """Two resistances in a loop behind a gear with a dependent inertia.

    (J1 + J2) w' = -T, where T is the current drawn by R1, R2 seen through a gyrator.
    """
    g = BondGraph()
    g.one("shaft")
    g.add("I", "J1", Inertia(2.0), on="shaft", priority=1)
    g.add("I", "J2", Inertia(3.0), on="shaft")
    g.add("GY", "k", Gyrator(0.5))
    g.bond("shaft", "k")
    g.zero("node")
    g.bond("k", "node")
    g.add("R", "R1", Resistance(2.0), on="node")
    g.add("R", "R2", Resistance(6.0), on="node")
    found = Numbers(contract(g, {})).at({"J1.flow": 4.0, "J2.flow": 4.0})
    torque = 0.5 * (0.5 * 4.0) * (1 / 2.0 + 1 / 6.0)
    assert found["rates"]["J1.flow"] == pytest.approx(-torque / 5.0, rel=1e-14)


def test_a_singular_loop_is_refused_by_name() -> None:
    """A ring of junctions in which any effort may circulate."""
    g = BondGraph()
    for name in ("a", "b"):
        g.one(name)
    g.zero("x")
    g.zero("y")
    g.bond("a", "x")
    g.bond("x", "b")
    g.bond("b", "y")
    g.bond("y", "a")
    g.add("I", "L", Inertia(1.0), on="a")
    with pytest.raises(ModelError, match="singular"):
        contract(g, {})


# --- power-free elements


def rotating_body() -> BondGraph:
    """A rigid body in its own axes: I:J and the gyroscopic EJS w × J w."""
    J = np.diag([1.0, 2.0, 3.5])

    def gyroscopic(ops, state, w):
        return ops.cross(w, ops.const(J) @ w)

    g = BondGraph("body")
    g.one("w", 3, domain="rotation")
    g.add("I", "J", Inertia(J), 3, on="w", labels="xyz")
    g.add("EJS", "gyro", JunctionStructure(gyroscopic), 3, on="w")
    return g


def test_euler_equations_from_an_eulerian_junction_structure() -> None:
    e = contract(rotating_body(), {})
    w = np.array([0.3, 2.0, -0.7])
    J = np.array([1.0, 2.0, 3.5])
    found = Numbers(e).at(dict(zip(("J.x", "J.y", "J.z"), w, strict=True)))
    exact = -np.cross(w, J * w) / J
    assert [found["rates"][f"J.{k}"] for k in "xyz"] == pytest.approx(list(exact), rel=1e-14)
    assert abs(found["seen"]["gyro.residual"]) < 1e-15
    assert abs(found["seen"]["w.residual"]) < 1e-14


def test_sum_stacks_its_bonds_without_power() -> None:
    """A coupled mass matrix on the stack of two junctions."""
    M = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])
    g = BondGraph()
    g.one("a", 2)
    g.one("b", 1)
    g.one("both", 3)
    g.add("SUM", "sum")
    g.bond("a", "sum")
    g.bond("b", "sum")
    g.bond("sum", "both")
    g.add("I", "M", Inertia(M), 3, on="both")
    g.add("Se", "Fa", Source([1.0, -2.0]), 2, on="a")
    g.add("Se", "Fb", Source(0.7), 1, on="b")
    found = Numbers(contract(g, {})).at({"M.1": 0.4, "M.2": -0.2, "M.3": 1.0})
    exact = np.linalg.solve(M, [1.0, -2.0, 0.7])
    assert [found["rates"][f"M.{k}"] for k in (1, 2, 3)] == pytest.approx(list(exact), rel=1e-13)
    assert abs(found["seen"]["sum.residual"]) < 1e-15


@pytest.mark.parametrize("kind", ["TF", "GY"])
def test_a_regular_block_runs_backwards(kind: str) -> None:
    """Two I behind a constant 2 x 2 matrix, and two in front which depend on them."""
    T = np.array([[2.0, 1.0], [0.5, -1.5]])
    law = Transformer(T) if kind == "TF" else Gyrator(T)
    g = BondGraph()
    g.one("one", 2)
    g.one("two", 2)
    g.add(kind, "T", law)
    g.bond("one", "T")
    g.bond("T", "two")
    g.add("Se", "F", Source([1.0, 3.0]), 2, on="one")
    g.add("R", "D", Resistance(np.diag([0.5, 0.2])), 2, on="one")
    if kind == "TF":
        g.add("I", "m", Inertia(np.diag([2.0, 4.0])), 2, on="two", priority=1)
        u = np.array([0.3, -0.4])
        f1 = np.linalg.solve(T, u)
        effort = np.linalg.solve(T.T, [1.0, 3.0] - np.array([0.5, 0.2]) * f1)
        exact = effort / [2.0, 4.0]
        given = {"m.1": u[0], "m.2": u[1]}
        found = Numbers(contract(g, {})).at(given)["rates"]
        assert [found["m.1"], found["m.2"]] == pytest.approx(list(exact), rel=1e-13)
    else:
        g.add("C", "c", Compliance.stiffness(np.diag([2.0, 4.0])), 2, on="two", priority=1)
        x = np.array([0.3, -0.4])
        f1 = np.linalg.solve(T, np.array([2.0, 4.0]) * x)
        exact = np.linalg.solve(T.T, [1.0, 3.0] - np.array([0.5, 0.2]) * f1)
        found = Numbers(contract(g, {})).at({"c.1": x[0], "c.2": x[1]})["rates"]
        assert [found["c.1"], found["c.2"]] == pytest.approx(list(exact), rel=1e-13)


def test_a_rotation_runs_backwards_by_its_transpose() -> None:
    """A turned mass: the flow comes from behind the rotation."""

    def turn(ops, state):
        c, s = ops.cos(state.t), ops.sin(state.t)
        return ops.mat([[c, -s], [s, c]])

    g = BondGraph()
    g.one("body", 2)
    g.one("world", 2)
    g.add("MTF", "A", Transformer(turn, inverse="transpose"))
    g.bond("body", "A")
    g.bond("A", "world")
    g.add("I", "m", Inertia(2.0), 2, on="world")
    g.add("R", "drag", Resistance(np.diag([1.0, 0.2])), 2, on="body")
    found = Numbers(contract(g, {})).at({"m.1": 1.0, "m.2": -0.5}, t=0.4)
    c, s = np.cos(0.4), np.sin(0.4)
    A = np.array([[c, -s], [s, c]])
    exact = -A @ np.diag([1.0, 0.2]) @ A.T @ [1.0, -0.5] / 2.0
    assert [found["rates"]["m.1"], found["rates"]["m.2"]] == pytest.approx(list(exact), rel=1e-13)


def test_a_multiport_field_and_a_full_resistance() -> None:
    """MR: e = f |f|; R with a coupled matrix asked for flows by two compliances."""
    R = np.array([[2.0, 0.5], [0.5, 1.0]])
    g = BondGraph()
    g.zero("n", 2)
    g.add("C", "c", Compliance.capacity([0.5, 0.25]), 2, on="n")
    g.add("R", "R", Resistance(R), 2, on="n")
    x = np.array([0.3, -0.2])
    found = Numbers(contract(g, {})).at({"c.1": x[0], "c.2": x[1]})["rates"]
    exact = -np.linalg.solve(R, x / [0.5, 0.25])
    assert [found["c.1"], found["c.2"]] == pytest.approx(list(exact), rel=1e-13)

    drag = BondGraph()
    drag.one("v", 2)
    drag.add("I", "m", Inertia(2.0), 2, on="v")
    drag.add("MR", "air", Field(lambda ops, s, f: f * ops.sqrt(ops.dot(f, f))), 2, on="v")
    found = Numbers(contract(drag, {})).at({"m.1": 3.0, "m.2": -4.0})["rates"]
    assert [found["m.1"], found["m.2"]] == pytest.approx([-7.5, 10.0], rel=1e-14)


def test_a_resistance_split_by_causality_is_solved_for() -> None:
    """A coupled R between an I and a C: one component gives effort, the other flow."""
    R = np.array([[2.0, 0.5], [0.5, 1.0]])
    g = BondGraph()
    g.one("a")
    g.zero("b")
    g.add("I", "L", Inertia(0.7), on="a")
    g.add("C", "C", Compliance.capacity(0.4), on="b")
    g.add("R", "R", Resistance(R), dim=2)
    g.bond("a", "R")
    g.bond("b", "R")
    i, e2 = 1.5, 0.6 / 0.4
    f2 = (e2 - 0.5 * i) / 1.0
    e1 = 2.0 * i + 0.5 * f2
    found = Numbers(contract(g, {})).at({"L.flow": i, "C.displacement": 0.6})["rates"]
    assert found["L.flow"] == pytest.approx(-e1 / 0.7, rel=1e-14)
    assert found["C.displacement"] == pytest.approx(-f2, rel=1e-14)


def test_a_constraintor_couples_two_masses() -> None:
    """Two masses whose relative flow CN holds at zero: (m1 + m2) a = F1 + F2, W = Gᵀ."""
    g = BondGraph()
    g.one("v1")
    g.one("v2")
    g.zero("gap")
    g.add("I", "m1", Inertia(2.0), on="v1")
    g.add("I", "m2", Inertia(3.0), on="v2")
    g.add("Se", "F1", Source(4.0), on="v1")
    g.add("Se", "F2", Source(1.0), on="v2")
    g.bond("v1", "gap")
    g.bond("gap", "v2")
    g.add("CN", "rod", on="gap")
    found = Numbers(contract(g, {})).at({"m1.flow": 1.0, "m2.flow": 1.0})
    assert found["rates"]["m1.flow"] == pytest.approx(1.0, rel=1e-15)
    assert found["rates"]["m2.flow"] == pytest.approx(1.0, rel=1e-15)
    assert np.array_equal(found["W"], found["G"].T)
    assert found["seen"]["v2.residual"] == pytest.approx(0.0, abs=1e-15)


def test_constraintors_and_dependent_stores_in_one_graph() -> None:
    """A gear with rotor inertia (dependent) and a clutch held by CN; W = Gᵀ throughout."""
    g = dc_motor()
    g.one("drum", domain="rotation")
    g.add("I", "drum_inertia", Inertia(0.9), on="drum")
    g.zero("slip", domain="rotation")
    g.bond("axle", "slip")
    g.bond("slip", "drum")
    g.add("CN", "clutch", on="slip")
    m = dict(V=24.0, Ra=1.1, La=0.02, k=0.35, Jr=0.004, b=0.01, n=5.0, Jl=0.6, T=2.0)
    state = {"La.flow": 2.0, "load.flow": 1.5, "rotor.flow": 7.5, "drum_inertia.flow": 1.5}
    found = Numbers(contract(g, m)).at(state)
    assert np.array_equal(found["W"], found["G"].T)
    J = 0.6 + 25 * 0.004 + 0.9
    spin = (5.0 * 0.35 * 2.0 - 25 * 0.01 * 1.5 - 2.0) / J
    assert found["rates"]["drum_inertia.flow"] == pytest.approx(spin, rel=1e-13)
    assert found["rates"]["rotor.flow"] == pytest.approx(5 * spin, rel=1e-13)


def test_a_ring_of_capacitors_promotes_all_of_them() -> None:
    """C3 between the nodes of C1 and C2: [C1+C3, -C3; -C3, C2+C3] v' = (J, 0)."""
    g = BondGraph("ring")
    for name in ("a", "b"):
        g.zero(name)
    g.one("between")
    g.bond("a", "between")
    g.bond("between", "b")
    g.add("Sf", "J", Source(0.4), on="a")
    g.add("C", "C1", Compliance.capacity(0.1), on="a", priority=1)
    g.add("C", "C2", Compliance.capacity(0.2), on="b", priority=1)
    g.add("C", "C3", Compliance.capacity(0.3), on="between")
    exact = np.linalg.solve([[0.4, -0.3], [-0.3, 0.5]], [0.4, 0.0])
    for form in ("mixed", "augmented"):
        e = contract(g, {}, form=form)
        assert [s.name for s in e.layout.u] == ["C1.effort", "C2.effort", "C3.effort"]
        found = Numbers(e).at({"C1.effort": 3.0, "C2.effort": 1.0, "C3.effort": 2.0})
        rates = [found["rates"][f"C{k}.effort"] for k in (1, 2, 3)]
        assert rates == pytest.approx([*exact, exact[0] - exact[1]], rel=1e-13)


def test_readable_equations_of_dependent_stores_are_exact() -> None:
    """(Jl + n² Jr) and C1, C2 appear as rectangular rows, as symbols."""
    ops = readable_ops(Space())
    names = ("V", "Ra", "La", "k", "Jr", "b", "n", "Jl", "T")
    values = SymbolicValues(Model(parameters=dict.fromkeys(names, 1.0)), ops)
    V, Ra, La, k, Jr, b, n, Jl, T = map(values.look_up, names)
    e = equations(dc_motor(), ops, values, form="mixed")
    i, w, W = e.u
    di, dw, dW = e.a
    assert e.residual[0] == La * di - (V - Ra * i - k * n * W)
    assert e.residual[1] == Jl * dW - (-T + n * (k * i - Jr * dw - b * n * W))
    assert e.cv[0] == w - n * W

    values = SymbolicValues(Model(parameters=dict(J=1.0, C1=1.0, C2=1.0, R=1.0)), ops)
    J, C1, C2, R = map(values.look_up, ("J", "C1", "C2", "R"))
    e = equations(parallel_capacitors(), ops, values, form="mixed")
    assert e.residual[0] == C1 * e.a[0] - (J - C2 * e.a[1] - e.u[0] / R)
    assert e.cv[0] == e.u[1] - e.u[0]


def test_what_was_given_of_the_start_is_part_of_the_equations() -> None:
    """Displacement 0.02 of a promoted C: its effort starts at 0.02/C1."""
    e = contract(parallel_capacitors(start=0.02), dict(J=0.0, C1=0.01, C2=0.03, R=50.0))
    velocities = e.start.ranks[0][1]
    assert velocities.names == ("C1.effort",)
    residual = ca.Function("r", [e.u, e.p], [velocities.residuals])
    assert float(residual([2.0, 2.0], e.inputs.values)) == pytest.approx(0.0, abs=1e-17)


def series_of_source_capacitor_and(kind: str) -> BondGraph:
    """E over C and an element with e = f³ in one mesh."""
    g = BondGraph()
    g.one("mesh")
    g.add("Se", "E", Source(9.0), on="mesh")
    g.add("C", "C", Compliance.capacity(0.5), on="mesh")
    law = {
        "MR": Field(lambda ops, s, f: f * f * f),
        "R": Resistance(effort_of_flow=lambda ops, s, f: f * f * f),
    }[kind]
    g.add(kind, "cube", law, on="mesh")  # type: ignore[arg-type]
    return g


def test_a_resistance_may_be_asked_the_other_way_round_a_field_may_not() -> None:
    """With R: f³ = E - q/C, one unknown. With MR the flow is that of C, f³ = E - v, f = C v'."""
    e = contract(series_of_source_capacitor_and("R"), {})
    assert [s.name for s in e.layout.u] == ["cube.flow"]
    found = Numbers(e).at({"C.displacement": 0.5, "cube.flow": 2.0})
    assert found["cv"].tolist() == [0.0]
    assert found["rates"]["C.displacement"] == 2.0
    with pytest.raises(ModelError, match="C C: what determines it depends on rates"):
        contract(series_of_source_capacitor_and("MR"), {})


def test_a_store_that_is_forced_to_depend_on_its_own_rate_has_a_row_of_motion() -> None:
    """R gives the flow, i = (E - L i' - v)/R: the row of L says that, in every form."""
    for form in ("mixed", "augmented"):
        e = contract(
            series_rlc(), dict(E=1.0, R=2.0, L=3.0, C=0.5), forced={"R": "head"}, form=form
        )
        assert not e.cv.numel()
        at = ca.Function("row", [e.a, e.u, e.p], [e.residual])
        u = {"L.flow": 0.7, "C.effort": 0.2}
        rates = {"L.flow": (1 - 0.2 - 2 * 0.7) / 3, "C.effort": 0.7 / 0.5}
        values = ([own[s.name] for s in e.layout.u] for own in (rates, u))
        assert np.abs(np.asarray(at(*values, e.inputs.values))).max() < 1e-15
