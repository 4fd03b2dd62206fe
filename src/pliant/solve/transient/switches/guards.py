"""Steps end where a condition of the model changes, or where a corner is known beforehand.

Within a step the modes of all conditions are held, so that the method sees a smooth right-hand
side. Times known beforehand limit a step (``waypoints``). After it, crossings of guards are looked
for; if there is one, the step is taken again to end there (a shorter step of the
same smooth equations), and the next one begins with the new branch (``switching``).

Guards are looked at in a few places of the interpolant, with their rates: a margin that is zero or
below, or a minimum between two places that may be, is a crossing. It is located by Newton's rule in
a bracket. Sines and cosines of the state may run through many turns in one step: places are then so
close that none of their arguments turns by much more than a radian in between. Source: Hairer,
Norsett, Wanner I, II.6 (event location).
"""

from __future__ import annotations

from pliant.solve.machine.abi import at, jit
from pliant.solve.machine.context import N_GUARDS, NQ, NU, NX, S_ACCELERATE
from pliant.solve.transient import state as s
from pliant.solve.transient.dense_output import state_at
from pliant.solve.transient.state import (
    GUARD_BLOCK,
    RECORDS,
    WIDTH,
    H,
    Run,
    call,
    copy,
    limited_step,
    vector,
)
from pliant.solve.transient.switches import block as g
from pliant.solve.transient.switches.block import (
    evaluate_guards,
    guard_state,
    modes_of,
    row,
    widths_of,
)
from pliant.solve.transient.waypoints import begin_waypoints, tiny, to_waypoint

_WIDEST, _NARROWEST = 0.25, 1e-9
"""Of the step: from one place to the next."""
_RADIAN = 1.0
_NONE = 2.0
_CLOSE = 1e-9
"""Of the step: crossings closer together than that happen at once."""
_EXACT = 1e-7
"""Of the step: a cut that misses its crossing by more is corrected."""
_DIFFERENCE = 1e-5
"""Of the step: over which accelerations are differences of speeds."""
KEPT, RETAKE, RESTART = 0, 101, 102
"""The step stands; it is taken again, shorter; the same from its start with other modes."""


@jit
def _first_crossing(run: Run, h: float) -> float:
    """theta of the first crossing in the last record; beyond 1 if there is none. Guards that cross
    there are due."""
    n, a = run.ic[N_GUARDS], 0.0
    modes, due = modes_of(run), row(run, g.DUE)
    v0, r0, v1, r1 = row(run, g.V0), row(run, g.R0), row(run, g.V1), row(run, g.R1)
    pace = _look(run, 0.0, g.V0, g.R0)
    while a < 1.0:
        b, best, first = _look_ahead(run, h, a, pace), _NONE, -1
        pace = run.y[6 * n]
        for i in range(n):
            if modes[i] == 0.0 or due[i] == 1.0:
                continue
            theta = _crossing(run, i, h, a, v0[i], r0[i], b, v1[i], r1[i])
            if theta < best:
                best, first = theta, i
            if theta <= 1.0:
                _look(run, b, g.V1, g.R1)
        if first >= 0:
            _mark_due(run, h, best, first)
            return best
        copy(v1, 0, n, v0)
        copy(r1, 0, n, r0)
        a = b
    return _NONE


@jit
def _look_ahead(run: Run, h: float, a: float, pace: float) -> float:
    """The next place after a: no phase of a guard turns by much more than a radian on the way.
    Margins there stand in V1, R1."""
    ahead = min(_WIDEST, _RADIAN / max(pace * h, _RADIAN))
    while True:
        b = a + ahead if a + ahead < 1.0 else 1.0
        found = _look(run, b, g.V1, g.R1)
        if not found * h * (b - a) > 2.0 * _RADIAN or ahead < _NARROWEST:
            return float(b)
        ahead *= 0.5


@jit
def _mark_due(run: Run, h: float, theta: float, first: int) -> None:
    """The guard ``first`` and all that cross with it."""
    modes, due = modes_of(run), row(run, g.DUE)
    _look(run, theta, g.V1, g.R1)
    v, r = row(run, g.V1), row(run, g.R1)
    vector(run, GUARD_BLOCK)[g.FIRST] = first
    for i in range(run.ic[N_GUARDS]):
        together = v[i] <= 0.0 or (r[i] < 0.0 and v[i] <= -r[i] * _CLOSE * h)
        due[i] = 1.0 if i == first or (modes[i] != 0.0 and together) else 0.0


@jit
def _crossing(
    run: Run, i: int, h: float, a: float, va: float, ra: float, b: float, vb: float, rb: float
) -> float:
    """theta at which the margin of guard i first comes to zero between a and b."""
    if va <= 0.0 and (a > 0.0 or not ra > 0.0):
        return a
    if vb <= 0.0:
        return _after_rise(run, i, h, a, b) if va <= 0.0 else _root(run, i, h, a, b)
    if b == 1.0 and rb < 0.0 and vb <= -rb * tiny(run.x[0]):
        return b
    if not (ra < 0.0 < rb) or _lowest(h * (b - a), va, ra, vb, rb) > 0.0:
        return _NONE
    low, high = a, b
    for _ in range(20):
        part = ra / (ra - rb)
        middle = low + (high - low) * min(0.95, max(0.05, part))
        _look(run, middle, g.V1, g.R1)
        v, r = row(run, g.V1)[i], row(run, g.R1)[i]
        if v <= 0.0:
            return _root(run, i, h, a, middle)
        if r < 0.0:
            low, va, ra = middle, v, r
        else:
            high, vb, rb = middle, v, r
        if not (ra < 0.0 < rb) or _lowest(h * (high - low), va, ra, vb, rb) > 0.0:
            break
    _look(run, b, g.V1, g.R1)
    return _NONE


@jit
def _lowest(span: float, va: float, ra: float, vb: float, rb: float) -> float:
    """Where the tangents at both ends meet: no convex curve is lower."""
    s = (vb - rb * span - va) / (ra - rb)
    return va + ra * s


@jit
def _after_rise(run: Run, i: int, h: float, a: float, b: float) -> float:
    """From zero at a the margin rises, and is below zero at b."""
    low = b
    for _ in range(40):
        low = a + 0.5 * (low - a)
        _look(run, low, g.V1, g.R1)
        if row(run, g.V1)[i] > 0.0:
            return _root(run, i, h, low, b)
    return a


@jit
def _root(run: Run, i: int, h: float, low: float, high: float) -> float:
    """Newton in a bracket: margin above zero at ``low``, not so at ``high``."""
    theta = 0.5 * (low + high)
    for _ in range(60):
        _look(run, theta, g.V1, g.R1)
        v, r = row(run, g.V1)[i], row(run, g.R1)[i]
        if v > 0.0:
            low = theta
        else:
            high = theta
        step = -v / (r * h) if r < 0.0 else _NONE
        new = theta + step
        if not low < new < high:
            new = 0.5 * (low + high)
        if abs(new - theta) <= 1e-14:
            break
        theta = new
    return theta


@jit
def _corrected(run: Run, h: float) -> bool:
    """Whether the cut missed its crossing and is moved, by Newton's rule."""
    block = vector(run, GUARD_BLOCK)
    _look(run, 1.0, g.V1, g.R1)
    first = int(block[g.FIRST])
    v, r = row(run, g.V1)[first], row(run, g.R1)[first]
    if not r < 0.0 or block[g.CORRECTIONS] >= 3.0:
        return False
    shift = -v / r
    if not _EXACT * h < abs(shift) < 0.1 * h:
        return False
    block[g.CORRECTIONS] += 1.0
    block[g.CUT] = run.reals[H] = h + shift
    return True


@jit
def _look(run: Run, theta: float, values: int, rates: int) -> float:
    """Margins and their rates at theta of the last record; how fast phases in them turn."""
    n = run.ic[N_GUARDS]
    record = at(run.record, (run.ints[RECORDS] - 1) * run.ints[WIDTH])
    h, back = record[1], _DIFFERENCE if theta < 0.5 else -_DIFFERENCE
    here, there = guard_state(run, 0), guard_state(run, 1)
    state_at(run, record, theta + back, there)
    state_at(run, record, theta, here)
    nq, nu = run.ic[NQ], run.ic[NU]
    first = 1 + nq + nu + run.ic[NX]
    for i in range(nu):
        here[first + i] = (there[1 + nq + i] - here[1 + nq + i]) / (back * h)
    evaluate_guards(run, here)
    copy(run.y, 2 * n, n, row(run, values))
    copy(run.y, 3 * n, n, row(run, rates))
    reach = row(run, g.REACH)
    for i in range(n):
        reach[i] = max(reach[i], abs(run.y[i]))
    return float(run.y[6 * n])


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
def first_of_branch(run: Run) -> bool:
    """Whether this is the first step, of the run or after a switch: its length is a guess."""
    return bool(run.reals[s.FRESH] == 1.0 or run.ints[s.STEPS] == 0)


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
        if _corrected(run, h):
            _drop(run)
            return RETAKE
    else:
        block[g.CUT], block[g.CORRECTIONS], block[g.NATURAL] = 0.0, 0.0, max(h, run.reals[s.UNCUT])
        for i in range(n):
            due[i] = 0.0
    theta = _first_crossing(run, h)
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
