"""Times at which conditions of time change: found before a run, none missed."""

from __future__ import annotations

import numpy as np
import pytest
from tests.unit.code.test_conditions import law

from pliant.code.clocks import clocks
from pliant.code.conditions import held
from pliant.mechanics.signals import signal_table
from pliant.solve.motion.instants import changes, corners


def found(text: str, end: float) -> list[np.ndarray]:
    e, guards = held(law(text))
    return [np.sort(changes(k, e.inputs.values, 0.0, end).exact) for k in clocks(e, guards)]


@pytest.mark.parametrize(
    ("text", "end", "expected"),
    [
        ("piecewise(t < 0.5, 1, 0)", 2.0, [0.5]),
        ("max(0, sin(50*t + 0.1))", 20.0, (np.arange(1, 319) * np.pi - 0.1) / 50),
        ("floor(2*t + 0.5)", 3.0, np.arange(6) / 2 + 0.25),
        ("abs(t - 1)*x", 3.0, [1.0]),
        ("piecewise(t**3 - 2*t + c/4 < 0, x, 0)", 3.0, np.sort(np.roots([1, 0, -2, 0.5]))[1:]),
        ("sign(exp(-t) - 0.25)", 3.0, [np.log(4)]),
        ("piecewise(1/(t - 1) > 2, 1, 0)", 3.0, [1.5]),
    ],
)
def test_every_change_is_found_to_rounding(text: str, end: float, expected: np.ndarray) -> None:
    (times,) = found(text, end)
    assert times == pytest.approx(np.asarray(expected), abs=1e-13 * end)


def test_none_of_a_hundred_thousand_changes_is_lost() -> None:
    (times,) = found("sign(sin(1e5*t + 1))", 3.0)
    expected = (np.arange(1, len(times) + 1) * np.pi - 1) / 1e5
    assert len(times) == int((3e5 + 1) / np.pi)
    assert np.abs(times - expected).max() < 1e-11


def test_jump_and_touch_are_near_misses_that_are_noted() -> None:
    """mod jumps over its level, and a sine touches one: both are places to end a step at."""
    e, guards = held(law("piecewise(mod(t, 0.2) < 0.1, 1, 0)"))
    near = np.concatenate([changes(k, e.inputs.values, 0.0, 1.0).near for k in clocks(e, guards)])
    assert all(np.abs(near - t).min() < 1e-9 for t in (0.2, 0.4, 0.6, 0.8))
    e, guards = held(law("max(0, sin(t) - 1)"))
    (clock,) = clocks(e, guards)
    assert np.abs(changes(clock, e.inputs.values, 0.0, 3.0).near - np.pi / 2).min() < 1e-6


def test_what_reads_a_state_is_no_clock() -> None:
    assert not found("abs(x - t)", 1.0)


def test_straight_points_of_a_signal_are_no_corners() -> None:
    table = signal_table([0, 1, 2, 3], [0, 1, 2, 0], [0.0] * 4, hold=True)
    assert corners(table, 4).tolist() == [0.0, 2.0, 3.0]
