"""The multibond graph of a system to look at: causality in words, picture, Graphviz."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.analysis.bond_text import mass_matrix, summary_text
from pliant.analysis.graph_files import write
from pliant.graphs import SystemGraph
from pliant.graphs.bonds import diagnose

if TYPE_CHECKING:
    from xarray import DataArray

    from pliant.formulations.multibond.formulation import SystemBonds
    from pliant.plots.graph_shapes import Scene

LARGE = 200
"""Elements above which only the ports of groups are drawn, unless all are asked for."""


@dataclass(frozen=True)
class BondGraphView:
    """The multibond graph of a system with a tree; ``print`` shows its summary."""

    tree: SystemGraph
    bonds: SystemBonds
    full: bool = False

    @classmethod
    def of(cls, tree: SystemGraph, full: bool = False) -> BondGraphView:
        """Of a system with a spanning tree."""
        from pliant.formulations.multibond.formulation import system_bonds
        from pliant.spatial.symbolic import SYMBOLIC

        return cls(tree, system_bonds(tree, SYMBOLIC), full)

    def __str__(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Elements by kind, causality of stores by owner, what it means, size of M."""
        return summary_text(self.tree, self.bonds)

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

    def svg(self) -> str:
        """The picture as text of an SVG file."""
        from pliant.plots.graph_svg import svg

        return svg(self.scene)

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        from pliant.analysis.graph_dot import dot_text

        return dot_text(self.tree, self.bonds.causality)

    def save(self, path: str | Path) -> None:
        """Write a picture (.svg, .png) or the graph for Graphviz (.dot)."""
        write(self, path)

    @property
    def is_collapsed(self) -> bool:
        """Whether only the elements with bonds to other groups are drawn."""
        return not self.full and len(self.bonds.graph.nodes) > LARGE

    @cached_property
    def scene(self) -> Scene:
        """The shapes of the picture."""
        from pliant.plots.bond_scene import bond_scene

        caption = f"multibond graph, tree: {self.tree.tree}" if self.tree.edges else "bond graph"
        if self.is_collapsed:
            caption += "; only elements with bonds to others"
        return bond_scene(self.bonds.causality, self.tree, held_by_joints(self.tree),
                          title=self.tree.model.name or "model", caption=caption,
                          full=not self.is_collapsed)  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Elements, bonds with strokes, findings and sizes, for machines."""
        graph, causality = self.bonds.graph, self.bonds.causality
        rows, columns, multipliers = mass_matrix(self.bonds)
        return {
            "kind": "bond", "model": self.tree.model.name, "tree": self.tree.tree,
            "elements": [
                {"name": n.name, "kind": n.kind, "dimension": n.dim, "owner": n.owner,
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
    from pliant.formulations.multibond.tree_motion import has_rates

    found: dict[str, dict[str, int]] = {}
    for edge in (e for e in tree.edges if has_rates(e.joint)):
        units = edge.joint.rate_units
        left = {"0w": 3 - units.count("rad/s"), "0v": 3 - units.count("m/s")}
        found[edge.joint.name] = {k: n for k, n in left.items() if n > 0}
    return found
