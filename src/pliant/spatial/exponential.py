"""Rotation vectors: exp([θ]x) and the angular velocity of a rotation vector that changes.

    exp([θ]x) = 1 + S [θ]x + C [θ]x²              w = θ' + C θ x θ' + E θ x (θ x θ')
    S = sin ϑ / ϑ,   C = (1 - cos ϑ) / ϑ²,   E = (ϑ - sin ϑ) / ϑ³,   ϑ = |θ|

S, C and E are power series of ϑ², so that they and all their derivatives are right at ϑ = 0, too;
they are exact to rounding up to ϑ = π. A rotation about one axis uses sine and cosine.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from pliant.spatial.ops import Ops
from pliant.spatial.rotation import rot_x, rot_y, rot_z, skew

_TERMS = 16
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
    return ops.const(np.eye(3)) + _series(square, 1) * X + _series(square, 2) * (X @ X)


def angular_velocity(
    ops: Ops, theta: Any, rate: Any, present: tuple[bool, bool, bool] = (True,) * 3
) -> Any:
    """w with d exp([θ]x)/dt = [w]x exp([θ]x)."""
    if sum(present) < 2:
        return rate
    square = ops.dot(theta, theta)
    across = ops.cross(theta, rate)
    return rate + _series(square, 2) * across + _series(square, 3) * ops.cross(theta, across)


def _series(square: Any, order: int) -> Any:
    """Σ (-ϑ²)^k / (2k + order)!: S, C and E for order 1, 2 and 3."""
    total: Any = 1.0 / factorial(2 * _TERMS + order)
    for k in reversed(range(_TERMS)):
        total = 1.0 / factorial(2 * k + order) - square * total
    return total
