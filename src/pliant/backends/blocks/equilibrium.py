"""Rest of a system of blocks: loads are raised from nothing in steps that adapt themselves.

r(q, s) = 0 for s from 0 to 1: s multiplies weights, forces, torques and actuators, while springs,
drivers and joints stay as they are.

First the system must stand before anything is applied: what can move freely has no load path.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.model import BlockModel, block_model
from pliant.backends.blocks.observe import Observations, States, recorded_of
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.blocks.solver.statics import Statics, smallest_eigenvalue, unstable
from pliant.backends.expressions.validity import body_remarks
from pliant.errors import StepError
from pliant.results import Result, Series
from pliant.study import Study

_LEAST = 1e-14
"""Of the largest stiffness; below is rounding. A slender beam of 10 000 elements has 1e-13."""
_ITERATIONS = 10
_NAMED = 3
FIRST_STEP = 0.25


def require_held(statics: Statics, q: Array) -> None:
    """Raise SingularBlockError, with the blocks that move most, if something has no stiffness."""
    system = statics.system
    system.set_header(load=0.0)
    system.tangent(q)
    weights = statics.weights[: system.n][statics.motion]
    largest = float((system.matrix.diagonal()[statics.motion] / weights**2).max())
    mu, mode = smallest_eigenvalue(statics, q, 0.0, iterations=_ITERATIONS)
    if abs(mu) > _LEAST * largest:
        return
    bodies = [b for b, shape in enumerate(system.shapes) if not shape.algebraic]
    moved = {b: float(np.abs(mode[system.increments[b] :][: system.shapes[b].n]).max())
             for b in bodies}  # fmt: skip
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
    statics: Statics
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
    statics = Statics(model.system, model.q)
    require_held(statics, model.q)
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
    last = float(rows.load[-1])
    more = {
        **info, "degrees_of_freedom": model.system.freedom, "load_factor": last,
        "stability": verdict(path.statics, rows.q[-1], last),
        "failure_code": "no-convergence" if path.failure else "",
        "statistics": {"iterations": float(path.iterations)},
        "end_state": model.state(model.start.t, rows.q[-1], rows.u[-1]).text,
    }  # fmt: skip
    return Result(rows.load if along else rows.t, series, more, (), tuple(remarks_on(look)),
                  path.failure, system.text,
                  recorded_of(info.get("params"), look, moving=False))  # fmt: skip


def verdict(statics: Statics, q: Array, load: float) -> str:
    """Whether the energy has a minimum at an equilibrium."""
    try:
        return "unstable" if unstable(statics, q, load) > 0 else "stable"
    except SingularBlockError:
        return "indifferent"


def settled(
    system: Study, model: BlockModel, params: Mapping[str, Any] | None, t: float
) -> BlockModel:
    """A model that begins in equilibrium, with the speeds of its initial state."""
    path = load_path(block_model(system, params, t=t, moving=False), [1.0])
    if path.failure:
        raise StepError(f"start: equilibrium: {path.failure}")
    q = model.q.copy()
    for blocks, others in ((model.bodies, path.model.bodies),
                           (model.coordinates, path.model.coordinates)):  # fmt: skip
        for name, block in blocks.items():
            own, other = model.system, path.model.system
            n, at = own.shapes[block].nq, other.coordinates[others[name]]
            q[own.coordinates[block] : own.coordinates[block] + n] = path.states[-1][at : at + n]
    return dataclasses.replace(model, q=q)
