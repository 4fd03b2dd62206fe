"""Steps end where a condition of the model changes.

Every condition has a guard with a mode (``pliant.equations.conditions``). Within a step modes are
held, so that the method sees a smooth right-hand side. After a step its guards are looked at in a
few places of the interpolant, with their rates: a margin that is zero or below, or a minimum
between two places that may be, is a crossing. It is located, the step is taken again to end there
(a shorter step of the same smooth equations), and the next one begins with the new branch.

A guard that comes back at once from both sides slides along zero (dry friction that sticks); one
whose swings stay far below the tolerance of its argument has no sign that could be computed. Either
is released: its branches are then joined by a ramp over that tolerance, until it has left it.
Source: Hairer, Norsett, Wanner I, II.6 (event location); Filippov (1988) (sliding).
"""

from __future__ import annotations

from typing import Any

from pliant.solve.abi import Reals, at, call_service, jit
from pliant.solve.context import (
    LEN_X,
    N_GUARDS,
    N_PARAMETERS,
    NQ,
    NU,
    NX,
    PARAMETERS,
    S_ACCELERATE,
    S_GUARDS,
)  # fmt: skip
from pliant.solve.transient.dense_output import state_at
from pliant.solve.transient.state import (
    ATOL,
    FIRST_STEP,
    FIXED_STEP,
    GUARD_BLOCK,
    RECORDS,
    RTOL,
    STEPS,
    WIDTH,
    H,
    Run,
    call,
    copy,
    limited_step,
    state_size,
    vector,
)  # fmt: skip

KEPT, RETAKE, RESTART = 0, 101, 102
"""The step stands; it is taken again, shorter; the same from its start with other modes."""
CUT, NATURAL, FIRST, CORRECTIONS, SWITCHES, FRESH = range(6)
"""Numbers of the block: step that ends at a crossing (0: none), step before it was cut, guard that
crosses first, corrections of the cut, how often modes were switched, whether no step was taken
since."""
_HEADER = 8
DUE, REACH, REACHED, SHORT, FLIPS, H_BELOW, H_ABOVE, SIZE, V0, R0, V1, R1 = range(12)
"""Arrays of the block: crosses at the end of the step; largest |g| since the last switch, and
that before this step; short swings in a row; switches without a step; steps in the lower and upper
mode; tolerance of g; margins and their rates at two places."""
_ARRAYS = 12
_LOOKS = 4
_NONE = 2.0
_CLOSE = 1e-9
"""Of the step: crossings closer together than that happen at once."""
_EXACT = 1e-7
"""Of the step: a cut that misses its crossing by more is corrected."""
_DIFFERENCE = 1e-5
"""Of the step: over which accelerations are differences of speeds."""
_SHORT, _MANY_SHORT = 1e-3, 10
"""A swing is short below this part of the tolerance; so many of them in a row release the guard."""
SLIDING = 2.0
"""Mode of a guard that was released."""


def block_size(guards: int, x_size: int) -> int:
    """Numbers that the guards of a run need."""
    return _HEADER + _ARRAYS * guards + 2 * x_size if guards else 0


@jit
def _row(run: Run, k: int) -> Any:
    return at(vector(run, GUARD_BLOCK), _HEADER + k * run.ic[N_GUARDS])


@jit
def _state(run: Run, k: int) -> Any:
    """A packed x of the block."""
    start = _HEADER + _ARRAYS * run.ic[N_GUARDS] + k * run.ic[LEN_X]
    return at(vector(run, GUARD_BLOCK), start)


@jit
def _modes(run: Run) -> Any:
    ic = run.ic
    return at(run.dc, ic[PARAMETERS] + ic[N_PARAMETERS] - 2 * ic[N_GUARDS])


@jit
def _widths(run: Run) -> Any:
    return at(run.dc, run.ic[PARAMETERS] + run.ic[N_PARAMETERS] - run.ic[N_GUARDS])


@jit
def _evaluate(run: Run, x: Reals) -> None:
    """run.y <- g, rate, margin, its rate, next and present mode of every guard."""
    call_service(run.address[S_GUARDS], run.ic, run.dc, x, run.y)


@jit
def _tiny(run: Run, t: float) -> float:
    """A time too short for a step."""
    return 1e-13 * max(1e-3, abs(t))


@jit
def begin_guards(run: Run) -> None:
    """Modes from the state; guards that were released stay so while they are near zero."""
    n = run.ic[N_GUARDS]
    if n == 0:
        return
    modes, widths = _modes(run), _widths(run)
    for i in range(n):
        modes[i] = 0.0
    call(run, S_ACCELERATE)
    _evaluate(run, run.x)
    for i in range(n):
        modes[i] = SLIDING if abs(run.y[i]) < widths[i] else run.y[5 * n + i]


@jit
def fresh_branch(run: Run) -> bool:
    """Whether this is the first step after a switch, whose length is a guess."""
    return bool(run.ic[N_GUARDS] > 0 and vector(run, GUARD_BLOCK)[FRESH] == 1.0)


@jit
def wanted_step(run: Run, most: float, slack: float) -> float:
    """The step to try: up to a crossing if there is one, else as usual, at most ``most``."""
    h = run.reals[H]
    if run.ic[N_GUARDS] > 0 and vector(run, GUARD_BLOCK)[CUT] == h:
        return float(h)
    return limited_step(run, min(h, most), slack)


@jit
def look_at_guards(run: Run, t0: float, h: float) -> int:
    """What becomes of the step in the last record: KEPT, or RETAKE or RESTART without it."""
    n = run.ic[N_GUARDS]
    if n == 0:
        return KEPT
    block, due = vector(run, GUARD_BLOCK), _row(run, DUE)
    copy(_row(run, REACH), 0, n, _row(run, REACHED))
    if block[CUT] == h:
        if _corrected(run, h):
            _drop(run)
            return RETAKE
    else:
        block[CUT], block[CORRECTIONS], block[NATURAL] = 0.0, 0.0, h
        for i in range(n):
            due[i] = 0.0
    theta = _first_crossing(run, h)
    if theta > 1.0:
        return KEPT
    if theta * h <= _tiny(run, t0):
        _drop(run)
        return RESTART
    block[CUT] = theta * h
    if (1.0 - theta) * h <= _tiny(run, t0):
        block[CUT] = h
        return KEPT
    run.reals[H] = block[CUT]
    _drop(run)
    return RETAKE


@jit
def _drop(run: Run) -> None:
    """Forget the last record."""
    copy(_row(run, REACHED), 0, run.ic[N_GUARDS], _row(run, REACH))
    run.ints[RECORDS] -= 1
    run.ints[STEPS] -= 1


@jit
def _corrected(run: Run, h: float) -> bool:
    """Whether the cut missed its crossing and is moved, by Newton's rule."""
    block = vector(run, GUARD_BLOCK)
    _look(run, 1.0, V1, R1)
    first = int(block[FIRST])
    v, r = _row(run, V1)[first], _row(run, R1)[first]
    if not r < 0.0 or block[CORRECTIONS] >= 3.0:
        return False
    shift = -v / r
    if not _EXACT * h < abs(shift) < 0.1 * h:
        return False
    block[CORRECTIONS] += 1.0
    block[CUT] = run.reals[H] = h + shift
    return True


@jit
def _look(run: Run, theta: float, values: int, rates: int) -> None:
    """Margins and their rates at theta of the last record."""
    n = run.ic[N_GUARDS]
    record = at(run.record, (run.ints[RECORDS] - 1) * run.ints[WIDTH])
    h, back = record[1], _DIFFERENCE if theta < 0.5 else -_DIFFERENCE
    here, there = _state(run, 0), _state(run, 1)
    state_at(run, record, theta + back, there)
    state_at(run, record, theta, here)
    nq, nu = run.ic[NQ], run.ic[NU]
    first = 1 + nq + nu + run.ic[NX]
    for i in range(nu):
        here[first + i] = (there[1 + nq + i] - here[1 + nq + i]) / (back * h)
    _evaluate(run, here)
    copy(run.y, 2 * n, n, _row(run, values))
    copy(run.y, 3 * n, n, _row(run, rates))
    reach = _row(run, REACH)
    for i in range(n):
        reach[i] = max(reach[i], abs(run.y[i]))


@jit
def _first_crossing(run: Run, h: float) -> float:
    """theta of the first crossing in the last record; beyond 1 if there is none. Guards that cross
    there are due."""
    n, a = run.ic[N_GUARDS], 0.0
    modes, due = _modes(run), _row(run, DUE)
    v0, r0, v1, r1 = _row(run, V0), _row(run, R0), _row(run, V1), _row(run, R1)
    _look(run, 0.0, V0, R0)
    for k in range(1, _LOOKS + 1):
        b, best, first = k / _LOOKS, _NONE, -1
        _look(run, b, V1, R1)
        for i in range(n):
            if modes[i] == 0.0 or due[i] == 1.0:
                continue
            theta = _crossing(run, i, h, a, v0[i], r0[i], b, v1[i], r1[i])
            if theta < best:
                best, first = theta, i
            if theta <= 1.0:
                _look(run, b, V1, R1)
        if first >= 0:
            _mark_due(run, h, best, first)
            return best
        copy(v1, 0, n, v0)
        copy(r1, 0, n, r0)
        a = b
    return _NONE


@jit
def _mark_due(run: Run, h: float, theta: float, first: int) -> None:
    """The guard ``first`` and all that cross with it."""
    modes, due = _modes(run), _row(run, DUE)
    _look(run, theta, V1, R1)
    v, r = _row(run, V1), _row(run, R1)
    vector(run, GUARD_BLOCK)[FIRST] = first
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
    if not (ra < 0.0 < rb) or _lowest(h * (b - a), va, ra, vb, rb) > 0.0:
        return _NONE
    low, high = a, b
    for _ in range(20):
        part = ra / (ra - rb)
        middle = low + (high - low) * min(0.95, max(0.05, part))
        _look(run, middle, V1, R1)
        v, r = _row(run, V1)[i], _row(run, R1)[i]
        if v <= 0.0:
            return _root(run, i, h, a, middle)
        if r < 0.0:
            low, va, ra = middle, v, r
        else:
            high, vb, rb = middle, v, r
        if not (ra < 0.0 < rb) or _lowest(h * (high - low), va, ra, vb, rb) > 0.0:
            break
    _look(run, b, V1, R1)
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
        _look(run, low, V1, R1)
        if _row(run, V1)[i] > 0.0:
            return _root(run, i, h, low, b)
    return a


@jit
def _root(run: Run, i: int, h: float, low: float, high: float) -> float:
    """Newton in a bracket: margin above zero at ``low``, not so at ``high``."""
    theta = 0.5 * (low + high)
    for _ in range(60):
        _look(run, theta, V1, R1)
        v, r = _row(run, V1)[i], _row(run, R1)[i]
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
def switch_at_start(run: Run) -> None:
    """Other modes at the start of a step (run.x), for the guards that are due."""
    n = run.ic[N_GUARDS]
    modes, due, flips = _modes(run), _row(run, DUE), _row(run, FLIPS)
    _tolerances(run)
    _evaluate(run, run.x)
    for i in range(n):
        if due[i] == 1.0:
            flips[i] += 1.0
            if flips[i] >= 2.0:
                _release(run, i)
            else:
                modes[i] = run.y[4 * n + i]
            due[i] = 0.0
    vector(run, GUARD_BLOCK)[SWITCHES] += 1.0


@jit
def switch_guards(run: Run) -> int:
    """Modes for what follows an accepted step (run.x); 1 if the equations have changed."""
    n = run.ic[N_GUARDS]
    if n == 0:
        return 0
    block, flips = vector(run, GUARD_BLOCK), _row(run, FLIPS)
    for i in range(n):
        flips[i] = 0.0
    block[FRESH] = 0.0
    if block[CUT] == 0.0:
        return 0
    block[SWITCHES] += 1.0
    _flip(run)
    _settle_modes(run)
    block[CUT], block[FRESH] = 0.0, 1.0
    return 1


@jit
def _flip(run: Run) -> None:
    """The guards that are due take their next mode, or are released."""
    n = run.ic[N_GUARDS]
    modes, due = _modes(run), _row(run, DUE)
    reach, short, size = _row(run, REACH), _row(run, SHORT), _row(run, SIZE)
    _tolerances(run)
    _evaluate(run, run.x)
    for i in range(n):
        if due[i] == 0.0:
            continue
        if modes[i] != SLIDING:
            memory = _row(run, H_BELOW if modes[i] < 0.0 else H_ABOVE)
            memory[i] = vector(run, GUARD_BLOCK)[NATURAL]
        short[i] = short[i] + 1.0 if reach[i] < _SHORT * size[i] else 0.0
        reach[i] = 0.0
        if short[i] >= _MANY_SHORT:
            _release(run, i)
        else:
            modes[i] = run.y[4 * n + i]


@jit
def _settle_modes(run: Run) -> None:
    """With new modes others may not hold any more; a guard that is driven back at once slides."""
    n = run.ic[N_GUARDS]
    modes, due, size = _modes(run), _row(run, DUE), _row(run, SIZE)
    for _ in range(4):
        call(run, S_ACCELERATE)
        _evaluate(run, run.x)
        changed = False
        for i in range(n):
            if modes[i] == 0.0 or modes[i] == SLIDING:
                continue
            back = run.y[2 * n + i] < 0.5 * size[i] and run.y[3 * n + i] < 0.0
            if due[i] == 1.0 and back:
                _release(run, i)
                changed = True
            elif due[i] == 0.0 and run.y[2 * n + i] < 0.0:
                modes[i] = run.y[5 * n + i]
                changed = True
        if not changed:
            break
    for i in range(n):
        due[i] = 0.0


@jit
def _release(run: Run, i: int) -> None:
    """Between the branches: a ramp over the tolerance of its argument, until it leaves that."""
    widths = _widths(run)
    widths[i] = max(widths[i], _row(run, SIZE)[i])
    _modes(run)[i] = SLIDING if widths[i] > 0.0 else 0.0
    _row(run, SHORT)[i] = 0.0


@jit
def _tolerances(run: Run) -> None:
    """SIZE <- how far the tolerances of the states move every g."""
    n, atol, rtol = run.ic[N_GUARDS], vector(run, ATOL), run.reals[RTOL]
    size, x = _row(run, SIZE), _state(run, 0)
    for i in range(n):
        size[i] = 0.0
    for sign in (1.0, -1.0):
        copy(run.x, 0, run.ic[LEN_X], x)
        _evaluate(run, x)
        copy(run.y, 0, n, _row(run, V1))
        flip = 1.0
        for j in range(state_size(run)):
            x[1 + j] += flip * (atol[j] + rtol * abs(x[1 + j]))
            flip *= sign
        _evaluate(run, x)
        for i in range(n):
            size[i] = max(size[i], abs(run.y[i] - _row(run, V1)[i]))


@jit
def step_after_switch(run: Run) -> float:
    """The step that was in use when this mode was last left; 0 if it is new. Where the guard was
    released: not beyond the width of its law."""
    block = vector(run, GUARD_BLOCK)
    first = int(block[FIRST])
    run.reals[FIRST_STEP] = 0.0
    if run.reals[FIXED_STEP] > 0.0:
        return float(run.reals[FIXED_STEP])
    mode = _modes(run)[first]
    if mode == 0.0 or mode == SLIDING:
        _evaluate(run, run.x)
        rate = abs(run.y[run.ic[N_GUARDS] + first])
        return float(0.5 * _widths(run)[first] / rate) if rate > 0.0 else 0.0
    return float(_row(run, H_BELOW if mode < 0.0 else H_ABOVE)[first])
