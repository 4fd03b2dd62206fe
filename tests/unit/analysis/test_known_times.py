"""Signals with corners and conditions of fast phases: no pulse is stepped over."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.analysis.test_kinks import METHODS, slider

import pliant as pl

PULSE = pl.Signal("pulse", [0, 0.5, 0.5001, 0.5002, 2], [0, 0, 1e4, 0, 0], interpolation="linear")


def with_signal(signal: pl.Signal, force: str = "pulse") -> pl.System:
    return pl.System(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("j", "ground", "b", axis="x")],
        forces=[pl.Actuator("f", "j", effort=force)], signals=[signal],
    )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_short_pulse_of_a_linear_signal_is_not_stepped_over(method: str) -> None:
    """An impulse of 1 N s at 0.5001 s in a run of 1.5 s: x = 0.9999 m. A force linear in time is
    integrated exactly by both methods, so that only rounding is left."""
    result = with_signal(PULSE).simulate(t_end=1.5, method=method, every=1.5)
    assert result.values("j.displacement")[-1] == pytest.approx(0.9999, abs=1e-12)
    assert result.info["statistics"]["rejected"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_steps_end_at_every_corner_and_keep_their_length(method: str) -> None:
    """A saw of 20 teeth: about one step each, none refused, and no error but rounding."""
    times, values = np.linspace(0, 2, 21), (-1.0) ** np.arange(21)
    saw = pl.Signal("saw", times, values, interpolation="linear")
    result = with_signal(saw, "saw").simulate(t_end=2, method=method, every=2)
    x = v = 0.0
    for h, a, b in zip(np.diff(times), values, values[1:], strict=False):
        x, v = x + v * h + h * h * (2 * a + b) / 6, v + h * (a + b) / 2
    assert result.values("j.displacement")[-1] == pytest.approx(x, abs=1e-13)
    assert result.info["statistics"]["steps"] <= 30
    assert result.info["statistics"]["rejected"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_driven_velocity_with_corners_has_the_force_of_each_line(method: str) -> None:
    """m a = ±4 N and 0 on three lines; stages at the end of a step are on its own line."""
    signal = pl.Signal("g", [0, 0.5, 0.75, 2], [0, 1, 0.5, 0.5], interpolation="linear")
    system = pl.System(
        bodies=[pl.RigidBody("a", 2, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("j", "ground", "a", axis="x")],
        drivers=[pl.JointDriver("d", "j", motion="g", level="velocity")], signals=[signal],
    )  # fmt: skip
    result = system.simulate(t_end=1, method=method, times=[0, 0.4, 0.6, 0.9, 1])
    assert result.values("d.force") == pytest.approx([4, 4, -4, 0, 0], abs=1e-9)
    assert result.values("j.displacement")[-1] == pytest.approx(0.5625, abs=1e-12)
    assert result.info["statistics"]["rejected"] == 0


@pytest.mark.parametrize("method", METHODS)
def test_driven_position_with_a_corner_is_refused_by_name(method: str) -> None:
    system = pl.System(
        bodies=[pl.RigidBody("a", 2, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("j", "ground", "a", axis="x")],
        drivers=[pl.JointDriver("d", "j", motion="g")],
        signals=[pl.Signal("g", [0, 0.5, 2], [0, 1, 0], interpolation="linear")],
    )
    result = system.simulate(t_end=1, method=method)
    assert "'d' jumps there" in result.failure
    assert result.time[-1] == pytest.approx(0.5, abs=1e-9)


def test_signal_that_nothing_reads_costs_nothing() -> None:
    plain = slider("-4*j.displacement", 1.0).simulate(t_end=3).info["statistics"]
    system = pl.System(
        bodies=[pl.RigidBody("b", 1, inertia=[1, 1, 1])],
        joints=[pl.Prismatic("j", "ground", "b", axis="x", initial={"displacement": 1.0})],
        forces=[pl.Actuator("f", "j", effort="-4*j.displacement")],
        signals=[PULSE], outputs={"shown": "pulse"},
    )  # fmt: skip
    seen = system.simulate(t_end=3).info["statistics"]
    assert (seen["steps"], seen["evaluations"]) == (plain["steps"], plain["evaluations"])


def test_fixed_steps_say_that_they_pass_corners() -> None:
    result = with_signal(PULSE).simulate(t_end=1, method="generalized-alpha", step=0.01)
    assert any("corners of signals" in w for w in result.warnings)


@pytest.mark.parametrize("method", METHODS)
def test_condition_on_a_spline_is_found_between_its_points(method: str) -> None:
    """The signal passes 0.9 for 20 ms in 4 s; elsewhere there is no force to shorten steps."""
    signal = pl.Signal("s", [0, 1.99, 2.0, 2.01, 4], [0, 0, 1, 0, 0])
    result = with_signal(signal, "piecewise(s > 0.9, 100, 0)").simulate(t_end=4, method=method)
    assert result.info["statistics"]["switches"] == 2
    assert result.values("j.displacement_rate")[-1] > 0.1


@pytest.mark.parametrize("method", METHODS)
def test_fast_square_wave_of_time_has_all_its_edges(method: str) -> None:
    """sign(sin 50 t): v is a triangle wave of height T = π/50; x = 20 T² after 40 edges, and half
    a tooth later T²/8 more."""
    tooth = np.pi / 50
    result = slider("sign(sin(50*t))").simulate(t_end=40.5 * tooth, method=method, every=1)
    assert result.info["statistics"]["switches"] == 40
    x = result.values("j.displacement")[-1]
    assert x == pytest.approx(20.125 * tooth**2, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rtol", [1e-4, 1e-9])
def test_fast_phase_of_a_state_has_all_its_edges(method: str, rtol: float) -> None:
    """At 1 m/s past bars of 0.28 mm every 6.28 mm: hardly any force, so steps would be long."""
    law = "1e-9*piecewise(sin(1000*j.displacement + 0.1) > 0.99, 1, 0)"
    result = slider(law, v=1.0).simulate(t_end=1, method=method, rtol=rtol, every=1)
    tops = np.floor((1000 + 0.1 - np.pi / 2) / (2 * np.pi)) + 1
    assert result.info["statistics"]["switches"] == 2 * tops
