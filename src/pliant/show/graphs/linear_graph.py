"""The picture of a linear graph as a list of shapes, which any backend can draw.

Bodies are pale outlines behind their nodes; edges of the tree are bold, those of the cotree thin;
the colour says what an edge is. Source: S1, figures 2, 6 and 8.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.graphs.spanning_tree import GROUND
from pliant.show.graphs import shapes as draw
from pliant.show.graphs.linear_drawing import BODY, COLOURS, NODE, LinearDrawing

_BODIES = ("#dbe7f3", "#f7e3d6", "#dff0e6", "#efe2f2", "#f6efd2", "#e3e6ea")
_BODY_INK = ("#44698f", "#a5663b", "#3f8262", "#7d5488", "#8a7420", "#5f6873")
_BOLD, _THIN = 3.4, 1.3


def linear_scene(drawing: LinearDrawing, *, title: str, caption: str) -> draw.Scene:
    """The shapes of a drawing, from back to front."""
    shapes: list[draw.Shape] = [
        draw.Blob(name, corners, 2 * BODY, _BODIES[k % len(_BODIES)])
        for k, (name, corners) in enumerate(drawing.outlines.items())
    ]
    shapes += _strokes(drawing)
    shapes += _ground_sign(drawing.nodes[GROUND])
    shapes += [draw.Dot(x, NODE, draw.INK if n == GROUND else "#ffffff", n)
               for n, x in drawing.nodes.items()]  # fmt: skip
    shapes += _names(drawing)
    return draw.framed(shapes, title, caption, legend(drawing))


def legend(drawing: LinearDrawing) -> list[draw.Entry]:
    """Colours of the kinds that occur; tree and cotree."""
    kinds = {e.kind for e in drawing.edges}
    found = [
        draw.Entry(k, ((c, 2.4),), k == "virtual work") for k, c in COLOURS.items() if k in kinds
    ]
    found += [draw.Entry("tree", ((draw.INK, _BOLD),)), draw.Entry("cotree", ((draw.INK, _THIN),))]
    return found


def _ground_sign(datum: Array) -> list[draw.Shape]:
    """A line with hatching below the node."""
    foot = datum + np.array([0.0, NODE + 3])
    hatches = [((x, 0.0), (x - 6, 7.0)) for x in (-9.0, -3.0, 3.0, 9.0, 15.0)]
    lines = [((-15.0, 0.0), (15.0, 0.0)), *hatches]
    return [draw.Line(foot + np.array(ends), draw.INK, 1.2) for ends in lines]


def _strokes(drawing: LinearDrawing) -> list[draw.Shape]:
    """Edges with an arrow head in their middle, light ones at the back."""
    shapes: list[draw.Shape] = []
    for e in reversed(drawing.edges):
        edge, way, in_tree = e.edge, e.way, e.edge.in_tree
        points = np.array([way.a, way.c, way.b])
        shapes.append(draw.Stroke(points, e.colour, _BOLD if in_tree else _THIN,
                                  e.kind == "virtual work", e.kind, edge.name, e.title,
                                  in_tree))  # fmt: skip
        middle, along = way.at(0.5), way.direction(0.5)
        ahead, aside = 0.8 * along, 0.62 * np.array([-along[1], along[0]])
        corners = np.array([ahead, aside - ahead, -aside - ahead])
        shapes.append(draw.Wedge(middle + (9.0 if in_tree else 6.5) * corners, e.colour))
    return shapes


def _names(drawing: LinearDrawing) -> list[draw.Shape]:
    """Of ground and bodies bold, of edges in their colours."""
    colours = {e.edge.name: e.colour for e in drawing.edges if e.is_labelled}
    heads = 1 + len(drawing.outlines)
    inks = [draw.INK, *(_BODY_INK[k % len(_BODY_INK)] for k in range(heads - 1))]
    inks += [colours[label.owner] for label in drawing.labels[heads:]]
    return [draw.Text(n.at, n.text, n.size, ink, k < heads, owner=n.owner)
            for k, (n, ink) in enumerate(zip(drawing.labels, inks, strict=True))]  # fmt: skip
