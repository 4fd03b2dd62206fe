"""What is asked of the states of a tree: motion of some links, energies, reactions, forces.

One pass outwards for the motion of every link, one inwards for what its joint transmits, both O(n)
for each row; only what was asked for is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pliant.equations.tree_model import LAW, MOTION, OBSERVED
from pliant.solve.abi import Integers, Reals, at, call_model, entry, jit
from pliant.solve.context import NQ, NU
from pliant.solve.dynamics import Dynamics
from pliant.solve.tree import efforts
from pliant.solve.tree_layout import (
    GRAVITY,
    K_EFFORT,
    K_NQ,
    K_NU,
    L_INNER,
    L_KIND,
    L_Q,
    L_RECORD,
    L_U,
    LINK_INTS,
    LINKS,
    N_LAWS,
    N_LINKS,
    OBSERVE,
    REACTION,
    SCRATCH,
)  # fmt: skip

TOTALS = 3
"""Kinetic energy, potential energy, rate of kinetic energy."""
KEPT = MOTION + 1
"""Motion and kinetic energy of a link."""


@jit
def motions(ic: Integers, dc: Reals, x: Reals, work: Reals) -> None:
    """Motion, energies and needed wrench of every link; row 0 of ``work`` is the ground."""
    scratch, g = at(dc, ic[SCRATCH]), at(dc, ic[GRAVITY])
    nu = ic[NU]
    for i in range(ic[N_LINKS]):
        L = at(ic, ic[LINKS] + LINK_INTS * i)
        K, inner = at(ic, L[L_KIND]), at(work, (L[L_INNER] + 1) * OBSERVED)
        for k in range(MOTION):
            scratch[k] = inner[k]
        for k in range(3):
            scratch[MOTION + k] = g[k]
        own = at(scratch, MOTION + 3)
        for k in range(K[K_NQ]):
            own[k] = x[L[L_Q] + k]
        own = at(own, K[K_NQ])
        for k in range(K[K_NU]):
            own[k], own[K[K_NU] + k] = x[L[L_U] + k], x[L[L_U] + nu + k]
        call_model(K[OBSERVE], scratch, at(dc, L[L_RECORD]), at(work, (i + 1) * OBSERVED))


@jit
def transmit(ic: Integers, work: Reals) -> None:
    """Wrenches summed towards the ground: n_P += n + r x f, f_P += f (world axes)."""
    for i in range(ic[N_LINKS] - 1, -1, -1):
        inner = ic[ic[LINKS] + LINK_INTS * i + L_INNER]
        if inner < 0:
            continue
        outer, target = at(work, (i + 1) * OBSERVED), at(work, (inner + 1) * OBSERVED)
        n, f = at(target, MOTION + 3), at(outer, MOTION + 6)
        for k in range(3):
            j, m = (k + 1) % 3, (k + 2) % 3
            r_j, r_m = outer[9 + j] - target[9 + j], outer[9 + m] - target[9 + m]
            n[k] += outer[MOTION + 3 + k] + r_j * f[m] - r_m * f[j]
            n[3 + k] += f[k]


@jit
def reaction(ic: Integers, dc: Reals, x: Reals, work: Reals, i: int, out: Reals) -> None:
    """out <- force and torque of the joint of link i on its child."""
    scratch = at(dc, ic[SCRATCH])
    L = at(ic, ic[LINKS] + LINK_INTS * i)
    K, record = at(ic, L[L_KIND]), at(dc, L[L_RECORD])
    inner, outer = at(work, (L[L_INNER] + 1) * OBSERVED), at(work, (i + 1) * OBSERVED)
    for k in range(MOTION):
        scratch[k], scratch[MOTION + k] = inner[k], outer[k]
    own = at(scratch, 2 * MOTION)
    for k in range(6):
        own[k] = outer[MOTION + 3 + k]
    own = at(own, 6)
    for k in range(K[K_NQ]):
        own[k] = x[L[L_Q] + k]
    own = at(own, K[K_NQ])
    for k in range(K[K_NU]):
        own[k] = record[K[K_EFFORT] + k]
    call_model(K[REACTION], scratch, record, out)


@entry
def observe_tree(
    ic: Integers, dc: Reals, rows: Reals, count: int, links: Integers, n_links: int,
    joints: Integers, n_joints: int, work: Reals, out: Reals, width: int,
) -> int:  # fmt: skip
    """out[k] <- [ totals | motion of ``links`` | reactions of ``joints`` | all forces ]."""
    size = 1 + ic[NQ] + 2 * ic[NU]
    for row in range(count):
        x, y = at(rows, row * size), at(out, row * width)
        laws = at(y, TOTALS + KEPT * n_links + 6 * n_joints)
        efforts(ic, dc, x, laws, True)
        motions(ic, dc, x, work)
        for k in range(TOTALS):
            y[k] = 0.0
        for i in range(ic[N_LINKS]):
            for k in range(TOTALS):
                y[k] += work[(i + 1) * OBSERVED + MOTION + k]
        for i in range(ic[N_LAWS]):
            y[1] += laws[LAW * i + 2]
        for i in range(n_links):
            for k in range(KEPT):
                y[TOTALS + KEPT * i + k] = work[(links[i] + 1) * OBSERVED + k]
        if n_joints > 0:
            transmit(ic, work)
        for i in range(n_joints):
            reaction(ic, dc, x, work, joints[i], at(y, TOTALS + KEPT * n_links + 6 * i))
    return 0


@dataclass(frozen=True, slots=True)
class TreeTable:
    """What ``observe_tree`` gave: one row per state."""

    totals: NDArray[np.float64]
    motion: NDArray[np.float64]
    """(rows, links, KEPT)"""
    reactions: NDArray[np.float64]
    """(rows, joints, 6): force, torque"""
    laws: NDArray[np.float64]
    """(rows, forces, LAW)"""


def observe_states(
    dynamics: Dynamics, X: NDArray[np.float64], p: NDArray[np.float64],
    links: NDArray[np.int64], joints: NDArray[np.int64],
) -> TreeTable:  # fmt: skip
    """Motion of ``links`` and reactions of the joints of ``joints`` for rows of packed x."""
    ic, dc = dynamics.context(p)
    forces = int(ic[N_LAWS])
    ends = np.cumsum([TOTALS, KEPT * len(links), 6 * len(joints), LAW * forces])
    rows = np.ascontiguousarray(X, dtype=np.float64)
    out = np.zeros((len(rows), int(ends[-1])))
    work = np.zeros((int(ic[N_LINKS]) + 1, OBSERVED))
    work[0, [0, 4, 8]] = 1.0
    observe_tree(
        ic, dc, rows, len(rows), np.append(links, 0), len(links), np.append(joints, 0),
        len(joints), work, out, out.shape[1],
    )  # fmt: skip
    totals, motion, reactions, laws = np.split(out, ends[:-1], axis=1)
    shape = (len(rows), -1)
    return TreeTable(
        totals, motion.reshape(len(rows), len(links), KEPT),
        reactions.reshape(len(rows), len(joints), 6), laws.reshape(*shape, LAW)
        if forces else laws.reshape(len(rows), 0, LAW),
    )  # fmt: skip
