"""What is asked of the states of a tree: motion of some links, energies, reactions, forces.

One pass outwards for the motion of every link, one inwards for what its joint transmits, both O(n)
for each row; only what was asked for is kept.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.equations.tree_model import FRAME, LAW, MOTION, OBSERVED, RELATIVE
from pliant.solve.abi import Integers, Reals, at, call_model, entry, jit
from pliant.solve.context import NQ, NU
from pliant.solve.dynamics import Dynamics
from pliant.solve.tree import efforts
from pliant.solve.tree_layout import (
    ACROSS,
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

TOTALS, WRENCH = 4, 6
"""Kinetic, potential and total energy, rate of kinetic energy; force and torque of a joint."""


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


@jit
def totals(ic: Integers, work: Reals, laws: Reals, y: Reals) -> None:
    """y <- kinetic, potential and total energy, rate of kinetic energy."""
    kinetic = potential = rate = 0.0
    for i in range(ic[N_LINKS]):
        own = at(work, (i + 1) * OBSERVED + MOTION)
        kinetic += own[0]
        potential += own[1]
        rate += own[2]
    for i in range(ic[N_LAWS]):
        potential += laws[LAW * i + 2]
    y[0], y[1], y[2], y[3] = kinetic, potential, kinetic + potential, rate


@jit
def relative(ic: Integers, dc: Reals, x: Reals, i: int, out: Reals) -> None:
    """out <- motion across the joint of link i."""
    scratch = at(dc, ic[SCRATCH])
    L = at(ic, ic[LINKS] + LINK_INTS * i)
    K = at(ic, L[L_KIND])
    for k in range(K[K_NQ]):
        scratch[k] = x[L[L_Q] + k]
    for k in range(K[K_NU]):
        scratch[K[K_NQ] + k] = x[L[L_U] + k]
    call_model(K[ACROSS], scratch, at(dc, L[L_RECORD]), out)


@entry
def observe_tree(
    ic: Integers, dc: Reals, rows: Reals, count: int, frame: int, asked: Integers, places: Reals,
    work: Reals, out: Reals, width: int,
) -> int:  # fmt: skip
    """out[k] <- [ totals | frames | reactions | motions across joints | all forces ].

    ``asked``: numbers of frames, reactions and joints, then the link of each; ``places``: X_OP of
    each frame; ``frame``: address of the function that moves a motion to P.
    """
    size = 1 + ic[NQ] + 2 * ic[NU]
    frames, joints, across = asked[0], asked[1], asked[2]
    for row in range(count):
        x, y = at(rows, row * size), at(out, row * width)
        moved = at(y, TOTALS)
        held = at(moved, FRAME * frames)
        turned = at(held, WRENCH * joints)
        laws = at(turned, RELATIVE * across)
        efforts(ic, dc, x, laws, True)
        motions(ic, dc, x, work)
        totals(ic, work, laws, y)
        for i in range(frames):
            own = at(work, (asked[3 + i] + 1) * OBSERVED)
            call_model(frame, own, at(places, 12 * i), at(moved, FRAME * i))
        if joints > 0:
            transmit(ic, work)
        for i in range(joints):
            reaction(ic, dc, x, work, asked[3 + frames + i], at(held, WRENCH * i))
        for i in range(across):
            relative(ic, dc, x, asked[3 + frames + joints + i], at(turned, RELATIVE * i))
    return 0


@dataclass(frozen=True, slots=True)
class Asked:
    """What an observe pass gives in each row: where the parts start follows from the counts."""

    frames: Integers
    """Links."""
    places: Array
    """X_OP of each frame: R_OP column by column, p_OP."""
    reactions: Integers
    across: Integers
    forces: int

    @property
    def starts(self) -> dict[str, int]:
        sizes = [TOTALS, FRAME * len(self.frames), WRENCH * len(self.reactions),
                 RELATIVE * len(self.across), LAW * self.forces]  # fmt: skip
        ends = [0, *np.cumsum(sizes).tolist()]
        return dict(
            zip(("total", "frame", "reaction", "relative", "law", "end"), ends, strict=True)
        )


def observe_states(dynamics: Dynamics, X: Array, p: Array, asked: Asked) -> Array:
    """Rows of what was asked for, for rows of packed x."""
    ic, dc = dynamics.context(p)
    rows = np.ascontiguousarray(X, dtype=np.float64)
    out = np.zeros((len(rows), asked.starts["end"]))
    work = np.zeros((int(ic[N_LINKS]) + 1, OBSERVED))
    work[0, [0, 4, 8]] = 1.0
    parts = (asked.frames, asked.reactions, asked.across)
    which = np.concatenate([[len(part) for part in parts], *parts]).astype(np.int64)
    places = np.append(asked.places.ravel(), 0.0)
    frame = dynamics.source.address("frame")
    observe_tree(ic, dc, rows, len(rows), frame, which, places, work, out, out.shape[1])
    return out
