"""Rotations: parametrisations of R_FM and their kinematics.

R_FM takes components from M to F. Angular velocity w is that of M in F, in axes of M, so that
R' = R [w]x. Quaternions are [w, x, y, z].

Rotation vectors: exp([θ]x) and the angular velocity of a rotation vector that changes.

    exp([θ]x) = 1 + S [θ]x + C [θ]x²              w = θ' + C θ x θ' + E θ x (θ x θ')
    S = sin ϑ / ϑ,   C = (1 - cos ϑ) / ϑ²,   E = (ϑ - sin ϑ) / ϑ³,   ϑ = |θ|

S, C and E are Stumpff's functions of ϑ², 1 to 3, power series, so that they and all their
derivatives are right at ϑ = 0, too; they are exact to rounding up to ϑ = π. A rotation about one
axis uses sine and cosine.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.spatial.ops import Ops


def cross_columns(ops: Ops, p: Any, columns: Any) -> Any:
    """p x each column."""
    parts = [ops.cross(p, columns[:, k]) for k in range(columns.shape[1])]
    return ops.columns(parts) if parts else ops.zeros(3, 0)


def vee_rate(ops: Ops, R: Any) -> Any:
    """(tr R 1 - R) / 2: d vee(R)/dt = A w, for w in the axes R is seen from."""
    return 0.5 * ((R[0, 0] + R[1, 1] + R[2, 2]) * ops.const(np.eye(3)) - R)


def skew(ops: Ops, v: Any) -> Any:
    """[v]x with [v]x a = v x a."""
    return ops.mat([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def rot_x(ops: Ops, angle: Any) -> Any:
    """Rotation about x."""
    c, s = ops.cos(angle), ops.sin(angle)
    return ops.mat([[1, 0, 0], [0, c, -s], [0, s, c]])


def rot_y(ops: Ops, angle: Any) -> Any:
    """Rotation about y."""
    c, s = ops.cos(angle), ops.sin(angle)
    return ops.mat([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def rot_z(ops: Ops, angle: Any) -> Any:
    """Rotation about z."""
    c, s = ops.cos(angle), ops.sin(angle)
    return ops.mat([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def axis_angle(ops: Ops, axis: Any, angle: Any) -> Any:
    """Rodrigues: R = 1 + sin a [n]x + (1 - cos a) [n]x[n]x for a unit axis n."""
    K = skew(ops, axis)
    return ops.const(np.eye(3)) + ops.sin(angle) * K + (1 - ops.cos(angle)) * (K @ K)


def from_quaternion(ops: Ops, quat: Any) -> Any:
    """R of a unit quaternion. Source: S0 (2.23)."""
    w, x, y, z = quat[0], quat[1], quat[2], quat[3]
    return ops.mat([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def quaternion_product(ops: Ops, a: Any, b: Any) -> Any:
    """a b: the rotation b, then a."""
    v = a[0] * b[1:4] + b[0] * a[1:4] + ops.cross(a[1:4], b[1:4])
    return ops.stack([a[0] * b[0] - ops.dot(a[1:4], b[1:4]), v])


def relative_quaternion(ops: Ops, a: Any, b: Any) -> Any:
    """Quaternion of B in A, with positive real part."""
    v = a[0] * b[1:4] - b[0] * a[1:4] - ops.cross(a[1:4], b[1:4])
    w = a[0] * b[0] + ops.dot(a[1:4], b[1:4])
    return ops.stack([w, v]) * ops.where(ops.below(w, 0), -1, 1)


def quaternion_rate(ops: Ops, quat: Any, w: Any) -> Any:
    """quat' = 1/2 quat * (0, w), w in axes of M."""
    e0, e1, e2, e3 = quat[0], quat[1], quat[2], quat[3]
    return 0.5 * ops.vec(
        -e1 * w[0] - e2 * w[1] - e3 * w[2],
        e0 * w[0] - e3 * w[1] + e2 * w[2],
        e3 * w[0] + e0 * w[1] - e1 * w[2],
        -e2 * w[0] + e1 * w[1] + e0 * w[2],
    )


def quaternion_speed(ops: Ops, quat: Any, rate: Any) -> Any:
    """w = 2 E(quat)^T quat' / |quat|^2, the inverse of ``quaternion_rate``."""
    e0, e1, e2, e3 = quat[0], quat[1], quat[2], quat[3]
    d0, d1, d2, d3 = rate[0], rate[1], rate[2], rate[3]
    scale = 2 / (e0 * e0 + e1 * e1 + e2 * e2 + e3 * e3)
    return scale * ops.vec(
        -e1 * d0 + e0 * d1 + e3 * d2 - e2 * d3,
        -e2 * d0 - e3 * d1 + e0 * d2 + e1 * d3,
        -e3 * d0 + e2 * d1 - e1 * d2 + e0 * d3,
    )


def euler313(ops: Ops, angles: Any) -> Any:
    """R = Rz(a1) Rx(a2) Rz(a3); singular at sin a2 = 0. Source: S0 (2.14)."""
    return rot_z(ops, angles[0]) @ rot_x(ops, angles[1]) @ rot_z(ops, angles[2])


def euler313_speed(ops: Ops, angles: Any, rate: Any) -> Any:
    """w from the rates of the 3-1-3 angles, in axes of M."""
    s2, c2 = ops.sin(angles[1]), ops.cos(angles[1])
    s3, c3 = ops.sin(angles[2]), ops.cos(angles[2])
    return ops.vec(
        s2 * s3 * rate[0] + c3 * rate[1], s2 * c3 * rate[0] - s3 * rate[1], c2 * rate[0] + rate[2]
    )


def euler313_rate(ops: Ops, angles: Any, w: Any) -> Any:
    """Inverse of ``euler313_speed``."""
    s2, c2 = ops.sin(angles[1]), ops.cos(angles[1])
    s3, c3 = ops.sin(angles[2]), ops.cos(angles[2])
    first = (s3 * w[0] + c3 * w[1]) / s2
    return ops.vec(first, c3 * w[0] - s3 * w[1], w[2] - c2 * first)


def bryant123(ops: Ops, angles: Any) -> Any:
    """R = Rx(a1) Ry(a2) Rz(a3); singular at cos a2 = 0. Source: S0 (2.20)."""
    return rot_x(ops, angles[0]) @ rot_y(ops, angles[1]) @ rot_z(ops, angles[2])


def bryant123_speed(ops: Ops, angles: Any, rate: Any) -> Any:
    """w from the rates of the 1-2-3 angles, in axes of M."""
    s2, c2 = ops.sin(angles[1]), ops.cos(angles[1])
    s3, c3 = ops.sin(angles[2]), ops.cos(angles[2])
    return ops.vec(
        c2 * c3 * rate[0] + s3 * rate[1], -c2 * s3 * rate[0] + c3 * rate[1], s2 * rate[0] + rate[2]
    )


def bryant123_rate(ops: Ops, angles: Any, w: Any) -> Any:
    """Inverse of ``bryant123_speed``."""
    s2, c2 = ops.sin(angles[1]), ops.cos(angles[1])
    s3, c3 = ops.sin(angles[2]), ops.cos(angles[2])
    first = (c3 * w[0] - s3 * w[1]) / c2
    return ops.vec(first, s3 * w[0] + c3 * w[1], w[2] - s2 * first)


def to_quaternion(R: Array) -> Array:
    """Unit quaternion of R, w >= 0 (Shepperd's choice of the largest component)."""
    four = np.array([
        1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2],
        1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2],
    ])  # fmt: skip
    k = int(np.argmax(four))
    v = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    s = np.array([R[1, 2] + R[2, 1], R[0, 2] + R[2, 0], R[0, 1] + R[1, 0]])
    rows = (
        [four[0], v[0], v[1], v[2]], [v[0], four[1], s[2], s[1]],
        [v[1], s[2], four[2], s[0]], [v[2], s[1], s[0], four[3]],
    )  # fmt: skip
    quat: Array = np.array(rows[k]) / np.sqrt(4 * four[k])
    quat /= np.linalg.norm(quat)
    return quat if quat[0] >= 0 else -quat


_SEPARATE = 1e-12
"""Sine (3-1-3) or cosine (1-2-3) of the second angle from which the first and third are told
apart; below, the third is zero."""


def to_euler313(ops: Ops, R: Any) -> tuple[Any, Any, Any]:
    """3-1-3 angles of R, 0 <= a2 <= pi."""
    s2 = ops.hypot(R[0, 2], R[1, 2])
    alike = ops.below(s2, _SEPARATE)
    first = ops.where(alike, ops.atan2(R[1, 0], R[0, 0]), ops.atan2(R[0, 2], -R[1, 2]))
    return first, ops.atan2(s2, R[2, 2]), ops.where(alike, 0, ops.atan2(R[2, 0], R[2, 1]))


def to_bryant123(ops: Ops, R: Any) -> tuple[Any, Any, Any]:
    """1-2-3 angles of R, |a2| <= pi/2."""
    c2 = ops.hypot(R[1, 2], R[2, 2])
    alike = ops.below(c2, _SEPARATE)
    first = ops.where(alike, ops.atan2(R[2, 1], R[1, 1]), ops.atan2(-R[1, 2], R[2, 2]))
    return first, ops.atan2(R[0, 2], c2), ops.where(alike, 0, ops.atan2(-R[0, 1], R[0, 0]))


def vee(ops: Ops, A: Any) -> Any:
    """Axial vector of the skew part: vee([v]x) = v."""
    return 0.5 * ops.vec(A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1])


_AXES = (rot_x, rot_y, rot_z)


def exponential(ops: Ops, theta: Any, present: tuple[bool, bool, bool] = (True,) * 3) -> Any:
    """R = exp([θ]x); ``present`` says which components are not zero by construction."""
    axes = [k for k in range(3) if present[k]]
    if not axes:
        return ops.const(np.eye(3))
    if len(axes) == 1:
        return _AXES[axes[0]](ops, theta[axes[0]])
    square = ops.dot(theta, theta)
    X = skew(ops, theta)
    return ops.const(np.eye(3)) + ops.stumpff1(square) * X + ops.stumpff2(square) * (X @ X)


def angular_velocity(
    ops: Ops, theta: Any, rate: Any, present: tuple[bool, bool, bool] = (True,) * 3
) -> Any:
    """w with d exp([θ]x)/dt = [w]x exp([θ]x)."""
    if sum(present) < 2:
        return rate
    square = ops.dot(theta, theta)
    across = ops.cross(theta, rate)
    return rate + ops.stumpff2(square) * across + ops.stumpff3(square) * ops.cross(theta, across)


def rotation_vector_rate(
    ops: Ops, theta: Any, present: tuple[bool, bool, bool] = (True,) * 3
) -> Any:
    """A with θ' = A w:  A = 1 - [θ]x / 2 + D [θ]x²,  D = (1 - S / 2C) / ϑ² = (E - 2 F) / 2C, with
    F the fourth of these functions."""
    if not any(present):
        return ops.const(np.eye(3))
    square = ops.dot(theta, theta)
    factor = 0.5 * (ops.stumpff3(square) - 2 * ops.stumpff4(square)) / ops.stumpff2(square)
    X = skew(ops, theta)
    return ops.const(np.eye(3)) - 0.5 * X + factor * (X @ X)
