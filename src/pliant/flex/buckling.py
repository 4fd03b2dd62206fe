"""When a beam buckles: its stability under the axial force it carries at the moment.

The axial force N (tension positive) follows from the forces F_P along the chord at the frames P and
from the accelerations less gravity along the chord, b_0 and b_1 of two places x_0, x_1, and what
deformation adds in between, c_a for the displacement L_a of a coordinate:

    N(x) = Σ_{P beyond x} F_P - ∫_x^l ρA b dξ
    b(ξ) = b_0 + (b_1 - b_0) s + Σ c_a (L_a(ξ) - (1 - s) L_a(x_0) - s L_a(x_1))
    s = (ξ - x_0)/(x_1 - x_0)

which is the normal force of a section (flexible-bodies, internal forces) to first order in q.

It stiffens or softens bending by y^T K_N y = ∫ N dh, h the foreshortening (flexible-bodies 1). The
beam is looked at in all transverse displacements y that its shape functions, a translation and a
rotation can form and its supports allow; rigid motions that remain are taken out by making y
orthogonal to them in mass. Then

    margin = min_y y^T (K + K_N) y / y^T K y           1 unloaded, 0 at the onset of buckling

which depends neither on the floating frame nor on the motion of the neighbours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.body import BeamGeometry
from pliant.flex.fields import FieldValues
from pliant.flex.integrals import stiffness
from pliant.records import dataclass

_RIGID = 4
"""v = 1, v = x, w = 1, w = x."""
_RANK = 1e-9
"""Directions smaller than this, compared with the largest, do not count."""
_ALONG_AXIS = ("torsion", "axial")


@dataclass(frozen=True, slots=True)
class Place:
    """A frame on a beam: section x, and how far beyond its section it sits on a rigid arm."""

    x: float
    arm: float = 0.0


@dataclass(frozen=True, slots=True)
class Support:
    """What holds a beam at a place: rows (θ_y, θ_z, v, w), each a combination that stays zero."""

    place: Place
    rows: Array


@dataclass(frozen=True)
class Column:
    """A beam under axial load. Loads are rows of numbers: F_P of each frame in turn, b_0, b_1,
    c_a."""

    per_load: Array
    """K_N per unit load, (loads, m, m), in coordinates in which K is 1."""
    force_per_load: Array
    """N at the points of the rule, (points, loads)."""

    def margins(self, loads: Array) -> Array:
        """The margin of every row of loads, or a bound on it from below where it is above 1/2.

        It is infinite if the supports leave nothing to bend.
        """
        if not self.per_load.shape[1]:
            return np.full(len(loads), np.inf)
        found: Array = 1.0 - np.abs(loads) @ self._norms
        near = (found < 0.5) & np.isfinite(found)
        matrices = np.tensordot(loads[near], self.per_load, axes=(1, 0))
        found[near] = 1.0 + np.linalg.eigvalsh(matrices)[:, 0]
        return found

    @cached_property
    def _norms(self) -> Any:
        """Spectral norm of K_N per unit load."""
        return np.linalg.norm(self.per_load, ord=2, axis=(1, 2))

    def largest_compression(self, loads: Array) -> float:
        """The smallest axial force along the beam for one row of loads."""
        return float((self.force_per_load @ loads).min())


def column(
    geometry: BeamGeometry,
    places: Mapping[str, Place],
    ends: tuple[str, str],
    supports: Sequence[Support],
    moved: Sequence[tuple[int, int]] = (),
) -> Column:
    """A beam with frames at ``places``; accelerations are those of the frames ``ends``, and of
    direction i of coordinate a for each (i, a) of ``moved``."""
    rule, beam = geometry.rule, geometry.body.beam
    transverse = _Transverse(geometry)
    f, rates = transverse.at(rule.x), beam.rates(rule.x)
    H, H_breaks = rule.cumulative(f.foreshortening_rate())
    dm = rule.w * rates.rhoA
    x0, x1 = (places[end].x for end in ends)
    toward = np.sign(x1 - x0)
    fraction = (rule.x - x0) / (x1 - x0)
    matrices = [transverse.shortening(p, H_breaks) for p in places.values()]
    forces = [(rule.x < p.x).astype(float) for p in places.values()]
    shares = [1 - fraction, fraction]
    if moved:
        own, held = (geometry.fields.at(x).L for x in (rule.x, np.array([x0, x1])))
        shares += [own[:, i, a] - (1 - fraction) * held[0, i, a] - fraction * held[1, i, a]
                   for i, a in moved]  # fmt: skip
    for share in shares:
        matrices.append(-np.tensordot(dm * share, H, axes=(0, 0)))
        running, total = rule.cumulative(rates.rhoA * share)
        forces.append(running - total[-1])
    K = stiffness(rule, rates, f, shear=geometry.body.shear)
    M = np.einsum("p,pia,pib->ab", dm, f.L[:, 1:], f.L[:, 1:])
    Y = transverse.free(supports, M)
    half = np.linalg.inv(np.linalg.cholesky(Y.T @ K @ Y)) @ Y.T if Y.shape[1] else Y.T
    per_load = toward * np.array([half @ G @ half.T for G in matrices])
    return Column(np.asarray(per_load), toward * np.array(forces).T)


@dataclass(frozen=True, slots=True)
class _Transverse:
    """Transverse fields of a beam: those of its shape functions, then the rigid ones."""

    geometry: BeamGeometry
    _known: dict[bytes, FieldValues] = field(default_factory=dict, compare=False, repr=False)

    def at(self, x: Array) -> FieldValues:
        """At some places; those of the rule and of supports are asked for more than once."""
        key = x.tobytes()
        if key not in self._known:
            self._known[key] = self._at(x)
        return self._known[key]

    def _at(self, x: Array) -> FieldValues:
        fields = self.geometry.fields
        own = [k for k, kind in enumerate(fields.kinds) if kind not in _ALONG_AXIS]
        f = fields.at(x)
        L, dL, psi, dpsi, ddpsi = (
            np.concatenate([part[:, :, own], np.zeros((len(x), 3, _RIGID))], axis=2)
            for part in (f.L, f.dL, f.psi, f.dpsi, f.ddpsi)
        )
        n = len(own)
        for row, k, axis, sign in ((1, n, 2, 1.0), (2, n + 2, 1, -1.0)):
            L[:, row, k], L[:, row, k + 1] = 1.0, x
            dL[:, row, k + 1], psi[:, axis, k + 1] = 1.0, sign
        none = np.zeros((len(x), n + _RIGID))
        return replace(f, L=L, dL=dL, psi=psi, dpsi=dpsi, ddpsi=ddpsi, phi=none, dphi=none)

    def shortening(self, place: Place, H_breaks: Array) -> Array:
        """Twice by how much a place comes nearer to x = 0: bending up to it, tilt of its arm."""
        k, points, weights = self.geometry.rule.panel(place.x)
        rate = self.at(points).foreshortening_rate()
        psi = self.at(np.array([place.x])).psi[0]
        bent = H_breaks[k] + np.tensordot(weights, rate, axes=(0, 0))
        return np.asarray(bent + place.arm * psi.T @ psi)

    def free(self, supports: Sequence[Support], M: Array) -> Array:
        """Displacements that the supports allow, without rigid motion, as columns."""
        f = self.at(self.geometry.rule.x)
        length = self.geometry.body.beam.length
        size = np.sqrt(np.mean(np.sum(f.L**2 + (length * f.psi) ** 2, axis=1), axis=0))
        C = np.concatenate([*map(self._rows, supports), np.zeros((0, len(size)))]) / size
        C = C / np.linalg.norm(C, axis=1, keepdims=True)
        rigid = _null_space(C[:, -_RIGID:])
        across = rigid.T @ (M / np.outer(size, size))[-_RIGID:]
        across = across / np.linalg.norm(across, axis=1, keepdims=True)
        return np.asarray(_null_space(np.concatenate([C, across])) / size[:, None])

    def _rows(self, support: Support) -> Array:
        """Rows of a support in the coordinates: a place on an arm moves with the tilt as well."""
        f = self.at(np.array([support.place.x]))
        tilt, moved = f.psi[0, 1:], f.L[0, 1:].copy()
        moved[0] += support.place.arm * tilt[1]
        moved[1] -= support.place.arm * tilt[0]
        return np.asarray(support.rows @ np.concatenate([tilt, moved]))


def _null_space(A: Array) -> Array:
    """An orthonormal basis of {y: A y = 0}, as columns."""
    if not A.size:
        return np.eye(A.shape[1])
    _, values, vectors = np.linalg.svd(A)
    rank = int(np.sum(values > _RANK * values.max(initial=0.0)))
    return np.asarray(vectors[rank:].T)
