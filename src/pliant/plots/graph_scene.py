"""The picture of a linear graph as a list of shapes, which any backend can draw.

Bodies are pale outlines behind their nodes; edges of the tree are bold, those of the cotree thin;
the colour says what an edge is. Source: S1, figures 2, 6 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array
from pliant.graphs import Edge, LinearGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.plots.graph_curves import Curve, Ends, curves
from pliant.plots.graph_labels import Name, Occupied, around_point, beside_curve
from pliant.plots.graph_layout import Net, placed, seen_from
from pliant.plots.graph_shapes import (
    INK,
    TEXT,
    Blob,
    Dot,
    Entry,
    Line,
    Scene,
    Shape,
    Stroke,
    Text,
    Wedge,
    framed,
)  # fmt: skip

NODE = 7.0
"""Radius of a node, in pixels."""
COLOURS = {
    "body": "#8d99a8", "arm": "#1f5a94", "flexible arm": "#0b8a6a", "joint": "#c8501e",
    "force": "#8e2f9e", "driver": "#b58900", "constraint": "#a8324a",
    "virtual work": "#a0a6ad",
}  # fmt: skip
"""One for each kind of edge; translations and rotations of compound joints are joints."""
_ORDER = {"arm": 0, "flexible arm": 0, "joint": 1, "force": 3, "driver": 3, "constraint": 3,
          "body": 4, "virtual work": 5}  # fmt: skip
"""Of drawing: edges that should be straight first; light ones last."""
_BODIES = ("#dbe7f3", "#f7e3d6", "#dff0e6", "#efe2f2", "#f6efd2", "#e3e6ea")
_BODY_INK = ("#44698f", "#a5663b", "#3f8262", "#7d5488", "#8a7420", "#5f6873")
_BODY = 19.0
"""How far the outline of a body reaches beyond its nodes."""
_BOLD, _THIN = 3.4, 1.3
_SMALL = 10.0


def kind_of(edge: Edge) -> str:
    """What an edge is drawn as."""
    return "joint" if edge.kind in ("translation", "rotation") else edge.kind


def label_of(edge: Edge) -> str:
    """What is written beside an edge: an arm is named by the frame at its head."""
    return edge.head if edge.kind in ("arm", "flexible arm") else edge.name


def linear_scene(
    graph: LinearGraph, places: Array, up: Array, *, title: str, caption: str, virtual_work: bool
) -> Scene:  # fmt: skip
    """The picture of a graph whose nodes are at ``places`` (n, 3) in the world."""
    owners = [n.partition(".")[0] if not n.endswith(".+") else "" for n in graph.nodes]
    where = {node: k for k, node in enumerate(graph.nodes)}
    before = {where[e.head]: where[e.tail] for e in graph.edges if e.kind == "translation"}
    links = [(where[e.tail], where[e.head]) for e in graph.edges
             if kind_of(e) in ("joint", "arm", "flexible arm")]  # fmt: skip
    nodes = placed(seen_from(places, up), Net(owners, where[GROUND], links, before))
    shown = [e for e in graph.edges if virtual_work or e.kind != "virtual work"]
    edges = sorted(
        shown, key=lambda e: _ORDER[kind_of(e)] + (kind_of(e) == "joint" and not e.in_tree)
    )
    ends = [Ends(where[e.tail], where[e.head], e.kind in ("body", "virtual work")) for e in edges]
    ways = curves(nodes, ends)
    bodies = {
        b: nodes[[k for k, o in enumerate(owners) if o == b]] for b in graph.graph.model.bodies
    }
    datum = nodes[where[GROUND]]
    shapes: list[Shape] = [Blob(name, hull(points), 2 * _BODY, _BODIES[k % len(_BODIES)])
                           for k, (name, points) in enumerate(bodies.items())]  # fmt: skip
    shapes += [*_strokes(edges, ways), *_datum(datum)]
    shapes += [Dot(x, NODE, INK if n == GROUND else "#ffffff", n)
               for n, x in zip(graph.nodes, nodes, strict=True)]  # fmt: skip
    shapes += _names(nodes, datum, edges, ways, bodies)
    kinds = {kind_of(e) for e in edges}
    legend = [Entry(k, ((c, 2.4),), k == "virtual work") for k, c in COLOURS.items() if k in kinds]
    legend += [Entry("tree", ((INK, _BOLD),)), Entry("cotree", ((INK, _THIN),))]
    return framed(shapes, title, caption, legend)


def hull(points: Array) -> Array:
    """Corners of the convex hull, in order (Andrew's monotone chain)."""
    ordered = sorted({(float(x), float(y)) for x, y in points})
    if len(ordered) < 3:
        return np.array(ordered)

    def half(sequence: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for p in sequence:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    return np.array(half(ordered) + half(ordered[::-1]))


def _turn(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _strokes(edges: Sequence[Edge], ways: Sequence[Curve]) -> list[Shape]:
    """Edges with an arrow head in their middle, light ones at the back."""
    shapes: list[Shape] = []
    for edge, way in reversed(list(zip(edges, ways, strict=True))):
        kind, width = kind_of(edge), _BOLD if edge.in_tree else _THIN
        colour = COLOURS[kind]
        part = "in the tree" if edge.in_tree else "in the cotree"
        title = f"{edge.name}: {edge.kind}, {edge.tail} → {edge.head}, {part}"
        dashed = kind == "virtual work"
        shapes.append(Stroke(way, colour, width, dashed, kind, edge.name, edge.in_tree, title))
        middle, along = way.at(0.5), way.direction(0.5)
        ahead, aside = 0.8 * along, 0.62 * np.array([-along[1], along[0]])
        corners = np.array([ahead, aside - ahead, -aside - ahead])
        shapes.append(Wedge(middle + (9.0 if edge.in_tree else 6.5) * corners, colour))
    return shapes


def _datum(at: Array) -> list[Shape]:
    """The sign of the ground: a line with hatching."""
    foot = at + np.array([0.0, NODE + 3])
    lines = [((-15.0, 0.0), (15.0, 0.0))]
    lines += [((x, 0.0), (x - 6, 7.0)) for x in (-9.0, -3.0, 3.0, 9.0, 15.0)]
    return [Line(foot + np.array(ends), INK, 1.2) for ends in lines]


def _names(
    nodes: Array, datum: Array, edges: Sequence[Edge], ways: Sequence[Curve],
    bodies: dict[str, Array],
) -> list[Shape]:  # fmt: skip
    """A name for the ground, for every body (its edge leads to it) and every other edge."""
    labelled = [(e, w) for e, w in zip(edges, ways, strict=True) if e.kind != "body"]
    names = [around_point(GROUND, TEXT, datum, NODE + 14)]
    names += [_body_name(body, points) for body, points in bodies.items()]
    sizes = [_SMALL if e.kind == "virtual work" else TEXT for e, _ in labelled]
    names += [
        beside_curve(label_of(e), size, w) for (e, w), size in zip(labelled, sizes, strict=True)
    ]
    taken = Occupied(12.0)
    for node in nodes:
        taken.add_box(node, np.full(2, NODE + 3))
    taken.add_box(datum + np.array([0.0, NODE + 6.5]), np.array([15.0, 3.5]))
    for way in ways:
        taken.add_line(way.at(np.linspace(0, 1, 13)), 1.0)
    centres = taken.settle(names)
    inks = [INK, *(_BODY_INK[k % len(_BODY_INK)] for k in range(len(bodies)))]
    inks += [COLOURS[kind_of(e)] for e, _ in labelled]
    owners = [GROUND, *bodies, *(e.name for e, _ in labelled)]
    bold = [k <= len(bodies) for k in range(len(names))]
    return [Text(c, n.text, n.size, ink, b, owner=owner) for c, n, ink, b, owner
            in zip(centres, names, inks, bold, owners, strict=True)]  # fmt: skip


def _body_name(body: str, points: Array) -> Name:
    """Beside the longest side of a body, outside its outline."""
    if len(points) == 1:
        return around_point(body, TEXT + 1, points[0], _BODY + 3)
    i, j = np.unravel_index(
        int(np.argmax(np.linalg.norm(points[:, None] - points[None], axis=2))), (len(points),) * 2
    )
    a, b = points[i], points[j]
    return beside_curve(body, TEXT + 1, Curve(a, (a + b) / 2, b), _BODY + 2)
