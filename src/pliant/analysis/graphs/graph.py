"""Graphs of a system to look at: text, matrices, pictures.

Branch transformation of a cotree edge: its displacement is the sum of those along the tree, its
rotation their product in the same order, transposed where the path runs against an edge.
Source: S1 (5)-(7).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.backends.expressions.prepare import STATES, prepare
from pliant.backends.expressions.start import body_motion, initial_state
from pliant.backends.request import setting_numbers
from pliant.display import Displayed
from pliant.graphs import LinearGraph, TreeCost
from pliant.mechanics.flexible import rigid_offset
from pliant.mechanics.placed import Placed
from pliant.records import dataclass
from pliant.show.graphs.shapes import Scene
from pliant.spatial.ops import NUMERIC
from pliant.study import Study

if TYPE_CHECKING:
    from xarray import DataArray
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pliant.graphs import Edge
from pliant.writing import checked_target, replace_text

if TYPE_CHECKING:
    from xarray import DataArray

    from pliant.show.graphs.linear_drawing import LinearDrawing


_MOST = 24
"""Names and equations that are listed."""
_ENDINGS = (".svg", ".png", ".dot")


def summary_text(graph: LinearGraph, cost: TreeCost) -> str:
    """Nodes, edges, tree, coordinates, cost and branch transformations of bodies."""
    own = [e for e in graph.edges if e.kind != "virtual work"]
    added = len(graph.edges) - len(own)
    chords = [e for e in own if not e.in_tree]
    lines = [
        f"{graph.graph.model.name or 'model'}: linear graph, tree: {graph.graph.tree}",
        f"  {counted(len(graph.nodes), 'node')}: {listed(graph.nodes)}",
        f"  {counted(len(own), 'edge')}, and {counted(added, 'dependent virtual-work element')}",
        f"  tree:   {listed(e.name for e in graph.branches)}",
        f"  cotree: {listed(e.name for e in chords)}",
        f"  {counted(len(cost.coordinates), 'coordinate')}: {listed(cost.coordinates)}",
    ]
    for name, beam in graph.graph.model.beams.items():
        names = beam.elastic_names
        if names:  # the same in every tree
            lines.append(f"  {counted(len(names), 'elastic coordinate')} of {name}: "
                         f"{listed(names)}")  # fmt: skip
    if graph.graph.model.networks:
        lines.append(f"  networks, which are bond graphs (--kind bond): "
                     f"{listed(graph.graph.model.networks)}")  # fmt: skip
    lines.append(f"  {counted(cost.constraints, 'constraint equation')}, about "
                 f"{cost.operations} operations per evaluation")  # fmt: skip
    bodies = [e for e in chords if e.kind == "body"]
    if bodies:
        lines.append("  branch transformations of bodies:")
    lines += [f"    {line}" for e in bodies[:_MOST] for line in branch_lines(graph, e)]
    if len(bodies) > _MOST:
        lines.append(f"    and those of {len(bodies) - _MOST} more")
    return "\n".join(lines)


def branch_lines(graph: LinearGraph, chord: Edge) -> tuple[str, str]:
    """r_chord = r_1 + r_2 - ...  and  R_chord = R_1 R_2 R_3ᵀ ..."""
    steps = graph.branch_transformation(chord)
    name = _symbol(chord)
    turns = " ".join(f"R_{_symbol(s.edge)}{'ᵀ' if s.sign < 0 else ''}" for s in steps)
    signed = (f"{'-' if s.sign < 0 else '+'} r_{_symbol(s.edge)}" for s in steps)
    moves = " ".join(signed).removeprefix("+ ")
    return f"r_{name} = {moves or 0}", f"R_{name} = {turns or 1}"


def _symbol(edge: Edge) -> str:
    return f"arm({edge.head})" if edge.kind in ("arm", "flexible arm") else edge.name


def counted(n: int, what: str) -> str:
    """1 edge, 2 edges."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Names with commas, the first of many."""
    known = list(names)
    more = f" and {len(known) - _MOST} more" if len(known) > _MOST else ""
    return (", ".join(known[:_MOST]) or "none") + more


class GraphView(Displayed, ABC):
    """A graph of a system; ``print`` shows its summary."""

    @abstractmethod
    def summary(self) -> str:
        """In words."""

    @property
    @abstractmethod
    def matrices(self) -> dict[str, DataArray]:
        """What the graph says as labelled matrices."""

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """The shapes of the picture."""

    @abstractmethod
    def dot(self) -> str:
        """The graph in the language of Graphviz."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """For ``--json``."""

    def __str__(self) -> str:
        return self.summary()

    def svg(self) -> str:
        """The picture as text of an SVG file."""
        from pliant.show.graphs.shapes import svg

        return svg(self.scene)

    def _repr_html_(self) -> None:
        """Nothing: it is a picture."""

    def _repr_svg_(self) -> str:
        return self.svg()

    def save(self, path: str | Path) -> None:
        """Write a picture (.svg, .png) or the graph for Graphviz (.dot)."""
        path = checked_target(path, _ENDINGS)
        if path.suffix == ".png":
            from pliant.show.graphs.shapes import write_png

            write_png(self.scene, path)
            return
        replace_text(path, self.dot() if path.suffix == ".dot" else self.svg())


@dataclass(frozen=True, repr=False)
class LinearGraphView(GraphView):
    """The linear graph of a system with a tree."""

    system: Study
    graph: LinearGraph
    cost: TreeCost
    params: Mapping[str, Any]
    virtual_work: bool = False
    full: bool = False

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

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        from pliant.analysis.graphs.dot import linear_dot

        return linear_dot(self.graph, self.virtual_work)

    @property
    def caption(self) -> str:
        """What is drawn."""
        hidden = sum(e.kind == "virtual work" for e in self.graph.edges)
        caption = f"linear graph, tree: {self.graph.graph.tree}"
        if hidden and not self.virtual_work:
            caption += f"; without {counted(hidden, 'dependent virtual-work element')}"
        if self.is_folded:
            caption += "; each body is one node (full=True, --full: all frames)"
        return caption

    @property
    def is_folded(self) -> bool:
        """Whether bodies are drawn as one node each."""
        from pliant.show.graphs.linear_drawing import is_large

        return not self.full and is_large(self.graph)

    @cached_property
    def drawing(self) -> LinearDrawing:
        """The drawing as data: nodes are near the frames of the assembled mechanism."""
        from pliant.show.graphs.linear_drawing import linear_drawing

        places = _places(self.system, self.graph, self.params)
        g = self.system.values(self.params).vector(self.system.model.gravity)
        size = float(np.linalg.norm(g))
        up = -g / size if size > 0 else np.array([0.0, 0.0, 1.0])
        return linear_drawing(self.graph, places, up, virtual_work=self.virtual_work,
                              full=self.full)  # fmt: skip

    @cached_property
    def scene(self) -> Scene:
        """The shapes of the picture."""
        from pliant.show.graphs.linear_graph import linear_scene

        title = self.system.model.name or "model"
        return linear_scene(self.drawing, title=title, caption=self.caption)

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


def _places(system: Study, graph: LinearGraph, params: Mapping[str, Any]) -> Array:
    """Positions (nodes, 3) in the assembled initial position; the node between the edges of a
    compound joint is at its child."""
    prepared = prepare(system, functions=STATES)
    state = initial_state(system, prepared, params, setting_numbers(system, params)["t_start"] or 0)
    placed = Placed(system.values(params), body_motion(prepared, state.x, state.p))
    ends = {e.tail: e.head for e in graph.edges if e.kind == "rotation"}
    found = []
    for node in (ends.get(n, n) for n in graph.nodes):
        frame = placed.frame(node)
        place = frame.p_WP
        if node in placed.values.flexible:  # its floating frame
            place = place - frame.R_WP @ rigid_offset(NUMERIC, placed.values.tables(node).tables).p
        found.append(place)
    return np.array(found)
