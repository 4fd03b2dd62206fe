"""Services of a tree without constraints: articulated-body accelerations, O(n).

Three sweeps over the links: velocities outwards, articulated inertias inwards, accelerations
outwards. Each calls the function of the link's kind by address, so that code and compile time do
not depend on the number of links. What implicit methods need is in ``tree_residual`` and
``tree_newton``.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), 7.3.
"""

from __future__ import annotations

import numpy as np

from pliant.equations.tree_model import INERTIA, LAW
from pliant.solve.abi import Integers, Reals, at, call_model, call_service, entry, jit, service
from pliant.solve.context import (
    CHANGED,
    CORRECTION,
    EVALUATIONS,
    LEFT,
    NU,
    PIVOT,
    RANK,
    WEAK_ROW,
)  # fmt: skip
from pliant.solve.tree_layout import (
    F_CALL,
    F_EFFORT,
    F_NQ,
    F_NU,
    F_NUMBERS,
    F_Q,
    F_U,
    K_ACCELERATION,
    K_GAIN,
    K_NQ,
    K_NU,
    K_QDOT,
    K_W,
    L_A_INNER,
    L_KIND,
    L_Q,
    L_RECORD,
    L_SLOT,
    L_SLOT_INNER,
    L_U,
    L_W_INNER,
    LAW_INTS,
    LAWS,
    LINK_INTS,
    LINKS,
    N_LAWS,
    N_LINKS,
    N_QUATERNIONS,
    QUATERNIONS,
    SCRATCH,
    SWEEP1,
    SWEEP2,
    SWEEP3,
)  # fmt: skip


@jit
def efforts(ic: Integers, dc: Reals, x: Reals, out: Reals, keep: bool) -> None:
    """Efforts of all forces into the records; with ``keep`` all they say into ``out``."""
    scratch = at(dc, ic[SCRATCH])
    result = at(scratch, 16)
    for i in range(ic[N_LAWS]):
        dc[ic[ic[LAWS] + LAW_INTS * i + F_EFFORT]] = 0.0
    for i in range(ic[N_LAWS]):
        F = at(ic, ic[LAWS] + LAW_INTS * i)
        scratch[0] = x[0]
        for k in range(F[F_NQ]):
            scratch[1 + k] = x[F[F_Q] + k]
        for k in range(F[F_NU]):
            scratch[1 + F[F_NQ] + k] = x[F[F_U] + k]
        call_model(F[F_CALL], scratch, at(dc, F[F_NUMBERS]), result)
        dc[F[F_EFFORT]] += result[0]
        if keep:
            for k in range(LAW):
                out[LAW * i + k] = result[k]


@jit
def outwards(ic: Integers, dc: Reals, x: Reals, y: Reals) -> None:
    """First sweep: angular velocities and bias accelerations; y <- q'."""
    scratch = at(dc, ic[SCRATCH])
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, record, w = at(ic, L[L_KIND]), at(dc, L[L_RECORD]), at(dc, L[L_W_INNER])
        nq, q, u = K[K_NQ], at(x, L[L_Q]), at(x, L[L_U])
        for k in range(3):
            scratch[k] = w[k]
        for k in range(nq):
            scratch[3 + k] = q[k]
        for k in range(K[K_NU]):
            scratch[3 + nq + k] = u[k]
        call_model(K[SWEEP1], scratch, record, at(record, K[K_W]))
        for k in range(nq):
            y[L[L_Q] - 1 + k] = record[K[K_QDOT] + k]


@jit
def inwards(ic: Integers, dc: Reals) -> None:
    """Second sweep: articulated inertias, and the gains of every joint."""
    scratch = at(dc, ic[SCRATCH])
    for i in range(ic[N_LINKS] - 1, -1, -1):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, record, target = at(ic, L[L_KIND]), at(dc, L[L_RECORD]), L[L_SLOT_INNER]
        out = at(dc, target) if target > 0 else scratch
        call_model(K[SWEEP2], at(dc, L[L_SLOT]), record, out)
        if target < 0:
            sum_ = at(dc, -target)
            for k in range(INERTIA):
                sum_[k] += out[k]
        gain = at(record, K[K_GAIN])
        for k in range(7 * K[K_NU]):
            gain[k] = out[INERTIA + k]


@jit
def accelerations(ic: Integers, dc: Reals, a: Reals) -> int:
    """Third sweep: a <- u', at the places of u; 0 if all of them are numbers."""
    strange = 0.0
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, record = at(ic, L[L_KIND]), at(dc, L[L_RECORD])
        out = at(record, K[K_ACCELERATION])
        call_model(K[SWEEP3], at(dc, L[L_A_INNER]), record, out)
        for k in range(K[K_NU]):
            value = out[6 + k]
            a[L[L_U] + k] = value
            strange += value - value
    return 0 if strange == 0.0 else 1


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a in x, y <- q'."""
    ic[EVALUATIONS] += 1
    efforts(ic, dc, x, y, False)
    outwards(ic, dc, x, y)
    inwards(ic, dc)
    return accelerations(ic, dc, at(x, ic[NU]))


@service
def no_rows(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Rank, pivot and multipliers of a system without constraints."""
    ic[RANK], ic[CHANGED], ic[WEAK_ROW] = 0, 0, -1
    dc[PIVOT], dc[LEFT], dc[CORRECTION] = 1.0, 0.0, 0.0
    y[0] = 1.0
    return 0


@service
def settle_tree(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Unit quaternions."""
    dc[LEFT], dc[CORRECTION] = 0.0, 0.0
    for i in range(ic[N_QUATERNIONS]):
        e = at(x, ic[ic[QUATERNIONS] + i])
        length = np.sqrt(e[0] ** 2 + e[1] ** 2 + e[2] ** 2 + e[3] ** 2)
        if length > 0.0:
            for k in range(4):
                e[k] /= length
    return 0


@entry
def evaluate_forward(address: int, ic: Integers, dc: Reals, x: Reals, y: Reals, times: int) -> int:
    """``accelerate`` some times over (one for its result, many to measure it)."""
    code = 0
    for _ in range(times):
        code = call_service(address, ic, dc, x, y)
    return code
