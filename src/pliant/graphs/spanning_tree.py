"""The spanning tree of a model: which joints carry coordinates, which close loops.

The tree grows breadth first from the ground, so that paths are short; a joint marked ``cut: true``
closes a loop, one marked ``cut: false`` is preferred for the tree. A body that no joint reaches is
attached to the ground by a free joint, a point mass that nothing turns by a translation. The user's
model is never edited. Source: S4 (2.1)-(2.4).

Bodies float if no joint ties their group to the ground, whatever is cut. Point masses that nothing
turns have a position, and no rotation to be determined.

What a choice of tree costs, before anything is derived; and the cheapest one.

    motion          bodies x 120                          poses, velocities, accelerations
    virtual work    Σ_bodies 20 x (speeds on the path)    generalised forces
    mass matrix     Σ_bodies 10 x (speeds on the path)²
    solution        (n + m)³ / 3 + 40 m                   elimination, constraint rows

These count multiplications and additions of the dense equations; elastic coordinates are not
counted, they are the same in every tree. Source: S1 section 4 (the tree is the analyst's choice).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice, product

import numpy as np

from pliant.arrays import Integers
from pliant.errors import InputError
from pliant.model.joints import Free, Joint
from pliant.model.joints.lower_pairs import Translation
from pliant.model.model import Model
from pliant.model.networks.flat import touching
from pliant.records import dataclass

TreeChoice = str | Sequence[str]
"""``joint``, ``absolute``, or the names of the tree's joints and bodies (and of drivers)."""
GROUND = "ground"


@dataclass(frozen=True, slots=True)
class TreeEdge:
    """A joint of the tree, from the body nearer to the ground to the next one.

    ``flipped``: the joint's own parent is the outer body. Its coordinates keep their meaning.
    """

    joint: Joint
    inner: str
    outer: str
    flipped: bool


@dataclass(frozen=True, slots=True)
class SystemGraph:
    """A model with its spanning tree. ``edges`` are ordered: inner bodies come first."""

    model: Model
    edges: tuple[TreeEdge, ...]
    cuts: tuple[Joint, ...]
    tree: str
    drivers: tuple[str, ...] = ()
    """Drivers in the tree: the coordinates they drive are known functions of time."""

    @property
    def bodies(self) -> tuple[str, ...]:
        """Moving bodies in tree order; body i hangs on edge i."""
        return tuple(e.outer for e in self.edges)

    def incidence(self) -> Integers:
        """S (bodies x edges, ground first): +1 where edge j leaves body i, -1 where it ends."""
        index = {GROUND: 0, **{b: i + 1 for i, b in enumerate(self.bodies)}}
        S = np.zeros((len(index), len(self.edges)), dtype=np.int64)
        for j, e in enumerate(self.edges):
            S[index[e.inner], j], S[index[e.outer], j] = 1, -1
        return S

    def path(self) -> Integers:
        """T (edges x bodies): -1 where edge j lies on the path from the ground to body i.

        T S_moving = 1, where S_moving is the incidence matrix without the row of the ground.
        """
        where = {b: i for i, b in enumerate(self.bodies)}
        T = np.zeros((len(self.edges), len(self.edges)), dtype=np.int64)
        for i, e in enumerate(self.edges):
            T[i, i] = -1
            if e.inner != GROUND:
                T[:, i] += T[:, where[e.inner]]
        return T


def spanning_tree(model: Model, tree: TreeChoice = "joint", cut: Iterable[str] = ()) -> SystemGraph:
    """The graph of a model. ``absolute``: every body free, every joint cut.

    A list names the edges of the tree: joints (their coordinates), bodies (their position and
    orientation in space) and drivers of joints (nothing, their motion is known). ``cut`` names
    joints to be cut besides those marked in the model.
    """
    wanted = set(cut)
    if not isinstance(tree, str):
        if wanted:
            raise InputError("cut: a tree given by its edges leaves no joint to choose",
                             "leave the joints to be cut out of the tree")  # fmt: skip
        return _mixed_tree(model, list(tree))
    unknown = wanted - set(model.joints)
    if unknown:
        raise InputError(f"cut: no joint named {', '.join(sorted(unknown))}")
    if tree == "absolute":
        points = free_points(model)
        edges = [_free_edge(body, points) for body in model.bodies]
        return SystemGraph(model, tuple(edges), tuple(model.joints.values()), "absolute")
    if tree != "joint":
        cure = "use 'joint', 'absolute' or a list of joints and bodies"
        raise InputError(f"unknown tree {tree!r}", cure)
    return _joint_tree(model, wanted)


def _joint_tree(model: Model, wanted: set[str]) -> SystemGraph:
    usable = [j for j in model.joints.values()
              if j.in_tree and not (j.cut or j.springs or j.name in wanted)]  # fmt: skip
    usable.sort(key=lambda j: j.cut is None)  # joints that must stay in the tree come first
    touching = _neighbours(model, usable)
    edges: list[TreeEdge] = []
    reached, points = {GROUND}, free_points(model)
    _grow([GROUND], touching, reached, edges)
    for body in bases(model):
        if body not in reached:
            reached.add(body)
            edges.append(_free_edge(body, points))
            _grow([body], touching, reached, edges)
    in_tree = {e.joint.name for e in edges}
    cuts = tuple(j for j in model.joints.values() if j.name not in in_tree)
    return SystemGraph(model, tuple(edges), cuts, "joint")


def _mixed_tree(model: Model, names: list[str]) -> SystemGraph:
    """The tree of the named edges; every fault of the choice is reported at once."""
    drivers = [n for n in names if n in model.drivers]
    driven = {model.drivers[n].joint for n in drivers}
    joints = {n for n in names if n in model.joints} | driven
    bodies = [n for n in names if n in model.bodies]
    faults = [f"'{n}' is no joint, body or driver" for n in names
              if n not in joints and n not in bodies and n not in drivers]  # fmt: skip
    faults += [f"driver '{n}' does not give the position of a joint" for n in drivers
               if model.drivers[n].level != "position" or not model.drivers[n].joint]  # fmt: skip
    faults += [
        f"driver '{n}' gives an angle of a rotation, which is no coordinate of a tree"
        for n in drivers
        if model.drivers[n].joint in model.joints
        and model.drivers[n].coordinate
        in [c.name for c in model.joints[model.drivers[n].joint].measured]
    ]
    faults += [f"a {model.joints[n].kind} joint ('{n}') has no coordinates"
               for n in joints & set(model.joints) if not model.joints[n].in_tree]  # fmt: skip
    faults += [f"joint '{n}' is held by springs, which are no part of a tree"
               for n in joints & set(model.joints) if model.joints[n].springs]  # fmt: skip
    usable = [j for j in model.joints.values()
              if j.name in joints and j.in_tree and j.springs is None]  # fmt: skip
    touching = _neighbours(model, usable)
    edges: list[TreeEdge] = []
    reached, points = {GROUND}, free_points(model)
    _grow([GROUND], touching, reached, edges)
    for body in bodies:
        if body in reached:
            faults.append(f"body '{body}' is in the tree already, through joints")
            continue
        reached.add(body)
        edges.append(_free_edge(body, points))
        _grow([body], touching, reached, edges)
    used = {e.joint.name for e in edges}
    faults += [f"joint '{n}' would close a loop" for n in sorted(joints - used)
               if n in model.joints and model.joints[n].in_tree and not model.joints[n].springs
               and model.frame(model.joints[n].parent)[0] in reached]  # fmt: skip
    faults += [f"body '{b}' is not reached: name one of its joints, or the body itself"
               for b in model.bodies if b not in reached]  # fmt: skip
    if faults:
        raise InputError("tree: " + "; ".join(faults))
    cuts = tuple(j for j in model.joints.values() if j.name not in used)
    return SystemGraph(model, tuple(edges), cuts, ", ".join(names), tuple(drivers))


def _neighbours(model: Model, joints: Iterable[Joint]) -> Mapping[str, list[TreeEdge]]:
    touching: dict[str, list[TreeEdge]] = {}
    for j in joints:
        a, b = model.frame(j.parent)[0], model.frame(j.child)[0]
        touching.setdefault(a, []).append(TreeEdge(j, a, b, False))
        touching.setdefault(b, []).append(TreeEdge(j, b, a, True))
    return touching


def _grow(
    front: list[str],
    touching: Mapping[str, list[TreeEdge]],
    reached: set[str],
    edges: list[TreeEdge],
) -> None:
    """Breadth-first growth from the bodies in ``front``."""
    while front:
        following: list[str] = []
        for body in front:
            for edge in touching.get(body, ()):
                if edge.outer not in reached:
                    reached.add(edge.outer)
                    edges.append(edge)
                    following.append(edge.outer)
        front = following


def bases(model: Model) -> list[str]:
    """Bodies that may carry a free joint, those with their own initial pose first."""
    return sorted(model.bodies, key=lambda b: model.bodies[b].initial is None)


def _free_edge(body: str, points: Collection[str]) -> TreeEdge:
    joint = (Translation if body in points else Free)(f"{body}.free", GROUND, body)
    return TreeEdge(joint, GROUND, body, False)


def floating_bases(model: Model) -> list[str]:
    """The first body of every group that joints hold together but not to the ground; bodies with
    an initial pose of their own come first."""
    leader = {name: name for name in (GROUND, *model.bodies)}

    def found(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for joint in model.joints.values():
        if joint.in_tree:
            a, b = (found(model.frame(end)[0]) for end in (joint.parent, joint.child))
            leader[a] = b
    seen, first = {found(GROUND)}, []
    for name in bases(model):
        group = found(name)
        if group not in seen:
            seen.add(group)
            first.append(name)
    return first


def free_points(model: Model) -> frozenset[str]:
    """Bodies without inertia and with their mass at the origin, of whose orientation and rotation
    nothing is given, and which elements only pull at their origin."""
    found = {name for name, body in model.bodies.items() if body.is_point}
    if not found:
        return frozenset()
    for element, reference in touching(model):
        body, _, frame = reference.partition(".")
        if body in found and not (element.pulls and _at_origin(model, body, frame)):
            found.discard(body)
    return frozenset(found)


def _at_origin(model: Model, body: str, frame: str) -> bool:
    while frame:
        own = model.bodies[body].frames[frame]
        if not all(f.is_zero for f in own.position):
            return False
        frame = own.on
    return True


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
    driven = {graph.model.drivers[d].joint for d in graph.drivers}
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
