"""Boxes of the generated graph where the user put them: what stands in them goes along, bonds to
others follow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond
from pliant.show.bonds.arranged import Arranged, cleaned
from pliant.show.bonds.by_hand import GRID, way_between
from pliant.show.bonds.groups import Grid


def with_moved_boxes(grid: Grid, own: Mapping[str, Arranged], found: Arranged) -> Arranged:
    """The drawing with some groups elsewhere; ``own``: every group about its own origin. What
    stands above a joint or body goes with it, unless it has a place itself."""
    shifts = {name: _shift(box, found) for name, box in own.items() if box.nodes}
    steps = {name: GRID * np.array(at, dtype=float) - (own[name].low + shifts[name])
             for name, at in grid.boxes.items() if name in shifts}  # fmt: skip
    steps |= {guest: steps[host] for guest, host in grid.hosts.items()
              if host in steps and guest not in steps and guest in shifts}  # fmt: skip
    if not steps:
        return found
    for name, step in steps.items():
        _move(grid, own[name], name, step, found)
    for bond, a, b in grid.outside():
        if a in steps or b in steps:
            found.ways[bond.name] = _way(found, own, bond, (a, b), grid)
    corners = [p for box in found.boxes for p in (box.low, box.high)]
    found.low, found.high = np.min(corners, axis=0), np.max(corners, axis=0)
    return found


def _shift(box: Arranged, found: Arranged) -> Array:
    """By how much a group stands from its own origin."""
    node = next(iter(box.nodes))
    return found.nodes[node] - box.nodes[node]


def _move(grid: Grid, box: Arranged, name: str, step: Array, found: Arranged) -> None:
    """A group with all that stands in it."""
    for places, kept in ((found.nodes, box.nodes), (found.frames, box.frames),
                         (found.held, box.held)):  # fmt: skip
        for key in kept:
            places[key] = places[key] + step
    for bond in grid.graph.bonds:
        if grid.owner[bond.tail] == grid.owner[bond.head] == name and bond.name in found.ways:
            found.ways[bond.name] = found.ways[bond.name] + step
    inside = {outline.name for outline in box.boxes}
    found.boxes = [b.moved(step) if b.name in inside else b for b in found.boxes]


def _way(
    found: Arranged, own: Mapping[str, Arranged], bond: Bond, groups: tuple[str, str], grid: Grid
) -> Array:
    """A bond between two groups: out of the one, across, into the other."""
    ends = []
    for node, group in zip((bond.tail, bond.head), groups, strict=True):
        box = own[group]
        way = box.exit(bond.name, node) + (found.nodes[node] - box.nodes[node])
        ends.append(way)
    boxes = [b for b in found.boxes if b.name in grid.groups and b.name not in groups]
    low = np.array([b.low for b in boxes]).reshape(-1, 2)
    high = np.array([b.high for b in boxes]).reshape(-1, 2)
    middle = way_between(ends[0][-1], ends[1][-1], low, high)
    return cleaned([*ends[0], *middle[1:-1], *ends[1][::-1]])
