"""Coordinates that live on a group: unit quaternions, and angle sets in a chart.

An angle set stands for R = R_chart R(angles), R_chart (row-major) in the parameters. Near the singularity
of the set R_chart is renewed so that the angles return to the middle of their range; speeds are
angular velocities and do not change. Source: S0.8 (Euler 3-1-3, Bryant 1-2-3, Euler parameters).
"""

from __future__ import annotations

import numpy as np

from pliant.solve.abi import Integers, Reals, grid, jit, window
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
    """out <- exp step of each quaternion: cos s q + sin s dq / s, s = |dq|, dq = N v normal to q."""
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
        R = grid(dc, first, 3, 3)
        middle = np.zeros(3)
        if kind == EULER313:
            middle[1] = 0.5 * np.pi
        moved = product(R, rotation(kind, window(x, start, 3)))
        R[:, :] = product(moved, rotation(kind, middle).T)
        for i in range(3):
            x[start + i] = middle[i]
    return jumped


@jit
def rotation(kind: int, angles: Reals) -> Reals:
    """R = Rz Rx Rz (3-1-3) or Rx Ry Rz (1-2-3)."""
    first, second = (0, 1) if kind == BRYANT123 else (2, 0)
    inner = product(_elementary(second, angles[1]), _elementary(2, angles[2]))
    return product(_elementary(first, angles[0]), inner)


@jit
def product(A: Reals, B: Reals) -> Reals:
    """A B for 3 x 3 matrices (numba's ``@`` would need scipy)."""
    C = np.zeros((3, 3))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                C[i, j] += A[i, k] * B[k, j]
    return C


@jit
def _elementary(axis: int, angle: float) -> Reals:
    """Rotation about a coordinate axis."""
    R = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i] = R[j, j] = np.cos(angle)
    R[j, i] = np.sin(angle)
    R[i, j] = -R[j, i]
    return R
