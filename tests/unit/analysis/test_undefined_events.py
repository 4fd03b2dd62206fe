"""Events whose formula has no value: the run ends there and says so, whatever it is run by."""

import math

import pytest

import pliant as pl

SWING = """
pliant: 1
gravity: [0, 0, -9.81]
bodies: {b: {rod: {length: 1, mass: 1}}}
joints: {j: {revolute: {axis: y}, between: [ground, b]}}
events: {low: {when: "%s"}}
simulate: {t_end: 1, every: 0.01}
"""
WAYS = [{}, {"formulation": "kane"}, {"method": "sparse-alpha"},
        {"formulation": "linear-graph", "form": "embedding", "tree": "absolute"}]  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_an_event_that_loses_its_value_ends_the_run_by_name(way):
    """It happens at 0.49 rad; beyond 0.5 rad it cannot be watched."""
    r = pl.System.loads(SWING % "sqrt(0.5 - j.angle) - 0.1").simulate(**way)
    assert [e.name for e in r.events] == ["low"]
    assert r.time[-1] < 0.28
    assert r.values("j.angle")[-1] <= 0.5 + 1e-6
    assert r.info["failure_code"] == "not-a-number"
    assert "event 'low'" in r.failure
    assert "square root of -" in r.failure
    assert "sqrt(0.5 - j.angle)" in r.failure


def test_the_time_is_located_inside_the_step():
    r = pl.System.loads(SWING % "log(0.3 - t) + 99").simulate()
    assert r.time[-1] == pytest.approx(0.3, abs=1e-12)
    assert r.failure.startswith("t = 0.3 s")


@pytest.mark.parametrize("way", [{}, {"method": "sparse-alpha"}])
def test_an_event_without_a_value_at_the_start_is_an_error(way):
    with pytest.raises(pl.PliantError, match=r"t = 0 s.*event 'low'.*square root of -0.5"):
        pl.System.loads(SWING % "sqrt(t - 0.5) - 2").simulate(**way)


def test_a_stop_before_comes_first():
    text = (SWING % "sqrt(0.5 - j.angle) - 0.1").replace('0.1"}', '0.1", stop: true}')
    r = pl.System.loads(text).simulate(rtol=1e-9)
    assert not r.failure
    assert r.values("j.angle")[-1] == pytest.approx(0.49, abs=1e-7)


def test_an_infinite_event_still_has_a_sign():
    r = pl.System.loads(SWING % "log(j.angle)").simulate()
    assert not r.failure
    assert not math.isinf(r.time[-1])
