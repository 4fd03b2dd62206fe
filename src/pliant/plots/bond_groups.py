"""The elements of a multibond graph by owner: where the owners stand, and what is written.

The ground is at the left; along every branch of the spanning tree joints and bodies alternate, one
column each, so that chains run from left to right. A joint that closes a loop stands in the column
of its outer body, in the row of the other one. Forces and drivers stand above what they act on.

An element is written as 1:R, 0, TF:A, I:m, C:K, R:D, Se, CN, EJS, SUM. In networks every element
has its name, junctions as well; the transformer of an attachment is named by the joint or frame
that it is attached to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pliant.graphs import SystemGraph, TreeEdge
from pliant.graphs.bonds import Bond, BondGraph, Node
from pliant.graphs.bonds.elements import TWO_SIDED
from pliant.graphs.spanning_tree import GROUND

Side = Literal["left", "right", "top", "bottom"]
Cell = tuple[int, int]
"""Column and row."""
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
        owner = _element(node.owner, kinds)
        local = node.name.removeprefix(owner).removeprefix(".") if owner else node.name
        found.setdefault(owner, {})[local] = node.name
    kinds.setdefault("", "network")  # elements of no owner
    return {n: Group(n, kinds.get(n, "force"), nodes) for n, nodes in found.items()}


def _element(owner: str, known: Mapping[str, str]) -> str:
    """The element of the model that an owner is, or is a part of."""
    name = owner
    while name and name not in known:
        name = name.rpartition(".")[0]
    return name or owner


@dataclass(slots=True)
class Grid:
    """Where groups stand: in cells of their own, or above another group (their host)."""

    groups: dict[str, Group]
    graph: BondGraph
    tree: SystemGraph
    cells: dict[str, Cell] = field(default_factory=dict)
    hosts: dict[str, str] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)
    """The group of every node."""
    within: dict[str, list[Bond]] = field(default_factory=dict)
    """Bonds inside every group."""
    between: dict[str, list[Crossing]] = field(default_factory=dict)
    """Bonds of every group to others, with the groups of tail and head."""
    mirrored: set[str] = field(default_factory=set)
    """Joints whose parent is at the right, and the child is not."""
    _rows: int = 1

    @classmethod
    def of(cls, graph: BondGraph, tree: SystemGraph) -> Grid:
        """The grid of a system."""
        groups = grouped(graph, tree)
        grid = cls(groups, graph, tree)
        grid.owner = {n: g.name for g in groups.values() for n in g.nodes.values()}
        grid._sort()
        grid._branches(tree)
        for joint in tree.cuts:
            grid._cut(joint.name)
        grid.cells = {name: cell for name, cell in grid.cells.items() if name in groups}
        for name in groups:
            grid._other(name)
        grid.mirrored = {name for name, g in groups.items()
                         if g.kind == "joint" and grid._is_mirrored(name)}  # fmt: skip
        return grid

    def _sort(self) -> None:
        """Bonds by group."""
        for bond in self.graph.bonds:
            a, b = self.owner[bond.tail], self.owner[bond.head]
            if a == b:
                self.within.setdefault(a, []).append(bond)
                continue
            for group in (a, b):
                self.between.setdefault(group, []).append((bond, a, b))

    def _branches(self, tree: SystemGraph) -> None:
        """The first joint of a body goes on in its row, every other one begins a new row."""
        onward: dict[str, list[TreeEdge]] = {}
        for edge in tree.edges:
            onward.setdefault(edge.inner, []).append(edge)
        self.cells[GROUND] = (0, 0)
        waiting = onward.get(GROUND, [])[::-1]
        while waiting:
            edge = waiting.pop()
            column, row = self.cells[edge.inner]
            if edge is not onward[edge.inner][0]:
                row, self._rows = self._rows, self._rows + 1
            self.cells[edge.joint.name] = (column + 1, row)
            self.cells[edge.outer] = (column + 2, row)
            waiting += onward.get(edge.outer, [])[::-1]

    def _cut(self, joint: str) -> None:
        """Below the outer one of its bodies, beside the other one; or right of the outer one."""
        ends = [self.cells[g] for g in dict.fromkeys(self._partners(joint)) if g in self.cells]
        if not ends:
            return
        outer, other = max(ends), min(ends)
        right = outer[0] + 1
        best = (right, max(outer[1], other[1])) if outer[0] == other[0] else (outer[0], other[1])
        taken = set(self.cells.values())
        free = [c for c in (best, (right, outer[1]), (right, other[1])) if c not in taken]
        if not free:
            free, self._rows = [(outer[0], self._rows)], self._rows + 1
        self.cells[joint] = free[0]

    def _other(self, name: str) -> None:
        """Above a joint or body, or in a row of its own."""
        if name in self.cells:
            return
        hosts = [g for g in self._partners(name) if g in self.cells and g != GROUND]
        if hosts:
            self.hosts[name] = hosts[0]
        else:
            self.cells[name] = (0, self._rows)
            self._rows += 1

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

    def cell(self, name: str) -> Cell:
        """The cell of a group or of its host."""
        return self.cells[self.hosts.get(name, name)]

    @property
    def size(self) -> Cell:
        """Columns and rows."""
        used = self.cells.values()
        return max(c for c, _ in used) + 1, max(r for _, r in used) + 1

    def outside(self) -> Iterator[Crossing]:
        """Bonds between groups, with the groups of tail and head."""
        for bond in self.graph.bonds:
            a, b = self.owner[bond.tail], self.owner[bond.head]
            if a != b:
                yield bond, a, b

    def side(self, group: str, other: str) -> Side:
        """The side of a group on which another one is; the right if it is above or below."""
        return "left" if self.cell(other)[0] < self.cell(group)[0] else "right"


def symbol(node: Node, local: str, group: Group, graph: BondGraph) -> str:
    """The kind of an element with its name in its group; 0-junctions of bodies have none."""
    if group.kind == "network":
        return f"{node.kind}:{_network_name(node, local, group, graph)}"
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
