"""What is asked of the states of a tree: motion of some links, energies, reactions, forces,
momenta.

One pass outwards for the motion of every link, one inwards for what its joint transmits, both O(n)
for each row; only what was asked for is kept.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.backends.tree.loops import tree_layout as tl
from pliant.backends.tree.loops.forward import efforts
from pliant.backends.tree.model import (
    FRAME,
    LAW,
    MOMENTA,
    MOMENTUM,
    MOTION,
    OBSERVED,
    RELATIVE,
)
from pliant.records import dataclass
from pliant.solve.dynamics import Dynamics
from pliant.solve.machine.abi import Integers, Reals, at, call_model, entry, jit
from pliant.solve.machine.context import NQ, NU

TOTALS, WRENCH = 4, 6
"""Kinetic, potential and total energy, rate of kinetic energy; force and torque of a joint."""


@jit
def motions(ic: Integers, dc: Reals, x: Reals, work: Reals) -> None:
    """Motion, energies and needed wrench of every link; row 0 of ``work`` is the ground."""
    scratch, g = at(dc, ic[tl.SCRATCH]), at(dc, ic[tl.GRAVITY])
    nu = ic[NU]
    for i in range(ic[tl.N_LINKS]):
        L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
        K, inner = at(ic, L[tl.L_KIND]), at(work, (L[tl.L_INNER] + 1) * OBSERVED)
        for k in range(MOTION):
            scratch[k] = inner[k]
        for k in range(3):
            scratch[MOTION + k] = g[k]
        own = at(scratch, MOTION + 3)
        for k in range(K[tl.K_NQ]):
            own[k] = x[L[tl.L_Q] + k]
        own = at(own, K[tl.K_NQ])
        for k in range(K[tl.K_NU]):
            own[k], own[K[tl.K_NU] + k] = x[L[tl.L_U] + k], x[L[tl.L_U] + nu + k]
        call_model(K[tl.OBSERVE], scratch, at(dc, L[tl.L_RECORD]), at(work, (i + 1) * OBSERVED))


@jit
def transmit(ic: Integers, work: Reals) -> None:
    """Wrenches summed towards the ground: n_P += n + r x f, f_P += f (world axes)."""
    for i in range(ic[tl.N_LINKS] - 1, -1, -1):
        inner = ic[ic[tl.LINKS] + tl.LINK_INTS * i + tl.L_INNER]
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
    scratch = at(dc, ic[tl.SCRATCH])
    L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
    K, record = at(ic, L[tl.L_KIND]), at(dc, L[tl.L_RECORD])
    inner, outer = at(work, (L[tl.L_INNER] + 1) * OBSERVED), at(work, (i + 1) * OBSERVED)
    for k in range(MOTION):
        scratch[k], scratch[MOTION + k] = inner[k], outer[k]
    own = at(scratch, 2 * MOTION)
    for k in range(6):
        own[k] = outer[MOTION + 3 + k]
    own = at(own, 6)
    for k in range(K[tl.K_NQ]):
        own[k] = x[L[tl.L_Q] + k]
    own = at(own, K[tl.K_NQ])
    for k in range(K[tl.K_NU]):
        own[k] = record[K[tl.K_EFFORT] + k]
    call_model(K[tl.REACTION], scratch, record, out)


@jit
def totals(ic: Integers, work: Reals, laws: Reals, y: Reals) -> None:
    """y <- kinetic, potential and total energy, rate of kinetic energy."""
    kinetic = potential = rate = 0.0
    for i in range(ic[tl.N_LINKS]):
        own = at(work, (i + 1) * OBSERVED + MOTION)
        kinetic += own[0]
        potential += own[1]
        rate += own[2]
    for i in range(ic[tl.N_LAWS]):
        potential += laws[LAW * i + 2]
    y[0], y[1], y[2], y[3] = kinetic, potential, kinetic + potential, rate


@jit
def momenta(
    ic: Integers, dc: Reals, work: Reals, momentum: int, system: int, y: Reals
) -> None:  # fmt: skip
    """y <- centre of mass and momenta of all links, whose momenta are added up in the scratch."""
    own, total = at(dc, ic[tl.SCRATCH]), at(dc, ic[tl.SCRATCH] + MOMENTUM)
    for k in range(MOMENTUM):
        total[k] = 0.0
    for i in range(ic[tl.N_LINKS]):
        record = at(dc, ic[ic[tl.LINKS] + tl.LINK_INTS * i + tl.L_RECORD])
        call_model(momentum, at(work, (i + 1) * OBSERVED), at(record, 12), own)
        for k in range(MOMENTUM):
            total[k] += own[k]
    call_model(system, total, total, y)


@jit
def relative(ic: Integers, dc: Reals, x: Reals, i: int, out: Reals) -> None:
    """out <- motion across the joint of link i."""
    scratch = at(dc, ic[tl.SCRATCH])
    L = at(ic, ic[tl.LINKS] + tl.LINK_INTS * i)
    K = at(ic, L[tl.L_KIND])
    for k in range(K[tl.K_NQ]):
        scratch[k] = x[L[tl.L_Q] + k]
    for k in range(K[tl.K_NU]):
        scratch[K[tl.K_NQ] + k] = x[L[tl.L_U] + k]
    call_model(K[tl.ACROSS], scratch, at(dc, L[tl.L_RECORD]), out)


@entry
def observe_tree(
    ic: Integers, dc: Reals, rows: Reals, count: int, calls: Integers, asked: Integers,
    places: Reals, work: Reals, out: Reals, width: int,
) -> int:  # fmt: skip
    """out[k] <- [ totals | frames | reactions | motions across joints | all forces | momenta ].

    ``asked``: numbers of frames, reactions and joints, and whether momenta are, then the link of
    each; ``places``: X_OP of each frame; ``calls``: addresses of the functions that move a motion
    to P, give the momentum of a link and that of the system.
    """
    size = 1 + ic[NQ] + 2 * ic[NU]
    frames, joints, across = asked[0], asked[1], asked[2]
    links = at(asked, 4)
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
            own = at(work, (links[i] + 1) * OBSERVED)
            call_model(calls[0], own, at(places, 12 * i), at(moved, FRAME * i))
        if asked[3] > 0:
            momenta(ic, dc, work, calls[1], calls[2], at(laws, LAW * ic[tl.N_LAWS]))
        if joints > 0:
            transmit(ic, work)
        for i in range(joints):
            reaction(ic, dc, x, work, links[frames + i], at(held, WRENCH * i))
        for i in range(across):
            relative(ic, dc, x, links[frames + joints + i], at(turned, RELATIVE * i))
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
    momenta: bool = False

    @property
    def starts(self) -> dict[str, int]:
        sizes = [TOTALS, FRAME * len(self.frames), WRENCH * len(self.reactions),
                 RELATIVE * len(self.across), LAW * self.forces,
                 MOMENTA * self.momenta]  # fmt: skip
        ends = [0, *np.cumsum(sizes).tolist()]
        names = ("total", "frame", "reaction", "relative", "law", "momenta", "end")
        return dict(zip(names, ends, strict=True))


def observe_states(dynamics: Dynamics, X: Array, p: Array, asked: Asked) -> Array:
    """Rows of what was asked for, for rows of packed x."""
    ic, dc = dynamics.context(p)
    rows = np.ascontiguousarray(X, dtype=np.float64)
    out = np.zeros((len(rows), asked.starts["end"]))
    work = np.zeros((int(ic[tl.N_LINKS]) + 1, OBSERVED))
    work[0, [0, 4, 8]] = 1.0
    parts = (asked.frames, asked.reactions, asked.across)
    counts = [*(len(part) for part in parts), asked.momenta]
    which = np.concatenate([counts, *parts]).astype(np.int64)
    places = np.append(asked.places.ravel(), 0.0)
    names = ("frame", "momentum", "momenta")
    calls = np.array([dynamics.source.address(name) for name in names], dtype=np.int64)
    observe_tree(ic, dc, rows, len(rows), calls, which, places, work, out, out.shape[1])
    return out
