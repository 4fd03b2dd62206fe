"""The surface of a body that deforms: every corner follows one or two places of the body.

A place of a flexible body has p = p0 + L q - 1/2 qᵀ H q and R = exp([psi q]x) exp([phi q, 0, 0]x)
in the body frame, see ``FrameData``. Those of a beam that was taken apart lie on the helices
between sections that its bodies carry, see ``show/page/pieces.py``. Magnified by k a place is drawn
at c + k (p - c), where c is where it would be without stress: along the chord if joints hold both
ends of a beam, so that they stay together, otherwise in the floating frame, or as the first body
carries it. The tangent of an angle of bending grows by k.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.flex.given import GivenGeometry
from pliant.show.page.geometry import ElasticBody
from pliant.show.page.pieces import CutBody
from pliant.show.picture.surfaces import Surface
from pliant.spatial.pose import Pose

_FAR = 4.0
"""A second node counts if it is less than this much farther away."""
_SMALLEST = 1e-12


class Skin(ABC):
    """Of one body. ``on``: where each place is on the surface as it is made, (n, 3); ``R``, ``p``:
    of the places without stress, in the body frame; the first ``drawn`` of them carry corners.
    ``frames``: the place that carries each frame, and where the frame is on it."""

    def __init__(self, still: Surface, on: Array, rest: tuple[Array, Array], drawn: int,
                 held: bool, frames: Mapping[str, tuple[int, Pose]]) -> None:  # fmt: skip
        self._still, self._on, self._drawn, self._held = still, on, drawn, held
        self._R0, self._p0 = rest
        self.frames = frames
        self._first, self._second, self._share = self._followed(on[:drawn], still.corners)

    @abstractmethod
    def places(self, state: Any, factor: float = 1.0) -> tuple[Array, Array]:
        """Rotation and position of every place as it is drawn."""

    def _followed(self, places: Array, corners: Array) -> tuple[Integers, Integers, Array]:
        """The two places that each corner follows, and the share of the second."""
        return _along(places, corners)

    def surface(self, state: Any, factor: float = 1.0) -> Surface:
        """In this state."""
        R, p = self.places(state, factor)
        still, a, b, share = self._still, self._first, self._second, self._share[:, None]

        def moved(place: Integers) -> Array:
            inside = still.corners - self._on[place]
            return np.asarray(p[place] + np.einsum("nij,nj->ni", R[place], inside))

        nearer = np.where(self._share > 0.5, b, a)
        normals = np.einsum("nij,nj->ni", R[nearer], still.normals)
        return Surface((1 - share) * moved(a) + share * moved(b), normals, still.faces)

    def _reference(self, p: Array) -> tuple[Array, Array]:
        """Rotations and places without stress that deflections are seen from."""
        if not self._held:
            return self._R0, self._p0
        last = self._drawn - 1
        rest, now = (_chord(q[0], q[last]) for q in (self._p0, p))
        stretch = np.linalg.norm(p[last] - p[0]) / np.linalg.norm(self._p0[last] - self._p0[0])
        out = (self._p0 - self._p0[0]) @ rest
        out[:, 0] *= stretch
        return now @ rest.T @ self._R0, p[0] + out @ now.T


class ElasticSkin(Skin):
    """Of a flexible body; its state: elastic coordinates."""

    def __init__(self, body: ElasticBody, still: Surface) -> None:
        self._by_nodes = isinstance(body.data.geometry, GivenGeometry)
        p0 = np.array([body.point(k) for k in range(len(body.places))])
        rest = np.broadcast_to(np.eye(3), (len(p0), 3, 3)), p0
        super().__init__(still, p0, rest, body.drawn, body.held, body.frames)
        self._L = np.array([place.L for place in body.places])
        self._H = np.array([place.H for place in body.places])
        self._psi = np.array([place.psi for place in body.places])
        self._phi = np.array([place.phi for place in body.places])

    def _followed(self, places: Array, corners: Array) -> tuple[Integers, Integers, Array]:
        return (_nearest if self._by_nodes else _along)(places, corners)

    def places(self, state: Array, factor: float = 1.0) -> tuple[Array, Array]:
        """Bending grows by its tangents, torsion as it is."""
        q = state
        p = self._p0 + self._L @ q - 0.5 * np.einsum("kiab,a,b->ki", self._H, q, q)
        bend = rotations(self._psi @ q)
        if factor != 1:
            R, c = self._reference(p)
            bend, p = _grown(R, bend, factor), c + factor * (p - c)
        return bend @ rotations(_about_x(factor * (self._phi @ q))), p


class CutSkin(Skin):
    """Of a beam that was taken apart; its state: rotations and positions of its bodies, as seen
    from the first one. Places: sections that are drawn, then its bodies."""

    def __init__(self, body: CutBody, still: Surface) -> None:
        carriers, knots = list(body.carriers), body.axis.knots
        self._owner = np.array([carriers.index(knot.body) for knot in knots])
        self._local_R, self._local_p = _stacked([knot.local for knot in knots])
        self._knot, self._along = body.drawn.knot, body.drawn.share
        drawn = len(body.drawn.x)
        on = np.zeros((drawn + len(carriers), 3))
        on[:drawn, 0] = body.drawn.x
        rest = self._placed(*_stacked(list(body.carriers.values())))
        frames = {name: body.frame_place(name) for name in body.frames}
        super().__init__(still, on, rest, drawn, body.held, frames)

    def places(self, state: tuple[Array, Array], factor: float = 1.0) -> tuple[Array, Array]:
        """Angles of any kind grow by their tangents."""
        R, p = self._placed(*state)
        if factor == 1:
            return R, p
        R0, c = self._reference(p)
        return _grown(R0, R, factor), c + factor * (p - c)

    def _placed(self, R: Array, p: Array) -> tuple[Array, Array]:
        """Sections on X_A exp(s log(X_A⁻¹ X_B)), and the bodies."""
        Rk = R[self._owner] @ self._local_R
        pk = p[self._owner] + np.einsum("nij,nj->ni", R[self._owner], self._local_p)
        a = np.asarray(self._knot, dtype=np.int64)
        back = np.swapaxes(Rk[a], 1, 2)
        theta = vectors(back @ Rk[a + 1])
        d = _straight(theta, np.einsum("nij,nj->ni", back, pk[a + 1] - pk[a]))
        share = np.asarray(self._along)[:, None]
        on = pk[a] + np.einsum("nij,nj->ni", Rk[a], _bent(share * theta, share * d))
        return np.concatenate([Rk[a] @ rotations(share * theta), R]), np.concatenate([on, p])


def _stacked(poses: list[Pose]) -> tuple[Array, Array]:
    """Rotations and positions."""
    return np.array([X.R for X in poses], dtype=float), np.array([X.p for X in poses], dtype=float)


def _straight(theta: Array, p: Array) -> Array:
    """d of log = θ + ε d: p - θ x p / 2 + (1 - ϑ/2 cot ϑ/2) / ϑ² θ x (θ x p)."""
    angle = np.linalg.norm(theta, axis=1, keepdims=True)
    safe = np.where(angle > 1e-3, angle, 1.0)
    factor = np.where(angle > 1e-3, (1 - safe / 2 / np.tan(safe / 2)) / safe**2, 1 / 12)
    one = np.cross(theta, p)
    return np.asarray(p - one / 2 + factor * np.cross(theta, one))


def _bent(theta: Array, d: Array) -> Array:
    """The position of exp(θ + ε d)."""
    angle = np.linalg.norm(theta, axis=1, keepdims=True)
    safe = np.where(angle > 1e-3, angle, 1.0)
    first = np.where(angle > 1e-3, (1 - np.cos(safe)) / safe**2, 1 / 2)
    second = np.where(angle > 1e-3, (safe - np.sin(safe)) / safe**3, 1 / 6)
    one = np.cross(theta, d)
    return np.asarray(d + first * one + second * np.cross(theta, one))


def _chord(start: Array, end: Array) -> Array:
    """Axes of a chord: x along it, z nearest to that of the body."""
    x = (end - start) / np.linalg.norm(end - start)
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 1 - 1e-9 else np.array([0.0, 1.0, 0.0])
    z = up - (x @ up) * x
    z = z / np.linalg.norm(z)
    return np.stack([x, np.cross(z, x), z], axis=1)


def _grown(R0: Array, R: Array, factor: float) -> Array:
    """R, its angles from R0 magnified."""
    turned = vectors(np.swapaxes(R0, 1, 2) @ R)
    return np.asarray(R0 @ rotations(_magnified(turned, factor)))


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
