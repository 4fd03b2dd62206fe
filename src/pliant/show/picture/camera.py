"""Where a picture is looked from: along an axis, or as the moving page looks at first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass

VIEWS = {
    "free": None, "iso": None,
    "x": (1.0, 0.0, 0.0), "y": (0.0, -1.0, 0.0), "z": (0.0, 0.0, 1.0),
    "-x": (-1.0, 0.0, 0.0), "-y": (0.0, 1.0, 0.0), "-z": (0.0, 0.0, -1.0),
}  # fmt: skip
"""From the middle of the mechanism towards the eye; those without depend on what is up. In ``y`` x
goes to the right and z up."""
PROJECTIONS = ("orthographic", "perspective")
_MARGIN = 1.08
_THIN = 0.3
_ANGLE = np.radians(32.0)
"""Of view, from the bottom to the top of a perspective picture."""
View = str | Sequence[float]


@dataclass(frozen=True, slots=True)
class Camera:
    """Axes of the picture (rows: right, up, towards the eye), its middle, and pixels: ``metres`` is
    half the height of the picture at its middle; ``distance`` of the eye, None: parallel rays."""

    axes: Array
    target: Array
    metres: float
    distance: float | None
    size: tuple[int, int]

    @property
    def eye(self) -> Array:
        """Direction towards the eye."""
        return np.asarray(self.axes[2])

    def seen(self, points: Array) -> Array:
        """Points in axes of the picture, about its middle."""
        return np.asarray((points - self.target) @ self.axes.T)

    def pixels(self, points: Array) -> Array:
        """x to the right, y down, and a depth that is linear over the picture (less is nearer)."""
        x, y, z = self.seen(points).T
        width, height = self.size
        per_metre = height / 2 / self.metres
        if self.distance is None:
            depth = -z
        else:
            away = np.maximum(self.distance - z, 1e-3 * self.distance)
            x, y, depth = (x * self.distance / away, y * self.distance / away,
                           -self.distance / away)  # fmt: skip
        return np.stack([width / 2 + per_metre * x, height / 2 - per_metre * y, depth], axis=-1)


def up_of(gravity: Sequence[float]) -> Array:
    """Against gravity; without gravity z."""
    g = np.asarray(gravity, dtype=np.float64)
    size = np.linalg.norm(g)
    return np.array([0.0, 0.0, 1.0]) if size == 0 else -g / size


def camera(box: Array, up: Array, size: tuple[int, int], view: View = "free",
           projection: str | None = None) -> Camera:  # fmt: skip
    """One that sees a box (2, 3); ``free`` is drawn in perspective, other views in parallel."""
    if projection is not None and projection not in PROJECTIONS:
        cure = did_you_mean(projection, PROJECTIONS) or f"known: {', '.join(PROJECTIONS)}"
        raise InputError(f"picture: projection is '{projection}'", cure)
    eye = _direction(box, up, view)
    axes = _axes(eye, up)
    target = box.mean(axis=0)
    corners = (_corners(box) - target) @ axes.T
    aspect = size[0] / size[1]
    if projection == "orthographic" or (projection is None and view != "free"):
        half = np.maximum(np.abs(corners[:, 1]), np.abs(corners[:, 0]) / aspect).max()
        return Camera(axes, target, _MARGIN * float(half) or 1.0, None, size)
    tall = np.tan(_ANGLE / 2) / _MARGIN
    reach = np.maximum(np.abs(corners[:, 1]), np.abs(corners[:, 0]) / aspect) / tall
    distance = float((corners[:, 2] + reach).max()) or 1.0
    return Camera(axes, target, distance * float(np.tan(_ANGLE / 2)), distance, size)


def _corners(box: Array) -> Array:
    x, y, z = box.T
    return np.array([[a, b, c] for a in x for b in y for c in z])


def _direction(box: Array, up: Array, view: View) -> Array:
    """Towards the eye."""
    if not isinstance(view, str):
        given = np.asarray(view, dtype=np.float64)
        if given.shape != (3,) or not np.isfinite(given).all() or not np.linalg.norm(given) > 0:
            raise InputError(f"picture: view is {view}",
                             "give a name, or three numbers towards the eye")  # fmt: skip
        return np.asarray(given / np.linalg.norm(given))
    if view not in VIEWS:
        raise InputError(f"picture: unknown view '{view}'",
                         did_you_mean(view, VIEWS) or f"known: {', '.join(VIEWS)}")  # fmt: skip
    known = VIEWS[view]
    right, into = _horizontal(up)
    if view == "iso":
        return _unit(right - into + 0.8 * up)
    if known is not None:
        return np.array(known)
    return _free(box, up, right, into)


def _horizontal(up: Array) -> tuple[Array, Array]:
    """Directions to the right and into the picture."""
    right = np.array([0.0, 1.0, 0.0]) if abs(up[0]) > 0.9 else np.array([1.0, 0.0, 0.0])
    right = _unit(right - (right @ up) * up)
    return right, np.cross(up, right)


def _free(box: Array, up: Array, right: Array, into: Array) -> Array:
    """As the moving page: what is flat is seen face on, all else from a corner."""
    size = box[1] - box[0]
    thin = int(np.argmin(size))
    normal = np.eye(3)[thin]
    flat = size[thin] < _THIN * np.sort(size)[1]
    if flat and abs(normal @ up) > 0.9:
        return _unit(up - 0.7 * into)
    if flat and abs(normal @ up) < 0.1:
        normal = -normal if normal @ into > 0.1 else normal
        return _unit(normal + 0.28 * up + 0.3 * np.cross(up, normal))
    return _unit(0.75 * right - 1.2 * into + 0.75 * up)


def _axes(eye: Array, up: Array) -> Array:
    """Rows: right, up, towards the eye."""
    if abs(eye @ up) > 0.999:
        up = _horizontal(up)[1]
    right = _unit(np.cross(up, eye))
    return np.stack([right, np.cross(eye, right), eye])


def _unit(v: Array) -> Array:
    return np.asarray(v / np.linalg.norm(v))
