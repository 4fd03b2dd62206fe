"""Services of a tree without constraints: articulated-body accelerations, O(n).

Three sweeps over the links: velocities outwards, articulated inertias inwards, accelerations
outwards. Each calls the function of the link's kind by address, so that code and compile time do
not depend on the number of links. What implicit methods need is in ``tree_residual`` and
``tree_dynamics``.
Source: Featherstone, Rigid Body Dynamics Algorithms (2008), 7.3.
"""

from __future__ import annotations

from pliant.backends.tree.loops import tree_layout as tl
from pliant.backends.tree.model import INERTIA, LAW
from pliant.solve.machine import context as c
from pliant.solve.machine.abi import (
    Integers,
    Reals,
    at,
    call_model,
    call_service,
    entry,
    jit,
    service,
)
from pliant.solve.machine.quaternions import unit


@jit
def efforts(ic: Integers, dc: Reals, x: Reals, out: Reals, keep: bool) -> None:
    """Efforts of all forces into the records, their entries of the energy book into dc[POWER]; with
    ``keep`` all they say into ``out``."""
    scratch = at(dc, ic[tl.SCRATCH])
    result = at(scratch, 16)
    supplied = dissipated = 0.0
    for i in range(ic[tl.N_LAWS]):
        dc[ic[ic[tl.LAWS] + tl.LAW_INTS * i + tl.F_EFFORT]] = 0.0
    for i in range(ic[tl.N_LAWS]):
        F = at(ic, ic[tl.LAWS] + tl.LAW_INTS * i)
        scratch[0] = x[0]
        for k in range(F[tl.F_NQ]):
            scratch[1 + k] = x[F[tl.F_Q] + k]
        for k in range(F[tl.F_NU]):
            scratch[1 + F[tl.F_NQ] + k] = x[F[tl.F_U] + k]
        call_model(F[tl.F_CALL], scratch, at(dc, F[tl.F_NUMBERS]), result)
        dc[F[tl.F_EFFORT]] += result[0]
        supplied += result[4]
        dissipated += result[5]
        if keep:
            for k in range(LAW):
                out[LAW * i + k] = result[k]
    dc[c.POWER], dc[c.POWER + 1] = supplied, dissipated


@jit
def outwards(ic: Integers, dc: Reals, x: Reals, y: Reals) -> None:
    """First sweep: angular velocities and bias accelerations; y <- q'."""
    scratch = at(dc, ic[tl.SCRATCH])
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, record, w = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_RECORD]), at(dc, L[tl.L_W_INNER])
        nq, q, u = K[tl.K_NQ], at(x, L[tl.L_Q]), at(x, L[tl.L_U])
        for k in range(3):
            scratch[k] = w[k]
        for k in range(nq):
            scratch[3 + k] = q[k]
        for k in range(K[tl.K_NU]):
            scratch[3 + nq + k] = u[k]
        call_model(K[tl.SWEEP1], scratch, record, at(record, K[tl.K_W]))
        for k in range(nq):
            y[L[tl.L_Q] - 1 + k] = record[K[tl.K_QDOT] + k]


@jit
def inwards(ic: Integers, dc: Reals) -> None:
    """Second sweep: articulated inertias, and the gains of every joint."""
    scratch = at(dc, ic[tl.SCRATCH])
    for i in range(ic[tl.N_LINKS] - 1, -1, -1):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, record, target = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_RECORD]), L[tl.L_SLOT_INNER]
        out = at(dc, target) if target > 0 else scratch
        call_model(K[tl.SWEEP2], at(dc, L[tl.L_SLOT]), record, out)
        if target < 0:
            sum_ = at(dc, -target)
            for k in range(INERTIA):
                sum_[k] += out[k]
        gain = at(record, K[tl.K_GAIN])
        for k in range(7 * K[tl.K_NU]):
            gain[k] = out[INERTIA + k]


@jit
def accelerations(ic: Integers, dc: Reals, a: Reals) -> int:
    """Third sweep: a <- u', at the places of u; 0 if all of them are numbers."""
    strange = 0.0
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, record = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_RECORD])
        out = at(record, K[tl.K_ACCELERATION])
        call_model(K[tl.SWEEP3], at(dc, L[tl.L_A_INNER]), record, out)
        for k in range(K[tl.K_NU]):
            value = out[6 + k]
            a[L[tl.L_U] + k] = value
            strange += value - value
    return 0 if strange == 0.0 else 1


@service
def accelerate(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """a in x, y <- q'."""
    ic[c.EVALUATIONS] += 1
    efforts(ic, dc, x, y, False)
    outwards(ic, dc, x, y)
    inwards(ic, dc)
    return accelerations(ic, dc, at(x, ic[c.NU]))


@service
def power_at(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """dc[POWER] <- powers at x; at the last state of ``accelerate`` they are there already."""
    efforts(ic, dc, x, y, False)
    return 0


@service
def no_rows(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Rank and multipliers of a system without constraints."""
    ic[c.RANK], ic[c.CHANGED] = 0, 0
    dc[c.PIVOT], dc[c.LEFT], dc[c.CORRECTION] = 1.0, 0.0, 0.0
    return 0


@service
def settle_tree(ic: Integers, dc: Reals, x: Reals, y: Reals) -> int:
    """Unit quaternions."""
    dc[c.LEFT], dc[c.CORRECTION] = 0.0, 0.0
    for i in range(ic[tl.N_QUATERNIONS]):
        unit(at(x, ic[ic[tl.QUATERNIONS] + i]))
    return 0


@entry
def evaluate_forward(address: int, ic: Integers, dc: Reals, x: Reals, y: Reals, times: int) -> int:
    """``accelerate`` some times over (one for its result, many to measure it)."""
    code = 0
    for _ in range(times):
        code = call_service(address, ic, dc, x, y)
    return code
