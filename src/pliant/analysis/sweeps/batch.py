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
from pliant.analysis.simulate import computed, finished
from pliant.arrays import Array
from pliant.backends.choose import chosen_back_end
from pliant.backends.expressions.run import BACK_END as EXPRESSIONS
from pliant.backends.expressions.run import Brief
from pliant.backends.request import Plan, Request, settled
from pliant.code import background
from pliant.errors import Interrupted, PliantError, StepError
from pliant.model.numbers.literals import is_path
from pliant.observe.following import asked_for
from pliant.results.sweeps.runs import RunsMaker
from pliant.study import Study

WARM = 1e-3
"""Part of the duration that is run beforehand, so that everything is compiled."""


class Batch:
    """Runs of a system that differ in ``params`` only: parameters, and numbers by their paths."""

    def __init__(self, system: Study, request: Request) -> None:
        self.system, self._request = system, request
        self._plan: Plan | None = None
        """Of the last run, if runs differ from it in parameters only."""
        self._in_brief = False
        """Whether such a run may be told in brief."""
        self._warm = False

    @property
    def times(self) -> Array:
        """When samples are taken."""
        return settled(self.system, self._request).times()

    def enter(self, params: Mapping[str, Any], made: RunsMaker) -> None:
        """One run, as ``System.simulate`` gives it, into a table; with why, if it cannot be."""
        try:
            self._compile(params)
            with np.errstate(all="ignore"):
                self._enter(params, made)
        except (np.linalg.LinAlgError, ArithmeticError) as error:
            raise StepError(f"the numbers of the model are too large, too small or too different "
                            f"in size to compute with ({error})") from None  # fmt: skip

    def _enter(self, params: Mapping[str, Any], made: RunsMaker) -> None:
        system, named = self.system, params
        if any(is_path(name) for name in params):
            system, named = self.system.with_numbers(params)
        plan = self._planned(system, named)
        if self._in_brief and system is self.system:
            told = EXPRESSIONS.told(system, plan)
            if isinstance(told, Brief):
                remarks = (*system.doubts(named), *plan.doubts, *told.remarks)
                made.enter(told.time, told.series, remarks)
                return
            result = finished(system, plan, told)
        else:
            result = computed(system, plan)
        whole = balanced(system, finite_part(result), plan.observe)
        made.add(whole.warned(system.doubts(named)))

    def _planned(self, system: Study, named: Mapping[str, Any]) -> Plan:
        """The plan of the last run with other parameters, if these are all that is different."""
        last, request = self._plan, replace(self._request, params=named)
        if last is not None and system is self.system:
            system.refuse(named)
            return replace(last, request=request, params=named)
        plan = settled(system, request)
        kept = system.last_plan
        if system is self.system and kept is not None and kept.shared is plan.shared:
            self._plan, self._in_brief = plan, _in_brief(system, plan)
        return plan

    def _compile(self, params: Mapping[str, Any]) -> None:
        """Machine code of everything, as good as it will be."""
        if self._warm:
            return
        times = self.times
        short = replace(self._request, every=None, times=times[0] + WARM * (times[-1] - times[0])
                        * np.array([0.0, 1.0]))  # fmt: skip
        failing = PliantError, Interrupted, ArithmeticError
        with contextlib.suppress(*failing), np.errstate(all="ignore"):
            system, named = self.system.with_numbers(params)
            computed(system, settled(system, replace(short, params=named)))
            for program in system.programs.values():
                for name in program.compiled.code.put_off:
                    program.compiled.code.require(name)
        background.finish()
        self._warm = True


def _in_brief(system: Study, plan: Plan) -> bool:
    """Whether expressions compute a plan, and nothing follows from its observables."""
    if chosen_back_end(system, plan).back_end is not EXPRESSIONS or system.model.beams:
        return False
    return not asked_for(plan.observe or ())
