"""Expressions: equations of any formulation as straight-line machine code."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array, Flags
from pliant.backends.causes import cannot_twist, cause, diagnose, explanation
from pliant.backends.choice import Choice
from pliant.backends.contract import Motion, Told
from pliant.backends.expressions.internal import Asked, known_sections
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import (
    InitialState,
    body_motion,
    initial_state,
    parameters,
    state_of,
)
from pliant.backends.expressions.undefined_starts import (
    refuse_infinite_rates,
    refuse_undetermined,
    refuse_without_direction,
)
from pliant.backends.kinks import remarks_of_run, why_stopped
from pliant.backends.memory import refuse_too_many
from pliant.backends.recorded import reopened_states, states_of
from pliant.backends.request import Plan, RestRequest
from pliant.backends.resume import State, resumed, state_at
from pliant.code.compiled import CompiledEquations
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.results import Result
from pliant.results.build import events_of, series_of_run
from pliant.results.series import Record, Recorded, Series
from pliant.solve.dynamics import Dynamics, compute_outputs, dense_dynamics
from pliant.solve.failure import UndefinedError
from pliant.solve.motion.events import EventRule
from pliant.solve.motion.repeat import Repeat
from pliant.solve.motion.run import Trajectory, run
from pliant.solve.start.redundancy import degrees, unique_observables
from pliant.solve.start.state_sizes import absolute_tolerances

if TYPE_CHECKING:
    from pliant.study import Study


class Expressions:
    """The back end that takes every model."""

    name = "expressions"
    methods: tuple[str, ...] = ()
    has_impulse = True

    def incapable(self, system: Study) -> str:
        """Nothing."""
        return ""

    def against(self, system: Study, plan: Plan) -> str:
        """Nothing."""
        return ""

    def run(self, system: Study, plan: Plan) -> Motion:
        """Prepare, assemble, integrate."""
        return _Run(system, plan).motion()

    def told(self, system: Study, plan: Plan) -> Brief | Motion:
        """The same; in brief, if it repeats another run and nothing happens in it."""
        one = _Run(system, plan)
        return one.brief() or one.motion()

    def against_rest(self, system: Study, request: RestRequest) -> str:
        """Paths are followed over blocks only."""
        return "it follows no paths" if request.follows or request.method == "sparse" else ""

    def rest(self, system: Study, request: RestRequest) -> Result:
        """An equilibrium of any model."""
        from pliant.backends.expressions.rest import rest_of_equations

        return rest_of_equations(system, request)

    def known(self, system: Study) -> Mapping[str, Quantity]:
        """Every observable of the equations."""
        compiled = prepare(system, Choice.of(system).augmented).compiled
        return {name: o.told for name, o in compiled.observed.items()} | known_sections(system)

    def reopened(self, system: Study, record: Record) -> Recorded:
        """States of a run, or of equilibria."""
        return reopened_states(system, record)

    def tell(
        self, system: Study, params: Mapping[str, Any] | None, states: Sequence[State]
    ) -> Told:
        """All observables at some states, in the recursive formulation."""
        ours = prepare(system)
        c, p = ours.compiled, parameters(system, ours, params)
        dynamics = dense_dynamics(c, p=p, implicit=False)
        table = []
        for state in states:
            x = state_of(ours, p, state.t, state.bodies, state.x)
            whole = dynamics.completed_states(x[None, : 1 + c.nq + c.nu + c.nx], p)
            table.append(compute_outputs(c, whole, p))
        return Told(c.observed, np.concatenate(table), {}, c.nq, c.m, c.nu)


BACK_END = Expressions()


@dataclass(frozen=True, slots=True)
class Brief:
    """A run to its end that repeats another one: samples, and remarks on it."""

    time: Array
    series: Mapping[str, Series]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What runs of a plan have in common, whatever the parameters are: equations, events of the
    model, internal forces of beams that were asked for, whether something drives it, springs, and
    whether reactions were asked for."""

    prepared: Program
    rules: tuple[EventRule, ...]
    asked: Asked
    drivers: bool
    springs: bool
    reacts: bool

    @classmethod
    def of(cls, system: Study, plan: Plan) -> _Fixed:
        """Too many samples are refused."""
        model = system.model
        asked = Asked.of(
            system, plan.observe, lambda: prepare(system, plan.choice).compiled.observed
        )
        prepared = prepare(system, plan.choice, asked.observe)
        c = prepared.compiled
        refuse_too_many(len(plan.times()), _columns(c), plan.limit)
        springs = any(force.line for force in model.forces.values())
        reacts = any(o.kind == "reaction" for o in c.asked.values())
        return cls(prepared, event_rules(system), asked, bool(model.drivers), springs, reacts)


class _Run:
    """One run."""

    def __init__(self, system: Study, plan: Plan) -> None:
        began = clock.perf_counter()
        self.system, self.plan, self.times = system, plan, plan.times()
        self.fixed = plan.once("expressions", lambda: _Fixed.of(system, plan))
        self.prepared = self.fixed.prepared
        self.state = self._start()
        self.prepared_in, self.freedom = clock.perf_counter() - began, 0
        self.repeats = True
        if self.fixed.drivers:
            first, last = float(self.state.x[0]), float(self.times[-1])
            refuse_infinite_rates(system, plan.params, first, last)

    def _start(self) -> InitialState:
        """Assembled, in equilibrium, or where an earlier run ended."""
        system, plan = self.system, self.plan
        if plan.at_rest:
            from pliant.backends.expressions.rest import equilibrium_start

            return equilibrium_start(system, self.prepared, plan.params, plan.begin)
        if plan.earlier is None:
            return initial_state(system, self.prepared, plan.params, plan.begin)
        return resumed(system, self.prepared, plan.params, plan.earlier)

    def _dynamics(self, prepared: Program, p: Array) -> Dynamics:
        plan = self.plan
        return dense_dynamics(
            prepared.compiled, plan.treatment, p, implicit=False, **plan.treatment_options
        )

    def _rules(self, prepared: Program) -> list[EventRule]:
        return [*self.fixed.rules, *_onset_rules(self.system, prepared, self.plan.params)]

    def brief(self) -> Brief | None:
        """A run that repeats another one; None: there is more to tell."""
        if self.fixed.reacts:
            return None
        data, self.repeats = self._again(), False
        if data is None:
            return None
        prepared = self.prepared
        remarks = (*self.state.remarks, *_remarks(self.system, prepared, data, self.plan))
        return Brief(data.time, series_of_run(prepared.compiled, data, {}), remarks)

    def motion(self) -> Motion:
        """Integrate, and say how it went."""
        system, plan = self.system, self.plan
        data, more = self._integrated()
        prepared = self.prepared  # the embedding form may have chosen other speeds
        if data.failed is not None and data.failed.code != "interrupted":
            why = _why(system, plan.choice, prepared, data, plan.step or 0.0)
            data.failure = f"{data.failure}: {why}" if why else data.failure
            data.failure = "; ".join(filter(None, (data.failure, _buckled(data))))
        remarks = (*self.state.remarks, *more, *_remarks(system, prepared, data, plan))
        return self._told(data, remarks)

    def _told(self, data: Trajectory, remarks: tuple[str, ...] = ()) -> Motion:
        """What was computed."""
        system, plan, prepared = self.system, self.plan, self.prepared
        c = prepared.compiled
        unique = partial(_unique_throughout, prepared, data)
        series = series_of_run(c, data, unique() if self.fixed.reacts else {})
        recorded = states_of(
            system, plan.choice, plan.treatment, plan.treatment_options, data, c, unique
        )
        if self.fixed.asked.internal:
            series, more = _with_internal(series, recorded, self.fixed.asked.internal)
            remarks = (*remarks, *more)
        return Motion(
            time=data.time, series=series,
            end=lambda: state_at(prepared, data.x_end, data.p_end, data.angles),
            info={"formulation": plan.choice.formulation, "tree": plan.choice.label,
                  "constraints": plan.treatment, "prepared_in": self.prepared_in,
                  "degrees_of_freedom": self.freedom},
            statistics=data.statistics, energy=data.energy, events=events_of(data),
            recorded=recorded,
            remarks=remarks, failure=data.failure, failed=data.failed, model=system.text,
        )  # fmt: skip

    def _watched(self, data: Trajectory) -> None:
        """Hand over the samples since last time."""
        if self.plan.watch is not None:
            self.plan.watch(self._told(data))

    def _integrated(self) -> tuple[Trajectory, tuple[str, ...]]:
        """The run from a consistent start, and remarks on it."""
        found = self._again() if self.repeats else None
        try:
            return self._alone() if found is None else (found, ())
        except UndefinedError as undefined:
            raise explanation(self.system, self.plan.choice, undefined) from None

    def _again(self) -> Trajectory | None:
        """The run as runs before it, if it can be and nothing happens."""
        shared, plan = self.plan.shared, self.plan
        kept: Repeat | None = shared.pop("repeat", None)  # no other thread has it meanwhile
        try:
            told = plan.watch or plan.request.progress
            found = None
            if kept is not None and kept.current and told is None:
                found = self._repeated(kept)
            if kept is not None and not kept.outdated:
                shared["repeat"] = kept  # also one that does not fit, so that none is made again
            return found
        except UndefinedError as undefined:
            raise explanation(self.system, plan.choice, undefined) from None

    def _repeated(self, kept: Repeat) -> Trajectory | None:
        """As runs before it; None: there is more to tell."""
        prepared, state = self.prepared, self.state
        same = state.like is not None and state.like is kept.like
        if not same:
            refuse_undetermined(prepared.compiled, state.x, state.p)
        x0 = kept.consistent(state.x, state.p)
        if x0 is None:
            return None
        atol = self._looked_at(x0, kept.freedom if same else None)["atol"]
        if not same and not kept.departs(x0, state.p, atol):
            return None
        kept.like, kept.freedom = state.like, self.freedom
        return kept.run(x0, state.p, atol, self._rules(prepared))

    def _looked_at(self, x0: Array, freedom: int | None = None) -> dict[str, Any]:
        """Whether forces have a direction at a consistent start; degrees of freedom there, if they
        are not known; method, tolerances and step."""
        prepared, p = self.prepared, self.state.p
        if self.fixed.springs:
            bodies = body_motion(prepared, x0[: prepared.compiled.x_size].copy(), p)
            refuse_without_direction(self.system, bodies, self.plan.params, float(x0[0]))
        self.freedom = degrees(prepared.compiled, x0, p).freedom if freedom is None else freedom
        return self._how(x0)

    def _alone(self) -> tuple[Trajectory, tuple[str, ...]]:
        """A run that shares nothing with others."""
        system, plan, prepared, state = self.system, self.plan, self.prepared, self.state
        dynamics = self._dynamics(prepared, state.p)
        embeds = plan.choice.form == "embedding"
        if embeds:
            from pliant.backends.expressions.embedded_run import EmbeddedRun, refuse_in_pose

            refuse_in_pose(prepared, state.x, state.p)
        refuse_undetermined(prepared.compiled, state.x, state.p)
        x0 = dynamics.consistent(state.x, state.p)
        how = self._looked_at(x0)
        if embeds:
            parts = EmbeddedRun(system, self.fixed.asked.observe, self._dynamics, self._rules, how)
            data, self.prepared = parts.go(prepared, x0, state.p, self.times)
            self._watched(data)  # its parts overlap
            return data, tuple(parts.remarks)
        watch = None if plan.watch is None else self._watched
        data = run(prepared.compiled, dynamics, x0, state.p, self.times,
                   rules=self._rules(prepared), watch=watch, **how)  # fmt: skip
        self._keep(dynamics, x0)
        return data, ()

    def _keep(self, dynamics: Dynamics, x0: Array) -> None:
        """What further runs of this plan can use, from the second one on."""
        plan, c = self.plan, self.prepared.compiled
        if plan.step is not None or plan.earlier is not None or plan.request.options:
            return
        if "another" not in plan.shared:
            plan.shared["another"] = True
        elif "repeat" not in plan.shared and not Repeat.objects(c, dynamics, plan.method):
            plan.shared["repeat"] = Repeat(c, dynamics, self.times, x0, plan.method, plan.rtol)

    def _how(self, x0: Array) -> dict[str, Any]:
        """Method, tolerances and step."""
        plan, c = self.plan, self.prepared.compiled
        last = float(self.times[-1])
        atol: float | Array | None = plan.atol
        if atol is None and c.nx:
            atol = absolute_tolerances(c, x0, self.state.p, last, plan.rtol)
        how: dict[str, Any] = {
            "progress": plan.request.progress, "method": plan.method, "rtol": plan.rtol,
            "atol": atol, "step": plan.step,
            "options": plan.request.options,
        }  # fmt: skip
        if plan.earlier is not None:
            how["angles"] = np.array([plan.earlier.q.get(name, np.nan) for name in c.wrapped])
        return how


def _with_internal(
    series: Mapping[str, Series], recorded: Recorded | None, names: Sequence[str]
) -> tuple[dict[str, Series], tuple[str, ...]]:
    """Internal forces as well, from the states of the samples."""
    if recorded is None:
        return dict(series), ("internal forces need the states of all samples, which were too many "
                              "to be kept: ask for fewer samples",)  # fmt: skip
    return {**series, **{name: recorded.series(name) for name in names}}, ()


def _why(system: Study, choice: Choice, prepared: Program, data: Trajectory, step: float) -> str:
    """What made a run end early, by name."""
    if data.failed is None or data.failed.code == "lock-up":
        return ""
    c, p = prepared.compiled, data.p_end
    if data.failed.code == "change-point":
        return cannot_twist(system, (c.layout.rows[k].owner for k in data.failed.rows))
    if len(data.undefined) and np.isfinite(data.undefined[: c.nq + c.nu + 1]).all():
        ahead = data.undefined[0] < data.failed.time
        return cause(system, choice, data.undefined, p, prepared=prepared, ahead=ahead)
    found = diagnose(c, data.x_end, p) or why_stopped(c, p)
    return found or cause(system, choice, data.x_end, p, prepared=prepared, step=step)


def _onset_rules(
    system: Study, prepared: Program, params: Mapping[str, Any] | None
) -> Sequence[EventRule]:
    """Events that the program watches for by itself."""
    if not prepared.compiled.layout.elastic:
        return ()
    from pliant.backends.expressions.validity import buckling_rules

    return buckling_rules(system, prepared.compiled, params)


def _buckled(data: Trajectory) -> str:
    """Beams that had buckled before a run failed."""
    if not data.flexible:
        return ""
    from pliant.backends.expressions.validity import buckled_before

    return buckled_before(data.events)


def _remarks(system: Study, prepared: Program, data: Trajectory, plan: Plan) -> list[str]:
    """What the result says about conditions, change points and the validity of the model."""
    c = prepared.compiled
    said = [*remarks_of_run(system, c, plan.method, data)] if c.guards or c.signals else []
    said += _passed(data.passed)
    if not data.flexible:
        return said
    from pliant.backends.expressions.validity import validity_remarks

    X = np.concatenate(data.flexible)
    return [*said, *validity_remarks(system, c, X, data.p_end, plan.params)]


def _passed(times: Sequence[float]) -> list[str]:
    """One remark on all change points."""
    if not times:
        return []
    said = ", ".join(f"{t:.4g} s" for t in times[:3])
    many = f" and {len(times) - 3} more times" if len(times) > 3 else ""
    which = "a change point" if len(times) == 1 else "change points"
    return [f"passed {which} at t = {said}{many}: two ways of assembly meet there; "
            "the motion went on smoothly"]  # fmt: skip


def _unique_throughout(prepared: Program, data: Trajectory) -> dict[str, Flags]:
    """Reactions, and what else is not determined, at every one of some states along the run."""
    unique: dict[str, Flags] = {}
    for x, p in data.states:
        for name, flags in unique_observables(prepared.compiled, x, p).items():
            unique[name] = unique.get(name, flags) & flags
    return unique


def _columns(c: CompiledEquations) -> int:
    """Numbers that are kept of each sample."""
    asked = sum(o.size for o in c.asked.values()) + len(c.powers) + len(c.wrapped)
    return asked + (c.x_size if c.layout.elastic else 0)


def event_rules(system: Study) -> tuple[EventRule, ...]:
    """Events of the model in the order of function ``events``."""
    return tuple(
        EventRule(name, k, e.direction, e.stop, e.message)
        for k, (name, e) in enumerate(system.model.events.items())
    )
