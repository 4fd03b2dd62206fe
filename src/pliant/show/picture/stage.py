"""One picture of a mechanism: floor and shadow, bodies, joints, springs, arrows, letters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from pliant.arrays import Array
from pliant.show.colours import BACKGROUND, CURVES, GRID, GRID_STRONG
from pliant.show.picture import symbols
from pliant.show.picture.camera import Camera
from pliant.show.picture.joints import joints
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.picture.raster import Canvas, Solid

_SHADOW = 0.16


class Stage:
    """Draws a mechanism from one place; ``box``: the space of its motion, which the floor lies
    below. The camera has ``smooth`` times the pixels of the picture, each way."""

    def __init__(self, mechanism: Mechanism, camera: Camera, box: Array, up: Array,
                 smooth: int) -> None:  # fmt: skip
        self._mechanism, self.camera, self._box, self._up = mechanism, camera, box, up
        self._smooth = smooth
        self._lamp = self._towards_lamp()

    def image(self, at: Instant, *, magnification: float = 1.0,
              arrows: Sequence[str] = (), ghost: Instant | None = None,
              shadow: bool = True) -> Array:  # fmt: skip
        """(height, width, 3) of bytes; ``ghost``: another time, whose bodies are drawn pale."""
        mechanism = self._mechanism
        bodies = self._bodies(at, magnification)
        solids = [*bodies, *joints(mechanism, at, magnification),
                  *symbols.symbols(mechanism, at, magnification)]  # fmt: skip
        if ghost is not None:
            solids += self._bodies(ghost, 1.0, opacity=0.25)
        canvas = self._empty.copy()
        if shadow and self.camera.eye @ self._up > 0.05:
            canvas.shade(np.concatenate([self._shadow(solid) for solid in bodies]), _SHADOW)
        canvas.draw(solids, self._up, self._lamp)
        over = [s for group in arrows for s in symbols.arrows(mechanism, at, group, magnification)]
        if over:
            canvas.depth[:] = np.inf  # they are seen through bodies
            canvas.draw(over, self._up, self._lamp)
        return canvas.image(self._smooth)

    def _bodies(self, at: Instant, factor: float, opacity: float = 1.0) -> list[Solid]:
        found = []
        for k, body in enumerate(self._mechanism.scene["bodies"]):
            seen = opacity * body.get("opacity", 1.0)
            if not body.get("visible", True) or not seen:
                continue
            surface = self._mechanism.surface(body["name"], at, factor)
            if np.isfinite(surface.corners).all():
                colour = body.get("colour", CURVES[k % len(CURVES)])
                found.append(Solid(surface, colour, seen))
        return found

    def _towards_lamp(self) -> Array:
        """From above, in front and a little to the right, as the eye sees it first."""
        eye, up = self.camera.eye, self._up
        across = eye - (eye @ up) * up
        if np.linalg.norm(across) < 0.1:
            across = -self.camera.axes[1]
        across = across / np.linalg.norm(across)
        lamp = across + 2.0 * up + 0.35 * self.camera.axes[0]
        return np.asarray(lamp / np.linalg.norm(lamp))

    @cached_property
    def _height(self) -> float:
        """Of the floor, a little below everything."""
        size = self._box[1] - self._box[0]
        below = 0.5 * float(np.abs(size) @ np.abs(self._up)) + 0.08 * self._mechanism.scale
        return float(self._box.mean(axis=0) @ self._up) - below

    @cached_property
    def _empty(self) -> Canvas:
        """A grid on the floor."""
        canvas = Canvas(self.camera, BACKGROUND)
        reach = float(np.linalg.norm(self._box[1] - self._box[0])) or 1.0
        step = nice_step(reach / 12)
        e1, e2 = _level(self._up)
        half = int(np.ceil(0.9 * reach / step / 5) * 5)
        centre = self._box.mean(axis=0)
        middle = [round(float(centre @ e) / (5 * step)) * 5 * step for e in (e1, e2)]
        for strong, colour in ((False, GRID), (True, GRID_STRONG)):
            ends = []
            for k in range(-half, half + 1):
                if (k % 5 == 0) == strong:
                    s, far = k * step, half * step
                    ends += [[(s, -far), (s, far)], [(-far, s), (far, s)]]
            flat = np.array(ends) + middle
            points = flat[..., :1] * e1 + flat[..., 1:] * e2 + self._height * self._up
            canvas.lines(points, colour, self._smooth, 1.0 if strong else 0.7)
        return canvas

    def _shadow(self, solid: Solid) -> Array:
        """Pixels of its faces, thrown on the floor along the light."""
        p = solid.surface.corners
        above = (p @ self._up - self._height) / (self._lamp @ self._up)
        return self.camera.pixels(p - above[:, None] * self._lamp)[solid.surface.faces]


def nice_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, at least as large."""
    power = 10.0 ** np.floor(np.log10(rough))
    return float(power * next(s for s in (1, 2, 5, 10) if s * power >= rough * (1 - 1e-9)))


def _level(up: Array) -> tuple[Array, Array]:
    """Two directions across."""
    first = np.array([0.0, 1.0, 0.0]) if abs(up[0]) > 0.9 else np.array([1.0, 0.0, 0.0])
    first = first - (first @ up) * up
    first = first / np.linalg.norm(first)
    return first, np.cross(up, first)
