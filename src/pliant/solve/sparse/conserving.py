"""An energy-conserving step on SE(3): forces are averaged along the step.

    q(s) = q exp(s psi),   u' = 2 psi/h - u,   a = (u' - u)/h
    integral over s of r(q(s), psi/h, a) ds = 0,   g(q') = 0

Along q(s) every body moves with the constant twist psi, so that psi . integral of dE/dq ds is the
change of the elastic energy E, psi . M a the change of the kinetic energy, gyroscopic forces do no
work, and neither do the averaged constraint forces: psi . integral of G^T lam ds = lam . (g' - g).
Energy is conserved up to the quadrature (two Gauss points: fifth power of the step); linear and
angular momentum are not, but to second order. The tangent is that of the middle of the step.
Source: McLachlan, Quispel, Robidoux 1999 (averaged gradients).
"""

from __future__ import annotations

from pliant.solve.abi import Reals, jit
from pliant.solve.sparse.assembly import add_elements, block_record, linearise
from pliant.solve.sparse.motion import move_blocks
from pliant.solve.sparse.step_layout import (
    STALE,
    STEP,
    TIME_NOW,
    W_A,
    W_A0,
    W_PSI,
    W_Q,
    W_Q0,
    W_R,
    W_SMALL,
    W_TURNS,
    W_U,
    W_U0,
    W_UDOT,
    W_UDOT0,
)
from pliant.solve.sparse.stepping import Run, hold_multipliers, keep_start, turns, vector
from pliant.solve.sparse.system_layout import (
    ALL,
    B_ALGEBRAIC,
    B_D,
    B_REALS,
    BLOCKS,
    CA,
    CQ,
    CU,
    K_RESIDUAL,
    SCALE,
    TIME,
    UNKNOWNS,
)

GAUSS = 0.5 / 3.0**0.5
"""Distance of the two points from the middle of the step."""


@jit
def begin_conserving(run: Run) -> None:
    """Keep the start of the step; psi as if u. went on."""
    h = run.reals[STEP]
    keep_start(run)
    u, udot, u0, psi = vector(run, W_U), vector(run, W_UDOT), vector(run, W_U0), vector(run, W_PSI)
    for i in range(run.ic[UNKNOWNS]):
        u0[i] = u[i]
        psi[i] = h * u[i] + 0.5 * h * h * udot[i]
    hold_multipliers(run)
    run.dc[SCALE], run.dc[CA], run.dc[CU], run.dc[CQ] = 0.5 * h * h, 2.0 / (h * h), 1.0 / h, 0.5


@jit
def move_to(run: Run, s: float) -> None:
    """q <- q(s) and the time there; multipliers in full."""
    ic, psi, part = run.ic, vector(run, W_PSI), vector(run, W_UDOT0)
    for i in range(ic[UNKNOWNS]):
        part[i] = s * psi[i]
    for b in range(ic[BLOCKS]):
        block = block_record(ic, b)
        if block[B_ALGEBRAIC] == 1:
            for i in range(block[B_REALS]):
                part[block[B_D] + i] = psi[block[B_D] + i]
    move_blocks(ic, vector(run, W_Q0), part, vector(run, W_Q), vector(run, W_SMALL))
    run.dc[TIME] = run.reals[TIME_NOW] + s * run.reals[STEP]


@jit
def end_conserving(run: Run) -> None:
    """q, u at the end of the step, and the mean acceleration."""
    h, psi = run.reals[STEP], vector(run, W_PSI)
    u, u0, udot, mean = vector(run, W_U), vector(run, W_U0), vector(run, W_UDOT), vector(run, W_A)
    for i in range(run.ic[UNKNOWNS]):
        mean[i] = psi[i] / h
        u[i] = 2.0 * mean[i] - u0[i]
        udot[i] = (u[i] - u0[i]) / h
    move_to(run, 1.0)


@jit
def evaluate_conserving(run: Run) -> None:
    """Averaged residual at the present psi, with the tangent if the old one is of no use."""
    end_conserving(run)
    turns(run)
    ic, dc, q, mean = run.ic, run.dc, vector(run, W_Q), vector(run, W_A)
    udot, T, r = vector(run, W_UDOT), vector(run, W_TURNS), vector(run, W_R)
    if run.ints[STALE] == 1:
        move_to(run, 0.5)
        linearise(ic, dc, q, mean, udot, T, r, run.A)
    total = vector(run, W_A0)
    move_to(run, 0.5 - GAUSS)
    add_elements(ic, dc, q, mean, udot, T, total, K_RESIDUAL)
    move_to(run, 0.5 + GAUSS)
    add_elements(ic, dc, q, mean, udot, T, r, K_RESIDUAL)
    for i in range(ic[ALL]):
        r[i] = 0.5 * (r[i] + total[i])
    constraint_rows(run, r, total)


@jit
def constraint_rows(run: Run, r: Reals, work: Reals) -> None:
    """Rows of multipliers in r <- g at the end of the step."""
    ic, constrained = run.ic, False
    for b in range(ic[BLOCKS]):
        constrained = constrained or block_record(ic, b)[B_ALGEBRAIC] == 1
    if not constrained:
        return
    move_to(run, 1.0)
    q, mean, udot = vector(run, W_Q), vector(run, W_A), vector(run, W_UDOT)
    add_elements(ic, run.dc, q, mean, udot, vector(run, W_TURNS), work, K_RESIDUAL)
    for b in range(ic[BLOCKS]):
        block = block_record(ic, b)
        if block[B_ALGEBRAIC] == 1:
            for i in range(block[B_REALS]):
                r[block[B_D] + i] = work[block[B_D] + i]
