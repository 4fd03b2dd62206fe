"""Observables along a motion: their numbers, slopes, and where they are largest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pliant.analysis.sensitivities.functionals import EXTREMES, Columns, Functional, Scalar
from pliant.arrays import Array
from pliant.code.compiled import CompiledEquations
from pliant.errors import CapabilityError
from pliant.observe.frames import TURN, turns_along
from pliant.records import dataclass
from pliant.solve.motion.events import Crossing
from pliant.solve.single_states import evaluate_function
from pliant.solve.variation.path import Path
from pliant.solve.variation.slopes import Slopes, Told
from pliant.solve.variation.switches import Piece, Switches
from pliant.solve.variation.transport import Sum

_INSIDE = 8
"""Places looked at inside every step for the largest value."""
_STILL = 1e-9
"""Part of its largest value that an event changes by over the duration, if it only touches zero."""
_TOGETHER = 1e-11
"""Part of the duration within which an event and a change of a condition are one."""
_NARROWINGS = 6
"""Each to an eighth; then a straight line tells where the rate is zero."""
_CORNER = 1e-2
"""Part of the rate beside a largest value that is left next to it only where there is a corner."""
_FLAT = 1e-11
"""Part of the largest value by which an observable that stands still may change."""


@dataclass(frozen=True, slots=True)
class Place:
    """A scalar at a time, of which ``sign`` times the value is asked for; ``event``: the time is
    where that happens, and moves; ``moves``: the time follows from parameters, with these slopes.
    Without a scalar it is the time that is asked for."""

    scalar: Scalar | None
    time: float
    sign: float = 1.0
    event: str = ""
    moves: Array | None = None


@dataclass(frozen=True)
class Observations:
    """``slopes``: of the observables of ``columns``; ``compiled``: the equations; ``crossings``:
    what happens on the way."""

    path: Path
    slopes: Slopes
    compiled: CompiledEquations
    columns: Columns
    crossings: Sequence[Crossing] = ()

    @cached_property
    def pieces(self) -> list[Piece]:
        """Steps between changes of conditions."""
        return Switches(self.path, self.slopes).pieces(self.path.ends)

    def at(self, times: Array) -> Told:
        """Everything at increasing times; where a condition changes, as it is before."""
        ends = self.path.ends
        tiny = _TOGETHER * float(np.ptp(ends))
        last = np.array([ends[piece.last] for piece in self.pieces[:-1]]) + tiny
        which, found = np.searchsorted(last, times), []
        for k in np.unique(which):
            X, p = self.path.states(times[which == k], self.pieces[k].p), self.pieces[k].p
            found.append(self.slopes.told(X, p, self.path.rates(X, p)))
        if not found:
            X = self.path.states(times)
            return self.slopes.told(X, self.path.p, self.path.rates(X, self.path.p))
        return Told(*(np.concatenate([getattr(one, part) for one in found])
                      for part in ("values", "y", "p", "rate")))  # fmt: skip

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

    def at_place(self, place: Place, seen: Told, row: int) -> tuple[Array, Array]:
        """Slopes of what is asked for at one of the times seen, in y and along the directions. The
        time of an event moves by -(∂e/∂y δy + ∂e/∂p δp) / (de/dt)."""
        n, many = seen.y.shape[2], seen.p.shape[2]
        in_y, along, rate = np.zeros(n), np.zeros(many), 1.0
        if place.scalar is not None:
            one = Told(*(part[row : row + 1] for part in (seen.values, seen.y, seen.p, seen.rate)))
            own_y, own_p = self.slopes_of(place.scalar, one)
            moves = self.columns.slope(place.scalar, one.values, one.rate[:, :, None])
            in_y, along, rate = own_y[0], own_p[0], float(moves[0, 0])
        if place.event:
            k = self.columns.event[place.event]
            pace = float(seen.rate[row, k])
            self._refuse_touching(place, pace)
            in_y = in_y - rate / pace * seen.y[row, k]
            along = along - rate / pace * seen.p[row, k]
        if place.moves is not None:
            along = along + rate * place.moves
        return place.sign * in_y, place.sign * along

    def _refuse_touching(self, place: Place, pace: float) -> None:
        k, ends = self.columns.event[place.event], self.path.ends
        Y = evaluate_function(self.slopes.compiled, "told", self.path.states(ends), self.path.p)
        reach = np.abs(self.slopes.column("told", "y", Y)[:, k]).max()
        if not abs(pace) * float(np.ptp(ends)) > _STILL * reach:
            raise CapabilityError(f"event '{place.event}' only touches zero at t = "
                                  f"{place.time:.6g} s: its time has no derivative")  # fmt: skip

    def sum(self, f: Functional) -> Sum:
        """What is summed up for a functional over time."""
        one = f.scalar
        assert one is not None
        return Sum(
            lambda times, values: self.value(one, times, values),
            lambda values, slopes: self.columns.slope(one, values, slopes), f.taken == "rms",
        )  # fmt: skip

    def reach(self, one: Scalar) -> float:
        """The largest it gets, whatever its sign."""
        return float(np.abs(self._seen(one, self._inside)).max())

    def place(self, f: Functional) -> Place:
        """Where a functional that is one of these looks. Where a largest value lies does not matter
        to first order: its derivative is that of the observable there."""
        ends = self.path.ends
        if f.event:
            return Place(f.scalar, self._happens(f.event), event=f.event)
        if f.taken not in EXTREMES or f.scalar is None:
            return Place(f.scalar, float(ends[-1]) if f.time is None else f.time)
        found, sign = self._largest(f, f.scalar)
        return Place(f.scalar, found, sign if f.taken == "abs" else 1.0)

    def _largest(self, f: Functional, one: Scalar) -> tuple[float, float]:
        """Where a scalar is largest, and the sign it is looked at with: there its rate goes through
        zero, unless it is the begin or the end."""
        times = self._inside
        y = self._seen(one, times)
        signs = {"max": np.ones_like(y), "min": -np.ones_like(y)}.get(
            f.taken, np.where(y < 0, -1, 1)
        )
        k = _top(signs * y)
        sign, size = float(signs[k]), float(np.abs(y).max())
        own = times[max(k - 1, 0) : k + 2]
        first = self._rates(one, own) * sign
        if np.abs(first).max() * np.ptp(own) <= _FLAT * size or _outward(first, k, len(times)):
            return float(times[k]), sign
        a, b, left, right = self._narrowed(one, own, sign)
        if not left > 0 >= right or left - right > _CORNER * np.abs(first).max():
            raise CapabilityError(
                f"'{f.text}' lies where a condition changes, or at a corner, at t = {a:.6g} s, "
                "which moves: name it as an event and ask for what is there ('... at EVENT')"
            )
        return a + (b - a) * left / (left - right), sign

    def _narrowed(self, one: Scalar, own: Array, sign: float) -> tuple[float, float, float, float]:
        """Two times between which a rate goes from above zero to below, and the rates there."""
        for _ in range(_NARROWINGS):
            times = np.linspace(own[0], own[-1], _INSIDE + 1)
            rates = sign * self._rates(one, times)
            falls = np.flatnonzero((rates[:-1] > 0) & (rates[1:] <= 0))
            k = int(falls[0]) if len(falls) else _top(sign * self._seen(one, times[:-1]))
            own = times[k : k + 2]
        return float(own[0]), float(own[1]), float(rates[k]), float(rates[k + 1])

    def _rates(self, one: Scalar, times: Array) -> Array:
        """Along the motion."""
        seen = self.at(times)
        return np.asarray(self.columns.slope(one, seen.values, seen.rate[:, :, None])[:, 0])

    def _happens(self, event: str) -> float:
        """When it happens first."""
        first = next((c.time for c in self.crossings if c.rule.name == event), None)
        if first is None:
            raise CapabilityError(f"event '{event}' does not happen before t = "
                                  f"{self.path.ends[-1]:.6g} s")  # fmt: skip
        return first

    @property
    def _inside(self) -> Array:
        """Times inside every step."""
        ends = self.path.ends
        fractions = np.arange(_INSIDE) / _INSIDE
        return np.append((ends[:-1, None] + np.diff(ends)[:, None] * fractions).ravel(), ends[-1])

    def _seen(self, one: Scalar, times: Array) -> Array:
        X = self.path.states(times)
        Y = evaluate_function(self.slopes.compiled, "told", X, self.path.p)
        return self.value(one, times, self.slopes.column("told", "y", Y))


def _top(z: Array) -> int:
    """The place of the largest value; where it stays there, one with the same on both sides."""
    largest = np.flatnonzero(z == z.max())
    inside = largest[np.isin(largest - 1, largest) & np.isin(largest + 1, largest)]
    return int((inside if len(inside) else largest)[0])


def _outward(rates: Array, k: int, count: int) -> bool:
    """Whether a value at the begin or the end is the largest there."""
    return bool((k == 0 and rates[0] <= 0) or (k == count - 1 and rates[-1] >= 0))
