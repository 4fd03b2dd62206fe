"""The picture of a multibond graph as a list of shapes, which any backend can draw.

Every body, joint, force and driver is a pale box with its elements; vector bonds are double lines
with their dimension, strokes stand at the end that receives the effort. Source: S0, chapters 2, 6
and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pliant.graphs import SystemGraph
from pliant.graphs.bonds import Bond, Causality, Node
from pliant.plots.bond_groups import Grid
from pliant.plots.bond_lines import COLOURS, DOUBLE, INNER, Ends, bond_lines, trimmed
from pliant.plots.bond_places import Placed, laid_out, placed
from pliant.plots.bond_routes import planned, routed, traffic
from pliant.plots.bond_symbols import SIZE, symbol
from pliant.plots.graph_curves import Curve, curves
from pliant.plots.graph_curves import Ends as Pair
from pliant.plots.graph_labels import Name, beside_curve, settle, text_half
from pliant.plots.graph_shapes import Blob, Line, Scene, Shape, Text, extent, moved

Array = NDArray[np.float64]

INK, QUIET, DEPENDENT = "#20262e", "#5b6470", "#b00020"
_FILL = {"ground": "#e9ebee", "body": "#e6eef7", "joint": "#fbf0e6", "driver": "#f7f3da",
         "force": "#f2e8f5", "network": "#e6f2ec"}  # fmt: skip
_SIGNS = ("stroke: this end receives the effort", "dashed stroke: in some components",
          "dashed Sf:0: what the motion basis H of a joint holds")  # fmt: skip
_CORNER = 9.0
_SMALL, _TEXT = 9.5, 12.0
_OFF = 3.5
"""Pixels between a bond and its dimension."""
_BENT = 13
"""Points of a bond that is bent around others."""
_MARGIN, _HEAD, _ROW = 26.0, 60.0, 22.0


def bond_scene(
    causality: Causality, tree: SystemGraph, held: Mapping[str, Mapping[str, int]], *, title: str,
    caption: str, full: bool,
) -> Scene:  # fmt: skip
    """``held``: components that tree joints hold at their 0-junctions (drawn as Sf:0), by joint;
    ``full``: with the elements of every group, otherwise only those with bonds to others."""
    grid = Grid.of(causality.graph, tree)
    ways = planned(grid)
    where = placed(grid, laid_out(grid, held, full), traffic(ways))
    drawing = _Drawing(causality, grid, where.placed)
    for way, points in zip(ways, routed(ways, where), strict=True):
        drawing.add(way.bond, points)
    for name, group in where.placed.items():
        drawing.inside(group)
        drawing.hold(group, held.get(name, {}) if full else {})
    drawing.boxes(full)
    return _framed(drawing.shapes(), title, caption, drawing.domains)


class _Drawing:
    """Shapes by layer: boxes, bonds, symbols, dimensions."""

    def __init__(self, causality: Causality, grid: Grid, groups: Mapping[str, Placed]) -> None:
        self.causality, self.grid, self.groups = causality, grid, groups
        self.graph = causality.graph
        self.index = {b.name: i for i, b in enumerate(self.graph.bonds)}
        self.back: list[Shape] = []
        self.lines: list[Shape] = []
        self.front: list[Shape] = []
        self.ways: list[tuple[Bond, Array]] = []
        self.domains: set[str] = set()
        self.texts = {n: self._symbol(self.graph.nodes[n]) for g in groups.values()
                      for n in g.nodes}  # fmt: skip

    def _symbol(self, node: Node) -> str:
        group = self.grid.groups[self.grid.owner[node.name]]
        local = next(k for k, n in group.nodes.items() if n == node.name)
        return symbol(node, local, group)

    def half(self, node: str) -> Array:
        """Half of the size of a symbol."""
        return text_half(self.texts[node], SIZE)

    def add(self, bond: Bond, points: Array) -> None:
        """A bond along a way from the middle of its tail to that of its head."""
        way = trimmed(points, self.half(bond.tail), self.half(bond.head))
        self.lines += bond_lines(bond, way, Ends.of(self.causality, self.index[bond.name]))
        self.ways.append((bond, way))
        self.domains.add(bond.domain if bond.domain in COLOURS else "")

    def inside(self, group: Placed) -> None:
        """Elements of a group and the bonds between them."""
        names = list(group.nodes)
        where = {n: k for k, n in enumerate(names)}
        own = [b for b in self.graph.bonds if b.tail in where and b.head in where]
        nodes = np.array(list(group.nodes.values())).reshape(-1, 2)
        if group.group.kind == "network":
            ends = [Pair(where[b.tail], where[b.head]) for b in own]
            ways = [c.at(np.linspace(0, 1, _BENT)) for c in curves(nodes, ends)]
        else:
            ways = [nodes[[where[b.tail], where[b.head]]] for b in own]
        for bond, way in zip(own, ways, strict=True):
            self.add(bond, way)
        for name, at in group.nodes.items():
            self.front.append(self._text(self.graph.nodes[name], at))
        self.front += [Text(at, f, _SMALL, QUIET) for f, at in group.frames.items()]

    def _text(self, node: Node, at: Array) -> Text:
        derivative = sum(s == node.name for s, _ in self.causality.derivative)
        title = node.title
        if derivative:
            title += f": derivative causality in {derivative} of {node.dim} components"
        ink = DEPENDENT if derivative else INK
        return Text(at, self.texts[node.name], SIZE, ink, bold=True, owner=node.name, title=title)

    def hold(self, group: Placed, held: Mapping[str, int]) -> None:
        """Sf:0, dashed, where the motion basis of a joint stands for it."""
        for junction, at in group.held.items():
            name = f"{group.group.name}.{junction}"
            points = np.array([at, group.nodes[name]])
            way = trimmed(points, text_half("Sf:0", SIZE), self.half(name))
            title = f"{group.group.name} holds {held[junction]} components of {name}"
            self.lines.append(Line(way, QUIET, 1.5, True, "held", name, title))
            self.front.append(Text(at, "Sf:0", SIZE - 1, QUIET, title=title))
            beside = way.mean(axis=0) + np.array([8.0, 0.0])
            self.front.append(Text(beside, str(held[junction]), _SMALL, QUIET))

    def boxes(self, full: bool) -> None:
        """The outlines of groups with their names."""
        for name, group in self.groups.items():
            if not name:
                continue
            low, high = group.low + _CORNER, group.high - _CORNER
            corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
            self.back.append(Blob(name, corners, 2 * _CORNER, _FILL[group.group.kind]))
            middle = 0.5 * (group.low[0] + group.high[0])
            self.front.append(Text(np.array([middle, group.low[1] + 12]), name, _TEXT, QUIET,
                                   bold=True, owner=name, title=_what(group, full)))  # fmt: skip

    def shapes(self) -> list[Shape]:
        """From back to front."""
        return [*self.back, *self.lines, *self.front, *self._dimensions()]

    def _dimensions(self) -> Iterator[Shape]:
        """The dimension of every vector bond, beside the longest straight part of its way."""
        vectors = [(b, way) for b, way in self.ways if b.dim > 1]
        names = [_beside(str(b.dim), way) for b, way in vectors]
        centres = np.array([at for g in self.groups.values() for at in g.nodes.values()])
        drawn = [s.points for s in self.lines if isinstance(s, Line)]
        points = np.vstack([_sampled(way) for way in drawn]) if drawn else centres
        for name, at in zip(names, settle(names, centres, 8.0, points), strict=True):
            yield Text(at, name.text, _SMALL, QUIET)


def _what(group: Placed, full: bool) -> str:
    hidden = len(group.group.nodes) - len(group.nodes)
    text = f"{group.group.kind} {group.group.name}: {len(group.group.nodes)} elements"
    return text if full else f"{text}, {hidden} of them not drawn"


def _beside(text: str, way: Array) -> Name:
    """Beside any of the straight parts of a way, rather at a long and level one."""
    parts = list(pairwise(way))
    longest = max(parts, key=lambda p: _worth(*p))
    good = [p for p in parts if _worth(*p) > 24.0 or p is longest]
    names = [beside_curve(text, _SMALL, Curve(a, (a + b) / 2, b), _OFF) for a, b in good]
    costs = [n.costs + 0.02 * (_worth(*longest) - _worth(*p))
             for n, p in zip(names, good, strict=True)]  # fmt: skip
    return Name(text, _SMALL, np.vstack([n.places for n in names]), np.concatenate(costs))


def _worth(a: Array, b: Array) -> float:
    """Length of a straight part; half of it if it is upright."""
    step = np.abs(b - a)
    return float(np.linalg.norm(step)) * (0.5 if step[0] < step[1] else 1.0)


def _sampled(way: Array) -> Array:
    """Points along a way, a few pixels apart."""
    parts = []
    for a, b in pairwise(way):
        n = max(2, int(np.linalg.norm(b - a) / 5))
        parts.append(a + np.linspace(0, 1, n)[:, None] * (b - a))
    return np.vstack(parts)


def _framed(shapes: Sequence[Shape], title: str, caption: str, domains: Collection[str]) -> Scene:
    """Title above, legend below, everything moved into the picture."""
    points = np.vstack([extent(s) for s in shapes])
    low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
    width = max(float(high[0] - low[0]), 620.0, 7.0 * len(caption) + 2 * _MARGIN)
    shift = np.array([0.5 * (width - (high[0] - low[0])) - low[0], _HEAD - low[1]])
    legend, height = _legend(domains, width, _HEAD + float(high[1] - low[1]))
    head = [Text(np.array([_MARGIN, 28.0]), title, 16, INK, bold=True, from_left=True),
            Text(np.array([_MARGIN, 48.0]), caption, _TEXT, QUIET, from_left=True)]  # fmt: skip
    return Scene(width, height, title, (*(moved(s, shift) for s in shapes), *head, *legend))


def _legend(domains: Collection[str], width: float, top: float) -> tuple[list[Shape], float]:
    """What colours, strokes and letters mean; in rows."""
    entries = [(d or "other", c, QUIET) for d, c in COLOURS.items() if d in domains]
    entries += [(text, "", QUIET) for text in _SIGNS]
    entries.append(("red: derivative causality", "", DEPENDENT))
    shapes: list[Shape] = []
    x, y = _MARGIN, top + 8
    for text, colour, ink in entries:
        start = 32 if colour else 0
        needed = start + 6.3 * len(text) + 22
        if x + needed > width and x > _MARGIN:
            x, y = _MARGIN, y + _ROW
        if colour:
            points = np.array([[x, y], [x + 26, y]])
            shapes += [Line(points, colour, DOUBLE), Line(points, "#ffffff", INNER)]
        shapes.append(Text(np.array([x + start, y]), text, _TEXT, ink, from_left=True))
        x += needed
    return shapes, y + _ROW
