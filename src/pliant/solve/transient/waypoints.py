"""Times that are known beforehand to have a corner: steps end there, and nowhere beyond.

Corners of linear signals, and times at which a condition on time alone changes
(``solve.motion.instants``). While a step is taken, every linear signal is kept on one of its lines
(``mechanics.signals``), so that stages at the very end of the step are on it as well.
"""

from __future__ import annotations

from pliant.solve.machine.abi import Reals, at, jit
from pliant.solve.machine.context import LINES, N_LINES, PARAMETERS
from pliant.solve.transient.state import NEXT_WAYPOINT, UNCUT, WAYPOINTS, Run, vector

_LINE = 3.0
"""``pliant.mechanics.signals.LINE``: the line after the first point."""
_SLACK = 1.01
"""A step may be longer by that to end at a waypoint instead of shortly before it."""


@jit
def tiny(t: float) -> float:
    """A time too short for a step."""
    return 1e-13 * max(1e-3, abs(t))


@jit
def begin_waypoints(run: Run) -> None:
    """The first waypoint after the present time, and the lines in force there."""
    run.ints[NEXT_WAYPOINT] = 0
    run.reals[UNCUT] = 0.0
    _skip(run)
    _keep_lines(run)


@jit
def to_waypoint(run: Run, h: float) -> float:
    """h, or what is left to the next waypoint; a waypoint follows the last one at infinity."""
    left = vector(run, WAYPOINTS)[run.ints[NEXT_WAYPOINT]] - run.x[0]
    run.reals[UNCUT] = 0.0
    if _SLACK * h < left:
        return float(h)
    run.reals[UNCUT] = h
    return float(left)


@jit
def pass_waypoints(run: Run) -> int:
    """1 if the accepted step (run.x) ended at a waypoint; lines are those that follow."""
    before = run.ints[NEXT_WAYPOINT]
    _skip(run)
    if run.ints[NEXT_WAYPOINT] == before:
        return 0
    _keep_lines(run)
    return 1


@jit
def _skip(run: Run) -> None:
    """Past all waypoints that were reached."""
    reached = run.x[0] + tiny(run.x[0])
    while vector(run, WAYPOINTS)[run.ints[NEXT_WAYPOINT]] <= reached:
        run.ints[NEXT_WAYPOINT] += 1


@jit
def _keep_lines(run: Run) -> None:
    """Every linear signal on the line that follows the present time."""
    t = run.x[0] + tiny(run.x[0])
    for k in range(run.ic[N_LINES]):
        slot = run.ic[LINES] + 2 * k
        table = at(run.dc, run.ic[PARAMETERS] + run.ic[slot])
        table[0] = _LINE + _line(at(table, 1), run.ic[slot + 1], t)


@jit
def _line(times: Reals, n: int, t: float) -> int:
    """The last point at or before t; -1 if there is none."""
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        if times[middle] <= t:
            low = middle
        else:
            high = middle
    return low
