"""What every compiled integrator shares: its arrays, their slots, and the steps all of them take.

``advance(address, ic, dc, x, y, record, capacity, width, ints, reals) -> code`` is the whole
interface: it takes accepted steps until the end time, until the records are full, or until
something happens, and leaves everything it needs in its arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pliant.solve.machine import context as c
from pliant.solve.machine.abi import Integers, Reals, at, call_service, jit

# Codes of advance.
DONE, FULL, STIFF, NEAR_SINGULAR, PASSED = 0, 1, 2, 3, 4
UNDERFLOW, TOO_MANY_STEPS, REJECTIONS, SINGULAR, LOCKUP, NOT_A_NUMBER, NO_CONVERGENCE, FORK = (
    -1, -2, -3, -4, -5, -6, -7, -8,
)  # fmt: skip
ACCEPTED = 100
"""A step was taken (never leaves ``advance``)."""

# ints: state, statistics, flags of the method, where arrays stand in reals
STARTED, RECORDS = 0, 1
STEPS, REJECTED_STEPS, NEWTON_ITERATIONS, RANK_CHANGES, MIN_RANK, MAX_RANK, CRAWLING = range(2, 9)
METHOD_FLAGS = 9
CAPACITY, WIDTH, ATOL = 14, 15, 16
METHOD_ARRAYS = 17
GUARD_BLOCK, SCRATCH = 46, 47
"""Where the numbers of guards, if there are any, and a packed x stand in reals."""
POSE, PASSING = 48, 49
"""Where the watch for singular positions keeps its numbers (``change_point``); whether one is
being passed: stages are brought onto the constraints then."""
TURNS, KEPT_STATE = 50, 51
"""Where turning per unit of each speed stands in reals, then that of the last step and its end;
room for a packed x."""
WAYPOINTS, NEXT_WAYPOINT = 52, 53
"""Where the times at which a step must end stand in reals, infinity after the last; which of them
is next."""
INTS_SIZE = 54
# reals: what the caller asks for, options of the method, remembered numbers, arrays
T_END, H_MAX, RTOL, FIXED_STEP, MAX_STEPS, WATCH, DENSE, FIRST_STEP = range(8)
METHOD_OPTIONS = 8
H, LARGEST_CORRECTION, H_CRAWL, FAR_PIVOT = 16, 17, 18, 19
"""FAR_PIVOT: return once the smallest pivot of the constraints has been far below this and is above
it again (0: never; negative: it has not yet been below)."""
METHOD_NUMBERS = 20
ONLY_PASSING, LAST_PIVOT, BEST_PIVOT, POSE_TIME, BESIDE = range(28, 33)
"""Whether to return when a singular position is passed; smallest pivot of the constraints at the
last accepted step, the best so far; the time left to a singular position ahead (infinite: none);
for how many more radians the one behind may hide another (0: there was none so far)."""
WORK = 33
"""Two numbers: energy given by the sources in this step, and energy dissipated."""
UNCUT, FRESH = 35, 36
"""The step before it was cut to end at a waypoint (0: it was not); whether no step was taken since
the last switch."""
REALS_HEADER = 37

ROUNDING = 1e-14
NEAR_PART = 0.3
"""Of FAR_PIVOT: pivots below it are near a singular pose."""
MAX_REJECTIONS = 60
LEFT_ALLOWED = 1e-9
"""Worst scaled constraint residual of an accepted step."""
CRAWL = 1e-9
"""200 steps in a row shorter than this part of the whole time would never end: underflow."""


class Run(NamedTuple):
    """Everything of one integration, as pointers."""

    address: Integers
    ic: Integers
    dc: Reals
    x: Reals
    y: Reals
    record: Reals
    ints: Integers
    reals: Reals


@jit
def run_of(
    address: Integers, ic: Integers, dc: Reals, x: Reals, y: Reals, record: Reals, capacity: int,
    width: int, ints: Integers, reals: Reals,
) -> Run:  # fmt: skip
    """The run; notes the shape of the records."""
    ints[CAPACITY], ints[WIDTH] = capacity, width
    return Run(address, ic, dc, x, y, record, ints, reals)


@jit
def vector(run: Run, slot: int) -> Any:
    """A work array of the method."""
    return at(run.reals, run.ints[slot])


@jit
def copy(source: Reals, start: int, count: int, target: Reals) -> None:
    """target[:count] <- source[start : start + count]."""
    for i in range(count):
        target[i] = source[start + i]


@jit
def call(run: Run, service: int) -> int:
    """Call a service of the model at the state run.x."""
    return int(call_service(run.address[service], run.ic, run.dc, run.x, run.y))


@jit
def note_power(run: Run, service: int, out: Reals) -> None:
    """out[:2] <- powers, if the model knows them: at the last state given to ``accelerate``
    (S_POWER), or at run.x with its a and lam (S_POWER_AT)."""
    if run.address[service] != 0:
        call(run, service)
    out[0], out[1] = run.dc[c.POWER], run.dc[c.POWER + 1]


@jit
def state_size(run: Run) -> int:
    """Length of [q | u | xs]."""
    return int(run.ic[c.NQ] + run.ic[c.NU] + run.ic[c.NX])


@jit
def restore(run: Run, start: Reals, t0: float) -> None:
    """run.x <- the state [q | u | xs] and the time at the start of the step."""
    run.x[0] = t0
    for i in range(state_size(run)):
        run.x[1 + i] = start[i]


@jit
def decide_rank(run: Run) -> int:
    """The rank decision of the step; 1 if the kept rows changed."""
    call(run, c.S_RANK)
    r, ints = run.ic[c.RANK], run.ints
    if ints[STARTED] == 0:
        ints[MIN_RANK] = ints[MAX_RANK] = r
    elif run.ic[c.CHANGED] == 1:
        ints[RANK_CHANGES] += 1
    ints[MIN_RANK] = min(ints[MIN_RANK], r)
    ints[MAX_RANK] = max(ints[MAX_RANK], r)
    return int(run.ic[c.CHANGED])


@jit
def project_step(run: Run, projector: int) -> bool:
    """Project q and u of run.x; with a fresh factor if the frozen one does not suffice.

    True if the constraints hold. Source: docs/theory
    """
    run.ic[c.PROJECTOR] = projector
    run.y[0], run.y[1] = c.PROJECT_BOTH, 12
    call(run, c.S_PROJECT)
    run.ic[c.PROJECTOR] = 0
    if run.ic[c.EXACT] == 0:
        return True
    correction = run.dc[c.CORRECTION]
    if not run.dc[c.LEFT] <= 0.1 * LEFT_ALLOWED:
        if call(run, c.S_ACCELERATE) != 0:
            return False
        run.y[0], run.y[1] = c.PROJECT_BOTH, 8
        call(run, c.S_PROJECT)
        correction = max(correction, run.dc[c.CORRECTION])
    run.reals[LARGEST_CORRECTION] = max(run.reals[LARGEST_CORRECTION], correction)
    return bool(run.dc[c.LEFT] <= LEFT_ALLOWED)


@jit
def correction_norm(run: Run, before: Reals, scale: Reals) -> float:
    """RMS of what the projection has changed, in units of the error scale."""
    n = state_size(run)
    total = 0.0
    for i in range(n):
        total += ((run.x[1 + i] - before[i]) / scale[i]) ** 2
    return float((total / max(n, 1)) ** 0.5)


@jit
def limited_step(run: Run, h: float, slack: float) -> float:
    """h within the largest step and the end time; ``slack`` avoids a tiny last step."""
    t, end = run.x[0], run.reals[T_END]
    h = min(h, run.reals[H_MAX])
    if t + slack * h >= end:
        return float(end - t)
    return float(h)


@jit
def finished(run: Run) -> int:
    """The code if the integrator must return now, else ACCEPTED."""
    t, end = run.x[0], run.reals[T_END]
    if t >= end - ROUNDING * max(abs(end), 1e-3):
        return DONE
    if run.ints[RECORDS] >= run.ints[CAPACITY] or _past_singular_pose(run):
        return FULL
    if run.ints[STEPS] >= run.reals[MAX_STEPS]:
        return TOO_MANY_STEPS
    return UNDERFLOW if run.ints[CRAWLING] >= 200 else ACCEPTED


@jit
def _past_singular_pose(run: Run) -> bool:
    """Watch the pivots fall and rise again."""
    far = run.reals[FAR_PIVOT]
    if far < 0.0 and run.dc[c.PIVOT] < -NEAR_PART * far:
        run.reals[FAR_PIVOT] = -far
    return bool(0.0 < far < run.dc[c.PIVOT] and run.ints[RECORDS] > 0)


@jit
def underflow(run: Run, h: float) -> bool:
    """The step no longer moves the time."""
    return not abs(h) > ROUNDING * max(1e-3, abs(run.x[0]))


@jit
def watch_crawling(run: Run, h: float) -> None:
    """Count consecutive steps too short to ever reach the end."""
    short = h < CRAWL * run.reals[H_CRAWL] and run.reals[FIXED_STEP] == 0.0
    run.ints[CRAWLING] = run.ints[CRAWLING] + 1 if short else 0
