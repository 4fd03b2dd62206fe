"""Unit quaternions among the coordinates: back to unit length, and steps along the sphere."""

from __future__ import annotations

import numpy as np

from pliant.solve.dense.layout import N_QUATERNIONS, QUATERNIONS
from pliant.solve.machine.abi import Integers, Reals, at, jit


@jit
def unit(e: Reals) -> None:
    """A quaternion back to unit length."""
    length = np.sqrt(e[0] ** 2 + e[1] ** 2 + e[2] ** 2 + e[3] ** 2)
    if length > 0.0:
        for i in range(4):
            e[i] /= length


@jit
def normalise(ic: Integers, x: Reals) -> None:
    """Every quaternion of x back to unit length."""
    for i in range(ic[N_QUATERNIONS]):
        unit(at(x, ic[ic[QUATERNIONS] + i]))


@jit
def retract_quaternions(ic: Integers, x: Reals, dq: Reals, out: Reals) -> None:
    """out <- exp step of each quaternion: cos s q + sin s dq/s, s = |dq|, dq = N v."""
    for i in range(ic[N_QUATERNIONS]):
        first = ic[ic[QUATERNIONS] + i]
        d = at(dq, first - 1)
        s = np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + d[3] ** 2)
        factor = np.sin(s) / s if s > 1e-8 else 1.0 - s * s / 6.0
        cosine = np.cos(s)
        for k in range(4):
            out[first + k] = cosine * x[first + k] + factor * d[k]
    normalise(ic, out)
