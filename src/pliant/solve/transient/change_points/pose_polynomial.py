"""The polynomial that carries a motion over a singular position.

Hermite's, of degree 7: through the last four accepted points with q, u, xs and their rates. It
is continued over the pose (``change_point``); as dense output it goes through the point beyond.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.solve.machine.abi import Reals, at, jit
from pliant.solve.transient.state import POSE, Run, state_size, vector

POINTS = 4
APART = 0.2
"""Points of the polynomial are at least this part of the time to the pose apart."""

SIGMA, SIGMA_BEST, HOP_BELOW, LAST_CHANGE, COUNT, LEFT_TIME, AWAY_TIME, HOP_TIME, MOST = range(9)
TIMES, NODES, DIFFERENCES, DATA = 9, 13, 21, 29
"""Numbers of the watch: the last four points, knots and divided differences, points (y, y')."""


def pose_size(n: int) -> int:
    """Numbers the watch keeps, for n states."""
    return DATA + 2 * POINTS * n


@jit
def pose_numbers(run: Run) -> Any:
    """Numbers of the watch."""
    return vector(run, POSE)


@jit
def remember(run: Run, rates: Reals) -> None:
    """The point run.x among the last four; one too close to its forerunner takes its place."""
    pose, n, t = pose_numbers(run), state_size(run), run.x[0]
    count = int(pose[COUNT])
    apart = APART * pose[LEFT_TIME] if pose[LEFT_TIME] < np.inf else 0.0
    close = count > 1 and t - pose[TIMES + count - 2] < apart
    if close or (count > 0 and not t > pose[TIMES + count - 1]):
        count -= 1
    if count == POINTS:
        count -= 1
        for k in range(count):
            pose[TIMES + k] = pose[TIMES + k + 1]
        for i in range(2 * n * count):
            pose[DATA + i] = pose[DATA + 2 * n + i]
    pose[TIMES + count] = t
    point = at(pose, DATA + 2 * n * count)
    for i in range(n):
        point[i], point[n + i] = run.x[1 + i], rates[i]
    pose[COUNT] = count + 1


@jit
def _divide(run: Run, i: int, h: float) -> None:
    """Divided differences of state i over its knots, times in units of h."""
    pose, n = pose_numbers(run), state_size(run)
    z, d = at(pose, NODES), at(pose, DIFFERENCES)
    for k in range(POINTS):
        point = at(pose, DATA + 2 * n * k)
        d[2 * k] = d[2 * k + 1] = point[i]
    for k in range(2 * POINTS - 1, 0, -1):
        if k % 2 == 1:
            d[k] = h * pose[DATA + n * k + i]
        else:
            d[k] = (d[k] - d[k - 1]) / (z[k] - z[k - 1])
    for order in range(2, 2 * POINTS):
        for k in range(2 * POINTS - 1, order - 1, -1):
            d[k] = (d[k] - d[k - 1]) / (z[k] - z[k - order])


@jit
def _place_knots(run: Run, t0: float, h: float) -> None:
    pose = pose_numbers(run)
    for k in range(POINTS):
        pose[NODES + 2 * k] = pose[NODES + 2 * k + 1] = (pose[TIMES + k] - t0) / h


@jit
def extrapolate(run: Run, h: float, out: Reals) -> None:
    """out <- [q | u | xs] at t + h on the polynomial through the last four points."""
    pose = pose_numbers(run)
    z, d = at(pose, NODES), at(pose, DIFFERENCES)
    _place_knots(run, run.x[0], h)
    for i in range(state_size(run)):
        _divide(run, i, h)
        value = d[2 * POINTS - 1]
        for k in range(2 * POINTS - 2, -1, -1):
            value = d[k] + (1.0 - z[k]) * value
        out[i] = value


@jit
def hop_record(run: Run, t0: float, h: float, rates: Reals, c: Reals) -> None:
    """Coefficients c of the polynomial through three points before and run.x beyond the pose.

    p = c0 + s (c1 + (1 - s)(c2 + s (c3 + ...))), s = (t - t0)/h, as in DOP853: remainders of p
    divided by s and by 1 - s in turn.
    """
    pose, n = pose_numbers(run), state_size(run)
    pose[HOP_TIME], pose[LEFT_TIME] = pose[LEFT_TIME], np.inf
    remember(run, rates)
    z, d = at(pose, NODES), at(pose, DIFFERENCES)
    _place_knots(run, t0, h)
    for i in range(n):
        _divide(run, i, h)
        for first in range(2 * POINTS - 2, -1, -1):
            for k in range(first, 2 * POINTS - 1):
                d[k] -= z[first] * d[k + 1]
        for k in range(2 * POINTS):
            c[k * n + i] = _peel(d, 2 * POINTS - 1 - k, k)


@jit
def _peel(d: Reals, degree: int, k: int) -> float:
    """Remainder and quotient d of the polynomial d (powers) by s (k even) or by 1 - s (k odd)."""
    if k % 2 == 0:
        value = d[0]
        for j in range(degree):
            d[j] = d[j + 1]
        return float(value)
    value = 0.0
    for j in range(degree, -1, -1):
        value, d[j] = d[j] + value, -value
    return float(value)
