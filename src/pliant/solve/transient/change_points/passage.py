"""Implicit methods leave singular positions to DOP853, which hops over them (``change_point``)."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pliant.arrays import Array
from pliant.solve.dynamics import Dynamics
from pliant.solve.machine.context import LEVEL
from pliant.solve.transient import state as s
from pliant.solve.transient.dop853 import method as dop853
from pliant.solve.transient.integrator import Integrator, Settings, Stepper, total

FIXED_STEP_RTOL = 1e-8
"""Relative tolerance of the passage where the method itself has none."""
_WATCH = slice(s.LAST_PIVOT, s.BESIDE + 1)


def take_over(new: Stepper, old: Stepper) -> None:
    """``new`` goes on with the rows, scales, modes and pivots of ``old``."""
    level = int(new.ic[LEVEL])
    new.ic[:], new.dc[:] = old.ic, old.dc
    new.ic[LEVEL] = level
    new.dynamics.renew(new.ic)
    new.reals[_WATCH] = old.reals[_WATCH]


class PassingStepper(Stepper):
    """A method that hands over before a singular position and starts anew behind it."""

    def __init__(
        self, integrator: Integrator, method: Any, dynamics: Dynamics, x0: Array,
        settings: Settings, *, level: int = 0, numbers: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(integrator, method, dynamics, x0, settings, level=level, numbers=numbers)
        self._settings = settings
        self._passage: Stepper | None = None
        self._earlier: list[dict[str, float]] = []
        self._given = self.record[:0]

    def advance(self) -> int:
        """Run the method in charge until something happens; the code of it."""
        if self._passage is None:
            code = super().advance()
            self._given = super().records
            if code != s.NEAR_SINGULAR:
                return code
            self._passage = self._begin()
            if len(self._given):
                return s.FULL
        return self._pass(self._passage)

    def _begin(self) -> Stepper:
        """DOP853 from here on."""
        ours, d = self._settings, self.dynamics
        rtol = min(ours.rtol, FIXED_STEP_RTOL) if ours.step > 0.0 else ours.rtol
        settings = dataclasses.replace(
            ours, rtol=rtol, atol=ours.atol * (rtol / ours.rtol), step=0.0
        )
        new = dop853.start(dop853.DOP853, d, self.x[: d.x_size], settings)
        take_over(new, self)
        new.reals[s.ONLY_PASSING] = 1.0
        return new

    def _pass(self, passage: Stepper) -> int:
        """Steps of DOP853; the method starts anew where the pose is far behind."""
        code = passage.advance()
        self._given = passage.records
        self.x[:] = passage.x
        take_over(self, passage)
        if code != s.PASSED:
            return code
        self._earlier.append(passage.statistics)
        self._passage, self.ints[s.STARTED] = None, 0
        self.reals[s.FIRST_STEP] = 0.1 * passage.reals[s.H]
        return s.FULL

    @property
    def records(self) -> Array:
        """Records of the last ``advance``."""
        return self._given

    @property
    def statistics(self) -> dict[str, float]:
        """Of the method and of all passages."""
        now = [] if self._passage is None else [self._passage.statistics]
        parts = [super().statistics, *self._earlier, *now]
        return {**total(parts), "handovers": len(parts) - 1}
