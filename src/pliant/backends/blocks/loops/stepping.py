"""What the time-stepping methods share: vectors of a run, Newton's correction.

Newton's unknown is the increment d of the coordinates at the end of the step, so that
psi <- psi + T(psi)^-1 d for q' = q exp(psi); multipliers are real coordinates in their own unit.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.assembly import block_record
from pliant.backends.blocks.loops.factor import solve_blocks
from pliant.backends.blocks.loops.motion import add_turned, turn_of
from pliant.solve.machine.abi import Integers, Reals, at, jit


class Run(NamedTuple):
    """System, method and vectors."""

    ic: Integers
    dc: Reals
    ints: Integers
    reals: Reals
    w: Reals
    A: Reals
    pivots: Integers


@jit
def vector(run: Run, slot: int) -> Any:
    """A vector of the work array."""
    return at(run.w, run.ints[slot])


@jit
def keep_start(run: Run) -> None:
    """q at the start of the step."""
    q, q0 = vector(run, st.W_Q), vector(run, st.W_Q0)
    for i in range(run.ints[st.W_U] - run.ints[st.W_Q]):
        q0[i] = q[i]


@jit
def hold_multipliers(run: Run) -> None:
    """psi <- 0 for multipliers: the first guess is what they were."""
    ic, psi = run.ic, vector(run, st.W_PSI)
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        if block[sl.B_ALGEBRAIC] == 1:
            for i in range(block[sl.B_REALS]):
                psi[block[sl.B_D] + i] = 0.0


@jit
def turns(run: Run) -> None:
    """T(psi)^-1 of every moving pose."""
    ic, psi, T = run.ic, vector(run, st.W_PSI), vector(run, st.W_TURNS)
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        if block[sl.B_POSE] == 1 and block[sl.B_D] < ic[sl.UNKNOWNS]:
            turn_of(at(psi, block[sl.B_D]), at(T, sl.TURN * b))


@jit
def correct(run: Run) -> float:
    """psi <- psi + T d, d from the residual; weighted size of d."""
    ic, r, psi = run.ic, vector(run, st.W_R), vector(run, st.W_PSI)
    T, weights, s = vector(run, st.W_TURNS), vector(run, st.W_WEIGHTS), run.dc[sl.SCALE]
    scale_rows(ic, r, -s)
    solve_blocks(at(ic, ic[sl.PROGRAM]), run.A, run.pivots, r)
    largest = 0.0
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        place = block[sl.B_D]
        if place >= ic[sl.UNKNOWNS]:
            continue
        for i in range(6 * block[sl.B_POSE] + block[sl.B_REALS]):
            size = abs(r[place + i]) * weights[place + i]
            if not size <= largest:
                largest = size
        unit = 1.0 / s if block[sl.B_ALGEBRAIC] == 1 else 1.0
        if block[sl.B_POSE] == 1:
            add_turned(at(T, sl.TURN * b), at(r, place), at(psi, place))
            place += 6
        for i in range(block[sl.B_REALS]):
            psi[place + i] += unit * r[place + i]
    return largest


@jit
def scale_rows(ic: Integers, r: Reals, factor: float) -> None:
    """Rows of motion times the factor, rows of constraints times -1."""
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        own = -1.0 if block[sl.B_ALGEBRAIC] == 1 else factor
        for i in range(6 * block[sl.B_POSE] + block[sl.B_REALS]):
            r[block[sl.B_D] + i] *= own
