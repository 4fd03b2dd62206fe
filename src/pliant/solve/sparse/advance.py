"""Steps of a block-sparse system in time.

The matrix is kept from step to step while the iteration converges well: in axes of the bodies it
does not change when they move as a whole.
"""

from __future__ import annotations

from pliant.solve.abi import Integers, Reals, at, entry, jit
from pliant.solve.sparse.alpha import begin_alpha, end_alpha, evaluate_alpha
from pliant.solve.sparse.conserving import (
    begin_conserving,
    evaluate_conserving,
    finish_conserving,
)
from pliant.solve.sparse.control import (
    QUARTER,
    choose,
    fitted,
    go_back,
    local_error,
    take_step_size,
)
from pliant.solve.sparse.factor import factor_blocks
from pliant.solve.sparse.step_layout import (
    CONSERVING,
    EVERY,
    FACTORISATIONS,
    INTS,
    ITERATIONS,
    METHOD,
    NEXT_STEP,
    RATE,
    ROWS,
    SHORTEST,
    STALE,
    STEP,
    STEPS,
    TIME_NOW,
    TOLERANCE,
    W_Q,
    W_R,
    WATCHED,
)
from pliant.solve.sparse.stepping import Run, correct, scale_rows, vector
from pliant.solve.sparse.system_layout import LOAD, PROGRAM, SCALE

MAX_ITERATIONS = 20
SLOW, STUCK = 0.12, 0.5
"""Rates of convergence above which the matrix is renewed, and renewed again within a step."""
LEAST_RATE = 0.01
"""Rate that is counted upon at best."""
STAGNANT = 1e3
"""How far from the tolerance a correction may be when rounding lets it shrink no more."""
DONE, NO_CONVERGENCE, TOO_SHORT, MORE, SINGULAR = 0, -1, -2, -3, 1
"""Codes; MORE: called for no more steps; a singular pivot k gives SINGULAR + k."""


@jit
def begin(run: Run) -> None:
    """First guess of a step."""
    if run.ints[METHOD] == CONSERVING:
        begin_conserving(run)
    else:
        begin_alpha(run)


@jit
def assemble(run: Run) -> None:
    """Residual at the present psi, with the tangent if the old one is of no use."""
    if run.ints[METHOD] == CONSERVING:
        evaluate_conserving(run)
    else:
        evaluate_alpha(run)


@jit
def evaluate(run: Run) -> int:
    """Residual, and a new factor if the old one is of no use; 1 + k for a singular pivot k."""
    assemble(run)
    run.ints[ITERATIONS] += 1
    if run.ints[STALE] == 0:
        return 0
    run.ints[STALE] = 0
    run.ints[FACTORISATIONS] += 1
    return factor_blocks(at(run.ic, run.ic[PROGRAM]), run.A, run.pivots)


@jit
def end(run: Run) -> None:
    """State at the end of the step from the last psi."""
    if run.ints[METHOD] == CONSERVING:
        finish_conserving(run)
    else:
        end_alpha(run)
    run.reals[TIME_NOW] += run.reals[STEP]
    run.ints[STEPS] += 1


@jit
def step(run: Run) -> int:
    """One step; 0 if Newton's method converged.

    The error left after a correction of size d is at most d rate / (1 - rate).
    """
    begin(run)
    before, reals, made = 0.0, run.reals, run.ints[FACTORISATIONS]
    for k in range(MAX_ITERATIONS):
        code = evaluate(run)
        if code != 0:
            return SINGULAR + code - 1
        size = correct(run)
        if not size < 1e300:
            return NO_CONVERGENCE
        if k > 0:
            reals[RATE] = size / before if before > 0.0 else 0.0
        rate = max(reals[RATE], LEAST_RATE)
        good = rate < 1.0 and size * rate / (1.0 - rate) < reals[TOLERANCE]
        stagnant = k > 2 and rate > 0.5 and size < STAGNANT * reals[TOLERANCE]
        if size == 0.0 or good or stagnant:
            end(run)
            return DONE
        fresh = run.ints[FACTORISATIONS] > made
        if k > 0 and rate > (STUCK if fresh else SLOW):
            run.ints[STALE] = 1
        before = size
    return NO_CONVERGENCE


@jit
def note(run: Run, record: Reals) -> None:
    """Append the time and the watched coordinates to the record."""
    ints, w = run.ints, run.w
    row = at(record, (1 + ints[WATCHED]) * ints[ROWS])
    row[0] = run.reals[TIME_NOW]
    for i in range(ints[WATCHED]):
        row[1 + i] = w[ints[W_Q] + ints[INTS + i]]
    ints[ROWS] += 1


@jit
def controlled_step(run: Run, left: float) -> int:
    """A step no longer than what is left, repeated until its error is small enough."""
    reals, ints = run.reals, run.ints
    while True:
        h = fitted(run, left)
        if h < reals[SHORTEST]:
            return TOO_SHORT
        take_step_size(run, h)
        start = reals[TIME_NOW]
        code = step(run)
        if code != DONE:
            ints[STALE] = 1
            reals[TIME_NOW] = start
            go_back(run)
            reals[NEXT_STEP] = QUARTER * h
            continue
        error = local_error(run)
        if error > 1.0:
            ints[STEPS] -= 1
            reals[TIME_NOW] = start
            go_back(run)
            reals[NEXT_STEP] = choose(run, error)
            continue
        longer = choose(run, error)
        reals[NEXT_STEP] = longer if h >= reals[NEXT_STEP] else max(longer, reals[NEXT_STEP])
        return DONE


@entry
def advance(
    ic: Integers, dc: Reals, ints: Integers, reals: Reals, w: Reals, A: Reals, pivots: Integers,
    record: Reals, steps: int,
) -> int:  # fmt: skip
    """Steps of equal length; every few of them a row of the record."""
    run = Run(ic, dc, ints, reals, w, A, pivots)
    dc[LOAD] = 1.0
    for _ in range(steps):
        code = step(run)
        if code != DONE:
            ints[STALE] = 1
            return code
        if ints[STEPS] % ints[EVERY] == 0:
            note(run, record)
    return DONE


@entry
def advance_to(
    ic: Integers, dc: Reals, ints: Integers, reals: Reals, w: Reals, A: Reals, pivots: Integers,
    record: Reals, times: Reals, samples: int, most: int,
) -> int:  # fmt: skip
    """Steps of controlled length that end at the given times, a row of the record at each; MORE
    after ``most`` steps."""
    run = Run(ic, dc, ints, reals, w, A, pivots)
    dc[LOAD] = 1.0
    for _ in range(most):
        while ints[ROWS] < samples and times[ints[ROWS]] <= reals[TIME_NOW]:
            note(run, record)
        if ints[ROWS] >= samples:
            return DONE
        goal = times[ints[ROWS]]
        left = goal - reals[TIME_NOW]
        code = controlled_step(run, left)
        if code != DONE:
            return code
        if reals[STEP] == left:
            reals[TIME_NOW] = goal
    return MORE


@entry
def newton_system(
    ic: Integers, dc: Reals, ints: Integers, reals: Reals, w: Reals, A: Reals, pivots: Integers
) -> int:
    """The matrix of the first iteration of the next step in A, its right side in r."""
    run = Run(ic, dc, ints, reals, w, A, pivots)
    dc[LOAD] = 1.0
    begin(run)
    ints[STALE] = 1
    assemble(run)
    scale_rows(ic, vector(run, W_R), -dc[SCALE])
    return DONE
