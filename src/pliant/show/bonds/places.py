"""Groups and their elements in pixels: every group in its box, those with guests above them as one,
and all of them joined.

Within a group elements stand in units of a grid. Source: S0 figs. 2-3, 6-2, 7-2 to 7-14. Velocities
are at y = 0, angular velocities at y = 3 (downwards), in bodies and joints alike, so that the bonds
between them are level.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import field
from itertools import count

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.show.bonds.arranged import TRACK, Arranged, Link, Side, joined
from pliant.show.bonds.by_hand import in_places
from pliant.show.bonds.groups import SIZE, Grid, Group
from pliant.show.bonds.moved import with_moved_boxes
from pliant.show.bonds.network import Level
from pliant.show.graphs.labels import text_half

Point = tuple[float, float]

_TURNING = 3.0
"""Height of angular velocities."""
_BODY: dict[str, Point] = {
    "R": (0, 0), "W": (0, _TURNING), "0c": (0, -1.4), "TFc": (-0.95, 0.9), "A": (0, -2.6),
    "Pc": (0, -3.8), "m": (-0.8, -4.9), "g": (0.8, -4.9),
}  # fmt: skip
_RIGID: dict[str, Point] = {"xi": (0, 4.3), "xi.M": (-0.8, 5.4), "EJS": (0.8, 5.4)}
_FLEXIBLE: dict[str, Point] = {
    "E": (0.5, 4.7), "TFS": (0.98, 0.45), "SUM": (-0.7, 5.8), "xi": (-0.7, 7.1),
    "xi.M": (-1.5, 8.2), "EJS": (0.1, 8.2), "K": (1.6, 5.8), "D": (1.3, 6.8),
}  # fmt: skip
_GROUND: dict[str, Point] = {
    "R": (0, 0), "W": (0, _TURNING), "R.Sf": (-1, 0), "W.Sf": (-1, _TURNING)
}  # fmt: skip
_RIGID_FRAME: dict[str, Point] = {"0v": (1.7, 0), "TFp": (1.7, 1.1), "v": (2.7, 0)}
_FLEXIBLE_FRAME: dict[str, Point] = {
    "0v": (2.6, 0), "TFp": (1.8, 0.9), "TFv": (2.6, 1.4), "v": (3.6, 0), "0w": (2.6, _TURNING),
    "TFw": (1.7, 4.0), "w": (3.6, _TURNING),
}  # fmt: skip
_INNER = {"TFw": 1.47}
"""Of a second frame, between its bonds to W and to E."""
_PITCH = {"rigid": -2.2, "flexible": -4.9}
_JOINT: dict[str, Point] = {
    "Av": (0, 0), "0v": (1, 0), "Aw": (0, _TURNING), "0w": (1, _TURNING), "TFr": (0, 1.5),
    "u": (2.75, 1.5), "": (1.4, 1.5), "Hv": (1.75, 0.72), "Hw": (1.75, 2.28),
    "0c": (2.75, 1.5), "CN": (1.4, 1.5), "Cv": (1.75, 0.72), "Cw": (1.75, 2.28), "Sf": (1, -0.95),
    "s": (3.7, 0.4), "K": (4.6, -0.3), "D": (4.6, 1.1),
}  # fmt: skip
_KEPT: dict[str, Point] = {"u": (3.7, 1.5), "": (3.7, 2.5)}
"""Speeds of a joint that is cut, beside its constraintor."""
HELD: dict[str, Point] = {"0v": (1, -0.95), "0w": (1, _TURNING + 0.95)}
"""Sf:0 of a tree joint, at the junctions whose motion it restricts."""
_DRIVER: dict[str, Point] = {"TF": (0, 0), "0": (0, -1), "Sf": (-0.7, -2), "CN": (0.7, -2)}
_ROW = 0.95


@dataclass(slots=True)
class Layout:
    """Places of the nodes of a group by their names in it, of frame names, and of Sf:0."""

    places: dict[str, Point] = field(default_factory=dict)
    frames: dict[str, Point] = field(default_factory=dict)
    held: dict[str, Point] = field(default_factory=dict)

    def mirrored(self) -> Layout:
        """Left is right."""
        parts = (self.places, self.frames, self.held)
        return Layout(*({k: (-x, y) for k, (x, y) in part.items()} for part in parts))


def frame_of(local: str) -> str:
    """The frame of a body to which a node belongs, or none."""
    frame, _, part = local.rpartition(".")
    return frame if part in _FLEXIBLE_FRAME and frame else ""


def body(group: Group, sides: Mapping[str, str], origin: Collection[str]) -> Layout:
    """A body or the ground; ``sides``: of its frames; ``origin``: where its own origin is used."""
    flexible = "E" in group.nodes
    own = dict(_GROUND) if group.kind == "ground" else _BODY | (_FLEXIBLE if flexible else _RIGID)
    layout = Layout({k: p for k, p in own.items() if k in group.nodes})
    part = _FLEXIBLE_FRAME if flexible else _RIGID_FRAME
    used = {side: int(side in origin) for side in ("left", "right")}
    for frame in dict.fromkeys(f for f in map(frame_of, group.nodes) if f):
        side = sides.get(frame, "right")
        shift = _PITCH["flexible" if flexible else "rigid"] * used[side]
        used[side] += 1
        sign = -1 if side == "left" else 1
        for name, (x, y) in part.items():
            if f"{frame}.{name}" in group.nodes:
                inner = _INNER.get(name, x) if shift else x
                layout.places[f"{frame}.{name}"] = (sign * inner, y + shift)
        layout.frames[frame] = (sign * part["v"][0], shift - 0.55)
    return _rest(group, layout)


def joint(group: Group, held: Collection[str]) -> Layout:
    """A joint, its parent at the left; ``held``: the junctions at which Sf:0 is drawn."""
    own = _JOINT | (_KEPT if "0c" in group.nodes else {})
    layout = Layout({k: p for k, p in own.items() if k in group.nodes})
    layout.held = {k: p for k, p in HELD.items() if k in held}
    return _rest(group, layout)


def driver(group: Group) -> Layout:
    """A driver of a joint coordinate, or sources one below the other."""
    if "TF" in group.nodes:
        return _rest(group, Layout({k: p for k, p in _DRIVER.items() if k in group.nodes}))
    return Layout({k: (0, i * _ROW) for i, k in enumerate(group.nodes)})


def _rest(group: Group, layout: Layout) -> Layout:
    """Elements that no figure knows stand below the others, one below the other."""
    low = max((y for _, y in layout.places.values()), default=-_ROW) + 0.2
    for k in group.nodes:
        if k not in layout.places:
            low += _ROW
            layout.places[k] = (0, low)
    return layout


def ports(group: Group, sides: Mapping[str, Collection[str]]) -> Layout:
    """A collapsed group: nothing but the nodes with bonds to others, velocities uppermost. Every
    bond to the side has the row of its node for itself. ``sides``: by node."""
    taken: set[tuple[float, str]] = set()
    layout = Layout()
    for k in sorted((k for k, n in group.nodes.items() if n in sides), key=_rank):
        own = set(sides[group.nodes[k]])
        level = own & {"left", "right"}
        if not level:
            up = "top" in own
            row = next(r for r in count(1) if (r, "top" if up else "bottom") not in taken)
            taken.add((row, "top" if up else "bottom"))
            layout.places[k] = (0, -0.8 * row if up else 0.8 * (row - 1))
            continue
        row = next(r for r in count(min(_rank(k), 1)) if not any((r, s) in taken for s in level))
        taken |= {(row, s) for s in level}
        x = 0.0 if len(level) == 2 else -0.8 if "left" in level else 0.8
        layout.places[k] = (x, 0.8 * row)
    return layout


def _rank(local: str) -> int:
    part = local.rpartition(".")[2]
    return 0 if part in ("R", "v", "Av", "0v") else 1 if part in ("W", "w", "Aw", "0w") else 2


_UNIT = np.array([60.0, 42.0])
_PAD, _TITLE = 15.0, 20.0
_GUTTER, _GAP, _ABOVE = 24.0, 22.0, 30.0
_PAGE = 2.0
"""How much higher than wide a picture may be."""
_LEVEL = 0.6
"""Pixels."""
_RISE = 13.0
"""From a node to where its bonds upwards run side by side."""
_BODIES = ("body", "ground")
_MOST = {False: 3, True: 2}
"""Frames on a side of a body, flexible or not, that is drawn as in the figures."""
Sides = Mapping[tuple[str, str], Side]
"""The side at which a bond leaves its group, by (bond, end)."""


def whole(grid: Grid, held: Mapping[str, Collection[str]], opened: Collection[str]) -> Arranged:
    """All groups and bonds; ``held``: junctions of joints at which Sf:0 is drawn; ``opened``: the
    groups whose elements are all drawn."""
    sides = _sides(grid)
    own = _boxes(grid, sides, held, opened)
    clusters = {name: _cluster(grid, own, name) for name in grid.columns}
    links = [
        Link(bond, (grid.cluster(a), grid.cluster(b)),
             (sides[bond.name, "tail"], sides[bond.name, "head"]))
        for bond, a, b in grid.outside() if not grid.is_upright(a, b)
    ]  # fmt: skip
    halves = {n: text_half(text, SIZE) for g in grid.groups.values()
              for n, text in grid.symbols(g).items()}  # fmt: skip
    columns = paged(clusters, grid.columns)
    found = joined(clusters, columns, links, halves, _GAP, _GUTTER)
    return with_moved_boxes(grid, own, found) if grid.boxes else found


def paged(boxes: Mapping[str, Arranged], columns: Mapping[str, int]) -> dict[str, int]:
    """Columns of boxes; as long as the picture were much higher than a page, the highest column is
    parted into two beside each other."""
    found = {name: columns[name] for name in boxes}
    sizes = {name: b.high - b.low + _GAP for name, b in boxes.items()}
    while True:
        members: dict[int, list[str]] = {}
        for name, column in found.items():
            members.setdefault(column, []).append(name)
        high = {c: sum(float(sizes[k][1]) for k in own) for c, own in members.items()}
        wide = sum(max(float(sizes[k][0]) for k in own) for own in members.values())
        tallest = max(high, key=lambda c: high[c], default=0)
        if not members or high[tallest] <= _PAGE * wide or len(members[tallest]) < 2:
            return found
        reached = np.cumsum([sizes[k][1] for k in members[tallest]]) - high[tallest] / 2
        cut = int(np.clip(np.argmin(np.abs(reached)) + 1, 1, len(reached) - 1))
        later = {*members[tallest][cut:]}
        found = {k: c + (c > tallest or k in later) for k, c in found.items()}


def _sides(grid: Grid) -> Sides:
    """The parent's motion enters a joint at one side, that of the child leaves at the other; the
    bonds of a frame of a body leave at one side."""
    found: dict[tuple[str, str], Side] = {}
    frames: dict[tuple[str, str], Side] = {}
    for bond, a, b in grid.outside():
        for end, node, own, other in (("tail", bond.tail, a, b), ("head", bond.head, b, a)):
            local = node.removeprefix(own).removeprefix(".")
            frame = frame_of(local) if grid.groups[own].kind in _BODIES else ""
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
    grid: Grid, sides: Sides, held: Mapping[str, Collection[str]], opened: Collection[str]
) -> dict[str, Arranged]:
    """Every group about its own origin."""
    by_node: dict[str, list[Side]] = {}
    for bond, _, _ in grid.outside():
        by_node.setdefault(bond.tail, []).append(sides[bond.name, "tail"])
        by_node.setdefault(bond.head, []).append(sides[bond.name, "head"])
    found = {}
    for name, group in grid.groups.items():
        full, crowded = name in opened, group.kind == "network"
        if group.kind in _BODIES:  # more frames on a side than fit around its figure
            sided = Counter(_frame_sides(group, by_node).values())
            crowded = max(sided.values(), default=0) > _MOST["E" in group.nodes]
        if full and crowded:
            box = in_columns(grid, group, sides)
        else:
            layout = _layout(grid, group, by_node, held.get(name, ()), full)
            upward = any("top" in by_node.get(n, ()) for n in group.nodes.values())
            box = _in_pixels(grid, group, layout, upward)
        found[name] = box.around(name) if name else box
    return found


def _frame_sides(group: Group, sides: Mapping[str, list[Side]]) -> dict[str, Side]:
    """The side at which the bonds of each frame of a body leave."""
    own = ((frame_of(k), n) for k, n in group.nodes.items() if n in sides)
    return {frame: sides[n][0] for frame, n in own if frame}


def in_columns(grid: Grid, group: Group, sides: Sides) -> Arranged:
    """A network, or a body with many frames: then its outermost bond is level with the joint."""
    halves = {n: text_half(text, SIZE) for n, text in grid.symbols(group).items()}
    is_body = group.kind in _BODIES
    velocities = {n: frame_of(k) for k, n in group.nodes.items()
                  if is_body and k.endswith(".v") and frame_of(k)}  # fmt: skip
    for n in velocities:
        halves[n] = halves[n] + np.array([0.0, 0.5 * SIZE])  # room for the name of the frame
    own = {bond.name: sides[bond.name, "tail" if a == group.name else "head"]
           for bond, a, _ in grid.between.get(group.name, ())}  # fmt: skip
    at_sides: dict[str, Side] = {b: "left" if s == "left" else "right" for b, s in own.items()}
    level = Level.of(grid.graph, group.name, halves, at_sides)
    level.places, level.way = grid.places, in_places
    found = in_places(level)
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
        return ports(group, sides)
    if group.kind in _BODIES:
        origin = sides.get(f"{group.name}.R", ())
        return body(group, _frame_sides(group, sides), origin)
    if group.kind == "joint":
        layout = joint(group, held)
        return layout.mirrored() if group.name in grid.mirrored else layout
    return driver(group)


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
