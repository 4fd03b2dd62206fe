"""Generalized-alpha on SE(3) over blocks, constraints at position level.

    (1 - am) a' + am a = (1 - af) u.' + af u.               (' at the end of the step)
    u' = u + h ((1 - gamma) a + gamma a')
    q' = q exp(psi),   psi = h u + h^2 ((1/2 - beta) a + beta a')
    r(q', u', u.') = 0,   g(q') = 0

Source: Bruels, Cardona, Arnold 2012; Chung, Hulbert 1993.
"""

from __future__ import annotations

from pliant.solve.abi import jit
from pliant.solve.sparse.assembly import add_elements, linearise
from pliant.solve.sparse.motion import move_blocks
from pliant.solve.sparse.step_layout import (
    ALPHA_F,
    ALPHA_M,
    BETA,
    GAMMA,
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
from pliant.solve.sparse.system_layout import CA, CQ, CU, K_RESIDUAL, SCALE, TIME, UNKNOWNS


@jit
def begin_alpha(run: Run) -> None:
    """Keep the start of the step; psi as if u. went on; header of the elements at its end."""
    reals, h = run.reals, run.reals[STEP]
    am, af, beta, gamma = reals[ALPHA_M], reals[ALPHA_F], reals[BETA], reals[GAMMA]
    keep_start(run)
    u, udot, a = vector(run, W_U), vector(run, W_UDOT), vector(run, W_A)
    u0, udot0, a0 = vector(run, W_U0), vector(run, W_UDOT0), vector(run, W_A0)
    psi = vector(run, W_PSI)
    for i in range(run.ic[UNKNOWNS]):
        u0[i], udot0[i], a0[i] = u[i], udot[i], a[i]
        new = (udot[i] - am * a[i]) / (1.0 - am)
        psi[i] = h * u[i] + h * h * ((0.5 - beta) * a[i] + beta * new)
    hold_multipliers(run)
    ca = (1.0 - am) / ((1.0 - af) * beta * h * h)
    run.dc[TIME], run.dc[SCALE] = reals[TIME_NOW] + h, 1.0 / ca
    run.dc[CA], run.dc[CU], run.dc[CQ] = ca, gamma / (beta * h), 1.0


@jit
def end_alpha(run: Run) -> None:
    """q, u, u. and a at the end of the step from psi."""
    reals, h = run.reals, run.reals[STEP]
    am, af, beta, gamma = reals[ALPHA_M], reals[ALPHA_F], reals[BETA], reals[GAMMA]
    u, udot, a = vector(run, W_U), vector(run, W_UDOT), vector(run, W_A)
    u0, udot0, a0 = vector(run, W_U0), vector(run, W_UDOT0), vector(run, W_A0)
    psi = vector(run, W_PSI)
    inverse, share = 1.0 / (beta * h * h), 1.0 / (1.0 - af)
    for i in range(run.ic[UNKNOWNS]):
        new = (psi[i] - h * u0[i] - h * h * (0.5 - beta) * a0[i]) * inverse
        a[i] = new
        u[i] = u0[i] + h * ((1.0 - gamma) * a0[i] + gamma * new)
        udot[i] = ((1.0 - am) * new + am * a0[i] - af * udot0[i]) * share
    move_blocks(run.ic, vector(run, W_Q0), psi, vector(run, W_Q), vector(run, W_SMALL))


@jit
def evaluate_alpha(run: Run) -> None:
    """Residual at the present psi, with the tangent if the old one is of no use."""
    end_alpha(run)
    turns(run)
    q, u, udot = vector(run, W_Q), vector(run, W_U), vector(run, W_UDOT)
    r, T = vector(run, W_R), vector(run, W_TURNS)
    if run.ints[STALE] == 0:
        add_elements(run.ic, run.dc, q, u, udot, T, r, K_RESIDUAL)
    else:
        linearise(run.ic, run.dc, q, u, udot, T, r, run.A)
