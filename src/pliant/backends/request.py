"""What is asked of a motion, and the same in numbers: what is not said, the model says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.memory import allowed_memory, refuse_too_many
from pliant.backends.resume import State, saved_state
from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.model.settings import STARTS
from pliant.records import dataclass
from pliant.results import Result
from pliant.solve.motion.run import sample_times

if TYPE_CHECKING:
    from pliant.backends.contract import Motion
    from pliant.study import Study

T = TypeVar("T")
LARGEST_RTOL, COARSE_RTOL = 0.1, 0.01
"""Relative tolerances above the first are refused, above the second remarked on."""
_NUMBERS = ("t_end", "t_start", "rtol", "atol", "step", "every")
_asked = attrgetter(
    "choice", "free", "method", "constraints", "rtol", "atol", "step", "t_end", "every", "outputs",
    "start", "options", "max_memory", "back_end",
)  # fmt: skip
"""What a request asks for, whatever the parameters are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A motion as a user asks for it (``System.simulate``). ``free``: no formulation was named, so
    that none need be used; ``back_end``: the one to be used, whichever would be chosen."""

    choice: Choice = Choice()
    free: bool = False
    method: str | None = None
    constraints: str | None = None
    rtol: float | None = None
    atol: float | None = None
    step: float | None = None
    t_end: float | None = None
    every: float | None = None
    times: Sequence[float] | None = None
    params: Mapping[str, Any] | None = None
    outputs: Sequence[str] | None = None
    start: Result | str | None = None
    options: Mapping[str, float] | None = None
    treatment_options: Mapping[str, float] | None = None
    progress: Callable[[float], None] | None = None
    watch: Callable[[Result], None] | None = None
    max_memory: float | str | None = None
    back_end: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A request in numbers: how a motion is computed."""

    request: Request
    choice: Choice
    method: str
    treatment: str
    treatment_options: Mapping[str, float]
    rtol: float
    atol: float | None
    step: float | None
    params: Mapping[str, Any]
    observe: Sequence[str] | None
    """Names and patterns; None: everything."""
    begin: float
    """When it starts."""
    at_rest: bool
    """Whether it begins in equilibrium."""
    earlier: State | None
    """The end of the run that it goes on from."""
    limit: float | None
    """Bytes for samples."""
    numbers: Mapping[str, float | None]
    """Of the ``simulate`` section."""
    watch: Callable[[Motion], None] | None = None
    """Is handed what was computed since it was called last, while a run goes on."""
    shared: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What was worked out for this plan, and holds whatever the parameters are."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """A remark on a tolerance that means little."""
        if self.rtol <= COARSE_RTOL:
            return ()
        return (f"rtol = {self.rtol:g} is coarse: every step may err by that part of the state, "
                "and errors add up",)  # fmt: skip

    def once(self, what: str, make: Callable[[], T]) -> T:
        """make(), or what it gave for a plan that differs in parameters only."""
        if what not in self.shared:
            self.shared[what] = make()
        found: T = self.shared[what]
        return found

    def times(self) -> Array:
        """When samples are taken, independent of the steps."""
        r = self.request
        return self.once("times", lambda: output_times(
            self.begin, r.t_end, self.numbers, r.every, r.times, self.limit))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RestRequest:
    """An equilibrium as a user asks for it (``System.statics``)."""

    choice: Choice = Choice()
    t: float | None = None
    load_steps: int = 1
    method: str = "auto"
    hold: Sequence[str] = ()
    params: Mapping[str, Any] | None = None
    outputs: Sequence[str] | None = None
    path: str = "load"
    critical: bool = False

    @property
    def follows(self) -> bool:
        """Whether more than one equilibrium under the full load is asked for: limit points on the
        way, or the load at which it gives way."""
        return self.critical or self.path != "load"

    def time(self, system: Study) -> float:
        """When: as given, else the start time of the model."""
        if self.t is not None:
            return self.t
        return setting_numbers(system, self.params)["t_start"] or 0.0


def settled(system: Study, request: Request) -> Plan:
    """A request with what the model says where it is silent; bad numbers are refused. That of the
    last one, if they differ in parameters only and no time or tolerance reads these."""
    for name, called in (("progress", request.progress), ("watch", request.watch)):
        if called is not None and not callable(called):
            raise InputError(f"{name}: {called!r} is no function", "give one of one argument")
    repeats = (request.times is None and not isinstance(request.start, Result)
               and not request.treatment_options)  # fmt: skip
    last: Plan | None = system.last_plan if repeats else None
    known = last is not None and _asked(last.request) == _asked(request)
    if not known:
        _check_numbers(t_end=request.t_end, rtol=request.rtol, atol=request.atol, step=request.step,
                       every=request.every)  # fmt: skip
    if request.params:
        system.refuse(request.params)
    if last is not None and known:
        return replace(last, request=request, params=request.params or {})
    plan = _settled(system, request)
    formulas = (getattr(system.model.settings, key) for key in _NUMBERS)
    if repeats and not any(f is not None and f.names for f in formulas):
        system.last_plan = plan
    return plan


def _settled(system: Study, request: Request) -> Plan:
    r, s = request, system.model.settings
    limit, number = allowed_memory(r.max_memory), setting_numbers(system, r.params)
    rtol = r.rtol if r.rtol is not None else number["rtol"] or 1e-6
    if rtol > LARGEST_RTOL:
        raise InputError(f"rtol: {rtol:g} allows errors as large as the motion",
                         f"give at most {LARGEST_RTOL:g}; 1e-6 is usual")  # fmt: skip
    step = r.step if r.step is not None else number["step"]
    usual = s.method if step is None or s.method != "auto" else "generalized-alpha"
    start = s.start if r.start is None else r.start
    at_rest = _start_words(start)
    earlier = saved_state(start) if isinstance(start, Result) else None
    return Plan(
        request=r, choice=r.choice, method=r.method or usual,
        treatment=r.constraints or s.constraints, treatment_options=dict(r.treatment_options or {}),
        rtol=rtol, atol=r.atol if r.atol is not None else number["atol"], step=step,
        params=r.params or {}, observe=asked_for(system, r.outputs),
        begin=earlier.t if earlier is not None else number["t_start"] or 0.0,
        at_rest=at_rest, earlier=earlier, limit=limit, numbers=number,
    )  # fmt: skip


def _check_numbers(**given: float | None) -> None:
    """Arguments must be finite numbers above zero."""
    for name, value in given.items():
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float | np.number):
            raise InputError(f"{name}: {value!r} is not a number", f"give {name} as a number in SI")
        if name != "t_end" and not 0 < value < np.inf:
            raise InputError(f"{name}: {value:g} is not above zero", "give a positive number")
        if not np.isfinite(value):
            raise InputError(f"{name}: {value:g} is not finite", "give a finite number")


def setting_numbers(system: Study, params: Mapping[str, Any] | None) -> dict[str, float | None]:
    """Numbers of the ``simulate`` section, with parameters in force; None where nothing is said."""
    value, settings = system.values(params).number, system.model.settings
    given = {key: getattr(settings, key) for key in _NUMBERS}
    return {key: None if f is None else value(f) for key, f in given.items()}


def output_times(
    begin: float,
    t_end: float | None,
    number: Mapping[str, float | None],
    every: float | None,
    times: Sequence[float] | None,
    limit: float | None = None,
) -> Array:
    """The user's output times; ``limit``: memory for them, in bytes."""
    if times is not None:
        grid = np.asarray(times, dtype=float)
        if grid.ndim != 1 or len(grid) < 2 or np.any(np.diff(grid) <= 0) or grid[0] < begin:
            raise InputError("times: not increasing, or before the start",
                             "give two or more increasing times")  # fmt: skip
        return grid
    t_end = t_end if t_end is not None else number["t_end"]
    if t_end is None:
        raise InputError("no end time", "give t_end, or simulate: {t_end: ...} in the model")
    if not t_end > begin:
        raise InputError(f"end time {t_end:g} s is not after the start {begin:g} s")
    every = every if every is not None else number["every"]
    if every is not None:
        refuse_too_many((t_end - begin) / every, 1, limit)
    return sample_times(begin, float(t_end), every)


def _start_words(start: Result | str | None) -> bool:
    """Whether a run begins in equilibrium; unknown words are refused."""
    if isinstance(start, str) and start not in STARTS:
        raise InputError(
            f"start: '{start}' is unknown",
            did_you_mean(start, STARTS) or f"use {', '.join(STARTS)}, or an earlier result",
        )
    return start == "equilibrium"


def asked_for(system: Study, outputs: str | Sequence[str] | None) -> Sequence[str] | None:
    """Observables that a call names, otherwise those of the model; None: all of them."""
    if isinstance(outputs, str):
        return [name.strip() for name in outputs.split(",")]
    return outputs if outputs is not None else (system.model.settings.observe or None)
