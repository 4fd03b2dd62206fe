"""Where everything of a tree stands in its context (ic, dc)."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.backends.tree.model import TreeModel, TreeNumbers
from pliant.code.llvm import fence
from pliant.solve.machine import context as c

(
    N_LINKS, LINKS, N_LAWS, LAWS, N_QUATERNIONS, QUATERNIONS, GRAVITY, SCRATCH, PIVOTS,
) = range(c.IC_HEADER, c.IC_HEADER + 9)  # fmt: skip
TREE_HEADER = c.IC_HEADER + 9

KIND_INTS = 23
"""A kind: its functions and sizes, and where parts of a record and of a Newton record start."""
(
    SWEEP1, SWEEP2, SWEEP3, OBSERVE, REACTION, K_NQ, K_NU, K_W, K_QDOT, K_EFFORT, K_GAIN,
    K_ACCELERATION, ACROSS, CARRY, COLLECT, BLOCKS, RATES, SPEEDS, N_SLOPES, N_WRENCH, N_CHANGE,
    N_FACTOR, N_FACTOR_COMPLEX,
) = range(23)  # fmt: skip

LINK_INTS = 11
"""A link: its kind (in ic); coordinates and speeds (in x); record, w and acceleration of the link
it hangs on, inertia of what hangs on it, inertia it adds to (in dc; negative: add, 0: none); the
link it hangs on; its Newton record and the change of state of the link it hangs on (in dc)."""
(
    L_KIND, L_Q, L_U, L_RECORD, L_W_INNER, L_A_INNER, L_SLOT, L_SLOT_INNER, L_INNER, L_NEWTON,
    L_CHANGE_INNER,
) = range(11)  # fmt: skip

LAW_INTS = 9
"""A force: address; coordinates and speeds of its joint (in x) and their counts; its numbers, and
where its effort goes (in dc); address of its slopes, and the row they go to (in dc)."""
F_CALL, F_Q, F_NQ, F_U, F_NU, F_NUMBERS, F_EFFORT, F_SLOPE, F_ROW = range(9)

STATE = 9
"""Numbers of the state of a link that its outer links read: w, alpha, acc."""
N_PLACE, N_TURN, N_GYRO, N_BASIS = 9, 12, 30, 48
"""A Newton record is [ R 9 | p 3 | d(alpha, acc)/dw_P 18 | d(wrench)/dw 18 | S 6 nu | S_u 9 nu |
S_q 9 nu | Y 6 nu | W_q nu^2 | W_u nu^2 | F 6 | ds 9 (complex: 18) | factor | complex factor ];
a factor is [ B 9 nu | Z 6 nu | K 9 nu | D^-1 nu^2 ] (``tree_dynamics``)."""
SLOT = 112
"""Room for an articulated inertia and the gains that follow it, or for a complex 6 x 9 matrix."""
WORK = 40
"""Where matrices of an elimination start in the scratch."""
SCRATCH_SIZE = WORK + 2 * (54 + 54 + 36 + 36 + 6)

_FUNCTIONS = {
    SWEEP1: "sweep1", SWEEP2: "sweep2", SWEEP3: "sweep3", OBSERVE: "motion", REACTION: "reaction",
    ACROSS: "relative", CARRY: "carry", COLLECT: "collect", BLOCKS: "blocks", RATES: "rates",
    SPEEDS: "speeds",
}  # fmt: skip


def newton_starts(nu: int) -> tuple[int, int, int, int, int, int]:
    """Where slopes, wrench, change and factors start in a Newton record, and its size."""
    slopes = N_BASIS + 30 * nu
    wrench = slopes + 2 * nu * nu
    change = _aligned(wrench + 6)
    factor = _aligned(change + 2 * STATE)
    size = _aligned(24 * nu + nu * nu)
    return slopes, wrench, change, factor, factor + size, factor + 3 * size


def tree_context(
    tree: TreeModel, numbers: TreeNumbers, implicit: bool = True
) -> tuple[Integers, Array]:
    """Context arrays of a tree; room for the Newton matrix only if it is asked for."""
    p = np.array([*numbers.parameters.values()])
    records, size = _records(tree, np.array([k.size for k in tree.kinds]))
    slot, slot_inner, slots = inertia_slots(tree.parent)
    parameters = c.DC_HEADER
    gravity = parameters + len(p) + 1 + fence.WORDS
    ground = gravity + 3 + fence.WORDS
    first = _aligned(ground + 9 + fence.WORDS)
    laws = first + size + fence.WORDS
    scratch = _aligned(laws + numbers.laws.size + fence.WORDS)
    pool = _aligned(scratch + SCRATCH_SIZE + fence.WORDS)
    still = pool + SLOT * slots + fence.WORDS
    newton = _aligned(still + 2 * STATE + fence.WORDS)
    rooms, room = _records(tree, np.array([newton_starts(k.nu)[-1] for k in tree.kinds]))
    dc = np.zeros(newton + room if implicit else newton)
    fence.mark(dc, [end - fence.WORDS for end in (gravity, ground, first, laws, scratch, pool,
                                                  still, newton)])  # fmt: skip
    dc[parameters : parameters + len(p)] = p
    dc[gravity : gravity + 3] = numbers.gravity
    dc[ground + 6 : ground + 9] = -numbers.gravity
    dc[laws : laws + numbers.laws.size] = numbers.laws.ravel()
    dc[c.PIVOT] = 1.0
    _fill_constants(tree, numbers, dc, first + records)
    kinds = _kinds(tree)
    links = _links(tree, first + records, ground, TREE_HEADER)
    links[:, L_SLOT] = pool + SLOT * slot
    links[:, L_SLOT_INNER] = np.sign(slot_inner) * (pool + SLOT * np.abs(slot_inner))
    forces = _laws(tree, first + records, laws, numbers.laws.shape[1])
    quaternions = [1 + start for start in tree.layout.quaternions]
    parts = [np.zeros(TREE_HEADER, dtype=np.int64), kinds, links, forces,
             np.array([0, *quaternions], dtype=np.int64), np.zeros(6, dtype=np.int64)]  # fmt: skip
    if implicit:
        _newton(tree, newton + rooms, still, links, forces)
    ic = np.concatenate([part.ravel() for part in parts])
    starts = np.cumsum([0] + [part.size for part in parts])
    header = {
        c.LEN_IC: len(ic), c.LEN_DC: len(dc), c.LEN_X: 1 + tree.nq + 2 * tree.nu,
        c.LEN_Y: 2 * tree.nq + tree.nu + 16, c.NQ: tree.nq, c.NU: tree.nu, c.ND: tree.nu,
        c.HAS_LAM: 1, c.EXACT: 1, c.LEVEL: c.LEVEL_ACCELERATION, c.PARAMETERS: parameters,
        c.N_PARAMETERS: len(p), c.PLACE: starts[4], N_LINKS: tree.n, LINKS: starts[2],
        N_LAWS: len(forces), LAWS: starts[3], N_QUATERNIONS: len(quaternions),
        QUATERNIONS: starts[4] + 1, GRAVITY: gravity, SCRATCH: scratch,
        PIVOTS: starts[5],
    }  # fmt: skip
    for where, value in header.items():
        ic[where] = value
    return ic, dc


def _aligned(k: Any) -> Any:
    """The next full cache line."""
    return -(-k // 8) * 8


def _records(tree: TreeModel, size: Integers) -> tuple[Integers, int]:
    """Where each record starts for some size of each kind, and the room for all."""
    sizes = _aligned(size)[tree.kind]
    ends = np.cumsum(sizes)
    return ends - sizes, int(ends[-1])


def inertia_slots(parent: Integers) -> tuple[Integers, Integers, int]:
    """Rooms for articulated inertias, shared: a room is in use only from the first outer link to
    the link itself, so that a chain needs two.

    Returns the room of each link (0: nothing hangs on it), the room it adds to (positive: first to
    write; negative: adds; 0: the ground), and how many there are.
    """
    n = len(parent)
    own, inner = np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    free: list[int] = []
    count = 1
    for i in range(n - 1, -1, -1):
        k = parent[i]
        if k >= 0:
            if own[k]:
                inner[i] = -own[k]
            else:
                if not free:
                    free.append(count)
                    count += 1
                own[k] = inner[i] = free.pop()
        if own[i]:
            free.append(int(own[i]))
    return own, inner, count


def _fill_constants(tree: TreeModel, numbers: TreeNumbers, dc: Array, records: Integers) -> None:
    for k, kind in enumerate(tree.kinds):
        links = np.flatnonzero(tree.kind == k)
        where = records[links][:, None] + np.arange(kind.w)
        dc[where] = numbers.constants[links][:, : kind.w]


def _kinds(tree: TreeModel) -> Integers:
    table = np.zeros((len(tree.kinds), KIND_INTS), dtype=np.int64)
    for k, kind in enumerate(tree.kinds):
        table[k, K_NQ : K_ACCELERATION + 1] = [kind.nq, kind.nu, kind.w, kind.qdot, kind.effort,
                                               kind.gain, kind.acceleration]  # fmt: skip
        for slot, name in _FUNCTIONS.items():
            table[k, slot] = tree.machine.address.get(f"k{k}_{name}", 0)
        table[k, N_SLOPES : N_FACTOR_COMPLEX + 1] = newton_starts(kind.nu)[:-1]
    return table


def _links(tree: TreeModel, records: Integers, ground: int, kinds: int) -> Integers:
    table = np.zeros((tree.n, LINK_INTS), dtype=np.int64)
    w = np.array([k.w for k in tree.kinds], dtype=np.int64)[tree.kind] + records
    a = np.array([k.acceleration for k in tree.kinds], dtype=np.int64)[tree.kind] + records
    table[:, L_KIND] = kinds + KIND_INTS * tree.kind
    table[:, L_Q], table[:, L_U] = 1 + tree.q, 1 + tree.nq + tree.u
    table[:, L_RECORD], table[:, L_INNER] = records, tree.parent
    table[:, L_W_INNER] = np.append(w, ground)[tree.parent]
    table[:, L_A_INNER] = np.append(a, ground + 3)[tree.parent]
    return table


def _laws(tree: TreeModel, records: Integers, numbers: int, width: int) -> Integers:
    m, link = len(tree.law), tree.law_link
    table = np.zeros((m, LAW_INTS), dtype=np.int64)
    if m:
        address = np.array([tree.address(f"law{k}") for k in range(len(tree.laws))], dtype=np.int64)
        sizes = np.array([(k.nq, k.nu, k.effort) for k in tree.kinds], dtype=np.int64)[tree.kind]
        table[:, F_CALL] = address[tree.law]
        table[:, F_Q], table[:, F_U] = 1 + tree.q[link], 1 + tree.nq + tree.u[link]
        table[:, F_NQ], table[:, F_NU] = sizes[link, 0], sizes[link, 1]
        table[:, F_NUMBERS] = numbers + width * np.arange(m)
        table[:, F_EFFORT] = records[link] + sizes[link, 2] + tree.law_u - tree.u[link]
        slope = [tree.address(f"law{k}_slope") for k in range(len(tree.laws))]
        table[:, F_SLOPE] = np.array(slope, dtype=np.int64)[tree.law]
    return table


def _newton(tree: TreeModel, rooms: Integers, still: int, links: Integers, laws: Integers) -> None:
    """What links and laws know of Newton records that start at ``rooms``."""
    starts = np.array([newton_starts(k.nu) for k in tree.kinds], dtype=np.int64)[tree.kind]
    slopes, change = starts[:, 0] + rooms, starts[:, 2] + rooms
    links[:, L_NEWTON] = rooms
    links[:, L_CHANGE_INNER] = np.append(change, still)[tree.parent]
    row, link = tree.law_u - tree.u[tree.law_link], tree.law_link
    laws[:, F_ROW] = slopes[link] + laws[:, F_NU] * row
