r"""The flat program of a block factorisation: offsets of blocks and of their updates.

Pivot k has the blocks D_k and, for every later pivot j its column meets, U_kj and L_jk; all of
them row-major, one after the other. Eliminating k is

    U_kj <- D_k^-1 U_kj,        A_ij <- A_ij - L_ik U_kj   for all i, j in the column of k

and where every A_ij stands is a number in ``targets``.

A pivot is a group of blocks that are eliminated together, so that none is zero by construction. The
diagonal of a multiplier block is zero. So every joint is given to one of its bodies:

    [ A_b  -G_b^T ]
    [ G_b    0    ]        regular if G_b has full row rank and A_b is regular on its null space

A body takes joints as long as it has room (rows of its joints <= its size), a tree hands every
joint to its outer body. Joints that nobody can take (they close loops) wait until all their
bodies are eliminated.

A body at rest that nothing holds but stiff joint springs (A_b = 0) hangs on the body before it: it
is eliminated together with the coordinates q of its joint and all rows of both,

    [ A_b   0  -G_b^T ]
    [  0   K_q    E   ]        regular as K_q is, for G_b has a row for each of its motions
    [ G_b  -E^T   0   ]

wherever the body before it is. What no spring holds (a pin) is held by what hangs on it at best,
and waits until that is eliminated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pliant.arrays import Flags, Integers
from pliant.backends.blocks.solver.minimum_degree import Elimination
from pliant.errors import CapabilityError
from pliant.records import dataclass

PORTION, MOST_UPDATES = 1_000_000, 200_000_000


def _pivot_groups(
    sizes: Integers,
    algebraic: Flags,
    touches: Sequence[Sequence[int]],
    light: Sequence[int] = (),
    bare: Sequence[int] = (),
    hung: Sequence[Sequence[int]] = (),
) -> tuple[list[list[int]], list[int]]:
    """Blocks of every group (motion before multipliers), and the groups that have to wait.

    ``touches[k]``: the bodies the k-th algebraic block couples. Bodies at one joint only are served
    first, so that joints are handed out from the leaves of a tree inwards. ``light``: bodies
    without a regular A_b of their own; they are eliminated together with all they are jointed to.
    ``bare``: blocks with A_b = 0 that one joint determines; they are served before all others.
    ``hung``: blocks of a body with its joint, which are eliminated together; ``light`` ones wait.
    """
    joints = np.flatnonzero(algebraic)
    rows = [int(sizes[j]) for j in joints]
    apart = {b: own for own in hung for b in own}
    first, inner = _merged(touches, set(light), [apart.get(int(j), ()) for j in joints])
    bodies = np.flatnonzero(~algebraic).tolist()
    room: dict[int, int] = {}
    for b in bodies:
        room[first.get(b, b)] = room.get(first.get(b, b), 0) + int(sizes[b])
    for k, b in inner.items():
        room[first[b]] -= rows[k]
    outer: list[list[int]] = [
        [] if k in inner else [first.get(b, b) for b in own] for k, own in enumerate(touches)
    ]
    owner = _owners(room, rows, outer, set(bare))
    groups: list[list[int]] = []
    place: dict[int, int] = {}
    for b in bodies:
        if first.get(b, b) == b:
            place[b] = len(groups)
            groups.append([])
        groups[place[first.get(b, b)]].append(b)
    waiting = []
    for k, j in enumerate(joints.tolist()):
        taker = first[inner[k]] if k in inner else owner[k]
        if taker >= 0:
            groups[place[taker]].append(j)
        else:
            waiting.append(len(groups))
            groups.append([j])
    waiting += sorted({place[first[b]] for b in light}) if hung else []
    return groups, waiting


def _merged(
    touches: Sequence[Sequence[int]], light: set[int], hung: Sequence[Sequence[int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """The first body of what every body is eliminated with; the joints inside, each with a body
    there. ``hung``: for each joint the blocks it is eliminated with, if they are given."""
    first: dict[int, int] = {}
    inner: dict[int, int] = {}
    if not light and not any(hung):
        return first, inner

    def found(b: int) -> int:
        while first.setdefault(b, b) != b:
            b = first[b]
        return b

    for k, bodies in enumerate(touches):
        together = [b for b in bodies if b in hung[k]]
        if not together and light.intersection(bodies):
            together = [*bodies]
        if together:
            inner[k] = together[0]
            least = min(found(b) for b in together)
            for b in together:
                first[found(b)] = least
    for b in light:
        found(b)
    return {b: found(b) for b in first}, inner


def _owners(
    room: dict[int, int], rows: Sequence[int], touches: Sequence[Sequence[int]], bare: set[int]
) -> list[int]:
    """Body that takes each joint, -1: none."""
    at_body: dict[int, set[int]] = {}
    for k, bodies in enumerate(touches):
        for b in bodies:
            at_body.setdefault(b, set()).add(k)
    owner = [-1] * len(rows)

    def take(b: int) -> list[int]:
        """The first joint b has room for; bodies that are left with one joint."""
        for k in sorted(at_body[b]):
            if owner[k] < 0 and rows[k] <= room[b]:
                owner[k], room[b] = b, room[b] - rows[k]
                for other in touches[k]:
                    at_body[other].discard(k)
                return [other for other in touches[k] if len(at_body[other]) == 1]
        return []

    for b in [b for b in at_body if b in bare and len(at_body[b]) == 1]:
        take(b)
    leaves = [b for b, own in at_body.items() if len(own) == 1]
    others = sorted(at_body, key=lambda b: len(at_body[b]), reverse=True)
    while leaves or others:
        leaves += take(leaves.pop() if leaves else others.pop())
    return owner


@dataclass(frozen=True, slots=True)
class EliminationPlan:
    """Pivots are numbered in the order of elimination.

    ``first[k]:first[k + 1]`` are the entries of pivot k in ``column``, ``lower`` and ``upper``;
    ``update[k]`` is where its targets begin. ``pivot`` and ``inner`` say for every block of
    unknowns in which pivot it is and where in it (-1: not an unknown).
    """

    size: Integers
    start: Integers
    diagonal: Integers
    first: Integers
    column: Integers
    lower: Integers
    upper: Integers
    update: Integers
    targets: Integers
    pivot: Integers
    inner: Integers
    length: int

    @property
    def n(self) -> int:
        """Number of unknowns."""
        return int(self.size.sum())

    def place(self, row: Integers, col: Integers) -> tuple[Integers, Integers]:
        """Offset of the first number of block (row, col), and the distance of its rows."""
        i, j = self.pivot[row], self.pivot[col]
        early, late = np.minimum(i, j), np.maximum(i, j)
        offset = self.diagonal[i].copy()
        off = np.flatnonzero((i != j) & (i >= 0) & (j >= 0))
        entry = self.entries(early[off], late[off])
        offset[off] = np.where(i[off] < j[off], self.upper[entry], self.lower[entry])
        lead = self.size[j]
        offset += self.inner[row] * lead + self.inner[col]
        offset[(i < 0) | (j < 0)] = -1
        return offset, lead

    def entries(self, early: Integers, late: Integers) -> Integers:
        """Number of the entry (early, late) in ``column``."""
        count = len(self.size)
        owner = np.repeat(np.arange(count), np.diff(self.first))
        return np.searchsorted(owner * count + self.column, early * count + late)


def program_of(
    sizes: Integers,
    algebraic: Flags,
    fixed: Flags,
    cliques: Sequence[Integers],
    light: Sequence[int] = (),
    bare: Sequence[int] = (),
    hung: Sequence[Sequence[int]] = (),
) -> EliminationPlan:
    """Order of elimination and program for blocks of unknowns.

    ``sizes``: unknowns of each block; ``algebraic``: multipliers; ``fixed``: no unknowns;
    ``light``, ``bare``, ``hung``: see ``_pivot_groups``. Each array in ``cliques`` has one row of
    blocks per element that couples them.
    """
    touched = _touched(algebraic, fixed, cliques)
    groups, waiting = _pivot_groups(sizes, algebraic & ~fixed, touched, light, bare, hung)
    group_of = np.full(len(sizes), -1)
    for g, blocks in enumerate(groups):
        group_of[blocks] = g
    group_of[fixed] = -1
    groups = [[b for b in blocks if not fixed[b]] for blocks in groups]
    neighbours = _graph(len(groups), group_of, cliques)
    late = set(waiting)
    after = [sorted(neighbours[g] - late) if g in late else [] for g in range(len(groups))]
    order, columns = Elimination(neighbours, after if late else ()).run()
    kept = [k for k, g in enumerate(order) if groups[g]]
    return _offsets(sizes, groups, [order[k] for k in kept], [columns[k] for k in kept])


def _touched(algebraic: Flags, fixed: Flags, cliques: Sequence[Integers]) -> list[list[int]]:
    """Moving bodies at every block of multipliers."""
    touched: dict[int, set[int]] = {int(j): set() for j in np.flatnonzero(algebraic & ~fixed)}
    for table in cliques:
        used = table[(algebraic & ~fixed)[table].any(axis=1)]
        for row in used.tolist():
            bodies = [b for b in row if not algebraic[b] and not fixed[b]]
            for j in row:
                if j in touched:
                    touched[j].update(bodies)
    return [sorted(bodies) for bodies in touched.values()]


def _graph(count: int, group_of: Integers, cliques: Sequence[Integers]) -> list[set[int]]:
    """Neighbours of every group."""
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for table in cliques:
        groups = group_of[table]
        for a in range(groups.shape[1]):
            for b in range(groups.shape[1]):
                i, j = groups[:, a], groups[:, b]
                coupled = (i != j) & (i >= 0) & (j >= 0)
                for x, y in zip(i[coupled].tolist(), j[coupled].tolist(), strict=True):
                    neighbours[x].add(y)
    return neighbours


def _offsets(
    sizes: Integers, groups: list[list[int]], order: list[int], columns: list[list[int]]
) -> EliminationPlan:
    """Lay the blocks out in the order of elimination."""
    position = np.full(len(groups), -1)
    position[order] = np.arange(len(order))
    pivot, inner = np.full(len(sizes), -1), np.zeros(len(sizes), dtype=np.int64)
    size = np.zeros(len(order), dtype=np.int64)
    for k, g in enumerate(order):
        for b in groups[g]:
            pivot[b], inner[b] = k, size[k]
            size[k] += sizes[b]
    counts = np.array([len(c) for c in columns], dtype=np.int64)
    first = _starts(counts)
    owner = np.repeat(np.arange(len(order)), counts)
    flat = [g for c in columns for g in c]
    column = position[np.array(flat, dtype=np.int64)]
    column = column[np.lexsort((column, owner))]
    area = size[owner] * size[column]
    whole = _starts(size**2 + 2 * np.bincount(owner, area, len(order)).astype(np.int64))
    within = _starts(area)[:-1]
    within = within - within[first[owner]] if len(owner) else within
    upper = whole[owner] + size[owner] ** 2 + within
    lower = upper + np.bincount(owner, area, len(order)).astype(np.int64)[owner]
    made = EliminationPlan(
        size, _starts(size)[:-1], whole[:-1], first, column, lower, upper,
        _starts(counts**2), np.zeros(0, dtype=np.int64), pivot, inner, int(whole[-1]),
    )  # fmt: skip
    return _with_targets(made, counts, owner)


def _with_targets(made: EliminationPlan, counts: Integers, owner: Integers) -> EliminationPlan:
    """Where L_ik U_kj is subtracted, for all pairs of entries of every pivot."""
    total = int(made.update[-1])
    if total > MOST_UPDATES:
        raise CapabilityError(
            f"blocks are coupled too densely: elimination takes {total:.1e} block products, "
            f"at most {MOST_UPDATES:.0e} are listed"
        )
    targets = np.empty(total, dtype=np.int64)
    repeats = counts[owner]
    ends = np.cumsum(repeats)
    low = 0
    while low < len(ends):  # about ``PORTION`` pairs are worked on at a time
        begin = int(ends[low] - repeats[low])
        high = max(low + 1, int(np.searchsorted(ends, begin + PORTION)))
        targets[begin : ends[high - 1]] = _targets(made, owner, repeats, low, high)
        low = high
    return replace(made, targets=targets)


def _targets(
    made: EliminationPlan, owner: Integers, repeats: Integers, low: int, high: int
) -> Integers:
    """Targets of all pairs whose first entry is in the range."""
    own = repeats[low:high]
    row_entry = np.repeat(np.arange(low, high), own)
    within = np.arange(len(row_entry)) - np.repeat(_starts(own)[:-1], own)
    col_entry = made.first[owner[row_entry]] + within
    i, j = made.column[row_entry], made.column[col_entry]
    targets = made.diagonal[i]
    off = np.flatnonzero(i != j)
    entry = made.entries(np.minimum(i, j)[off], np.maximum(i, j)[off])
    targets[off] = np.where(i[off] < j[off], made.upper[entry], made.lower[entry])
    return targets


def _starts(counts: Integers) -> Integers:
    """[0, c0, c0 + c1, ...]."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
