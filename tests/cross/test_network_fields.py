"""Fields of networks: compliance matrices, permutations, junction structures that give flows."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import pliant as pl
from pliant.errors import ModelError


def field(elements, bonds=None, domain="translation", **more):
    network = pl.Network("n", elements, domain=domain, bonds=bonds or {})
    return pl.System(networks=[network], **more)


def swinging(compliance, **more):
    """Masses 1 and 2 kg on a compliance of both."""
    return field({
        "w": {"junction": 1, "dim": 2}, "m": {"I": [1, 2], "on": "w", "initial": [1, 0]},
        "c": {"C": compliance, "on": "w"},
    }, **more)  # fmt: skip


def test_a_compliance_matrix_swings_with_its_inverse():
    """M x'' = -C⁻¹ x: cosines of the modes."""
    system, C = swinging([["a", 0.5], [0.5, 1]], parameters={"a": 2}), [[2, 0.5], [0.5, 1]]
    result = system.simulate(3, every=0.5, rtol=1e-10).require()
    M = np.diag([1.0, 2.0])
    squares, modes = eigh(np.linalg.inv(C), M)
    parts = modes.T @ M @ [1, 0]
    exact = [modes @ (parts * np.cos(np.sqrt(squares) * t)) for t in result.time]
    assert result.values("n.m.flow") == pytest.approx(np.array(exact), abs=1e-8)
    assert np.ptp(result.values("n.energy")) < 1e-8
    assert system.verify(pointwise=True, states=3).agree


def test_two_compliance_matrices_share_an_effort():
    """In parallel on one effort: C_1 + C_2; one of them depends on the other."""
    C = np.array([[2, 0.5], [0.5, 1]]), np.array([[1, 0.1], [0.1, 3]])
    elements = {
        "w": {"junction": 1, "dim": 2}, "m": {"I": [1, 2], "on": "w", "initial": [1, 0]},
        "z": {"junction": 0, "dim": 2},
        "c": {"C": C[0].tolist(), "on": "z"}, "d": {"C": C[1].tolist(), "on": "z"},
    }  # fmt: skip
    both = field(elements, {"b": {"from": "w", "to": "z"}})
    found = [s.simulate(2, every=0.5, rtol=1e-10).require().values("n.m.flow")
             for s in (both, swinging((C[0] + C[1]).tolist()))]  # fmt: skip
    assert found[0] == pytest.approx(found[1], abs=1e-8)


def test_a_beam_end_is_a_compliance_of_force_and_moment():
    """A cantilever of 1 mm: entries far apart in size are no fault; statics gives C e."""
    L, EI = 1e-3, 1e-4
    C = [[L**3 / 3 / EI, L**2 / 2 / EI], [L**2 / 2 / EI, L / EI]]
    elements = {
        "w": {"junction": 1, "dim": 2}, "c": {"C": C, "on": "w"},
        "load": {"Se": [2, 0.003], "on": "w"}, "damping": {"R": [1, 1e-6], "on": "w"},
    }  # fmt: skip
    found = field(elements, domain="").statics().values("n.c.displacement")[-1]
    assert found == pytest.approx(np.array(C) @ [2, 0.003], rel=1e-9)


@pytest.mark.parametrize(
    ("compliance", "words"),
    [
        ([[2, 0.5], [0.4, 1]], "its matrix is not symmetric"),
        ([["a", "a"], ["a", "a"]], "its matrix is singular"),
        ([[1, 2], [2, 1]], "its matrix is not positive definite"),
        ([[1, 2]], "a matrix of 1 x 2 for 2 components"),
        ([[1, "2 m"], [2, 8]], r"C\[1, 2\]: '2 m' has the wrong unit"),
    ],
)
def test_impossible_compliances_are_refused(compliance, words):
    with pytest.raises(ModelError, match=words):
        swinging(compliance, parameters={"a": 1})


def test_a_permutation_reorders_what_is_stacked():
    """Forces 1, 2, 3 on masses that are stacked as (c, a, b): each gets its own."""
    order = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    elements = {
        "ab": {"junction": 1, "dim": 2}, "c": {"junction": 1},
        "all": {"junction": 1, "dim": 3}, "stack": {"SUM": order, "from": ["ab", "c"], "to": "all"},
        "push": {"Se": [3, 1, 2], "on": "all"}, "drag": {"R": [0.3, 0.1, 0.2], "on": "all"},
        "m": {"I": [1, 1], "on": "ab"}, "n": {"I": 1, "on": "c"},
    }  # fmt: skip
    system = field(elements)
    result = system.simulate(1, every=0.5, rtol=1e-10).require()

    def speed(force, drag):
        return force / drag * (1 - np.exp(-drag * result.time))

    assert result.values("n.m.flow") == pytest.approx(
        np.stack([speed(1, 0.1), speed(2, 0.2)], axis=1), abs=1e-8
    )
    assert result.values("n.n.flow") == pytest.approx(speed(3, 0.3), abs=1e-8)
    assert system.verify(pointwise=True, states=3).agree


@pytest.mark.parametrize(
    "order",
    [[[1, 0], [1, 0]], [[0.5, 0.5], [0, 1]], [1, 0], [[1, 0, 0], [0, 1, 0]], [["a", 0], [0, 1]]],
)
def test_what_is_no_permutation_is_refused(order):
    elements = {
        "a": {"junction": 1}, "b": {"junction": 1}, "both": {"junction": 1, "dim": 2},
        "s": {"SUM": order, "from": ["a", "b"], "to": "both"}, "r": {"R": 1, "on": "both"},
        "x": {"Se": 1, "on": "a"}, "y": {"Se": 1, "on": "b"},
    }  # fmt: skip
    with pytest.raises(ModelError, match=r"n\.s.*SUM: no permutation of 2 components; give 2 rows"):
        field(elements, parameters={"a": 1})


def test_a_junction_structure_may_give_flows():
    """f = S e between two capacities of equal energy: g²/(C_1 C_2) = 3² of their swing."""
    elements = {
        "a": {"junction": 0}, "b": {"junction": 0},
        "x": {"C": 2, "on": "a", "initial": 2}, "y": {"C": 0.5, "on": "b"},
        "swap": {"EJS": {"flow": ["g*e2", "-g*e1"]}, "on": ["a", "b"]},
    }  # fmt: skip
    system = field(elements, domain="electrical", parameters={"g": 3})
    result = system.simulate(2, every=0.25, rtol=1e-10).require()
    assert result.values("n.x.effort") == pytest.approx(np.cos(3 * result.time), abs=1e-8)
    assert np.ptp(result.values("n.energy")) < 1e-8
    assert (
        np.abs((result.values("n.swap.effort") * result.values("n.swap.flow")).sum(1)).max() < 1e-14
    )
    assert system.verify(pointwise=True, states=3).agree


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ({"flow": ["e2", "e1"]}, "its flows have a power"),
        ({"flow": ["e2", "-e1"], "effort": ["f2", "-f1"]}, "effort and flow are given; keep one"),
    ],
)
def test_junction_structures_without_sense_are_refused(law, words):
    elements = {
        "a": {"junction": 0}, "b": {"junction": 0}, "x": {"C": 2, "on": "a"},
        "y": {"C": 0.5, "on": "b"}, "swap": {"EJS": law, "on": ["a", "b"]},
    }  # fmt: skip
    with pytest.raises(ModelError, match=words):
        field(elements)


@pytest.mark.parametrize(
    "law",
    [
        "2*(1 + spring.displacement)**2",
        {"coenergy": "f**2*(1 + spring.displacement)**2"},
        {"momentum": "2*f*(1 + spring.displacement)**2"},
    ],
)
def test_an_inertia_that_changes_with_a_displacement_pushes_it(law):
    """A mass on a spring that turns: m r'' = m r w² - k x, (m r² w)' = 0, r = 1 + x (IC field)."""
    elements = {
        "radial": {"junction": 1, "domain": "translation"},
        "turn": {"junction": 1, "domain": "rotation"}, "mass": {"I": 2, "on": "radial"},
        "spring": {"C": {"stiffness": "k"}, "on": "radial", "initial": 0.3},
        "spin": {"I": law, "on": "turn", "initial": 1.5},
    }  # fmt: skip
    system = field(elements, domain="", parameters={"k": 50})
    result = system.simulate(2, every=0.1, rtol=1e-10).require()

    def rates(_, y):
        x, v, w = y
        return [v, (1 + x) * w**2 - 25 * x, -2 * v * w / (1 + x)]

    exact = solve_ivp(rates, (0, 2), [0.3, 0, 1.5], rtol=1e-11, atol=1e-12, t_eval=result.time).y
    for name, value in zip(("spring.displacement", "mass.flow", "spin.flow"), exact, strict=True):
        assert result.values(f"n.{name}") == pytest.approx(value, abs=1e-8)
    assert np.ptp(result.values("n.energy")) < 1e-8
    assert abs(system.power_audit(result).residual) < 1e-8


def test_a_field_on_a_joint_keeps_its_angular_momentum():
    """A slide on an arm, whose inertia the joint feels: (J + m (1 + x)²) w is constant."""
    elements = {
        "radial": {"junction": 1, "domain": "translation"},
        "turn": {"junction": 1}, "gear": {"TF": 2, "from": "arm", "to": "turn"},
        "arm": {"joint": "O"}, "mass": {"I": 0.5, "on": "radial"},
        "spring": {"C": {"energy": "20*q**2"}, "on": "radial", "initial": 0.2},
        "spin": {"I": "0.125*(1 + spring.displacement)**2", "on": "turn"},
    }  # fmt: skip
    arm = pl.RigidBody.rod("arm", 0.6, mass=1)
    joint = pl.Revolute("O", "ground", "arm", axis="z", initial={"angle_rate": 3})
    system = field(elements, domain="rotation", bodies=[arm], joints=[joint])
    assert system.verify(pointwise=True, states=3).agree
    result = system.simulate(2, every=0.1, rtol=1e-10).require()
    x, w = result.values("n.spring.displacement"), result.values("O.angle_rate")
    assert np.ptp(x) > 0.1
    momentum = (0.12 + 0.5 * (1 + x) ** 2) * w
    assert momentum == pytest.approx(np.full(len(x), (0.12 + 0.5 * 1.44) * 3), rel=1e-8)
    assert np.ptp(result.values("energy")) < 1e-8


def test_a_displacement_that_an_inertia_reads_cannot_be_dependent():
    elements = {
        "a": {"junction": 0}, "u": {"Se": 1, "on": "a"}, "c": {"C": 1, "on": "a"},
        "b": {"junction": 1}, "m": {"I": "1 + c.displacement**2", "on": "b"},
    }  # fmt: skip
    with pytest.raises(ModelError, match=r"n\.c.*its law does not give displacement from effort"):
        field(elements).simulate(1)


@pytest.mark.parametrize("law", [3, {"flow": "e/3"}, {"effort": "3*f"}])
def test_a_forced_resistance_gives_the_flow_to_a_coil(law):
    """i = (u - L i')/R is the same equation as L i' = u - R i."""
    elements = {
        "a": {"junction": 1}, "u": {"Se": 4, "on": "a"}, "L": {"I": 2, "on": "a"},
        "r": {"R": law, "on": "a", "stroke": "element"},
    }  # fmt: skip
    system = field(elements, domain="electrical")
    result = system.simulate(3, every=0.5, rtol=1e-10).require()
    exact = 4 / 3 * (1 - np.exp(-1.5 * result.time))
    assert result.values("n.L.flow") == pytest.approx(exact, abs=1e-8)
    assert system.verify(pointwise=True, states=3).agree
    elements["K"] = {"I": 1, "on": "a"}
    with pytest.raises(ModelError, match="do not force its stroke"):
        field(elements, domain="electrical").simulate(1)


def test_a_forced_resistance_gives_the_effort_to_a_capacity():
    """e = R (i - C e') beside a source of current."""
    elements = {
        "a": {"junction": 0}, "i": {"Sf": 4, "on": "a"}, "C": {"C": 2, "on": "a"},
        "r": {"R": 3, "on": "a", "stroke": "junction"},
    }  # fmt: skip
    result = field(elements, domain="electrical").simulate(3, every=0.5, rtol=1e-10).require()
    exact = 12 * (1 - np.exp(-result.time / 6))
    assert result.values("n.C.effort") == pytest.approx(exact, abs=1e-8)


def test_a_motor_with_a_forced_resistance_in_every_formulation():
    elements = {
        "mesh": {"junction": 1}, "u": {"Se": "6*cos(t)", "on": "mesh"},
        "r": {"R": 3, "on": "mesh", "stroke": "element"}, "L": {"I": 0.2, "on": "mesh"},
        "k": {"GY": 0.3, "from": "mesh", "to": "shaft"}, "shaft": {"joint": "O"},
    }  # fmt: skip
    arm, joint = pl.RigidBody.rod("arm", 0.6, mass=1), pl.Revolute("O", "ground", "arm", axis="y")
    system = field(elements, domain="electrical", bodies=[arm], joints=[joint])
    assert system.verify(pointwise=True, states=3).agree
