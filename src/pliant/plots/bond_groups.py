"""The elements of a multibond graph by owner, and the grid on which the owners stand.

The ground is at the left; along every branch of the spanning tree joints and bodies alternate, one
column each, so that chains run from left to right. A joint that closes a loop stands in the column
of its outer body, in the row of the other one. Forces and drivers stand above what they act on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pliant.graphs import SystemGraph
from pliant.graphs.bonds import Bond, BondGraph
from pliant.graphs.spanning_tree import GROUND

Side = Literal["left", "right", "top", "bottom"]
Cell = tuple[int, int]
"""Column and row."""


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
    kinds |= dict.fromkeys(tree.model.drivers, "driver")
    kinds |= dict.fromkeys(tree.model.networks, "network")
    found: dict[str, dict[str, str]] = {}
    for node in graph.nodes.values():
        owner = _element(node.owner, kinds)
        local = node.name.removeprefix(owner).removeprefix(".") if owner else node.name
        found.setdefault(owner, {})[local] = node.name
    return {n: Group(n, kinds.get(n, "network"), nodes) for n, nodes in found.items()}


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
    _rows: int = 1

    @classmethod
    def of(cls, graph: BondGraph, tree: SystemGraph) -> Grid:
        """The grid of a system."""
        groups = grouped(graph, tree)
        grid = cls(groups, graph, tree)
        grid.owner = {n: g.name for g in groups.values() for n in g.nodes.values()}
        grid.cells[GROUND] = (0, 0)
        grid._branch(GROUND)
        for joint in tree.cuts:
            grid._cut(joint.name)
        grid.cells = {name: cell for name, cell in grid.cells.items() if name in groups}
        for name in groups:
            grid._other(name)
        return grid

    def _branch(self, body: str) -> None:
        """The first joint of a body goes on in its row, every other one begins a new row."""
        column, row = self.cells[body]
        edges = [e for e in self.tree.edges if e.inner == body]
        for k, edge in enumerate(edges):
            if k:
                row, self._rows = self._rows, self._rows + 1
            self.cells[edge.joint.name] = (column + 1, row)
            self.cells[edge.outer] = (column + 2, row)
            self._branch(edge.outer)

    def _cut(self, joint: str) -> None:
        """Below the outer one of its bodies, beside the other one."""
        ends = [self.cells[g] for g in dict.fromkeys(self._partners(joint)) if g in self.cells]
        if not ends:
            return
        outer, other = max(ends), min(ends)
        column = outer[0] + 1 if outer[0] == other[0] else outer[0]
        row = max(outer[1], other[1]) if outer[0] == other[0] else other[1]
        if (column, row) in self.cells.values():
            row, self._rows = self._rows, self._rows + 1
        self.cells[joint] = (column, row)

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
        for bond in self.graph.bonds:
            a, b = self.owner[bond.tail], self.owner[bond.head]
            if name in (a, b) and a != b:
                yield b if a == name else a

    def cell(self, name: str) -> Cell:
        """The cell of a group or of its host."""
        return self.cells[self.hosts.get(name, name)]

    @property
    def size(self) -> Cell:
        """Columns and rows."""
        used = self.cells.values()
        return max(c for c, _ in used) + 1, max(r for _, r in used) + 1

    def outside(self) -> Iterator[tuple[Bond, str, str]]:
        """Bonds between groups, with the groups of tail and head."""
        for bond in self.graph.bonds:
            a, b = self.owner[bond.tail], self.owner[bond.head]
            if a != b:
                yield bond, a, b

    def side(self, group: str, other: str) -> Side:
        """The side of a group on which another one is; the right if it is above or below."""
        return "left" if self.cell(other)[0] < self.cell(group)[0] else "right"
