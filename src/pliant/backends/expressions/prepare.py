"""From a system to compiled equations and an assembled initial state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pliant.arrays import Array, Flags, Integers
from pliant.backends.choice import Choice
from pliant.backends.expressions.code import PLAIN, Order, accepted, code_of, with_values
from pliant.code import background
from pliant.code.compiled import CompiledEquations
from pliant.code.pivots import choose_pivots
from pliant.errors import InputError, PliantError, UnknownName
from pliant.formulations.derivation.state_map import StateMap
from pliant.mechanics.layout import BodyState, StateFrom
from pliant.records import dataclass
from pliant.results.result import cure_of
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.failure import UndefinedError
from pliant.solve.start.assembly import Assembled, assemble
from pliant.solve.start.loops import with_loops_closed
from pliant.solve.start.reference_rows import rows_and_states

if TYPE_CHECKING:
    from pliant.study import Study

STATES = ("constraints", "initial", "tangent", "bodies", "start_states")
"""What assembly needs."""
_STARTS = 8
"""How many starts are remembered."""
LARGEST_SYSTEM = 40
"""Rows above which elimination in fixed order is not written out."""
_BONDS = "bonds."
"""What a pattern of observables of bonds begins with."""


class Labelled(Protocol):
    """An observable, as far as its name goes."""

    @property
    def labels(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Program:
    """Compiled equations of one formulation, tree and choice of observables."""

    compiled: CompiledEquations
    state_from: StateFrom
    choice: Choice
    starts: dict[Any, Assembled] = field(default_factory=dict, repr=False, compare=False)
    """Where runs began, by all that a start depends on."""
    last: list[_LastStart] = field(default_factory=list, repr=False, compare=False)
    """The last of them, if there is one."""


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


def prepare_square(
    system: Study, choice: Choice, observe: Sequence[str] | None, functions: Sequence[str]
) -> Program:
    """Equations without dependent speeds, a row for every other one: for statics and modes."""
    from pliant.formulations.forms import dependent_speeds

    prepared = prepare(system, choice, observe, functions)
    if not dependent_speeds(prepared.compiled.layout):
        return prepared
    return prepare(system, replace(choice, form="independent"), observe, functions)


def prepare(
    system: Study,
    choice: Choice = PLAIN,
    observe: Sequence[str] | None = None,
    functions: Sequence[str] | None = None,
    *,
    interpret: bool = False,
) -> Program:
    """Derive and compile, once per choice. ``interpret``: functions are evaluated without being
    compiled, which is sooner done for a few states."""
    made = None if functions is None else tuple(functions)
    whole = _whole(system, choice, (), made, interpret)
    if observe is None:
        return whole
    key = (choice, tuple(observe), made, interpret)
    if key not in system.programs:
        system.programs[key] = _asking(system, whole, observe, made, interpret)
    found: Program = system.programs[key]
    return found


def _whole(
    system: Study, choice: Choice, further: tuple[str, ...], functions: tuple[str, ...] | None,
    interpret: bool,
) -> Program:  # fmt: skip
    """With all observables, and some of those that are written only if they are asked for."""
    key = _program(system, choice, further, functions, interpret)
    functions, interpret = key[2:4]
    if key not in system.programs:
        graph = accepted(system, choice, free=True)

        def made(compiled: CompiledEquations) -> Program:
            maps = choice.method.state_from(graph, compiled.layout, compiled.parameters)
            return Program(compiled, maps, choice)

        direct = functions is None and (choice == PLAIN or not background.quick())
        ordered = (lambda c: _order(system, made(c))) if direct else None
        system.programs[key] = made(
            code_of(system, graph, choice, further, functions, interpret, ordered)
        )
    found: Program = system.programs[key]
    return found


def _program(
    system: Study, choice: Choice, further: tuple[str, ...], functions: tuple[str, ...] | None,
    interpret: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """The key of a program with these functions: each is the same code, whatever it was made with.
    Those of assembly are called by Python alone: if quick code is good enough, interpreted ones
    will do, if there are any."""
    everything = (choice, further, None, False, "whole")
    if everything in system.programs and (functions == STATES or not interpret):
        return everything
    made = (k for k in system.programs if k[:2] == (choice, further) and k[3:] == (True, "whole"))
    fitting = (k for k in made if k[2] and set(STATES) <= set(k[2]))
    own = choice, further, functions, interpret, "whole"
    return next(fitting, own) if functions == STATES and background.quick() else own


def _asking(
    system: Study, whole: Program, observe: Sequence[str], functions: tuple[str, ...] | None,
    interpret: bool,
) -> Program:  # fmt: skip
    """The same equations, of which some observables are asked for: nothing is written anew, but for
    those that are written only if they are asked for."""
    known = whole.compiled.observed
    further = tuple(w for w in observe if not meant(known, w))
    names = {name for w in observe for name in meant(known, w)}
    if further:
        whole = _whole(system, whole.choice, further, functions, interpret)
        names |= whole.compiled.observed.keys() - known.keys()
    return replace(whole, compiled=whole.compiled.asking(names))


def _order(system: Study, prepared: Program) -> Order:
    """Of elimination, chosen at the initial state and states around it; none if the system is not
    small or does not start."""
    c = prepared.compiled
    if c.nd != c.nu or not 0 < c.nu <= LARGEST_SYSTEM:
        return Order()
    try:
        start = initial_state(system, prepared, None, 0.0)
    except PliantError:
        return Order()  # the run itself will say why
    kept, states = rows_and_states(dense_dynamics(c, p=start.p, implicit=False), start.x)
    if c.nu + len(kept) > LARGEST_SYSTEM:
        return Order()
    matrices = [_matrix(c, kept, x, start.p) for x in states]
    return Order(tuple(map(int, kept)), choose_pivots(np.array(matrices)))


def _matrix(c: CompiledEquations, kept: Sequence[int], x: Array, p: Array) -> Array:
    """M, G^T; G, 0 at a state, of the rows kept."""
    y = c.call("explicit", x, p)
    M, G = c.block("explicit", "M", y), c.block("explicit", "G", y)[list(kept)]
    return np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])


def asked_for(system: Study, outputs: str | Sequence[str] | None) -> Sequence[str] | None:
    """Observables that a call names, otherwise those of the model; None: all of them."""
    if isinstance(outputs, str):
        return [name.strip() for name in outputs.split(",")]
    return outputs if outputs is not None else (system.model.settings.observe or None)


def selected(
    known: Mapping[str, Labelled],
    wanted: Sequence[str],
    further: Mapping[str, Labelled] = MappingProxyType({}),
) -> list[str]:
    """Observables meant by names, components (``tip.position.x``) or patterns (``rod.*``).

    ``further``: those meant only by their full names or by a pattern after ``bonds.``
    (``bonds.*.power``).
    """
    chosen: dict[str, None] = {}
    for item in wanted:
        bonds = item.removeprefix(_BONDS) if item.startswith(_BONDS) else ""
        hits = meant(known, item) or [
            n for n in further if n == item or (bonds and fnmatchcase(n, bonds))
        ]
        if not hits:
            raise UnknownName(f"observe: nothing is named '{item}'", cure_of(item, known))
        chosen |= dict.fromkeys(hits)
    return list(chosen)


def meant(known: Mapping[str, Labelled], item: str) -> list[str]:
    """Observables that a name, a component or a pattern stands for."""
    owner, _, label = item.rpartition(".")
    if item in known:
        return [item]
    if owner in known and label in (known[owner].labels or "wxyz"):
        return [owner]
    if label == "work" and f"{owner}.power" in known:
        return [f"{owner}.power"]
    hits = [name for name in known if fnmatchcase(name, item)]
    return hits + [n for n in known if n.startswith(f"{item}.")]


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


def body_motion(prepared: Program, x: Array, p: Array) -> dict[str, BodyState]:
    """Motion of every body at a packed x."""
    c = prepared.compiled
    table = c.call("bodies", x, p).reshape(-1, 18)
    found = {}
    for name, row in zip(c.bodies, table, strict=True):
        q, u, n = c.elastic.get(name, (0, 0, 0))
        elastic = x[1 + q : 1 + q + n].copy(), x[1 + c.nq + u : 1 + c.nq + u + n].copy()
        R = row[:9].reshape(3, 3).T
        found[name] = BodyState(R, row[9:12], row[12:15], row[15:18], *elastic)
    return found


def same_motion_in(source: Program, x: Array, p: Array, target: Program, p_target: Array) -> Array:
    """The same motion in the coordinates of another formulation. States of networks and drivers
    are carried over by name."""
    known = known_states(source, x)
    return state_of(target, p_target, float(x[0]), body_motion(source, x, p), known)


def state_of(
    prepared: Program, p: Array, t: float, bodies: Mapping[str, BodyState],
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
