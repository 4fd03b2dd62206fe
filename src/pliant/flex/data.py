"""What every formulation reads about a flexible body: arrays, and frames on it.

Mass integrals of translation, for beams and given modes alike (flexible-bodies 4 and 5).

A point moves as p = p0 + L q - 1/2 q^T H q. With unit translations E_i, unit rotations
e_i x p0 and e_i x L_a as velocity fields, and <f, g> = ∫ f . g dm,

    m = <E, E>          [s0]x = -<E, e x p0>        s1 = <E, L>         s2 = -<E, H>
    J0 = <e_i x p0, e_j x p0>                       B0 = <e_i x p0, L_a>
    J1 = <e_i x p0, e_j x L_a> + (i j)              M  = <L_a, L_b>
    J2 = <e_i x L_a, e_j x L_b> + (a b) - <e_i x p0, e_j x H_ab> - (i j)
    B1 = <e_i x L_b, L_a> - <e_i x p0, H_ab>

(i j), (a b): the same with these indices exchanged. Source: S0 (4.58-4.60); S2 (11.21), ex. 11.1.

Degrees 3 and 4 of the kinetic energy, geometric stiffness `second-order` (flexible-bodies 5): with
c1 = L q, xi = -1/2 q^T H q, A1 = w x c1 + c1' and A2 = w x xi + xi':

    T_rest = ∫ A1 . A2 + 1/2 |A2|² dm

needs C[i, a, k] = ∫ L_ia H_k dm and HH[k, l] = ∫ H_k H_l dm, k over the entries (d, a <= b) of H
that can be nonzero, d a direction (x for a beam): xi_d = -Σ_k c_k q_a q_b H_k with c_k = 1/2 for
a = b and 1 otherwise.
"""

from __future__ import annotations

from dataclasses import fields
from math import prod
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array, Flags
from pliant.flex.numerics import EPS, frozen
from pliant.records import dataclass

Pairs = tuple[tuple[int, int, int], ...]
"""(direction, a, b), a <= b."""


@dataclass(frozen=True, slots=True)
class PointFields:
    """Points with p0 (P, 3), L (P, 3, n), H (P, 3, n, n) or None, and their mass.

    `mass` is (P,) for lumped masses or quadrature weights, or a consistent matrix over (P, 3)
    or, with rotations theta (P, 3, n), over (P, 6).
    """

    p0: Array
    L: Array
    H: Array | None
    mass: Array
    theta: Array | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """The integrals above. J2 is symmetric in its last two indices; B1[:, a, b]: velocity a."""

    m: float
    s0: Array
    s1: Array
    s2: Array
    J0: Array
    J1: Array
    J2: Array
    B0: Array
    B1: Array
    M: Array

    @property
    def by_name(self) -> dict[str, Any]:
        """The ten tables."""
        return {f.name: getattr(self, f.name) for f in fields(Tables)}

    def __add__(self, other: Tables) -> Tables:
        return Tables(**{n: own + getattr(other, n) for n, own in self.by_name.items()})


def translation_tables(points: PointFields) -> Tables:
    """All integrals of the mass of the points."""
    n = points.L.shape[2]
    six = points.mass.ndim == 2 and len(points.mass) == 6 * len(points.p0)
    rows = np.concatenate([np.eye(3), np.zeros((3, 3))]) if six else np.eye(3)
    E = np.broadcast_to(rows, (len(points.p0), *rows.shape))
    R0 = _rotated(points.p0[:, :, None], None)[..., 0]
    L = points.L
    R1 = _rotated(L, None)
    if six:
        theta = np.zeros_like(L) if points.theta is None else points.theta
        R0 = np.concatenate([R0, np.broadcast_to(np.eye(3), (len(R0), 3, 3))], axis=1)
        R1 = _rotated(L, theta)
        L = np.concatenate([L, theta], axis=1)
    WE, WR0 = _weighted(points.mass, E), _weighted(points.mass, R0)
    WL, WR1 = _weighted(points.mass, L), _weighted(points.mass, R1)
    s2, J2, B1 = _foreshortening(points.H, WE[:, :3], WR0[:, :3], n)
    J1 = _inner(WR0, R1).reshape(3, 3, n)
    RR = _inner(WR1, R1).reshape(3, n, 3, n).transpose(0, 2, 1, 3)
    RL = _inner(WR1, L).reshape(3, n, n).transpose(0, 2, 1)
    return Tables(
        m=float(_inner(WE, E)[0, 0]),
        s0=0.5 * np.einsum("ijk,ij->k", EPS, _inner(WE, R0)),
        s1=_inner(WE, L),
        s2=s2,
        J0=_inner(WR0, R0),
        J1=J1 + J1.transpose(1, 0, 2),
        J2=RR + RR.transpose(0, 1, 3, 2) + J2,
        B0=_inner(WR0, L),
        B1=RL + B1,
        M=_inner(WL, L),
    )


def _rotated(L: Array, theta: Array | None) -> Array:
    """e_i x L_a (and e_i x theta_a below it): (P, 3 or 6, 3, n)."""
    turned: Array = np.einsum("kil,pla->pkia", EPS, L)
    if theta is None:
        return turned
    return np.concatenate([turned, np.einsum("kil,pla->pkia", EPS, theta)], axis=1)


def _weighted(mass: Array, field: Array) -> Array:
    """The momentum of a velocity field."""
    if mass.ndim == 1:
        return np.asarray(mass.reshape((-1,) + (1,) * (field.ndim - 1)) * field)
    flat = field.reshape(len(mass), prod(field.shape[2:]))
    return (mass @ flat).reshape(field.shape)


def _inner(weighted: Array, field: Array) -> Array:
    """<f, g> over all points and directions; trailing axes flattened."""
    rows = weighted.shape[0] * weighted.shape[1]
    left = weighted.reshape(rows, prod(weighted.shape[2:]))
    return np.asarray(left.T @ field.reshape(rows, prod(field.shape[2:])))


def _foreshortening(H: Array | None, WE: Array, WR0: Array, n: int) -> tuple[Array, Array, Array]:
    """The H terms of s2, J2 and B1: -<E, H>, -<e_i x p0, e_j x H> - (i j), -<e_i x p0, H>."""
    if H is None:
        return np.zeros((3, n, n)), np.zeros((3, 3, n, n)), np.zeros((3, n, n))
    rows = H.shape[0] * 3
    flat = H.reshape(rows, n * n)
    s2 = -(WE.reshape(rows, 3).T @ flat).reshape(3, n, n)
    B1 = -(WR0.reshape(rows, 3).T @ flat).reshape(3, n, n)
    # (W e_i x p0) . (e_j x H) = H . ((W e_i x p0) x e_j)
    arms = np.einsum("lkj,pki->plij", EPS, WR0).reshape(rows, 9)
    J2 = -(arms.T @ flat).reshape(3, 3, n, n)
    return s2, J2 + J2.transpose(1, 0, 2, 3), B1


@dataclass(frozen=True, slots=True)
class SecondOrderTables:
    """C (3, n, nH), HH (nH, nH) and the pairs (d, a, b), a <= b, of the entries of H."""

    C: Array
    HH: Array
    pairs: Pairs


def pairs_of(mask: Flags) -> Pairs:
    """Direction and pair a <= b at which H can be nonzero; mask (3, n, n), or (n, n) along x."""
    upper = np.triu(mask[None] if mask.ndim == 2 else mask)
    return tuple((int(d), int(a), int(b)) for d, a, b in zip(*np.nonzero(upper), strict=True))


def second_order_tables(points: PointFields, pairs: Pairs) -> SecondOrderTables:
    """Integrals over points with H, whose mass is the same along every direction."""
    if points.H is None or not pairs:
        return SecondOrderTables(np.zeros((*points.L.shape[1:], 0)), np.zeros((0, 0)), ())
    d, a, b = np.array(pairs, dtype=int).T
    chosen = points.H[:, d, a, b]
    mass = points.mass
    weighted = mass[:, None] * chosen if mass.ndim == 1 else mass[::3, ::3] @ chosen
    C = np.tensordot(points.L, weighted, axes=(0, 0))
    HH = chosen.T @ weighted
    return SecondOrderTables(np.asarray(C), np.asarray(0.5 * (HH + HH.T)), pairs)


@dataclass(frozen=True, slots=True)
class FrameData:
    """A place on a flexible body, in B (flexible-bodies 2 and 3):

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
    `pliant.flex.data` from C, HH (None otherwise) and pairs (direction, a, b). `origin` is B's
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
    def of(cls, tables: Tables, higher: SecondOrderTables | None, **more: Any) -> FlexibleData:
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
        """N, Qy, Qz, Mx, My, Mz as (6, n); see `pliant.flex.integrals` for the signs."""
        return self.geometry.section_forces(at)

    def stress(self, at: float) -> Array:
        """Normal stress at the points of the section, (points, n)."""
        return self.geometry.stress(at)
