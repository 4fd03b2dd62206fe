"""What a choice of tree costs, before anything is derived; and the cheapest one.

    motion          bodies x 120                          poses, velocities, accelerations
    virtual work    Σ_bodies 20 x (speeds on the path)    generalised forces
    mass matrix     Σ_bodies 10 x (speeds on the path)²
    solution        (n + m)³ / 3 + 40 m                   elimination, constraint rows

These count multiplications and additions of the dense equations; elastic coordinates are not
counted, they are the same in every tree. Source: S1 section 4 (the tree is the analyst's choice).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from pliant.errors import InputError
from pliant.graphs.spanning_tree import GROUND, SystemGraph, spanning_tree
from pliant.model.model import Model

_MOST = 256
"""Spanning trees that are looked at."""


@dataclass(frozen=True, slots=True)
class TreeCost:
    """Coordinates, speeds, constraint equations and estimated operations of one evaluation."""

    coordinates: tuple[str, ...]
    speeds: int
    constraints: int
    operations: int


def tree_cost(graph: SystemGraph) -> TreeCost:
    """The cost of a tree."""
    driven = {getattr(graph.model.drivers[d], "joint", "") for d in graph.drivers}
    depth: dict[str, int] = {GROUND: 0}
    operations = 0
    for edge in graph.edges:
        depth[edge.outer] = depth[edge.inner] + edge.joint.nu
        operations += 120 + 20 * depth[edge.outer] + 10 * depth[edge.outer] ** 2
    moving = [e.joint for e in graph.edges if e.joint.name not in driven]
    speeds = sum(j.nu for j in moving)
    free = [d for n, d in graph.model.drivers.items() if n not in graph.drivers]
    constraints = sum(j.m for j in graph.cuts if not j.springs) + len(free)
    constraints += sum(c.m for c in graph.model.constraints.values())
    size = speeds + constraints
    operations += size**3 // 3 + 40 * constraints
    names = tuple(f"{j.name}.{c}" for j in moving for c in j.coordinate_names)
    return TreeCost(names, speeds, constraints, operations)


def cheapest_tree(model: Model) -> str | tuple[str, ...]:
    """The tree of joints (or the absolute one) with the smallest estimated cost."""
    best: tuple[int, str | tuple[str, ...]] | None = None
    for choice in _candidates(model):
        try:
            cost = tree_cost(spanning_tree(model, choice)).operations
        except InputError:
            continue
        if best is None or cost < best[0]:
            best = cost, choice
    assert best is not None
    return best[1]


def _candidates(model: Model) -> Iterator[str | tuple[str, ...]]:
    """The joint tree, then those that cut another joint of each loop, then the absolute tree."""
    first = spanning_tree(model)
    yield "joint"
    loops = [_loop(first, joint.name) for joint in first.cuts if joint.in_tree]
    for cut in islice(product(*loops), _MOST) if loops else ():
        if len(set(cut)) == len(cut):
            kept = [j.name for j in first.model.joints.values()
                    if j.in_tree and j.name not in cut]  # fmt: skip
            free = [e.outer for e in first.edges if e.joint.name not in first.model.joints]
            yield (*kept, *free)
    yield "absolute"


def _loop(graph: SystemGraph, cut: str) -> list[str]:
    """The joints of the loop that a cut joint closes, itself first."""
    joint = graph.model.joints[cut]
    up = {e.outer: e for e in graph.edges}

    def path(body: str) -> list[str]:
        names = []
        while body != GROUND:
            names.append(up[body].joint.name)
            body = up[body].inner
        return names

    a, b = (path(graph.model.frame(r)[0]) for r in (joint.parent, joint.child))
    ring = [n for n in (*a, *b) if (n in a) != (n in b)]
    return [cut, *(n for n in ring if n in graph.model.joints)]
