"""Mass and inertia of segments, compliance of their halves. Source: S3.1.

    m = ∫ρA dx      x_c = ∫ρA x dx / m      J_z = ∫ρA (x - x_c)² dx + ∫ρI_z dx      (consistent)
    1/k = ∫ dx / EI over half a segment; neighbouring halves act in series:  k = k1 k2 / (k1 + k2)

Lumped: masses at both ends of a segment, m (l - x_c)/l and m x_c/l, as on the pins of a chain of
bars; their moment of inertia about the centre of mass is m x_c (l - x_c).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.flex.beam import Beam
from pliant.model.bodies.theories import STIFFNESS

_X, _W = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True, slots=True)
class SegmentMass:
    """Mass, centre of mass from the start of the segment, moments of inertia about the centre."""

    mass: float
    com: float
    Jx: float
    Jy: float
    Jz: float


def _points(beam: Beam, a: float, b: float) -> tuple[Array, Array]:
    """Gauss points and weights on [a, b], piece by piece between the stations of the beam."""
    inner = [s * beam.length for s in beam.stations]
    ends = np.array([a, *(x for x in inner if a < x < b), b])
    half = np.diff(ends) / 2
    middle = ends[:-1] + half
    points = middle[:, None] + half[:, None] * _X
    return points.ravel(), (half[:, None] * _W).ravel()


def compliance(beam: Beam, direction: str, a: float, b: float) -> float:
    """∫ dx / stiffness from a to b."""
    x, w = _points(beam, a, b)
    return float(np.sum(w / np.broadcast_to(getattr(beam.rates(x), STIFFNESS[direction]), x.shape)))


def segment_mass(beam: Beam, a: float, b: float, rotary: str, *, lumped: bool) -> SegmentMass:
    """Of the piece from a to b; ``rotary``: inertia of sections that counts (none, axial, full)."""
    x, w = _points(beam, a, b)
    rates = beam.rates(x)
    rhoA, rhoIy, rhoIz = (
        w * np.broadcast_to(getattr(rates, n), x.shape) for n in ("rhoA", "rhoIy", "rhoIz")
    )
    m = float(rhoA.sum())
    com = float(rhoA @ (x - a)) / m
    across = m * com * (b - a - com) if lumped else float(rhoA @ (x - a - com) ** 2)
    Iy, Iz = float(rhoIy.sum()), float(rhoIz.sum())
    full = rotary == "full"
    return SegmentMass(m, com, Iy + Iz if rotary != "none" else 0.0, across + full * Iy,
                       across + full * Iz)  # fmt: skip
