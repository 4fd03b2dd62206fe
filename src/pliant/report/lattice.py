"""Bars between neighbouring nodes: how a body with given modes is drawn."""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array

_NEAREST = 3


def neighbours(points: Array) -> list[tuple[int, int]]:
    """Pairs of nodes to connect: each with its nearest ones, and all of them in one piece."""
    count = len(points)
    if count < 2:
        return []
    away = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.fill_diagonal(away, np.inf)
    pairs = set(_tree(away))
    for a in range(count):
        for b in np.argsort(away[a], kind="stable")[:_NEAREST]:
            if away[a, b] <= 1.3 * away[a].min():
                pairs.add((min(a, int(b)), max(a, int(b))))
    return sorted(pairs)


def _tree(away: Array) -> list[tuple[int, int]]:
    """The shortest bars that connect all nodes."""
    nearest, gap = np.zeros(len(away), dtype=int), away[0].copy()
    outside = np.arange(len(away)) > 0
    pairs = []
    while outside.any():
        b = int(np.argmin(np.where(outside, gap, np.inf)))
        a = int(nearest[b])
        pairs.append((min(a, b), max(a, b)))
        outside[b] = False
        closer = away[b] < gap
        nearest[closer], gap[closer] = b, away[b][closer]
    return pairs
