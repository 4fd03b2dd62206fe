"""Elimination in fixed order: right where it is used, and left where its order is bad."""

from dataclasses import replace
from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from tests.models.random_systems import random_tree, with_loop

import pliant as pl
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.code.direct import Elimination
from pliant.code.pivots import choose_pivots
from pliant.solve.dynamics import dense_dynamics

EXAMPLES = Path(__file__).parents[3] / "examples"


def solved(K, samples, b):
    """x and backward error of K x = b in the order chosen at ``samples``."""
    entries = ca.SX.sym("K", *K.shape)
    pattern = ca.sparsify(ca.DM(np.any(samples != 0, axis=0).astype(float))).sparsity()
    pivots = choose_pivots(samples)
    x, guard = Elimination(ca.project(entries, pattern), pivots, len(b)).solve(ca.SX(ca.DM(b)))
    f = ca.Function("f", [entries], [x, guard])
    value, error = f(K)
    return np.array(value).ravel(), float(error), pivots


@pytest.mark.parametrize("symmetric", [True, False])
def test_solution_and_backward_error(symmetric):
    rng = np.random.default_rng(1)
    A = rng.normal(size=(3, 7, 7)) * (rng.uniform(size=(7, 7)) < 0.6)
    A = A + A.transpose(0, 2, 1) + 9 * np.eye(7) if symmetric else A + 3 * np.eye(7)
    b = rng.normal(size=7)
    for K in A:
        x, error, pivots = solved(K, A, b)
        assert pivots.symmetric == symmetric
        assert np.allclose(K @ x, b, atol=1e-13 * np.abs(K).sum() * np.abs(x).max())
        assert error < 1e-14


def test_a_bad_order_shows_in_the_backward_error():
    rng = np.random.default_rng(2)
    good = rng.normal(size=(4, 4))
    good = good @ good.T + 4 * np.eye(4)
    bad = good.copy()
    bad[np.ix_([0, 1], [0, 1])] = [[1e-15, 1.0], [1.0, 1e-15]]
    bad[2:, :2], bad[:2, 2:] = 0.3, 0.3
    _, error, _ = solved(bad, good[None], np.ones(4))
    assert error > 1e-10
    assert np.linalg.cond(bad) < 100


@pytest.mark.parametrize("symmetric", [True, False])
def test_a_pivot_of_zero_is_no_solution(symmetric):
    """1/0 makes numbers that are none, which a maximum would drop: the guard is infinite."""
    good = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 4.0]])
    good[0, 1] += 0.0 if symmetric else 0.5
    bad = good.copy()
    *_, pivots = solved(good, good[None], np.ones(3))
    bad[pivots.rows[0], pivots.columns[0]] = 0.0
    assert np.linalg.cond(bad) < 100
    x, error, _ = solved(bad, good[None], np.ones(3))
    assert not np.isfinite(x).all()
    assert error == np.inf


def test_no_order_for_a_singular_matrix():
    assert choose_pivots(np.zeros((1, 3, 3))) is None
    assert choose_pivots(np.ones((1, 3, 3))) is None


def without_direct(compiled):
    code = replace(compiled.code, machines=compiled.code.machines[:1])
    return replace(compiled, code=code, direct_rows=())


@pytest.mark.parametrize("kind", [None, "revolute", "spherical", "cylindrical"])
@pytest.mark.parametrize("seed", range(3))
def test_accelerations_and_reactions_equal_those_with_pivoting(kind, seed):
    rng = np.random.default_rng(seed)
    system = random_tree(rng, 3, kinds=("revolute", "universal"))
    system = system if kind is None else with_loop(rng, system, kind)
    prepared = prepare(system)
    start = initial_state(system, prepared, None, 0.0)
    d = dense_dynamics(prepared.compiled, p=start.p)
    other = dense_dynamics(without_direct(prepared.compiled), p=start.p)
    assert prepared.compiled.address("direct")
    rows = start.x[None, : 1 + d.nq + d.nu + d.nx]
    x, expected = d.completed_states(rows), other.completed_states(rows)
    assert np.abs(x - expected).max() < 1e-11 * (1 + np.abs(expected).max())


def test_a_run_uses_it_and_pivots_where_it_must():
    """Two four-bars pass the pose with all bars in line, where no row order is good."""
    system = pl.load(EXAMPLES / "four_bars_2.yaml")
    crank = pl.load(EXAMPLES / "planar_slider_crank.yaml")
    through = system.simulate(3.0, rtol=1e-8, outputs=["energy"])
    around = crank.simulate(1.0, rtol=1e-8, outputs=["slider.position"])
    assert through.info["statistics"]["factorisations"] > 0
    statistics = around.info["statistics"]
    assert statistics["factorisations"] < 0.02 * statistics["evaluations"]
    energy = through.values("energy")
    assert np.abs(energy - energy[0]).max() < 1e-5
