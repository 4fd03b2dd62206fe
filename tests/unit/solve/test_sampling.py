"""Samples in one loop of machine code: the same as state by state, angle by angle."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import prepare
from pliant.backends.expressions.start import initial_state
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.motion.sampling import Angles, energies, sampled
from pliant.solve.single_states import evaluate_function, observe
from pliant.solve.transient.driver import integrate

SPIN = 40.0


def rotor() -> pl.System:
    """A crank that turns about six times a second and drives a rocker through a coupler."""

    def rod(name: str, length: float) -> pl.RigidBody:
        return pl.RigidBody.rod(name, length, mass=1, frames={"tip": [length, 0, 0]})

    return pl.System(
        gravity=[0, -9.81, 0],
        bodies=[rod("crank", 0.1), rod("coupler", 0.4), rod("rocker", 0.3)],
        ground=pl.Ground(frames={"B": [0.35, 0, 0]}),
        joints=[
            pl.Revolute("A", "ground", "crank", initial={"angle": 0.2, "angle_rate": SPIN}),
            pl.Revolute("P", "crank.tip", "coupler"),
            pl.Revolute("Q", "coupler.tip", "rocker.tip"),
            pl.Revolute("B", "ground.B", "rocker"),
        ],
    )  # fmt: skip


@pytest.fixture(scope="module")
def motion():
    system = rotor()
    prepared = prepare(system, Choice(tree="absolute"), ["crank.tip.position", "A.angle"])
    state = initial_state(system, prepared, None, 0.0)
    c = prepared.compiled
    dynamics = dense_dynamics(c, p=state.p, implicit=False)
    chunks = integrate(dynamics, dynamics.consistent(state.x, state.p), 0.5, method="dop853")
    return c, dynamics, next(iter(chunks))


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_samples_are_those_of_the_single_steps(motion, method):
    c, dynamics, chunk = motion
    if method == "implicit":
        x0 = dynamics.completed_states(chunk.evaluate(np.array([chunk.t0])), chunk.p)[0]
        chunk = next(iter(integrate(dynamics, x0, 0.5, method="radau")))
    times, kept = np.linspace(chunk.t0, chunk.t1, 200), np.arange(0, 200, 3)
    x, turns, rows = sampled(c, dynamics, chunk, times, kept, Angles(len(c.wrapped)), forces=True)
    X = dynamics.completed_states(chunk.evaluate(times), chunk.p)
    expected = Angles(len(c.wrapped)).turns(times, evaluate_function(c, "angles", X, chunk.p))
    assert np.array_equal(x, X[kept])
    assert np.array_equal(rows, observe(c, X[kept], chunk.p))
    assert np.array_equal(turns, expected[kept])
    crank = c.wrapped.index("A.angle")
    assert turns[-1, crank] == pytest.approx(2 * np.pi * round(turns[-1, crank] / (2 * np.pi)))
    assert turns[-1, crank] > 4 * np.pi, "the crank did not go round"


def test_angles_go_on_from_one_part_to_the_next(motion):
    c, dynamics, chunk = motion
    times = np.linspace(chunk.t0, chunk.t1, 200)
    whole, parts = Angles(len(c.wrapped)), Angles(len(c.wrapped))
    _, expected, _ = sampled(c, dynamics, chunk, times, np.arange(200), whole, forces=False)
    cut = [sampled(c, dynamics, chunk, part, np.arange(len(part)), parts, forces=False)[1]
           for part in np.split(times, (37, 38, 120))]  # fmt: skip
    assert np.concatenate(cut) == pytest.approx(expected, abs=1e-12)
    assert parts.values == pytest.approx(whole.values, abs=1e-9)


def test_angles_begin_next_to_what_is_known(motion):
    c, dynamics, chunk = motion
    times, near = np.linspace(chunk.t0, chunk.t1, 200), np.full(len(c.wrapped), np.nan)
    near[c.wrapped.index("A.angle")] = 6 * np.pi
    angles, first = Angles(len(c.wrapped)), Angles(len(c.wrapped))
    angles.near(chunk.t0, near)
    _, turns, _ = sampled(c, dynamics, chunk, times, np.arange(200), angles, forces=False)
    _, plain, _ = sampled(c, dynamics, chunk, times, np.arange(200), first, forces=False)
    more = np.where(np.isnan(near), 0.0, 6 * np.pi)
    assert turns == pytest.approx(plain + more, abs=1e-12)


def test_samples_end_with_the_first_that_has_no_finite_value():
    system = pl.System(
        bodies=[pl.RigidBody.point("m", 1, initial={"velocity": [1, 0, 0]})],
        outputs={"left": "sqrt(1 - m.position.x)"},
    )  # fmt: skip
    prepared = prepare(system, Choice(), ["left"])
    state = initial_state(system, prepared, None, 0.0)
    c = prepared.compiled
    dynamics = dense_dynamics(c, p=state.p, implicit=False)
    chunk = next(iter(integrate(dynamics, state.x, 2.0, method="dop853")))
    times = np.linspace(0, 2, 401)
    x, _, rows = sampled(c, dynamics, chunk, times, np.arange(401), Angles(0), forces=False)
    assert len(x) == len(rows) == 202
    assert np.isfinite(rows[:-1]).all()
    assert not np.isfinite(rows[-1]).all()


def test_energies_inside_steps_are_those_of_their_states(motion):
    c, dynamics, chunk = motion
    X = dynamics.completed_states(chunk.evaluate(chunk.times), chunk.p)
    expected = evaluate_function(c, "energies", X, chunk.p)
    assert energies(c, dynamics, chunk, chunk.times) == pytest.approx(expected, rel=1e-9)
