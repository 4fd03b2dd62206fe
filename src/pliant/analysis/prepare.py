"""From a system to compiled equations and an assembled initial state."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pliant.analysis.choice import Choice
from pliant.engine import reproducible, store, tiers
from pliant.engine.machine import host
from pliant.equations import CompiledEquations, PoseAndTwist, StateFrom
from pliant.equations.saved import from_bytes, to_bytes
from pliant.errors import CapabilityError, PliantError, UnknownName
from pliant.graphs import spanning_tree
from pliant.mechanics.flexible_numbers import flexible_numbers
from pliant.model.bodies import Modes
from pliant.model.files import dump
from pliant.model.named import did_you_mean
from pliant.model.settings import Settings
from pliant.solve.assembly import assemble, random_state
from pliant.solve.degrees import constraint_matrix, independent_rows
from pliant.solve.dynamics import dense_dynamics
from pliant.solve.reference_rows import independent_in_all, rows_and_states

if TYPE_CHECKING:
    from pliant.equations.contract import Equations
    from pliant.equations.embedding import Partition
    from pliant.graphs import SystemGraph
    from pliant.system import System

Array = NDArray[np.float64]
PLAIN = Choice()
_NEAR = 0.3
"""How far (m, rad) the states are moved at which independent speeds must be good choices."""
_STATES = ("C", "I", "T", "P", "X")
"""What assembly needs."""
_LATER = ("R", "J")
"""What only implicit methods need, and takes longest to compile."""


class Labelled(Protocol):
    """An observable, as far as its name goes."""

    @property
    def labels(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Prepared:
    """Compiled equations of one formulation, tree and choice of observables."""

    compiled: CompiledEquations
    state_from: StateFrom
    choice: Choice


@dataclass(frozen=True, slots=True)
class InitialState:
    """Parameters in force, a consistent packed x, and remarks from assembly."""

    p: Array
    x: Array
    remarks: tuple[str, ...]


def derive(system: System, choice: Choice) -> Equations:
    """Equations of a system; every objection of the formulation is reported at once."""
    graph = accepted(system, choice)
    equations = choice.method.derive(graph)
    if graph.drivers:
        from pliant.equations.prescribed import prescribe

        equations = prescribe(equations, [driven(graph, d) for d in graph.drivers])
    if choice.truncate is not None:
        from pliant.equations.truncated import truncate

        equations = truncate(equations, choice.truncate)
    if choice.form == "embedding" and equations.form == "augmented":
        from pliant.equations.embedding import embed

        equations = embed(equations, partition(system, choice))
    return equations


def driven(graph: SystemGraph, driver: str) -> tuple[str, str]:
    """A driver and the coordinate it drives."""
    element: Any = graph.model.drivers[driver]
    scalars = [c.name for c in graph.model.joints[element.joint].scalars]
    return driver, f"{element.joint}.{element.coordinate or scalars[0]}"


def partition(system: System, choice: Choice) -> Partition:
    """Independent speeds: those named, otherwise by pivoting on the constraint Jacobian."""
    from pliant.equations.embedding import choose_partition, speeds_named

    base = prepare(system, choice.base, functions=_STATES)
    start = initial_state(system, base, None, 0.0)
    c = base.compiled
    wanted = speeds_named(c.layout, choice.independent)
    elastic = [k for _, u, n in c.elastic.values() for k in range(u, u + n)]
    rng, size = np.random.default_rng(0), np.full(c.nu, _NEAR)
    size[elastic] = 0.0
    states = [start.x, *(random_state(c, start.p, start.x, rng, size) for _ in range(4))]
    samples = [constraint_matrix(c, x, start.p) for x in states]
    rank = int(independent_rows(samples[0]).sum())
    rows = independent_in_all(samples, rank)
    return choose_partition(np.array(samples), rows, wanted, elastic)


def with_multipliers(prepared: Prepared) -> Prepared:
    """Equations that statics and modes can take: a row for every speed."""
    if not prepared.compiled.has_lam:
        raise CapabilityError(
            f"{prepared.choice.formulation}: its equations of a tree leave out dependent speeds; "
            "for statics and modes use recursive or linear-graph"
        )
    return prepared


def accepted(system: System, choice: Choice) -> SystemGraph:
    """The graph of a system, if the formulation takes it."""
    graph = spanning_tree(system.model, choice.tree, choice.cut)
    objections = choice.method.objections(graph)
    if objections:
        lines = "\n".join(f"  {o.element}: {o.what}; {o.cure}" for o in objections)
        raise CapabilityError(f"{choice.formulation} cannot take {len(objections)} items:\n{lines}")
    return graph


def prepare(
    system: System,
    choice: Choice = PLAIN,
    observe: Sequence[str] | None = None,
    functions: Sequence[str] | None = None,
) -> Prepared:
    """Derive and compile, once per choice."""
    key = (choice, None if observe is None else tuple(observe),
           None if functions is None else tuple(functions))  # fmt: skip
    if key not in system._prepared:
        graph = accepted(system, choice)
        compiled = _compiled(system, graph, choice, observe, functions)
        state_from = choice.method.state_from(graph, compiled.layout, compiled.parameters)
        system._prepared[key] = Prepared(compiled, state_from, choice)
    return system._prepared[key]


def _compiled(
    system: System,
    graph: SystemGraph,
    choice: Choice,
    observe: Sequence[str] | None,
    functions: Sequence[str] | None,
) -> CompiledEquations:
    """Machine code from the cache on disk, or derived, compiled and kept there."""
    key = _key(graph, choice, observe, functions)
    blob = store.get(key, "model")
    if blob is not None:
        with contextlib.suppress(ValueError, KeyError, OSError):
            return replace(from_bytes(blob), key=key)
    from pliant.equations.compile import compile_equations

    equations = derive(system, choice)
    names = None if observe is None else selected(equations.observables, observe)
    compiled = compile_equations(
        equations, observe=names, functions=functions, tiered=True, later=_LATER,
        reproducible=reproducible(),
    )  # fmt: skip
    if functions is None:
        compiled = _with_direct(system, graph, choice, equations, compiled)
    compiled = replace(compiled, key=key)
    tiers.later(lambda: store.put(key, "model", to_bytes(compiled)))
    return compiled


def _with_direct(
    system: System, graph: SystemGraph, choice: Choice, equations: Equations,
    compiled: CompiledEquations,
) -> CompiledEquations:  # fmt: skip
    """Add the elimination in fixed order, chosen at the initial state and states around it."""
    from pliant.equations.compile import compile_direct

    state_from = choice.method.state_from(graph, compiled.layout, compiled.parameters)
    prepared = Prepared(compiled, state_from, choice)
    try:
        start = initial_state(system, prepared, None, 0.0)
    except PliantError:
        return compiled  # the run itself will say why
    dynamics = dense_dynamics(compiled, p=start.p, implicit=False)
    kept, states = rows_and_states(dynamics, start.x)
    n = 1 + compiled.nq + compiled.nu + compiled.nx
    return compile_direct(equations, compiled, kept, states[:, :n], start.p, tiered=True)


def _key(
    graph: SystemGraph,
    choice: Choice,
    observe: Sequence[str] | None,
    functions: Sequence[str] | None,
) -> str:
    """Everything the machine code depends on; how the model is run is not part of it."""
    cuts = [j.name for j in graph.cuts]
    choices = json.dumps([astuple(choice), cuts, observe and list(observe), functions])
    files = [_file_hash(body) for body in graph.model.bodies.values() if isinstance(body, Modes)]
    model = dump(graph.model.with_(settings=Settings()))
    return store.key_of(model, choices, host(), str(reproducible()), *files)


def _file_hash(body: Modes) -> str:
    """What is in the file of a body with given modes."""
    return hashlib.sha256(Path(body.file).read_bytes()).hexdigest()


def selected(known: Mapping[str, Labelled], wanted: Sequence[str]) -> list[str]:
    """Observables meant by names, components (``tip.position.x``) or patterns (``rod.*``)."""
    chosen: dict[str, None] = {}
    for item in wanted:
        owner, _, label = item.rpartition(".")
        if item in known:
            hits = [item]
        elif owner in known and label in (*known[owner].labels, *"wxyz"):
            hits = [owner]
        elif label == "work" and f"{owner}.power" in known:
            hits = [f"{owner}.power"]
        else:
            hits = [name for name in known if fnmatchcase(name, item)]
            hits += [n for n in known if n.startswith(f"{item}.")]
        if not hits:
            raise UnknownName(f"observe: nothing is named '{item}'", did_you_mean(item, known))
        chosen |= dict.fromkeys(hits)
    return list(chosen)


def parameters(system: System, prepared: Prepared, params: Mapping[str, Any] | None) -> Array:
    """p with named parameters set; derived parameters follow."""
    if params:
        system.model.parameter_values(params)  # unknown names and bad values are reported here
        changed = {**system.model.parameters, **params}
        system.model.with_(parameters=changed).check()
    p = prepared.compiled.p.copy()
    values = system.model.parameter_values(params or {})
    for name, value in values.items():
        p[prepared.compiled.parameters[name]] = value
    for name, start in prepared.compiled.tables.items() if params else ():
        packing = flexible_numbers(system.model, name, system.model.parameter_values()).packing
        numbers = flexible_numbers(system.model, name, values).packed(packing)
        p[start : start + len(numbers)] = numbers
    return p


def initial_state(
    system: System, prepared: Prepared, params: Mapping[str, Any] | None, t: float
) -> InitialState:
    """Assemble on the joint tree; other trees and formulations start from the same motion."""
    ours = prepared
    if not prepared.choice.assembles:
        ours = prepare(system, functions=_STATES)
    q, p = ours.state_from.guess(parameters(system, ours, params))
    found = assemble(ours.compiled, p, q, t)
    if ours is prepared:
        return InitialState(p, found.x, found.remarks)
    x, p = transferred(ours, found.x, p, prepared, parameters(system, prepared, params))
    return InitialState(p, x, found.remarks)


def body_motion(prepared: Prepared, x: Array, p: Array) -> dict[str, PoseAndTwist]:
    """Motion of every body at a packed x."""
    c = prepared.compiled
    table = c.call("P", x, p).reshape(-1, 18)
    found = {}
    for name, row in zip(c.bodies, table, strict=True):
        q, u, n = c.elastic.get(name, (0, 0, 0))
        elastic = x[1 + q : 1 + q + n].copy(), x[1 + c.nq + u : 1 + c.nq + u + n].copy()
        R = row[:9].reshape(3, 3).T
        found[name] = PoseAndTwist(R, row[9:12], row[12:15], row[15:18], *elastic)
    return found


def transferred(
    source: Prepared, x: Array, p: Array, target: Prepared, p_target: Array
) -> tuple[Array, Array]:
    """The same motion in the coordinates of another formulation: (x, p)."""
    q, u, p_new = target.state_from(body_motion(source, x, p), p_target)
    c = target.compiled
    out = np.zeros(c.x_size)
    out[0], out[1 : 1 + c.nq], out[1 + c.nq : 1 + c.nq + c.nu] = x[0], q, u
    out[1 + c.nq + c.nu : 1 + c.nq + c.nu + c.nx] = c.call("X", out, p_new)
    return out, p_new
