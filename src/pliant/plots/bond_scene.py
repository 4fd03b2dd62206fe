"""The picture of a multibond graph as a list of shapes, which any backend can draw.

Every body, joint, force and driver is a pale box with its elements; vector bonds are double lines
with their dimension, strokes stand at the end that receives the effort. Texts stand where they hide
least; title, caption and legend are put around. Source: S0, chapters 2, 6 and 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from pliant.arrays import Array
from pliant.graphs import SystemGraph
from pliant.graphs.bonds import Bond, Causality, Node
from pliant.plots.bond_arranged import Outline
from pliant.plots.bond_groups import SIZE, Grid, symbol
from pliant.plots.bond_lines import COLOURS, DOUBLE, INNER, SINGLE, Ends, bond_lines, trimmed
from pliant.plots.bond_places import Placed, laid_out, placed
from pliant.plots.bond_routes import planned, routed, traffic
from pliant.plots.free_places import Occupied
from pliant.plots.graph_labels import Name, text_half
from pliant.plots.graph_shapes import Blob, Line, Scene, Shape, Text, extent, moved

_FILL = {"ground": "#e9ebee", "body": "#e6eef7", "joint": "#fbf0e6", "driver": "#f7f3da",
         "force": "#f2e8f5", "network": "#e6f2ec"}  # fmt: skip
_PARTS = ("#d3e8dd", "#c2dfd0", "#e6f2ec")
"""Of parts, of parts in them, and so on."""
_CORNER = 9.0
SMALL = 9.5
_OFF = (3.6, 5.6)
"""Pixels between the middle of a bond and its dimension."""
_ALONG = np.array([0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9])
_SHORT = 12.0
"""Parts of a way that are shorter have no text beside them."""
INK, QUIET, DEPENDENT = "#20262e", "#5b6470", "#b00020"
TEXT = 12.0
_STROKE = "stroke: this end receives the effort"
_SIGNS = {"mixed": "dashed stroke: in some components",
          "held": "dashed Sf:0: what the motion basis H of a joint holds"}  # fmt: skip
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
    drawing.dimensions()
    return framed(drawing.shapes(), title, caption, drawing.domains, drawing.signs)


class _Drawing:
    """Shapes by layer: boxes, bonds, symbols, dimensions."""

    def __init__(self, causality: Causality, grid: Grid, groups: Mapping[str, Placed]) -> None:
        self.causality, self.grid, self.groups = causality, grid, groups
        self.graph = causality.graph
        self.index = {b.name: i for i, b in enumerate(self.graph.bonds)}
        self.back: list[Shape] = []
        self.lines: list[Shape] = []
        self.front: list[Shape] = []
        self.waiting: list[tuple[Name, Text]] = []
        """Texts that stand where there is room."""
        self.ways: list[tuple[Bond, Array]] = []
        self.domains: dict[str, bool] = {}
        """Those of bonds, and whether in bonds of several components."""
        self.signs: set[str] = set()
        self.derivative = Counter(name for name, _ in causality.derivative)
        self.texts = {
            n: symbol(self.graph.nodes[n], local, g.group, self.graph)
            for g in groups.values() for local, n in g.group.nodes.items() if n in g.nodes
        }  # fmt: skip

    def half(self, node: str) -> Array:
        """Half of the size of a symbol."""
        return text_half(self.texts[node], SIZE)

    def add(self, bond: Bond, points: Array) -> None:
        """A bond along a way from the middle of its tail to that of its head."""
        way = trimmed(points, self.half(bond.tail), self.half(bond.head))
        ends = Ends.of(self.causality, self.index[bond.name])
        self.lines += bond_lines(bond, way, ends)
        self.ways.append((bond, way))
        domain = bond.domain if bond.domain in COLOURS else ""
        self.domains[domain] = self.domains.get(domain, False) or bond.dim > 1
        self.signs |= {"mixed"} if ends.is_mixed else set()

    def inside(self, group: Placed) -> None:
        """Elements of a group and the bonds between them."""
        for bond in self.grid.within.get(group.group.name, ()):
            if not (bond.tail in group.nodes and bond.head in group.nodes):
                continue
            ends = np.array([group.nodes[bond.tail], group.nodes[bond.head]])
            self.add(bond, group.ways.get(bond.name, ends))
        for name, at in group.nodes.items():
            self.front.append(self._text(self.graph.nodes[name], at))
        for frame, at in group.frames.items():
            self._wait(near(frame, SMALL, at), QUIET)

    def _text(self, node: Node, at: Array) -> Text:
        derivative = self.derivative[node.name]
        title = node.title
        if derivative:
            title += f": derivative causality in {derivative} of {node.dim} components"
        ink = DEPENDENT if derivative else INK
        self.signs |= {"derivative"} if derivative else set()
        return Text(at, self.texts[node.name], SIZE, ink, bold=True, owner=node.name, title=title)

    def hold(self, group: Placed, held: Mapping[str, int]) -> None:
        """Sf:0, dashed, where the motion basis of a joint stands for it."""
        for junction, at in group.held.items():
            self.signs.add("held")
            name = f"{group.group.name}.{junction}"
            points = np.array([at, group.nodes[name]])
            way = trimmed(points, text_half("Sf:0", SIZE), self.half(name))
            title = f"{group.group.name} holds {held[junction]} components of {name}"
            self.lines.append(Line(way, QUIET, 1.5, True, "held", name, title))
            self.front.append(Text(at, "Sf:0", SIZE - 1, QUIET, title=title))
            self._wait(beside(str(held[junction]), way), QUIET)

    def boxes(self, full: bool) -> None:
        """The outlines of groups with their names."""
        for name, group in self.groups.items():
            if not name:
                continue
            self.back.append(_box(name, group.low, group.high, _FILL[group.group.kind]))
            depth = name.count(".")
            for part in group.parts:
                self._part(part, _PARTS[(part.name.count(".") - depth - 1) % len(_PARTS)])
            self._wait(headline(name, TEXT, group.low, group.high), QUIET, name,
                       _what(group, full))  # fmt: skip

    def _part(self, part: Outline, shade: str) -> None:
        """The outline of a part within its network."""
        self.back.append(_box(part.name, part.low, part.high, shade))
        name = part.name.rpartition(".")[2]
        self._wait(headline(name, TEXT - 1, part.low, part.high), QUIET, part.name,
                   f"part {part.name}")  # fmt: skip

    def _wait(self, name: Name, ink: str, owner: str = "", title: str = "") -> None:
        text = Text(np.zeros(2), name.text, name.size, ink, bool(owner), owner=owner, title=title)
        self.waiting.append((name, text))

    def dimensions(self) -> None:
        """The dimension of every vector bond, beside its way."""
        for bond, way in self.ways:
            if bond.dim > 1:
                self._wait(beside(str(bond.dim), way), QUIET)

    def shapes(self) -> list[Shape]:
        """From back to front."""
        return [*self.back, *self.lines, *self.front, *self._settled()]

    def _settled(self) -> Iterator[Shape]:
        """Titles first, then what is written small, off symbols, bonds and each other."""
        taken = Occupied()
        for line in self.lines:
            if isinstance(line, Line):
                taken.add_line(line.points, 0.5 * line.width + 0.5)
        for text in self.front:
            if isinstance(text, Text):
                taken.add_box(text.centre, text_half(text.text, text.size))
        order = sorted(self.waiting, key=lambda w: -w[0].size)
        for (_, text), at in zip(order, taken.settle([n for n, _ in order]), strict=True):
            yield replace(text, centre=at)


def _box(name: str, low: Array, high: Array, colour: str) -> Blob:
    """A rounded box."""
    low, high = low + _CORNER, high - _CORNER
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    return Blob(name, corners, 2 * _CORNER, colour)


def _what(group: Placed, full: bool) -> str:
    hidden = len(group.group.nodes) - len(group.nodes)
    text = f"{group.group.kind} {group.group.name}: {len(group.group.nodes)} elements"
    return text if full else f"{text}, {hidden} of them not drawn"


def beside(text: str, way: Array) -> Name:
    """Beside any of the straight parts of a way, rather at the middle of a long and level one."""
    half = text_half(text, SMALL)
    parts = [(a, b) for a, b in pairwise(way)]
    worth = [_worth(a, b) for a, b in parts]
    places, costs = [], []
    for (a, b), own in zip(parts, worth, strict=True):
        length = float(np.linalg.norm(b - a))
        if length < _SHORT and own < max(worth):
            continue
        along = (b - a) / max(length, 1e-9)
        for side in (1.0, -1.0):
            normal = side * np.array([along[1], -along[0]])
            for off in _OFF:
                reach = float(np.abs(normal) @ half) + off
                places.append(a + _ALONG[:, None] * (b - a) + reach * normal)
                costs.append(14 * np.abs(_ALONG - 0.5) + off + 0.02 * (max(worth) - own))
    return Name(text, SMALL, np.vstack(places), np.concatenate(costs))


def _worth(a: Array, b: Array) -> float:
    """Length of a straight part; half of it if it is upright."""
    step = np.abs(b - a)
    return float(np.linalg.norm(step)) * (0.5 if step[0] < step[1] else 1.0)


def headline(text: str, size: float, low: Array, high: Array) -> Name:
    """At the top of a box, in its middle if possible."""
    half = text_half(text, size)
    middle, y = 0.5 * (low[0] + high[0]), low[1] + half[1] + 5
    room = max(0.0, 0.5 * (high[0] - low[0]) - half[0] - 6)
    shifts = np.linspace(-1, 1, 21) * room
    places = np.column_stack([middle + shifts, np.full(len(shifts), y)])
    return Name(text, size, places, np.abs(shifts))


def near(text: str, size: float, at: Array) -> Name:
    """At a place, or somewhat above, below or beside it."""
    half = text_half(text, size)
    steps = np.array([(x, y) for y in (0, -6, 6, -12, 12) for x in (0, -0.5, 0.5, -1, 1)])
    places = at + steps * np.array([2 * half[0], 1.0])
    return Name(text, size, places, np.abs(steps) @ np.array([20.0, 1.0]))


def framed(
    shapes: Sequence[Shape], title: str, caption: str, domains: Mapping[str, bool],
    signs: Collection[str],
) -> Scene:  # fmt: skip
    """Title above, legend below, everything moved into the picture. ``domains``: those that occur,
    and whether in vector bonds; ``signs``: what else has to be explained."""
    points = np.vstack([extent(s) for s in shapes])
    low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
    width = max(float(high[0] - low[0]), 620.0, 7.0 * len(caption) + 2 * _MARGIN)
    shift = np.array([0.5 * (width - (high[0] - low[0])) - low[0], _HEAD - low[1]])
    legend, height = _legend(_entries(domains, signs), width, _HEAD + float(high[1] - low[1]))
    head = [Text(np.array([_MARGIN, 28.0]), title, 16, INK, bold=True, from_left=True),
            Text(np.array([_MARGIN, 48.0]), caption, TEXT, QUIET, from_left=True)]  # fmt: skip
    return Scene(width, height, title, (*(moved(s, shift) for s in shapes), *head, *legend))


@dataclass(frozen=True, slots=True)
class _Entry:
    text: str
    ink: str = QUIET
    colour: str = ""
    is_vector: bool = False


def _entries(domains: Mapping[str, bool], signs: Collection[str]) -> list[_Entry]:
    """Colours of domains, and the signs that occur."""
    found = [_Entry(d or "other", QUIET, c, domains[d]) for d, c in COLOURS.items() if d in domains]
    found.append(_Entry(_STROKE))
    found += [_Entry(text) for sign, text in _SIGNS.items() if sign in signs]
    if "derivative" in signs:
        found.append(_Entry("red: derivative causality", DEPENDENT))
    return found


def _legend(entries: Sequence[_Entry], width: float, top: float) -> tuple[list[Shape], float]:
    """What colours, strokes and letters mean; in rows."""
    shapes: list[Shape] = []
    x, y = _MARGIN, top + 8
    for e in entries:
        start = 32 if e.colour else 0
        needed = start + 6.3 * len(e.text) + 22
        if x + needed > width and x > _MARGIN:
            x, y = _MARGIN, y + _ROW
        if e.colour:
            points = np.array([[x, y], [x + 26, y]])
            shapes.append(Line(points, e.colour, DOUBLE if e.is_vector else SINGLE))
            shapes += [Line(points, "#ffffff", INNER)] if e.is_vector else []
        shapes.append(Text(np.array([x + start, y]), e.text, TEXT, e.ink, from_left=True))
        x += needed
    return shapes, y + _ROW
