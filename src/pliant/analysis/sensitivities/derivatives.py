"""Sensitivities: how a motion, or numbers made of it, change with parameters and initial values.

A motion is computed once, to small tolerances. Along it the variational equations are linear: their
matrices are exact derivatives of the same expressions that the motion follows, evaluated at all
stages at once; they are carried forward for observables over time, and backward (adjoint) where few
numbers are asked for by many parameters. Intervals become finer until the result stays as it is.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.analysis.faults import every_fault
from pliant.analysis.guard import seconds
from pliant.analysis.sensitivities.corners import at_corners, refuse_corners
from pliant.analysis.sensitivities.functionals import (
    SUMS,
    Columns,
    Functional,
    Scalar,
    asked_of,
    owners,
)
from pliant.analysis.sensitivities.motion import grids, moved
from pliant.analysis.sensitivities.observations import Observations, Place
from pliant.analysis.sensitivities.parameters import (
    Asked,
    directions,
    formula_slopes,
    named_study,
    units_of,
)
from pliant.analysis.sweeps.names import initial_path
from pliant.arrays import Array, Flags, increasing
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import PLAIN, derived
from pliant.backends.expressions.internal import known_sections
from pliant.backends.expressions.prepare import Program, prepare
from pliant.backends.expressions.start import initial_state
from pliant.backends.request import Plan, Request, settled
from pliant.code.compiled import CompiledEquations, Observed
from pliant.errors import CapabilityError, InputError
from pliant.model.fields import Number
from pliant.model.formulas import Formula
from pliant.model.formulas.tree import Call, walk
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.literals import is_path
from pliant.records import dataclass
from pliant.results.sensitivities import Sensitivities
from pliant.solve.single_states import evaluate_function
from pliant.solve.start.redundancy import unique_observables
from pliant.solve.variation.same_motion import SameMotion
from pliant.solve.variation.slopes import Slopes
from pliant.solve.variation.start import StartSlopes
from pliant.solve.variation.transport import Sums, Transport
from pliant.study import Study

METHODS = ("auto", "forward", "adjoint")
RTOL, AGREED = 1e-10, 1e-9
"""Tolerance of the motion; relative change of the result when intervals are halved."""
_REFINEMENTS = 7
_FEW = 8
"""Parameters up to which adjoints bring nothing."""
_LEAST, _LEAST_OF_ZERO = 1e-3, 1e-5
"""Part of what is differentiated over the parameter (one of its unit, where that is zero) below
which a derivative is small."""
_ROUNDING = 1e-14
"""What stays below that, and so do all changes of it, is zero but for rounding."""
_SETTLED = 1e-6
"""Part of a sum by which it changes at most when intervals are halved."""
_CURE = "put the condition into a force or a network, or write it smoothly"
_OPTIONS = {"rtol": None, "atol": None, "every": None, "integrator": "auto", "formulation": None,
            "tree": None, "cut": ()}  # fmt: skip


def sensitivities(
    system: Study,
    parameters: str | Sequence[str],
    of: str | Sequence[str],
    *,
    t_end: float | str | None = None,
    times: Sequence[float] | None = None,
    params: Mapping[str, Any] | None = None,
    initial: Mapping[str, Any] | None = None,
    method: str = "auto",
    **options: Any,
) -> Sensitivities:
    """See ``System.sensitivities``."""
    began = clock.perf_counter()
    _refuse_options(method, options)
    how = {**_OPTIONS, **options}
    study, named = _at(system, params, initial)
    asked = _asked(study, parameters, of)
    per = units_of(study.described, asked)
    study, asked = named_study(study, asked)
    end, every = seconds(study, named, t_end=t_end, every=how["every"])
    plan = settled(study, Request(
        t_end=end, times=times, every=every, params=named, rtol=how["rtol"] or RTOL,
        atol=how["atol"], choice=_choice(study, how),
    ))  # fmt: skip
    _refuse_start(plan)
    made = _Derivatives(
        study, plan, asked, of, how["integrator"], _end(study, t_end) if times is None else None
    )
    found = made.by(method)
    units = {**per, **found.units}
    info = {**found.info, "seconds": clock.perf_counter() - began}
    return replace(found, units=units, info=info)


def _asked(study: Study, parameters: str | Sequence[str], of: str | Sequence[str]) -> Asked:
    """What names mean; if some mean nothing, what is wrong with observables is said as well."""
    try:
        return Asked.of(study.described, parameters)
    except InputError:
        with every_fault() as looking_at:
            with looking_at():
                Asked.of(study.described, parameters)
            with looking_at():
                known = _observables(study, prepare(study).compiled, of)
                asked_of(known, of, lambda _: 0.0, study.model.events)
        raise


def _refuse_options(method: str, options: Mapping[str, Any]) -> None:
    if method not in METHODS:
        cure = did_you_mean(method, METHODS) or f"known: {', '.join(METHODS)}"
        raise InputError(f"method: '{method}' is unknown", f"{cure} (integrator= names how the "
                         "motion is computed)")  # fmt: skip
    for name in options:
        if name not in _OPTIONS:
            cure = did_you_mean(name, _OPTIONS) or f"known: {', '.join(_OPTIONS)}"
            raise InputError(f"sensitivities take no option '{name}'", cure)


def _choice(study: Study, how: Mapping[str, Any]) -> Choice:
    """Coordinates, with multipliers; those of assembly unless others are asked for."""
    named = {name: how[name] for name in ("formulation", "tree", "cut") if how[name]}
    return Choice.of(study, **{"formulation": PLAIN.formulation, "tree": PLAIN.tree, **named},
                     form=PLAIN.form)  # fmt: skip


def _at(
    system: Study, params: Mapping[str, Any] | None, initial: Mapping[str, Any] | None
) -> tuple[Study, dict[str, Any]]:
    """The system with other numbers, and the parameters that have names."""
    given = dict(params or {})
    for name, value in (initial or {}).items():
        path = name if is_path(name) else initial_path(system.described, name)
        if not path:
            raise InputError(f"initial: '{name}' is no coordinate or rate of a joint",
                             "write for example {'O.angle': 0.3}")  # fmt: skip
        given[path] = value
    return system.with_numbers(given)


def _end(study: Study, t_end: float | str | None) -> Formula | None:
    """The end of the motion, if it follows from parameters."""
    found = study.model.settings.t_end if t_end is None else t_end
    return (
        _in_seconds(found)
        if isinstance(found, str)
        else found
        if isinstance(found, Formula)
        else None
    )


def _in_seconds(text: str) -> Formula:
    found: Formula = Number("s").convert(text)
    return found


def _refuse_start(plan: Plan) -> None:
    if plan.at_rest:
        raise CapabilityError("start: equilibrium: derivatives are taken of motions from the "
                              "initial state; take simulate: {start: undeformed}")  # fmt: skip


class _Derivatives:
    """One request."""

    def __init__(
        self, study: Study, plan: Plan, asked: Asked, of: str | Sequence[str], integrator: str,
        end: Formula | None,
    ) -> None:  # fmt: skip
        self.study, self.plan, self.asked = study, plan, asked
        self.end = self._moves(end)
        self.prepared = prepare(study, plan.choice)
        c = self.prepared.compiled
        events = tuple(study.model.events)
        known = _observables(study, c, of)
        self.scalars, self.functionals = asked_of(known, of, self._seconds, events)
        _refuse_jumping_sums(study, self.functionals)
        names = owners(self.scalars, self.functionals)
        self.directions = directions(study, c, asked, plan.params)
        _refuse_moving_start(study, plan, asked)
        self.times = plan.times() if self.scalars else np.zeros(0)
        at_events = all(f.event for f in self.functionals) and not self.scalars
        self.motion = moved(study, self.prepared, plan, integrator, stops=at_events)
        self.slopes = Slopes(
            _compiled_slopes(study, self.prepared, self.directions.places, names),
            self.directions.matrix, self.motion.kept,
        )  # fmt: skip
        refuse_corners(self._corners())
        columns = Columns(known, names, events)
        self.told = Observations(self.motion.path, self.slopes, c, columns, self.motion.crossings)
        self.points = [self._place(f) for f in self.functionals if f.taken not in SUMS]
        self.sums = [self.told.sum(f) for f in self.functionals if f.taken in SUMS]
        places = [place.time for place in self.points] + [self.motion.path.ends[-1]]
        self.wanted = increasing(np.append(self.times, places))
        self.seen = self.told.at(self.wanted)
        self.undetermined = self._undetermined()
        self.S0 = self._start()

    def _seconds(self, text: str) -> float:
        (found,) = seconds(self.study, self.plan.params, at=text)
        begin, end = self.plan.begin, float(self.plan.times()[-1])
        if not begin <= found <= end:
            raise InputError(f"at {text}: not between {begin:g} s and {end:g} s")
        return float(found)

    def _moves(self, when: Formula | None) -> Array:
        """How a time changes that follows from parameters."""
        if when is None:
            return np.zeros(len(self.asked.keys))
        return formula_slopes(self.study, self.asked, self.plan.params, when)

    def _place(self, f: Functional) -> Place:
        """Where a functional looks, and how that moves."""
        place = self.told.place(f)
        if place.event:
            return place
        if f.when:
            return replace(place, moves=self._moves(_in_seconds(f.when)))
        return replace(place, moves=self.end) if place.time == self.motion.path.ends[-1] else place

    def _start(self) -> Array:
        """δy of the assembled start, carried over to the coordinates of the motion."""
        state, ours = self.motion.start, self.prepared
        if not ours.choice.assembles:
            ours = prepare(self.study)
            state = initial_state(self.study, ours, self.plan.params, self.plan.begin)
        slopes, c = self.slopes, ours.compiled
        if ours is not self.prepared:
            own = directions(self.study, c, self.asked, self.plan.params)
            slopes = Slopes(
                _compiled_slopes(self.study, ours, own.places, ()), np.nan_to_num(own.matrix), None
            )
        size = ours.state_from.size(state.p)
        S = StartSlopes(c, slopes, self.asked.names, size).at(state.x, state.p)
        if ours is self.prepared:
            return S
        path = self.motion.path
        return SameMotion(slopes, self.slopes).carried(S, state.x, state.p, path.x0, path.p)

    def _corners(self) -> list[str]:
        """Numbers that stand where a law changes that only they decide, looked at halfway."""
        made, path, given = self.slopes.compiled, self.motion.path, self.directions
        k = len(path.ends) // 2
        X = path.states(path.ends[k - 1 : k] * 0.7 + path.ends[k : k + 1] * 0.3)
        told = ("motion", "start", "told")
        read = {int(k) for name in told for part, b in made.blocks[name].items()
                if part.endswith("p") for k in b.cols}  # fmt: skip
        lost = np.isnan(given.matrix)
        given.matrix[lost] = 0.0
        lost[[k for k in range(len(lost)) if k not in read]] = False

        def slopes(moves: Array) -> Array:
            p = path.p.copy()
            p[[*given.places]] += given.matrix @ moves
            return np.concatenate([evaluate_function(made, name, X, p)[0]
                                   for name in ("motion", "told")])  # fmt: skip

        names = self.asked.names
        own = [name for name, column in zip(names, lost.T, strict=True) if column.any()]
        return own or at_corners(names, given.at, slopes)

    def _undetermined(self) -> frozenset[str]:
        """Scalars that dependent constraints leave open; a functional of them is refused."""
        c, path = self.prepared.compiled, self.motion.path
        flags: dict[str, Flags] = {}
        ends = path.ends[[0, len(path.ends) // 2, -1]]
        for x in path.states(increasing(ends)) if c.m else ():
            for name, own in unique_observables(c, x, path.p).items():
                flags[name] = flags.get(name, own) & own

        def open_(one: Scalar) -> bool:
            return one.owner in flags and not flags[one.owner][list(one.labels)].all()

        lost = [f.text for f in self.functionals if f.scalar is not None and open_(f.scalar)]
        if lost:
            raise CapabilityError(
                f"{', '.join(lost)}: dependent constraints leave it undetermined; leave a "
                "redundant direction free, or ask for components that are determined"
            )
        return frozenset(one.name for one in self.scalars if open_(one))

    def by(self, method: str) -> Sensitivities:
        """Forward or adjoint, on finer and finer intervals until nothing changes."""
        many = len(self.asked.names) > max(_FEW, len(self.functionals))
        adjoint = method == "adjoint" or (method == "auto" and many and not self.scalars)
        if adjoint and self.scalars:
            raise InputError(
                f"method: adjoint: '{self.scalars[0].name}' is told at every sample",
                f"ask for numbers (last {self.scalars[0].name}), or take method='forward'",
            )
        make = self._backward if adjoint else self._forward
        finer = grids(self.motion.path, self.wanted)
        grid = next(finer)
        found, error = make(grid), np.inf
        last = found
        for _ in range(_REFINEMENTS):
            last, before, grid = found, grid, next(finer)
            if len(grid) == len(before):
                continue
            found = make(grid)
            error = self._error(last, found)
            if error <= AGREED:
                break
        self._refuse_unsettled(last, found)
        return self._result("adjoint" if adjoint else "forward", found, error, len(grid) - 1)

    def _error(self, before: _Found, after: _Found) -> float:
        """Largest change, relative to the largest derivative over time, but not to less than what a
        thousandth of the observable changes by (``_least``); of sums also that of their values."""
        at = np.searchsorted(self.wanted, self.times)
        over_time = [np.abs(self._numbers(one)[at]).max() for one in self.scalars]
        least = self._least([one.unit for one in self.scalars], over_time, after.values)
        error = _change(before.values, after.values, least)
        least = self._least([f.unit for f in self.functionals], np.abs(after.value),
                            after.gradient[None])  # fmt: skip
        error = max(error, _change(before.gradient[None], after.gradient[None], least))
        return max(error, *self._change_of_sums(before, after), 0.0)

    def _least(self, units: Sequence[str], sizes: Sequence[float] | Array, slopes: Array) -> Array:
        """Derivatives by which little changes, for all that have a unit and every parameter: those
        below are not looked at by themselves. ``slopes``: (time, what, parameter)."""
        here = np.abs(self.directions.at)
        told = (np.abs(slopes).max(axis=0, initial=0.0) * np.where(here > 0, here, 1.0)).max(axis=1)
        largest = _of_a_kind(units, np.maximum(sizes, told))
        per_part = np.where(here > 0, _LEAST / np.where(here > 0, here, 1.0), _LEAST_OF_ZERO)
        return np.where(largest[:, None] > _ROUNDING, np.outer(largest, per_part), np.inf)

    def _change_of_sums(self, before: _Found, after: _Found) -> list[float]:
        """Of their values, relative to the largest they could have."""
        found, span = [], float(np.ptp(self.motion.path.ends))
        for f, own, other in zip(self.functionals, before.value, after.value, strict=True):
            if f.taken in SUMS and f.scalar is not None:
                reach = self.told.reach(f.scalar) * (span if f.taken == "integral" else 1.0)
                found.append(float(abs(own - other)) / (reach or 1.0))
        return found

    def _refuse_unsettled(self, before: _Found, after: _Found) -> None:
        """Sums of what jumps where no step ends are found as nearly as intervals are short."""
        sums = [f.text for f in self.functionals if f.taken in SUMS]
        for text, change in zip(sums, self._change_of_sums(before, after), strict=True):
            if change > _SETTLED:
                raise CapabilityError(
                    f"'{text}' still changes by {change:.1g} of what it could be when intervals "
                    "are halved: it jumps where no step ends, and its derivative is not told; "
                    f"{_CURE}"
                )

    def _forward(self, grid: Array) -> _Found:
        carried = Transport(self.motion.path, self.slopes, self.S0, grid, self.sums)
        S, sums = carried.forward()
        own = S[np.searchsorted(grid, self.wanted)]
        at = np.searchsorted(self.wanted, self.times)
        series = [self.told.change(one, self.seen, own)[at] for one in self.scalars]
        points = []
        for place in self.points:
            in_y, along = self.told.at_place(place, self.seen, self._row(place))
            points.append(in_y @ own[self._row(place)] + along)
        return self._found(series, points, sums)

    def _backward(self, grid: Array) -> _Found:
        asked, direct = [], []
        for place in self.points:
            in_y, along = self.told.at_place(place, self.seen, self._row(place))
            own = np.zeros((len(grid), len(self.S0)))
            own[np.searchsorted(grid, place.time)] = in_y
            asked.append(own)
            direct.append(along)
        carried = Transport(self.motion.path, self.slopes, self.S0, grid, self.sums)
        gradient, sums = carried.backward(asked)
        return self._found([], [a + b for a, b in zip(gradient, direct, strict=True)], sums)

    def _row(self, place: Place) -> int:
        return int(np.searchsorted(self.wanted, place.time))

    def _found(self, series: Sequence[Array], points: Sequence[Array], sums: Sums) -> _Found:
        """Functionals in the order that was asked for."""
        many, span = len(self.asked.names), float(np.ptp(self.motion.path.ends))
        at_points = iter(zip(self.points, points, strict=True))
        over_time = iter(zip(sums.values, sums.slopes, strict=True))
        values, rows = [], []
        for f in self.functionals:
            if f.taken in SUMS:
                total, slopes = next(over_time)
                values.append(f.value(total, span))
                assert f.scalar is not None
                last = float(self._numbers(f.scalar)[-1])
                rows.append(f.slope(total, span) * slopes
                            + f.slope_by_end(total, span, last) * self.end)  # fmt: skip
            else:
                place, slopes = next(at_points)
                values.append(place.sign * self._number(place))
                rows.append(slopes)
        table = np.stack(series, axis=1) if series else np.zeros((len(self.times), 0, many))
        return _Found(table, np.array(values), np.reshape(rows, (len(rows), many)))

    def _number(self, place: Place) -> float:
        """What is asked for at a place."""
        if place.scalar is None:
            return place.time
        return float(self._numbers(place.scalar)[self._row(place)])

    def _numbers(self, one: Scalar) -> Array:
        """A scalar at all times that are wanted."""
        return self.told.value(one, self.wanted, self.seen.values)

    def _result(self, method: str, found: _Found, error: float, intervals: int) -> Sensitivities:
        at = np.searchsorted(self.wanted, self.times)
        nominal = [self._numbers(one)[at] for one in self.scalars]
        units = {one.name: one.unit for one in self.scalars}
        units |= {f.text: f.unit for f in self.functionals}
        known = self.prepared.compiled.observed
        units |= {name: known[name].unit for name in self.asked.names if name in known}
        told = np.concatenate((found.values.reshape(-1, len(self.asked.names)), found.gradient))
        still = [n for n, own in zip(self.asked.names, told.T, strict=True) if not own.any()]
        idle = (f"nothing that is asked for depends on {', '.join(still)}",) if still else ()
        rough = f"the derivatives still change by {error:.1g} when intervals are halved"
        for k, one in enumerate(self.scalars):
            if one.name in self.undetermined:
                found.values[:, k] = np.nan
        lost = (f"{', '.join(sorted(self.undetermined))}: dependent constraints leave this "
                "undetermined, and its derivatives",) if self.undetermined else ()  # fmt: skip
        return Sensitivities(
            self.times, tuple(one.name for one in self.scalars), self.asked.names,
            np.stack(nominal, axis=1) if nominal else np.zeros((len(self.times), 0)),
            found.values, tuple(f.text for f in self.functionals), found.value, found.gradient,
            self.directions.at, units,
            {"model": self.study.model.name, "method": method, "error": error,
             "intervals": intervals, "rtol": self.plan.rtol,
             "tables": dict(self.directions.tables), "statistics": dict(self.motion.statistics)},
            (*self.study.doubts(self.plan.params), *self.motion.start.remarks, *lost, *idle,
             *([rough] if error > AGREED else [])),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Found:
    """``values``: (time, observable, parameter); ``value`` and ``gradient`` of functionals."""

    values: Array
    value: Array
    gradient: Array


def _of_a_kind(units: Sequence[str], sizes: Sequence[float] | Array) -> Array:
    """The largest of every unit."""
    largest: dict[str, float] = {}
    for unit, size in zip(units, sizes, strict=True):
        largest[unit] = max(largest.get(unit, 0.0), float(size))
    return np.array([largest[unit] for unit in units])


def _change(before: Array, after: Array, least: Array) -> float:
    """Of (time, what, parameter), relative to the largest over time or ``least``."""
    largest = np.maximum(np.abs(after).max(axis=0, initial=0.0), least)
    return float((np.abs(after - before) / np.maximum(largest, 1e-300)).max(initial=0.0))


def _compiled_slopes(
    study: Study, prepared: Program, places: tuple[int, ...], names: Sequence[str]
) -> CompiledEquations:
    """Written once for the same entries of p and observables."""
    key = (prepared.choice, places, tuple(names))
    if key not in study.slopes:
        from pliant.code.slopes import compile_slopes

        equations, _, guards = derived(study, prepared.choice, whole=False)
        study.slopes[key] = compile_slopes(equations, prepared.compiled, places, names, guards)
    found: CompiledEquations = study.slopes[key]
    return found


def _observables(
    study: Study, compiled: CompiledEquations, of: str | Sequence[str]
) -> Mapping[str, Observed]:
    """What the equations tell; of what is computed from states afterwards there are no slopes."""
    known = compiled.observed
    for text in [of] if isinstance(of, str) else of:
        name = str(text).split()[-1] if str(text).split() else ""
        if name not in known and name in known_sections(study):
            raise CapabilityError(f"'{name}' is computed from the states of a run afterwards: "
                                  "there are no derivatives of it; ask for deflections, reactions "
                                  "or positions")  # fmt: skip
    return known


def _refuse_jumping_sums(study: Study, functionals: Sequence[Functional]) -> None:
    """Sums of formulas that jump by themselves: no step ends there."""
    known = {**study.model.formulas, **study.model.outputs}
    for f in functionals:
        named = known.get(f.scalar.owner) if f.scalar and f.taken in SUMS else None
        own = named.formula if named is not None else None
        calls = [n.function for n in walk(own.tree) if isinstance(n, Call)] if own else []
        jumps = next((name for name in calls if name in _JUMPING), None)
        if own is not None and jumps is not None:
            raise CapabilityError(
                f"'{f.text}': {jumps} in the formula '{own}' may jump where no step ends: its sum "
                f"has a derivative that is not told; {_CURE}"
            )


_JUMPING = ("piecewise", "sign", "floor", "mod")
"""Functions with jumps; those with kinks only change sums smoothly."""


def _refuse_moving_start(study: Study, plan: Plan, asked: Asked) -> None:
    """A time of start that follows from a parameter."""
    begin = study.model.settings.t_start
    if begin is None or not begin.names:
        return
    moving = begin.names & set(asked.keys)
    if moving:
        name = sorted(moving)[0]
        raise CapabilityError(f"'{name}': the motion starts at t_start = {begin}, which moves with "
                              "it; give t_start as a number")  # fmt: skip
