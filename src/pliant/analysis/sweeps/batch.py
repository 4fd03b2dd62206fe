"""Batch: many runs of one system one after the other, of which nothing is laid out twice.

What is asked is settled once; a run is its parameters, and four calls of machine code where it
repeats the last one (``solve.motion.repeat``), otherwise an ordinary one. Its numbers are those of
``System.simulate`` with the same parameters, by the same machine code in every process: no
function is interpreted, and good code is finished before the first run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.analysis.guard import finite_part
from pliant.analysis.power.internal_balance import balanced
from pliant.analysis.simulate import computed
from pliant.arrays import Array
from pliant.backends.request import Plan, Request, settled
from pliant.code import background
from pliant.errors import Interrupted, PliantError, StepError
from pliant.results import Result
from pliant.study import Study

WARM = 1e-3
"""Part of the duration that is run beforehand, so that everything is compiled."""


class Batch:
    """Runs of a system that differ in ``params`` only: parameters, and numbers by their paths."""

    def __init__(self, system: Study, request: Request) -> None:
        self.system, self._request = system, request
        self._plan: Plan | None = None
        """Of the last run, if runs differ from it in parameters only."""
        self._warm = False

    @property
    def times(self) -> Array:
        """When samples are taken."""
        return settled(self.system, self._request).times()

    def result(self, params: Mapping[str, Any]) -> Result:
        """One run, as ``System.simulate`` gives it."""
        self._compile(params)
        try:
            with np.errstate(all="ignore"):
                return self._result(*self.system.with_numbers(params))
        except (np.linalg.LinAlgError, ArithmeticError) as error:
            raise StepError(f"the numbers of the model are too large, too small or too different "
                            f"in size to compute with ({error})") from None  # fmt: skip

    def _result(self, system: Study, named: Mapping[str, Any]) -> Result:
        result = finite_part(computed(system, self._planned(system, named)))
        return balanced(system, result).warned(system.doubts(named))

    def _planned(self, system: Study, named: Mapping[str, Any]) -> Plan:
        """The plan of the last run with other parameters, if these are all that is different."""
        last, request = self._plan, replace(self._request, params=named)
        if last is not None and system is self.system:
            system.refuse(named)
            return replace(last, request=request, params=named)
        plan = settled(system, request)
        if system is self.system and system.last_plan is plan:
            self._plan = plan
        return plan

    def _compile(self, params: Mapping[str, Any]) -> None:
        """Machine code of everything, as good as it will be."""
        if self._warm:
            return
        times = self.times
        short = replace(self._request, every=None, times=times[0] + WARM * (times[-1] - times[0])
                        * np.array([0.0, 1.0]))  # fmt: skip
        with (
            contextlib.suppress(PliantError, Interrupted, ArithmeticError),
            np.errstate(all="ignore"),
        ):
            system, named = self.system.with_numbers(params)
            computed(system, settled(system, replace(short, params=named)))
            for program in system.programs.values():
                for name in program.compiled.code.put_off:
                    program.compiled.code.require(name)
        background.finish()
        self._warm = True
