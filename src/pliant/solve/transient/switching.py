"""Other branches after a crossing: modes are switched, and guards that slide are released.

A guard that comes back at once from both sides slides along zero (dry friction that sticks); one
whose swings stay far below the tolerance of its argument has no sign that could be computed. Either
is released: its branches are then joined by a ramp over that tolerance, until it has left it.
Source: Filippov (1988) (sliding).
"""

from __future__ import annotations

from pliant.solve.abi import jit
from pliant.solve.context import LEN_X, N_GUARDS, N_LOOPS, S_ACCELERATE, S_CLOSE
from pliant.solve.transient.guard_block import (
    CUT,
    DUE,
    EXITS,
    FIRST,
    FLIPS,
    H_ABOVE,
    H_BELOW,
    LAST_EXIT,
    NATURAL,
    REACH,
    SHORT,
    SIZE,
    SLIDING,
    SWITCHES,
    V1,
    evaluate_guards,
    guard_state,
    modes_of,
    row,
    widths_of,
)  # fmt: skip
from pliant.solve.transient.state import (
    ATOL,
    FIRST_STEP,
    FIXED_STEP,
    FRESH,
    GUARD_BLOCK,
    RTOL,
    STEPS,
    UNCUT,
    H,
    Run,
    call,
    copy,
    state_size,
    vector,
)  # fmt: skip
from pliant.solve.transient.waypoints import pass_waypoints

_MANY_EXITS, _SHORTLY = 8, 6
"""So many exits, each within so many steps of the last, are chatter."""
_SHORT, _MANY_SHORT = 1e-3, 10
"""A swing is short below this part of the tolerance; so many of them in a row release the guard."""


@jit
def switch_at_start(run: Run) -> None:
    """Other modes at the start of a step (run.x), for the guards that are due."""
    n = run.ic[N_GUARDS]
    modes, due, flips = modes_of(run), row(run, DUE), row(run, FLIPS)
    _tolerances(run)
    evaluate_guards(run, run.x)
    for i in range(n):
        if due[i] == 1.0:
            flips[i] += 1.0
            if flips[i] >= 2.0:
                _release(run, i)
            else:
                modes[i] = run.y[4 * n + i]
            due[i] = 0.0
    vector(run, GUARD_BLOCK)[SWITCHES] += 1.0
    _close_loops(run)


@jit
def _close_loops(run: Run) -> None:
    """Unknowns of algebraic loops jump with the equations."""
    if run.ic[N_LOOPS] > 0:
        call(run, S_CLOSE)


@jit
def switch_guards(run: Run) -> int:
    """Modes for what follows an accepted step (run.x); 1 if the equations have changed."""
    n, passed = run.ic[N_GUARDS], pass_waypoints(run)
    run.reals[FRESH] = passed
    if n == 0:
        return passed
    block, flips = vector(run, GUARD_BLOCK), row(run, FLIPS)
    for i in range(n):
        flips[i] = 0.0
    if block[CUT] == 0.0:
        block[FIRST] = -1.0
        return passed
    block[SWITCHES] += 1.0
    _flip(run)
    _settle_modes(run)
    block[CUT], run.reals[FRESH] = 0.0, 1.0
    return 1


@jit
def _flip(run: Run) -> None:
    """The guards that are due take their next mode, or are released."""
    n = run.ic[N_GUARDS]
    modes, due = modes_of(run), row(run, DUE)
    reach, short, size = row(run, REACH), row(run, SHORT), row(run, SIZE)
    _tolerances(run)
    evaluate_guards(run, run.x)
    for i in range(n):
        if due[i] == 0.0:
            continue
        if modes[i] == SLIDING:
            _note_exit(run)
        else:
            memory = row(run, H_BELOW if modes[i] < 0.0 else H_ABOVE)
            memory[i] = vector(run, GUARD_BLOCK)[NATURAL]
        short[i] = short[i] + 1.0 if reach[i] < _SHORT * size[i] else 0.0
        reach[i] = 0.0
        if short[i] >= _MANY_SHORT:
            _release(run, i)
        else:
            modes[i] = run.y[4 * n + i]


@jit
def _note_exit(run: Run) -> None:
    """A released guard leaves its ramp."""
    block, step = vector(run, GUARD_BLOCK), run.ints[STEPS]
    block[EXITS] = block[EXITS] + 1.0 if step - block[LAST_EXIT] <= _SHORTLY else 1.0
    block[LAST_EXIT] = step


@jit
def chatters(run: Run) -> bool:
    """Whether a guard leaves its ramp again and again, since steps are too long to stay in it. The
    ramp is as wide as the tolerance: an explicit method has no error there that it could see."""
    if run.ic[N_GUARDS] == 0 or vector(run, GUARD_BLOCK)[EXITS] < _MANY_EXITS:
        return False
    vector(run, GUARD_BLOCK)[EXITS] = 0.0
    return True


@jit
def _settle_modes(run: Run) -> None:
    """With new modes others may not hold any more; a guard that is driven back at once slides."""
    n = run.ic[N_GUARDS]
    modes, due, size = modes_of(run), row(run, DUE), row(run, SIZE)
    for _ in range(4):
        _close_loops(run)
        call(run, S_ACCELERATE)
        evaluate_guards(run, run.x)
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
    widths = widths_of(run)
    widths[i] = max(widths[i], row(run, SIZE)[i])
    modes_of(run)[i] = SLIDING if widths[i] > 0.0 else 0.0
    row(run, SHORT)[i] = 0.0


@jit
def _tolerances(run: Run) -> None:
    """SIZE <- how far the tolerances of the states move every g."""
    n, atol, rtol = run.ic[N_GUARDS], vector(run, ATOL), run.reals[RTOL]
    size, x = row(run, SIZE), guard_state(run, 0)
    for i in range(n):
        size[i] = 0.0
    for sign in (1.0, -1.0):
        copy(run.x, 0, run.ic[LEN_X], x)
        evaluate_guards(run, x)
        copy(run.y, 0, n, row(run, V1))
        flip = 1.0
        for j in range(state_size(run)):
            x[1 + j] += flip * (atol[j] + rtol * abs(x[1 + j]))
            flip *= sign
        evaluate_guards(run, x)
        for i in range(n):
            size[i] = max(size[i], abs(run.y[i] - row(run, V1)[i]))


@jit
def step_after_switch(run: Run) -> float:
    """The step that was in use when this mode was last left; 0 if it is new. Where the guard was
    released: not beyond the width of its law. After a mere corner: as long as before it."""
    run.reals[FIRST_STEP] = 0.0
    if run.reals[FIXED_STEP] > 0.0:
        return float(run.reals[FIXED_STEP])
    first = int(vector(run, GUARD_BLOCK)[FIRST]) if run.ic[N_GUARDS] > 0 else -1
    if first < 0:
        return float(max(run.reals[H], run.reals[UNCUT]))
    mode = modes_of(run)[first]
    if mode == 0.0 or mode == SLIDING:
        evaluate_guards(run, run.x)
        rate = abs(run.y[run.ic[N_GUARDS] + first])
        return float(0.5 * widths_of(run)[first] / rate) if rate > 0.0 else 0.0
    return float(row(run, H_BELOW if mode < 0.0 else H_ABOVE)[first])
