"""Motion of frames fixed on bodies, and turns of angles, for many states at once.

p = p_B + R x        v = R (v_B + w x x)        a = R (a_B + w' x x + w x (w x x))

with v_B, w, a_B and w' in the axes of the body.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.spatial.pose import Pose

TURN = 2 * np.pi


@dataclass(frozen=True, slots=True)
class BodyRows:
    """Pose of a body in the world, then velocities and accelerations in its own axes: a row for
    each state."""

    R: Array
    p: Array
    w: Array
    v: Array
    alpha: Array
    a: Array


def rotations(quat: Array) -> Array:
    """Rotation matrices of unit quaternions, one in each row."""
    w, x, y, z = quat.T
    ww, xx, yy, zz = w * w, x * x, y * y, z * z
    xy, xz, yz, wx, wy, wz = x * y, x * z, y * z, w * x, w * y, w * z
    rows = [
        [ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy)],
        [2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx)],
        [2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz],
    ]
    return np.moveaxis(np.array(rows), 2, 0)


def cross(a: Array, b: Array) -> Array:
    """a x b row by row, of few rows in a tenth of the time that ``np.cross`` takes; one of them may
    be one vector for all."""
    (a1, a2, a3), (b1, b2, b3) = a.T, b.T
    return np.stack([a2 * b3 - a3 * b2, a3 * b1 - a1 * b3, a1 * b2 - a2 * b1], axis=-1)


def _turned(R: Array, v: Array) -> Array:
    return np.asarray(np.einsum("nij,nj->ni", R, v))


def _acceleration(b: BodyRows, X: Pose) -> Array:
    turning = cross(b.alpha, X.p) + cross(b.w, cross(b.w, X.p))
    return _turned(b.R, b.a + turning)


FRAME: dict[str, Callable[[BodyRows, Pose], Array]] = {
    "position": lambda b, X: b.p + b.R @ X.p,
    "orientation": lambda b, X: (b.R @ X.R).transpose(0, 2, 1).reshape(-1, 9),
    "velocity": lambda b, X: _turned(b.R, b.v + cross(b.w, X.p)),
    "angular_velocity": lambda b, X: _turned(b.R, b.w),
    "acceleration": _acceleration,
    "angular_acceleration": lambda b, X: _turned(b.R, b.alpha),
}
"""What the catalogue lists of a frame."""


def turns_along(t: Array, angles: Array, rates: Array) -> Array:
    """What to add to angles that are known modulo a turn, so that they go on from the first row:
    each is on the turn nearest to what the rates of its interval predict."""
    predicted = angles[:-1] + np.diff(t)[:, None] * (rates[1:] + rates[:-1]) / 2
    turns = np.cumsum(np.round((predicted - angles[1:]) / TURN), axis=0)
    return np.concatenate([np.zeros((1, angles.shape[1])), TURN * turns])
