"""Equilibria of the equations of a formulation, and motions that start from them."""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.causes import explained
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import AT_REST
from pliant.backends.expressions.impact import by_impulse
from pliant.backends.expressions.internal import Asked
from pliant.backends.expressions.prepare import Program, prepare_square
from pliant.backends.expressions.start import (
    InitialState,
    body_motion,
    initial_state,
    parameters,
    same_motion_in,
)
from pliant.backends.expressions.undefined_starts import refuse_without_direction
from pliant.backends.expressions.validity import validity_remarks
from pliant.backends.recorded import recorded_rest
from pliant.backends.request import RestRequest
from pliant.backends.resume import state_at
from pliant.code.compiled import CompiledEquations
from pliant.errors import InputError, StepError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.results import Result, Series
from pliant.results.build import result_of
from pliant.solve.motion.run import Trajectory
from pliant.solve.rest.balance import Balancer, coordinate_of
from pliant.solve.rest.statics import METHODS, Equilibrium, equilibrium
from pliant.solve.single_states import observe
from pliant.solve.start.redundancy import degrees, unique_observables

if TYPE_CHECKING:
    from pliant.study import Study


@dataclass(frozen=True, slots=True)
class Found:
    """An equilibrium with the model and the parameters it is of."""

    prepared: Program
    p: Array
    balancer: Balancer
    equilibrium: Equilibrium
    remarks: tuple[str, ...]


def rest_of_equations(system: Study, request: RestRequest) -> Result:
    """An equilibrium of the equations of a formulation."""
    began, r = clock.perf_counter(), request
    choice = r.choice.augmented
    asked = Asked.of(system, r.outputs, lambda: _observed(system, choice))
    prepared = prepare_square(system, choice, asked.observe, AT_REST)
    found = find(system, prepared, t=r.t, load_steps=r.load_steps, method=r.method, hold=r.hold,
                 params=r.params)  # fmt: skip
    result = _result(system, found, r.load_steps, r.params, {
        "model": system.model.name, "analysis": "statics", "formulation": r.choice.formulation,
        "tree": r.choice.augmented.label, "method": r.method, "params": dict(r.params or {}),
        "seconds": clock.perf_counter() - began,
    })  # fmt: skip
    return result.also(asked.internal)


def _observed(system: Study, choice: Choice) -> Mapping[str, Quantity]:
    return prepare_square(system, choice, None, AT_REST).compiled.observed


def find(
    system: Study,
    prepared: Program,
    *,
    t: float | None = None,
    load_steps: int = 1,
    method: str = "auto",
    hold: Sequence[str] = (),
    params: Mapping[str, Any] | None = None,
    steady: bool = False,
) -> Found:
    """The equilibrium nearest to the initial state; ``steady``: with the speeds it has there."""
    if method not in METHODS:
        raise InputError(f"statics: unknown method '{method}'", f"known: {', '.join(METHODS)}")
    if isinstance(load_steps, bool) or not isinstance(load_steps, int) or load_steps < 1:
        raise InputError(f"load_steps: {load_steps!r} is not a count", "give 1 or more")
    state, balancer = balancer_of(system, prepared, t, hold, params, steady)
    with explained(system, prepared.choice):
        found = equilibrium(
            balancer, balancer.q_of(state.x).copy(), method=method, load_steps=load_steps
        )
    return Found(prepared, state.p, balancer, found, state.remarks)


def balancer_of(
    system: Study,
    prepared: Program,
    t: float | None,
    hold: Sequence[str],
    params: Mapping[str, Any] | None,
    steady: bool,
    settles: bool = True,
) -> tuple[InitialState, Balancer]:
    """The initial state at time t, and what evaluates forces around it; ``settles``: at positions
    where the states of networks have come to rest."""
    c = prepared.compiled
    state = initial_state(system, prepared, params, RestRequest(t=t, params=params).time(system))
    bodies = body_motion(prepared, state.x[: c.x_size].copy(), state.p)
    refuse_without_direction(system, bodies, params, float(state.x[0]))
    u = state.x[1 + c.nq : 1 + c.nq + c.nu].copy() if steady else None
    held, own = held_speeds(c, hold), network_states(system, c)
    size = prepared.state_from.size(state.p)
    return state, Balancer(c, state.p, state.x, held, u, own, settles, size)


def network_states(system: Study, c: CompiledEquations) -> tuple[int, ...]:
    """Places in x of the states of networks."""
    return tuple(k for k, s in enumerate(c.layout.x) if s.owner in system.model.networks)


def held_speeds(c: CompiledEquations, hold: Sequence[str]) -> tuple[int, ...]:
    """Places in u of coordinates given by name (``J.angle``) or by owner (``J``)."""
    names = [coordinate_of(s) for s in c.layout.u]
    owners = [s.owner.removesuffix(".free") for s in c.layout.u]
    places: list[int] = []
    for item in [hold] if isinstance(hold, str) else hold:
        hits = [k for k in range(c.nu) if item in (names[k], owners[k])]
        if not hits:
            known = [*dict.fromkeys(owners), *names]
            raise UnknownName(f"hold: no coordinate '{item}'", did_you_mean(item, known))
        places += hits
    return tuple(dict.fromkeys(places))


def equilibrium_start(
    system: Study, prepared: Program, params: Mapping[str, Any] | None, t: float
) -> InitialState:
    """Initial state in equilibrium at t, with the velocities of drivers and those given."""
    same = prepared.choice.assembles and not prepared.compiled.layout.loops
    ours = prepared if same else prepare_square(system, Choice(), None, AT_REST)
    found = find(system, ours, t=t, params=params)
    if found.equilibrium.failure:
        raise StepError(f"start: equilibrium: {found.equilibrium.failure}")
    q = found.balancer.q_of(found.equilibrium.balance.x)
    u, met = found.balancer.assembler.velocities(q)
    x = found.balancer.packed(q, u)
    c = ours.compiled
    states = c.call("start_states", x, found.p)
    settled = found.equilibrium.balance.x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx]
    own = list(found.balancer.networks)
    states[own] = settled[own]
    x[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = states
    state = InitialState(found.p, x, found.equilibrium.remarks)
    if not met:
        unmet = found.balancer.assembler.unmet("velocity", x)
        state = by_impulse(system, ours, params, state, unmet)
    if same:
        return state
    p = parameters(system, prepared, params)
    return InitialState(p, same_motion_in(ours, state.x, state.p, prepared, p), state.remarks)


def _result(
    system: Study, found: Found, load_steps: int, params: Mapping[str, Any] | None,
    info: Mapping[str, Any],
) -> Result:  # fmt: skip
    """All observables at the equilibrium, or along the load factor."""
    c, e, p = found.prepared.compiled, found.equilibrium, found.p
    path = e.path if load_steps > 1 else e.path[-1:]
    X = np.array([b.x for _, b in path])
    factors = np.array([s for s, _ in path])
    time = factors if load_steps > 1 else X[:, 0]
    data = Trajectory(
        time, observe(c, X, p), np.zeros((len(X), 0)), np.zeros((len(X), 0)),
        failure=f"{e.failure} (load factor reached: {e.factor:.4g})" if e.failure else "",
        statistics={"iterations": e.iterations, "seconds": info["seconds"]},
    )  # fmt: skip
    unique = unique_observables(c, X[-1], p)
    values = e.stiffness.values
    more = {
        **info, "degrees_of_freedom": degrees(c, X[-1], p).freedom, "load_factor": e.factor,
        "stability": e.stiffness.verdict, "failure_code": "no-convergence" if e.failure else "",
        "smallest_stiffness": float(values[0]) if len(values) else float("inf"),
        "end_state": state_at(found.prepared, X[-1], p).text,
    }  # fmt: skip
    validity = validity_remarks(system, c, X, p, params)
    made = result_of(c, data, info=more, unique=unique, model=system.text,
                     warnings=(*found.remarks, *e.remarks, *validity))  # fmt: skip
    series = {**made.series, "load_factor": Series(factors, "1", (), "other")}
    recorded = recorded_rest(system, c, found.prepared.choice, X, p, unique)
    return replace(made, series=series, recorded=recorded)
