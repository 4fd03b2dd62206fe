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
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def pivot_groups(
    sizes: Integers, algebraic: NDArray[np.bool_], touches: Sequence[Sequence[int]]
) -> tuple[list[list[int]], list[int]]:
    """Blocks of every group (motion before multipliers), and the groups that have to wait.

    ``touches[k]``: the bodies the k-th algebraic block couples. Bodies at one joint only are served
    first, so that joints are handed out from the leaves of a tree inwards.
    """
    joints = np.flatnonzero(algebraic)
    owner = _owners(sizes, joints, touches)
    groups: list[list[int]] = []
    place: dict[int, int] = {}
    for b in np.flatnonzero(~algebraic).tolist():
        place[b] = len(groups)
        groups.append([b])
    waiting = []
    for k, j in enumerate(joints.tolist()):
        if owner[k] >= 0:
            groups[place[owner[k]]].append(j)
        else:
            waiting.append(len(groups))
            groups.append([j])
    return groups, waiting


def _owners(sizes: Integers, joints: Integers, touches: Sequence[Sequence[int]]) -> list[int]:
    """Body that takes each joint, -1: none."""
    at_body: dict[int, set[int]] = {}
    for k, bodies in enumerate(touches):
        for b in bodies:
            at_body.setdefault(b, set()).add(k)
    room = {b: int(sizes[b]) for b in at_body}
    owner = [-1] * len(joints)
    leaves = [b for b, own in at_body.items() if len(own) == 1]
    others = sorted(at_body, key=lambda b: len(at_body[b]), reverse=True)
    while leaves or others:
        b = leaves.pop() if leaves else others.pop()
        for k in sorted(at_body[b]):
            rows = int(sizes[joints[k]])
            if owner[k] < 0 and rows <= room[b]:
                owner[k], room[b] = b, room[b] - rows
                for other in touches[k]:
                    at_body[other].discard(k)
                    if len(at_body[other]) == 1:
                        leaves.append(other)
                break
    return owner
