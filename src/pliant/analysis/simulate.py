"""Transient simulation."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis import large
from pliant.analysis.back_ends import BLOCKS, TREE, chosen_back_end
from pliant.analysis.blocks.route import METHODS as BLOCK_METHODS
from pliant.analysis.causes import cause, diagnose, explained
from pliant.analysis.choice import Choice
from pliant.analysis.kinks import remarks_of_run, why_stopped
from pliant.analysis.memory import allowed_memory, refuse_too_many
from pliant.analysis.prepare import (
    InitialState,
    Prepared,
    asked_for,
    body_motion,
    initial_state,
    prepare,
)
from pliant.analysis.recorded import states_of
from pliant.analysis.resume import fits, resumed, saved_state, state_at
from pliant.analysis.undefined_starts import refuse_infinite_rates, refuse_without_direction
from pliant.arrays import Array, Flags
from pliant.equations import CompiledEquations
from pliant.errors import InputError, StartError
from pliant.model.named import did_you_mean
from pliant.model.settings import STARTS
from pliant.results import Result
from pliant.results.build import result_of
from pliant.solve.degrees import degrees, undetermined, unique_reactions
from pliant.solve.dynamics import Dynamics, dense_dynamics
from pliant.solve.events import EventRule
from pliant.solve.run import RunData, run, sample_times
from pliant.solve.state_sizes import absolute_tolerances

if TYPE_CHECKING:
    from pliant.system import System

LARGEST_RTOL, COARSE_RTOL = 0.1, 0.01
"""Relative tolerances above the first are refused, above the second remarked on."""


def simulate(
    system: System,
    *,
    t_end: float | None = None,
    choice: Choice,
    method: str | None = None,
    constraints: str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    step: float | None = None,
    every: float | None = None,
    times: Sequence[float] | None = None,
    params: Mapping[str, Any] | None = None,
    outputs: Sequence[str] | None = None,
    start: Result | str | None = None,
    options: Mapping[str, float] | None = None,
    treatment_options: Mapping[str, float] | None = None,
    progress: Callable[[float], None] | None = None,
    free: bool = False,
    max_memory: float | str | None = None,
    back_end: str | None = None,
) -> Result:
    """See ``System.simulate``. ``free``: no formulation was named, so that none need be used;
    ``back_end``: the one to be used, whichever would be chosen."""
    _check_numbers(t_end=t_end, rtol=rtol, atol=atol, step=step, every=every)
    s = system.model.settings
    began, limit = clock.perf_counter(), allowed_memory(max_memory)
    observe = asked_for(system, outputs)
    number = setting_numbers(system, params)
    rtol = rtol if rtol is not None else number["rtol"] or 1e-6
    doubts = _check_tolerance(rtol)
    atol = atol if atol is not None else number["atol"]
    step = step if step is not None else number["step"]
    treatment, t_start = constraints or s.constraints, number["t_start"] or 0.0
    method = method or (s.method if step is None or s.method != "auto" else "generalized-alpha")
    start = s.start if start is None else start
    at_rest = _start_words(start)
    earlier = saved_state(start) if isinstance(start, Result) else None
    back_end = chosen_back_end(
        system, choice, method, treatment, free=free, at_rest=at_rest,
        own_treatment=bool(treatment_options), named=back_end,
    ).name  # fmt: skip
    tree, blocks = back_end == TREE, back_end == BLOCKS
    if earlier is not None and (tree or blocks):
        fit = fits(system, params, earlier)
        if not fit and method in BLOCK_METHODS:
            raise StartError(f"start: joints of this model do not fit the end of the earlier run, "
                             f"and {method} has no impulse; use another method")  # fmt: skip
        tree, blocks = tree and fit, blocks and fit  # expressions have the impulse
    if blocks and method not in BLOCK_METHODS:
        method = "sparse-alpha"
    if tree or method in BLOCK_METHODS:
        t_start = earlier.t if earlier is not None else t_start
        grid = output_times(t_start, t_end, number, every, times, limit)
    if method in BLOCK_METHODS:
        from pliant.analysis.blocks.transient import simulate_blocks

        _refuse_for_blocks(method, choice, treatment, treatment_options)
        return _said(simulate_blocks(
            system, grid, params=params, observe=observe, method=method, step=step, rtol=rtol,
            atol=atol, options=options, progress=progress, start=earlier, at_rest=at_rest,
            limit=limit,
        ), doubts)  # fmt: skip
    if tree:
        return _said(large.simulate_tree(
            system, grid, params=params, observe=observe, method=method, rtol=rtol, atol=atol,
            step=step, options=options, progress=progress, t_start=t_start, start=earlier,
            limit=limit, rules=event_rules(system),
        ), doubts)  # fmt: skip
    prepared = prepare(system, choice, observe)
    if at_rest:
        from pliant.analysis.statics import equilibrium_start

        state = equilibrium_start(system, prepared, params, t_start)
    else:
        state = (initial_state(system, prepared, params, t_start) if earlier is None
                 else resumed(system, prepared, params, earlier))  # fmt: skip
    compiled_in = clock.perf_counter() - began
    grid = output_times(float(state.x[0]), t_end, number, every, times, limit)
    refuse_too_many(len(grid), _columns(prepared.compiled), limit)
    refuse_infinite_rates(system, params, float(state.x[0]), float(grid[-1]))
    chosen = dict(treatment_options or {})

    def dynamics_of(ours: Prepared, p: Array) -> Dynamics:
        return dense_dynamics(ours.compiled, treatment, p, implicit=False, **chosen)

    def rules_of(ours: Prepared) -> list[EventRule]:
        return [*event_rules(system), *_onset_rules(system, ours, params)]

    dynamics = dynamics_of(prepared, state.p)
    if choice.form == "embedding":
        from pliant.analysis.embedded_run import refuse_in_pose

        refuse_in_pose(prepared, state.x, state.p)
    _refuse_undetermined(prepared, state)
    with explained(system, choice):
        x0 = dynamics.consistent(state.x, state.p)
    refuse_without_direction(
        system, lambda: body_motion(prepared, x0[: prepared.compiled.x_size].copy(), state.p),
        params, float(x0[0]),
    )  # fmt: skip
    sizes = absolute_tolerances(prepared.compiled, x0, state.p, float(grid[-1]), rtol)
    how: dict[str, Any] = {"progress": progress, "method": method, "rtol": rtol,
                           "atol": sizes if atol is None else atol, "step": step,
                           "options": options}  # fmt: skip
    if earlier is not None:
        wrapped = prepared.compiled.wrapped
        how["angles"] = np.array([earlier.q.get(name, np.nan) for name in wrapped])
    remarks = state.remarks
    with explained(system, choice):
        if choice.form == "embedding":
            from pliant.analysis.embedded_run import EmbeddedRun

            parts = EmbeddedRun(system, observe, dynamics_of, rules_of, how)
            data, prepared = parts.go(prepared, x0, state.p, grid)
            remarks = (*remarks, *parts.remarks)
        else:
            rules = rules_of(prepared)
            data = run(prepared.compiled, dynamics, x0, state.p, grid, rules=rules, **how)
    if data.failed is not None and data.failed.code != "interrupted":
        why = _why(system, choice, prepared, data, step or 0.0)
        data.failure = f"{data.failure}: {why}" if why else data.failure
        data.failure = "; ".join(filter(None, (data.failure, _buckled(data))))
    info = {
        "model": system.model.name, "formulation": choice.formulation, "tree": choice.label,
        "method": method, "constraints": treatment, "rtol": rtol, "atol": atol, "step": step,
        "params": dict(params or {}), "prepared_in": compiled_in,
        "degrees_of_freedom": degrees(prepared.compiled, x0, state.p).freedom,
        "failure_code": data.failed.code if data.failed else "",
        "end_state": state_at(prepared, data.x_end, data.p_end, data.angles).text,
        "energy": data.energy or "not known of this model",
    }  # fmt: skip
    if data.energy is not None and not data.energy.holds:
        doubts = (*doubts, data.energy.warning)
    reacts = any(o.kind == "reaction" for o in prepared.compiled.asked.values())
    unique = partial(_unique_throughout, prepared, data.states)
    recorded = states_of(system, choice, treatment, chosen, data, prepared.compiled, unique)
    return result_of(prepared.compiled, data, info=info, unique=unique() if reacts else {},
                     recorded=recorded,
                     warnings=(*remarks, *doubts,
                               *remarks_of_run(system, prepared.compiled, method, data),
                               *_remarks(system, prepared, data, params)),
                     model=system.text)  # fmt: skip


def _why(system: System, choice: Choice, prepared: Prepared, data: RunData, step: float) -> str:
    """What made a run end early, by name."""
    if data.failed is None or data.failed.code == "lock-up":
        return ""
    c, p = prepared.compiled, data.p_end
    if len(data.undefined) and np.isfinite(data.undefined[: c.nq + c.nu + 1]).all():
        ahead = data.undefined[0] < data.failed.time
        return cause(system, choice, data.undefined, p, prepared=prepared, ahead=ahead)
    found = diagnose(c, data.x_end, p) or why_stopped(c, p)
    return found or cause(system, choice, data.x_end, p, prepared=prepared, step=step)


def _said(result: Result, doubts: tuple[str, ...]) -> Result:
    """A result that also says what was doubted before the run."""
    return replace(result, warnings=(*doubts, *result.warnings)) if doubts else result


def _check_tolerance(rtol: float) -> tuple[str, ...]:
    """Refuse a tolerance that means nothing; a remark on one that means little."""
    if rtol > LARGEST_RTOL:
        raise InputError(f"rtol: {rtol:g} allows errors as large as the motion",
                         f"give at most {LARGEST_RTOL:g}; 1e-6 is usual")  # fmt: skip
    if rtol > COARSE_RTOL:
        return (f"rtol = {rtol:g} is coarse: every step may err by that part of the state, and "
                "errors add up",)  # fmt: skip
    return ()


def _refuse_for_blocks(
    method: str, choice: Choice, treatment: str, treatment_options: Mapping[str, float] | None
) -> None:
    """Blocks have coordinates, joints and multipliers of their own."""
    said = {
        "formulation, tree and form": choice != Choice(),
        "constraints": treatment != "projection" or bool(treatment_options),
    }
    for what, given in said.items():
        if given:
            raise InputError(f"{what}: method '{method}' has its own", "leave them out")


def _onset_rules(
    system: System, prepared: Prepared, params: Mapping[str, Any] | None
) -> Sequence[EventRule]:
    """Events that the program watches for by itself."""
    if not prepared.compiled.elastic:
        return ()
    from pliant.analysis.validity import buckling_rules

    return buckling_rules(system, prepared.compiled, params)


def _buckled(data: RunData) -> str:
    """Beams that had buckled before a run failed."""
    if not data.flexible:
        return ""
    from pliant.analysis.validity import buckled_before

    return buckled_before(data.events)


def _remarks(
    system: System, prepared: Prepared, data: RunData, params: Mapping[str, Any] | None
) -> list[str]:
    """What the result says about change points and the validity of the model."""
    passed = _passed(data.passed)
    if not data.flexible:
        return passed
    from pliant.analysis.validity import validity_remarks

    X = np.concatenate(data.flexible)
    return [*passed, *validity_remarks(system, prepared.compiled, X, data.p_end, params)]


def _passed(times: Sequence[float]) -> list[str]:
    """One remark on all change points."""
    if not times:
        return []
    said = ", ".join(f"{t:.4g} s" for t in times[:3])
    many = f" and {len(times) - 3} more times" if len(times) > 3 else ""
    which = "a change point" if len(times) == 1 else "change points"
    return [f"passed {which} at t = {said}{many}: two ways of assembly meet there; "
            "the motion went on smoothly"]  # fmt: skip


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


def _unique_throughout(
    prepared: Prepared, states: Sequence[tuple[Array, Array]]
) -> dict[str, Flags]:
    """Reactions that are determined at every one of some states along the run."""
    found = [unique_reactions(prepared.compiled, x, p) for x, p in states]
    return {name: np.all([f[name] for f in found], axis=0) for name in found[0]}


def _refuse_undetermined(prepared: Prepared, state: InitialState) -> None:
    """A motion without mass or constraint has no acceleration: say whose it is."""
    free = undetermined(prepared.compiled, state.x, state.p)
    if free:
        bodies = ", ".join(f"'{name.removesuffix('.free')}'" for name in free)
        raise InputError(
            f"the motion of {bodies} is not determined: nothing with mass or inertia moves there",
            "give the body mass and inertia, or hold it by a joint",
        )


def setting_numbers(system: System, params: Mapping[str, Any] | None) -> dict[str, float | None]:
    """Numbers of the ``simulate`` section, with parameters in force; None where nothing is said."""
    value, settings = system.values(params).number, system.model.settings
    keys = ("t_end", "t_start", "rtol", "atol", "step", "every")
    given = {key: getattr(settings, key) for key in keys}
    return {key: None if f is None else value(f) for key, f in given.items()}


def output_times(
    begin: float,
    t_end: float | None,
    number: Mapping[str, float | None],
    every: float | None,
    times: Sequence[float] | None,
    limit: float | None = None,
) -> Array:
    """The user's output times, independent of the steps; ``limit``: memory for them, in bytes."""
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


def _columns(c: CompiledEquations) -> int:
    """Numbers that are kept of each sample."""
    asked = sum(o.size for o in c.asked.values()) + len(c.powers) + len(c.wrapped)
    return asked + (c.x_size if c.elastic else 0)


def event_rules(system: System) -> list[EventRule]:
    """Events of the model in the order of function E."""
    return [
        EventRule(name, k, e.direction, e.stop, e.message)
        for k, (name, e) in enumerate(system.model.events.items())
    ]


def _start_words(start: Result | str | None) -> bool:
    """Whether a run begins in equilibrium; unknown words are refused."""
    if isinstance(start, str) and start not in STARTS:
        raise InputError(
            f"start: '{start}' is unknown",
            did_you_mean(start, STARTS) or f"use {', '.join(STARTS)}, or an earlier result",
        )
    return start == "equilibrium"
