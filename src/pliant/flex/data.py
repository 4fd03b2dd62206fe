"""What every formulation reads about a flexible body: arrays, and frames on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array, Flags
from pliant.flex.arrays import frozen
from pliant.flex.tables import HigherTables, Pairs, Tables


@dataclass(frozen=True, slots=True)
class FrameData:
    """A place on a flexible body, in B (normative 2 and 3):

    p = p0 + L q - 1/2 q^T H q,   R = exp([psi q]x) exp([phi q, 0, 0]x)
    p_BP = p + R a,               R_BP = R R0

    L, psi are (3, n), H is (3, n, n), phi is (n). Given modes have phi = 0, and a = 0 at nodes.
    """

    p0: Array
    L: Array
    H: Array
    psi: Array
    phi: Array
    a: Array

    def positions(self, q: Array) -> Array:
        """p for rows of elastic coordinates, (rows, 3)."""
        bent = 0.5 * np.einsum("iab,ka,kb->ki", self.H, q, q)
        return np.asarray(self.p0 + q @ self.L.T - bent)


class Geometry(Protocol):
    """Where things are on a body: a beam by x, given modes by node number."""

    def frame(self, at: float, offset: Array) -> FrameData: ...

    def section_forces(self, at: float) -> Array: ...

    def stress(self, at: float) -> Array: ...


@dataclass(frozen=True, slots=True)
class FlexibleData(Tables):
    """One flexible body with n elastic coordinates, about B's origin and in B's axes.

    T to total degree 2 in (q, q'), with v, w velocity and angular velocity of B:

        T = 1/2 m v.v + w . (s(q) x v) + v . s'(q) + 1/2 w.J(q) w + w . (B0 + B1 q) q' + 1/2 q'.M q'
        s(q) = s0 + s1 q + 1/2 q^T s2 q          J(q) = J0 + J1 q + 1/2 q^T J2 q

    which is all of `none` and `dynamic`; `second-order` adds the degrees 3 and 4 of
    `pliant.flex.tables` from C, HH (None otherwise) and pairs (direction, a, b). `origin` is B's
    origin in the model's body frame, where a beam reaches from x = 0 to its length. `masks` of
    tables, H, K and D are true where an entry can be nonzero, whatever the numbers are.
    """

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    geometric_stiffness: str
    origin: Array
    K: Array
    D: Array
    masks: dict[str, Flags]
    geometry: Geometry
    C: Array | None = None
    HH: Array | None = None
    pairs: Pairs = ()

    @classmethod
    def of(cls, tables: Tables, higher: HigherTables | None, **more: Any) -> FlexibleData:
        """All of it, read-only."""
        found = tables.by_name | more
        if higher is not None:
            found |= {"C": higher.C, "HH": higher.HH, "pairs": higher.pairs}
        arrays = {k: frozen(v) for k, v in found.items() if isinstance(v, np.ndarray)}
        return cls(**(found | arrays))

    @property
    def count(self) -> int:
        return len(self.names)

    def frame(self, at: float, offset: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> FrameData:
        """The frame at x (beams, 0 to length) or at a node number (given modes)."""
        return self.geometry.frame(at, np.asarray(offset, dtype=np.float64))

    def section_forces(self, at: float) -> Array:
        """N, Qy, Qz, Mx, My, Mz as (6, n); see `pliant.flex.stiffness` for the signs."""
        return self.geometry.section_forces(at)

    def stress(self, at: float) -> Array:
        """Normal stress at the points of the section, (points, n)."""
        return self.geometry.stress(at)
