"""The multibond graph of a system to look at: causality in words, picture, Graphviz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.graphs.graph import GraphView, counted, listed
from pliant.bonds import KINDS, Causality, Node, diagnose
from pliant.bonds.elements import JUNCTIONS, STORES
from pliant.formulations.multibond.formulation import SystemBonds
from pliant.graphs import SystemGraph
from pliant.records import dataclass
from pliant.show.graphs.shapes import Scene

if TYPE_CHECKING:
    from xarray import DataArray

    from pliant.show.bonds.drawing import BondDrawing
    from pliant.show.bonds.groups import Grid

_PLURAL = {"body": "bodies"}
LARGE = 200
"""Elements above which only the ports of groups are drawn, unless all are asked for."""


def _store_lines(tree: SystemGraph, causality: Causality) -> Iterator[str]:
    """bodies link1, link2: translation derivative, rotation integral."""
    said: dict[tuple[str, str], list[str]] = {}
    owners: dict[str, list[Node]] = {}
    for node in causality.graph.nodes.values():
        if node.kind in STORES:
            owners.setdefault(node.owner or node.name, []).append(node)
    for owner, stores in owners.items():
        text = ", ".join(f"{_quantity(s, owner)} {_state(causality, s)}" for s in stores)
        said.setdefault((_kind(tree, owner), text), []).append(owner)
    for (kind, text), names in said.items():
        title = _PLURAL.get(kind, f"{kind}s") if len(names) > 1 else kind
        yield f"{title} {listed(names)}: {text}"


def _kind(tree: SystemGraph, owner: str) -> str:
    if owner in tree.model.bodies:
        return "body"
    if owner in tree.model.networks:
        return "network"
    joints = {*tree.model.joints, *(e.joint.name for e in tree.edges)}
    return "joint" if owner in joints else "element"


def _quantity(store: Node, owner: str) -> str:
    """What a store keeps."""
    if store.name == f"{owner}.m":
        return "translation"
    if store.name == f"{owner}.xi.M":
        return "rotation" if store.dim == 3 else "rotation and deformation"
    if store.name == f"{owner}.K":
        return "stiffness"
    if store.name == owner:
        return "speed" if store.dim == 1 else "speeds"
    return f"{store.kind} {store.name.removeprefix(owner + '.')}"


def _state(causality: Causality, store: Node) -> str:
    dependent = sum(name == store.name for name, _ in causality.derivative)
    if not dependent:
        return "integral"
    if dependent == store.dim:
        return "derivative"
    return f"derivative in {dependent} of {store.dim} components"


def _mass_matrix(bonds: SystemBonds) -> tuple[int, int, int]:
    """Rows and columns of M, and multipliers.

    Mixed form: rows of independent stores only, what the others take is in them. As soon as
    something is held, every store has a row, and multipliers hold the dependent ones as well.
    Stores of networks count if they move with the mechanism; the others are states.
    """
    rows, columns, dependent = bonds.sizes()
    return rows, columns, dependent + bonds.held if bonds.held else 0


def _size(bonds: SystemBonds) -> str:
    rows, columns, multipliers = _mass_matrix(bonds)
    if multipliers:
        parts = (
            f"{multipliers - bonds.held} of dependent stores, {bonds.held} of joints and drivers"
        )
        return f"M {rows} x {columns} with {counted(multipliers, 'multiplier')}: {parts}"
    if rows == columns:
        return f"M {rows} x {columns}, no multipliers"
    return f"M {rows} x {columns}, mixed form without multipliers"


@dataclass(frozen=True, repr=False)
class BondGraphView(GraphView):
    """The multibond graph of a system with a tree."""

    tree: SystemGraph
    bonds: SystemBonds
    full: bool = False

    @classmethod
    def of(cls, tree: SystemGraph, full: bool = False) -> BondGraphView:
        """Of a system with a spanning tree."""
        from pliant.formulations.multibond.formulation import system_bonds
        from pliant.spatial.symbolic import SYMBOLIC

        return cls(tree, system_bonds(tree, SYMBOLIC), full)

    def summary(self) -> str:
        """Elements by kind, causality of stores by owner, what it means, size of M."""
        graph, tree, q = self.bonds.graph, self.tree, self.bonds.coordinates
        kinds = Counter[str](n.word for n in graph.nodes.values())
        said = [counted(kinds[k], f"{k}-junction") if k in JUNCTIONS else f"{kinds[k]} {k}"
                for k in KINDS if k in kinds]  # fmt: skip
        lines = [
            f"{tree.model.name or 'model'}: multibond graph, tree: {tree.tree}",
            f"  {counted(len(graph.nodes), 'element')}: {', '.join(said)}",
            f"  {counted(len(graph.bonds), 'bond')} with {counted(graph.scalars, 'component')}",
            "  stores:",
        ]
        lines += [f"    {line}" for line in _store_lines(tree, self.bonds.causality)]
        lines.append("  causality:")
        found = diagnose(self.bonds.causality)
        lines += [f"    {finding.text}" for finding in found]
        if not {finding.kind for finding in found} & {"conflict", "loop", "integral"}:
            lines.append("    no algebraic loop, no conflict")
        lines.append(f"  {counted(len(q), 'coordinate')}: {listed(q)}")
        return "\n".join([*lines, f"  {_size(self.bonds)}"])

    @property
    def matrices(self) -> dict[str, DataArray]:
        """Incidence (element, bond): 1 where the half arrow enters, -1 where it leaves."""
        from xarray import DataArray

        graph = self.bonds.graph
        names, bonds = list(graph.nodes), [b.name for b in graph.bonds]
        sigma = np.zeros((len(names), len(bonds)))
        for k, name in enumerate(names):
            for bond, sign in graph.attached(name):
                sigma[k, bond] = sign
        coords = {"element": names, "bond": bonds}
        return {"incidence": DataArray(sigma, coords=coords, dims=("element", "bond"))}

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        from pliant.analysis.graphs.dot import bond_dot

        return bond_dot(self.tree, self.bonds.causality)

    @property
    def is_collapsed(self) -> bool:
        """Whether only the elements with bonds to other groups are drawn."""
        return not self.full and len(self.bonds.graph.nodes) > LARGE

    @property
    def size(self) -> str:
        """M 24 x 24 with 24 multipliers: 19 of dependent stores, 5 of joints and drivers."""
        return _size(self.bonds)

    @property
    def caption(self) -> str:
        """What is drawn."""
        return f"multibond graph, tree: {self.tree.tree}" if self.tree.edges else "bond graph"

    @cached_property
    def grid(self) -> Grid:
        """The boxes of bodies, joints, forces, drivers and networks, and where they stand."""
        from pliant.show.bonds.groups import Grid

        return Grid.of(self.bonds.graph, self.tree)

    def drawing(self, opened: Collection[str]) -> BondDrawing:
        """The drawing as data; ``opened``: boxes whose elements are all drawn."""
        from pliant.show.bonds.drawing import Strokes, drawing
        from pliant.show.bonds.places import whole

        held = {j: own for j, own in held_by_joints(self.tree).items() if j in opened}
        places = whole(self.grid, held, opened)
        return drawing(self.grid, places, Strokes.of(self.bonds.causality), held, opened)

    @cached_property
    def scene(self) -> Scene:
        """The shapes of the picture."""
        from pliant.show.bonds.scene import bond_scene

        caption = self.caption
        if self.is_collapsed:
            caption += "; only elements with bonds to others"
        drawing = self.drawing(() if self.is_collapsed else self.grid.groups)
        return bond_scene(drawing, title=self.tree.model.name or "model", caption=caption)

    def as_dict(self) -> dict[str, Any]:
        """Elements, bonds with strokes, findings and sizes, for machines."""
        graph, causality = self.bonds.graph, self.bonds.causality
        rows, columns, multipliers = _mass_matrix(self.bonds)
        return {
            "kind": "bond", "model": self.tree.model.name, "tree": self.tree.tree,
            "elements": [
                {"name": n.name, "kind": n.word, "dimension": n.dim, "owner": n.owner,
                 "derivative": sorted(k for s, k in causality.derivative if s == n.name)}
                for n in graph.nodes.values()
            ],
            "bonds": [
                {"name": b.name, "tail": b.tail, "head": b.head, "dimension": b.dim,
                 "domain": b.domain,
                 "effort_to": [causality.stroke(i, k) for k in range(b.dim)]}
                for i, b in enumerate(graph.bonds)
            ],
            "findings": [{"kind": f.kind, "text": f.text, "elements": list(f.elements)}
                         for f in diagnose(causality)],
            "coordinates": list(self.bonds.coordinates), "mass_matrix": [rows, columns],
            "multipliers": multipliers,
        }  # fmt: skip


def held_by_joints(tree: SystemGraph) -> Mapping[str, Mapping[str, int]]:
    """How many turning and sliding components every tree joint leaves no freedom.

    A rate in rad/s frees one rotation (along a screw it moves the slide as well, which adds no
    freedom), one in m/s frees one translation. Spherical joints have an Sf:0 in the graph itself.
    """
    from pliant.formulations.multibond.bodies import has_rates

    found: dict[str, dict[str, int]] = {}
    for edge in (e for e in tree.edges if has_rates(e.joint)):
        units = edge.joint.rate_units
        left = {"0w": 3 - units.count("rad/s"), "0v": 3 - units.count("m/s")}
        found[edge.joint.name] = {k: n for k, n in left.items() if n > 0}
    return found
