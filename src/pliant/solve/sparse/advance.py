"""Steps of a block-sparse system in time.

The matrix is kept from step to step while the iteration converges well: in axes of the bodies it
does not change when they move as a whole.
"""

from __future__ import annotations

from pliant.solve.abi import Integers, Reals, at, entry, jit
from pliant.solve.sparse.alpha import begin_alpha, end_alpha, evaluate_alpha
from pliant.solve.sparse.conserving import begin_conserving, end_conserving, evaluate_conserving
from pliant.solve.sparse.factor import factor_blocks
from pliant.solve.sparse.step_layout import (
    CONSERVING,
    EVERY,
    FACTORISATIONS,
    INTS,
    ITERATIONS,
    METHOD,
    RATE,
    ROWS,
    STALE,
    STEP,
    STEPS,
    TIME_NOW,
    TOLERANCE,
    W_Q,
    WATCHED,
)
from pliant.solve.sparse.stepping import Run, correct
from pliant.solve.sparse.system_layout import LOAD, PROGRAM

MAX_ITERATIONS = 20
SLOW = 0.06
"""Rate of convergence above which the matrix is renewed."""
LEAST_RATE = 0.01
"""Rate that is counted upon at best."""
STAGNANT = 1e3
"""How far from the tolerance a correction may be when rounding lets it shrink no more."""
DONE, NO_CONVERGENCE, SINGULAR = 0, -1, 1
"""Codes of ``advance``; a singular pivot k gives SINGULAR + k."""


@jit
def begin(run: Run) -> None:
    """First guess of a step."""
    if run.ints[METHOD] == CONSERVING:
        begin_conserving(run)
    else:
        begin_alpha(run)


@jit
def evaluate(run: Run) -> int:
    """Residual, and a new factor if the old one is of no use; 1 + k for a singular pivot k."""
    if run.ints[METHOD] == CONSERVING:
        evaluate_conserving(run)
    else:
        evaluate_alpha(run)
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
        end_conserving(run)
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
    before, reals = 0.0, run.reals
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
        if k > 0 and rate > SLOW:
            run.ints[STALE] = 1
        before = size
    return NO_CONVERGENCE


@entry
def advance(
    ic: Integers, dc: Reals, ints: Integers, reals: Reals, w: Reals, A: Reals, pivots: Integers,
    record: Reals, steps: int,
) -> int:  # fmt: skip
    """Steps; every few of them the time and the watched coordinates are appended to the record."""
    run = Run(ic, dc, ints, reals, w, A, pivots)
    dc[LOAD] = 1.0
    width = 1 + ints[WATCHED]
    for _ in range(steps):
        code = step(run)
        if code != DONE:
            ints[STALE] = 1
            return code
        if ints[STEPS] % ints[EVERY] == 0:
            row = at(record, width * ints[ROWS])
            row[0] = reals[TIME_NOW]
            for i in range(ints[WATCHED]):
                row[1 + i] = w[ints[W_Q] + ints[INTS + i]]
            ints[ROWS] += 1
    return DONE
