"""Groups and their elements in pixels: columns and rows of the grid, gutters and channels between.

Vertical parts of bonds between groups run in the gutters between columns, horizontal ones in the
channels between rows; both are as wide as the bonds in them need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pliant.arrays import Array
from pliant.plots import bond_templates as templates
from pliant.plots.bond_arranged import Arranged, Outline
from pliant.plots.bond_groups import SIZE, Grid, Group, Side, symbol
from pliant.plots.bond_network import arranged
from pliant.plots.bond_templates import Layout, Point
from pliant.plots.graph_labels import text_half

_UNIT = np.array([60.0, 42.0])
_PAD, _TITLE = 15.0, 20.0
TRACK = 16.0
"""Distance of bonds that run side by side."""
_GUTTER, _CHANNEL, _ABOVE = 24.0, 22.0, 30.0


@dataclass(frozen=True, slots=True)
class Placed:
    """A group with its nodes: places, box (low, high), and what is written beside them."""

    group: Group
    nodes: dict[str, Array]
    low: Array
    high: Array
    frames: dict[str, Array] = field(default_factory=dict)
    held: dict[str, Array] = field(default_factory=dict)
    ways: dict[str, Array] = field(default_factory=dict)
    """Of bonds within the group that do not run straight."""
    exits: dict[str, Array] = field(default_factory=dict)
    """Of bonds to others, from the node to the edge of the box."""
    parts: tuple[Outline, ...] = ()

    def moved(self, shift: Array) -> Placed:
        """Somewhere else."""
        kept = (self.nodes, self.frames, self.held, self.ways, self.exits)
        nodes, frames, held, ways, exits = ({k: p + shift for k, p in d.items()} for d in kept)
        parts = tuple(Outline(p.name, p.low + shift, p.high + shift) for p in self.parts)
        low, high = self.low + shift, self.high + shift
        return Placed(self.group, nodes, low, high, frames, held, ways, exits, parts)

    def exit(self, bond: str, node: str) -> Array:
        """The way (n, 2) of a bond within the box, from its node on."""
        return self.exits[bond] if bond in self.exits else self.nodes[node][None]


@dataclass(slots=True)
class Places:
    """All groups in pixels; edges of columns, and of rows."""

    grid: Grid
    placed: dict[str, Placed]
    columns: list[tuple[float, float]] = field(default_factory=list)
    rows: list[tuple[float, float]] = field(default_factory=list)

    def exit(self, bond: str, node: str) -> Array:
        """The way of a bond between groups in the box of its node, from the node on."""
        return self.placed[self.grid.owner[node]].exit(bond, node)


@dataclass(frozen=True, slots=True)
class Traffic:
    """How many bonds use each gutter and each channel."""

    gutters: Counter[int]
    channels: Counter[int]


def sides_of(grid: Grid) -> dict[tuple[str, str], Side]:
    """The side at which a bond leaves its group, by (bond, end)."""
    found: dict[tuple[str, str], Side] = {}
    frames: dict[tuple[str, str], Side] = {}
    for bond, a, b in grid.outside():
        for end, node, own, other in (("tail", bond.tail, a, b), ("head", bond.head, b, a)):
            local = node.removeprefix(own).removeprefix(".")
            frame = templates.frame_of(local) if grid.groups[own].kind in _BODIES else ""
            if _above(grid, own, other):
                side: Side = "bottom" if own in grid.hosts else "top"
            elif grid.groups[own].kind == "joint":
                side = _joint_side(grid, own, local)
            elif frame:
                side = frames.setdefault((own, frame), grid.side(own, other))
            else:
                side = grid.side(own, other)
            found[bond.name, end] = side
    return found


_BODIES = ("body", "ground")
_MOST = {"rigid": 3, "flexible": 2}
"""Frames on a side of a body that is drawn as in the figures."""


def _above(grid: Grid, own: str, other: str) -> bool:
    """Whether one of two groups stands above the other, which is a joint."""
    hosted = grid.hosts.get(own) == other or grid.hosts.get(other) == own
    return hosted and "joint" in (grid.groups[own].kind, grid.groups[other].kind)


def _joint_side(grid: Grid, joint: str, local: str) -> Side:
    """The parent's motion enters at one side, that of the child leaves at the other."""
    at_parent = local in ("Av", "Aw", "TFr")
    return "left" if at_parent != (joint in grid.mirrored) else "right"


def laid_out(grid: Grid, held: Mapping[str, Collection[str]], full: bool) -> dict[str, Placed]:
    """Every group about its own origin."""
    sides = sides_of(grid)
    by_node: dict[str, list[Side]] = {}
    for bond, _, _ in grid.outside():
        by_node.setdefault(bond.tail, []).append(sides[bond.name, "tail"])
        by_node.setdefault(bond.head, []).append(sides[bond.name, "head"])
    found = {}
    for name, group in grid.groups.items():
        if full and (group.kind == "network" or _is_crowded(group, by_node)):
            found[name] = _in_columns(grid, group, sides)
        else:
            layout = _layout(grid, group, by_node, held.get(name, ()), full)
            upward = any("top" in by_node.get(n, ()) for n in group.nodes.values())
            found[name] = _in_pixels(grid, group, layout, upward)
    return found


def _frame_sides(group: Group, sides: Mapping[str, list[Side]]) -> dict[str, Side]:
    """The side at which the bonds of each frame of a body leave."""
    own = ((templates.frame_of(k), n) for k, n in group.nodes.items() if n in sides)
    return {frame: sides[n][0] for frame, n in own if frame}


def _is_crowded(group: Group, sides: Mapping[str, list[Side]]) -> bool:
    """Whether a body has more frames on a side than fit around its figure."""
    if group.kind not in _BODIES:
        return False
    most = _MOST["flexible" if "E" in group.nodes else "rigid"]
    return max(Counter(_frame_sides(group, sides).values()).values(), default=0) > most


def _in_columns(grid: Grid, group: Group, sides: Mapping[tuple[str, str], Side]) -> Placed:
    """A network, or a body with many frames: then its outermost bond is level with the joint."""
    halves = {
        n: text_half(symbol(grid.graph.nodes[n], k, group, grid.graph), SIZE)
        for k, n in group.nodes.items()
    }
    velocities = _frame_velocities(group)
    for n in velocities:
        halves[n] = halves[n] + np.array([0.0, 0.5 * SIZE])  # room for the name of the frame
    own = {bond.name: sides[bond.name, "tail" if a == group.name else "head"]
           for bond, a, _ in grid.between.get(group.name, ())}  # fmt: skip
    at_sides: dict[str, Literal["left", "right"]] = {
        bond: "left" if side == "left" else "right" for bond, side in own.items()
    }
    found = arranged(grid.graph, group.name, halves, at_sides)
    _turn_down(found, [bond for bond, side in own.items() if side == "bottom"])
    wide = found.high[0] - found.low[0]
    lacking = max(0.0, 2 * text_half(group.name, SIZE)[0] + 2 * _PAD - wide)
    low = found.low - np.array([lacking, 0.0])
    frames = {f: found.nodes[n] - np.array([0.0, 15.0]) for n, f in velocities.items()}
    box = Placed(group, found.nodes, low, found.high, frames, {}, found.ways, found.exits,
                 tuple(found.parts))  # fmt: skip
    ends = [way[-1] for way in found.exits.values()]
    first = min(ends, key=lambda p: (p[0], p[1]), default=low)
    return box.moved(np.array([0.0, -first[1]])) if group.kind in _BODIES else box


def _frame_velocities(group: Group) -> dict[str, str]:
    """The nodes 1:v of the frames of a body, with the names of the frames."""
    frames = {n: templates.frame_of(k) for k, n in group.nodes.items() if k.endswith(".v")}
    return {n: f for n, f in frames.items() if f and group.kind in _BODIES}


def _turn_down(found: Arranged, down: Collection[str]) -> None:
    """Bonds to a joint below the box leave at the right and turn downwards in a strip of it."""
    right = float(found.high[0])
    found.high = found.high + np.array([TRACK * len(down), 0.0])
    order = sorted(down, key=lambda b: -found.exits[b][-1][1])  # the lowest one turns first
    for bond, way in found.exits.items():
        y = way[-1][1]
        if bond in down:
            x = right + TRACK * (order.index(bond) + 0.5)
            found.exits[bond] = np.vstack([way, [x, y], [x, found.high[1]]])
        elif way[-1][0] == right:
            found.exits[bond] = np.vstack([way, [found.high[0], y]])


def _layout(
    grid: Grid, group: Group, sides: Mapping[str, list[Side]], held: Collection[str], full: bool
) -> Layout:
    if not full:
        return templates.ports(group, sides)
    if group.kind in _BODIES:
        origin = sides.get(f"{group.name}.R", ())
        return templates.body(group, _frame_sides(group, sides), origin)
    if group.kind == "joint":
        layout = templates.joint(group, held)
        return layout.mirrored() if group.name in grid.mirrored else layout
    return templates.driver(group)


def _in_pixels(grid: Grid, group: Group, layout: Layout, upward: bool) -> Placed:
    """With its title, beside which there is room for bonds that go ``upward``."""

    def pixels(points: Mapping[str, Point]) -> dict[str, Array]:
        return {k: np.array(p) * _UNIT for k, p in points.items()}

    local = pixels(layout.places)
    nodes = {group.nodes[k]: p for k, p in local.items()}
    halves = [text_half(symbol(grid.graph.nodes[group.nodes[k]], k, group, grid.graph), SIZE)
              for k in local]  # fmt: skip
    corners = [p + s * h for p, h in zip(local.values(), halves, strict=True) for s in (-1, 1)]
    corners += [p + s * text_half("Sf:0", SIZE) for p in pixels(layout.held).values()
                for s in (-1, 1)]  # fmt: skip
    corners += [p + s * text_half(k, 9.5) for k, p in pixels(layout.frames).items()
                for s in (-1, 1)]  # fmt: skip
    points = np.array(corners or [np.zeros(2)])
    low, high = points.min(axis=0) - _PAD, points.max(axis=0) + _PAD
    low = low - np.array([0.0, _TITLE if group.name else 0.0])
    title = 2 * text_half(group.name, SIZE)[0] * (2 if upward else 1) + 2 * _PAD
    lacking = title - (high[0] - low[0])
    if lacking > 0:
        more = np.array([lacking / 2, 0.0])
        low, high = low - more, high + more
    return Placed(group, nodes, low, high, pixels(layout.frames), pixels(layout.held))


def placed(grid: Grid, own: Mapping[str, Placed], traffic: Traffic) -> Places:
    """Groups in their cells; all groups of a row have the same zero, those of a column the same
    middle."""
    clusters = {name: _cluster(grid, own, name) for name in grid.cells}
    boxes = {
        name: (
            np.min([p.low for p in parts], axis=0),
            np.max([p.high for p in parts], axis=0),
        )
        for name, parts in clusters.items()
    }
    columns, rows = grid.size
    where = Places(grid, {})
    x = 0.0
    for c in range(columns):
        x += _GUTTER + TRACK * traffic.gutters[c]
        wide = max((h[0] - low[0] for n, (low, h) in boxes.items() if grid.cells[n][0] == c),
                   default=0.0)  # fmt: skip
        where.columns.append((x, x + wide))
        x += wide
    y = 0.0
    zeros = []
    for r in range(rows):
        y += _CHANNEL + TRACK * traffic.channels[r]
        above = max((-low[1] for n, (low, _) in boxes.items() if grid.cells[n][1] == r), default=0)
        below = max((h[1] for n, (_, h) in boxes.items() if grid.cells[n][1] == r), default=0)
        where.rows.append((y, y + above + below))
        zeros.append(y + above)
        y += above + below
    for name, parts in clusters.items():
        c, r = grid.cells[name]
        low, high = boxes[name]
        middle = 0.5 * sum(where.columns[c])
        shift = np.array([middle - 0.5 * (low[0] + high[0]), zeros[r]])
        where.placed |= {p.group.name: p.moved(shift) for p in parts}
    return where


def _cluster(grid: Grid, own: Mapping[str, Placed], name: str) -> list[Placed]:
    """A group, and above it in a row those that it is the host of."""
    host = own[name]
    guests = [own[g] for g, h in grid.hosts.items() if h == name]
    wide = [float(g.high[0] - g.low[0]) + TRACK for g in guests]
    anchor, first = _anchor(grid, host), _anchor(grid, guests[0]) if guests else 0.0
    x = anchor - sum(wide) / 2
    if len(guests) == 1:
        x = anchor - first + float(guests[0].low[0])
    found = [host]
    for guest, width in zip(guests, wide, strict=True):
        foot = host.low[1] - _ABOVE - TRACK * (len(guests) - 1)
        found.append(guest.moved(np.array([x - guest.low[0], foot - guest.high[1]])))
        x += width
    return found


def _anchor(grid: Grid, placed: Placed) -> float:
    """Where bonds leave a group upwards or downwards, or its middle."""
    for bond, a, b in grid.between.get(placed.group.name, ()):
        if _above(grid, a, b):
            node = bond.tail if a == placed.group.name else bond.head
            return float(placed.exit(bond.name, node)[-1][0])
    return 0.5 * float(placed.low[0] + placed.high[0])
