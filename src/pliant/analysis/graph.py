"""Graphs of a system to look at: text, matrices, pictures. One entry of KINDS for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pliant.analysis.bond_graph import BondGraphView
from pliant.analysis.graph_text import counted, dot_text, summary_text, write
from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.expressions.prepare import STATES, body_motion, initial_state, prepare
from pliant.backends.request import setting_numbers
from pliant.errors import InputError
from pliant.graphs import LinearGraph, TreeCost, spanning_tree, tree_cost
from pliant.mechanics.flexible import rigid_offset
from pliant.mechanics.placed import Placed
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from xarray import DataArray

    from pliant.plots.graph_shapes import Scene
    from pliant.study import Study


class GraphView(Protocol):
    """What every kind of graph can do."""

    @property
    def matrices(self) -> dict[str, DataArray]:
        """What the graph says as labelled matrices."""

    def summary(self) -> str:
        """In words."""

    def svg(self) -> str:
        """The picture."""

    def dot(self) -> str:
        """For Graphviz."""

    def save(self, path: str | Path) -> None:
        """Write a file; its ending says what."""

    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""


@dataclass(frozen=True)
class LinearGraphView:
    """The linear graph of a system with a tree; ``print`` shows its summary."""

    system: Study
    graph: LinearGraph
    cost: TreeCost
    params: Mapping[str, Any]
    virtual_work: bool = False

    def __str__(self) -> str:
        return self.summary()

    def summary(self) -> str:
        """Nodes, edges, tree, coordinates, cost, branch transformations of cotree bodies."""
        return summary_text(self.graph, self.cost)

    @property
    def matrices(self) -> dict[str, DataArray]:
        """Incidence (node, edge), fundamental cutsets (branch, edge), circuits (chord, edge)."""
        from xarray import DataArray

        g = self.graph
        edges = [e.name for e in g.edges]
        rows = {
            "incidence": ("node", list(g.nodes), g.incidence),
            "cutsets": ("branch", [e.name for e in g.branches], g.cutsets),
            "circuits": ("chord", [e.name for e in g.chords], g.circuits),
        }
        return {
            name: DataArray(values, coords={row: labels, "edge": edges}, dims=(row, "edge"))
            for name, (row, labels, values) in rows.items()
        }

    def svg(self) -> str:
        """The picture as text of an SVG file."""
        from pliant.plots.graph_svg import svg

        return svg(self.scene)

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        return dot_text(self.graph, self.virtual_work)

    def save(self, path: str | Path) -> None:
        """Write a picture (.svg, .png) or the graph for Graphviz (.dot)."""
        write(self, path)

    @cached_property
    def scene(self) -> Scene:
        """The shapes of the picture: nodes are near the frames of the assembled mechanism."""
        from pliant.plots.graph_scene import linear_scene

        model = self.system.model
        places = _places(self.system, self.graph, self.params)
        hidden = sum(e.kind == "virtual work" for e in self.graph.edges)
        caption = f"linear graph, tree: {self.graph.graph.tree}"
        if hidden and not self.virtual_work:
            caption += f"; without {counted(hidden, 'dependent virtual-work element')}"
        g = self.system.values(self.params).vector(model.gravity)
        size = float(np.linalg.norm(g))
        up = -g / size if size > 0 else np.array([0.0, 0.0, 1.0])
        return linear_scene(self.graph, places, up, title=model.name or "model",
                            caption=caption, virtual_work=self.virtual_work)  # fmt: skip

    def as_dict(self) -> dict[str, Any]:
        """Nodes, edges, counts and matrices, for machines."""
        g = self.graph
        return {
            "kind": "linear", "model": self.system.model.name, "tree": g.graph.tree,
            "nodes": list(g.nodes),
            "edges": [
                {"name": e.name, "kind": e.kind, "tail": e.tail, "head": e.head,
                 "element": e.element, "in_tree": e.in_tree} for e in g.edges
            ],
            "coordinates": list(self.cost.coordinates), "speeds": self.cost.speeds,
            "constraints": self.cost.constraints, "operations": self.cost.operations,
            "matrices": {
                name: {"rows": m.coords[m.dims[0]].values.tolist(),
                       "columns": m.coords["edge"].values.tolist(), "values": m.values.tolist()}
                for name, m in self.matrices.items()
            },
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Options:
    """What is drawn: dependent virtual-work elements; all elements of a large bond graph."""

    virtual_work: bool = False
    full: bool = False


def _linear(
    system: Study, choice: Choice, params: Mapping[str, Any], options: Options
) -> GraphView:
    tree = spanning_tree(system.model, choice.tree, choice.cut)
    cost = tree_cost(tree)
    return LinearGraphView(system, LinearGraph.of(tree), cost, params, options.virtual_work)


def _bond(system: Study, choice: Choice, params: Mapping[str, Any], options: Options) -> GraphView:
    return BondGraphView.of(spanning_tree(system.model, choice.tree, choice.cut), options.full)


Maker = Callable[["Study", Choice, Mapping[str, Any], Options], GraphView]
KINDS: dict[str, Maker] = {"linear": _linear, "bond": _bond}


def graph_view(
    system: Study, kind: str, choice: Choice, params: Mapping[str, Any] | None,
    options: Options,
) -> GraphView:  # fmt: skip
    """See ``System.graph``."""
    if kind not in KINDS:
        raise InputError(f"unknown kind of graph '{kind}'", f"known: {', '.join(KINDS)}")
    system.values(params)  # unknown names and bad values are reported here
    return KINDS[kind](system, choice, params or {}, options)


def _places(system: Study, graph: LinearGraph, params: Mapping[str, Any]) -> Array:
    """Positions (nodes, 3) in the assembled initial position; the node between the edges of a
    compound joint is at its child."""
    prepared = prepare(system, functions=STATES)
    state = initial_state(system, prepared, params, setting_numbers(system, params)["t_start"] or 0)
    placed = Placed(system.values(params), body_motion(prepared, state.x, state.p))
    ends = {e.tail: e.head for e in graph.edges if e.kind == "rotation"}
    return np.array([_place(placed, ends.get(node, node)) for node in graph.nodes])


def _place(placed: Placed, node: str) -> Array:
    """Of ``body.frame``, or of ``body``: a flexible one has its floating frame there."""
    frame = placed.frame(node)
    if "." in node or node not in placed.values.flexible:
        return frame.p_WP
    offset = rigid_offset(NUMERIC, placed.values.tables(node).tables).p
    return np.asarray(frame.p_WP - frame.R_WP @ offset)
