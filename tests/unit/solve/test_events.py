"""Crossings of events at the seams between chunks of steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from pliant.solve.motion import events
from pliant.solve.motion.events import EventRule, EventWatch


@dataclass
class OneStep:
    """A step of one second in which the event is 1 - t, but for rounding."""

    t0: float
    rounding: float
    n_steps: int = 1

    @property
    def t1(self) -> float:
        return self.t0 + 1

    @property
    def times(self) -> np.ndarray:
        return np.array([self.t1])

    @property
    def p(self) -> np.ndarray:
        return np.array([self.rounding])

    def evaluate(self, times: np.ndarray) -> np.ndarray:
        return times[:, None]


class AsItIs:
    def completed_states(self, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        return X


@pytest.mark.parametrize("roundings", [(1e-17, -1e-17), (-1e-17, 1e-17), (0.0, 1e-17)])
def test_crossing_at_the_end_of_a_chunk_is_seen_once(
    roundings: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def values(compiled: Any, name: str, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        return (1 - x) + p

    monkeypatch.setattr(events, "evaluate_function", values)
    rule = EventRule("hit", 0, "falling", False, "")
    watch: Any = EventWatch(None, AsItIs(), [rule], np.zeros(0))  # type: ignore[arg-type]
    chunks = [OneStep(float(k), r) for k, r in enumerate(roundings)]
    found = [c for chunk in chunks for c in watch.crossings(chunk)[0]]
    assert [c.time for c in found] == pytest.approx([1.0], abs=1e-15)
