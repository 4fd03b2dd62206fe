"""Exported source computes what machine code in memory computes, and moves as the model does."""

import re
import subprocess
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import casadi as ca
import numpy as np
import pytest
from tests.unit.code.exported import Exported

import pliant as pl
from pliant.analysis.export import exported as export
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.code.export import LANGUAGES, source, statements
from pliant.errors import InputError, UnknownName
from pliant.observe.catalogue import SymbolicObservable
from pliant.solve.start.random_state import random_state

EXAMPLES = Path(__file__).parents[3] / "examples"
LINEAR_GRAPH = "linear-graph"
CASES = {
    "planar_slider_crank": Choice(),  # dependent rows, a massless body
    "planar_slider_crank, embedding": Choice(form="embedding"),
    "haug_slider_crank": Choice(),  # a quaternion
    "haug_slider_crank, absolute": Choice(LINEAR_GRAPH, "absolute"),  # dependent rows as well
    "crank_rocker": Choice(),  # a flexible body
    "crank_rocker, embedding": Choice(LINEAR_GRAPH, form="embedding"),
    "pendulum": Choice(),  # no constraints
}
RUNS = {
    "planar_slider_crank": (1.0, ["slider.position", "A.force"]),
    "planar_slider_crank, embedding": (1.0, ["slider.position", "A.force"]),
    "haug_slider_crank": (0.5, ["slider.position.x", "rod.velocity"]),
    "haug_slider_crank, absolute": (0.5, ["slider.position.x", "rod.velocity"]),
    "crank_rocker": (0.05, ["coupler.mid.deflection.y", "O.angle", "current"]),
    "crank_rocker, embedding": (0.05, ["coupler.mid.deflection.y", "O.angle", "current"]),
    "pendulum": (1.0, ["bob.position", "pivot.angle"]),
}


RESIDUALS = {"g": 1.0, "cv": 1.0}
"""They vanish on the constraints: differences of lengths and speeds of this order."""


@dataclass(frozen=True)
class Model:
    """A system with its equations, its machine code and its initial state."""

    system: Any
    equations: Any
    compiled: Any
    x: Any
    p: Any

    @classmethod
    def of(cls, system, choice):
        prepared = prepare(system, choice)
        start = initial_state(system, prepared, None, 0.0)
        return cls(system, derive(system, choice, free=True), prepared.compiled, start.x, start.p)

    @property
    def own(self):
        """Parameters of the equations, without modes of conditions, which stand last."""
        return self.p[: self.equations.p.numel()]

    def text(self, language, outputs=None, t_end=1.0, every=0.1):
        return source(self.equations, language, x0=self.x, p=self.own, t_end=t_end, every=every,
                      name=self.system.model.name, outputs=outputs)  # fmt: skip

    @property
    def shapes(self):
        c = self.compiled
        return {
            "M": (c.nd, c.nu), "h": (c.nd,), "g": (c.mh,), "G": (c.m, c.nu), "cv": (c.m,),
            "gamma": (c.m,), "qdot": (c.nq,), "xdot": (c.nx,), "a": (c.nu,), "lam": (c.m,),
        }  # fmt: skip

    def parts(self, x):
        """t, q, u, x, p at a packed x."""
        c = self.compiled
        cuts = np.cumsum([1, c.nq, c.nu, c.nx])
        _, q, u, xs, _ = np.split(x, cuts)
        return float(x[0]), q.copy(), u.copy(), xs.copy(), self.own

    def expected(self, x):
        """Blocks of F; accelerations and least multipliers by numpy, and their condition."""
        c = self.compiled
        y = c.call("explicit", x, self.p)
        F = {name: c.block("explicit", name, y) for name in c.blocks["explicit"]}
        K, r = np.vstack([F["M"], F["G"]]), np.concatenate([F["h"], -F["gamma"]])
        if c.has_lam:
            K = np.block([[F["M"], -F["G"].T], [F["G"], np.zeros((c.m, c.m))]])
        solution, _, rank, sizes = np.linalg.lstsq(K, r, rcond=1e-11)
        lam = solution[c.nu :] if c.has_lam else np.zeros(c.m)
        condition = sizes[0] / sizes[rank - 1]
        return {**F, "a": solution[: c.nu], "lam": lam}, condition

    def states(self, count):
        """Random consistent states near the first; elastic coordinates stay small."""
        rng, size = np.random.default_rng(1), np.full(self.compiled.nu, 0.3)
        for _, first, n in self.compiled.layout.elastic.values():
            size[first : first + n] = 1e-3
        return [random_state(self.compiled, self.p, self.x, rng, size) for _ in range(count)]


def close(got, expected, tolerance):
    scale = np.abs(expected).max(initial=1e-300)
    return np.abs(got - expected).max(initial=0.0) <= tolerance * scale


@cache
def example(case):
    """Built once for all languages."""
    name = case.partition(",")[0]
    return Model.of(pl.load(EXAMPLES / f"{name}.yaml"), CASES[case])


@cache
def moved(case):
    """The motion that programs are compared with."""
    t_end, outputs = RUNS[case]
    system = example(case).system
    return system.simulate(t_end, every=t_end / 10, rtol=1e-10, outputs=outputs).require()


NAMES = ("mass_matrix", "forcing", "constraints", "jacobian", "velocity_constraints",
         "constraint_gamma", "coordinate_rates", "state_rates", "dynamics_terms",
         "forward_dynamics")  # fmt: skip
EPS = np.finfo(float).eps


def agrees(exported, model, states, sizes=RESIDUALS):
    """Every function at every state to 1e-12 of the largest entry of its output; solutions of
    equations so badly conditioned that rounding alone makes more: to that."""
    for x in states:
        expected, condition = model.expected(x)
        for name in NAMES:
            for key, got in exported(name, *model.parts(x)).items():
                tolerance = max(1e-12, EPS * condition) if key in ("a", "lam") else 1e-12
                size = max(np.abs(expected[key]).max(initial=0.0), sizes.get(key, 1e-300))
                worst = np.abs(got - expected[key]).max(initial=0.0)
                assert worst <= tolerance * size, (name, key, worst / size)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_functions_agree_with_machine_code_and_the_program_moves_as_the_model(
    case, language, tmp_path
):
    """Both runs hold their tolerance of 1e-9 in each step, so that the motions agree to 1e-6."""
    t_end, outputs = RUNS[case]
    model, every = example(case), t_end / 10
    text = model.text(language, outputs, t_end, every)
    exported = Exported(text, language, model.shapes, tmp_path, main=True)
    agrees(exported, model, model.states(5))
    table = exported.run()
    result = moved(case)
    assert np.abs(table.pop("time") - result.time).max() <= 1e-12
    for output in outputs:
        got = {k: v for k, v in table.items() if k == output or k.startswith(f"{output}.")}
        expected = np.array([result.values(name) for name in got])
        assert close(np.array(list(got.values())), expected, 1e-6), output


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_network_without_bodies(language, tmp_path):
    """RC: E C (1 - exp(-t / RC)), states x and no coordinates at all."""
    elements = {
        "mesh": {"junction": 1}, "E": {"Se": 10, "on": "mesh"}, "r": {"R": 2, "on": "mesh"},
        "c": {"C": 0.05, "on": "mesh"},
    }  # fmt: skip
    system = pl.System(networks=[pl.Network("n", elements, domain="electrical")])
    model = Model.of(system, Choice())
    text = model.text(language, ["n.c.displacement"])
    table = Exported(text, language, {}, tmp_path, main=True).run()
    t, charge = table["time"], table["n.c.displacement"]
    assert len(t) == 11
    assert charge == pytest.approx(0.5 * (1 - np.exp(-t / 0.1)), abs=1e-6)


def block_on_a_slide():
    """Signals of both kinds, and a driver that needs states of its own."""
    times = np.linspace(0.1, 1.9, 40)
    return pl.System(
        gravity=[0, 0, -9.81],
        signals=[
            pl.Signal("push", tuple(times), tuple(np.sin(3 * times))),
            pl.Signal("steps", (0.0, 0.5, 1.0), (0.0, 2.0, 1.0), interpolation="linear"),
        ],
        bodies=[
            pl.RigidBody("block", 2.0, inertia=(0.1, 0.1, 0.1)),
            pl.RigidBody("bob", 1.0, com=(0, 0, -0.5)),
            pl.RigidBody("wheel", 1.0, inertia=(0.2, 0.2, 0.2), com=(0.1, 0, 0)),
        ],
        joints=[
            pl.Prismatic("slide", "ground", "block", axis="x"),
            pl.Revolute("pin", "block", "bob", axis="y", initial={"angle": 0.3}),
            pl.Revolute("axle", "bob", "wheel", axis="y"),
        ],
        forces=[pl.Actuator("f", "slide", effort="4*push + steps")],
        drivers=[pl.JointDriver("d", "axle", level="acceleration", motion="2 + push")],
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_signals_and_states_of_drivers(language, tmp_path):
    """Between the points of signals, on one, and beyond both ends."""
    model = Model.of(block_on_a_slide(), Choice())
    assert model.compiled.nx > 0
    names = ["slide.displacement", "pin.angle", "axle.angle"]
    text = model.text(language, names)
    exported = Exported(text, language, model.shapes, tmp_path, main=True)
    states = model.states(5)
    for x, t in zip(states, (-0.2, 0.1, 0.77, 1.0, 2.5), strict=True):
        x[0] = t
    agrees(exported, model, states)
    table = exported.run(2.2, 0.1, 1e-9)
    result = model.system.simulate(2.2, every=0.1, rtol=1e-10, outputs=names).require()
    for name in names:
        assert close(table[name], result.values(name), 1e-6), name


def operations(x, y):
    """Every operation that machine code knows."""
    one = ["sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "atanh",
           "exp", "log", "sqrt", "fabs", "floor", "ceil", "erf", "log1p", "expm1", "sign",
           "logic_not"]  # fmt: skip
    two = ["fmin", "fmax", "copysign", "atan2", "fmod", "hypot", "remainder", "logic_and",
           "logic_or"]  # fmt: skip
    found = {name: getattr(ca, name)(x) for name in one}
    found |= {name: getattr(ca, name)(x, -3 * y) for name in two}
    return found | {
        "acosh": ca.acosh(1 + x), "power": x**y, "constant power": x**3.7, "square": x**2,
        "inverse": 1 / x, "twice": 2 * x, "negative": -x, "less": x < y, "less or equal": x <= x,
        "equal": x == x, "not equal": x != y, "if": ca.if_else(x < y, x, y),
        "infinite": ca.fmin(x, np.inf), "unused branch": ca.if_else(x < 0, ca.sqrt(-x) / 0, y),
        "small": 1.2345678901234567e-300 * y, "large": -9.8765432109876543e299 * y,
    }  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_operation(language, tmp_path):
    model = Model.of(pl.load(EXAMPLES / "pendulum.yaml"), Choice())
    e = model.equations
    made = operations(e.q[0], e.u[0])
    parts = {k: SymbolicObservable(expression=v) for k, v in made.items()}
    model = replace(model, equations=e.telling(observables=parts))
    exported = Exported(model.text(language, list(parts)), language, {"y": (len(made),)}, tmp_path)
    expected = ca.Function("f", [e.q, e.u], [ca.vertcat(*made.values())])
    for q, u in ((0.3, 0.7), (0.9, 0.2)):
        none = np.zeros(0)
        got = exported(
            "observables", 0.0, np.array([q]), np.array([u]), none, none, none, model.own
        )
        for name, value, wanted in zip(made, got["y"], expected(q, u).full()[:, 0], strict=True):
            assert abs(value - wanted) <= 4e-16 * abs(wanted), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_long_functions_in_chunks_give_the_same(language, tmp_path, monkeypatch):
    monkeypatch.setattr(statements, "CHUNK", 60)
    model = example("haug_slider_crank")
    text = model.text(language)
    assert "dynamics_terms_5" in text
    agrees(Exported(text, language, model.shapes, tmp_path), model, model.states(2))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_large_flexible_model(language, tmp_path):
    """Two flexible links: functions of thirty thousand operations."""
    model = Model.of(pl.load(EXAMPLES / "manipulator.yaml"), Choice())
    text = model.text(language, ["J1.angle"])
    exported = Exported(text, language, model.shapes, tmp_path, optimise="-O0")
    agrees(exported, model, model.states(2))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_is_the_same_every_time(language):
    first, second = example("haug_slider_crank"), example("haug_slider_crank")
    assert first.text(language) == second.text(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_header_gives_names_units_and_defaults(language):
    text = example("crank_rocker").text(language, ["crank.A.position.x", "coupler.mid.deflection"])
    top = re.split(r"^(?!//|!|#)", text, maxsplit=1, flags=re.M)[0]
    first = 1 if language == "fortran" else 0
    assert "crank-rocker with a flexible coupler" in top
    assert f"{first}  O.angle (rad)" in top
    assert f"{first}  a1 = 0.102" in top
    assert f"{first + 20}...  numbers of coupler" in top
    assert f"{first + 18}  joints.A.guess.angle = 0.73" in top
    assert f"{first}  crank.A.position.x (m)" in top
    assert f"{first + 2}  coupler.mid.deflection.y (m)" in top


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_that_cannot_go_on_says_so(language, tmp_path):
    """A pendulum without mass has no acceleration."""
    model = example("pendulum")
    p = model.p.copy()
    p[model.compiled.parameters["m"]] = 0.0
    text = replace(model, p=p).text(language)
    exported = Exported(text, language, {}, tmp_path, main=True)
    with pytest.raises(subprocess.CalledProcessError) as failed:
        exported.run()
    assert failed.value.returncode == 1
    assert "cannot go on after t =" in failed.value.stderr


def top(coordinates, **initial):
    ball = pl.Spherical("ball", "ground", "top", coordinates=coordinates, initial=initial)
    body = pl.RigidBody("top", 1.0, inertia=(0.1, 0.1, 0.05), com=(0, 0, 0.1))
    return pl.System(gravity=(0, 0, -9.81), bodies=[body], joints=[ball])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("coordinates", "singular"), [("euler313", "sin(ball.angle2)"), ("bryant123", "cos")]
)
def test_rotations_are_written_in_the_angles_they_are_told_in(
    coordinates, singular, language, tmp_path
):
    """The program integrates angles, the run quaternions: one motion."""
    system = top(coordinates, angle1=0.4, angle2=0.9, angle3=-0.3, wz=12.0)
    text = export(system, language, t_end=1.0, every=0.1)
    assert f"singular, and no step goes on, where {singular}" in text
    assert "ball.e0" not in text
    names = [f"ball.angle{k}" for k in (1, 2, 3)]
    table = Exported(text, language, {}, tmp_path, main=True).run()
    result = system.simulate(1.0, every=0.1, rtol=1e-10, outputs=names)
    for name in names:
        assert table[name] == pytest.approx(result.values(name), abs=1e-7)


def test_a_start_where_angles_are_singular_is_refused():
    with pytest.raises(InputError, match=r"where sin\(ball\.angle2\) is zero; .*quaternions"):
        export(top("euler313"), "c", t_end=1.0, every=0.1)


def test_unknown_names_are_refused():
    model = example("pendulum")
    with pytest.raises(UnknownName, match=r"'bob\.colour'"):
        model.text("c", ["bob.colour"])
    with pytest.raises(InputError, match="use c, fortran, python"):
        model.text("pascal")
    with pytest.raises(InputError, match="t_end after the start"):
        model.text("c", t_end=0.0)


def test_the_end_of_an_exported_run_can_be_given():
    """Of a model without a simulate section."""
    system = pl.System(
        bodies=[pl.RigidBody.rod("arm", 1.0, mass=2.0)],
        joints=[pl.Revolute("pin", "ground", "arm")],
    )
    text = system.source("python", t_end="250 ms", every=0.05)
    assert "0.25" in text
    with pytest.raises(InputError, match="t_end"):
        system.source("python")


def test_a_model_with_conditions_is_written_with_its_laws_as_they_are():
    """Modes of conditions are no parameters of the source: here of a one-sided spring."""
    block = pl.RigidBody("block", 2.0, inertia=(1, 1, 1))
    slide = pl.Prismatic("s", "ground", "block", axis="x", initial={"displacement": 0.1})
    stop = pl.Actuator("stop", "s", effort="-100*max(s.displacement, 0)")
    system = pl.System(bodies=[block], joints=[slide], forces=[stop])
    assert "def " in system.source("python", t_end=1, every=0.1)
