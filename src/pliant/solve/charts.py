"""Coordinates that live on a group: unit quaternions, and angle sets in a chart.

An angle set stands for R = R_chart R(angles), R_chart (row-major) in the parameters. Near the
singularity of the set R_chart is renewed so that the angles return to the middle of their range;
speeds are angular velocities and do not change. Source: S0.8 (Euler 3-1-3, Bryant 1-2-3, Euler
parameters).
"""

from __future__ import annotations

import numpy as np

from pliant.solve.abi import Integers, Reals, at, jit
from pliant.solve.context import PARAMETERS
from pliant.solve.dense_layout import BRYANT123, EULER313, GROUPS, N_GROUPS, QUATERNION

NEAR_SINGULAR = 0.3
"""A chart is renewed when |sin nutation| (3-1-3) or |cos second angle| (1-2-3) falls below this."""


@jit
def normalise(ic: Integers, x: Reals) -> None:
    """Every quaternion of x back to unit length."""
    for g in range(ic[N_GROUPS]):
        where = ic[GROUPS] + 3 * g
        if ic[where] == QUATERNION:
            s = 1 + ic[where + 1]
            length = np.sqrt(x[s] ** 2 + x[s + 1] ** 2 + x[s + 2] ** 2 + x[s + 3] ** 2)
            if length > 0.0:
                for i in range(4):
                    x[s + i] /= length


@jit
def retract_quaternions(ic: Integers, x: Reals, dq: Reals, out: Reals) -> None:
    """out <- exp step of each quaternion: cos s q + sin s dq/s, s = |dq|, dq = N v."""
    for g in range(ic[N_GROUPS]):
        where = ic[GROUPS] + 3 * g
        if ic[where] == QUATERNION:
            k = ic[where + 1]
            s = np.sqrt(dq[k] ** 2 + dq[k + 1] ** 2 + dq[k + 2] ** 2 + dq[k + 3] ** 2)
            factor = np.sin(s) / s if s > 1e-8 else 1.0 - s * s / 6.0
            cosine = np.cos(s)
            for i in range(4):
                out[1 + k + i] = cosine * x[1 + k + i] + factor * dq[k + i]
    normalise(ic, out)


@jit
def renew_charts(ic: Integers, dc: Reals, x: Reals) -> int:
    """New chart for every angle set near its singularity; 1 if there was one."""
    jumped = 0
    for g in range(ic[N_GROUPS]):
        where = ic[GROUPS] + 3 * g
        kind, start, chart = ic[where], 1 + ic[where + 1], ic[where + 2]
        if chart < 0 or kind == QUATERNION:
            continue
        second = x[start + 1]
        distance = abs(np.sin(second)) if kind == EULER313 else abs(np.cos(second))
        if distance > NEAR_SINGULAR:
            continue
        jumped = 1
        first = ic[PARAMETERS] + chart
        R = at(dc, first)
        turn_chart(R, kind, x[start], x[start + 1], x[start + 2])
        for i in range(3):
            x[start + i] = 0.0
        if kind == EULER313:
            x[start + 1] = 0.5 * np.pi
    return jumped


@jit
def turn_chart(R: Reals, kind: int, first: float, second: float, third: float) -> None:
    """R <- R R(angles) R(middle)^T.

    3-1-3: R = Rz Rx Rz, middle (0, 90 deg, 0); 1-2-3: R = Rx Ry Rz, middle (0, 0, 0).
    """
    if kind == BRYANT123:
        turn(R, 0, first)
        turn(R, 1, second)
        turn(R, 2, third)
    else:
        turn(R, 2, first)
        turn(R, 0, second)
        turn(R, 2, third)
        turn(R, 0, -0.5 * np.pi)


@jit
def turn(R: Reals, axis: int, angle: float) -> None:
    """R <- R times the rotation about a coordinate axis (R row-major)."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(angle), np.sin(angle)
    for row in range(0, 9, 3):
        a, b = R[row + i], R[row + j]
        R[row + i], R[row + j] = c * a + s * b, c * b - s * a
