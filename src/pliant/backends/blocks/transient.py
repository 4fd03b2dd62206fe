"""Motion of a system of blocks: ``simulate`` with the methods of the sparse solver.

Steps are of one size, as many to every output interval as the step asked for needs. A failed step
keeps what was computed.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.equilibrium import remarks_on, settled
from pliant.backends.blocks.events import Blind, Follower
from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.model import BlockModel, block_model
from pliant.backends.blocks.observe import Observations, States, recorded_of
from pliant.backends.blocks.poses import PoseLog, remarks_on_poses
from pliant.backends.blocks.route import METHODS
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.blocks.solver.transient import Integration
from pliant.backends.causes import numeric_cause
from pliant.backends.contract import Motion
from pliant.backends.kinks import remarks_of_laws
from pliant.backends.memory import refuse_too_many
from pliant.backends.request import Plan
from pliant.errors import InputError, StepError
from pliant.solve.abi import Compiled
from pliant.solve.failure import Failure

if TYPE_CHECKING:
    from pliant.study import Study

STEPS = 1000
"""Steps of a run if nothing else is said."""
RADIUS = 0.9
"""Spectral radius of generalized-alpha if nothing else is said."""
NEWTON = 1e-12
"""Error left by Newton's method in a step of given size: accelerations are that over its square."""
_LOOKS = 17
"""Times in the interval after the last sample at which formulas are looked at."""
_OPTIONS = {False: ("radius", "tolerance"), True: ("dissipation", "tolerance")}
"""Of steps that conserve energy or not."""


@dataclass(slots=True)
class Recorder:
    """Snapshots of a run."""

    t: list[float]
    q: list[Array]
    u: list[Array]
    a: list[Array]

    def take(self, run: Integration) -> None:
        self.t.append(run.t)
        self.q.append(run.q.copy())
        self.u.append(run.u.copy())
        self.a.append(accelerations(run).copy())

    def states(self, first: int = 0, last: int | None = None) -> States:
        """Those from the first to before the last."""
        t, q, u, a = (np.array(v[first:last]) for v in (self.t, self.q, self.u, self.a))
        return States(t, np.ones(len(t)), q, u, a)


def accelerations(run: Integration) -> Array:
    """u' now, in the order of the unknowns."""
    return run._vector(st.W_UDOT, run.system.n_all)


def run_blocks(system: Study, plan: Plan) -> Motion:
    """Integrate a system of blocks over output times."""
    return _Run(system, plan).motion()


class _Run:
    """One run."""

    def __init__(self, system: Study, plan: Plan) -> None:
        began, grid = clock.perf_counter(), plan.times()
        self.system, self.plan, self.grid = system, plan, grid
        conserving = METHODS[plan.method]
        self.options = _chosen(plan.request.options, conserving)
        model = block_model(system, plan.params, t=float(grid[0]), saved=plan.earlier)
        refuse_too_many(len(grid), 3 * model.system.n_all, plan.limit)
        if plan.at_rest:
            model = settled(system, model, plan.params, float(grid[0]))
        model.system.set_header(t=float(grid[0]))
        self.model = replace(model, u=model.system.projected(model.q, model.u))
        self.steps = _steps_of(grid, conserving, plan)
        self.poses, self.recorder = PoseLog(self.model), Recorder([], [], [], [])
        self.prepared_in = clock.perf_counter() - began
        self.began, self.inside = clock.perf_counter(), Compiled.seconds
        self.integration = self._begun()
        self.handed = 0
        """Samples that were handed over while the run went on."""

    def _begun(self) -> Integration:
        """The integration at its start, recorded and followed."""
        steps, options, model = self.steps, self.options, self.model
        run = Integration(
            model.system, model.q, model.u, step=steps.step, radius=options["radius"],
            conserving=steps.conserving, t=float(self.grid[0]), rtol=steps.rtol, atol=steps.atol,
            tolerance=options.get("tolerance", None if steps.rtol else NEWTON),
            dissipation=options.get("dissipation", 0.0),
        )  # fmt: skip
        self.recorder.take(run)
        start = np.concatenate([[run.t], run.q, run.u, accelerations(run)])
        self.poses.take(start[None])
        events = model.numbers.model.events
        self.follower = Follower(model, events, start, self.grid, self.plan.observe)
        return run

    def motion(self) -> Motion:
        """Integrate, and say how it went."""
        system, failed = self.system, self._integrated()
        watch, states = self.follower.events, self.recorder.states()
        if watch.stop is not None:
            states, failed = ended_at(states, watch.stop), None
        elif watch.blind is not None:
            what = _blind(system, self.model, watch.blind)
            failed = Failure("not-a-number", watch.blind.time, what)
            states = cut_at(states, watch.blind.time)
        elif failed is not None and failed.code != "interrupted":
            look = self.follower.told(states)
            failed = replace(failed, message=_named(system, look, failed.message))
        passed, pose = self.poses.met()
        if failed is not None and failed.code in ("no-convergence", "energy") and pose is not None:
            what = f"two ways of assembly meet {pose.text}; use method auto, which can pass there"
            failed = Failure("change-point", failed.time, f"{failed.message}; {what}")
        if self.plan.watch is not None and len(states.t) > self.handed:
            self._hand_over(states[self.handed :])
        return self._told(states, remarks_on_poses(passed, self.poses.full), failed)

    def _told(
        self, states: States, remarks: Sequence[str] = (), failed: Failure | None = None, *,
        over: bool = True,
    ) -> Motion:  # fmt: skip
        """What was computed; ``over``: the run does not go on."""
        plan, follower, look = self.plan, self.follower, self.follower.told(states)
        seconds = {"seconds": clock.perf_counter() - self.began,
                   "compiled_seconds": Compiled.seconds - self.inside}  # fmt: skip
        return Motion(
            time=states.t, series=follower.with_work(look.series(plan.observe), states.t),
            end=partial(look.end, projected=over),
            info={"formulation": "blocks", "tree": "absolute", "constraints": "multipliers",
                  "method": plan.method, "step": self.steps.step, "rtol": self.steps.rtol,
                  "prepared_in": self.prepared_in, **self.options},
            statistics={**_counts(self.integration), **seconds},
            energy=follower.energy.balance, events=tuple(follower.events.records),
            recorded=recorded_of(plan.params, look),
            remarks=(*remarks, *_warnings(look, plan.observe),
                     *remarks_of_laws(self.system, f"method '{plan.method}'")),
            failure=failed.message if failed else "", failed=failed, model=self.system.text,
        )  # fmt: skip

    def _hand_over(self, states: States) -> None:
        """Samples to who watches, with the events since the last ones."""
        since = self.recorder.t[self.handed - 1] if self.handed else -np.inf
        self.handed += len(states.t)
        told = self._told(states, over=False)
        own = tuple(e for e in told.events if since < e.time <= states.t[-1])
        if self.plan.watch is not None:
            self.plan.watch(replace(told, events=own))

    def _integrated(self) -> Failure | None:
        """Steps between output times; why they ended early."""
        run, recorder, follower, plan = self.integration, self.recorder, self.follower, self.plan
        failed = None
        try:
            for t in self.grid[1:]:
                for rows in run.trace(float(t), self.steps.count):
                    self.poses.take(rows)
                    failed = follower.take(rows)
                    if failed is not None or follower.ended:
                        return failed
                recorder.take(run)
                recorder.t[-1] = float(t)
                if plan.request.progress is not None:
                    plan.request.progress(run.t)
                rounding = 1e-6 * (recorder.t[-1] - recorder.t[-2])
                known = int(np.searchsorted(recorder.t, follower.reached + rounding))
                if plan.watch is not None and known > max(self.handed, 1):
                    self._hand_over(recorder.states(self.handed, known))
        except (StepError, SingularBlockError) as error:
            failed = Failure("no-convergence", recorder.t[-1], str(error))
        except KeyboardInterrupt:
            what = f"interrupted by the user at t = {recorder.t[-1]:.6g} s"
            failed = Failure("interrupted", recorder.t[-1], what)
        return follower.take(np.zeros((0, follower.width)), last=True) or failed


def _named(system: Study, look: Observations, failure: str) -> str:
    """A failure with the formula that has no value in the interval that could not be passed."""
    t = look.states.t
    width = float(t[-1] - t[-2]) if len(t) > 1 else 1e-3
    why = numeric_cause(system.model, look.later, np.linspace(0.0, width, _LOOKS))
    return f"{failure}: {why}" if why else failure


def _blind(system: Study, model: BlockModel, lost: Blind) -> str:
    """Which event can no longer be watched, when, and why; raises StepError at the start."""
    t, there = float(lost.there.t[0]), Observations(model, lost.there)
    event = system.model.events[lost.name]
    why = numeric_cause(system.model.with_(events=[event]), there.later, [0.0])
    what = f"t = {t:.6g} s: event '{lost.name}' has no value" + (f": {why}" if why else "")
    if lost.time == t:
        raise StepError(what)
    return what


def cut_at(states: States, time: float) -> States:
    """The states up to a time."""
    return states[: int(np.searchsorted(states.t, time, side="right"))]


def ended_at(states: States, last: States) -> States:
    """The states up to another one, and that."""
    return cut_at(states, float(np.nextafter(last.t[0], -np.inf))) + last


def _chosen(options: Mapping[str, float] | None, conserving: bool) -> dict[str, float]:
    known = _OPTIONS[conserving]
    for name in options or {}:
        if name not in known:
            raise InputError(f"unknown option '{name}'", f"known: {', '.join(known)}")
    found = {"radius": RADIUS, **(options or {})}
    if not 0 <= found["radius"] <= 1:
        raise InputError(f"radius: {found['radius']:g} is no spectral radius", "give 0 to 1")
    if not 0 <= found.get("dissipation", 0) <= 1:
        raise InputError(f"dissipation: {found['dissipation']:g} is out of range", "give 0 to 1")
    return found


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps of a run: so many of one size in every output interval, or as long as errors allow."""

    conserving: bool
    count: int = 0
    step: float | None = None
    rtol: float | None = None
    atol: float | None = None


def _steps_of(grid: Array, conserving: bool, plan: Plan) -> Steps:
    """A step that is given, else the tolerance; steps that conserve energy are of one size."""
    if plan.step is None and not conserving:
        return Steps(conserving, rtol=plan.rtol, atol=plan.atol)
    count, size = _steps(grid, plan.step)
    return Steps(conserving, count, size)


def _counts(run: Integration) -> dict[str, float]:
    places = {"steps": st.STEPS, "rejected": st.REJECTED, "iterations": st.ITERATIONS}
    counts = {name: float(run._ints[place]) for name, place in places.items()}
    return {**counts, "unknowns": float(run.system.n)}


def _steps(grid: Array, step: float | None) -> tuple[int, float]:
    """Steps in every output interval, and their size."""
    widths = np.diff(grid)
    if np.ptp(widths) > 1e-9 * widths.max():
        raise InputError("times: steps of one size need equal intervals", "give every=, or no step")
    width = float(np.mean(widths))
    wanted = step if step is not None else float(grid[-1] - grid[0]) / STEPS
    count = max(1, int(np.ceil(width / wanted * (1 - 1e-9))))
    return count, width / count


def _warnings(look: Observations, observe: Sequence[str] | None) -> tuple[str, ...]:
    found = remarks_on(look)
    if observe is None and not look.all_kept:
        found.append(
            f"{len(look.model.bodies)} bodies: nodes and elements of beams are not observed one by "
            "one; name them in outputs (or observe in the model)"
        )
    return tuple(found)
