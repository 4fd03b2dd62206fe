"""Steps of a block-sparse system in time.

The matrix is kept from step to step while the iteration converges well: in axes of the bodies it
does not change when they move as a whole.
"""

from __future__ import annotations

from pliant.solve.abi import Integers, Reals, at, entry, jit
from pliant.solve.sparse import step_layout as st
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
    if run.ints[st.METHOD] == st.CONSERVING:
        begin_conserving(run)
    else:
        begin_alpha(run)


@jit
def assemble(run: Run) -> None:
    """Residual at the present psi, with the tangent if the old one is of no use."""
    if run.ints[st.METHOD] == st.CONSERVING:
        evaluate_conserving(run)
    else:
        evaluate_alpha(run)


@jit
def evaluate(run: Run) -> int:
    """Residual, and a new factor if the old one is of no use; 1 + k for a singular pivot k."""
    assemble(run)
    run.ints[st.ITERATIONS] += 1
    if run.ints[st.STALE] == 0:
        return 0
    run.ints[st.STALE] = 0
    run.ints[st.FACTORISATIONS] += 1
    return factor_blocks(at(run.ic, run.ic[PROGRAM]), run.A, run.pivots)


@jit
def end(run: Run) -> None:
    """State at the end of the step from the last psi."""
    if run.ints[st.METHOD] == st.CONSERVING:
        finish_conserving(run)
    else:
        end_alpha(run)
    run.reals[st.TIME_NOW] += run.reals[st.STEP]
    run.ints[st.STEPS] += 1


@jit
def step(run: Run) -> int:
    """One step; 0 if Newton's method converged.

    The error left after a correction of size d is at most d rate / (1 - rate).
    """
    begin(run)
    before, reals, made = 0.0, run.reals, run.ints[st.FACTORISATIONS]
    for k in range(MAX_ITERATIONS):
        code = evaluate(run)
        if code != 0:
            return SINGULAR + code - 1
        size = correct(run)
        if not size < 1e300:
            return NO_CONVERGENCE
        if k > 0:
            reals[st.RATE] = size / before if before > 0.0 else 0.0
        rate = max(reals[st.RATE], LEAST_RATE)
        good = rate < 1.0 and size * rate / (1.0 - rate) < reals[st.TOLERANCE]
        stagnant = k > 2 and rate > 0.5 and size < STAGNANT * reals[st.TOLERANCE]
        if size == 0.0 or good or stagnant:
            end(run)
            return DONE
        fresh = run.ints[st.FACTORISATIONS] > made
        if k > 0 and rate > (STUCK if fresh else SLOW):
            run.ints[st.STALE] = 1
        before = size
    return NO_CONVERGENCE


@jit
def note(run: Run, record: Reals) -> None:
    """Append the time and the watched coordinates to the record."""
    ints, w = run.ints, run.w
    row = at(record, (1 + ints[st.WATCHED]) * ints[st.ROWS])
    row[0] = run.reals[st.TIME_NOW]
    for i in range(ints[st.WATCHED]):
        row[1 + i] = w[ints[st.W_Q] + ints[st.INTS + i]]
    ints[st.ROWS] += 1


@jit
def controlled_step(run: Run, left: float) -> int:
    """A step no longer than what is left, repeated until its error is small enough."""
    reals, ints = run.reals, run.ints
    while True:
        h = fitted(run, left)
        if h < reals[st.SHORTEST]:
            return TOO_SHORT
        take_step_size(run, h)
        start = reals[st.TIME_NOW]
        code = step(run)
        if code != DONE:
            ints[st.STALE] = 1
            reals[st.TIME_NOW] = start
            go_back(run)
            reals[st.NEXT_STEP] = QUARTER * h
            continue
        error = local_error(run)
        if error > 1.0:
            ints[st.STEPS] -= 1
            reals[st.TIME_NOW] = start
            go_back(run)
            reals[st.NEXT_STEP] = choose(run, error)
            continue
        longer = choose(run, error)
        reals[st.NEXT_STEP] = (
            longer if h >= reals[st.NEXT_STEP] else max(longer, reals[st.NEXT_STEP])
        )
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
            ints[st.STALE] = 1
            return code
        if ints[st.STEPS] % ints[st.EVERY] == 0:
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
        while ints[st.ROWS] < samples and times[ints[st.ROWS]] <= reals[st.TIME_NOW]:
            note(run, record)
        if ints[st.ROWS] >= samples:
            return DONE
        goal = times[ints[st.ROWS]]
        left = goal - reals[st.TIME_NOW]
        code = controlled_step(run, left)
        if code != DONE:
            return code
        if reals[st.STEP] == left:
            reals[st.TIME_NOW] = goal
    return MORE


@entry
def trace_to(
    ic: Integers, dc: Reals, ints: Integers, reals: Reals, w: Reals, A: Reals, pivots: Integers,
    record: Reals, goal: float, most: int,
) -> int:  # fmt: skip
    """Steps of controlled length to a time, a row of the record for each; MORE after ``most``."""
    run = Run(ic, dc, ints, reals, w, A, pivots)
    dc[LOAD] = 1.0
    for _ in range(most):
        left = goal - reals[st.TIME_NOW]
        if left <= 0.0:
            return DONE
        code = controlled_step(run, left)
        if code != DONE:
            return code
        if reals[st.STEP] == left:
            reals[st.TIME_NOW] = goal
        note(run, record)
    return DONE if reals[st.TIME_NOW] >= goal else MORE


@entry
def newton_system(
    ic: Integers, dc: Reals, ints: Integers, reals: Reals, w: Reals, A: Reals, pivots: Integers
) -> int:
    """The matrix of the first iteration of the next step in A, its right side in r."""
    run = Run(ic, dc, ints, reals, w, A, pivots)
    dc[LOAD] = 1.0
    begin(run)
    ints[st.STALE] = 1
    assemble(run)
    scale_rows(ic, vector(run, st.W_R), -dc[SCALE])
    return DONE
