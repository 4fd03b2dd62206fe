"""What integrators share where a run begins, a step ends, and a step is taken anew.

At the end of an accepted step that is recorded, always in this order:

1. ``look_at_guards``: does a condition of the model change within the step? Then it is taken anew.
2. ``settle``: the rows of the constraints to keep, and the pose: a step that has led into a
   singular one is undone.
3. ``switch_guards``: conditions that change here; ``restart`` chooses the first step after that.
"""

from __future__ import annotations

from typing import NamedTuple

from pliant.solve.machine.abi import Reals, jit
from pliant.solve.machine.context import S_SETTLE
from pliant.solve.transient import state as s
from pliant.solve.transient.change_points.change_point import choose_rows, hops
from pliant.solve.transient.change_points.pose_watch import survey, went_over
from pliant.solve.transient.step_size import first_step, state_rates
from pliant.solve.transient.switches.guards import begin_guards
from pliant.solve.transient.switches.switching import step_after_switch


class Settled(NamedTuple):
    """What has happened at the end of a step."""

    changed: int
    """1 if other rows of the constraints are kept."""
    astray: bool
    """The step has led into a singular pose or over one."""


class Room(NamedTuple):
    """Work space for the choice of a first step: two of the state's size, one of x."""

    scale: Reals
    trial: Reals
    saved: Reals


@jit
def begin(run: s.Run, rates: Reals, order: int, room: Room) -> int:
    """First rank decision, modes of conditions, first rates and step; not 0 if undefined."""
    s.decide_rank(run)
    begin_guards(run)
    if state_rates(run, rates) != 0:
        return 1
    run.reals[s.H] = run.reals[s.FIXED_STEP]
    if run.reals[s.FIXED_STEP] == 0.0:
        _first_step(run, rates, order, room)
    return 0


@jit
def restart(run: s.Run, rates: Reals, order: int, room: Room) -> None:
    """The first step of a new branch; rates: at run.x, on that branch."""
    run.reals[s.H] = step_after_switch(run)
    if run.reals[s.H] == 0.0:
        _first_step(run, rates, order, room)


@jit
def _first_step(run: s.Run, rates: Reals, order: int, room: Room) -> None:
    """As at the start of a run; leaves everything at run.x as the evaluation there does."""
    run.reals[s.H] = first_step(run, rates, order, room.scale, room.trial, room.saved)
    state_rates(run, rates)


@jit
def settle(run: s.Run, qdot: Reals, h: float) -> Settled:
    """Rows and the pose after a step h that ends at run.x with the rates qdot."""
    s.call(run, S_SETTLE)
    changed = choose_rows(run)
    astray = False
    if run.ints[s.PASSING] == 0:
        astray = survey(run, qdot, h) or went_over(run, h)
    elif hops(run):
        astray = went_over(run, h)
    return Settled(changed, astray)
