"""The picture of a linear graph as a list of shapes, which any backend can draw.

Bodies are pale outlines behind their nodes; edges of the tree are bold, those of the cotree thin;
the colour says what an edge is. Source: S1, figures 2, 6 and 8.

Nodes are at the true places of frames, moved apart: places are projected onto the plane in which
the mechanism is seen best, scaled to a picture, and nodes that coincide (the two frames of a joint)
are moved towards the middle of their own bodies. Then pairs that are still too close push each
other away while every node is held by its anchor:

    x ← x + k (anchor - x) + Σ_near (gap - d) / 2 · direction

Everything is deterministic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pliant.arrays import Array, Flags
from pliant.graphs import Edge, LinearGraph
from pliant.graphs.spanning_tree import GROUND
from pliant.records import dataclass
from pliant.show.graphs import shapes as draw
from pliant.show.graphs.curves import Curve, Ends, curves
from pliant.show.graphs.labels import LabelPlacer, Name, around_point, beside_curve

GAP = 66.0
"""Smallest distance between two nodes, in pixels."""
_WIDTH, _HEIGHT = 820.0, 480.0
"""What the mechanism fills at least in one direction; wide pictures are read more easily."""
_ARM = 170.0
"""Pixels of an arm of middle length, at least."""
_LARGEST = 16_000.0
_HOLD, _ROUNDS = 0.04, 160
_NEARLY = 0.85
"""Part of the visible variance for which a view along a world axis is preferred."""
_FLAT = 1e-6
"""Directions in which a mechanism is smaller than this part of its size are flat."""


def seen_from(points: Array, up: Array) -> Array:
    """Places (n, 3) in the plane in which they differ most, ``up`` upwards: (n, 2), y up.

    The plane's normal is the direction of the smallest principal component, or a world axis if that
    shows nearly as much of a spatial mechanism; for places on one line it is at right angles to
    that line and to ``up``.
    """
    size, axes = np.linalg.eigh(np.cov(points.T) if len(points) > 1 else np.zeros((3, 3)))
    largest = max(float(size[2]), 0.0)
    flat = size < _FLAT * largest if largest > 0 else np.ones(3, dtype=bool)
    normal = axes[:, 0] if flat[0] else _world_axis(points, axes[:, 0])
    if flat.all():
        normal = np.cross(up, _across(up))
    elif flat[1]:
        along = axes[:, 2]
        normal = np.cross(along, up if abs(along @ up) < 0.99 else _across(up))
    if abs(normal @ up) > 0.99 * float(np.linalg.norm(normal)):
        up = _across(up)
    normal = normal / np.linalg.norm(normal)
    vertical = up - (up @ normal) * normal
    vertical /= np.linalg.norm(vertical)
    right = np.cross(vertical, normal)
    leading = right[np.argmax(np.abs(right) > 0.3)]
    axes = np.column_stack([right if leading > 0 else -right, vertical])
    return np.asarray(points @ axes)


def _world_axis(points: Array, normal: Array) -> Array:
    """The world axis along which the least is hidden, if that is little; otherwise ``normal``."""
    spread = points.var(axis=0)
    shown = spread.sum() - spread
    if shown.max() > _NEARLY * (spread.sum() - float((points @ normal).var())):
        return np.asarray(np.eye(3)[int(np.argmax(shown))])
    return normal


def _across(up: Array) -> Array:
    """A world axis at right angles to ``up``: y, or z if that is y."""
    return np.array([0.0, 1.0, 0.0]) if abs(up[1]) < 0.7 else np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class Net:
    """Nodes as the layout sees them.

    ``owners``: the body of each node, or "" for none; ``datum``: the node of the ground; ``links``:
    edges along which nodes follow each other (arms, joints); ``before``: for a node of no body,
    the one it comes after.
    """

    owners: Sequence[str]
    datum: int
    links: Sequence[tuple[int, int]]
    before: Mapping[int, int]

    def goal(self, k: int, anchors: Array) -> Array:
        """Where a node may be moved to: the middle of its body, or the node before it."""
        if k == self.datum:
            return np.asarray(anchors[k])
        if k in self.before:
            return np.asarray(anchors[self.before[k]])
        own = [j for j, owner in enumerate(self.owners) if owner == self.owners[k]]
        return np.asarray(anchors[own].mean(axis=0))


def placed(places: Array, net: Net) -> Array:
    """Pixels (y downwards) of nodes at ``places`` (n, 2)."""
    scaled = _scaled(places, net.owners, net.datum)
    anchors = scaled + _inwards(scaled, net)
    x = anchors.copy()
    for k in range(4 * _ROUNDS):  # first held by the anchors, then until no pair is too close
        push = _pushes(x, GAP if k < _ROUNDS else 1.01 * GAP)
        if k >= _ROUNDS and not push.any():
            break
        x += push + (_HOLD * (anchors - x) if k < _ROUNDS else 0.0)
    return x


def _scaled(places: Array, owners: Sequence[str], datum: int) -> Array:
    """In pixels; a datum far away comes to the edge of the picture."""
    others = np.delete(places, datum, axis=0) if len(places) > 1 else places
    low, high = others.min(axis=0), others.max(axis=0)
    room = 0.25 * float((high - low).max())
    places = places.copy()
    places[datum] = np.clip(places[datum], low - room, high + room)
    size = np.ptp(places, axis=0)
    fits = [w / s for w, s in zip((_WIDTH, _HEIGHT), size, strict=True) if s > _FLAT * size.max()]
    scale = min(fits, default=1.0)
    first: dict[str, Array] = {}
    arms = np.array([np.linalg.norm(p - first.setdefault(o, p))  # from the first node of each body
                     for p, o in zip(places, owners, strict=True) if o])  # fmt: skip
    arms = arms[arms > _FLAT * np.abs(places).max()]
    if arms.size:
        scale = max(scale, _ARM / float(np.median(arms)))
        scale = min(scale, _LARGEST / float(size.max()))
    return np.asarray((places - places.mean(axis=0)) * scale * np.array([1.0, -1.0]))


def _inwards(anchors: Array, net: Net) -> Array:
    """What each node that coincides with others is moved: into its own body, or into the free."""
    near = np.linalg.norm(anchors[:, None] - anchors[None], axis=2) < 0.5 * GAP
    moves = np.zeros_like(anchors)
    crowded = [k for k in range(len(anchors)) if near[k].sum() > 1]
    for k in crowded:
        goal = net.goal(k, anchors)
        distance = float(np.linalg.norm(goal - anchors[k]))
        if distance > 0.01 * GAP:
            inner = sum(near[k, j] and net.owners[j] == net.owners[k] for j in crowded if j > k)
            step = min((0.5 + inner) * GAP, 0.4 * distance)  # the nodes of a body keep their order
            moves[k] = step * (goal - anchors[k]) / distance
    guided = [k for k in crowded if moves[k].any()]
    waiting = sorted(set(crowded) - set(guided), key=lambda k: (k != net.datum, k))
    _outwards(moves, guided, waiting, near, net.links)
    return moves


def _outwards(
    moves: Array, guided: list[int], waiting: list[int], near: Flags,
    links: Sequence[tuple[int, int]],
) -> None:  # fmt: skip
    """Nodes with no direction of their own: chains of them lead away from those that have one."""
    done, led = list(guided), set(guided)
    while waiting:
        pairs = [(a, b) for x, y in links for a, b in ((x, y), (y, x))
                 if a in done and b in waiting and near[a, b]]  # fmt: skip
        before, k = pairs[0] if pairs else (-1, waiting[0])
        around = [a for a, b in pairs if b == k] or [int(j) for j in np.flatnonzero(near[k])]
        used = [moves[j] for j in around if moves[j].any()]
        if before >= 0 and before not in led:
            moves[k] = moves[before] * (1 + GAP / np.linalg.norm(moves[before]))
            led.add(before)
        else:
            moves[k] = 0.5 * GAP * _freest(used)
        waiting.remove(k)
        done.append(k)


def _freest(used: Sequence[Array]) -> Array:
    """The direction farthest from those taken; downwards first."""
    angles = (
        np.pi / 2 + np.array([0, 8, 4, 12, 2, 14, 6, 10, 1, 15, 3, 13, 5, 11, 7, 9]) * np.pi / 8
    )
    rays = np.column_stack([np.cos(angles), np.sin(angles)])
    if not used:
        return np.asarray(rays[0])
    taken = np.array([u / np.linalg.norm(u) for u in used])
    return np.asarray(rays[int(np.argmin(np.round((rays @ taken.T).max(axis=1), 6)))])


def _pushes(x: Array, gap: float) -> Array:
    """Half of what each pair lacks, for either node; coinciding ones part along spread angles."""
    step = x[:, None] - x[None]
    d = np.linalg.norm(step, axis=2)
    i, j = np.nonzero(np.triu(d < gap, 1))
    turn = 2.399963 * (np.arange(len(i)) + 1)
    rays = np.column_stack([np.cos(turn), np.sin(turn)])
    length = d[i, j][:, None]
    away = np.where(length > 1e-9, step[i, j] / np.maximum(length, 1e-9), rays)
    shift = 0.5 * (gap - length) * away
    total = np.zeros_like(x)
    np.add.at(total, i, shift)
    np.add.at(total, j, -shift)
    return total


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
) -> draw.Scene:  # fmt: skip
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
    shapes: list[draw.Shape] = [draw.Blob(name, hull(points), 2 * _BODY, _BODIES[k % len(_BODIES)])
                           for k, (name, points) in enumerate(bodies.items())]  # fmt: skip
    shapes += _strokes(edges, ways)
    foot = datum + np.array([0.0, NODE + 3])  # the sign of the ground: a line with hatching
    hatches = [((x, 0.0), (x - 6, 7.0)) for x in (-9.0, -3.0, 3.0, 9.0, 15.0)]
    shapes += [
        draw.Line(foot + np.array(ends), draw.INK, 1.2)
        for ends in [((-15.0, 0.0), (15.0, 0.0)), *hatches]
    ]
    shapes += [draw.Dot(x, NODE, draw.INK if n == GROUND else "#ffffff", n)
               for n, x in zip(graph.nodes, nodes, strict=True)]  # fmt: skip
    shapes += _names(nodes, datum, edges, ways, bodies)
    kinds = {kind_of(e) for e in edges}
    legend = [
        draw.Entry(k, ((c, 2.4),), k == "virtual work") for k, c in COLOURS.items() if k in kinds
    ]
    legend += [draw.Entry("tree", ((draw.INK, _BOLD),)), draw.Entry("cotree", ((draw.INK, _THIN),))]
    return draw.framed(shapes, title, caption, legend)


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


def _strokes(edges: Sequence[Edge], ways: Sequence[Curve]) -> list[draw.Shape]:
    """Edges with an arrow head in their middle, light ones at the back."""
    shapes: list[draw.Shape] = []
    for edge, way in reversed(list(zip(edges, ways, strict=True))):
        kind, width = kind_of(edge), _BOLD if edge.in_tree else _THIN
        colour = COLOURS[kind]
        part = "in the tree" if edge.in_tree else "in the cotree"
        title = f"{edge.name}: {edge.kind}, {edge.tail} → {edge.head}, {part}"
        dashed = kind == "virtual work"
        points = np.array([way.a, way.c, way.b])
        shapes.append(
            draw.Stroke(points, colour, width, dashed, kind, edge.name, title, edge.in_tree)
        )
        middle, along = way.at(0.5), way.direction(0.5)
        ahead, aside = 0.8 * along, 0.62 * np.array([-along[1], along[0]])
        corners = np.array([ahead, aside - ahead, -aside - ahead])
        shapes.append(draw.Wedge(middle + (9.0 if edge.in_tree else 6.5) * corners, colour))
    return shapes


def _names(
    nodes: Array, datum: Array, edges: Sequence[Edge], ways: Sequence[Curve],
    bodies: dict[str, Array],
) -> list[draw.Shape]:  # fmt: skip
    """A name for the ground, for every body (its edge leads to it) and every other edge."""
    labelled = [(e, w) for e, w in zip(edges, ways, strict=True) if e.kind != "body"]
    names = [around_point(GROUND, draw.TEXT, datum, NODE + 14)]
    names += [_body_name(body, points) for body, points in bodies.items()]
    sizes = [_SMALL if e.kind == "virtual work" else draw.TEXT for e, _ in labelled]
    names += [
        beside_curve(label_of(e), size, w) for (e, w), size in zip(labelled, sizes, strict=True)
    ]
    taken = LabelPlacer(12.0)
    for node in nodes:
        taken.add_box(node, np.full(2, NODE + 3))
    taken.add_box(datum + np.array([0.0, NODE + 6.5]), np.array([15.0, 3.5]))
    for way in ways:
        taken.add_line(way.at(np.linspace(0, 1, 13)), 1.0)
    centres = taken.settle(names)
    inks = [draw.INK, *(_BODY_INK[k % len(_BODY_INK)] for k in range(len(bodies)))]
    inks += [COLOURS[kind_of(e)] for e, _ in labelled]
    owners = [GROUND, *bodies, *(e.name for e, _ in labelled)]
    bold = [k <= len(bodies) for k in range(len(names))]
    return [draw.Text(c, n.text, n.size, ink, b, owner=owner) for c, n, ink, b, owner
            in zip(centres, names, inks, bold, owners, strict=True)]  # fmt: skip


def _body_name(body: str, points: Array) -> Name:
    """Beside the longest side of a body, outside its outline."""
    if len(points) == 1:
        return around_point(body, draw.TEXT + 1, points[0], _BODY + 3)
    i, j = np.unravel_index(
        int(np.argmax(np.linalg.norm(points[:, None] - points[None], axis=2))), (len(points),) * 2
    )
    a, b = points[i], points[j]
    return beside_curve(body, draw.TEXT + 1, Curve(a, (a + b) / 2, b), _BODY + 2)
