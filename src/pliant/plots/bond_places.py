"""Groups and their elements in pixels: every group in its box, those with guests above them as one,
and all of them joined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np

from pliant.arrays import Array
from pliant.plots import bond_templates as templates
from pliant.plots.bond_arranged import TRACK, Arranged, Link, Side, joined
from pliant.plots.bond_groups import SIZE, Grid, Group
from pliant.plots.bond_network import arranged
from pliant.plots.bond_templates import Layout, Point
from pliant.plots.graph_labels import text_half

_UNIT = np.array([60.0, 42.0])
_PAD, _TITLE = 15.0, 20.0
_GUTTER, _GAP, _ABOVE = 24.0, 22.0, 30.0
_LEVEL = 0.6
"""Pixels."""
_RISE = 13.0
"""From a node to where its bonds upwards run side by side."""
_BODIES = ("body", "ground")
_MOST = {"rigid": 3, "flexible": 2}
"""Frames on a side of a body that is drawn as in the figures."""
Sides = Mapping[tuple[str, str], Side]
"""The side at which a bond leaves its group, by (bond, end)."""


def whole(grid: Grid, held: Mapping[str, Collection[str]], full: bool) -> Arranged:
    """All groups and bonds; ``held``: junctions of joints at which Sf:0 is drawn."""
    sides = _sides(grid)
    own = _boxes(grid, sides, held, full)
    clusters = {name: _cluster(grid, own, name) for name in grid.columns}
    links = [
        Link(bond, (grid.cluster(a), grid.cluster(b)),
             (sides[bond.name, "tail"], sides[bond.name, "head"]))
        for bond, a, b in grid.outside() if not grid.is_upright(a, b)
    ]  # fmt: skip
    halves = {n: text_half(text, SIZE) for g in grid.groups.values()
              for n, text in grid.symbols(g).items()}  # fmt: skip
    return joined(clusters, grid.columns, links, halves, _GAP, _GUTTER)


def _sides(grid: Grid) -> Sides:
    """The parent's motion enters a joint at one side, that of the child leaves at the other; the
    bonds of a frame of a body leave at one side."""
    found: dict[tuple[str, str], Side] = {}
    frames: dict[tuple[str, str], Side] = {}
    for bond, a, b in grid.outside():
        for end, node, own, other in (("tail", bond.tail, a, b), ("head", bond.head, b, a)):
            local = node.removeprefix(own).removeprefix(".")
            frame = templates.frame_of(local) if grid.groups[own].kind in _BODIES else ""
            if grid.is_upright(own, other):
                side: Side = "bottom" if own in grid.hosts else "top"
            elif grid.groups[own].kind == "joint":
                at_parent = local in ("Av", "Aw", "TFr")
                side = "left" if at_parent != (own in grid.mirrored) else "right"
            elif frame:
                side = frames.setdefault((own, frame), grid.side(own, other))
            else:
                side = grid.side(own, other)
            found[bond.name, end] = side
    return found


def _boxes(
    grid: Grid, sides: Sides, held: Mapping[str, Collection[str]], full: bool
) -> dict[str, Arranged]:
    """Every group about its own origin."""
    by_node: dict[str, list[Side]] = {}
    for bond, _, _ in grid.outside():
        by_node.setdefault(bond.tail, []).append(sides[bond.name, "tail"])
        by_node.setdefault(bond.head, []).append(sides[bond.name, "head"])
    found = {}
    for name, group in grid.groups.items():
        if full and (group.kind == "network" or _is_crowded(group, by_node)):
            box = _in_columns(grid, group, sides)
        else:
            layout = _layout(grid, group, by_node, held.get(name, ()), full)
            upward = any("top" in by_node.get(n, ()) for n in group.nodes.values())
            box = _in_pixels(grid, group, layout, upward)
        found[name] = box.around(name) if name else box
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


def _in_columns(grid: Grid, group: Group, sides: Sides) -> Arranged:
    """A network, or a body with many frames: then its outermost bond is level with the joint."""
    halves = {n: text_half(text, SIZE) for n, text in grid.symbols(group).items()}
    is_body = group.kind in _BODIES
    velocities = {n: templates.frame_of(k) for k, n in group.nodes.items()
                  if is_body and k.endswith(".v") and templates.frame_of(k)}  # fmt: skip
    for n in velocities:
        halves[n] = halves[n] + np.array([0.0, 0.5 * SIZE])  # room for the name of the frame
    own = {bond.name: sides[bond.name, "tail" if a == group.name else "head"]
           for bond, a, _ in grid.between.get(group.name, ())}  # fmt: skip
    at_sides: dict[str, Side] = {b: "left" if s == "left" else "right" for b, s in own.items()}
    found = arranged(grid.graph, group.name, halves, at_sides)
    _turn_down(found, [bond for bond, side in own.items() if side == "bottom"])
    lacking = 2 * text_half(group.name, SIZE)[0] + 2 * _PAD - (found.high[0] - found.low[0])
    found.low = found.low - np.array([max(0.0, lacking), 0.0])
    found.frames = {f"{group.name}.{frame}": found.nodes[n] - np.array([0.0, 15.0])
                    for n, frame in velocities.items()}  # fmt: skip
    ends = [way[-1] for way in found.exits.values()]
    first = min(ends, key=lambda p: (p[0], p[1]), default=found.low)
    return found.moved(np.array([0.0, -first[1]])) if is_body else found


def _turn_down(found: Arranged, down: Collection[str]) -> None:
    """Bonds to a joint below the box leave at the right and turn downwards in a strip of it."""
    right = float(found.high[0])
    found.high = found.high + np.array([TRACK * len(down), 0.0])
    heights = {bond: way[-1][1] for (bond, _), way in found.exits.items()}
    order = sorted(down, key=lambda b: -heights[b])  # the lowest one turns first
    for (bond, node), way in found.exits.items():
        y = heights[bond]
        if bond in down:
            x = right + TRACK * (order.index(bond) + 0.5)
            found.exits[bond, node] = np.vstack([way, [x, y], [x, found.high[1]]])
        elif way[-1][0] == right:
            found.exits[bond, node] = np.vstack([way, [found.high[0], y]])


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


def _in_pixels(grid: Grid, group: Group, layout: Layout, upward: bool) -> Arranged:
    """With its title, beside which there is room for bonds that go ``upward``."""

    def pixels(points: Mapping[str, Point]) -> dict[str, Array]:
        return {k: np.array(p) * _UNIT for k, p in points.items()}

    local, frames, held = map(pixels, (layout.places, layout.frames, layout.held))
    nodes = {group.nodes[k]: p for k, p in local.items()}
    texts = grid.symbols(group)
    sizes = [(p, text_half(texts[n], SIZE)) for n, p in nodes.items()]
    sizes += [(p, text_half("Sf:0", SIZE)) for p in held.values()]
    sizes += [(p, text_half(k, 9.5)) for k, p in frames.items()]
    points = np.array([p + s * half for p, half in sizes for s in (-1, 1)] or [np.zeros(2)])
    low, high = points.min(axis=0) - _PAD, points.max(axis=0) + _PAD
    low = low - np.array([0.0, _TITLE if group.name else 0.0])
    title = 2 * text_half(group.name, SIZE)[0] * (2 if upward else 1) + 2 * _PAD
    more = np.array([max(0.0, title - (high[0] - low[0])) / 2, 0.0])
    return Arranged(nodes, low - more, high + more,
                    {f"{group.name}.{k}": p for k, p in frames.items()},
                    {f"{group.name}.{k}": p for k, p in held.items()})  # fmt: skip


def _cluster(grid: Grid, own: Mapping[str, Arranged], name: str) -> Arranged:
    """A group, and above it those that it is the host of: in a row if their bonds go down to it,
    else one above the other."""
    host, names = own[name], [g for g, h in grid.hosts.items() if h == name]
    parts, middle = {name: host}, _anchor(grid, host, name)
    in_row = len(names) > 1 and all(grid.is_upright(g, name) for g in names)
    wide = [float(own[g].high[0] - own[g].low[0]) + TRACK for g in names]
    x, foot = middle - sum(wide) / 2, host.low[1] - _ABOVE - TRACK * (len(names) - 1)
    for g, width in zip(names, wide, strict=True):
        left = x if in_row else middle - _anchor(grid, own[g], g) + own[g].low[0]
        parts[g] = own[g].moved(np.array([left - own[g].low[0], foot - own[g].high[1]]))
        x += width
        foot = foot if in_row else parts[g].low[1] - TRACK
    found = Arranged(low=np.min([p.low for p in parts.values()], axis=0),
                     high=np.max([p.high for p in parts.values()], axis=0))  # fmt: skip
    for part in parts.values():
        found.take(part)
        found.exits |= part.exits
    found.ways |= _upright(grid, parts, name)
    return found.moved(np.array([-0.5 * (found.low[0] + found.high[0]), 0.0]))


def _upright(grid: Grid, parts: Mapping[str, Arranged], host: str) -> dict[str, Array]:
    """Ways of bonds between a group and those above it. Bonds of one node fan out; the one that is
    most upright is straight."""
    by_node: dict[str, list[tuple[float, str, Array, bool]]] = {}
    for bond, a, b in grid.between.get(host, ()):
        if grid.is_upright(a, b):
            guest, top, node = (b, bond.head, bond.tail) if a == host else (a, bond.tail, bond.head)
            way = parts[guest].exit(bond.name, top)
            aside = float(way[-1][0] - parts[host].nodes[node][0])
            by_node.setdefault(node, []).append((aside, bond.name, way, a == host))
    found = {}
    for node, bonds in by_node.items():
        start = parts[host].nodes[node]
        bonds.sort(key=lambda bond: bond[0])
        middle = min(range(len(bonds)), key=lambda i: abs(bonds[i][0]))
        for i, (aside, name, way, is_tail) in enumerate(bonds):
            x, y = start[0] + TRACK * (i - middle), parts[host].low[1] - 8
            y -= 0.5 * TRACK * abs(i - middle)
            corners = [[x, start[1] - _RISE], [x, y], [way[-1][0], y]]
            straight = i == middle and abs(aside) < _LEVEL
            points = np.vstack([start, *([] if straight else corners), *way[::-1]])
            found[name] = points if is_tail else points[::-1]
    return found


def _anchor(grid: Grid, box: Arranged, name: str) -> float:
    """Where bonds leave a group upwards or downwards, or its middle."""
    for bond, a, b in grid.between.get(name, ()):
        if grid.is_upright(a, b):
            return float(box.exit(bond.name, bond.tail if a == name else bond.head)[-1][0])
    return 0.5 * float(box.low[0] + box.high[0])
