"""Every formulation that accepts a model, run at equal tolerance and at a hundredth of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.choice import Choice
from pliant.analysis.simulate import setting_numbers, simulate
from pliant.analysis.verify_agreement import Pair
from pliant.errors import CapabilityError, InputError, PliantError
from pliant.formulations import FORMULATIONS
from pliant.solve import INTEGRATORS

if TYPE_CHECKING:
    from pliant.results import Result
    from pliant.system import System

RTOL, FINER = 1e-6, 100.0
SAMPLES = 100
STEPS = 1000
"""A run is made no longer than takes the first formulation about so many steps."""
_FIRST_PART = 50
"""How many times longer a run is than the one from which its steps are estimated."""


@dataclass(frozen=True, slots=True)
class Span:
    """Until when a model is run, until when it asks to be run, and how."""

    t_end: float
    asked: float
    rtol: float
    method: str
    params: Mapping[str, Any] | None = None

    @property
    def shortened(self) -> bool:
        """Whether the runs end before the time of the model."""
        return self.t_end < self.asked


@dataclass(frozen=True, slots=True)
class Attempt:
    """A choice, and its two runs or why there are none."""

    choice: Choice
    pair: Pair | None
    failure: str = ""
    declined: str = ""


def run_choices(complete: bool) -> list[Choice]:
    """Every formulation in every form, on its first tree; on all of them if ``complete``."""
    return [
        Choice(name, tree, form=form)
        for name, method in FORMULATIONS.items()
        for tree in (method.trees if complete else method.trees[:1])
        for form in method.forms
    ]


def span_of(
    system: System, t_end: float | None, rtol: float | None, params: Mapping[str, Any] | None
) -> Span:
    """The time asked for, or that of the model, shortened to about ``STEPS`` steps."""
    s, number = system.model.settings, setting_numbers(system, params)
    known = s.method in INTEGRATORS and INTEGRATORS[s.method].adaptive
    method, rtol = s.method if known else "auto", rtol if rtol is not None else RTOL
    if t_end is not None:
        return Span(t_end, t_end, rtol, method, params)
    begin, end = number["t_start"] or 0.0, number["t_end"]
    if end is None:
        raise InputError("no end time", "give t_end (--t-end), or ask for the pointwise check")
    part = (end - begin) / _FIRST_PART
    first = _run(system, Choice(), Span(begin + part, end, rtol, method, params), rtol)
    steps = float(first.info["statistics"]["steps"])
    return Span(min(end, begin + part * max(1.0, STEPS / steps)), end, rtol, method, params)


def attempt(system: System, choice: Choice, span: Span) -> Attempt:
    """Both runs of a choice."""
    try:
        coarse, finer = (_run(system, choice, span, r) for r in (span.rtol, span.rtol / FINER))
    except CapabilityError as error:
        return Attempt(choice, None, declined=str(error))
    except (PliantError, np.linalg.LinAlgError, FloatingPointError) as error:
        return Attempt(choice, None, str(error))
    failure = coarse.failure or finer.failure
    if failure and min(len(coarse.time), len(finer.time)) < 2:
        return Attempt(choice, None, failure)
    return Attempt(choice, Pair(coarse, finer), failure)


def _run(system: System, choice: Choice, span: Span, rtol: float) -> Result:
    begin = setting_numbers(system, span.params)["t_start"] or 0.0
    times = np.linspace(begin, span.t_end, SAMPLES + 1)
    everything = ["*"] if system.model.settings.observe else None
    return simulate(
        system, t_end=span.t_end, choice=choice, method=span.method, rtol=rtol,
        times=[float(t) for t in times], params=span.params, outputs=everything,
    )  # fmt: skip
