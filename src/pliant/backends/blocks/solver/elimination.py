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

Order of elimination over blocks: minimum degree on the quotient graph.

Eliminating p joins all its neighbours: they form the element L_p, which is also the pattern of
column p of the factor. Neighbours are kept as sets of nodes (A_i, original edges) and of elements
(E_i); an element swallows those it was made of. The degree of i is bounded by

    d_i = |A_i \ i| + |L_p \ i| + sum over e in E_i, e != p, of |L_e \ L_p|

Source: Amestoy, Davis, Duff, An approximate minimum degree ordering algorithm (1996).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from heapq import heapify, heappop, heappush

import numpy as np

from pliant.arrays import Flags, Integers
from pliant.errors import CapabilityError
from pliant.records import dataclass

PORTION, MOST_UPDATES = 1_000_000, 200_000_000


def _pivot_groups(
    sizes: Integers,
    algebraic: Flags,
    touches: Sequence[Sequence[int]],
    light: Sequence[int] = (),
    bare: Sequence[int] = (),
) -> tuple[list[list[int]], list[int]]:
    """Blocks of every group (motion before multipliers), and the groups that have to wait.

    ``touches[k]``: the bodies the k-th algebraic block couples. Bodies at one joint only are served
    first, so that joints are handed out from the leaves of a tree inwards. ``light``: bodies
    without a regular A_b of their own; they are eliminated together with all they are jointed to.
    ``bare``: blocks with A_b = 0 that one joint determines; they are served before all others.
    """
    joints = np.flatnonzero(algebraic)
    rows = [int(sizes[j]) for j in joints]
    first, inner = _merged(touches, set(light))
    bodies = np.flatnonzero(~algebraic).tolist()
    room: dict[int, int] = {}
    for b in bodies:
        room[first.get(b, b)] = room.get(first.get(b, b), 0) + int(sizes[b])
    for k in inner:
        room[first[touches[k][0]]] -= rows[k]
    outer = [[] if k in inner else [first.get(b, b) for b in own] for k, own in enumerate(touches)]
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
        taker = first[touches[k][0]] if k in inner else owner[k]
        if taker >= 0:
            groups[place[taker]].append(j)
        else:
            waiting.append(len(groups))
            groups.append([j])
    return groups, waiting


def _merged(
    touches: Sequence[Sequence[int]], light: set[int]
) -> tuple[dict[int, int], set[int]]:  # fmt: skip
    """The first body of what every body is eliminated with, and the joints inside."""
    first: dict[int, int] = {}
    inner: set[int] = set()
    if not light:
        return first, inner

    def found(b: int) -> int:
        while first.setdefault(b, b) != b:
            b = first[b]
        return b

    for k, bodies in enumerate(touches):
        if light.intersection(bodies):
            inner.add(k)
            least = min(found(b) for b in bodies)
            for b in bodies:
                first[found(b)] = least
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
) -> EliminationPlan:
    """Order of elimination and program for blocks of unknowns.

    ``sizes``: unknowns of each block; ``algebraic``: multipliers; ``fixed``: no unknowns;
    ``light``, ``bare``: see ``pivot_groups``. Each array in ``cliques`` has one row of blocks per
    element that couples them.
    """
    touched = _touched(algebraic, fixed, cliques)
    groups, waiting = _pivot_groups(sizes, algebraic & ~fixed, touched, light, bare)
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


Columns = list[list[int]]


class Elimination:
    """State of the elimination by minimum degree. ``neighbours`` are consumed. Node i is eliminated
    only after all nodes in ``after[i]``; equal degrees are taken in the order of the numbers."""

    def __init__(
        self, neighbours: Sequence[set[int]], after: Sequence[Sequence[int]] = ()
    ) -> None:  # fmt: skip
        n = len(neighbours)
        self.nodes = list(neighbours)
        self.elements: list[set[int]] = [set() for _ in range(n)]
        self.members: list[set[int]] = [set() for _ in range(n)]
        self.degree = [len(s) for s in self.nodes]
        self.waits = [0] * n
        self.releases: list[list[int]] = [[] for _ in range(n)]
        for i, first in enumerate(after):
            self.waits[i] = len(first)
            for j in first:
                self.releases[j].append(i)

    def run(self) -> tuple[list[int], Columns]:
        """Order of the nodes, and for each of them (in that order) the later nodes its column
        meets."""
        n = len(self.nodes)
        queue = [(self.degree[i], i) for i in range(n) if not self.waits[i]]
        heapify(queue)
        order: list[int] = []
        columns: Columns = []
        done = [False] * n
        while queue:
            degree, p = heappop(queue)
            if done[p] or degree != self.degree[p]:
                continue
            done[p] = True
            order.append(p)
            columns.append(sorted(self._eliminate(p, queue)))
            for i in self.releases[p]:
                self.waits[i] -= 1
                if not self.waits[i]:
                    heappush(queue, (self.degree[i], i))
        if len(order) < n:
            raise ValueError("blocks that wait for each other cannot be ordered")
        return order, columns

    def _eliminate(self, p: int, queue: list[tuple[int, int]]) -> set[int]:
        """Make the element of p and renew the degrees of its members."""
        joined, old = self.nodes[p], self.elements[p]
        for e in old:
            joined |= self.members[e]
        joined.discard(p)
        outside: dict[int, int] = {}
        for i in joined:
            self.nodes[i] -= joined
            self.nodes[i].discard(p)
            self.elements[i] -= old
            for e in self.elements[i]:
                outside[e] = outside.get(e, len(self.members[e])) - 1
        for e in old:
            self.members[e] = set()
        self.members[p] = joined
        self.nodes[p], self.elements[p] = set(), set()
        for i in joined:
            swallowed = [e for e in self.elements[i] if outside[e] == 0]
            self.elements[i].difference_update(swallowed)
            beyond = sum(outside[e] for e in self.elements[i])
            self.elements[i].add(p)
            self.degree[i] = len(self.nodes[i]) + len(joined) - 1 + beyond
            if not self.waits[i]:
                heappush(queue, (self.degree[i], i))
        return joined
