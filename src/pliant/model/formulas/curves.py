"""Curves through points: piecewise linear, and natural cubic splines, over `ops`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any


def linear(ops: Any, x: Any, xs: Sequence[float], ys: Sequence[float]) -> Any:
    """Piecewise linear through the points, held constant outside them."""
    value: Any = ys[-1]
    for k in range(len(xs) - 2, -1, -1):
        slope = (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])
        value = ops.where(ops.lt(x, xs[k + 1]), ys[k] + slope * (x - xs[k]), value)
    return ops.where(ops.lt(x, xs[0]), ys[0], value)


def spline(ops: Any, x: Any, xs: Sequence[float], ys: Sequence[float]) -> Any:
    """Natural cubic spline through the points, continued by straight lines; C2 everywhere."""
    m = second_derivatives(tuple(xs), tuple(ys))
    last = len(xs) - 1
    h = xs[last] - xs[last - 1]
    slope = (ys[last] - ys[last - 1]) / h + h * m[last - 1] / 6.0
    value: Any = ys[last] + slope * (x - xs[last])
    for k in range(last - 1, -1, -1):
        h = xs[k + 1] - xs[k]
        s = x - xs[k]
        slope = (ys[k + 1] - ys[k]) / h - h * (2.0 * m[k] + m[k + 1]) / 6.0
        cubic = ys[k] + s * (slope + s * (m[k] / 2.0 + s * ((m[k + 1] - m[k]) / (6.0 * h))))
        value = ops.where(ops.below(x, xs[k + 1]), cubic, value)
    h = xs[1] - xs[0]
    slope = (ys[1] - ys[0]) / h - h * m[1] / 6.0
    return ops.where(ops.below(x, xs[0]), ys[0] + slope * (x - xs[0]), value)


@lru_cache(maxsize=256)
def second_derivatives(xs: tuple[float, ...], ys: tuple[float, ...]) -> tuple[float, ...]:
    """Second derivatives of the natural spline at its points (tridiagonal elimination)."""
    n = len(xs)
    m, upper = [0.0] * n, [0.0] * n
    for k in range(1, n - 1):
        h0, h1 = xs[k] - xs[k - 1], xs[k + 1] - xs[k]
        pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1]
        jump = 6.0 * ((ys[k + 1] - ys[k]) / h1 - (ys[k] - ys[k - 1]) / h0)
        upper[k] = h1 / pivot
        m[k] = (jump - h0 * m[k - 1]) / pivot
    for k in range(n - 2, 0, -1):
        m[k] -= upper[k] * m[k + 1]
    return tuple(m)
