"""Steps of a block-sparse system in time: those that conserve energy (``conserving``), and
generalized-alpha on SE(3) with constraints at position level,

    (1 - am) a' + am a = (1 - af) u.' + af u.               (' at the end of the step)
    u' = u + h ((1 - gamma) a + gamma a')
    q' = q exp(psi),   psi = h u + h^2 ((1/2 - beta) a + beta a')
    r(q', u', u.') = 0,   g(q') = 0

The matrix is kept from step to step while the iteration converges well: in axes of the bodies it
does not change when they move as a whole.

Step control: the position error of one step of generalized-alpha, whose a is u' at t + (am - af) h,
is to leading order

    e = h^2 |beta - 1/6 + (am - af)/2| |a' - a|

A step is taken if e <= rtol^(3/2)/4 (size + atol/rtol) everywhere: with e of third order, steps
grow as rtol^(1/2), and the error of the motion as rtol. Sizes: that of the system for translations,
one radian for rotations, for real coordinates their own. With the step the time changes that a
belongs to: a <- u' + (h_new/h_old) (a - u'), or the order would be lost.
Sources: Chung, Hulbert 1993; Bruels, Cardona, Arnold 2012; Arnold, Bruels 2007 (a).
"""

from __future__ import annotations

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.assembly import add_elements, block_record, linearise
from pliant.backends.blocks.loops.conserving import (
    begin_conserving,
    evaluate_conserving,
    finish_conserving,
)
from pliant.backends.blocks.loops.factor import factor_blocks
from pliant.backends.blocks.loops.motion import move_blocks
from pliant.backends.blocks.loops.stepping import (
    Run,
    correct,
    hold_multipliers,
    keep_start,
    turns,
    vector,
)
from pliant.solve.machine.abi import Integers, Reals, at, entry, jit

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
def begin_alpha(run: Run) -> None:
    """Keep the start of the step; psi as if u. went on; header of the elements at its end."""
    reals, h = run.reals, run.reals[st.STEP]
    am, af, beta, gamma = reals[st.ALPHA_M], reals[st.ALPHA_F], reals[st.BETA], reals[st.GAMMA]
    keep_start(run)
    u, udot, a = vector(run, st.W_U), vector(run, st.W_UDOT), vector(run, st.W_A)
    u0, udot0, a0 = vector(run, st.W_U0), vector(run, st.W_UDOT0), vector(run, st.W_A0)
    psi = vector(run, st.W_PSI)
    for i in range(run.ic[sl.UNKNOWNS]):
        u0[i], udot0[i], a0[i] = u[i], udot[i], a[i]
        new = (udot[i] - am * a[i]) / (1.0 - am)
        psi[i] = h * u[i] + h * h * ((0.5 - beta) * a[i] + beta * new)
    hold_multipliers(run)
    ca = (1.0 - am) / ((1.0 - af) * beta * h * h)
    run.dc[sl.TIME], run.dc[sl.SCALE] = reals[st.TIME_NOW] + h, 1.0 / ca
    run.dc[sl.CA], run.dc[sl.CU], run.dc[sl.CQ] = ca, gamma / (beta * h), 1.0


@jit
def end_alpha(run: Run) -> None:
    """q, u, u. and a at the end of the step from psi."""
    reals, h = run.reals, run.reals[st.STEP]
    am, af, beta, gamma = reals[st.ALPHA_M], reals[st.ALPHA_F], reals[st.BETA], reals[st.GAMMA]
    u, udot, a = vector(run, st.W_U), vector(run, st.W_UDOT), vector(run, st.W_A)
    u0, udot0, a0 = vector(run, st.W_U0), vector(run, st.W_UDOT0), vector(run, st.W_A0)
    psi = vector(run, st.W_PSI)
    inverse, share = 1.0 / (beta * h * h), 1.0 / (1.0 - af)
    for i in range(run.ic[sl.UNKNOWNS]):
        new = (psi[i] - h * u0[i] - h * h * (0.5 - beta) * a0[i]) * inverse
        a[i] = new
        u[i] = u0[i] + h * ((1.0 - gamma) * a0[i] + gamma * new)
        udot[i] = ((1.0 - am) * new + am * a0[i] - af * udot0[i]) * share
    move_blocks(run.ic, vector(run, st.W_Q0), psi, vector(run, st.W_Q), vector(run, st.W_SMALL))


@jit
def evaluate_alpha(run: Run) -> None:
    """Residual at the present psi, with the tangent if the old one is of no use."""
    end_alpha(run)
    turns(run)
    q, u, udot = vector(run, st.W_Q), vector(run, st.W_U), vector(run, st.W_UDOT)
    r, T = vector(run, st.W_R), vector(run, st.W_TURNS)
    if run.ints[st.STALE] == 0:
        add_elements(run.ic, run.dc, q, u, udot, T, r, sl.K_RESIDUAL)
    else:
        linearise(run.ic, run.dc, q, u, udot, T, r, run.A)


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
def evaluate(run: Run) -> int:
    """Residual, and a new factor if the old one is of no use; 1 + k for a singular pivot k."""
    if run.ints[st.METHOD] == st.CONSERVING:
        evaluate_conserving(run)
    else:
        evaluate_alpha(run)
    run.ints[st.ITERATIONS] += 1
    if run.ints[st.STALE] == 0:
        return 0
    run.ints[st.STALE] = 0
    run.ints[st.FACTORISATIONS] += 1
    return factor_blocks(at(run.ic, run.ic[sl.PROGRAM]), run.A, run.pivots)


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
    if run.ints[st.METHOD] == st.CONSERVING:
        begin_conserving(run)
    else:
        begin_alpha(run)
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
    """Append (t, q, u, u') to the record."""
    n, moving = run.ic[sl.ALL], run.ints[st.W_U] - run.ints[st.W_Q] + run.ic[sl.ALL]
    row = at(record, (1 + moving + n) * run.ints[st.ROWS])
    row[0] = run.reals[st.TIME_NOW]
    q, udot = vector(run, st.W_Q), vector(run, st.W_UDOT)
    for i in range(moving):
        row[1 + i] = q[i]
    for i in range(n):
        row[1 + moving + i] = udot[i]
    run.ints[st.ROWS] += 1


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
    record: Reals, goal: float, most: int,
) -> int:  # fmt: skip
    """``most`` steps of given length, or steps of controlled length to a time (MORE after
    ``most``); a row of the record for each."""
    run, given = Run(ic, dc, ints, reals, w, A, pivots), reals[st.ALLOWED] == 0.0
    dc[sl.LOAD] = 1.0
    for _ in range(most):
        left = goal - reals[st.TIME_NOW]
        if left <= 0.0 and not given:
            return DONE
        code = step(run) if given else controlled_step(run, left)
        if code != DONE:
            ints[st.STALE] = 1
            return code
        if reals[st.STEP] == left and not given:
            reals[st.TIME_NOW] = goal
        note(run, record)
    return DONE if given or reals[st.TIME_NOW] >= goal else MORE
