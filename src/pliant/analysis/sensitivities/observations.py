"""Observables along a motion: their numbers, slopes, and where they are largest."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from pliant.analysis.sensitivities.functionals import EXTREMES, Columns, Functional, Scalar
from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.observe.frames import TURN, turns_along
from pliant.records import dataclass
from pliant.solve.single_states import evaluate_function
from pliant.solve.variation.path import Path
from pliant.solve.variation.slopes import Slopes, Told
from pliant.solve.variation.transport import Sum

_INSIDE = 8
"""Places looked at inside every step for the largest value."""
_NARROWINGS = 5
"""Each to a quarter; then a parabola tells the largest value."""


@dataclass(frozen=True, slots=True)
class Place:
    """A scalar at a time, of which ``sign`` times the value is asked for."""

    scalar: Scalar
    time: float
    sign: float = 1.0


@dataclass(frozen=True)
class Observations:
    """``slopes``: of the observables of ``columns``; ``compiled``: the equations."""

    path: Path
    slopes: Slopes
    compiled: CompiledEquations
    columns: Columns

    def at(self, times: Array) -> Told:
        """Everything at increasing times."""
        return self.slopes.told(self.path.states(times), self.path.p)

    def value(self, one: Scalar, times: Array, values: Array) -> Array:
        """A scalar in rows of all columns; angles go on beyond a turn."""
        own = self.columns.value(one, values)
        if one.owner not in self.compiled.wrapped:
            return own
        ends, angles = self._followed
        near = np.interp(times, ends, angles[:, self.compiled.wrapped.index(one.owner)])
        return np.asarray(own + TURN * np.round((near - own) / TURN))

    @cached_property
    def _followed(self) -> tuple[Array, Array]:
        """Times, and wrapped angles there on their turns."""
        times = self._inside
        y = evaluate_function(self.compiled, "angles", self.path.states(times), self.path.p)
        angle, rate = y[:, 0::2], y[:, 1::2]
        return times, angle + turns_along(times, angle, rate)

    def slopes_of(self, one: Scalar, seen: Told) -> tuple[Array, Array]:
        """In y, and along the directions."""
        return (self.columns.slope(one, seen.values, seen.y),
                self.columns.slope(one, seen.values, seen.p))  # fmt: skip

    def change(self, one: Scalar, seen: Told, S: Array) -> Array:
        """Derivatives where the state changes by S: (time, direction)."""
        in_y, direct = self.slopes_of(one, seen)
        return np.asarray(np.einsum("kn,knd->kd", in_y, S) + direct)

    def sum(self, f: Functional) -> Sum:
        """What is summed up for a functional over time."""
        one = f.scalar
        return Sum(
            lambda times, values: self.value(one, times, values),
            lambda values, slopes: self.columns.slope(one, values, slopes), f.taken == "rms",
        )  # fmt: skip

    def place(self, f: Functional) -> Place:
        """Where a functional that is one of these looks. Where a largest value lies does not matter
        to first order: its derivative is that of the observable there."""
        ends = self.path.ends
        if f.taken not in EXTREMES:
            return Place(f.scalar, float(ends[-1]) if f.time is None else f.time)
        times, signed = self._inside, {"max": 1.0, "min": -1.0}.get(f.taken, 0.0)
        for _ in range(_NARROWINGS + 1):
            y = self._seen(f.scalar, times)
            z = signed * y if signed else np.abs(y)
            k = int(np.argmax(z))
            found, sign = _vertex(times, z, k), -1.0 if not signed and y[k] < 0 else 1.0
            times = np.linspace(
                times[max(k - 1, 0)], times[min(k + 1, len(times) - 1)], _INSIDE + 1
            )
        return Place(f.scalar, found, sign)

    @property
    def _inside(self) -> Array:
        """Times inside every step."""
        ends = self.path.ends
        fractions = np.arange(_INSIDE) / _INSIDE
        return np.append((ends[:-1, None] + np.diff(ends)[:, None] * fractions).ravel(), ends[-1])

    def _seen(self, one: Scalar, times: Array) -> Array:
        X, c = self.path.states(times), self.slopes.compiled
        Y, b = evaluate_function(c, "told", X, self.path.p), c.blocks["told"]["y"]
        return self.value(one, times, Y[:, b.offset : b.offset + len(b.rows)])


def _vertex(times: Array, z: Array, k: int) -> float:
    """Where the parabola through the largest value and its neighbours is largest."""
    if k in (0, len(times) - 1):
        return float(times[k])
    before, after = times[k - 1] - times[k], times[k + 1] - times[k]
    a, b = (z[k - 1] - z[k]) / before, (z[k + 1] - z[k]) / after
    bent = b - a
    vertex = (a * after - b * before) / (2 * bent) if bent else 0.0
    return float(times[k] + min(max(vertex, before), after))
