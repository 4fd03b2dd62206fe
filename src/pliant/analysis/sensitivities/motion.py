"""The motion that derivatives are taken of: assembled, integrated to small tolerances, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pliant.arrays import Array, Integers, increasing
from pliant.backends.expressions.prepare import Program
from pliant.backends.expressions.run import event_rules
from pliant.backends.expressions.start import InitialState, initial_state
from pliant.backends.expressions.undefined_starts import (
    refuse_infinite_rates,
    refuse_undetermined,
)
from pliant.backends.kinks import sliding
from pliant.backends.request import Plan
from pliant.errors import CapabilityError, StepError
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics, dense_dynamics
from pliant.solve.failure import Failure
from pliant.solve.motion.events import Crossing, EventWatch
from pliant.solve.motion.run import steps_at_once, waypoints_of
from pliant.solve.start.state_sizes import absolute_tolerances
from pliant.solve.transient.change_points.departure import depart
from pliant.solve.transient.driver import Chunk, integrate
from pliant.solve.variation.path import Path
from pliant.solve.variation.switches import refuse_sliding
from pliant.study import Study

_TOGETHER = 2
"""Steps in one interval: collocation is exact to a higher order than they are."""


@dataclass(frozen=True)
class Motion:
    """``kept``: rows of G that were kept all the way; None: they changed; ``crossings``: events."""

    path: Path
    start: InitialState
    kept: Integers | None
    statistics: Mapping[str, float]
    crossings: tuple[Crossing, ...] = ()


def moved(
    study: Study, prepared: Program, plan: Plan, integrator: str, *, stops: bool = False
) -> Motion:
    """From the initial state to the end; ``stops``: or to an event that ends it."""
    c, params, rtol, atol = prepared.compiled, plan.params, plan.rtol, plan.atol
    begin, end = plan.begin, float(plan.times()[-1])
    if study.model.drivers:
        refuse_infinite_rates(study, params, begin, end)
    state = initial_state(study, prepared, params, begin)
    refuse_undetermined(c, state.x, state.p)
    dynamics = dense_dynamics(c, p=state.p, implicit=False)
    x0 = dynamics.consistent(state.x, state.p)
    sizes: float | Array | None = atol
    if sizes is None and c.nx:
        sizes = absolute_tolerances(c, x0, state.p, end, rtol)
    left = depart(dynamics, x0, state.p, end, rtol, sizes)
    if left.failure is not None or left.steps:
        raise CapabilityError("the motion starts at a change point, where two ways of assembly "
                              "meet: there is no derivative; start beside it")  # fmt: skip
    chunks, crossings = [], list[Crossing]()
    watch = EventWatch(c, dynamics, event_rules(study), np.zeros(0))
    for chunk in integrate(
        dynamics, x0, end, method=integrator, rtol=rtol, atol=sizes, chunk=steps_at_once(dynamics),
        best_pivot=left.best_pivot, waypoints=waypoints_of(c, state.p, begin, end),
    ):  # fmt: skip
        found = watch.crossings(chunk)[0]
        crossings += found
        chunks.append(chunk)
        stopped = any(crossing.rule.stop for crossing in found)
        if not (stopped and stops):
            _refuse(chunk, found)
        if stopped:
            break
    stats = chunks[-1].stats
    same = not stats.get("rank_changes") and stats.get("min_rank") == stats.get("max_rank")
    kept = _kept(dynamics, x0, state.p) if same else None
    path = Path(dynamics, x0, state.p, chunks)
    refuse_sliding(path, lambda p: sliding(c, p))
    return Motion(path, state, kept, stats, tuple(crossings))


def _kept(dynamics: Dynamics, x0: Array, p: Array) -> Integers:
    return dynamics.rank(x0, p)[1]


def _refuse(chunk: Chunk, crossings: Sequence[Crossing]) -> None:
    """A motion that does not reach its end."""
    stops = [c for c in crossings if c.rule.stop]
    if stops:
        name, time = stops[0].rule.name, stops[0].time
        raise CapabilityError(f"event '{name}' ends the motion at t = {time:.6g} s; give an end "
                              f"time before it, or ask for what is there ('... at {name}')"
                              )  # fmt: skip
    if chunk.passed:
        raise CapabilityError(f"the motion passes a change point at t = {chunk.passed[0]:.6g} s, "
                              "where two ways of assembly meet: there is no derivative beyond; end "
                              "before it")  # fmt: skip
    if isinstance(chunk.status, Failure):
        raise StepError(chunk.status.message)


def grids(path: Path, wanted: Array) -> Iterator[Array]:
    """Finer and finer: two steps in one, every step, then halves of them. Wanted
    times stand in all of them, and so do ends of all steps where conditions may change there."""
    whole = grid_of(path, wanted)
    kept = np.isin(whole, wanted) | (np.arange(len(whole)) % (len(whole) - 1) == 0)
    if not path.compiled.guards:
        since = np.arange(len(whole)) - np.maximum.accumulate(
            np.where(kept, np.arange(len(whole)), 0)
        )
        yield whole[kept | (since % _TOGETHER == 0)]
    while True:
        yield whole
        whole = increasing(np.concatenate((whole, (whole[1:] + whole[:-1]) / 2)))


def grid_of(path: Path, wanted: Array) -> Array:
    """Ends of all steps and wanted times; steps that end next to one of these end there."""
    begin, end = path.ends[0], path.ends[-1]
    tiny = 1e-12 * (end - begin)
    near = np.abs(path.ends[:, None] - wanted).min(axis=1) if len(wanted) else path.ends + np.inf
    return increasing(np.concatenate((path.ends[near > tiny], wanted)))
