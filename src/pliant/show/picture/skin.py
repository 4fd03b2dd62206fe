"""The surface of a flexible body: every corner follows one or two places of the body.

A place has p = p0 + L q - 1/2 qᵀ H q and R = exp([psi q]x) exp([phi q, 0, 0]x) in the body frame,
see ``FrameData``. Magnified by k it is drawn at c + k (p - c), where c is the place on the
undeformed body: along the chord if joints hold both ends of a beam, so that they stay together,
otherwise in the floating frame. The tangent of an angle of bending grows by k.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Integers
from pliant.flex.given import GivenGeometry
from pliant.show.page.geometry import ElasticBody
from pliant.show.picture.surfaces import Surface

_FAR = 4.0
"""A second node counts if it is less than this much farther away."""
_SMALLEST = 1e-12


class Skin:
    """Of one flexible body."""

    def __init__(self, body: ElasticBody, still: Surface) -> None:
        self._body, self._still = body, still
        self._p0 = np.array([body.point(k) for k in range(len(body.places))])
        self._L = np.array([place.L for place in body.places])
        self._H = np.array([place.H for place in body.places])
        self._psi = np.array([place.psi for place in body.places])
        self._phi = np.array([place.phi for place in body.places])
        drawn = self._p0[: body.drawn]
        by_nodes = isinstance(body.data.geometry, GivenGeometry)
        places = _nearest(drawn, still.corners) if by_nodes else _along(drawn, still.corners)
        self._first, self._second, self._share = places

    def surface(self, q: Array, factor: float = 1.0) -> Surface:
        """With these elastic coordinates."""
        R, p = self.places(q, factor)
        still, a, b, share = self._still, self._first, self._second, self._share[:, None]

        def moved(place: Integers) -> Array:
            inside = still.corners - self._p0[place]
            return np.asarray(p[place] + np.einsum("nij,nj->ni", R[place], inside))

        nearer = np.where(self._share > 0.5, b, a)
        normals = np.einsum("nij,nj->ni", R[nearer], still.normals)
        return Surface((1 - share) * moved(a) + share * moved(b), normals, still.faces)

    def places(self, q: Array, factor: float = 1.0) -> tuple[Array, Array]:
        """Rotation and position of every place as it is drawn."""
        p = self._p0 + self._L @ q - 0.5 * np.einsum("kiab,a,b->ki", self._H, q, q)
        bend = rotations(self._psi @ q)
        if factor == 1:
            return bend @ rotations(_about_x(self._phi @ q)), p
        chord, c = np.eye(3), self._p0
        if self._body.held:
            chord, c = self._chord(p)
        bend = chord @ rotations(_magnified(vectors(chord.T @ bend), factor))
        return bend @ rotations(_about_x(factor * (self._phi @ q))), c + factor * (p - c)

    def _chord(self, p: Array) -> tuple[Array, Array]:
        """Axes of the chord (x along it, z nearest to that of the body), and places on it."""
        start, end = p[0], p[self._body.drawn - 1]
        x = (end - start) / np.linalg.norm(end - start)
        z = np.array([0.0, 0.0, 1.0]) - x[2] * x
        z = z / np.linalg.norm(z)
        along_x = self._p0[:, 0]
        share = (along_x - along_x[0]) / (along_x[self._body.drawn - 1] - along_x[0])
        return np.stack([x, np.cross(z, x), z], axis=1), start + share[:, None] * (end - start)


def _about_x(angles: Array) -> Array:
    return np.stack([angles, 0 * angles, 0 * angles], axis=-1)


def rotations(vectors: Array) -> Array:
    """exp([v]x) of rows of rotation vectors (Rodrigues)."""
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    o = np.zeros_like(x)
    K = np.stack([o, -z, y, z, o, -x, -y, x, o], axis=-1).reshape(*x.shape, 3, 3)
    sine = np.sinc(angle / np.pi)  # sin(a) / a
    half = np.sinc(angle / (2 * np.pi))
    return np.asarray(np.eye(3) + sine * K + 0.5 * half**2 * (K @ K))


def vectors(R: Array) -> Array:
    """Rotation vectors of rotations by less than half a turn."""
    twice = np.stack([R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0],
                      R[..., 1, 0] - R[..., 0, 1]], axis=-1)  # fmt: skip
    sine = np.linalg.norm(twice, axis=-1, keepdims=True) / 2
    cosine = (np.trace(R, axis1=-2, axis2=-1)[..., None] - 1) / 2
    angle = np.arctan2(sine, cosine)
    return np.asarray(
        twice / 2 * np.where(sine > _SMALLEST, angle / np.maximum(sine, _SMALLEST), 1)
    )


def _magnified(turns: Array, factor: float) -> Array:
    """Tangents of angles below a quarter of a turn grow by the factor."""
    angle = np.linalg.norm(turns, axis=-1, keepdims=True)
    small = angle < np.pi / 2 - 1e-6
    grown = np.arctan(factor * np.tan(np.where(small, angle, 0.0)))
    scale = np.where(small & (angle > _SMALLEST), grown / np.maximum(angle, _SMALLEST), 1.0)
    return np.asarray(turns * scale)


def _along(places: Array, corners: Array) -> tuple[Integers, Integers, Array]:
    """The two sections around x of each corner, and the share of the second."""
    x = places[:, 0]
    a = np.clip(np.searchsorted(x, corners[:, 0], side="right") - 1, 0, len(x) - 2)
    share = np.clip((corners[:, 0] - x[a]) / (x[a + 1] - x[a]), 0.0, 1.0)
    at_end = share > 1 - 1e-6
    return np.where(at_end, a + 1, a), np.where(at_end, a, a + 1), np.where(at_end, 0.0, share)


def _nearest(places: Array, corners: Array) -> tuple[Integers, Integers, Array]:
    """The nearest node, and the next one where it is about as near."""
    if len(places) == 1:
        none = np.zeros(len(corners), dtype=np.int64)
        return none, none, np.zeros(len(corners))
    first, second, share = [], [], []
    for part in np.array_split(corners, len(corners) // 4096 + 1):
        away = np.linalg.norm(part[:, None] - places[None], axis=-1)
        order = np.argpartition(away, 1, axis=1)[:, :2]
        near, far = np.take_along_axis(away, order, axis=1).T
        first.append(order[:, 0])
        second.append(order[:, 1])
        share.append(np.where(far < _FAR * near, near / np.maximum(near + far, 1e-300), 0.0))
    return np.concatenate(first), np.concatenate(second), np.concatenate(share)
