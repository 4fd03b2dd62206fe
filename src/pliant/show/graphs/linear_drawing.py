"""The drawing of a linear graph as data: nodes, edges as curves, outlines of bodies, and names
where they hide least. Pictures (``linear_graph``) and the page of the studio are both made from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace

import numpy as np

from pliant.arrays import Array
from pliant.graphs import Edge, LinearGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.records import dataclass
from pliant.show.graphs.curves import Curve, Ends, curves
from pliant.show.graphs.labels import LabelPlacer, Name, around_point, beside_curve
from pliant.show.graphs.linear_places import Net, placed, seen_from

NODE = 7.0
"""Radius of a node, in pixels."""
TEXT = 12.0
_SMALL = 10.0
COLOURS = {
    "body": "#8d99a8", "arm": "#1f5a94", "flexible arm": "#0b8a6a", "joint": "#c8501e",
    "force": "#8e2f9e", "driver": "#b58900", "constraint": "#a8324a",
    "virtual work": "#a0a6ad",
}  # fmt: skip
"""One for each kind of edge; translations and rotations of compound joints are joints."""
_ORDER = {"arm": 0, "flexible arm": 0, "joint": 1, "force": 3, "driver": 3, "constraint": 3,
          "body": 4, "virtual work": 5}  # fmt: skip
"""Of drawing: edges that should be straight first; light ones last."""
MOST, MOST_PARTS = 80, 12
"""Nodes, and parts of one beam, above which bodies are folded."""
BODY = 19.0
"""How far the outline of a body reaches beyond its nodes."""


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge with its way."""

    edge: Edge
    way: Curve

    @property
    def kind(self) -> str:
        """What it is drawn as."""
        return kind_of(self.edge)

    @property
    def colour(self) -> str:
        return COLOURS[self.kind]

    @property
    def is_labelled(self) -> bool:
        """The edge of a body leads to its name."""
        return self.edge.kind != "body"

    @property
    def title(self) -> str:
        """O: joint, ground → crank, in the tree."""
        e, part = self.edge, "in the tree" if self.edge.in_tree else "in the cotree"
        return f"{e.name}: {e.kind}, {e.tail} → {e.head}, {part}"


@dataclass(frozen=True, slots=True)
class Label:
    """A name and where it stands; ``owner``: ground, body or edge."""

    owner: str
    text: str
    size: float
    at: Array


@dataclass(slots=True)
class LinearDrawing:
    """Everything that is drawn, in pixels, y downwards."""

    nodes: dict[str, Array]
    edges: list[DrawnEdge]
    """Those that should be straight first, light ones last."""
    outlines: dict[str, Array]
    """Corners of the hull of the nodes of every body."""
    labels: list[Label] = field(default_factory=list)
    """Of the ground, of bodies, of edges."""


def kind_of(edge: Edge) -> str:
    """What an edge is drawn as."""
    return "joint" if edge.kind in ("translation", "rotation") else edge.kind


def label_of(edge: Edge) -> str:
    """What is written beside an edge: an arm is named by the frame at its head."""
    return edge.head if edge.kind in ("arm", "flexible arm") else edge.name


def linear_drawing(
    graph: LinearGraph, places: Array, up: Array, *, virtual_work: bool, full: bool = True
) -> LinearDrawing:
    """A graph whose nodes are at ``places`` (n, 3) in the world; without ``full`` each body of a
    large one is a single node."""
    names, among = graph.nodes, [e for e in graph.edges if virtual_work or e.kind != "virtual work"]
    if not full and is_large(graph):
        names, among, places = folded(names, among, places, graph.graph.model.origin)
    owners = [n.partition(".")[0] if not n.endswith(".+") else "" for n in names]
    where = {node: k for k, node in enumerate(names)}
    before = {where[e.head]: where[e.tail] for e in among if e.kind == "translation"
              and e.head.endswith(".+")}  # fmt: skip
    links = [(where[e.tail], where[e.head]) for e in among
             if kind_of(e) in ("joint", "arm", "flexible arm")]  # fmt: skip
    nodes = placed(seen_from(places, up), Net(owners, where[GROUND], links, before))
    edges = sorted(
        among, key=lambda e: _ORDER[kind_of(e)] + (kind_of(e) == "joint" and not e.in_tree)
    )
    ends = [Ends(where[e.tail], where[e.head], e.kind in ("body", "virtual work")) for e in edges]
    drawn = [DrawnEdge(e, way) for e, way in zip(edges, curves(nodes, ends), strict=True)]
    bodies = {b: nodes[[k for k, o in enumerate(owners) if o == b]]
              for b in dict.fromkeys(owners) if b not in ("", GROUND)}  # fmt: skip
    found = LinearDrawing(dict(zip(names, nodes, strict=True)), drawn,
                          {name: hull(points) for name, points in bodies.items()})  # fmt: skip
    found.labels = _labels(found, bodies)
    return found


def is_large(graph: LinearGraph) -> bool:
    """Whether it is drawn with one node for each body."""
    model = graph.graph.model
    parts = Counter(of for part, of in model.origin.items() if part in model.bodies)
    return len(graph.nodes) > MOST or max(parts.values(), default=0) > MOST_PARTS


def folded(
    nodes: Sequence[str], edges: Sequence[Edge], places: Array, origin: Mapping[str, str]
) -> tuple[tuple[str, ...], list[Edge], Array]:
    """The same with one node for each body, in the middle of its frames; what is left are edges
    between bodies, of compound joints the first. ``origin``: the beams that bodies are parts of,
    which stay whole."""
    ends = {e.tail: e.head for e in edges if e.kind == "rotation"}
    owner = {n: ends.get(n, n).partition(".")[0] for n in nodes}
    owner = {n: origin.get(body, body) for n, body in owner.items()}
    names = tuple(dict.fromkeys(owner.values()))
    middles = [np.mean([p for n, p in zip(nodes, places, strict=True) if owner[n] == name], axis=0)
               for name in names]  # fmt: skip
    between = [replace(e, tail=owner[e.tail], head=owner[e.head]) for e in edges
               if e.kind not in ("body", "arm", "flexible arm")
               and owner[e.tail] != owner[e.head]]  # fmt: skip
    return names, between, np.array(middles)


def hull(points: Array) -> Array:
    """Corners of the convex hull, in order (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)

    def half(sequence: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in sequence:
            while len(chain) > 1:
                a, b = chain[-2:]
                if (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0:
                    break
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _labels(found: LinearDrawing, bodies: Mapping[str, Array]) -> list[Label]:
    """A name for the ground, for every body and every edge that is labelled."""
    labelled = [e for e in found.edges if e.is_labelled]
    datum = found.nodes[GROUND]
    names = [around_point(GROUND, TEXT, datum, NODE + 14)]
    names += [_body_name(body, points) for body, points in bodies.items()]
    for e in labelled:
        size = _SMALL if e.edge.kind == "virtual work" else TEXT
        names.append(beside_curve(label_of(e.edge), size, e.way))
    taken = LabelPlacer(12.0)
    for node in found.nodes.values():
        taken.add_box(node, np.full(2, NODE + 3))
    taken.add_box(datum + np.array([0.0, NODE + 6.5]), np.array([15.0, 3.5]))
    for e in found.edges:
        taken.add_line(e.way.at(np.linspace(0, 1, 13)), 1.0)
    owners = [GROUND, *bodies, *(e.edge.name for e in labelled)]
    return [Label(owner, n.text, n.size, at)
            for owner, n, at in zip(owners, names, taken.settle(names), strict=True)]  # fmt: skip


def _body_name(body: str, points: Array) -> Name:
    """Beside the longest side of a body, outside its outline."""
    if len(points) == 1:
        return around_point(body, TEXT + 1, points[0], BODY + 3)
    i, j = np.unravel_index(
        int(np.argmax(np.linalg.norm(points[:, None] - points[None], axis=2))), (len(points),) * 2
    )
    a, b = points[i], points[j]
    return beside_curve(body, TEXT + 1, Curve(a, (a + b) / 2, b), BODY + 2)
