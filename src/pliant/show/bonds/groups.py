"""The elements of a multibond graph by owner: where the owners stand, and what is written.

The ground is at the left; along every branch of the spanning tree joints and bodies alternate, one
column each, so that chains run from left to right. A joint that closes a loop stands in the column
of its outer body, or behind two of one column. Forces and drivers stand above what they act on.

An element is written as 1:R, 0, TF:A, I:m, C:K, R:D, Se, CN, EJS, SUM. In networks every element
has its name, junctions as well; the transformer of an attachment is named by the joint or frame
that it is attached to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field

from pliant.bonds import Bond, BondGraph, Node
from pliant.bonds.elements import TWO_SIDED
from pliant.graphs import SystemGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.records import dataclass
from pliant.show.bonds.arranged import Place, Side
from pliant.show.bonds.part_places import places_of

Crossing = tuple[Bond, str, str]
SIZE = 12.0
_PLAIN = frozenset({"SUM", "EJS", "CN"})
_NAMES = {
    "body": {"xi": "ξ", "xi.M": "M", "g": "mg", "TFc": "c", "TFS": "S"},
    "ground": {"R.Sf": "0", "W.Sf": "0"},
    "joint": {"": "0", "Aw": "A", "Av": "A", "TFr": "r", "Sf": "0"},
    "driver": {"TF": "", "Sf": ""},
}
"""Names within a group that are written differently."""
_FRAME = {"TFp": "p", "TFv": "J", "TFw": "J"}


@dataclass(frozen=True, slots=True)
class Group:
    """What one element of the model consists of: its nodes by their names within it."""

    name: str
    kind: str
    nodes: Mapping[str, str]


def grouped(graph: BondGraph, tree: SystemGraph) -> dict[str, Group]:
    """Groups in the order of their first elements."""
    kinds = {GROUND: "ground", **dict.fromkeys(tree.model.bodies, "body")}
    kinds |= dict.fromkeys((e.joint.name for e in tree.edges), "joint")
    kinds |= dict.fromkeys(tree.model.joints, "joint")
    kinds |= dict.fromkeys(tree.model.forces, "force")
    kinds |= dict.fromkeys((*tree.model.drivers, *tree.model.constraints), "driver")
    kinds |= dict.fromkeys(tree.model.networks, "network")
    found: dict[str, dict[str, str]] = {}
    for node in graph.nodes.values():
        owner = node.owner
        while owner and owner not in kinds:  # the element of the model that it is a part of
            owner = owner.rpartition(".")[0]
        owner = owner or node.owner
        local = node.name.removeprefix(owner).removeprefix(".") if owner else node.name
        found.setdefault(owner, {})[local] = node.name
    kinds.setdefault("", "network")  # elements of no owner
    return {n: Group(n, kinds.get(n, "force"), nodes) for n, nodes in found.items()}


@dataclass(slots=True)
class Grid:
    """Where groups stand: in columns, or above another group (their host)."""

    groups: dict[str, Group]
    graph: BondGraph
    columns: dict[str, int] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    """The group of every node."""
    between: dict[str, list[Crossing]] = field(default_factory=dict)
    """Bonds of every group to others, with the groups of tail and head."""
    mirrored: set[str] = field(default_factory=set)
    """Joints whose parent is at the right, and the child is not."""
    places: Mapping[str, Mapping[str, Place]] = field(default_factory=dict)
    """Where the user put elements, by network, or part with its full name, and name in it."""
    boxes: Mapping[str, Place] = field(default_factory=dict)
    """Where the user put groups: their upper left corners."""

    @classmethod
    def of(cls, graph: BondGraph, tree: SystemGraph) -> Grid:
        """The grid of a system."""
        groups = grouped(graph, tree)
        model = tree.model
        places = places_of(model, model.networks)
        grid = cls(groups, graph, places=places, boxes=model.view.boxes)
        grid.owner = {n: g.name for g in groups.values() for n in g.nodes.values()}
        for crossing in grid.outside():
            for group in crossing[1:]:
                grid.between.setdefault(group, []).append(crossing)
        columns = {GROUND: 0}
        for edge in tree.edges:
            columns[edge.joint.name] = columns[edge.inner] + 1
            columns[edge.outer] = columns[edge.inner] + 2
        grid.columns = {name: c for name, c in columns.items() if name in groups}
        for joint in (j.name for j in tree.cuts if j.name in groups):
            ends = sorted(grid.columns[g] for g in set(grid._partners(joint)) if g in columns)
            if ends:  # beside the outer one of its bodies, or behind both
                grid.columns[joint] = ends[-1] + (ends[0] == ends[-1])
        for name in (n for n in groups if n not in grid.columns):
            partners = [g for g in grid._partners(name) if g in grid.columns]
            hosts = [g for g in partners if g != GROUND]
            if hosts:  # it stands above a joint or body, else by itself
                grid.hosts[name] = hosts[0]
            else:
                grid.columns[name] = int(bool(partners))
        grid.mirrored = {name for name, g in groups.items()
                         if g.kind == "joint" and grid._is_mirrored(name)}  # fmt: skip
        return grid

    def _partners(self, name: str) -> Iterator[str]:
        for _, a, b in self.between.get(name, ()):
            yield b if a == name else a

    def _is_mirrored(self, joint: str) -> bool:
        sides: dict[str, Side] = {}
        for bond, a, b in self.between.get(joint, ()):
            other = b if a == joint else a
            local = (bond.tail if a == joint else bond.head).removeprefix(joint + ".")
            if local in ("Av", "Aw", "0v", "0w"):
                sides["parent" if local[0] == "A" else "child"] = self.side(joint, other)
        return sides.get("parent") == "right" and sides.get("child") == "left"

    def cluster(self, name: str) -> str:
        """The group itself, or its host."""
        return self.hosts.get(name, name)

    def outside(self) -> Iterator[Crossing]:
        """Bonds between groups, with the groups of tail and head."""
        for bond in self.graph.bonds:
            a, b = self.owner[bond.tail], self.owner[bond.head]
            if a != b:
                yield bond, a, b

    def side(self, group: str, other: str) -> Side:
        """The side of a group on which another one is; the right if it is above or below."""
        there, here = (self.columns[self.cluster(name)] for name in (other, group))
        return "left" if there < here else "right"

    def is_upright(self, one: str, other: str) -> bool:
        """Whether one of two groups stands above the other, which is a joint."""
        hosted = self.hosts.get(one) == other or self.hosts.get(other) == one
        return hosted and "joint" in (self.groups[one].kind, self.groups[other].kind)

    def symbols(self, group: Group) -> dict[str, str]:
        """What is written for the nodes of a group."""
        return {n: symbol(self.graph.nodes[n], k, group, self.graph)
                for k, n in group.nodes.items()}  # fmt: skip


def symbol(node: Node, local: str, group: Group, graph: BondGraph) -> str:
    """The kind of an element with its name in its group; 0-junctions of bodies have none."""
    if group.kind == "network":
        own = _network_name(node, local, group, graph)
        return node.word if own == node.word else f"{node.word}:{own}"
    if node.kind == "0" or node.kind in _PLAIN:
        return node.kind
    if group.kind == "force":
        return node.kind if node.kind == "1" or not local else f"{node.kind}:{_last(local)}"
    name = _NAMES.get(group.kind, {}).get(local)
    if name is None:
        name = _FRAME.get(_last(local), _last(local))
    if name == node.kind and node.kind in TWO_SIDED:
        name = ""
    return f"{node.kind}:{name}" if name else node.kind


def _network_name(node: Node, local: str, group: Group, graph: BondGraph) -> str:
    """The last part of a name, or the joint or frame at the other end of an attachment."""
    for k, sign in graph.attached(node.name) if node.kind in TWO_SIDED else ():
        other = graph.bonds[k].tail
        if sign > 0 and other not in group.nodes.values():
            return other.rpartition(".")[0]
    return _last(local)


def _last(local: str) -> str:
    return local.rpartition(".")[2]
