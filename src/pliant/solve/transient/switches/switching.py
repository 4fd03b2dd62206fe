"""Other branches after a crossing: modes are switched, and guards that slide are released.

A guard that comes back at once from both sides slides along zero (dry friction that sticks); one
whose swings stay far below the tolerance of its argument has no sign that could be computed. Either
is released: its branches are then joined by a ramp over that tolerance, until it has left it.
Source: Filippov (1988) (sliding).
"""

from __future__ import annotations

from pliant.solve.machine.abi import jit
from pliant.solve.machine.context import LEN_X, N_GUARDS, N_LOOPS, S_ACCELERATE, S_CLOSE
from pliant.solve.transient import state as s
from pliant.solve.transient.state import Run, call, copy, state_size, vector
from pliant.solve.transient.switches import block as g
from pliant.solve.transient.waypoints import pass_waypoints

_MANY_EXITS, _SHORTLY = 8, 6
"""So many exits, each within so many steps of the last, are chatter."""
_SHORT, _MANY_SHORT = 1e-3, 10
"""A swing is short below this part of the tolerance; so many of them in a row release the guard."""


@jit
def switch_at_start(run: Run) -> None:
    """Other modes at the start of a step (run.x), for the guards that are due."""
    n = run.ic[N_GUARDS]
    modes, due, flips = g.modes_of(run), g.row(run, g.DUE), g.row(run, g.FLIPS)
    _tolerances(run)
    g.evaluate_guards(run, run.x)
    for i in range(n):
        if due[i] == 1.0:
            flips[i] += 1.0
            if flips[i] >= 2.0:
                _release(run, i)
            else:
                modes[i] = run.y[4 * n + i]
            due[i] = 0.0
    vector(run, s.GUARD_BLOCK)[g.SWITCHES] += 1.0
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
    run.reals[s.FRESH] = passed
    if n == 0:
        return passed
    block, flips = vector(run, s.GUARD_BLOCK), g.row(run, g.FLIPS)
    for i in range(n):
        flips[i] = 0.0
    if block[g.CUT] == 0.0:
        block[g.FIRST] = -1.0
        return passed
    block[g.SWITCHES] += 1.0
    _flip(run)
    _settle_modes(run)
    block[g.CUT], run.reals[s.FRESH] = 0.0, 1.0
    return 1


@jit
def _flip(run: Run) -> None:
    """The guards that are due take their next mode, or are released."""
    n = run.ic[N_GUARDS]
    modes, due = g.modes_of(run), g.row(run, g.DUE)
    reach, short, size = g.row(run, g.REACH), g.row(run, g.SHORT), g.row(run, g.SIZE)
    _tolerances(run)
    g.evaluate_guards(run, run.x)
    for i in range(n):
        if due[i] == 0.0:
            continue
        if modes[i] == g.SLIDING:
            _note_exit(run)
        else:
            memory = g.row(run, g.H_BELOW if modes[i] < 0.0 else g.H_ABOVE)
            memory[i] = vector(run, s.GUARD_BLOCK)[g.NATURAL]
        short[i] = short[i] + 1.0 if reach[i] < _SHORT * size[i] else 0.0
        reach[i] = 0.0
        if short[i] >= _MANY_SHORT:
            _release(run, i)
        else:
            modes[i] = run.y[4 * n + i]


@jit
def _note_exit(run: Run) -> None:
    """A released guard leaves its ramp."""
    block, step = vector(run, s.GUARD_BLOCK), run.ints[s.STEPS]
    block[g.EXITS] = block[g.EXITS] + 1.0 if step - block[g.LAST_EXIT] <= _SHORTLY else 1.0
    block[g.LAST_EXIT] = step


@jit
def chatters(run: Run) -> bool:
    """Whether a guard leaves its ramp again and again, since steps are too long to stay in it. The
    ramp is as wide as the tolerance: an explicit method has no error there that it could see."""
    if run.ic[N_GUARDS] == 0 or vector(run, s.GUARD_BLOCK)[g.EXITS] < _MANY_EXITS:
        return False
    vector(run, s.GUARD_BLOCK)[g.EXITS] = 0.0
    return True


@jit
def _settle_modes(run: Run) -> None:
    """With new modes others may not hold any more; a guard that is driven back at once slides."""
    n = run.ic[N_GUARDS]
    modes, due, size = g.modes_of(run), g.row(run, g.DUE), g.row(run, g.SIZE)
    for _ in range(4):
        _close_loops(run)
        call(run, S_ACCELERATE)
        g.evaluate_guards(run, run.x)
        changed = False
        for i in range(n):
            if modes[i] == 0.0 or modes[i] == g.SLIDING:
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
    widths = g.widths_of(run)
    widths[i] = max(widths[i], g.row(run, g.SIZE)[i])
    g.modes_of(run)[i] = g.SLIDING if widths[i] > 0.0 else 0.0
    g.row(run, g.SHORT)[i] = 0.0


@jit
def _tolerances(run: Run) -> None:
    """SIZE <- how far the tolerances of the states move every g."""
    n, atol, rtol = run.ic[N_GUARDS], vector(run, s.ATOL), run.reals[s.RTOL]
    size, x = g.row(run, g.SIZE), g.guard_state(run, 0)
    for i in range(n):
        size[i] = 0.0
    for sign in (1.0, -1.0):
        copy(run.x, 0, run.ic[LEN_X], x)
        g.evaluate_guards(run, x)
        copy(run.y, 0, n, g.row(run, g.V1))
        flip = 1.0
        for j in range(state_size(run)):
            x[1 + j] += flip * (atol[j] + rtol * abs(x[1 + j]))
            flip *= sign
        g.evaluate_guards(run, x)
        for i in range(n):
            size[i] = max(size[i], abs(run.y[i] - g.row(run, g.V1)[i]))


@jit
def step_after_switch(run: Run) -> float:
    """The step that was in use when this mode was last left; 0 if it is new. Where the guard was
    released: not beyond the width of its law. After a mere corner: as long as before it."""
    run.reals[s.FIRST_STEP] = 0.0
    if run.reals[s.FIXED_STEP] > 0.0:
        return float(run.reals[s.FIXED_STEP])
    first = int(vector(run, s.GUARD_BLOCK)[g.FIRST]) if run.ic[N_GUARDS] > 0 else -1
    if first < 0:
        return float(max(run.reals[s.H], run.reals[s.UNCUT]))
    mode = g.modes_of(run)[first]
    if mode == 0.0 or mode == g.SLIDING:
        g.evaluate_guards(run, run.x)
        rate = abs(run.y[run.ic[N_GUARDS] + first])
        return float(0.5 * g.widths_of(run)[first] / rate) if rate > 0.0 else 0.0
    return float(g.row(run, g.H_BELOW if mode < 0.0 else g.H_ABOVE)[first])
