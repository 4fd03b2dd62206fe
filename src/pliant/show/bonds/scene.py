"""The picture of a multibond graph as a list of shapes, which any backend can draw.

Every body, joint, force and driver is a pale box with its elements; vector bonds are double lines
with their dimension, strokes stand at the end that receives the effort. Texts stand where they hide
least; title, caption and legend are put around. Source: S0, chapters 2, 6 and 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond, Causality
from pliant.graphs import SystemGraph
from pliant.show.bonds.arranged import Arranged
from pliant.show.bonds.groups import SIZE, Grid
from pliant.show.bonds.lines import COLOURS, DOUBLE, INNER, SINGLE, Ends, bond_lines, trimmed
from pliant.show.bonds.places import whole
from pliant.show.graphs import shapes as draw
from pliant.show.graphs.labels import LabelPlacer, Name, text_half

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
DEPENDENT = "#b00020"
_STROKE = "stroke: this end receives the effort"
_SIGNS = {"mixed": "dashed stroke: in some components",
          "held": "dashed Sf:0: what the motion basis H of a joint holds"}  # fmt: skip


def bond_scene(
    causality: Causality, tree: SystemGraph, held: Mapping[str, Mapping[str, int]], *, title: str,
    caption: str, full: bool,
) -> draw.Scene:  # fmt: skip
    """``held``: components that tree joints hold at their 0-junctions (drawn as Sf:0), by joint;
    ``full``: with the elements of every group, otherwise only those with bonds to others."""
    grid = Grid.of(causality.graph, tree)
    drawing = _Drawing(causality, grid, whole(grid, held if full else {}, full))
    drawing.bonds()
    drawing.elements()
    drawing.hold(held)
    drawing.outlines(full)
    drawing.dimensions()
    legend = _legend(drawing.domains, drawing.signs)
    return draw.framed(drawing.shapes(), title, caption, legend)


class _Drawing:
    """Shapes by layer: boxes, bonds, symbols, dimensions."""

    def __init__(self, causality: Causality, grid: Grid, places: Arranged) -> None:
        self.causality, self.grid, self.places = causality, grid, places
        self.graph = causality.graph
        self.back: list[draw.Shape] = []
        self.lines: list[draw.Shape] = []
        self.front: list[draw.Shape] = []
        self.waiting: list[tuple[Name, draw.Text]] = []
        """Texts that stand where there is room."""
        self.ways: list[tuple[Bond, Array]] = []
        self.domains: dict[str, bool] = {}
        """Those of bonds, and whether in bonds of several components."""
        self.signs: set[str] = set()
        self.derivative = Counter(name for name, _ in causality.derivative)
        self.texts = {n: s for g in grid.groups.values() for n, s in grid.symbols(g).items()}

    def half(self, node: str) -> Array:
        """Half of the size of a symbol."""
        return text_half(self.texts[node], SIZE)

    def bonds(self) -> None:
        """Each along its way, or straight, between the elements that are drawn."""
        nodes = self.places.nodes
        for index, bond in enumerate(self.graph.bonds):
            if not (bond.tail in nodes and bond.head in nodes):
                continue
            straight = np.array([nodes[bond.tail], nodes[bond.head]])
            points = self.places.ways.get(bond.name, straight)
            way = trimmed(points, self.half(bond.tail), self.half(bond.head))
            ends = Ends.of(self.causality, index)
            self.lines += bond_lines(bond, way, ends)
            self.ways.append((bond, way))
            domain = bond.domain if bond.domain in COLOURS else ""
            self.domains[domain] = self.domains.get(domain, False) or bond.dim > 1
            self.signs |= {"mixed"} if ends.is_mixed else set()

    def elements(self) -> None:
        """Symbols, and the names of frames."""
        for name, at in self.places.nodes.items():
            node, derivative = self.graph.nodes[name], self.derivative[name]
            title = node.title
            if derivative:
                title += f": derivative causality in {derivative} of {node.dim} components"
                self.signs.add("derivative")
            ink = DEPENDENT if derivative else draw.INK
            symbol = draw.Text(at, self.texts[name], SIZE, ink, bold=True, owner=name, title=title)
            self.front.append(symbol)
        for frame, at in self.places.frames.items():
            self._wait(near(frame.partition(".")[2], SMALL, at), draw.QUIET)

    def hold(self, held: Mapping[str, Mapping[str, int]]) -> None:
        """Sf:0, dashed, where the motion basis of a joint stands for it."""
        for name, at in self.places.held.items():
            self.signs.add("held")
            joint, _, junction = name.rpartition(".")
            points = np.array([at, self.places.nodes[name]])
            way = trimmed(points, text_half("Sf:0", SIZE), self.half(name))
            title = f"{joint} holds {held[joint][junction]} components of {name}"
            self.lines.append(draw.Line(way, draw.QUIET, 1.5, True, "held", name, title))
            self.front.append(draw.Text(at, "Sf:0", SIZE - 1, draw.QUIET, title=title))
            self._wait(beside(str(held[joint][junction]), way), draw.QUIET)

    def outlines(self, full: bool) -> None:
        """The boxes of groups and of parts within networks, with their names."""
        groups, drawn, owner = self.grid.groups, set(self.places.nodes), ""
        for box in self.places.boxes:
            group, text, size = groups.get(box.name), box.name, draw.TEXT
            if group is None:
                depth = box.name.removeprefix(owner).count(".") - bool(owner)
                colour, title = _PARTS[depth % len(_PARTS)], f"part {box.name}"
                text, size = box.name.rpartition(".")[2], draw.TEXT - 1
            else:
                owner, colour = box.name, _FILL[group.kind]
                title = f"{group.kind} {box.name}: {len(group.nodes)} elements"
                hidden = len(set(group.nodes.values()) - drawn)
                title += "" if full else f", {hidden} of them not drawn"
            low, high = box.low + _CORNER, box.high - _CORNER
            corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
            self.back.append(draw.Blob(box.name, corners, 2 * _CORNER, colour))
            self._wait(headline(text, size, box.low, box.high), draw.QUIET, box.name, title)

    def _wait(self, name: Name, ink: str, owner: str = "", title: str = "") -> None:
        text = draw.Text(
            np.zeros(2), name.text, name.size, ink, bool(owner), owner=owner, title=title
        )
        self.waiting.append((name, text))

    def dimensions(self) -> None:
        """The dimension of every vector bond, beside its way."""
        for bond, way in self.ways:
            if bond.dim > 1:
                self._wait(beside(str(bond.dim), way), draw.QUIET)

    def shapes(self) -> list[draw.Shape]:
        """From back to front; titles first, then what is written small, off symbols, bonds and
        each other."""
        taken = LabelPlacer()
        for line in self.lines:
            if isinstance(line, draw.Line):
                taken.add_line(line.points, 0.5 * line.width + 0.5)
        for text in self.front:
            if isinstance(text, draw.Text):
                taken.add_box(text.centre, text_half(text.text, text.size))
        order = sorted(self.waiting, key=lambda w: -w[0].size)
        centres = taken.settle([n for n, _ in order])
        texts = [replace(text, centre=at) for (_, text), at in zip(order, centres, strict=True)]
        return [*self.back, *self.lines, *self.front, *texts]


def beside(text: str, way: Array) -> Name:
    """Beside any of the straight parts of a way, rather at the middle of a long and level one."""
    half = text_half(text, SMALL)
    parts = [(a, b) for a, b in pairwise(way)]
    steps = [np.abs(b - a) for a, b in parts]
    worth = [float(np.linalg.norm(s)) * (0.5 if s[0] < s[1] else 1.0) for s in steps]
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


def _legend(domains: Mapping[str, bool], signs: Collection[str]) -> list[draw.Entry]:
    """Colours of domains, and the signs that occur. ``domains``: those that occur, and whether in
    vector bonds."""
    found = []
    for d, c in ((d, c) for d, c in COLOURS.items() if d in domains):
        lines = ((c, DOUBLE), ("#ffffff", INNER)) if domains[d] else ((c, SINGLE),)
        found.append(draw.Entry(d or "other", lines))
    found.append(draw.Entry(_STROKE))
    found += [draw.Entry(text) for sign, text in _SIGNS.items() if sign in signs]
    return found + [draw.Entry("red: derivative causality", ink=DEPENDENT)] * (
        "derivative" in signs
    )
