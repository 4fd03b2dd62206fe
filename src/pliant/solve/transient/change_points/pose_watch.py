"""The watch for singular positions: is one ahead, and has a step led into one or over it?

Pivots of the rank decision are at hand; sigma, the smallest singular value of the scaled
constraints, and its slope are computed only where pivots have fallen by much, or inside of steps so
long that their ends need not show a pose between them. Source: docs/theory.
"""

from __future__ import annotations

import numpy as np

from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Reals, at, jit
from pliant.solve.transient import state as s
from pliant.solve.transient.dense_output import state_at
from pliant.solve.transient.state import Run, call, copy, vector

LOOK = 0.3
"""Of the best pivot: a pose is being passed below it, while it is neared."""
ALERT, HAND_OVER, DIVE = 0.6, 0.06, 0.12
"""Of the best pivot: the pose is timed below the first, while they fall; other methods leave it to
DOP853 below the second; a step that ends below the third, begun above ``LOOK``, is taken back."""
AHEAD = 1e-4
"""Part of a step over which slopes of sigma are taken."""
REACH = 0.4
"""Part of the time to the pose that a step may take."""
SOON = 4.0
"""Steps: poses farther ahead or behind do not matter."""
NEAR = 0.03
"""Of the best: a pose so near is looked at whatever the pivots do, and may be hopped over."""
LONG, SHORT, APART, LIKELY = 0.35, 0.1, 0.175, 0.3
"""In radians: steps over more are looked into, over more than the second once a pose was passed, at
points so far apart; a step that went over a pose is repeated over the last."""
POINTS, MOST_POINTS, BESIDE_END, EDGE = 8, 1000, 0.02, 1.5
"""In a step: at least so many beside another pose, and at most; how near to its ends there are
further ones, of their distance; how far an edge may be from straight."""


@jit
def survey(run: Run, qdot: Reals, h: float) -> bool:
    """Look at the pivots after a step h; True: it led into a pose or over one, take it back.

    Pivots are at hand; sigma and its slope are computed only where pivots have fallen by much and
    would vanish within the next steps.
    """
    pivot, before, reals = run.dc[c.PIVOT], run.reals[s.LAST_PIVOT], run.reals
    best = reals[s.BEST_PIVOT] = max(reals[s.BEST_PIVOT], pivot)
    reals[s.POSE_TIME] = np.inf
    soon = pivot < SOON * (before - pivot) or pivot < NEAR * best
    if pivot < before and pivot < ALERT * best and soon and run.address[c.S_SIGMA] != 0:
        sigma, slope = measure(run, qdot, h, 0)
        far = before > LOOK * best
        if far and run.dc[c.PIVOT] < DIVE * best:
            return True
        if slope < 0.0:
            reals[s.POSE_TIME] = -sigma / slope
        elif far and sigma < 1.5 * h * slope:
            return True
    reals[s.LAST_PIVOT] = pivot
    return False


@jit
def begin_survey(run: Run, qdot: Reals, h: float) -> None:
    """The same at the start of a method: is there a pose ahead?"""
    pivot, reals = run.dc[c.PIVOT], run.reals
    best = reals[s.BEST_PIVOT] = max(reals[s.BEST_PIVOT], pivot)
    reals[s.LAST_PIVOT], reals[s.POSE_TIME] = pivot, np.inf
    if pivot < ALERT * best and run.address[c.S_SIGMA] != 0:
        sigma, slope = measure(run, qdot, h, 0)
        if slope < 0.0:
            reals[s.POSE_TIME] = -sigma / slope


@jit
def went_over(run: Run, h: float) -> bool:
    """Did the last step h lead over a pose that neither of its ends shows? Only long ones can, and
    those beside another pose, whose sigma is the smaller one.

    Between points ``APART`` sigma is linear but for its edge at the pose: sigma = k |t - t*| has
    sigma_1 + sigma_3 = k (t_3 - t_1) on both sides of it, a smooth minimum far more. k is the
    steepest of the four slopes around: between two poses that are near each other the inner ones
    are flat. Next to the ends of the step there is one point more, so that slopes show there.
    """
    turned, beside = _turned(run, h), run.reals[s.BESIDE] > 0.0
    long = turned > (LONG if run.reals[s.BESIDE] == 0.0 else SHORT)
    if not (long or beside) or run.address[c.S_SIGMA] == 0:
        return False
    n = max(int(min(turned / APART, MOST_POINTS)) + 1, POINTS if beside else 1)
    saved = vector(run, s.KEPT_STATE)
    row, found = at(run.record, (run.ints[s.RECORDS] - 1) * run.ints[s.WIDTH]), False
    copy(run.x, 0, run.ic[c.LEN_X], saved)
    s0 = s1 = s2 = s3 = s4 = t0 = t1 = t2 = t3 = 0.0
    for k in range(-1, n + 3):
        t4 = BESIDE_END if k == 0 else n - BESIDE_END if k == n else min(max(k, 0.0), n)
        if k < n + 2:
            state_at(run, row, t4 / n, run.x)
            run.y[0] = 0
            call(run, c.S_SIGMA)
            s4 = run.y[0]
        if k > 1 and s1 > s2 and s2 <= s3:
            slope = max(_slope(s0, s1, t1 - t0), _slope(s1, s2, t2 - t1),
                        _slope(s2, s3, t3 - t2), _slope(s3, s4, t4 - t3))  # fmt: skip
            found = found or s1 + s3 < EDGE * slope * (t3 - t1)
        s0, s1, s2, s3, t0, t1, t2, t3 = s1, s2, s3, s4, t1, t2, t3, t4
    copy(saved, 0, run.ic[c.LEN_X], run.x)
    if not found:
        run.reals[s.BESIDE] -= turned
    return found


@jit
def _slope(first: float, second: float, apart: float) -> float:
    """How steep sigma is between two points; 0 if they are one."""
    return abs(second - first) / apart if apart > 0.0 else 0.0


@jit
def _turned(run: Run, h: float) -> float:
    """By how much the mechanism has turned in the last step h, in radians."""
    turns, nu, rate = vector(run, s.TURNS), run.ic[c.NU], 0.0
    for i in range(nu):
        rate = max(rate, turns[i] * abs(run.x[1 + run.ic[c.NQ] + i]))
    turns[nu + 1] = h * max(rate, turns[nu])
    turns[nu] = rate
    return float(turns[nu + 1])


@jit
def shorter_step(run: Run, h: float) -> float:
    """In place of a step h that led to a pose or over it."""
    turned = vector(run, s.TURNS)[run.ic[c.NU] + 1]
    return float(h * min(0.4, LIKELY / max(turned, LIKELY)))


@jit
def measure(run: Run, qdot: Reals, h: float, choose: int) -> tuple[float, float]:
    """sigma at run.x and its slope along the motion, by a difference; the pivot that goes with it.

    ``choose`` KEEP: keep the rows that are independent best.
    """
    nq, ahead, y = run.ic[c.NQ], AHEAD * h, run.y
    y[0] = choose
    call(run, c.S_SIGMA)
    sigma, t = y[0], run.x[0]
    run.dc[c.PIVOT] = y[1]
    run.x[0] = t + ahead
    for i in range(nq):
        y[2 + i] = run.x[1 + i]
        run.x[1 + i] += ahead * qdot[i]
    y[0] = c.SAME
    call(run, c.S_SIGMA)
    run.x[0] = t
    for i in range(nq):
        run.x[1 + i] = y[2 + i]
    return sigma, (y[0] - sigma) / ahead


@jit
def near_pose(run: Run) -> bool:
    """For methods that leave the passage to DOP853: would their next step come too close?"""
    part, left = run.dc[c.PIVOT] / max(run.reals[s.BEST_PIVOT], 1e-300), run.reals[s.POSE_TIME]
    fixed = run.reals[s.FIXED_STEP] > 0.0
    soon = REACH * left < (run.reals[s.FIXED_STEP] if fixed else run.reals[s.H])
    near = part < HAND_OVER or (soon and (fixed or part < LOOK))
    return bool(left < np.inf and near and run.address[c.S_BRANCH] != 0)


@jit
def take_back(run: Run, start: Reals, t0: float) -> None:
    """Undo the step from ``start``, which has led to the very pose."""
    s.restore(run, start, t0)
    run.ints[s.RECORDS] -= 1
    run.ints[s.STEPS] -= 1
    run.ints[s.REJECTED_STEPS] += 1
