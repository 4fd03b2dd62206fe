"""``auto``: DOP853, handing over to Radau where an explicit method is wrong or slow.

Singular poses are passed by DOP853 itself (``change_point``). Where steps collapse, the last
shrinking ones are taken back and Radau goes on, until a singular pose is far behind. When steps
are limited by stability, Radau is tried from the present state, and kept only if it takes longer
steps: lightly damped oscillation stays with DOP853, which is far more accurate there. Where Radau
turns out to take shorter steps than DOP853 took before, and no singular pose is near, DOP853 goes
on. Source: docs/theory.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.solve.constraints import TREATMENTS
from pliant.solve.dynamics import Dynamics
from pliant.solve.machine.context import PIVOT
from pliant.solve.single_states import make_consistent
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.passage import take_over
from pliant.solve.transient.dop853 import method as dop853
from pliant.solve.transient.integrator import Integrator, Settings, Stepper, record_state, total
from pliant.solve.transient.radau import method as radau

HELD = 8
"""Explicit steps held back, so that they can still be taken back."""
TRIAL_STEPS = 40
TRIAL_GAIN = 2.0
"""Radau stays if its steps are longer than those of DOP853 by this factor."""
PATIENCE = 100
"""Steps until a failed trial may be repeated; doubled each time."""
USELESS = 0.5
"""Radau gives back if its steps are shorter than those of DOP853 before by this factor."""
FAR = 0.4
"""Relative to the best pivot so far: DOP853 takes over again above it."""


class AutoStepper:
    """Two steppers behind the face of one."""

    def __init__(self, dynamics: Dynamics, x0: Array, settings: Settings) -> None:
        self.dynamics, self._settings = dynamics, settings
        self._explicit = dop853.start(dop853.DOP853, dynamics, x0, settings)
        self._able = not radau.RADAU.objections(dynamics)
        self._explicit.reals[s.WATCH] = float(self._able)
        self._implicit: Stepper | None = None
        self._earlier: list[dict[str, float]] = []
        self._held = self.records = self._explicit.records[:0]
        self._handovers, self._deaf_until, self._patience = 0, 0, PATIENCE
        self._before, self._blind_until = 0.0, 0

    def advance(self) -> int:
        """Run the method in charge; take care of hand-overs."""
        if self._implicit is not None:
            return self._continue(self._implicit)
        while True:
            if self._blind_until <= self._explicit.ints[s.STEPS]:
                self._explicit.reals[s.WATCH] = float(self._able)
            code = self._explicit.advance()
            self._held = np.concatenate([self._held, self._explicit.records])
            if code in (s.NEAR_SINGULAR, s.UNDERFLOW, s.REJECTIONS) and self._able:
                return self._rewind()
            listens = self._explicit.ints[s.STEPS] >= self._deaf_until
            if code == s.STIFF and listens and self._try_implicit():
                return s.FULL
            if code not in (s.FULL, s.STIFF):
                self.records, self._held = self._held, self._held[:0]
                return code
            if len(self._held) > HELD and (
                code == s.FULL or len(self._held) >= self._settings.chunk
            ):
                self.records, self._held = self._held[:-HELD], self._held[-HELD:]
                return s.FULL

    def _continue(self, implicit: Stepper) -> int:
        """Steps of Radau; past a singular pose DOP853 takes over again."""
        code = implicit.advance()
        self.records = implicit.records
        far = implicit.reals[s.FAR_PIVOT]
        if code == s.FULL and 0.0 < far < implicit.dc[PIVOT]:
            self._resume_explicit(implicit)
        elif code == s.FULL and self._useless(implicit):
            self._resume_explicit(implicit)
            self._explicit.reals[s.WATCH], self._blind_until = 0.0, self._patience
            self._patience *= 2
        return code

    def _useless(self, implicit: Stepper) -> bool:
        """Many steps, shorter than explicit ones, and no singular pose is the reason."""
        regular = implicit.dc[PIVOT] > FAR * self._explicit.reals[s.BEST_PIVOT]
        return bool(regular and self.records[:, 1].mean() < USELESS * self._before)

    def _resume_explicit(self, implicit: Stepper) -> None:
        """DOP853 from where Radau is, with its context."""
        self._earlier += [self._explicit.statistics, implicit.statistics]
        d = self.dynamics
        new = dop853.start(dop853.DOP853, d, implicit.x[: d.x_size], self._settings)
        take_over(new, implicit)
        new.reals[s.WATCH] = 1.0
        self._explicit, self._implicit, self._blind_until = new, None, 0

    def _rewind(self) -> int:
        """Give up the steps that shrank, and one more; Radau goes on from there."""
        length = self._held[:, 1]
        mean = self._before = float(np.mean(length)) if len(length) else 0.0
        kept = len(length)
        while kept > 0 and length[kept - 1] < 0.5 * mean:
            kept -= 1
        kept = max(kept - 1, 0)
        x = self._explicit.x.copy()
        if kept < len(length):
            d = self.dynamics
            row = record_state(self._held[kept], d.nq, d.nu, d.nx)
            x[: len(row)] = row
        self.records, self._held = self._held[:kept], self._held[:0]
        self._implicit = self._start_implicit(x, 0.05 * mean)
        self._implicit.reals[s.FAR_PIVOT] = -FAR * self._explicit.reals[s.BEST_PIVOT]
        return s.FULL

    def _try_implicit(self) -> bool:
        """Some steps of Radau from the present state; keep them if they are long."""
        length = self._held[-HELD:, 1]
        trial = self._start_implicit(self._explicit.x.copy(), float(length.mean()))
        trial.record = trial.record[:TRIAL_STEPS]
        code = trial.advance()
        steps = trial.records
        settled = steps[len(steps) // 2 :, 1]
        better = len(settled) > 0 and settled.mean() > TRIAL_GAIN * length.mean()
        if code not in (s.FULL, s.DONE) or not better:
            self._deaf_until = int(self._explicit.ints[s.STEPS]) + self._patience
            self._patience *= 2
            self._handovers -= 1
            return False
        trial.record = np.zeros((self._settings.chunk, trial.record.shape[1]))
        self.records = np.concatenate([self._held, steps])
        self._held, self._before = self._held[:0], float(length.mean())
        self._implicit = trial
        return True

    def _start_implicit(self, x: Array, first: float) -> Stepper:
        """Radau from x with the context (rank, row scales, modes) of the explicit method."""
        self._handovers += 1
        d, explicit = self.dynamics, self._explicit
        settings = dataclasses.replace(self._settings, chunk=max(self._settings.chunk, TRIAL_STEPS))
        new = radau.start(radau.RADAU, d, x[: d.x_size], settings)
        take_over(new, explicit)
        new.forget_modes()
        make_consistent(new.addresses, new.ic, new.dc, new.x, new.y)
        new.reals[s.FIRST_STEP] = first
        return new

    @property
    def x(self) -> Any:
        """State at the end of the records given out."""
        if self._implicit is not None:
            return self._implicit.x
        if len(self._held):
            d = self.dynamics
            row = record_state(self._held[0], d.nq, d.nu, d.nx)
            return d.completed_states(row[None, :], self.p)[0]
        return self._explicit.x

    @property
    def p(self) -> Array:
        return (self._implicit or self._explicit).p

    @property
    def statistics(self) -> dict[str, float]:
        parts = [*self._earlier, self._explicit.statistics]
        if self._implicit is not None:
            parts.append(self._implicit.statistics)
        return {**total(parts), "handovers": self._handovers}


def start(integrator: Integrator, dynamics: Dynamics, x0: Array, settings: Settings) -> Any:
    """Radau outright for the treatment ``direct``, else DOP853 first."""
    if not dynamics.treatment.explicit:
        return radau.start(radau.RADAU, dynamics, x0, settings)
    return AutoStepper(dynamics, x0, settings)


AUTO = Integrator(
    name="auto",
    order=dop853.ORDER,
    needs=dop853.DOP853.needs,
    adaptive=True,
    implicit=False,
    treatments=dict.fromkeys(TREATMENTS, 0),
    description="DOP853, handing over to Radau for stiff motion and where steps collapse",
    start=start,
)
