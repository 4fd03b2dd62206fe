"""What is printed is what is computed: readable equations against compiled expressions.

Two routes through the same mechanics: normal-form numbers, truncated in every product and with
names for intermediate results, and CasADi expressions, truncated by differentiation.
"""

from pathlib import Path

import casadi as ca
import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import derive
from pliant.reading.algebra import Evaluation
from pliant.spatial.ops import NUMERIC

EXAMPLES = Path(__file__).parents[2] / "examples"
SLIDER_CRANK = {"tree": ("O", "S", "B")}
CASES = [
    ("planar_slider_crank", {}),
    ("pendulating_rotor", {}),
    ("rolling_disc", {}),
    ("bricard", {}),
    ("haug_slider_crank", {}),
    ("rotating_beam", {}),
    ("rotating_beam", {"truncate": 2}),
    ("crank_rocker", {}),
    pytest.param("manipulator", {}, marks=pytest.mark.slow),
    pytest.param("spatial_slider_crank", SLIDER_CRANK, marks=pytest.mark.slow),
]


def random_state(e, rng):
    """t, q, u, x, a, lam: elastic ones small, quaternions of unit length."""
    elastic = sum(n for _, _, n in e.layout.elastic.values())
    state = {k: rng.normal(size=getattr(e, k).numel()) for k in ("q", "u", "x", "a", "lam")}
    for k in ("q", "u", "a"):
        if elastic:
            state[k][-elastic:] *= 0.05
    for start in e.layout.quaternions:
        state["q"][start : start + 4] /= np.linalg.norm(state["q"][start : start + 4])
    return {"t": 0.3, **state}


def numbers(e, expression, state):
    symbols = [e.t, e.q, e.u, e.x, e.a, e.lam, e.p]
    f = ca.Function("f", symbols, [expression])
    given = [state[k] for k in ("t", "q", "u", "x", "a", "lam")]
    return np.array(f(*given, e.inputs.values)).ravel()


def values_of(readable, e, state):
    """Symbols of the readable equations with their numbers."""
    given = {s.name(): float(v) for s, v in zip(ca.vertsplit(e.p), e.inputs.values, strict=True)}
    for k in ("q", "u", "x", "a", "lam"):
        column = getattr(readable.equations, k)
        for symbol, value in zip(column, state[k], strict=True):
            given[readable.space.symbols[symbol.symbol].name] = float(value)
    return {**given, "t": state["t"]}


@pytest.mark.parametrize("formulation", ["linear-graph", "recursive", "kane"])
@pytest.mark.parametrize(("name", "choice"), CASES)
def test_printed_equations_have_the_values_of_the_compiled_ones(name, choice, formulation):
    system = pl.load(EXAMPLES / f"{name}.yaml")
    readable = system.equations(formulation, **choice)
    e = derive(system, Choice(formulation, choice.get("tree", "joint"), truncate=readable.order))
    state = random_state(e, np.random.default_rng(3))
    evaluation = Evaluation(readable.space, NUMERIC, values_of(readable, e, state))
    pairs = [(e.residual, readable.residual), (e.f, readable.equations.f)]
    if readable.order is None:  # constraints of flexible bodies are written as series
        pairs.append((e.g, readable.equations.g))
    for expression, column in pairs:
        expected = numbers(e, expression, state)
        got = np.array([float(evaluation.of(v)) for v in column])
        assert np.abs(got - expected).max(initial=0) <= 1e-12 * np.abs(expected).max(initial=1)
