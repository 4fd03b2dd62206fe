"""Pieces of residuals shared by several joints, with the columns of C that belong to them.

Axes of M in F are the columns r_x, r_y, r_z of R = R_FM, and d(r)/dt = w x r.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import vee, vee_rate

E3 = np.eye(3)


def translation(ops: Ops, axes: str) -> list[Any]:
    """Columns of C for the components of p named in ``axes``."""
    return [ops.stack([ops.zeros(3), ops.const(E3["xyz".index(a)])]) for a in axes]


def perpendicular(ops: Ops, X: Pose, i: int, j: int) -> tuple[Any, Any]:
    """Residual e_i . r_j and its column of C: w . (r_j x e_i)."""
    return X.R[i, j], ops.stack([ops.cross(X.R[:, j], ops.const(E3[i])), ops.zeros(3)])


def tilted(ops: Ops, X: Pose) -> tuple[list[Any], list[Any]]:
    """Residual of z that stays z: components x and y of r_z, and their columns."""
    found = [perpendicular(ops, X, i, 2) for i in (0, 1)]
    return [row for row, _ in found], [column for _, column in found]


def locked(ops: Ops, X: Pose) -> tuple[list[Any], list[Any]]:
    """Residual vee(R) and its three columns: d vee(R)/dt = (tr R 1 - R) w / 2."""
    v, A = vee(ops, X.R), vee_rate(ops, X.R)
    return [v[k] for k in range(3)], [ops.stack([A.T[:, k], ops.zeros(3)]) for k in range(3)]


def turn(ops: Ops, X: Pose) -> tuple[Any, Any]:
    """Angle of R about z in (-pi, pi] and the column of its rate."""
    R = X.R
    s, c = R[1, 0] - R[0, 1], R[0, 0] + R[1, 1]
    ex, ey = ops.const(E3[0]), ops.const(E3[1])
    ds = ops.cross(R[:, 0], ey) - ops.cross(R[:, 1], ex)
    dc = ops.cross(R[:, 0], ex) + ops.cross(R[:, 1], ey)
    return ops.atan2(s, c), ops.stack([(c * ds - s * dc) / (s * s + c * c), ops.zeros(3)])


def angle_rate(ops: Ops, X: Pose, sine: tuple[int, int], cosine: tuple[int, int]) -> Any:
    """Column of the rate of atan2(R[sine], R[cosine])."""
    (s, ds), (c, dc) = (perpendicular(ops, X, *entry) for entry in (sine, cosine))
    return (c * ds - s * dc) / (s * s + c * c)


def upright(R: Any) -> Any:
    """Cosine of the angle of R: positive near R = 1, negative near the false root of vee(R)."""
    return 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1)
