"""Steps that conserve energy and momenta: trapezoidal kinematics, discrete forces.

Body with centre of mass c, mass m and inertia J about it; in axes half way, reached from both ends
by D = exp(psi_w/2), with the Cayley vector th = 2 tan(|psi_w|/2) psi_w/|psi_w|:

    dx_c/h = (1 + xi s) (v_c + v_c')/2,   s = (|v_c'| - |v_c|)/(|v_c'| + |v_c|)
    th/h = (w + w')/2 + xi/2 (w' - w)
    m (v_c' - v_c)/h = f,   (D J w' - D^T J w)/h = m_c

with the forces of ``discrete``: linear and angular momentum of a free system do not change, and the
energy changes by

    -xi/2 (m (|v_c'| - |v_c|)^2 + dw . J dw + dF . d)

Nothing is lost with xi = 0; xi > 0 damps motions faster than the step, at the price of an error of
order xi h. When Newton's method has ended, the speeds follow once more from the momenta and the
forces: what it leaves is an error of places, not of momenta. The tangent is that of the usual
residual half way. Sources: Simo, Wong 1991 (rotations); Armero, Romero 2001 (damping).
"""

from __future__ import annotations

import numpy as np

from pliant.backends.blocks.loops import step_layout as st
from pliant.backends.blocks.loops import system_layout as sl
from pliant.backends.blocks.loops.assembly import add_elements, block_record, linearise
from pliant.backends.blocks.loops.motion import cross, move_blocks
from pliant.backends.blocks.loops.stepping import Run, hold_multipliers, keep_start, turns, vector
from pliant.solve.machine.abi import Reals, at, jit

SMALL = 1e-3


@jit
def begin_conserving(run: Run) -> None:
    """Keep the start of the step; psi as if u. went on."""
    h, share, dc = run.reals[st.STEP], 1.0 + run.reals[st.XI], run.dc
    keep_start(run)
    u, udot, psi = vector(run, st.W_U), vector(run, st.W_UDOT), vector(run, st.W_PSI)
    u0, udot0 = vector(run, st.W_U0), vector(run, st.W_UDOT0)
    for i in range(run.ic[sl.UNKNOWNS]):
        u0[i], udot0[i] = u[i], udot[i]
        psi[i] = h * u[i] + 0.5 * h * h * udot[i]
    hold_multipliers(run)
    dc[sl.CA], dc[sl.CU], dc[sl.CQ] = 2.0 / (share * h * h), 1.0 / h, 0.5 * share
    dc[sl.SCALE], dc[sl.DISSIPATION] = 1.0 / dc[sl.CA], run.reals[st.XI]
    dc[sl.TIME], dc[sl.END_TIME] = run.reals[st.TIME_NOW] + 0.5 * h, run.reals[st.TIME_NOW] + h


@jit
def half_turn(w: Reals, D: Reals) -> float:
    """D <- exp(w/2), row by row; 2 tan(|w|/2)/|w|."""
    x = 0.25 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    if x < SMALL:
        s = 1.0 - x * (1.0 / 6 - x * (1.0 / 120 - x / 5040))
        c = 0.5 - x * (1.0 / 24 - x * (1.0 / 720 - x / 40320))
        longer: float = 1.0 + x * (1.0 / 3 + x * (2.0 / 15 + x * (17.0 / 315 + x * (62.0 / 2835))))
    else:
        angle = np.sqrt(x)
        s, c = np.sin(angle) / angle, (1.0 - np.cos(angle)) / x
        longer = s / np.cos(angle)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        D[3 * i + i] = 1.0 + 0.25 * c * (w[i] * w[i] - 4.0 * x)
        square = 0.25 * c * w[i] * w[j]
        D[3 * i + j] = square - 0.5 * s * w[k]
        D[3 * j + i] = square + 0.5 * s * w[k]
    return longer


@jit
def times(A: Reals, v: Reals, out: Reals) -> None:
    """out <- A v for 3 x 3 A."""
    for i in range(3):
        out[i] = A[3 * i] * v[0] + A[3 * i + 1] * v[1] + A[3 * i + 2] * v[2]


@jit
def times_transposed(A: Reals, v: Reals, out: Reals) -> None:
    """out <- A^T v."""
    for i in range(3):
        out[i] = A[i] * v[0] + A[3 + i] * v[1] + A[6 + i] * v[2]


@jit
def centre_speed(u: Reals, c: Reals, work: Reals, out: Reals) -> None:
    """out <- v + w x c."""
    cross(at(u, 3), c, work)
    for i in range(3):
        out[i] = u[i] + work[i]


@jit
def shift_half_way(psi: Reals, out: Reals) -> None:
    """out <- translation of q exp(psi) in axes half way: s v + (1 - s) (n.v) n, s = sin(x)/x."""
    v, w = psi, at(psi, 3)
    x = 0.25 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    along = 0.25 * (w[0] * v[0] + w[1] * v[1] + w[2] * v[2])
    if x < SMALL:
        lost = 1.0 / 6 - x * (1.0 / 120 - x * (1.0 / 5040 - x / 362880))
    else:
        angle = np.sqrt(x)
        lost = (1.0 - np.sin(angle) / angle) / x
    for i in range(3):
        out[i] = (1.0 - x * lost) * v[i] + lost * along * w[i]


@jit
def slower(shift: Reals, speed: Reals, h: float, xi: float) -> float:
    """1 + xi s for the speed at the start and the way over the step."""
    if xi == 0.0:
        return 1.0
    way, along, before = 0.0, 0.0, 0.0
    for i in range(3):
        way += shift[i] * shift[i]
        along += shift[i] * speed[i]
        before += speed[i] * speed[i]
    s = 0.0
    for _ in range(50):
        part = 2.0 / (h * (1.0 + xi * s))
        after = np.sqrt(max(0.0, part * part * way - 2.0 * part * along + before))
        total = after + np.sqrt(before)
        last = s
        s = (after - np.sqrt(before)) / total if total > 0.0 else 0.0
        if abs(s - last) <= 1e-16:
            break
    return 1.0 + xi * s


@jit
def end_body(
    psi: Reals, body: Reals, u0: Reals, h: float, xi: float, u: Reals, mean: Reals, w: Reals
) -> None:
    """u at the end, and the mean speeds of the origin in axes half way; w: 40 numbers of work."""
    D, shift, speed, one, c = w, at(w, 9), at(w, 12), at(w, 15), at(body, 1)
    longer = half_turn(at(psi, 3), D)
    shift_half_way(psi, shift)
    for i in range(3):
        mean[i] = shift[i] / h
        turn = longer * psi[3 + i] / h
        mean[3 + i] = turn
        u[3 + i] = (2.0 * turn - (1.0 - xi) * u0[3 + i]) / (1.0 + xi)
    centre_speed(u0, c, one, at(w, 18))
    times_transposed(D, at(w, 18), speed)
    times(D, c, one)
    times_transposed(D, c, at(w, 18))
    for i in range(3):
        shift[i] += one[i] - w[18 + i]
    share = slower(shift, speed, h, xi)
    for i in range(3):
        speed[i] = 2.0 * shift[i] / (h * share) - speed[i]
    times_transposed(D, speed, at(w, 18))
    cross(at(u, 3), c, one)
    for i in range(3):
        u[i] = w[18 + i] - one[i]


@jit
def inertia_rows(
    psi: Reals, body: Reals, u0: Reals, u: Reals, h: float, r: Reals, w: Reals
) -> None:
    """r <- r + change of momentum over h, in axes half way and about the origin."""
    D, start, end, one, c, J = w, at(w, 9), at(w, 12), at(w, 15), at(body, 1), at(body, 4)
    half_turn(at(psi, 3), D)
    force, arm = at(w, 18), at(w, 21)
    centre_speed(u0, c, one, arm)
    times_transposed(D, arm, start)
    centre_speed(u, c, one, arm)
    times(D, arm, end)
    for i in range(3):
        force[i] = body[0] * (end[i] - start[i]) / h
        r[i] += force[i]
    times(D, c, start)
    times_transposed(D, c, end)
    for i in range(3):
        arm[i] = 0.5 * (start[i] + end[i])
    cross(arm, force, one)
    times(J, at(u, 3), arm)
    times(D, arm, end)
    times(J, at(u0, 3), arm)
    times_transposed(D, arm, start)
    for i in range(3):
        r[3 + i] += (end[i] - start[i]) / h + one[i]


@jit
def balance_body(
    psi: Reals, body: Reals, u0: Reals, r: Reals, h: float, u: Reals, w: Reals
) -> None:
    """u from the momenta at the start and the forces -r, in axes half way, over the step."""
    D, one, two, arm, c = w, at(w, 9), at(w, 12), at(w, 15), at(body, 1)
    half_turn(at(psi, 3), D)
    times(D, c, one)
    times_transposed(D, c, two)
    for i in range(3):
        one[i] = 0.5 * (one[i] + two[i])
    cross(one, r, arm)
    times(at(body, 4), at(u0, 3), one)
    times_transposed(D, one, two)
    for i in range(3):
        two[i] -= h * (r[3 + i] - arm[i])
    times_transposed(D, two, one)
    times(at(body, 13), one, at(u, 3))
    centre_speed(u0, c, one, arm)
    times_transposed(D, arm, two)
    for i in range(3):
        two[i] -= h * r[i] / body[0]
    times_transposed(D, two, arm)
    cross(at(u, 3), c, one)
    for i in range(3):
        u[i] = arm[i] - one[i]


@jit
def forces(run: Run) -> None:
    """r <- what elements need over the step."""
    add_elements(
        run.ic, run.dc, vector(run, st.W_Q), vector(run, st.W_A), vector(run, st.W_UDOT),
        vector(run, st.W_Q0), vector(run, st.W_R), sl.K_DISCRETE,
    )  # fmt: skip


@jit
def finish_conserving(run: Run) -> None:
    """State at the end of the step; speeds of rigid bodies from their momenta."""
    end_conserving(run)
    forces(run)
    ic, r, h, psi = run.ic, vector(run, st.W_R), run.reals[st.STEP], vector(run, st.W_PSI)
    u, u0, bodies = vector(run, st.W_U), vector(run, st.W_U0), vector(run, st.W_INERTIA)
    for b in range(ic[sl.BLOCKS]):
        block, own = block_record(ic, b), at(bodies, st.INERTIA * b)
        place = block[sl.B_D]
        if block[sl.B_POSE] == 1 and place < ic[sl.UNKNOWNS] and own[st.INERTIA - 1] == 1.0:
            balance_body(
                at(psi, place), own, at(u0, place), at(r, place), h, at(u, place),
                vector(run, st.W_SMALL),
            )  # fmt: skip


@jit
def end_conserving(run: Run) -> None:
    """q, u at the end of the step, mean speeds and accelerations."""
    ic, h, xi, psi = run.ic, run.reals[st.STEP], run.reals[st.XI], vector(run, st.W_PSI)
    u, u0, udot, mean = (
        vector(run, st.W_U),
        vector(run, st.W_U0),
        vector(run, st.W_UDOT),
        vector(run, st.W_A),
    )
    bodies, small = vector(run, st.W_INERTIA), vector(run, st.W_SMALL)
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        place = block[sl.B_D]
        if place >= ic[sl.UNKNOWNS] or block[sl.B_ALGEBRAIC] == 1:
            continue
        if block[sl.B_POSE] == 1:
            own = at(bodies, st.INERTIA * b)
            end_body(
                at(psi, place), own, at(u0, place), h, xi, at(u, place), at(mean, place), small
            )
            place += 6
        for i in range(place, place + block[sl.B_REALS]):
            mean[i] = psi[i] / h
            u[i] = (2.0 * mean[i] - (1.0 - xi) * u0[i]) / (1.0 + xi)
    for i in range(ic[sl.UNKNOWNS]):
        udot[i] = (u[i] - u0[i]) / h
    move_blocks(ic, vector(run, st.W_Q0), psi, vector(run, st.W_Q), small)


@jit
def linearise_half_way(run: Run) -> None:
    """Tangent at q exp(psi/2)."""
    ic, psi, part, q = run.ic, vector(run, st.W_PSI), vector(run, st.W_A0), vector(run, st.W_Q)
    for i in range(ic[sl.UNKNOWNS]):
        part[i] = 0.5 * psi[i]
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        if block[sl.B_ALGEBRAIC] == 1:
            for i in range(block[sl.B_D], block[sl.B_D] + block[sl.B_REALS]):
                part[i] = psi[i]
    small = vector(run, st.W_SMALL)
    move_blocks(ic, vector(run, st.W_Q0), part, q, small)
    mean, udot, T = vector(run, st.W_A), vector(run, st.W_UDOT), vector(run, st.W_TURNS)
    linearise(ic, run.dc, q, mean, udot, T, vector(run, st.W_R), run.A)
    move_blocks(ic, vector(run, st.W_Q0), psi, q, small)


@jit
def evaluate_conserving(run: Run) -> None:
    """Residual at the present psi, with the tangent if the old one is of no use."""
    end_conserving(run)
    turns(run)
    if run.ints[st.STALE] == 1:
        linearise_half_way(run)
    forces(run)
    ic, r, h, psi = run.ic, vector(run, st.W_R), run.reals[st.STEP], vector(run, st.W_PSI)
    u, u0 = vector(run, st.W_U), vector(run, st.W_U0)
    bodies, small = vector(run, st.W_INERTIA), vector(run, st.W_SMALL)
    for b in range(ic[sl.BLOCKS]):
        block = block_record(ic, b)
        place = block[sl.B_D]
        if block[sl.B_POSE] == 1 and place < ic[sl.UNKNOWNS]:
            own = at(bodies, st.INERTIA * b)
            inertia_rows(at(psi, place), own, at(u0, place), at(u, place), h, at(r, place), small)
