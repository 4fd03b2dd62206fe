"""Generalized-alpha on SE(3) over blocks, constraints at position level.

    (1 - am) a' + am a = (1 - af) u.' + af u.               (' at the end of the step)
    u' = u + h ((1 - gamma) a + gamma a')
    q' = q exp(psi),   psi = h u + h^2 ((1/2 - beta) a + beta a')
    r(q', u', u.') = 0,   g(q') = 0

Source: Bruels, Cardona, Arnold 2012; Chung, Hulbert 1993.
"""

from __future__ import annotations

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.assembly import add_elements, linearise
from pliant.backends.blocks.loops.motion import move_blocks
from pliant.backends.blocks.loops.stepping import Run, hold_multipliers, keep_start, turns, vector
from pliant.solve.abi import jit


@jit
def begin_alpha(run: Run) -> None:
    """Keep the start of the step; psi as if u. went on; header of the elements at its end."""
    reals, h = run.reals, run.reals[st.STEP]
    am, af, beta, gamma = reals[st.ALPHA_M], reals[st.ALPHA_F], reals[st.BETA], reals[st.GAMMA]
    keep_start(run)
    u, udot, a = vector(run, st.W_U), vector(run, st.W_UDOT), vector(run, st.W_A)
    u0, udot0, a0 = vector(run, st.W_U0), vector(run, st.W_UDOT0), vector(run, st.W_A0)
    psi = vector(run, st.W_PSI)
    for i in range(run.ic[sl.UNKNOWNS]):
        u0[i], udot0[i], a0[i] = u[i], udot[i], a[i]
        new = (udot[i] - am * a[i]) / (1.0 - am)
        psi[i] = h * u[i] + h * h * ((0.5 - beta) * a[i] + beta * new)
    hold_multipliers(run)
    ca = (1.0 - am) / ((1.0 - af) * beta * h * h)
    run.dc[sl.TIME], run.dc[sl.SCALE] = reals[st.TIME_NOW] + h, 1.0 / ca
    run.dc[sl.CA], run.dc[sl.CU], run.dc[sl.CQ] = ca, gamma / (beta * h), 1.0


@jit
def end_alpha(run: Run) -> None:
    """q, u, u. and a at the end of the step from psi."""
    reals, h = run.reals, run.reals[st.STEP]
    am, af, beta, gamma = reals[st.ALPHA_M], reals[st.ALPHA_F], reals[st.BETA], reals[st.GAMMA]
    u, udot, a = vector(run, st.W_U), vector(run, st.W_UDOT), vector(run, st.W_A)
    u0, udot0, a0 = vector(run, st.W_U0), vector(run, st.W_UDOT0), vector(run, st.W_A0)
    psi = vector(run, st.W_PSI)
    inverse, share = 1.0 / (beta * h * h), 1.0 / (1.0 - af)
    for i in range(run.ic[sl.UNKNOWNS]):
        new = (psi[i] - h * u0[i] - h * h * (0.5 - beta) * a0[i]) * inverse
        a[i] = new
        u[i] = u0[i] + h * ((1.0 - gamma) * a0[i] + gamma * new)
        udot[i] = ((1.0 - am) * new + am * a0[i] - af * udot0[i]) * share
    move_blocks(run.ic, vector(run, st.W_Q0), psi, vector(run, st.W_Q), vector(run, st.W_SMALL))


@jit
def evaluate_alpha(run: Run) -> None:
    """Residual at the present psi, with the tangent if the old one is of no use."""
    end_alpha(run)
    turns(run)
    q, u, udot = vector(run, st.W_Q), vector(run, st.W_U), vector(run, st.W_UDOT)
    r, T = vector(run, st.W_R), vector(run, st.W_TURNS)
    if run.ints[st.STALE] == 0:
        add_elements(run.ic, run.dc, q, u, udot, T, r, sl.K_RESIDUAL)
    else:
        linearise(run.ic, run.dc, q, u, udot, T, r, run.A)
