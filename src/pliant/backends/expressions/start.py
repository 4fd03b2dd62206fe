"""Where a run begins: assembled, remembered, and the same motion in another program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array, Flags, Integers
from pliant.backends.expressions.code import with_values
from pliant.code import phases
from pliant.code.compiled import CompiledEquations
from pliant.errors import InputError
from pliant.formulations.derivation.state_map import StateMap
from pliant.mechanics.layout import PoseAndTwist
from pliant.records import dataclass
from pliant.solve.failure import UndefinedError
from pliant.solve.start.assembly import Assembled, assemble
from pliant.solve.start.loops import with_loops_closed

if TYPE_CHECKING:
    from pliant.study import Study

from pliant.backends.expressions.prepare import STATES, Program, prepare

_STARTS = 8
"""How many starts are remembered."""


@dataclass(frozen=True, slots=True)
class _LastStart:
    """A start, and the entries of p that it follows from."""

    t: float
    places: Integers
    read: bytes
    x: Array
    remarks: tuple[str, ...]

    def fits(self, p: Array, t: float) -> bool:
        """Whether a run with these parameters starts there."""
        return t == self.t and p[self.places].tobytes() == self.read


@dataclass(frozen=True, slots=True)
class InitialState:
    """Parameters in force, a consistent packed x, and remarks from assembly."""

    p: Array
    x: Array
    remarks: tuple[str, ...]
    like: _LastStart | None = None
    """What M and the constraints are equal at, from run to run, if it is remembered."""


def parameters(system: Study, prepared: Program, params: Mapping[str, Any] | None) -> Array:
    """p with named parameters set; derived parameters follow."""
    if not params:
        return prepared.compiled.p.copy()
    system.refuse(params)
    return with_values(system, prepared.compiled, params)


def initial_state(
    system: Study, prepared: Program, params: Mapping[str, Any] | None, t: float
) -> InitialState:
    """Assemble on the joint tree; other trees and formulations start from the same motion."""
    ours = prepared
    if not prepared.choice.assembles:
        ours = prepare(system, functions=STATES)
    try:
        found = _assembled(system, ours, params, t)
    except UndefinedError as undefined:
        from pliant.backends.causes import explanation

        raise explanation(system, ours.choice, undefined, InputError) from None
    if ours is prepared:
        return found
    p = parameters(system, prepared, params)
    return InitialState(p, same_motion_in(ours, found.x, found.p, prepared, p), found.remarks)


def _assembled(
    system: Study, prepared: Program, params: Mapping[str, Any] | None, t: float
) -> InitialState:
    """With beams of large rotation free of stress, if they can be."""
    from pliant.backends.blocks.start import may_bend, straight_start

    p = parameters(system, prepared, params)
    if prepared.last and prepared.last[0].fits(p, t):
        like = prepared.last[0]
        return InitialState(p, like.x, like.remarks, like)
    phases.entered("assembling")
    q = prepared.state_from.guess(p)
    remarks: tuple[str, ...] = ()
    if may_bend(system, prepared):
        start = straight_start(system, prepared, params, t, q, p)
        if isinstance(start, InitialState):
            return start
        remarks = (start,)
    at_start = t == _start_time(system, params)
    nearest = not at_start or system.model.settings.assemble == "nearest"
    found = _start(prepared, p, q, t, nearest)
    state = InitialState(p, found.x, (*remarks, *(found.remarks if at_start else ())))
    if not found.unmet_rates:
        return _remembered(system, prepared, state, t)
    from pliant.backends.expressions.impact import by_impulse

    return by_impulse(system, prepared, params, state, found.unmet_rates)


def _remembered(system: Study, prepared: Program, state: InitialState, t: float) -> InitialState:
    """A start, which is the last one from now on if it follows from some entries of p alone."""
    c, maps, begin = prepared.compiled, prepared.state_from, system.model.settings.t_start
    prepared.last.clear()
    functions = {*STATES, "M"}
    if c.signals or not isinstance(maps, StateMap) or not functions <= c.reads.keys():
        return state
    if begin is not None and begin.names:
        return state
    read = {k for name in functions for k in c.reads[name]}
    places = np.array(sorted(read.union(maps.reads(state.p))), dtype=np.int64)
    like = _LastStart(t, places, state.p[places].tobytes(), state.x, state.remarks)
    prepared.last.append(like)
    return replace(state, like=like)


def _start(prepared: Program, p: Array, q: Array, t: float, nearest: bool) -> Assembled:
    """Assembled from the guess q, or as it was before: the functions of assembly read few of the
    parameters."""
    c, size = prepared.compiled, prepared.state_from.size(p)
    key = (t, nearest, size, q.tobytes(), c.read(p, *STATES).tobytes())
    if key not in prepared.starts:
        while len(prepared.starts) >= _STARTS:
            del prepared.starts[next(iter(prepared.starts))]
        prepared.starts[key] = assemble(c, p, q, t, size=size, nearest=nearest)
    return prepared.starts[key]


def _start_time(system: Study, params: Mapping[str, Any] | None) -> float:
    """When the model starts: what was given holds then, at other times it is a guess, since drivers
    have moved on."""
    return system.values(params).number(system.model.settings.t_start)


def body_motion(prepared: Program, x: Array, p: Array) -> dict[str, PoseAndTwist]:
    """Motion of every body at a packed x."""
    c = prepared.compiled
    table = c.call("bodies", x, p).reshape(-1, 18)
    found = {}
    for name, row in zip(c.bodies, table, strict=True):
        q, u, n = c.layout.elastic.get(name, (0, 0, 0))
        elastic = x[1 + q : 1 + q + n].copy(), x[1 + c.nq + u : 1 + c.nq + u + n].copy()
        R = row[:9].reshape(3, 3).T
        found[name] = PoseAndTwist(R, row[9:12], row[12:15], row[15:18], *elastic)
    return found


def same_motion_in(source: Program, x: Array, p: Array, target: Program, p_target: Array) -> Array:
    """The same motion in the coordinates of another formulation. States of networks and drivers,
    and turns of joints, are carried over by name."""
    known, turned = known_states(source, x), known_coordinates(source, x)
    near = np.array([turned.get(s.name, 0.0) for s in target.compiled.layout.q])
    return state_of(target, p_target, float(x[0]), body_motion(source, x, p), known, near)


def state_of(
    prepared: Program, p: Array, t: float, bodies: Mapping[str, PoseAndTwist],
    states: Mapping[str, float], near: Array | None = None,
) -> Array:  # fmt: skip
    """x of a motion of bodies; ``states``: of networks and drivers by name, those that are not
    known begin anew."""
    q, u = prepared.state_from(bodies, p, near)
    c = prepared.compiled
    out = np.zeros(c.x_size)
    out[0], out[1 : 1 + c.nq], out[1 + c.nq : 1 + c.nq + c.nu] = t, q, u
    others = c.call("start_states", out, p)
    found = [states.get(s.name, others[k]) for k, s in enumerate(c.layout.x)]
    out[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = found
    return with_missing_speeds(prepared, out, p)


def known_coordinates(prepared: Program, x: Array) -> dict[str, float]:
    """Coordinates by name."""
    layout = prepared.compiled.layout
    return {
        s.name: float(value) for s, value in zip(layout.q, x[1 : 1 + len(layout.q)], strict=True)
    }


def known_states(prepared: Program, x: Array) -> dict[str, float]:
    """States of networks and drivers and unknowns of algebraic loops, by name."""
    c = prepared.compiled
    first, loops = 1 + c.nq + c.nu, c.layout.loops
    names = (*c.layout.u[c.nu - loops :], *c.layout.x)
    return {s.name: float(x[first - loops + k]) for k, s in enumerate(names)}


def with_missing_speeds(prepared: Program, x: Array, p: Array) -> Array:
    """x with the speeds that no body tells (NaN in x), flows of stores of networks that move with
    the mechanics and unknowns of algebraic loops: they follow from the constraints."""
    c, x = prepared.compiled, x.copy()
    u = x[1 + c.nq : 1 + c.nq + c.nu]
    missing = np.isnan(u)
    if not missing.any():
        return x
    u[missing] = 0.0
    flows = missing & (np.arange(c.nu) < c.nu - c.layout.loops)
    _complete_flows(c, x, p, flows)
    if c.layout.loops:
        x = with_loops_closed(c, x, p)
        _complete_flows(c, x, p, flows)
    return x


def _complete_flows(c: CompiledEquations, x: Array, p: Array, missing: Flags) -> None:
    """Solve the constraints, which are linear in them, for the missing speeds."""
    if missing.any():
        y, rows = c.call("constraints", x, p), c.m - c.layout.loops
        G, gap = (
            c.block("constraints", "G", y)[:rows, missing],
            c.block("constraints", "cv", y)[:rows],
        )
        x[1 + c.nq + np.flatnonzero(missing)] -= np.linalg.lstsq(G, gap, rcond=1e-12)[0]
