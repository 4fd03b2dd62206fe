"""Every formulation that accepts a model, run at equal tolerance and at a hundredth of it; other
back ends beside expressions.

Tree kernel and blocks share no code with the equations that expressions are made of: a tree goes
body by body, blocks element by element. Each begins in the same states as a run that goes on
from an earlier one, solves for accelerations and reactions, and tells all of its observables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.analysis.simulate import simulate
from pliant.analysis.verification.agreement import Pair
from pliant.backends.choice import Choice
from pliant.backends.choose import BACK_ENDS, BLOCKS, EXPRESSIONS, TREE, usual_back_end
from pliant.backends.expressions.internal import known_sections
from pliant.backends.request import LARGEST_RTOL, Request, setting_numbers
from pliant.errors import CapabilityError, InputError, PliantError
from pliant.formulations import FORMULATIONS
from pliant.graphs import SystemGraph, spanning_tree
from pliant.records import dataclass
from pliant.results import Result
from pliant.solve import INTEGRATORS
from pliant.study import Study

RTOL, FINER = 1e-6, 100.0
SAMPLES = 100
STEPS = 1000
"""A run is made no longer than takes the first formulation about so many steps."""
_FIRST_PART = 50
"""How many times longer a run is than the one from which its steps are estimated."""
_BLOCK_WORK = 100_000
"""Steps times unknowns of a run over blocks."""
_SHORTER = 1.5
"""Times as many steps as the finer tolerance makes at least, where it decides on them."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to compute a motion, as tables call it; without a back end the one a run chooses."""

    choice: Choice = Choice()
    back_end: str | None = EXPRESSIONS

    @property
    def formulation(self) -> str:
        own = self.back_end not in (None, EXPRESSIONS, TREE)
        return str(self.back_end) if own else self.choice.formulation

    @property
    def label(self) -> str:
        labels = {TREE: TREE, BLOCKS: "absolute tree"}
        return labels.get(self.back_end or EXPRESSIONS, self.choice.label)


def along_motion_too(system: Study, complete: bool) -> dict[str, str]:
    """Back ends besides expressions, each with the reason why it is not run: of those that take
    the model one, that of a plain run first; all if ``complete``."""
    default = usual_back_end(system).name
    order = sorted(other_back_ends(), key=lambda name: name != default)
    found = {name: BACK_ENDS[name].incapable(system) for name in order}
    ready = [name for name, why in found.items() if not why]
    for name in () if complete else ready[1:]:
        found[name] = f"{ready[0]} is run as the other back end; --complete runs all"
    return found


def other_back_ends() -> tuple[str, ...]:
    """Those that are compared with expressions."""
    return tuple(name for name in BACK_ENDS if name != EXPRESSIONS)


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
    """A way, and its two runs or why there are none."""

    way: Way
    pair: Pair | None
    failure: str = ""
    declined: str = ""


def all_choices(system: Study) -> list[Choice]:
    """Every formulation, tree, form and choice of cut joints."""
    choices = [
        Choice(name, tree, form=form)
        for name, method in FORMULATIONS.items()
        for tree in method.trees
        for form in method.forms
    ]
    other = other_cuts(spanning_tree(system.model))
    return [*choices, Choice(cut=other)] if other else choices


def other_cuts(graph: SystemGraph) -> tuple[str, ...]:
    """For every loop another joint to cut: the outermost tree joint of its first branch."""
    up = {e.outer: e for e in graph.edges}
    chosen: dict[str, None] = {}
    for joint in graph.cuts:
        if not joint.in_tree or joint.cut:
            continue
        body = graph.model.frame(joint.parent)[0]
        if body == "ground":
            body = graph.model.frame(joint.child)[0]
        if body in up and up[body].joint.name in graph.model.joints:
            chosen[up[body].joint.name] = None
    return tuple(chosen)


def run_choices(complete: bool) -> list[Choice]:
    """Every formulation in every form, on its first tree; on all of them if ``complete``."""
    return [
        Choice(name, tree, form=form)
        for name, method in FORMULATIONS.items()
        for tree in (method.trees if complete else method.trees[:1])
        for form in method.forms
    ]


def span_of(
    system: Study, t_end: float | None, rtol: float | None, params: Mapping[str, Any] | None
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
    first = _run(system, Way(), Span(begin + part, end, rtol, method, params), rtol)
    steps = float(first.info["statistics"]["steps"])
    return Span(min(end, begin + part * max(1.0, STEPS / steps)), end, rtol, method, params)


def attempt(system: Study, way: Way, span: Span) -> Attempt:
    """Both runs of a way. Steps of blocks are of second order: theirs are as coarse as others are
    fine, and no more than the work allowed. They end at every sample; where it is these that make
    them short, the better run has twice as many."""
    samples, rtol = SAMPLES, span.rtol
    try:
        if way.back_end == BLOCKS:
            rtol = min(FINER * rtol, LARGEST_RTOL)
            first = _run(system, way, span, rtol, SAMPLES // _FIRST_PART)
            counts, made = first.info["statistics"], len(first.time) - 1
            possible = _BLOCK_WORK / (counts["unknowns"] * max(counts["steps"], 1.0))
            samples = int(np.clip(possible * made, made, SAMPLES))
        coarse, finer = (_run(system, way, span, r, samples) for r in (rtol, rtol / FINER))
        if way.back_end == BLOCKS and _steps(finer) < _SHORTER * _steps(coarse):
            finer = _run(system, way, span, rtol / FINER, samples, between=2)
    except CapabilityError as error:
        return Attempt(way, None, declined=str(error))
    except (PliantError, np.linalg.LinAlgError, FloatingPointError) as error:
        return Attempt(way, None, str(error))
    failure = coarse.failure or finer.failure
    if failure and min(len(coarse.time), len(finer.time)) < 2:
        return Attempt(way, None, failure)
    return Attempt(way, Pair(coarse, finer), failure)


def _steps(result: Result) -> float:
    return float(result.info["statistics"]["steps"])


def _run(
    system: Study, way: Way, span: Span, rtol: float, samples: int = SAMPLES, between: int = 1
) -> Result:
    """To one of the times that are compared, with internal forces of beams; ``between``: parts of
    the time from one of them to the next."""
    begin = setting_numbers(system, span.params)["t_start"] or 0.0
    times = np.linspace(begin, span.t_end, between * SAMPLES + 1)[: between * samples + 1]
    everything = ["*"] if system.model.settings.observe else None
    result = simulate(system, Request(
        t_end=float(times[-1]), choice=way.choice, back_end=way.back_end, method=span.method,
        rtol=rtol, times=[float(t) for t in times], params=span.params, outputs=everything,
    ))  # fmt: skip
    return with_internal_forces(system, result)


def with_internal_forces(system: Study, result: Result) -> Result:
    """Those of modal beams at their frames as well, which runs tell only where they are asked."""
    told = result.recorded
    names = () if told is None else [n for n in known_sections(system) if n in told.known]
    inside = {n: told.series(n) for n in names if told is not None and n not in result.series}
    return replace(result, series={**result.series, **inside}) if inside else result
