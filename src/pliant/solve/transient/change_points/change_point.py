"""Passing singular positions: where two ways of assembly meet, the motion goes on smoothly.

Near a change point the constraint is g = xi eta in two tangent directions. Rounding makes it
xi eta = c, a hyperbola: an integrator that may shrink its steps follows it round the corner into
the other branch, with the energy kept. So, with sigma the smallest singular value of the scaled
constraints relative to its best so far and t* = sigma / |sigma'| the time to the pose:

1. below ``LOOK`` the stages are brought onto the branch (service ``branch``);
2. no stage lies close to the pose: steps end before 0.4 t*;
3. from ``NEAR`` on one step hops over the pose: the Hermite polynomial of degree 7 through the last
   four accepted points (q, u, xs and their rates), continued to 2 t* and projected. It is accepted
   if the projection changes it by 5 tolerances at most; if not, the pose is approached further
   while that halves the change;
4. then speeds that miss the prediction by less than ``SMOOTH`` are noise; more is a corner that is
   there (links of nearly equal length), which ordinary steps resolve.

Source: docs/theory.
"""

from __future__ import annotations

import numpy as np

from pliant.solve.machine.abi import Reals, at, jit
from pliant.solve.machine.context import KEEP, NQ, NU, PIVOT, S_BRANCH
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points import pose_polynomial as p
from pliant.solve.transient.change_points.pose_polynomial import extrapolate, pose_numbers, remember
from pliant.solve.transient.change_points.pose_watch import LONG, LOOK, NEAR, REACH, SOON, measure
from pliant.solve.transient.dense_output import HOP
from pliant.solve.transient.state import Run, call, decide_rank, project_step, state_size, vector
from pliant.solve.transient.step_size import rates_by, state_rates

RELEASE = 0.36
"""Of the best: a pose whose sigma has risen above it is behind."""
FAR, LEAST = 0.15, 2e-3
CORRECTION_LIMIT, SMOOTH = 5.0, 1e-5
GUARDED, JUMP = 1e-3, 0.05
"""Below the first no speed may jump by this part unless a corner was found."""


@jit
def reach(run: Run) -> float:
    """The longest step that keeps its stages away from the pose ahead."""
    if run.ints[s.PASSING] == 1:
        pose = pose_numbers(run)
        return float(REACH * pose[p.LEFT_TIME] if pose[p.HOP_BELOW] > 0.0 else np.inf)
    return float(REACH * run.reals[s.POSE_TIME])


@jit
def prepare_stages(run: Run, h: float) -> None:
    """How far the stages of a step h may be moved onto the constraints."""
    speed = 0.0
    for i in range(run.ic[NU]):
        speed = max(speed, abs(run.x[1 + run.ic[NQ] + i]))
    pose_numbers(run)[p.MOST] = max(0.2 * h * speed, 1e-6)


@jit
def stage_rates(run: Run, out: Reals) -> int:
    """out <- [q' | u' | xs'] at run.x, which is brought onto the branch first near a pose."""
    if run.ints[s.PASSING] == 0:
        return state_rates(run, out)
    run.y[0] = pose_numbers(run)[p.MOST]
    return rates_by(run, S_BRANCH, out)


@jit
def hold_constraints(run: Run) -> bool:
    """The end of a step onto the constraints."""
    if run.ints[s.PASSING] == 0:
        return project_step(run, 0)
    return call_branch(run) == 0


@jit
def choose_rows(run: Run) -> int:
    """The rank decision of the step; near a pose the rows stay."""
    return 0 if run.ints[s.PASSING] == 1 else decide_rank(run)


@jit
def watch_pose(run: Run, start: Reals, rates: Reals, h: float, switched: int) -> int:
    """After an accepted step h from ``start``: begin, follow or end a passage. rates: of run.x.

    0, PASSED if a passage that was asked for is over, FORK if speeds have jumped, 1 if undefined.
    """
    if run.ints[s.PASSING] == 0:
        falls, asked = run.reals[s.POSE_TIME] < np.inf, run.reals[s.ONLY_PASSING] > 0.0
        near = run.dc[PIVOT] < LOOK * run.reals[s.BEST_PIVOT] and run.address[S_BRANCH] != 0
        if near and (falls or asked):
            return begin_passage(run, rates, h)
        return s.PASSED if asked and not falls and run.ints[s.STARTED] == 1 else 0
    pose = pose_numbers(run)
    if switched == 1:
        pose[p.COUNT] = 0.0
    _note(run, rates, h)
    part = pose[p.SIGMA] / pose[p.SIGMA_BEST]
    if part < GUARDED and pose[p.HOP_BELOW] > 0.0 and _jump(run, start, start) > JUMP:
        return s.FORK
    remember(run, rates)
    if part > FAR:
        pose[p.HOP_BELOW], pose[p.LAST_CHANGE] = NEAR, np.inf
    behind = pose[p.LEFT_TIME] == np.inf
    if behind and (part > RELEASE or (part > NEAR and pose[p.AWAY_TIME] > SOON * h)):
        return _end_passage(run, rates)
    return 0


@jit
def begin_passage(run: Run, rates: Reals, h: float) -> int:
    """Onto the branch; the rows kept now are kept to the end of the passage."""
    pose = pose_numbers(run)
    run.ints[s.PASSING] = 1
    pose[p.MOST], pose[p.COUNT] = np.inf, 0.0
    if stage_rates(run, rates) != 0:
        run.ints[s.PASSING] = 0
        return stage_rates(run, rates)
    pose[p.HOP_BELOW], pose[p.LAST_CHANGE] = NEAR, np.inf
    _note(run, rates, h)
    pose[p.SIGMA_BEST] = pose[p.SIGMA] * run.reals[s.BEST_PIVOT] / max(run.dc[PIVOT], 1e-300)
    remember(run, rates)
    return 0


@jit
def _end_passage(run: Run, rates: Reals) -> int:
    run.ints[s.PASSING] = 0
    decide_rank(run)
    run.reals[s.LAST_PIVOT], run.reals[s.POSE_TIME] = run.dc[PIVOT], np.inf
    if stage_rates(run, rates) != 0:
        return 1
    return s.PASSED if run.reals[s.ONLY_PASSING] > 0.0 else 0


@jit
def _note(run: Run, rates: Reals, h: float) -> None:
    """sigma at run.x, and the time left to the pose ahead, or gone since the one behind."""
    pose = pose_numbers(run)
    sigma, slope = measure(run, rates, h, KEEP)
    pose[p.SIGMA], pose[p.LEFT_TIME] = sigma, -sigma / slope if slope < 0.0 else np.inf
    pose[p.AWAY_TIME] = sigma / slope if slope > 0.0 else np.inf


@jit
def hops(run: Run) -> bool:
    """Whether poses are hopped over; a corner is not."""
    return bool(pose_numbers(run)[p.HOP_BELOW] > 0.0)


@jit
def hop_length(run: Run) -> float:
    """Over the pose and as far beyond; 0: it is not time to hop."""
    pose = pose_numbers(run)
    left, end = pose[p.LEFT_TIME], run.reals[s.T_END] - run.x[0]
    near = pose[p.SIGMA] < pose[p.HOP_BELOW] * pose[p.SIGMA_BEST]
    if run.ints[s.PASSING] == 0 or not near or pose[p.COUNT] < p.POINTS or end < 0.8 * left:
        return 0.0
    return float(min(2.0 * left, end))


@jit
def hop(run: Run, start: Reals, h: float, new: Reals, scale: Reals) -> bool:
    """run.x <- the state beyond the pose, if the motion goes there smoothly. new, scale: work."""
    pose, n, t0 = pose_numbers(run), state_size(run), run.x[0]
    extrapolate(run, h, new)
    prepare_stages(run, h)
    run.x[0] = t0 + h
    atol = vector(run, s.ATOL)
    for i in range(n):
        run.x[1 + i] = new[i]
        scale[i] = atol[i] + run.reals[s.RTOL] * max(abs(start[i]), abs(new[i]))
    change = jump = np.inf
    if call_branch(run) == 0:
        change, jump = s.correction_norm(run, new, scale), _jump(run, start, new)
    part = pose[p.SIGMA] / pose[p.SIGMA_BEST]
    if change <= CORRECTION_LIMIT or (jump <= SMOOTH and not _improves(run, change, part)):
        return True
    if _improves(run, change, part):
        pose[p.HOP_BELOW], pose[p.LAST_CHANGE] = 0.5 * part, change
    else:
        pose[p.HOP_BELOW] = 0.0
    s.restore(run, start, t0)
    return False


@jit
def call_branch(run: Run) -> int:
    """run.x onto the branch."""
    run.y[0] = pose_numbers(run)[p.MOST]
    return call(run, S_BRANCH)


@jit
def _improves(run: Run, change: float, part: float) -> bool:
    """Did coming closer help, and may one come closer still?"""
    return bool(change < 0.5 * pose_numbers(run)[p.LAST_CHANGE] and part > LEAST)


@jit
def _jump(run: Run, start: Reals, new: Reals) -> float:
    """By which part of the speed at the start the speeds ``new`` are missed."""
    nq, change, size = run.ic[NQ], 0.0, 1e-300
    for i in range(nq, nq + run.ic[NU]):
        change = max(change, abs(run.x[1 + i] - new[i]))
        size = max(size, abs(start[i]))
    return change / size


@jit
def last_sigma(run: Run) -> float:
    """sigma at the last accepted step."""
    return float(pose_numbers(run)[p.SIGMA])


@jit
def mark_pose(run: Run, before: float) -> None:
    """Kind of the last record <- HOP + the part of the step at which sigma vanishes.

    ``before``: sigma where the hop begins; it falls to zero and rises linearly.
    """
    after = pose_numbers(run)[p.SIGMA]
    row = at(run.record, (run.ints[s.RECORDS] - 1) * run.ints[s.WIDTH])
    row[2] = HOP + before / max(before + after, 1e-300)
    run.reals[s.BESIDE] = LONG


@jit
def forget_points(run: Run) -> None:
    """After a hop that was refused: collect new points, and hop from closer by."""
    pose = pose_numbers(run)
    pose[p.COUNT], pose[p.HOP_BELOW] = 0.0, 0.5 * pose[p.SIGMA] / pose[p.SIGMA_BEST]
    pose[p.LEFT_TIME] = pose[p.HOP_TIME]
