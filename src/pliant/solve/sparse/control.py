"""Step control: local error of a step, rejection, the next step.

The position error of one step of generalized-alpha, whose a is u' at t + (am - af) h, is to leading
order

    e = h^2 |beta - 1/6 + (am - af)/2| |a' - a|

A step is taken if e <= rtol^(3/2)/4 (size + atol/rtol) everywhere: with e of third order, steps
grow as rtol^(1/2), and the error of the motion as rtol. Sizes: that of the system for translations,
one radian for rotations, for real coordinates their own. With the step the time changes that a
belongs to: a <- u' + (h_new/h_old) (a - u'), or the order would be lost.
Sources: Chung, Hulbert 1993; Arnold, Bruels 2007 (a).
"""

from __future__ import annotations

from pliant.solve.abi import jit
from pliant.solve.sparse import step_layout as st
from pliant.solve.sparse import system_layout as sl
from pliant.solve.sparse.assembly import block_record
from pliant.solve.sparse.stepping import Run, vector

SAFETY, LEAST, MOST = 0.85, 0.2, 2.0
"""Aim below the limit; how much a step may change at a time."""
SHRINK, WORTH = 0.9, 1.25
"""Changes between them are not worth a new matrix."""
QUARTER = 0.25
"""Of a step whose iteration failed."""


@jit
def local_error(run: Run) -> float:
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
def take_step_size(run: Run, h: float) -> None:
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
def choose(run: Run, error: float) -> float:
    """The next step after one with this error."""
    wanted = MOST if error <= 0.0 else SAFETY * error ** (-1.0 / 3.0)
    factor = min(MOST, max(LEAST, wanted))
    if error <= 1.0 and SHRINK <= factor < WORTH:
        factor = 1.0
    longer: float = factor * run.reals[st.STEP]
    return longer


@jit
def go_back(run: Run) -> None:
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
def fitted(run: Run, left: float) -> float:
    """The next step, shortened so that whole steps end where a sample is wanted."""
    h: float = run.reals[st.NEXT_STEP]
    if left <= 1.0001 * h:
        return left
    if left < 2.0 * h:
        return 0.5 * left
    return h
