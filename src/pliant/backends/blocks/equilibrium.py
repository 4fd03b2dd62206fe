"""Rest of a system of blocks: loads are raised from nothing in steps that adapt themselves.

r(q, s) = 0 for s from 0 to 1: s multiplies weights, forces, torques and actuators, while springs,
drivers and joints stay as they are.

First the system must stand before anything is applied: what can move freely has no load path.

Where it gives way: loads are raised from rest while the tangent keeps its number of negative
eigenvalues. If another equilibrium branches off, the load is found between two equilibria of the
same path; if the path itself turns back, it is the largest load of the path, found with shorter and
shorter steps.
"""

from __future__ import annotations

import dataclasses
import time as clock
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.model import BlockModel, block_model
from pliant.backends.blocks.objections import has_elements
from pliant.backends.blocks.observe import Observations, States, recorded_of
from pliant.backends.blocks.solver import statics as sparse
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.expressions.validity import body_remarks
from pliant.backends.request import RestRequest
from pliant.errors import CapabilityError, InputError, StepError
from pliant.records import dataclass
from pliant.results import Result, Series
from pliant.study import Study

_LEAST = 1e-14
"""Of the largest stiffness; below is rounding. A slender beam of 10 000 elements has 1e-13."""
_ITERATIONS = 10
_NAMED, _LISTED = 3, 6
"""Blocks of an error, and bodies of a mode."""
FIRST_STEP = 0.25
_POINTS = 200
"""Points of a path if nothing else is said."""
_TOLERANCE = 1e-7
"""Last correction at a point of a path; what is left is its square."""
_FIRST, _LONGEST = 0.02, 0.05
"""Length of the first step as a part of that of the full load, of the longest one per block."""
_MOST = 1e6
"""Load factors up to which is looked."""
_FIRST_LOAD, _GROWTH, _SHORTEST = 0.1, 1.5, 1e-3
_MISSED = 1e-6
"""Of the size of the model, by which constraints may be missed."""
_SAMPLES, _SHOWN = 25, 0.1
"""Samples of a moving mode, and its largest translation as a part of the whole."""


def require_stiffness(statics: sparse.Statics, q: Array) -> None:
    """Raise SingularBlockError, with the blocks that move most, if something has no stiffness."""
    system = statics.system
    system.set_header(load=0.0)
    system.tangent(q)
    weights = statics.weights[: system.n][statics.motion]
    largest = float((system.matrix.diagonal()[statics.motion] / weights**2).max())
    mu, mode = sparse.smallest_eigenvalue(statics, q, 0.0, iterations=_ITERATIONS)
    if abs(mu) > _LEAST * largest:
        return
    bodies = [b for b, shape in enumerate(system.shapes) if not shape.algebraic]
    moved = {b: float(np.abs(mode[system.own[b][1]]).max()) for b in bodies}
    most = sorted(moved, key=moved.__getitem__, reverse=True)[:_NAMED]
    raise SingularBlockError([system.names[b] for b in most])


def remarks_on(look: Observations) -> list[str]:
    """Remarks of assembly, constraints that were left out, bodies that leave their validity."""
    model = look.model
    found = list(model.remarks)
    if model.left_out:
        found.append(f"dependent constraints were left out: {', '.join(model.left_out)}")
    numbers = model.numbers
    for name in sorted(numbers.flexible):
        w, q = look.elastic(name)
        found += body_remarks(name, numbers.tables(name), partial(np.asarray, w), q)
    return found


@dataclass(frozen=True, slots=True)
class LoadPath:
    """Equilibria along the load factor, and why there are no more."""

    model: BlockModel
    statics: sparse.Statics
    loads: list[float]
    states: list[Array]
    iterations: int
    failure: str = ""

    @property
    def rows(self) -> States:
        """As states that can be observed."""
        n, none = len(self.loads), np.zeros((len(self.loads), self.model.system.n_all))
        t = np.full(n, self.model.start.t)
        return States(t, np.array(self.loads), np.array(self.states), none, none)


def load_path(model: BlockModel, factors: Sequence[float]) -> LoadPath:
    """Equilibria at these load factors; steps between them are as short as they need to be."""
    statics = sparse.Statics(model.system, model.q)
    require_stiffness(statics, model.q)
    q, load, step, iterations = model.q, 0.0, FIRST_STEP, 0
    loads: list[float] = []
    states: list[Array] = []
    for factor in factors:
        try:
            for found in statics.load_path(q, factor, start=load, step=step):
                q, iterations = found.q, iterations + len(found.changes)
                load = found.load
        except (StepError, SingularBlockError) as error:
            reached = f"the load factor reached {load:.4g}; {error}"
            return LoadPath(model, statics, [*loads, load], [*states, q], iterations, reached)
        loads.append(load)
        states.append(q)
    return LoadPath(model, statics, loads, states, iterations)


def result_of_path(
    system: Study, path: LoadPath, outputs: Sequence[str] | None, *, along: bool,
    info: Mapping[str, Any],
) -> Result:  # fmt: skip
    """Observables along the load factor, or of the last state."""
    rows, model = path.rows, path.model
    if not along:
        rows = rows[-1:]
    look = Observations(model, rows)
    series = look.series(outputs)
    series["load_factor"] = Series(rows.load, "1", (), "other")
    last, failure = float(rows.load[-1]), path.failure or _missed(model, rows)
    more = {
        **info, "degrees_of_freedom": model.system.freedom, "load_factor": last,
        "stability": verdict(path.statics, rows.q[-1], last),
        "failure_code": "no-convergence" if failure else "",
        "statistics": {"iterations": float(path.iterations)},
        "end_state": model.state(model.start.t, rows.q[-1], rows.u[-1]).text,
    }  # fmt: skip
    return Result(rows.load if along else rows.t, series, more, (), tuple(remarks_on(look)),
                  failure, system.text,
                  recorded_of(info.get("params"), look, moving=False))  # fmt: skip


def _missed(model: BlockModel, rows: States) -> str:
    """Why the last state is none: it misses constraints that were left out."""
    if not model.left_out:
        return ""
    joint, gap = model.missed(model.state(model.start.t, rows.q[-1], rows.u[-1]))
    if gap <= _MISSED * model.numbers.size:
        return ""
    return (f"constraints of '{joint}' were left out as dependent in the first pose, and the last "
            f"one misses them by {gap:.2g} m; use method 'path' or 'relax'")  # fmt: skip


def verdict(statics: sparse.Statics, q: Array, load: float) -> str:
    """Whether the energy has a minimum at an equilibrium."""
    try:
        return "unstable" if sparse.unstable(statics, q, load) > 0 else "stable"
    except SingularBlockError:
        return "indifferent"


def settled(
    system: Study, model: BlockModel, params: Mapping[str, Any] | None, t: float
) -> BlockModel:
    """A model that begins in equilibrium, with the speeds of its initial state."""
    try:
        path = load_path(block_model(system, params, t=t, moving=False), [1.0])
    except SingularBlockError as error:
        raise CapabilityError(
            f"start: equilibrium: {error}; other methods (radau, generalized-alpha) can begin"
        ) from None
    failure = path.failure or _missed(path.model, path.rows[-1:])
    if failure:
        raise StepError(f"start: equilibrium: {failure}")
    q = model.q.copy()
    for blocks, others in ((model.bodies, path.model.bodies),
                           (model.coordinates, path.model.coordinates)):  # fmt: skip
        for name, block in blocks.items():
            own, other = model.system.own[block], path.model.system.own[others[name]]
            q[own[0]] = path.states[-1][other[0]]
    return dataclasses.replace(model, q=q)


def _lengths(states: Sequence[Array]) -> Array:
    """How far along the path each state is."""
    steps = [float(np.linalg.norm(b - a)) for a, b in pairwise(states)]
    return np.concatenate([[0.0], np.cumsum(steps)])


def _extremum(x: Array, y: Array) -> float:
    """Largest or smallest value of the parabola through three points."""
    c = np.polyfit(x - x[1], y, 2)
    return float(c[2] - c[1] ** 2 / (4 * c[0]))


def _traced(model: BlockModel, points: int) -> tuple[LoadPath, list[sparse.PathPoint]]:
    """Follow the path from rest without load until the full load is reached."""
    statics = sparse.Statics(model.system, model.q, tolerance=_TOLERANCE)
    require_stiffness(statics, model.q)
    start = statics.equilibrium(model.q, 0.0)
    length, longest = _first_length(statics, start.q, 0.0)
    found = [sparse.PathPoint(start.q, 0.0, start.changes)]
    failure = ""
    try:
        for point in sparse.equilibrium_path(statics, start.q, length=length, longest=longest,
                                      until=1.0):  # fmt: skip
            found.append(point)
            if len(found) >= points and abs(point.load) < 1.0:
                failure = (f"the path has {points} points and its load factor is {point.load:.4g}, "
                           "not 1; load_steps allows more points")  # fmt: skip
                break
    except (StepError, SingularBlockError) as error:
        failure = str(error)
    iterations = sum(len(p.changes) for p in found)
    path = LoadPath(model, statics, [p.load for p in found], [p.q for p in found], iterations,
                    failure)  # fmt: skip
    return path, found


def _first_length(statics: sparse.Statics, q: Array, load: float) -> tuple[float, float]:
    """First and longest step along the path from an equilibrium."""
    statics.linearise(q, load)
    along = statics.solve(-statics.scaled(statics.system.load_direction(q)))
    whole = float(np.linalg.norm(statics.weights * along))
    if whole == 0.0:
        raise StepError("no load moves the system: there is no path to follow")
    blocks = sum(s.pose for s in statics.system.shapes)
    longest = _LONGEST * np.sqrt(blocks)
    return min(_FIRST * whole, longest), longest


def _along_path(
    system: Study, model: BlockModel, points: int, outputs: Sequence[str] | None,
    info: Mapping[str, Any],
) -> Result:  # fmt: skip
    """Observables along the path; the number of the point stands in the place of time."""
    path, found = _traced(model, points)
    loads, length = np.array(path.loads), _lengths(path.states)
    turns = np.flatnonzero(np.diff(loads)[:-1] * np.diff(loads)[1:] < 0)
    limits = [_extremum(length[k : k + 3], loads[k : k + 3]) for k in turns]
    made = result_of_path(system, path, outputs, along=True, info={**info, "limit_loads": limits})
    unstable = np.array([float(p.unstable) for p in found])
    series = {**made.series, "unstable_directions": Series(unstable, "1", (), "other")}
    number = np.arange(len(found), dtype=float)
    return Result(number, series, made.info, (), made.warnings, made.failure, made.model)


def _gives_way(model: BlockModel) -> sparse.CriticalLoad:
    """The first critical load; StepError if there is none."""
    statics = sparse.Statics(model.system, model.q, tolerance=_TOLERANCE)
    require_stiffness(statics, model.q)
    q, load, step = statics.equilibrium(model.q, 0.0).q, 0.0, _FIRST_LOAD
    stable = sparse.unstable(statics, q, 0.0)
    while load < _MOST:
        goal = load + step
        try:
            found = statics.equilibrium(q, goal)
            changed = sparse.unstable(statics, found.q, goal) != stable
        except (StepError, SingularBlockError):
            step /= 2
            if step < _SHORTEST * max(load, _FIRST_LOAD):
                return _limit(statics, q, load)
            continue
        if changed:
            try:
                return sparse.critical_load(statics, q, load, goal)
            except sparse.RegularTangentError:
                stable = sparse.unstable(statics, found.q, goal)
            except (StepError, SingularBlockError):  # the path has turned back between the two
                return _limit(statics, q, load)
        q, load, step = found.q, goal, _GROWTH * step
    raise StepError(f"no critical load was found up to {_MOST:g} times the load{_unseen(model)}")


def _unseen(model: BlockModel) -> str:
    """What a search among modal bodies cannot find."""
    names = sorted(model.numbers.flexible)
    if not names:
        return ""
    return (
        f"; {', '.join(names)} by modes: softened by axial forces alone, so that bending sideways "
        "with torsion is not seen (take theory: exact)"
    )


def _limit(statics: sparse.Statics, q: Array, load: float) -> sparse.CriticalLoad:
    """The largest load of the path that begins at an equilibrium."""
    length, _ = _first_length(statics, q, load)
    length = min(length, 0.1)
    for _ in range(4):
        points = [(q, load)]
        for point in islice(sparse.equilibrium_path(statics, q, length=length, load=load,
                                             longest=length), 400):  # fmt: skip
            points.append((point.q, point.load))
            if point.load < points[-2][1]:
                break
        else:
            raise StepError(f"the path has no largest load beyond load factor {load:.6g}")
        q, load = points[max(len(points) - 4, 0)]
        length /= 4
    states, loads = [p for p, _ in points[-3:]], np.array([v for _, v in points[-3:]])
    top = _extremum(_lengths(states), loads)
    _, mode = sparse.smallest_eigenvalue(statics, points[-2][0], points[-2][1])
    return sparse.CriticalLoad(top, "limit point", points[-2][0], mode)


def _critical(
    system: Study, model: BlockModel, outputs: Sequence[str] | None, info: Mapping[str, Any]
) -> Result:
    """The state at the critical load, swung along its mode: samples are parts of a swing."""
    found, blocks = _gives_way(model), model.system
    phase = np.linspace(0.0, 1.0, _SAMPLES)
    largest = float(np.abs(blocks.weights(model.q) * found.mode).max())
    way = _SHOWN / max(largest, 1e-300) * found.mode
    q = np.array([blocks.moved(found.q, np.sin(2 * np.pi * s) * way) for s in phase])
    none = np.zeros((_SAMPLES, blocks.n_all))
    t, load = np.full(_SAMPLES, model.start.t), np.full(_SAMPLES, found.load)
    look = Observations(model, States(t, load, q, none, none))
    series = look.series(outputs)
    series["load_factor"] = Series(load, "1", (), "other")
    more = {
        **info, "stability": found.kind, "critical_load": found.load, "load_factor": found.load,
        "mode": _moved_most(model, found.mode), "degrees_of_freedom": blocks.freedom,
        "statistics": {"iterations": 0.0}, "failure_code": "",
    }  # fmt: skip
    at_load = look.of(look.states[:1])
    return Result(phase, series, more, (), tuple(remarks_on(at_load)), "", system.text)


def _moved_most(model: BlockModel, mode: Array) -> dict[str, float]:
    """The bodies that move most, by name, with their translation (largest: 1)."""
    go = model.system.increments
    sizes = {
        name: float(np.linalg.norm(mode[go[block] : go[block] + 3]))
        for name, block in model.bodies.items()
    }
    top = max(sizes.values()) or 1.0
    first = sorted(sizes, key=sizes.__getitem__, reverse=True)[:_LISTED]
    return {name: sizes[name] / top for name in first}


def rest(system: Study, request: RestRequest) -> Result | None:
    """See ``System.statics``. None, unless blocks were asked for: nothing holds the system without
    load, or segments close loops whose constraints depend on each other in their first pose only
    (straight ones that cannot be stretched). Only the dense way can deal with that."""
    began, params, points = clock.perf_counter(), request.params, request.load_steps
    if isinstance(points, bool) or not isinstance(points, int) or points < 1:
        raise InputError(f"load_steps: {points!r} is not a count", "give 1 or more")
    asked = request.follows or request.method == "sparse"
    info = {
        "model": system.model.name, "analysis": "statics", "formulation": "blocks",
        "tree": "absolute", "method": "sparse", "params": dict(params or {}),
    }  # fmt: skip
    try:
        model = block_model(system, params, t=request.time(system), moving=False)
        if model.left_out and not (asked or has_elements(system)):
            return None
        if request.critical:
            result = _critical(system, model, request.outputs, info)
        elif request.path == "arc-length":
            many = points if points > 1 else _POINTS
            result = _along_path(system, model, many, request.outputs, info)
        else:
            path = load_path(model, [k / points for k in range(1, points + 1)])
            result = result_of_path(system, path, request.outputs, along=points > 1, info=info)
    except SingularBlockError as error:
        if asked:
            raise StepError(f"statics: {error}") from None
        return None
    result.info["statistics"]["seconds"] = clock.perf_counter() - began
    return result
