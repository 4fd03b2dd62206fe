"""Motion of frames on bodies that are not flexible, for many states at once.

p = p_B + R x        v = R (v_B + w x x)        a = R (v_B' + w x v_B + w' x x + w x (w x x))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.results.build import quaternions
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class BodyRows:
    """Coordinates, speeds and accelerations of a body, a row for each state."""

    q: Array
    u: Array
    a: Array

    @property
    def R(self) -> Array:
        """R_WB of every state."""
        return rotations(self.q[:, 3:7])


def rotations(quat: Array) -> Array:
    """Rotation matrices of unit quaternions, one in each row."""
    w, x, y, z = quat.T
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def _turned(R: Array, v: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", R, v))


def _position(b: BodyRows, X: Pose) -> Array:
    return np.asarray(b.q[:, :3] + b.R @ X.p)


def _orientation(b: BodyRows, X: Pose) -> Array:
    return quaternions((b.R @ X.R).transpose(0, 2, 1).reshape(-1, 9))


def _velocity(b: BodyRows, X: Pose) -> Array:
    return _turned(b.R, b.u[:, :3] + np.cross(b.u[:, 3:6], X.p))


def _angular_velocity(b: BodyRows, X: Pose) -> Array:
    return _turned(b.R, b.u[:, 3:6])


def _acceleration(b: BodyRows, X: Pose) -> Array:
    v, w, alpha = b.u[:, :3], b.u[:, 3:6], b.a[:, 3:6]
    turning = np.cross(alpha, X.p) + np.cross(w, np.cross(w, X.p))
    return _turned(b.R, b.a[:, :3] + np.cross(w, v) + turning)


def _angular_acceleration(b: BodyRows, X: Pose) -> Array:
    return _turned(b.R, b.a[:, 3:6])


XYZ, WXYZ = ("x", "y", "z"), ("w", "x", "y", "z")
QUANTITIES: dict[str, tuple[Callable[[BodyRows, Pose], Array], str, str, tuple[str, ...]]] = {
    "position": (_position, "m", "position", XYZ),
    "orientation": (_orientation, "1", "rotation", WXYZ),
    "velocity": (_velocity, "m/s", "velocity", XYZ),
    "angular_velocity": (_angular_velocity, "rad/s", "velocity", XYZ),
    "acceleration": (_acceleration, "m/s^2", "acceleration", XYZ),
    "angular_acceleration": (_angular_acceleration, "rad/s^2", "acceleration", XYZ),
}
"""Function, unit, kind and labels."""
