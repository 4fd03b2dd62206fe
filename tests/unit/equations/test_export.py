"""Exported source computes what the machine code in memory computes, and moves as the model does."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.equations.exported import Exported

import pliant as pl
from pliant.analysis.choice import Choice
from pliant.analysis.prepare import derive, initial_state, prepare
from pliant.equations.export import LANGUAGES, source
from pliant.errors import InputError, UnknownName
from pliant.solve.assembly import random_state

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
    "planar_slider_crank": (1.0, ["slider.position", "A.reaction_force"]),
    "planar_slider_crank, embedding": (1.0, ["slider.position", "A.reaction_force"]),
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
        return cls(system, derive(system, choice), prepared.compiled, start.x, start.p)

    def text(self, language, outputs=None, t_end=1.0, every=0.1):
        return source(self.equations, language, x0=self.x, p=self.p, t_end=t_end, every=every,
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
        return float(x[0]), q.copy(), u.copy(), xs.copy(), self.p

    def expected(self, x):
        """Blocks of F, and accelerations and least multipliers by numpy."""
        c = self.compiled
        y = c.call("F", x, self.p)
        F = {name: c.block("F", name, y) for name in c.blocks["F"]}
        K, r = np.vstack([F["M"], F["G"]]), np.concatenate([F["h"], -F["gamma"]])
        if c.has_lam:
            K = np.block([[F["M"], -F["G"].T], [F["G"], np.zeros((c.m, c.m))]])
        solution = np.linalg.lstsq(K, r, rcond=1e-11)[0]
        lam = solution[c.nu :] if c.has_lam else np.zeros(c.m)
        return {**F, "a": solution[: c.nu], "lam": lam}

    def states(self, count):
        """Random consistent states near the first; elastic coordinates stay small."""
        rng, size = np.random.default_rng(1), np.full(self.compiled.nu, 0.3)
        for _, first, n in self.compiled.elastic.values():
            size[first : first + n] = 1e-3
        return [random_state(self.compiled, self.p, self.x, rng, size) for _ in range(count)]


def close(got, expected, tolerance):
    scale = np.abs(expected).max(initial=1e-300)
    return np.abs(got - expected).max(initial=0.0) <= tolerance * scale


def example(case):
    name = case.partition(",")[0]
    return Model.of(pl.load(EXAMPLES / f"{name}.yaml"), CASES[case])


def agrees(exported, model, states, tolerance=1e-12):
    """Every function at every state, compared with the largest entry of its output."""
    names = ["mass_matrix", "forcing", "constraints", "jacobian", "velocity_constraints",
             "constraint_gamma", "coordinate_rates", "state_rates", "dynamics_terms",
             "forward_dynamics"]  # fmt: skip
    for x in states:
        expected = model.expected(x)
        for name in names:
            for key, got in exported(name, *model.parts(x)).items():
                size = max(np.abs(expected[key]).max(initial=0.0), RESIDUALS.get(key, 1e-300))
                worst = np.abs(got - expected[key]).max(initial=0.0)
                assert worst <= tolerance * size, (name, key, worst / size)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_functions_agree_with_machine_code(case, language, tmp_path):
    model = example(case)
    exported = Exported(model.text(language), language, model.shapes, tmp_path)
    agrees(exported, model, model.states(5))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", CASES)
def test_main_program_moves_as_the_model(case, language, tmp_path):
    """Both runs hold their tolerance of 1e-9 in each step, so that the motions agree to 1e-6."""
    t_end, outputs = RUNS[case]
    model, every = example(case), t_end / 10
    exported = Exported(model.text(language, outputs, t_end, every), language, {}, tmp_path)
    table = exported.run()
    result = model.system.simulate(t_end, every=every, rtol=1e-10, outputs=outputs).require()
    assert np.abs(table.pop("time") - result.time).max() <= 1e-12
    for name, column in table.items():
        assert close(column, result.values(name), 1e-6), name
    assert len(table) >= len(outputs)


def test_compilers_are_here():
    """Without them nothing above would be tested."""
    assert shutil.which("gcc")
    assert shutil.which("gfortran")
