"""The deformation of a beam as linear fields of its elastic coordinates (normative 1 and 2).

Displacement L = (s, v, w) of the axis, bend psi = (0, psi_y, psi_z) and twist phi of the section.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from pliant.arrays import Array
from pliant.flex.rule import Rule
from pliant.flex.shapes.base import Block

_ROW = {"s": 0, "v": 1, "w": 2}
#: Bend axis and sign: psi_z = v', psi_y = -w'.
_BEND = {"v": (2, 1.0), "w": (1, -1.0)}


@dataclass(frozen=True, slots=True)
class FieldValues:
    """Fields of n coordinates at N places: (N, 3, n), twist (N, n). d is the x-derivative."""

    L: Array
    dL: Array
    psi: Array
    dpsi: Array
    ddpsi: Array
    phi: Array
    dphi: Array

    @property
    def theta(self) -> Array:
        """The small rotation psi + phi e1 of the sections."""
        out = self.psi.copy()
        out[:, 0] += self.phi
        return out

    def shear(self) -> Array:
        """v' - psi_z and w' + psi_y, (N, 2, n)."""
        return np.stack([self.dL[:, 1] - self.psi[:, 2], self.dL[:, 2] + self.psi[:, 1]], axis=1)

    def foreshortening_rate(self) -> Array:
        """dH/dx: q^T H' q = 2 v' psi_z - psi_z² - 2 w' psi_y - psi_y² (normative 1), (N, n, n)."""
        dv, dw, py, pz = self.dL[:, 1], self.dL[:, 2], self.psi[:, 1], self.psi[:, 2]
        mixed = dv[:, :, None] * pz[:, None, :] - dw[:, :, None] * py[:, None, :]
        squares = pz[:, :, None] * pz[:, None, :] + py[:, :, None] * py[:, None, :]
        return np.asarray(mixed + mixed.transpose(0, 2, 1) - squares)


@dataclass(frozen=True, slots=True)
class RigidPart:
    """A translation t and a small rotation r about x0 for every coordinate, (3, n) each."""

    x0: float
    t: Array
    r: Array

    def removed(self, x: Array, f: FieldValues) -> FieldValues:
        """The fields less t + r x (x - x0) e1 and less the rotation r (normative 9)."""
        arm = (np.asarray(x) - self.x0)[:, None]
        L, dL, psi = f.L - self.t, f.dL.copy(), f.psi.copy()
        L[:, 1] -= arm * self.r[2]
        L[:, 2] += arm * self.r[1]
        dL[:, 1] -= self.r[2]
        dL[:, 2] += self.r[1]
        psi[:, 1:] -= self.r[1:]
        return replace(f, L=L, dL=dL, psi=psi, phi=f.phi - self.r[0])


_KEPT = 64
"""How many places, or sets of them, are remembered."""


@dataclass(frozen=True, slots=True)
class Fields:
    """All fields of a beam: blocks of shape functions side by side, less their rigid part."""

    blocks: tuple[Block, ...]
    rigid: RigidPart | None = None
    _known: dict[bytes, FieldValues] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    """At the places that were asked for: those of the rule and of frames are asked for often."""

    @property
    def count(self) -> int:
        return sum(b.shapes.count for b in self.blocks)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for b in self.blocks for name in b.names)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(b.kind for b in self.blocks for _ in b.names)

    def rule(self, length: float, stations: tuple[float, ...]) -> Rule:
        """The one Gauss rule of the body (normative 8)."""
        places = [np.asarray(stations) * length, *(b.shapes.breaks for b in self.blocks)]
        breaks = np.unique(np.round(np.concatenate(places) / length, 12)) * length
        return Rule.over(breaks, max((b.shapes.order for b in self.blocks), default=0))

    def at(self, x: Array) -> FieldValues:
        """Every field at the places x."""
        x = np.atleast_1d(np.asarray(x, dtype=np.float64))
        key = x.tobytes()
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            f = self._plain(x)
            self._known[key] = f if self.rigid is None else self.rigid.removed(x, f)
        return self._known[key]

    def _plain(self, x: Array) -> FieldValues:
        n, N = self.count, len(x)
        L, dL, psi, dpsi, ddpsi = (np.zeros((N, 3, n)) for _ in range(5))
        phi, dphi = np.zeros((N, n)), np.zeros((N, n))
        start = 0
        for block in self.blocks:
            own = slice(start, start + block.shapes.count)
            start = own.stop
            values = block.shapes(x)
            if block.field == "phi":
                phi[:, own], dphi[:, own] = values[0], values[1]
                continue
            row = _ROW[block.field]
            L[:, row, own], dL[:, row, own] = values[0], values[1]
            if block.field == "s":
                continue
            axis, sign = _BEND[block.field]
            slope = values[1:] if block.slope is None else block.slope(x)
            for target, part in zip((psi, dpsi, ddpsi), slope, strict=False):
                target[:, axis, own] = sign * part
        return FieldValues(L, dL, psi, dpsi, ddpsi, phi, dphi)
