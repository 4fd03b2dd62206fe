"""Motion of a system of blocks: ``simulate`` with the methods of the sparse solver.

Steps are of one size, as many to every output interval as the step asked for needs. A failed step
keeps what was computed.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from pliant.arrays import Array
from pliant.backends.blocks.equilibrium import remarks_on, settled
from pliant.backends.blocks.independent import PoseLog, remarks_on_poses
from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.model import block_model
from pliant.backends.blocks.objections import METHODS
from pliant.backends.blocks.observe import Observations, States, recorded_of
from pliant.backends.blocks.solver.matrix import SingularBlockError
from pliant.backends.blocks.solver.transient import Integration
from pliant.backends.blocks.steps import Functions, Steps, whole_states
from pliant.backends.causes import numeric_cause
from pliant.backends.contract import Motion
from pliant.backends.expressions.run import event_rules
from pliant.backends.kinks import remarks_of_laws
from pliant.backends.memory import refuse_too_many
from pliant.backends.request import Plan
from pliant.backends.resume import State
from pliant.errors import InputError, StepError
from pliant.records import dataclass
from pliant.results.build import events_of, series_of_run
from pliant.solve.dynamics import Dynamics
from pliant.solve.failure import Failure, UndefinedError
from pliant.solve.motion.energy import EnergyWatch
from pliant.solve.motion.run import Trajectory, run
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
_TOGETHER, _WITH_EVENTS, _NUMBERS = 1024, 64, 1_000_000
"""Steps that are looked at together, the same with events, and numbers of them."""
_COUNTED = {"steps": st.STEPS, "rejected": st.REJECTED, "iterations": st.ITERATIONS}
_SAME = 1e-6
"""Of a step: ends of steps nearer to an output time than that are at that time."""


class BlockRun:
    """A run of a system of blocks over output times."""

    def __init__(self, system: Study, plan: Plan) -> None:
        began, grid = clock.perf_counter(), plan.times()
        self.system, self.plan, self.grid = system, plan, grid
        conserving = METHODS[plan.method]
        self.options = options = _chosen(plan.request.options, conserving)
        model = block_model(system, plan.params, t=float(grid[0]), saved=plan.earlier)
        refuse_too_many(len(grid), 3 * model.system.n_all, plan.limit)
        if plan.at_rest:
            model = settled(system, model, plan.params, float(grid[0]))
        model.system.set_header(t=float(grid[0]))
        self.model = model = replace(model, u=model.system.projected(model.q, model.u))
        self.pace = pace = Pace.of(grid, conserving, plan)
        self.poses = PoseLog(model)
        self.prepared_in = clock.perf_counter() - began
        self.integration = Integration(
            model.system, model.q, model.u, step=pace.step, radius=options["radius"],
            conserving=conserving, t=float(grid[0]), rtol=pace.rtol, atol=pace.atol,
            tolerance=options.get("tolerance", None if pace.rtol else NEWTON),
            dissipation=options.get("dissipation", 0.0),
        )  # fmt: skip
        self.start = self.integration.row
        self.functions = Functions(Observations(model, States.of(model, self.start[None])),
                                   plan.observe)  # fmt: skip

    def motion(self) -> Motion:
        """Integrate, and say how it went."""
        functions, watch, near = self.functions, self.plan.watch, self.model.start.q
        states = whole_states(self.model.system.nq, self.model.system.n_all)
        try:
            data = run(
                functions, states, self.start, np.zeros(0), self.grid,
                rules=event_rules(self.system) if functions.users else functions.onsets,
                angles=np.array([near.get(name, np.nan) for name in functions.wrapped]),
                chunks=self._chunks(states), step=self.pace.step,
                energy=EnergyWatch(functions, states, 0.0, fixed=True, refines=False),
                watch=None if watch is None else lambda data: watch(self._told(data, over=False)),
            )  # fmt: skip
        except UndefinedError as error:
            raise StepError(self._caused(str(error), error.x[None], [0.0])) from None
        passed, pose = self.poses.met()
        self._explain(data)
        failed = data.failed
        if failed is not None and failed.code in ("no-convergence", "energy") and pose is not None:
            what = f"two ways of assembly meet {pose.text}; use method auto, which can pass there"
            data.failure = f"{data.failure}; {what}"
            data.failed = Failure("change-point", failed.time, data.failure)
        return self._told(data, remarks_on_poses(passed, self.poses.full))

    def _chunks(self, states: Dynamics) -> Iterator[Steps]:
        """Steps between output times, some at a time; the last ones say why they end early."""
        made, count, ints = [self.start[None]], 0, self.integration._ints
        together = _WITH_EVENTS if self.functions.users else _TOGETHER
        most = min(together, _NUMBERS // len(self.start))

        def steps(status: str | Failure | None = None) -> Steps:
            rows = np.concatenate(made)
            made[:] = [rows[-1:]]
            counts = {name: float(ints[place]) for name, place in _COUNTED.items()}
            counts["unknowns"] = float(self.model.system.n)
            return Steps.of(self.functions, states, rows, counts, status)

        try:
            for t in self.grid[1:].tolist():
                for rows in self.integration.trace(t, self.pace.count):
                    if not len(rows):
                        continue
                    self.poses.take(rows)
                    if self.pace.step and abs(rows[-1, 0] - t) <= _SAME * self.pace.step:
                        rows[-1, 0] = t
                    made.append(rows)
                    count += len(rows)
                    if count >= most:
                        count = 0
                        yield steps()
                if self.plan.request.progress is not None:
                    self.plan.request.progress(t)
        except (StepError, SingularBlockError) as error:
            yield steps(Failure("no-convergence", float(made[-1][-1, 0]), str(error)))
        except KeyboardInterrupt:
            t = float(made[-1][-1, 0])
            yield steps(Failure("interrupted", t, f"interrupted by the user at t = {t:.6g} s"))
        else:
            yield steps("ok")

    def _explain(self, data: Trajectory) -> None:
        """A failure with the formula that has no value there, or in the interval after the last
        sample that could not be passed."""
        if data.failed is None or data.failed.code == "interrupted":
            return
        if len(data.undefined):
            data.failure = self._caused(data.failure, data.undefined[None], [0.0])
        else:
            rows = np.concatenate([self.start[None], *(X[-2:] for X, _ in data.rows[-2:])])[-2:]
            width = float(rows[-1, 0] - rows[0, 0]) or 1e-3
            data.failure = self._caused(data.failure, rows, np.linspace(0.0, width, _LOOKS))

    def _caused(self, what: str, rows: Array, times: Iterable[float]) -> str:
        why = numeric_cause(self.system.model, self.functions.look.at(rows).later, times)
        return f"{what}: {why}" if why else what

    def _told(
        self, data: Trajectory, remarks: Sequence[str] = (), *, over: bool = True
    ) -> Motion:  # fmt: skip
        """What was computed; ``over``: the run does not go on."""
        plan, functions = self.plan, self.functions
        rows = np.concatenate([X for X, _ in data.rows]) if data.rows else data.x_end[None]
        turns = dict(zip(functions.wrapped, data.turns.T, strict=False))
        look = functions.look.at(rows, turns)
        unique = {name: np.array(look.unique(name)) for name, q in functions.asked.items()
                  if q.kind == "reaction"}  # fmt: skip
        end = self._end(data, projected=over)
        remarks = [*remarks, *remarks_on(look)]
        if plan.observe is None and not look.all_kept:
            remarks.append(f"{len(look.model.bodies)} bodies: nodes and elements of beams are not "
                           "observed one by one; name them in outputs (or observe in the "
                           "model)")  # fmt: skip
        return Motion(
            time=data.time, series=series_of_run(functions, data, unique),
            end=lambda: end,
            info={"formulation": "blocks", "tree": "absolute", "constraints": "multipliers",
                  "method": plan.method, "step": self.pace.step, "rtol": self.pace.rtol,
                  "prepared_in": self.prepared_in, **self.options},
            statistics=data.statistics, energy=data.energy, events=events_of(data),
            recorded=recorded_of(plan.params, look) if data.rows else None,
            remarks=(*remarks, *remarks_of_laws(self.system, f"method '{plan.method}'")),
            failure=data.failure, failed=data.failed, model=self.system.text,
        )  # fmt: skip

    def _end(self, data: Trajectory, *, projected: bool) -> State:
        """The last state with angles on their turns; ``projected``: with speeds that the
        constraints allow to rounding, which takes the matrix of a run that goes on."""
        s, blocks = self.functions.look.at(data.x_end[None]).states, self.model.system
        t, q, u = float(s.t[0]), s.q[0], s.u[0]
        if projected:
            blocks.set_header(t=t)
            u = blocks.projected(q, u)
        state = self.model.state(t, q, u)
        turned = zip(self.functions.wrapped, map(float, data.angles), strict=True)
        return replace(state, q={**state.q, **dict(turned)})


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
class Pace:
    """Steps of a run: so many of one size in every output interval, or as long as errors allow."""

    count: int = 0
    step: float | None = None
    rtol: float | None = None
    atol: float | None = None

    @classmethod
    def of(cls, grid: Array, conserving: bool, plan: Plan) -> Pace:
        """By a step that is given, else the tolerance; steps that conserve energy are of one
        size."""
        if plan.step is None and not conserving:
            return cls(rtol=plan.rtol, atol=plan.atol)
        widths = np.diff(grid)
        if np.ptp(widths) > 1e-9 * widths.max():
            raise InputError("times: steps of one size need equal intervals",
                             "give every=, or no step")  # fmt: skip
        width = float(np.mean(widths))
        wanted = plan.step if plan.step is not None else float(grid[-1] - grid[0]) / STEPS
        count = max(1, int(np.ceil(width / wanted * (1 - 1e-9))))
        return cls(count, width / count)
