"""Where the numbers of guards stand, and how guards are evaluated.

Every condition of the model has a guard with a mode (``pliant.code.conditions``); what a run
keeps of them is one block of reals: a header, arrays over the guards, and two packed vectors x.
"""

from __future__ import annotations

from typing import Any

from pliant.solve.machine.abi import Reals, at, call_service, jit
from pliant.solve.machine.context import LEN_X, N_GUARDS, N_PARAMETERS, PARAMETERS, S_GUARDS
from pliant.solve.transient.state import GUARD_BLOCK, Run, vector

CUT, NATURAL, FIRST, CORRECTIONS, SWITCHES, EXITS, LAST_EXIT = range(7)
"""Numbers of the block: step that ends at a crossing (0: none), step before it was cut, guard that
crosses first, corrections of the cut, how often modes were switched; how often released guards
left their ramps shortly one after another, and at which step the last one did."""
_HEADER = 8
DUE, REACH, REACHED, SHORT, FLIPS, H_BELOW, H_ABOVE, SIZE, V0, R0, V1, R1 = range(12)
"""Arrays of the block: crosses at the end of the step; largest |g| since the last switch, and
that before this step; short swings in a row; switches without a step; steps in the lower and upper
mode; tolerance of g; margins and their rates at two places."""
_ARRAYS = 12
SLIDING = 2.0
"""Mode of a guard that was released."""


def block_size(guards: int, x_size: int) -> int:
    """Numbers that the guards of a run need."""
    return _HEADER + _ARRAYS * guards + 2 * x_size if guards else 0


@jit
def row(run: Run, k: int) -> Any:
    return at(vector(run, GUARD_BLOCK), _HEADER + k * run.ic[N_GUARDS])


@jit
def guard_state(run: Run, k: int) -> Any:
    """A packed x of the block."""
    start = _HEADER + _ARRAYS * run.ic[N_GUARDS] + k * run.ic[LEN_X]
    return at(vector(run, GUARD_BLOCK), start)


@jit
def modes_of(run: Run) -> Any:
    ic = run.ic
    return at(run.dc, ic[PARAMETERS] + ic[N_PARAMETERS] - 2 * ic[N_GUARDS])


@jit
def widths_of(run: Run) -> Any:
    return at(run.dc, run.ic[PARAMETERS] + run.ic[N_PARAMETERS] - run.ic[N_GUARDS])


@jit
def evaluate_guards(run: Run, x: Reals) -> None:
    """run.y <- g, rate, margin, its rate, next and present mode of every guard; pace."""
    call_service(run.address[S_GUARDS], run.ic, run.dc, x, run.y)
