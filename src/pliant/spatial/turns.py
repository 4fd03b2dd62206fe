"""How far is R turned? Angles θ(R), and the matrix A of their rates.

    θ' = A w,     R' = [w]x R

A law written in θ has the torque Aᵀ Q, with Q = -∂U/∂θ where there is an energy U(θ): both do the
power Q · θ'. Adding a measure: one function and its place in ``MEASURES``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from pliant.spatial.ops import Ops
from pliant.spatial.rotation import bryant123_rate, skew, vee

_FEW = 1e-8, 0.04
"""Squares of sine and angle below which series stand for sin ϑ / ϑ and for D."""
_D = 1 / 12, 1 / 720, 1 / 30240, 1 / 1209600, 1 / 47900160
_SMALL_TILT = 1e-3
_RATIO = 1.0, 1 / 6, 3 / 40, 5 / 112, 35 / 1152, 63 / 2816
_TILT = -2 / 3, -1 / 5, -3 / 28, -5 / 72, -35 / 704
"""asin σ / σ, and (cos ϑ - ϑ/σ) / σ², as series of σ²."""
_E3 = np.eye(3)


def rotation_vector(ops: Ops, R: Any) -> tuple[Any, Any]:
    """θ = ϑ axis with exp([θ]x) = R, for angles ϑ < π: the shortest turn. No number at half a turn,
    where two axes are as good.

    θ = s ϑ / |s|,  ϑ = atan2(|s|, c),  s = vee(R),  c = (tr R - 1) / 2
    A = 1 - [θ]x / 2 + D [θ]x²,  D = (1 - ϑ/2 cot ϑ/2) / ϑ²,  cot ϑ/2 = |s| / (1 - c)
    """
    s, c = vee(ops, R), 0.5 * (R[0, 0] + R[1, 1] + R[2, 2] - 1)
    square = ops.dot(s, s)
    near = ops.logical_and(ops.lt(square, _FEW[0]), ops.lt(0, c))
    size = ops.sqrt(ops.where(near, 1.0, square))
    ratio = ops.where(near, 1 + square / 6 + 3 * square * square / 40, ops.atan2(size, c) / size)
    theta = ratio * s
    X = skew(ops, theta)
    return theta, ops.const(_E3) - 0.5 * X + _tangent_factor(ops, ratio, square, c) * (X @ X)


def _tangent_factor(ops: Ops, ratio: Any, square: Any, c: Any) -> Any:
    """D = Σ |B_2k| ϑ^(2k-2) / (2k)!, B_2k Bernoulli's numbers, while the angle is small."""
    angle2 = ratio * ratio * square
    near = ops.logical_and(ops.lt(angle2, _FEW[1]), ops.lt(0, c))
    safe = ops.where(near, 1.0, angle2)
    whole = (1 - ratio * square / (2 * ops.where(near, 1.0, 1 - c))) / safe
    return ops.where(near, _polynomial(_D, angle2), whole)


def axis_tilt(ops: Ops, R: Any) -> tuple[Any, Any]:
    """The angle ϑ < π between the axes z of R and of 1, along the way from one to the other: two
    numbers θ = s ϑ / σ, s = (R13, R23), σ = |s| = sin ϑ, c = R33 = cos ϑ.

    θ' = ϑ/σ s' + s (k s · s' - c'),  k = (c - ϑ/σ) / σ²
    """
    rows = [ops.cross(R[:, 2], ops.const(_E3[k])) for k in range(3)]
    s1, s2, c = R[0, 2], R[1, 2], R[2, 2]
    square = s1 * s1 + s2 * s2
    near = ops.logical_and(ops.lt(square, _SMALL_TILT), ops.lt(0, c))
    safe = ops.where(near, 1.0, square)
    size = ops.sqrt(safe)
    angle = ops.atan2(size, c) / size
    ratio = ops.where(near, _polynomial(_RATIO, square), angle)
    k = ops.where(near, _polynomial(_TILT, square), (c - angle) / safe)
    along = k * (s1 * rows[0] + s2 * rows[1]) - rows[2]
    A = ops.columns([ratio * rows[0] + s1 * along, ratio * rows[1] + s2 * along]).T
    return ops.vec(ratio * s1, ratio * s2), A


def _polynomial(coefficients: Sequence[float], x: Any) -> Any:
    total: Any = coefficients[-1]
    for number in reversed(coefficients[:-1]):
        total = number + x * total
    return total


def bryant_angles(ops: Ops, R: Any) -> tuple[Any, Any]:
    """Angles about x, then y, then z of the frame as turned, |second| < π/2. Source: S0 (2.20)."""
    middle = ops.sqrt(R[1, 2] * R[1, 2] + R[2, 2] * R[2, 2])
    angles = ops.vec(
        ops.atan2(-R[1, 2], R[2, 2]), ops.atan2(R[0, 2], middle), ops.atan2(-R[0, 1], R[0, 0])
    )
    rates = ops.columns([bryant123_rate(ops, angles, ops.const(_E3[k])) for k in range(3)])
    return angles, rates @ R.T


Measure = Callable[[Ops, Any], tuple[Any, Any]]
MEASURES: Mapping[str, Measure] = {"vector": rotation_vector, "bryant123": bryant_angles}
