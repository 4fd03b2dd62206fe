"""A mode in motion: positions q0 + N Re(A shape e^(i phase)), put back onto the constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.analysis.prepare import Prepared
from pliant.arrays import Array
from pliant.results import Result
from pliant.results.build import result_of
from pliant.results.modes import Mode
from pliant.solve.balance import Balance, Balancer
from pliant.solve.points import evaluate_function
from pliant.solve.run import RunData

_KINDS = ("position", "rotation", "coordinate")
_PART = 0.1
"""Largest motion of a body, as part of the size of the mechanism."""
_TURN = 0.3
"""Largest rotation of a body, in rad."""


class Frames:
    """Makes results of moving modes about one balance."""

    def __init__(
        self,
        prepared: Prepared,
        balancer: Balancer,
        b: Balance,
        model: str,
        info: Mapping[str, Any],
    ) -> None:
        self.prepared, self.balancer, self.b = prepared, balancer, b
        self.model, self.info = model, info

    def still(self) -> Result:
        """The state the modes are about."""
        return self._result(np.array([self.b.x[0]]), self.b.x[None, :], None)

    def __call__(
        self, mode: Mode, samples: int, duration: float, amplitude: float | None
    ) -> Result:
        size = self.amplitude(mode) if amplitude is None else amplitude
        phases = np.linspace(0.0, 2 * np.pi, max(2, samples))
        X = [self._moved(size * np.real(mode.shape * np.exp(1j * phase))) for phase in phases]
        return self._result(duration * phases / (2 * np.pi), np.array(X), _KINDS)

    def amplitude(self, mode: Mode) -> float:
        """Factor of the shape that moves bodies visibly, but not far."""
        points, axes = self._poses(self.b.x)
        small = 1e-4
        travel = turn = 0.0
        for part in (mode.shape.real, mode.shape.imag):
            moved, turned = self._poses(self._moved(small * part))
            travel = max(travel, float(np.abs(moved - points).max(initial=0)))
            turn = max(turn, float(np.abs(turned - axes).max(initial=0)))
        size = float(np.ptp(np.vstack([points, np.zeros(3)]), axis=0).max()) or 1.0
        factors = [_PART * size * small / travel] if travel > 1e-12 else []
        factors += [_TURN * small / turn] if turn > 1e-12 else []
        return min(factors, default=_PART)

    def _poses(self, x: Array) -> tuple[Array, Array]:
        """Points and axes of all bodies and their frames."""
        c = self.balancer.c
        y = c.call("O", x, self.balancer.p)
        found: dict[str, list[Array]] = {"position": [], "rotation": []}
        for o in c.observed.values():
            if o.kind in found and o.size in (3, 9):
                found[o.kind].append(y[o.start : o.start + o.size])
        points, axes = (np.array(rows) for rows in found.values())
        return points.reshape(-1, 3), axes.reshape(-1, 9)

    def _moved(self, v: Array) -> Array:
        q0 = self.balancer.q_of(self.b.x)
        q = self.balancer.moved(q0, v)
        x = self.balancer.packed(self.balancer.assembler.moved(q0, v) if q is None else q)
        return x

    def _result(self, time: Array, X: Array, kinds: tuple[str, ...] | None) -> Result:
        c = self.prepared.compiled
        none = np.zeros((len(X), 0))
        data = RunData(time, evaluate_function(c, "O", X, self.balancer.p), none, none)
        made = result_of(c, data, info=self.info, unique={}, model=self.model)
        series = {n: s for n, s in made.series.items() if kinds is None or s.kind in kinds}
        return Result(made.time, series, made.info, model=made.model)
