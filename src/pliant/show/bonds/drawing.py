"""The drawing of a bond graph as data: symbols, bonds with their ways and strokes, boxes, and texts
where they hide least. Pictures (``scene``) and the page of the studio are both made from it.

Every body, joint, force, driver and network is a box: open, with all its elements, or folded, with
those only that have bonds to other boxes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import field
from itertools import pairwise
from typing import Literal

import numpy as np

from pliant.arrays import Array
from pliant.bonds import Bond, Causality, Node
from pliant.records import dataclass
from pliant.show.bonds.arranged import Arranged, Outline
from pliant.show.bonds.groups import SIZE, Grid
from pliant.show.bonds.lines import Ends, bond_lines, trimmed
from pliant.show.graphs import shapes as draw
from pliant.show.graphs.labels import LabelPlacer, Name, text_half

SMALL = 9.5
HELD = "Sf:0"
_OFF = (3.6, 5.6)
"""Pixels between the middle of a bond and its dimension."""
_ALONG = np.array([0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82, 0.1, 0.9])
_SHORT = 12.0
"""Parts of a way that are shorter have no text beside them."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """What causality says of a graph: the ends of every bond that receive the effort, and how many
    components of each store are in derivative causality."""

    ends: Sequence[Ends]
    dependent: Mapping[str, int]

    @classmethod
    def of(cls, causality: Causality) -> Strokes:
        """Of a graph whose causality is known."""
        dependent: dict[str, int] = {}
        for store, _ in causality.derivative:
            dependent[store] = dependent.get(store, 0) + 1
        count = len(causality.graph.bonds)
        return cls([Ends.of(causality, k) for k in range(count)], dependent)


@dataclass(frozen=True, slots=True)
class Symbol:
    """An element: what is written for it and where; components in derivative causality."""

    node: Node
    text: str
    at: Array
    dependent: int = 0

    @property
    def half(self) -> Array:
        """Half of its size."""
        return text_half(self.text, SIZE)

    @property
    def title(self) -> str:
        """I crank.m: derivative causality in 3 of 3 components."""
        if not self.dependent:
            return self.node.title
        of = f"{self.dependent} of {self.node.dim} components"
        return f"{self.node.title}: derivative causality in {of}"


@dataclass(frozen=True, slots=True)
class DrawnBond:
    """A bond with its way between two symbols and its strokes."""

    bond: Bond
    way: Array
    ends: Ends


@dataclass(frozen=True, slots=True)
class HeldJunction:
    """Sf:0, dashed, at a junction where the motion basis of a joint stands for it."""

    joint: str
    junction: str
    count: int
    at: Array
    way: Array

    @property
    def title(self) -> str:
        return f"{self.joint} holds {self.count} components of {self.junction}"


@dataclass(frozen=True, slots=True)
class Box:
    """The box of a group, or of a part in a network; ``depth``: of parts in parts."""

    outline: Outline
    kind: str
    depth: int = 0
    elements: int = 0
    hidden: int = 0
    is_open: bool = True

    @property
    def name(self) -> str:
        return self.outline.name

    @property
    def label(self) -> str:
        """What is written in it."""
        return self.name.rpartition(".")[2] if self.kind == "part" else self.name

    @property
    def title(self) -> str:
        """body crank: 13 elements, 9 of them not drawn."""
        if self.kind == "part":
            return f"part {self.name}"
        count = self.elements
        title = f"{self.kind} {self.name}: {count} element{'' if count == 1 else 's'}"
        return title if self.is_open else f"{title}, {self.hidden} of them not drawn"


@dataclass(frozen=True, slots=True)
class Note:
    """A text that stands where there is room: title of a box, name of a frame, dimension of a bond
    or of Sf:0. ``of``: whose."""

    kind: Literal["box", "frame", "bond", "held"]
    of: str
    name: Name
    at: Array = field(default_factory=lambda: np.zeros(2))


@dataclass(slots=True)
class BondDrawing:
    """Everything that is drawn, in pixels, y downwards."""

    symbols: dict[str, Symbol] = field(default_factory=dict)
    bonds: list[DrawnBond] = field(default_factory=list)
    held: list[HeldJunction] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    """Those of boxes first."""


def drawing(
    grid: Grid, places: Arranged, strokes: Strokes, held: Mapping[str, Mapping[str, int]],
    opened: Collection[str],
) -> BondDrawing:  # fmt: skip
    """Elements, bonds and boxes at their ``places``; ``held``: components that tree joints hold at
    their 0-junctions, by joint; ``opened``: the groups whose elements are all drawn."""
    found = BondDrawing()
    texts = {n: s for g in grid.groups.values() for n, s in grid.symbols(g).items()}
    for name, at in places.nodes.items():
        node, dependent = grid.graph.nodes[name], strokes.dependent.get(name, 0)
        found.symbols[name] = Symbol(node, texts[name], at, dependent)
    _bonds(found, grid, places, strokes)
    for name, at in places.held.items():
        joint, _, junction = name.rpartition(".")
        points = np.array([at, places.nodes[name]])
        way = trimmed(points, text_half(HELD, SIZE), found.symbols[name].half)
        found.held.append(HeldJunction(joint, name, held[joint][junction], at, way))
    _boxes(found, grid, places, opened)
    found.notes = _settled(found, places)
    return found


def _bonds(found: BondDrawing, grid: Grid, places: Arranged, strokes: Strokes) -> None:
    """Each along its way, or straight, between the elements that are drawn."""
    known = found.symbols
    for bond, ends in zip(grid.graph.bonds, strokes.ends, strict=True):
        if bond.tail in known and bond.head in known:
            tail, head = known[bond.tail], known[bond.head]
            points = places.ways.get(bond.name, np.array([tail.at, head.at]))
            found.bonds.append(DrawnBond(bond, trimmed(points, tail.half, head.half), ends))


def _boxes(found: BondDrawing, grid: Grid, places: Arranged, opened: Collection[str]) -> None:
    """The boxes of groups and of parts within networks, outer ones first."""
    drawn, owner = set(places.nodes), ""
    for outline in places.boxes:
        group = grid.groups.get(outline.name)
        if group is None:
            depth = outline.name.removeprefix(owner).count(".") - bool(owner)
            found.boxes.append(Box(outline, "part", depth))
            continue
        owner = outline.name
        hidden = len(set(group.nodes.values()) - drawn)
        is_open = outline.name in opened
        found.boxes.append(Box(outline, group.kind, 0, len(group.nodes), hidden, is_open=is_open))


def _settled(found: BondDrawing, places: Arranged) -> list[Note]:
    """Texts off symbols, bonds and each other; titles first, then what is written small."""
    notes = [Note("frame", frame, near(frame.partition(".")[2], SMALL, at))
             for frame, at in places.frames.items()]  # fmt: skip
    notes += [Note("held", h.junction, beside(str(h.count), h.way)) for h in found.held]
    for box in found.boxes:
        size = draw.TEXT - (box.kind == "part")
        name = headline(box.label, size, box.outline.low, box.outline.high)
        notes.append(Note("box", box.name, name))
    notes += [Note("bond", b.bond.name, beside(str(b.bond.dim), b.way))
              for b in found.bonds if b.bond.dim > 1]  # fmt: skip
    taken = LabelPlacer()
    for b in found.bonds:
        for line in bond_lines(b.bond, b.way, b.ends):
            taken.add_line(line.points, 0.5 * line.width + 0.5)
    for h in found.held:
        taken.add_line(h.way, HELD_WIDTH / 2 + 0.5)
    for symbol in found.symbols.values():
        taken.add_box(symbol.at, symbol.half)
    for h in found.held:
        taken.add_box(h.at, text_half(HELD, SIZE - 1))
    notes.sort(key=lambda note: -note.name.size)
    centres = taken.settle([note.name for note in notes])
    return [Note(n.kind, n.of, n.name, at) for n, at in zip(notes, centres, strict=True)]


HELD_WIDTH = 1.5


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
