"""The deformation of a beam as linear fields of its elastic coordinates (flexible-bodies 1 and 2).

Displacement L = (s, v, w) of the axis, bend psi = (0, psi_y, psi_z) and twist phi of the section.

Floating frames (S0.7, flexible-bodies 9): which rigid part is taken out of the shape functions.

B's origin lies on the undeformed axis at x0; every shape loses a translation t and a rotation r:

    at (x)           x0 = x; the section at x neither moves nor turns (body-fixed)
    chord            x0 = 0; both ends stay on the x axis, the section at 0 does not twist
    mass-centre      x0 = mass centre; t = mean displacement, r = that of the section at x0
    principal-axis   t as above; r makes the products of inertia xy and xz zero, S0 (5.14)
    buckens          t as above; r makes ∫ r x u dm zero over the whole volume, S0 (5.19, 5.20),
                     so the rotary inertia of the sections always counts
    tisserand        t, r make linear and angular momentum of the deformation zero, S0 (5.30, 5.31),
                     momentum as the model counts it, that is with its choice of rotary inertia

All are taken to first order, so that they hold for every q at once: the quadratic rest of
Tisserand's condition, S0 (5.34), is zero for planar bending, and is not imposed in space. With
rotary_inertia full, buckens and tisserand are the same. Twist is removed as its mean weighted
with the polar inertia in the last three; for principal-axis because the principal directions of
a round section are no directions at all.
"""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from pliant.arrays import Array
from pliant.flex.beam import Rates
from pliant.flex.numerics import Rule
from pliant.flex.shapes.base import Block
from pliant.records import dataclass

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
        """dH/dx: q^T H' q = 2 v' psi_z - psi_z² - 2 w' psi_y - psi_y² (flexible-bodies 1)."""
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
        """The fields less t + r x (x - x0) e1 and less the rotation r (flexible-bodies 9)."""
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
        """The one Gauss rule of the body (flexible-bodies 8)."""
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


FRAMES = ("at", "chord", "mass-centre", "principal-axis", "buckens", "tisserand")


@dataclass(frozen=True, slots=True)
class FloatingFrame:
    """The kind of body frame; `x` is the fraction of the length for kind "at"."""

    kind: str = "at"
    x: float = 0.0


def rigid_part(
    frame: FloatingFrame, fields: Fields, rule: Rule, rates: Rates, *, full: bool
) -> RigidPart:
    """What the frame takes out of the fields; `full` says whether rotary inertia is full."""
    length = float(rule.breaks[-1])
    if frame.kind == "at":
        x0 = frame.x * length
        f = fields.at(np.array([x0]))
        return RigidPart(x0, f.L[0], f.theta[0])
    if frame.kind == "chord":
        f = fields.at(np.array([0.0, length]))
        r = np.zeros_like(f.L[0])
        r[0] = f.phi[0]
        r[1] = -(f.L[1, 2] - f.L[0, 2]) / length
        r[2] = (f.L[1, 1] - f.L[0, 1]) / length
        return RigidPart(0.0, f.L[0], r)
    dm = rule.w * rates.rhoA
    x0 = float(dm @ rule.x / dm.sum())
    f = fields.at(rule.x)
    t = np.tensordot(dm, f.L, axes=(0, 0)) / dm.sum()
    if frame.kind == "mass-centre":
        return RigidPart(x0, t, fields.at(np.array([x0])).theta[0])
    sign = {"principal-axis": -1.0, "buckens": 1.0, "tisserand": 1.0 if full else 0.0}[frame.kind]
    return RigidPart(x0, t, _mean_rotation(f, rule, rates, rule.x - x0, sign))


def _mean_rotation(f: FieldValues, rule: Rule, rates: Rates, arm: Array, sign: float) -> Array:
    """r from ∫ρA (arm)² r + sign ρI r = ∫ρA arm v + sign ρI psi, plane by plane.

    sign +1: angular momentum with rotary inertia; 0: without; -1: product of inertia, since
    J_xy = -∫ρA x v + ∫ρIz psi_z to first order.
    """
    dm, dIy, dIz = (rule.w * rate for rate in (rates.rhoA, rates.rhoIy, rates.rhoIz))
    second = dm @ arm**2
    polar = dIy + dIz
    r = np.zeros_like(f.L[0])
    if polar.sum() > 0:
        r[0] = polar @ f.phi / polar.sum()
    r[1] = (-(dm * arm) @ f.L[:, 2] + sign * dIy @ f.psi[:, 1]) / (second + sign * dIy.sum())
    r[2] = ((dm * arm) @ f.L[:, 1] + sign * dIz @ f.psi[:, 2]) / (second + sign * dIz.sum())
    return np.asarray(r)
