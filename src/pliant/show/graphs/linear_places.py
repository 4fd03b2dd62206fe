"""Where the nodes of a linear graph stand.

They are at the true places of frames, moved apart: places are projected onto the plane in which
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
from pliant.records import dataclass

GAP = 66.0
"""Smallest distance between two nodes, in pixels."""
_WIDTH, _HEIGHT = 820.0, 480.0
"""What the mechanism fills at least in one direction; wide pictures are read more easily."""
_ARM = 170.0
"""Pixels of an arm of middle length, at least."""
_NEAR = 120.0
"""The same from body to body, where each is one node."""
_LARGEST = 16_000.0
_ROW, _MANY = 220.0, 40
"""Pixels between rows of a picture that has this many nodes."""
_PAGE, _STRETCH = 2.4, 150.0
"""Width by height of a page that is still well seen; pixels without a node that are left as long as
they are where a picture is longer than a page."""
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
    long = _ARM
    if not arms.size and len(others) > 2:  # one node for each body: it has a neighbour
        apart = np.linalg.norm(others[:, None] - others[None], axis=2)
        nearest = np.where(apart > _FLAT * size.max(), apart, np.inf).min(axis=1)
        arms, long = nearest[np.isfinite(nearest)], _NEAR
    if arms.size:
        scale = max(scale, long / float(np.median(arms)))
        scale = min(scale, _LARGEST / float(size.max()))
    pixels = _in_rows(_folded((places - places.mean(axis=0)) * scale), datum)
    return np.asarray(pixels * np.array([1.0, -1.0]))


def _folded(pixels: Array) -> Array:
    """Long stretches without a node are shortened, the longer the more, in the direction in which
    the picture is longer than a page; nodes keep their order in it."""
    found = pixels.copy()
    for axis, page in ((0, _PAGE), (1, 1.0)):
        size = np.ptp(found, axis=0)
        if size[axis] > page * max(float(size[1 - axis]), _WIDTH / 2):
            found[:, axis] = _shortened(found[:, axis])
    return np.asarray(found)


def _in_rows(pixels: Array, datum: int) -> Array:
    """What is still much wider than a page goes to and fro in rows below each other, the datum
    above them."""
    others = np.delete(pixels, datum, axis=0) if len(pixels) > 1 else pixels
    wide, high = np.ptp(others, axis=0) + _ROW
    if len(pixels) < _MANY or wide < 2 * _PAGE * high:
        return pixels
    rows = max(2, round(float(np.sqrt(wide / high / _PAGE))))
    x = pixels[:, 0] - others[:, 0].min()
    row = np.clip((x / (wide / rows)).astype(int), 0, rows - 1)
    along = x - row * wide / rows
    found = np.column_stack([np.where(row % 2 == 0, along, wide / rows - along),
                             pixels[:, 1] - row * high])  # fmt: skip
    found[datum] = [0.5 * wide / rows, others[:, 1].max() + _ROW]
    return np.asarray(found - found.mean(axis=0))


def _shortened(x: Array) -> Array:
    """Gaps g between neighbours above g0 become g0 (1 + ln g / g0)."""
    order = np.argsort(x, kind="stable")
    gaps = np.diff(x[order])
    long = gaps > _STRETCH
    gaps[long] = _STRETCH * (1 + np.log(gaps[long] / _STRETCH))
    found = np.empty_like(x)
    found[order] = np.concatenate([[0.0], np.cumsum(gaps)])
    return np.asarray(found - found.mean())


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
