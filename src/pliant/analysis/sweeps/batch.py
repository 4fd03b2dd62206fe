"""Batch: many runs of one system one after the other, of which nothing is laid out twice.

What is asked is settled once; a run is its parameters, and four calls of machine code where it
repeats the last one (``solve.motion.repeat``), otherwise an ordinary one. Its numbers are those of
``System.simulate`` with the same parameters, by the same machine code in every process: no
function is interpreted, and good code is finished before the first run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite
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
from pliant.observe.internal import divided
from pliant.results.sweeps.runs import RunsMaker
from pliant.study import Freed, Study

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
        self._freed: dict[tuple[str, ...], Batch | None] = {}
        """Of runs with other numbers at some paths, by these."""

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
            if self._entered_by_path(params, made):
                return
            system, named = self.system.with_numbers(params)
        plan = self._planned(system, named)
        if self._in_brief and system is self.system:
            told = EXPRESSIONS.told(system, plan)
            if isinstance(told, Brief):
                remarks = (*system.doubts(named), *plan.doubts, *told.remarks)
                made.enter(told.time, told.series, self._worded(remarks))
                return
            result = finished(system, plan, told)
        else:
            result = computed(system, plan)
        whole = balanced(system, finite_part(result), plan.observe)
        whole = whole.warned(system.doubts(named))
        made.add(replace(whole, warnings=self._worded(whole.warnings)))

    def _worded(self, remarks: Sequence[str]) -> tuple[str, ...]:
        """Remarks in the words of the user."""
        own = self.system
        return tuple(map(own.worded, remarks)) if isinstance(own, Freed) else tuple(remarks)

    def _entered_by_path(self, params: Mapping[str, Any], made: RunsMaker) -> bool:
        """A run with other numbers at some paths, as a run with other parameters: what is wrong or
        unusual with it is left to ``with_numbers``."""
        known = self.system.described.all_parameters()
        numbers = {n: v for n, v in params.items() if is_path(n) and n not in known}
        plain = all(isinstance(v, float | int) and isfinite(v) for v in numbers.values())
        if not numbers or not plain or isinstance(self.system, Freed):
            return False
        key = tuple(sorted(numbers))
        if key not in self._freed:
            freed = self.system.freed(key)
            self._freed[key] = None if freed is None else Batch(freed, self._request)
        batch = self._freed[key]
        if batch is None or not isinstance(batch.system, Freed):
            return False
        given = batch.system.given(numbers)
        if given is None:
            return False
        try:
            batch.enter({**{n: v for n, v in params.items() if n not in numbers}, **given}, made)
        except (PliantError, ArithmeticError, np.linalg.LinAlgError):
            return False
        return True

    def _planned(self, system: Study, named: Mapping[str, Any]) -> Plan:
        """The plan of the last run with other parameters, if these are all that is different."""
        last = self._plan
        if last is not None and system is self.system:
            system.refuse(named)
            return replace(last, params=named)
        plan = settled(system, replace(self._request, params=named))
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
    if chosen_back_end(system, plan).back_end is not EXPRESSIONS or divided(system.model):
        return False
    return not asked_for(plan.observe or ())
