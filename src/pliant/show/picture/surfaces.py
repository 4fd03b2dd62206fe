"""Surfaces made of triangles: solids of revolution, boxes, tubes, swept sections, meshes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array, Integers
from pliant.records import dataclass

Row = Sequence[float] | Array
AROUND = 24
"""Corners of a circle."""


@dataclass(frozen=True, slots=True)
class Surface:
    """Corners and their normals (n, 3); three corners of each face (m, 3)."""

    corners: Array
    normals: Array
    faces: Integers

    def moved(self, R: Array, p: Array) -> Surface:
        """Turned by R, then shifted by p."""
        return Surface(self.corners @ R.T + p, self.normals @ R.T, self.faces)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Several as one."""
    if not surfaces:
        return Surface(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    starts = np.cumsum([0, *(len(s.corners) for s in surfaces[:-1])])
    return Surface(
        np.concatenate([s.corners for s in surfaces]),
        np.concatenate([s.normals for s in surfaces]),
        np.concatenate([s.faces + k for s, k in zip(surfaces, starts, strict=True)]),
    )


def along(direction: Array) -> Array:
    """A rotation that takes z to a direction."""
    z = np.asarray(direction, dtype=np.float64)
    z = z / np.linalg.norm(z)
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x = x / np.linalg.norm(x)
    return np.stack([x, np.cross(z, x), z], axis=1)


def strips(rows: int, columns: int, closed: bool = True) -> Integers:
    """Faces between the rings of a grid of corners, (rows, columns); rings close by default."""
    across = columns if closed else columns - 1
    k, j = np.meshgrid(np.arange(rows - 1), np.arange(across), indexing="ij")
    i = (j + 1) % columns
    a, b, c, d = (row * columns + col for row, col in ((k, j), (k, i), (k + 1, i), (k + 1, j)))
    return np.concatenate([np.stack(t, axis=-1).reshape(-1, 3) for t in ((a, b, c), (a, c, d))])


def _revolved(r: Row, z: Row, nr: Row, nz: Row, around: int = AROUND) -> Surface:
    """A profile (r, z) with normals (nr, nz) about z."""
    angle = 2 * np.pi * np.arange(around) / around
    c, s = np.cos(angle), np.sin(angle)

    def ring(radial: Row, axial: Row) -> Array:
        out, up = np.asarray(radial, dtype=float)[:, None], np.asarray(axial, dtype=float)[:, None]
        return np.stack(np.broadcast_arrays(out * c, out * s, up + 0 * c), axis=-1).reshape(-1, 3)

    return Surface(ring(r, z), ring(nr, nz), strips(len(r), around))


def cylinder(radius: float, length: float) -> Surface:
    """About z, its middle at the origin."""
    h = length / 2
    return _revolved([0, radius, radius, radius, radius, 0], [-h, -h, -h, h, h, h],
                     [0, 0, 1, 1, 0, 0], [-1, -1, 0, 0, 1, 1])  # fmt: skip


def cone(radius: float, length: float) -> Surface:
    """About z, its point at the origin, its base below it."""
    side = np.array([length, radius]) / np.hypot(radius, length)
    return _revolved([0, radius, radius, 0], [-length, -length, -length, 0],
                     [0, 0, side[0], side[0]], [-1, -1, side[1], side[1]])  # fmt: skip


def capsule(radius: float, length: float) -> Surface:
    """A cylinder about z with round ends beyond its length."""
    turn = np.linspace(0, np.pi / 2, 7)
    out = np.concatenate([np.sin(turn), np.sin(turn)[::-1]])
    up = np.concatenate([-np.cos(turn), np.cos(turn)[::-1]])
    shift = np.repeat([-length / 2, length / 2], len(turn))
    return _revolved(radius * out, radius * up + shift, out, up)


def ellipsoid(semi_axes: Sequence[float], around: int = AROUND) -> Surface:
    """About the origin."""
    turn = np.linspace(0, np.pi, around // 2 + 1)
    ball = _revolved(np.sin(turn), -np.cos(turn), np.sin(turn), -np.cos(turn), around)
    sizes = np.asarray(semi_axes, dtype=float)
    normals = ball.normals / sizes
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Surface(ball.corners * sizes, normals, ball.faces)


def box(size: Sequence[float]) -> Surface:
    """About the origin, its edges along the axes."""
    sides = []
    square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    for axis in range(3):
        for way in (-1.0, 1.0):
            corners = np.insert(square, axis, way / 2, axis=1)
            normals = np.zeros((4, 3))
            normals[:, axis] = way
            sides.append(Surface(corners * np.asarray(size), normals,
                                 np.array([[0, 1, 2], [0, 2, 3]])))  # fmt: skip
    return joined(sides)


def tube(path: Array, radius: float, around: int = 6) -> Surface:
    """A round wire along the points of a path."""
    way = np.gradient(path, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    aside = np.cross(way, [0.0, 0.0, 1.0])
    flat = np.linalg.norm(aside, axis=1) < 1e-6
    aside[flat] = np.cross(way[flat], [1.0, 0.0, 0.0])
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    over = np.cross(way, aside)
    angle = 2 * np.pi * np.arange(around) / around
    c, s = np.cos(angle)[None, :, None], np.sin(angle)[None, :, None]
    normals = aside[:, None] * c + over[:, None] * s
    corners = path[:, None] + radius * normals
    return Surface(corners.reshape(-1, 3), normals.reshape(-1, 3), strips(len(path), around))


def mesh(corners: Array, faces: Integers) -> Surface:
    """Triangles with flat sides."""
    loose = corners[faces].reshape(-1, 3)
    a, b, c = (corners[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    flat /= np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-300)
    return Surface(loose, np.repeat(flat, 3, axis=0), np.arange(len(loose)).reshape(-1, 3))


def sweep(x: Array, loops: Sequence[Array], smooth: bool) -> Surface:
    """Loops of a section (1 or len(x) places, points, 2) along x, closed at both ends."""
    pieces = []
    for places in loops:
        rings = np.broadcast_to(places, (len(x), *places.shape[1:]))
        after = np.roll(rings, -1, axis=1)
        flat = np.stack([after[..., 1] - rings[..., 1], rings[..., 0] - after[..., 0]], axis=-1)
        if smooth:
            corner, out = rings, flat + np.roll(flat, 1, axis=1)
        else:  # every side has corners of its own
            corner = np.stack([rings, after], axis=2).reshape(len(x), -1, 2)
            out = np.repeat(flat, 2, axis=1)
        out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-300)
        pieces.append(Surface(_across(x, corner), _across(0 * x, out),
                              strips(len(x), corner.shape[1])))  # fmt: skip
    for k, way in ((0, -1.0), (-1, 1.0)):
        section = [np.asarray(places[k if len(places) > 1 else 0]) for places in loops]
        points, faces = filled(section)
        normals = np.tile([way, 0.0, 0.0], (len(points), 1))
        pieces.append(Surface(_across(np.array([x[k]]), points[None]), normals, faces))
    return joined(pieces)


def _across(x: Array, pairs: Array) -> Array:
    """Points (x, y, z) of rows of pairs (y, z)."""
    along_x = np.broadcast_to(np.asarray(x)[:, None, None], (*pairs.shape[:2], 1))
    return np.concatenate([along_x, pairs], axis=-1).reshape(-1, 3)


def filled(loops: Sequence[Array]) -> tuple[Array, Integers]:
    """Triangles of a polygon with holes, by cutting off ears; a hole is first joined to the
    outline by a bridge to its nearest corner."""
    points = np.concatenate(loops)
    ring = list(range(len(loops[0])))
    start = len(ring)
    for hole in loops[1:]:
        own = list(range(start, start + len(hole)))
        start += len(hole)
        away = np.linalg.norm(points[ring][:, None] - points[own][None], axis=-1)
        a, b = (int(k) for k in np.unravel_index(int(np.argmin(away)), away.shape))
        ring[a + 1 : a + 1] = [*own[b:], *own[: b + 1], ring[a]]
    faces = []
    while len(ring) > 3:
        k = next((k for k in range(len(ring)) if _is_ear(points, ring, k)), 0)
        faces.append([ring[k - 1], ring[k], ring[(k + 1) % len(ring)]])
        ring.pop(k)
    return points, np.array([*faces, ring], dtype=np.int64)


def _is_ear(points: Array, ring: Sequence[int], k: int) -> bool:
    """Whether a corner sticks out and no other lies in its triangle."""
    a, b, c = (points[ring[j]] for j in (k - 1, k, (k + 1) % len(ring)))
    if _area(a, b, c) <= 0:
        return False
    rest = points[[j for j in ring if j not in (ring[k - 1], ring[k], ring[(k + 1) % len(ring)])]]
    if not len(rest):
        return True
    inside = (_area(a, b, rest) > 0) & (_area(b, c, rest) > 0) & (_area(c, a, rest) > 0)
    return not inside.any()


def _area(a: Array, b: Array, c: Array) -> Array:
    """Twice the area of triangles, positive counter-clockwise."""
    return np.asarray((b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1])
                      - (b[..., 1] - a[..., 1]) * (c[..., 0] - a[..., 0]))  # fmt: skip
