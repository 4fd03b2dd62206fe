"""What every graph can do; a linear graph in words.

Branch transformation of a cotree edge: its displacement is the sum of those along the tree, its
rotation their product in the same order, transposed where the path runs against an edge.
Source: S1 (5)-(7).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.graphs import Edge, LinearGraph, Step, TreeCost
from pliant.plots.graph_shapes import Scene
from pliant.writing import checked_target, replace_text

if TYPE_CHECKING:
    from xarray import DataArray

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
    for name, body in graph.graph.model.bodies.items():
        names = tuple(getattr(body, "elastic_names", ()))
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
    return f"r_{name} = {_sum(steps)}", f"R_{name} = {turns or 1}"


def _sum(steps: Sequence[Step]) -> str:
    text = ""
    for k, step in enumerate(steps):
        sign = "- " if step.sign < 0 else "+ " if k else ""
        text += f"{' ' if k else ''}{sign}r_{_symbol(step.edge)}"
    return text or "0"


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


class GraphView(ABC):
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
        from pliant.plots.graph_svg import svg

        return svg(self.scene)

    def save(self, path: str | Path) -> None:
        """Write a picture (.svg, .png) or the graph for Graphviz (.dot)."""
        path = checked_path(Path(path))
        if path.suffix == ".png":
            from pliant.plots.graph_svg import write_png

            write_png(self.scene, path)
            return
        replace_text(path, self.dot() if path.suffix == ".dot" else self.svg())


def checked_path(path: Path) -> Path:
    """The path, if a graph can be written there."""
    return checked_target(path, _ENDINGS)
