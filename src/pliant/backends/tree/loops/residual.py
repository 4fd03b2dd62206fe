"""Services of a tree for implicit methods: kinematics of its joints, residual, derivatives.

The residual is found by recursion: accelerations outwards, wrenches inwards, O(n). The derivatives
are small blocks of every link (``pliant.backends.tree.newton``); no matrix is formed.
"""

from __future__ import annotations

import numpy as np

from pliant.backends.tree.loops import tree_layout as tl
from pliant.backends.tree.loops.forward import efforts, outwards
from pliant.solve.machine.abi import Integers, Reals, at, call_model, jit, service
from pliant.solve.machine.context import EVALUATIONS, JACOBIANS, NQ, NU


@service
def kinematics(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | q'']."""
    scratch, nq, nu = at(dc, ic[tl.SCRATCH]), ic[NQ], ic[NU]
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, q, u = at(ic, L[tl.L_KIND]), at(x, L[tl.L_Q]), at(x, L[tl.L_U])
        a, first = at(u, nu), at(y, L[tl.L_Q] - 1)
        second, own_q, own_u = at(first, nq), K[tl.K_NQ], K[tl.K_NU]
        if K[tl.RATES] == 0:
            for k in range(own_u):
                first[k], second[k] = u[k], a[k]
        else:
            for k in range(own_q):
                scratch[k] = q[k]
            for k in range(own_u):
                scratch[own_q + k], scratch[own_q + own_u + k] = u[k], a[k]
            out = at(scratch, tl.WORK)
            call_model(K[tl.RATES], scratch, at(dc, L[tl.L_RECORD]), out)
            for k in range(own_q):
                first[k], second[k] = out[k], out[own_q + k]
    return 0


@service
def rates(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- u for x = [t | q | q']."""
    scratch, nq = at(dc, ic[tl.SCRATCH]), ic[NQ]
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, q, u = at(ic, L[tl.L_KIND]), at(x, L[tl.L_Q]), at(y, L[tl.L_U] - 1 - nq)
        qdot = at(q, nq)
        if K[tl.SPEEDS] == 0:
            for k in range(K[tl.K_NU]):
                u[k] = qdot[k]
        else:
            for k in range(K[tl.K_NQ]):
                scratch[k], scratch[K[tl.K_NQ] + k] = q[k], qdot[k]
            call_model(K[tl.SPEEDS], scratch, at(dc, L[tl.L_RECORD]), u)
    return 0


@service
def tangent(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """q <- retract(q, y): q + N y, for quaternions the exponential.

    N of every joint of a tree is constant but for quaternions.
    """
    scratch, nq = at(dc, ic[tl.SCRATCH]), ic[NQ]
    dq = at(y, ic[NU])
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, q, v, own = (
            at(ic, L[tl.L_KIND]),
            at(x, L[tl.L_Q]),
            at(y, L[tl.L_U] - 1 - nq),
            at(dq, L[tl.L_Q] - 1),
        )
        if K[tl.RATES] == 0:
            for k in range(K[tl.K_NU]):
                own[k] = v[k]
        else:
            for k in range(K[tl.K_NQ]):
                scratch[k] = q[k]
            for k in range(K[tl.K_NU]):
                scratch[K[tl.K_NQ] + k], scratch[K[tl.K_NQ] + K[tl.K_NU] + k] = v[k], 0.0
            out = at(scratch, tl.WORK)
            call_model(K[tl.RATES], scratch, at(dc, L[tl.L_RECORD]), out)
            for k in range(K[tl.K_NQ]):
                own[k] = out[k]
    for i in range(ic[tl.N_QUATERNIONS]):
        place = ic[ic[tl.QUATERNIONS] + i]
        turn(at(x, place), at(dq, place - 1))
    for i in range(nq):
        x[1 + i] += dq[i]
    return 0


@jit
def turn(e: Reals, de: Reals) -> None:
    """de <- exponential step of the unit quaternion e less e: cos s e + sin s de/s, s = |de|."""
    s = np.sqrt(de[0] ** 2 + de[1] ** 2 + de[2] ** 2 + de[3] ** 2)
    factor = np.sin(s) / s if s > 1e-8 else 1.0 - s * s / 6.0
    cosine, length = np.cos(s), 0.0
    for k in range(4):
        de[k] = cosine * e[k] + factor * de[k]
        length += de[k] ** 2
    length = np.sqrt(length)
    for k in range(4):
        de[k] = de[k] / length - e[k]


@jit
def carry(ic: Integers, dc: Reals, x: Reals) -> None:
    """Accelerations outwards; the wrench each link needs into its Newton record."""
    scratch, nu = at(dc, ic[tl.SCRATCH]), ic[NU]
    out = at(scratch, tl.WORK)
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, record, inner = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_RECORD]), at(dc, L[tl.L_A_INNER])
        for k in range(6):
            scratch[k] = inner[k]
        for k in range(K[tl.K_NU]):
            scratch[6 + k] = x[L[tl.L_U] + nu + k]
        call_model(K[tl.CARRY], scratch, record, out)
        own, wrench = at(record, K[tl.K_ACCELERATION]), at(dc, L[tl.L_NEWTON] + K[tl.N_WRENCH])
        for k in range(6):
            own[k], wrench[k] = out[k], out[6 + k]


@jit
def collect(ic: Integers, dc: Reals, r: Reals) -> None:
    """Wrenches inwards: all of what each joint transmits; r at the places of u in x."""
    out = at(dc, ic[tl.SCRATCH])
    for i in range(ic[tl.N_LINKS] - 1, -1, -1):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, outer = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_SLOT])
        wrench, target = at(dc, L[tl.L_NEWTON] + K[tl.N_WRENCH]), L[tl.L_SLOT_INNER]
        for k in range(6):
            wrench[k] += outer[k]
        call_model(K[tl.COLLECT], wrench, at(dc, L[tl.L_RECORD]), out)
        for k in range(K[tl.K_NU]):
            r[L[tl.L_U] + k] = out[6 + k]
        add_to(dc, target, out, 6)


@jit
def add_to(dc: Reals, target: int, values: Reals, n: int) -> None:
    """The first to write (target > 0) or to be added (< 0) to a room; nothing for the ground."""
    if target > 0:
        room = at(dc, target)
        for k in range(n):
            room[k] = values[k]
    elif target < 0:
        room = at(dc, -target)
        for k in range(n):
            room[k] += values[k]


@jit
def all_residuals(ic: Integers, dc: Reals, x: Reals, y: Reals) -> None:
    """y <- [q' | r]; leaves the motion and the wrench of every link."""
    efforts(ic, dc, x, y, False)
    outwards(ic, dc, x, y)
    carry(ic, dc, x)
    collect(ic, dc, at(y, -1))


@service
def residual(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """y <- [q' | r]."""
    ic[EVALUATIONS] += 1
    all_residuals(ic, dc, x, y)
    return 0


@service
def linearise(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Blocks of the derivative of every link at x."""
    ic[JACOBIANS] += 1
    all_residuals(ic, dc, x, y)
    scratch, nu = at(dc, ic[tl.SCRATCH]), ic[NU]
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, newton = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_NEWTON])
        w, a, wrench = at(dc, L[tl.L_W_INNER]), at(dc, L[tl.L_A_INNER]), at(newton, K[tl.N_WRENCH])
        own_q, own_u = K[tl.K_NQ], K[tl.K_NU]
        for k in range(3):
            scratch[k] = w[k]
        for k in range(6):
            scratch[3 + k] = a[k]
            scratch[9 + own_q + 2 * own_u + k] = wrench[k]
        for k in range(own_q):
            scratch[9 + k] = x[L[tl.L_Q] + k]
        own = at(scratch, 9 + own_q)
        for k in range(own_u):
            own[k], own[own_u + k] = x[L[tl.L_U] + k], x[L[tl.L_U] + nu + k]
        call_model(K[tl.BLOCKS], scratch, at(dc, L[tl.L_RECORD]), newton)
        W_u = at(newton, K[tl.N_SLOPES] + own_u * own_u)
        for k in range(own_u * own_u):
            W_u[k] = 0.0
    slopes(ic, dc, x)
    return 0


@jit
def slopes(ic: Integers, dc: Reals, x: Reals) -> None:
    """Derivatives of the efforts, taken from the rows of their links."""
    scratch = at(dc, ic[tl.SCRATCH])
    out = at(scratch, tl.WORK)
    for i in range(ic[tl.N_LAWS]):
        F = at(ic, ic[tl.LAWS] + tl.LAW_INTS * i)
        nu = F[tl.F_NU]
        scratch[0] = x[0]
        for k in range(F[tl.F_NQ]):
            scratch[1 + k] = x[F[tl.F_Q] + k]
        for k in range(nu):
            scratch[1 + F[tl.F_NQ] + k] = x[F[tl.F_U] + k]
        call_model(F[tl.F_SLOPE], scratch, at(dc, F[tl.F_NUMBERS]), out)
        W_q = at(dc, F[tl.F_ROW])
        W_u = at(W_q, nu * nu)
        for k in range(nu):
            W_q[k] -= out[k]
            W_u[k] -= out[nu + k]
