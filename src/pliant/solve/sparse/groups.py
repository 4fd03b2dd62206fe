"""Pivots: blocks that are eliminated together, so that no pivot is zero by construction.

The diagonal of a multiplier block is zero. So every joint is given to one of its bodies:

    [ A_b  -G_b^T ]
    [ G_b    0    ]        regular if G_b has full row rank and A_b is regular on its null space

A body takes joints as long as it has room (rows of its joints <= its size), a tree hands every
joint to its outer body. Joints that nobody can take (they close loops) wait until all their
bodies are eliminated.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Flags, Integers


def pivot_groups(
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
