"""The driver: chunks, statistics, failures that keep what was computed."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from tests.models import small
from tests.models.running import end_outputs, outputs, run
from tests.models.small import SmallModel

from pliant.solve import Failure, dense_dynamics, integrate


@cache
def model(name: str, *arguments: str) -> SmallModel:
    return getattr(small, name)(*arguments)


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_chunks_join_and_do_not_change_the_motion(method: str) -> None:
    m = model("pendulum")
    _, whole = run(m, method, rtol=1e-8, chunk=100_000)
    _, parts = run(m, method, rtol=1e-8, chunk=17)
    assert len(whole) == 1
    assert len(parts) > 3
    for a, b in pairwise(parts):
        assert a.t1 == b.t0
        assert a.status is None
    times = np.concatenate([c.times for c in parts])
    assert times == pytest.approx(whole[0].times, abs=0)
    for c in parts:
        inside = np.linspace(c.t0, c.t1, 5)
        assert c.evaluate(inside) == pytest.approx(whole[0].evaluate(inside), abs=1e-12)


@pytest.mark.parametrize("method", ["dop853", "radau", "auto"])
def test_questions_between_chunks_do_not_disturb_the_integration(method: str) -> None:
    m = model("bricard")
    d = dense_dynamics(m.compiled)
    x0 = d.consistent(m.start)
    quiet = list(integrate(d, x0, 2.0, method=method, rtol=1e-8, chunk=5))
    for chunk in integrate(d, x0, 2.0, method=method, rtol=1e-8, chunk=5):
        d.completed_states(chunk.evaluate(np.linspace(chunk.t0, chunk.t1, 3)), chunk.p)
        d.rank(x0)
    assert np.array_equal(chunk.x_end, quiet[-1].x_end)


def test_stiff_damping_is_handed_over_and_fast_vibration_is_not() -> None:
    stiff = model("stiff_oscillator")
    _, chunks = run(stiff, "auto", rtol=1e-6, t_end=20.0)
    assert chunks[-1].status == "ok"
    assert chunks[-1].stats["handovers"] == 1
    assert chunks[-1].stats["steps"] < 600
    fast = model("oscillator")
    d, chunks = run(fast, "auto", rtol=1e-6)
    assert chunks[-1].stats["handovers"] == 0
    end = outputs(fast, d, chunks[-1], chunks[-1].t1)[0]
    assert end == pytest.approx(fast.reference, abs=1e-4)


def test_stiff_motion_is_the_same_by_every_method() -> None:
    m = model("stiff_oscillator")
    exact = end_outputs(m, "radau", rtol=1e-11)
    for method, settings in (
        ("dop853", {"rtol": 1e-8}),
        ("auto", {"rtol": 1e-6}),
        ("generalized-alpha", {"step": 1e-3}),
    ):
        assert end_outputs(m, method, **settings) == pytest.approx(exact, abs=1e-4)


def test_too_many_steps_keeps_the_motion_so_far() -> None:
    m = model("pendulum")
    _, chunks = run(m, "radau", rtol=1e-9, max_steps=50)
    failure = chunks[-1].status
    assert isinstance(failure, Failure)
    assert failure.code == "too-many-steps"
    assert sum(c.n_steps for c in chunks) == 50
    reached = chunks[-1].evaluate(np.array([failure.time]))
    assert reached[0, 0] == pytest.approx(failure.time)


def test_a_right_side_that_blows_up_ends_in_an_error_not_in_a_hang() -> None:
    import casadi as ca

    explosive = small.build(
        "explosive", nq=1, nu=1, m=0, q0=[1.0], u0=[1.0], t_end=10.0,
        equations=lambda t, q, u, x, a: dict(r=a - 2 * q**3, observe=ca.vertcat(q)),
    )  # fmt: skip
    for method in ("dop853", "radau", "auto"):
        _, chunks = run(explosive, method, rtol=1e-6, max_steps=100_000)
        assert isinstance(chunks[-1].status, Failure)
        assert chunks[-1].status.time == pytest.approx(1.0, abs=0.01)


def test_steps_respect_the_largest_step_and_the_end_time() -> None:
    m = model("motor")
    _, chunks = run(m, "dop853", rtol=1e-3, hmax=0.01)
    times = np.concatenate([[0.0], *[c.times for c in chunks]])
    assert np.diff(times).max() <= 0.01 * 1.02
    assert times[-1] == pytest.approx(m.t_end, abs=1e-15)


def test_statistics_tell_what_was_done() -> None:
    _, chunks = run(model("bricard"), "radau", rtol=1e-6)
    stats = chunks[-1].stats
    assert stats["steps"] == sum(c.n_steps for c in chunks)
    assert stats["newton_iterations"] > stats["steps"]
    assert stats["evaluations"] >= 3 * stats["newton_iterations"]
    assert 0 < stats["largest_projection"] < 1e-4
    assert stats["jacobians"] <= stats["factorisations"]
