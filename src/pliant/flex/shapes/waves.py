"""Axial and torsional functions that go with the analytic bending families.

    clamped-free                    sin((k - 1/2) π x/l)
    clamped-clamped                 sin(k π x/l)
    free-free                       cos(k π x/l)
    pinned-pinned, clamped-pinned   x/l, then sin((k - 1) π x/l)

A pin at the far end of a link does not hinder stretch, so the last row starts with the linear
function: it is complete for any end value.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.flex.shapes.base import KINDS, Block, Request


@dataclass(frozen=True, slots=True)
class Waves:
    """sin(κx + shift), preceded by x/l if `linear`."""

    length: float
    kappa: Array
    shift: float
    linear: bool

    @property
    def count(self) -> int:
        return len(self.kappa) + self.linear

    @property
    def order(self) -> int:
        return len(self.kappa) + 1

    @property
    def breaks(self) -> Array:
        return np.array([0.0, self.length])

    def __call__(self, x: Array) -> Array:
        x = np.asarray(x, dtype=np.float64)[:, None]
        turns = self.shift + np.arange(4)[:, None, None] * np.pi / 2
        powers = self.kappa ** np.arange(4)[:, None, None]
        waves = np.sin(x * self.kappa + turns) * powers
        if not self.linear:
            return np.asarray(waves)
        line = np.zeros((4, len(x), 1))
        line[0] = x / self.length
        line[1] = 1 / self.length
        return np.concatenate([line, waves], axis=2)


def waves(family: str, request: Request) -> tuple[Block, ...]:
    """The axial or torsional functions of an analytic family."""
    length, k = request.beam.length, np.arange(1.0, request.count + 1)
    unit = np.pi / length
    if family == "clamped-free":
        shapes = Waves(length, (k - 0.5) * unit, 0.0, False)
    elif family == "clamped-clamped":
        shapes = Waves(length, k * unit, 0.0, False)
    elif family == "free-free":
        shapes = Waves(length, k * unit, np.pi / 2, False)
    else:
        shapes = Waves(length, k[:-1] * unit, 0.0, True)
    return (Block(request.field, KINDS[request.field], request.field, shapes),)
