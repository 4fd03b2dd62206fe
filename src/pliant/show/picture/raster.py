"""Triangles to pixels: what is nearest is seen, lit from above and from one side.

Every triangle is cut into rows of pixels, every row into pixels; the nearest of those that fall on
one pixel is kept (z-buffer, E. Catmull 1974). Light is that of the moving page: the sky above, the
ground below, one lamp; Lambert's law, and a little gloss (B. T. Phong 1975).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.records import dataclass
from pliant.show.picture.camera import Camera
from pliant.show.picture.surfaces import Surface

_SKY, _EARTH, _LAMP = 2.3, np.array([0.456, 0.503, 0.578]), 1.9
"""Brightness of sky and lamp; colour of the ground as linear light (#b4bcc8)."""
_GLOSS, _SHINE = 0.16, 24.0


@dataclass(frozen=True, slots=True)
class Solid:
    """A surface with a colour ("#2769b0"), see-through below 1."""

    surface: Surface
    colour: str
    opacity: float = 1.0
    flat: bool = False
    """Drawn in its colour alone, without light."""


@dataclass(frozen=True, slots=True)
class Fragments:
    """Pixels of triangles: which (row * width + column), of which face, where in it."""

    pixel: Integers
    face: Integers
    weights: Array
    depth: Array


def linear(colour: str) -> Array:
    """Light of a colour as it is written, "#2769b0" (sRGB)."""
    value = np.array([int(colour[k : k + 2], 16) for k in (1, 3, 5)]) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


_LEVELS = np.linspace(0.0, 1.0, 1 << 13)
_ENCODED = np.round(255 * np.where(
    _LEVELS <= 0.0031308, 12.92 * _LEVELS, 1.055 * _LEVELS ** (1 / 2.4) - 0.055
)).astype(np.uint8)  # fmt: skip


def encoded(light: Array) -> Array:
    """Colours as they are stored, 0 to 255, of light."""
    levels = np.clip(light, 0.0, 1.0) * (len(_LEVELS) - 1)
    return np.asarray(_ENCODED[(levels + 0.5).astype(np.int16)])


class Canvas:
    """Light of all pixels, and how far away what they show is."""

    def __init__(self, camera: Camera, background: str) -> None:
        self.camera = camera
        width, height = camera.size
        self.light = np.empty((width * height, 3), dtype=np.float32)
        self.light[:] = linear(background)
        self.depth = np.full(width * height, np.inf)

    def copy(self) -> Canvas:
        """Another one on which the same is drawn."""
        other = object.__new__(Canvas)
        other.camera, other.light, other.depth = self.camera, self.light.copy(), self.depth.copy()
        return other

    def draw(self, solids: Sequence[Solid], up: Array, lamp: Array) -> None:
        """Solids; those that can be seen through after all others, the farthest first."""
        opaque = [s for s in solids if s.opacity >= 1 and len(s.surface.faces)]
        clear = [s for s in solids if 0 < s.opacity < 1 and len(s.surface.faces)]
        if opaque:
            self._paint(opaque, up, lamp, 1.0)
        eye = self.camera.eye
        for solid in sorted(clear, key=lambda s: float((s.surface.corners @ eye).mean())):
            before = self.depth.copy()
            self._paint([solid], up, lamp, solid.opacity)
            self.depth = before

    def _paint(self, solids: Sequence[Solid], up: Array, lamp: Array, opacity: float) -> None:
        corners = np.concatenate([s.surface.corners for s in solids])
        normals = np.concatenate([s.surface.normals for s in solids])
        starts = np.cumsum([0, *(len(s.surface.corners) for s in solids[:-1])])
        faces = np.concatenate([s.surface.faces + k for s, k in zip(solids, starts, strict=True)])
        owner = np.repeat(np.arange(len(solids)), [len(s.surface.faces) for s in solids])
        found = fragments(self.camera.pixels(corners)[faces], self.camera.size)
        np.minimum.at(self.depth, found.pixel, found.depth)
        nearest = found.depth == self.depth[found.pixel]
        pixel, face = found.pixel[nearest], found.face[nearest]
        normal = np.einsum("fk,fki->fi", found.weights[nearest], normals[faces[face]])
        colours = np.array([linear(s.colour) for s in solids])[owner[face]]
        flat = np.array([s.flat for s in solids])[owner[face]]
        light = np.where(flat[:, None], colours, self._lit(colours, normal, up, lamp))
        self.light[pixel] = (1 - opacity) * self.light[pixel] + opacity * light

    def _lit(self, colours: Array, normals: Array, up: Array, lamp: Array) -> Array:
        """Light that surfaces send to the eye; both sides of them are lit."""
        eye = self.camera.eye
        n = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        n = np.where((n @ eye)[:, None] < 0, -n, n)
        above = (0.5 + 0.5 * n @ up)[:, None]
        hemisphere = _SKY * (above + (1 - above) * _EARTH)
        sight = lamp + eye
        gloss = np.maximum(n @ (sight / np.linalg.norm(sight)), 0.0) ** _SHINE
        lit = np.maximum(n @ lamp, 0.0)[:, None]
        return np.asarray(colours * (hemisphere + _LAMP * lit) / np.pi + _GLOSS * gloss[:, None])

    def shade(self, triangles: Array, strength: float) -> None:
        """Darken pixels that triangles (m, 3 corners, 3) cover; each once."""
        self.light[self._covered(triangles)] *= 1 - strength

    def _covered(self, triangles: Array) -> Array:
        """Whether a pixel is covered by any of them."""
        covered = np.zeros(len(self.depth), dtype=bool)
        covered[fragments(triangles, self.camera.size).pixel] = True
        return covered

    def lines(self, ends: Array, colour: str, width: float, opacity: float = 1.0) -> None:
        """Lines between points of the world (n, 2, 3), so many pixels wide, over what is there."""
        ends = self._before_the_eye(ends)
        if not len(ends):
            return
        at = self.camera.pixels(ends.reshape(-1, 3)).reshape(-1, 2, 3)
        way = at[:, 1, :2] - at[:, 0, :2]
        length = np.linalg.norm(way, axis=1, keepdims=True)
        aside = np.zeros_like(at[:, 0])
        aside[:, :2] = np.where(length > 0, way[:, ::-1] * [-1, 1] / np.maximum(length, 1e-9), 0)
        aside *= width / 2
        a, b = at[:, 0], at[:, 1]
        quads = np.concatenate([np.stack([a - aside, a + aside, b + aside], axis=1),
                                np.stack([a - aside, b + aside, b - aside], axis=1)])  # fmt: skip
        pixels = self._covered(quads)
        self.light[pixels] = (1 - opacity) * self.light[pixels] + opacity * linear(colour)

    def _before_the_eye(self, ends: Array) -> Array:
        """Lines cut where they pass the eye."""
        if self.camera.distance is None:
            return ends
        nearest = 0.9 * self.camera.distance
        z = self.camera.seen(ends.reshape(-1, 3))[:, 2].reshape(-1, 2)
        ends, z = ends[z.min(axis=1) < nearest], z[z.min(axis=1) < nearest]
        for k in (0, 1):
            share = (nearest - z[:, 1 - k]) / np.where(
                z[:, k] == z[:, 1 - k], 1, z[:, k] - z[:, 1 - k]
            )
            cut = ends[:, 1 - k] + share[:, None] * (ends[:, k] - ends[:, 1 - k])
            ends = ends.copy()
            ends[:, k] = np.where((z[:, k] > nearest)[:, None], cut, ends[:, k])
        return ends

    def image(self, smooth: int) -> Array:
        """(height, width, 3) of bytes, each pixel the mean of smooth x smooth."""
        width, height = self.camera.size
        fine = np.minimum(self.light, 1.0).reshape(height // smooth, smooth, width // smooth, -1)
        rows = sum(fine[:, k] for k in range(smooth))
        rows = np.asarray(rows).reshape(height // smooth, width // smooth, smooth, 3)
        mean = np.asarray(sum(rows[:, :, k] for k in range(smooth))) / smooth**2
        return encoded(mean)


def fragments(triangles: Array, size: tuple[int, int]) -> Fragments:
    """Pixels whose middle lies in a triangle (m, 3 corners, x y depth)."""
    width, height = size
    triangles = np.where(np.isfinite(triangles).all(axis=(1, 2), keepdims=True), triangles, 0.0)
    y = triangles[:, :, 1]
    top = np.clip(np.ceil(y.min(axis=1) - 0.5), 0, height).astype(np.int64)
    bottom = np.clip(np.ceil(y.max(axis=1) - 0.5), 0, height).astype(np.int64)
    face, row = _counted(top, np.maximum(bottom - top, 0))
    own, middle = triangles[face], row + 0.5
    left, right = np.full(len(face), np.inf), np.full(len(face), -np.inf)
    for a, b in ((0, 1), (1, 2), (2, 0)):  # where the sides cross the row
        ya, yb = own[:, a, 1], own[:, b, 1]
        crossed = (ya <= middle) != (yb <= middle)
        share = np.where(crossed, (middle - ya) / np.where(crossed, yb - ya, 1.0), 0.0)
        x = own[:, a, 0] + share * (own[:, b, 0] - own[:, a, 0])
        left, right = (np.where(crossed, np.minimum(left, x), left),
                       np.where(crossed, np.maximum(right, x), right))  # fmt: skip
    first = np.clip(np.ceil(np.minimum(left, 1e9) - 0.5), 0, width).astype(np.int64)
    last = np.clip(np.ceil(np.maximum(right, -1e9) - 0.5), 0, width).astype(np.int64)
    span, column = _counted(first, np.maximum(last - first, 0))
    face, row = face[span], row[span]
    weights = _weights(triangles, face, column + 0.5, row + 0.5)
    depth = np.einsum("fk,fk->f", weights, triangles[face, :, 2])
    return Fragments(row * width + column, face, weights, depth)


def _counted(start: Integers, count: Integers) -> tuple[Integers, Integers]:
    """Whose, and start, start + 1, ... of each, ``count`` of them."""
    owner = np.repeat(np.arange(len(start)), count)
    before = np.cumsum(count) - count
    return owner, np.arange(len(owner)) - before[owner] + start[owner]


def _weights(triangles: Array, face: Integers, x: Any, y: Any) -> Array:
    """Shares of the corners at a place in a triangle."""
    a, ab, ac = (triangles[:, 0], triangles[:, 1] - triangles[:, 0],
                 triangles[:, 2] - triangles[:, 0])  # fmt: skip
    area = ab[:, 0] * ac[:, 1] - ab[:, 1] * ac[:, 0]
    inverse = np.where(area != 0, 1 / np.where(area != 0, area, 1.0), 0.0)
    dx, dy = x - a[face, 0], y - a[face, 1]
    second = np.clip((dx * ac[face, 1] - dy * ac[face, 0]) * inverse[face], 0, 1)
    third = np.clip((ab[face, 0] * dy - ab[face, 1] * dx) * inverse[face], 0, 1 - second)
    return np.stack([1 - second - third, second, third], axis=1)
