"""Steps of a block-sparse system in time.

The matrix is kept from step to step while the iteration converges well: in axes of the bodies it
does not change when they move as a whole.

Step control: the position error of one step of generalized-alpha, whose a is u' at t + (am - af) h,
is to leading order

    e = h^2 |beta - 1/6 + (am - af)/2| |a' - a|

A step is taken if e <= rtol^(3/2)/4 (size + atol/rtol) everywhere: with e of third order, steps
grow as rtol^(1/2), and the error of the motion as rtol. Sizes: that of the system for translations,
one radian for rotations, for real coordinates their own. With the step the time changes that a
belongs to: a <- u' + (h_new/h_old) (a - u'), or the order would be lost.
Sources: Chung, Hulbert 1993; Arnold, Bruels 2007 (a).
"""

from __future__ import annotations

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.alpha import begin_alpha, end_alpha, evaluate_alpha
from pliant.backends.blocks.loops.assembly import block_record
from pliant.backends.blocks.loops.conserving import (
    begin_conserving,
    evaluate_conserving,
    finish_conserving,
)
from pliant.backends.blocks.loops.factor import factor_blocks
from pliant.backends.blocks.loops.stepping import Run, correct, scale_rows, vector
from pliant.backends.blocks.loops.system_layout import LOAD, PROGRAM, SCALE
from pliant.solve.abi import Integers, Reals, at, entry, jit

_SAFETY, _LEAST, _MOST = 0.85, 0.2, 2.0
"""Aim below the limit; how much a step may change at a time."""
_SHRINK, _WORTH = 0.9, 1.25
"""Changes between them are not worth a new matrix."""
_QUARTER = 0.25
"""Of a step whose iteration failed."""
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
def _local_error(run: Run) -> float:
    """Largest error over what is allowed."""
    ic, reals, h = run.ic, run.reals, run.reals[st.STEP]
    after, before = vector(run, st.W_A), vector(run, st.W_A0)
    scale, q, q0, largest = vector(run, st.W_ERRORS), vector(run, st.W_Q), vector(run, st.W_Q0), 0.0
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        place, poses = block[sl.B_D], 6 * block[sl.B_POSE]
        if place >= ic[sl.UNKNOWNS] or block[sl.B_ALGEBRAIC] == 1:
            continue
        for i in range(place, place + poses):
            error = abs(after[i] - before[i]) / scale[i]
            if not error <= largest:
                largest = error
        start = block[sl.B_Q] + 7 * block[sl.B_POSE]
        for k in range(block[sl.B_REALS]):
            i = place + poses + k
            size = max(abs(q[start + k]), abs(q0[start + k])) + scale[i]
            error = abs(after[i] - before[i]) / size
            if not error <= largest:
                largest = error
    found: float = reals[st.ERROR_FACTOR] * h * h * largest / reals[st.ALLOWED]
    return found


@jit
def _take_step_size(run: Run, h: float) -> None:
    """Set the step; a moves to the time it then belongs to."""
    reals = run.reals
    if h == reals[st.STEP]:
        return
    run.ints[st.STALE] = 1
    a, udot, ratio = vector(run, st.W_A), vector(run, st.W_UDOT), h / reals[st.STEP]
    for i in range(run.ic[sl.UNKNOWNS]):
        a[i] = udot[i] + ratio * (a[i] - udot[i])
    reals[st.STEP] = h


@jit
def _choose(run: Run, error: float) -> float:
    """The next step after one with this error."""
    wanted = _MOST if error <= 0.0 else _SAFETY * error ** (-1.0 / 3.0)
    factor = min(_MOST, max(_LEAST, wanted))
    if error <= 1.0 and _SHRINK <= factor < _WORTH:
        factor = 1.0
    longer: float = factor * run.reals[st.STEP]
    return longer


@jit
def _go_back(run: Run) -> None:
    """The state at the start of the step that failed."""
    run.ints[st.REJECTED] += 1
    q, q0 = vector(run, st.W_Q), vector(run, st.W_Q0)
    for i in range(run.ints[st.W_U] - run.ints[st.W_Q]):
        q[i] = q0[i]
    u, u0, a, a0 = (
        vector(run, st.W_U),
        vector(run, st.W_U0),
        vector(run, st.W_A),
        vector(run, st.W_A0),
    )
    udot, udot0 = vector(run, st.W_UDOT), vector(run, st.W_UDOT0)
    for i in range(run.ic[sl.ALL]):
        u[i], udot[i], a[i] = u0[i], udot0[i], a0[i]


@jit
def _fitted(run: Run, left: float) -> float:
    """The next step, shortened so that whole steps end where a sample is wanted."""
    h: float = run.reals[st.NEXT_STEP]
    if left <= 1.0001 * h:
        return left
    if left < 2.0 * h:
        return 0.5 * left
    return h


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
        h = _fitted(run, left)
        if h < reals[st.SHORTEST]:
            return TOO_SHORT
        _take_step_size(run, h)
        start = reals[st.TIME_NOW]
        code = step(run)
        if code != DONE:
            ints[st.STALE] = 1
            reals[st.TIME_NOW] = start
            _go_back(run)
            reals[st.NEXT_STEP] = _QUARTER * h
            continue
        error = _local_error(run)
        if error > 1.0:
            ints[st.STEPS] -= 1
            reals[st.TIME_NOW] = start
            _go_back(run)
            reals[st.NEXT_STEP] = _choose(run, error)
            continue
        longer = _choose(run, error)
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
