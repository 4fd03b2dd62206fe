"""What every compiled integrator shares: its arrays, their slots, and the steps all of them take.

``advance(*run) -> code`` is the whole interface: it takes accepted steps until the end time, until the
records are full, or until something happens, and leaves everything it needs in its arrays.
"""

from __future__ import annotations

from typing import NamedTuple

from pliant.solve.abi import Integers, Reals, call_service, jit
from pliant.solve.context import (
    CHANGED,
    CORRECTION,
    EXACT,
    LEFT,
    NQ,
    NU,
    NX,
    PIVOT,
    PROJECT_BOTH,
    PROJECTOR,
    RANK,
    S_ACCELERATE,
    S_PROJECT,
    S_RANK,
)  # fmt: skip

# Codes of advance.
DONE, FULL, JUMPED, STIFF, NEAR_SINGULAR = 0, 1, 2, 3, 4
UNDERFLOW, TOO_MANY_STEPS, REJECTIONS, SINGULAR, LOCKUP, NOT_A_NUMBER, NO_CONVERGENCE = (
    -1, -2, -3, -4, -5, -6, -7,
)  # fmt: skip
ACCEPTED, REJECTED = 100, 101

# control
T_END, H_MAX, RTOL, FIXED_STEP, MAX_STEPS, WATCH, DENSE, FIRST_STEP = range(8)
METHOD_OPTIONS = 8
CONTROL_SIZE = 16
# flags (from METHOD_FLAGS on: private to the method)
STARTED, RECORDS = 0, 1
METHOD_FLAGS = 2
FLAGS_SIZE = 24
# stats
STEPS, REJECTED_STEPS, NEWTON_ITERATIONS, RANK_CHANGES, MIN_RANK, MAX_RANK = range(6)
STATS_SIZE = 8
# work (scalars from 2, arrays from METHOD_WORK: private to the method)
H, LARGEST_CORRECTION = 0, 1
METHOD_WORK = 16

ROUNDING = 1e-14
MAX_REJECTIONS = 60
LEFT_ALLOWED = 1e-9
"""Worst scaled constraint residual of an accepted step."""


class Run(NamedTuple):
    """Everything of one integration; all arrays contiguous."""

    address: Integers
    ic: Integers
    dc: Reals
    flags: Integers
    work: Reals
    control: Reals
    atol: Reals
    x: Reals
    y: Reals
    record: Reals
    stats: Integers


@jit
def call(run: Run, service: int) -> int:
    """Call a service of the model at the state run.x."""
    return call_service(run.address[service], run.ic, run.dc, run.x, run.y)


@jit
def state_size(run: Run) -> int:
    """Length of [q | u | xs]."""
    return run.ic[NQ] + run.ic[NU] + run.ic[NX]


@jit
def decide_rank(run: Run) -> int:
    """The rank decision of the step; 1 if the kept rows changed."""
    call(run, S_RANK)
    r = run.ic[RANK]
    if run.flags[STARTED] == 0:
        run.stats[MIN_RANK] = run.stats[MAX_RANK] = r
    elif run.ic[CHANGED] == 1:
        run.stats[RANK_CHANGES] += 1
    run.stats[MIN_RANK] = min(run.stats[MIN_RANK], r)
    run.stats[MAX_RANK] = max(run.stats[MAX_RANK], r)
    return run.ic[CHANGED]


@jit
def project_step(run: Run, projector: int) -> bool:
    """Project q and u of run.x; with a fresh factor if the frozen one does not suffice.

    True if the constraints hold. Source: design/dae-solver.md 3.5.
    """
    run.ic[PROJECTOR] = projector
    run.y[0], run.y[1] = PROJECT_BOTH, 12
    call(run, S_PROJECT)
    run.ic[PROJECTOR] = 0
    if run.ic[EXACT] == 0:
        return True
    correction = run.dc[CORRECTION]
    if not run.dc[LEFT] <= 0.1 * LEFT_ALLOWED:
        if call(run, S_ACCELERATE) != 0:
            return False
        run.y[0], run.y[1] = PROJECT_BOTH, 8
        call(run, S_PROJECT)
        correction = max(correction, run.dc[CORRECTION])
    run.work[LARGEST_CORRECTION] = max(run.work[LARGEST_CORRECTION], correction)
    return run.dc[LEFT] <= LEFT_ALLOWED


@jit
def correction_norm(run: Run, before: Reals, scale: Reals) -> float:
    """RMS of what the projection has changed, in units of the error scale."""
    n = state_size(run)
    total = 0.0
    for i in range(n):
        total += ((run.x[1 + i] - before[i]) / scale[i]) ** 2
    return float((total / n) ** 0.5)


@jit
def limited_step(run: Run, h: float, slack: float) -> float:
    """h within the largest step, ending exactly at the end time; ``slack`` avoids a tiny last step."""
    t, end = run.x[0], run.control[T_END]
    h = min(h, run.control[H_MAX])
    if t + slack * h >= end:
        return float(end - t)
    return float(h)


@jit
def finished(run: Run) -> int:
    """DONE, FULL or TOO_MANY_STEPS if the integrator must return now, else ACCEPTED."""
    t, end = run.x[0], run.control[T_END]
    if t >= end - ROUNDING * max(abs(end), 1e-3):
        return DONE
    if run.flags[RECORDS] >= run.record.shape[0]:
        return FULL
    if run.stats[STEPS] >= run.control[MAX_STEPS]:
        return TOO_MANY_STEPS
    return ACCEPTED


@jit
def underflow(run: Run, h: float) -> bool:
    """The step no longer moves the time."""
    return not abs(h) > ROUNDING * max(1e-3, abs(run.x[0]))


@jit
def weak_pivot(run: Run) -> float:
    """Smallest relative pivot of the last rank decision."""
    return float(run.dc[PIVOT])
