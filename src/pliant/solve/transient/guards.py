"""Steps end where a condition of the model changes, or where a corner is known beforehand.

Within a step the modes of all conditions are held, so that the method sees a smooth right-hand
side. Times known beforehand limit a step (``waypoints``). After it, crossings of guards are looked
for (``crossings``); if there is one, the step is taken again to end there (a shorter step of the
same smooth equations), and the next one begins with the new branch (``switching``).
"""

from __future__ import annotations

from pliant.solve.abi import jit
from pliant.solve.context import N_GUARDS, S_ACCELERATE
from pliant.solve.transient import guard_block as g
from pliant.solve.transient import state as s
from pliant.solve.transient.crossings import corrected, first_crossing
from pliant.solve.transient.guard_block import evaluate_guards, modes_of, row, widths_of
from pliant.solve.transient.state import Run, call, copy, limited_step, vector
from pliant.solve.transient.waypoints import begin_waypoints, tiny, to_waypoint

KEPT, RETAKE, RESTART = 0, 101, 102
"""The step stands; it is taken again, shorter; the same from its start with other modes."""


@jit
def begin_guards(run: Run) -> None:
    """Modes from the state; guards that were released stay so while they are near zero."""
    n = run.ic[N_GUARDS]
    begin_waypoints(run)
    run.reals[s.FRESH] = 0.0
    if n == 0:
        return
    modes, widths = modes_of(run), widths_of(run)
    for i in range(n):
        modes[i] = 0.0
    call(run, S_ACCELERATE)
    evaluate_guards(run, run.x)
    for i in range(n):
        modes[i] = g.SLIDING if abs(run.y[i]) < widths[i] else run.y[5 * n + i]


@jit
def fresh_branch(run: Run) -> bool:
    """Whether this is the first step after a switch, whose length is a guess."""
    return bool(run.reals[s.FRESH] == 1.0)


@jit
def wanted_step(run: Run, most: float, slack: float) -> float:
    """The step to try: up to a crossing or waypoint if there is one, at most ``most``."""
    h = run.reals[s.H]
    if run.ic[N_GUARDS] > 0 and vector(run, s.GUARD_BLOCK)[g.CUT] == h:
        return float(h)
    return to_waypoint(run, limited_step(run, min(h, most), slack))


@jit
def look_at_guards(run: Run, t0: float, h: float) -> int:
    """What becomes of the step in the last record: KEPT, or RETAKE or RESTART without it."""
    n = run.ic[N_GUARDS]
    if n == 0:
        return KEPT
    block, due = vector(run, s.GUARD_BLOCK), row(run, g.DUE)
    copy(row(run, g.REACH), 0, n, row(run, g.REACHED))
    if block[g.CUT] == h:
        if corrected(run, h):
            _drop(run)
            return RETAKE
    else:
        block[g.CUT], block[g.CORRECTIONS], block[g.NATURAL] = 0.0, 0.0, max(h, run.reals[s.UNCUT])
        for i in range(n):
            due[i] = 0.0
    theta = first_crossing(run, h)
    if theta > 1.0:
        return KEPT
    if theta * h <= tiny(t0):
        _drop(run)
        return RESTART
    block[g.CUT] = theta * h
    if (1.0 - theta) * h <= tiny(t0):
        block[g.CUT] = h
        return KEPT
    run.reals[s.H] = block[g.CUT]
    _drop(run)
    return RETAKE


@jit
def _drop(run: Run) -> None:
    """Forget the last record."""
    copy(row(run, g.REACHED), 0, run.ic[N_GUARDS], row(run, g.REACH))
    run.ints[s.RECORDS] -= 1
    run.ints[s.STEPS] -= 1
