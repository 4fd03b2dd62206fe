"""Beams that were taken apart, drawn whole: an axis through the sections that their bodies carry.

Between neighbouring sections a and b the drawn axis has constant strain: it is the helix that joins
them, X(s) = X_a exp(s log(X_a⁻¹ X_b)), the curve of an exact element of two nodes (Sonneville,
Cardona and Brüls 2014). Of segments it touches each one in its middle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.rewriting.parts import CutAxis
from pliant.model.frames import Frame
from pliant.records import dataclass
from pliant.show.page.packing import packed
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import to_quaternion

FEWEST, MOST = 33, 129
"""Drawn sections of a beam."""
_APART = 1e-6
"""Both sections of a corner are told apart by this part of the length."""
_X, _W = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True)
class Drawn:
    """Sections that are drawn: place along the axis, the knot before, and how far it is from there
    to the next knot."""

    x: Array
    knot: Array
    share: Array


@dataclass(frozen=True)
class CutBody:
    """A beam that was taken apart. ``frames``: the body that carries each frame, and where on it;
    ``held``: whether joints hold both its ends."""

    name: str
    axis: CutAxis
    frames: Mapping[str, tuple[str, Pose]]
    held: bool

    @cached_property
    def carriers(self) -> dict[str, Pose]:
        """Its bodies, and where they are without stress as seen from the first one."""
        knots = self.axis.knots
        return {k.body: k.rest @ k.local.inverse for k in knots}

    @cached_property
    def drawn(self) -> Drawn:
        """Evenly along every part between corners, with the stations of its sections."""
        knots = np.array([knot.x for knot in self.axis.knots])
        length, apart = knots[-1], _APART * knots[-1]
        count = min(max(FEWEST, 2 * len(knots) - 1), MOST)
        stations = np.array(self.axis.along.stations) * length
        found = []
        for first, last in _parts(knots):
            a, b = knots[first], knots[last]
            own = np.linspace(a, b, max(2, round(count * (b - a) / length)))
            x = np.unique([*own, *stations[(a < stations) & (stations < b)]])
            at = np.clip(np.searchsorted(knots[first : last + 1], x, "right") - 1, 0,
                         last - first - 1) + first  # fmt: skip
            share = (x - knots[at]) / (knots[at + 1] - knots[at])
            x[0] += apart * (first > 0)
            x[-1] -= apart * (last < len(knots) - 1)
            found.append((x, at, share))
        return Drawn(*(np.concatenate(own) for own in zip(*found, strict=True)))

    @property
    def extent(self) -> Array:
        """Sections without stress."""
        return np.array([knot.rest.p for knot in self.axis.knots])

    def undeformed(self) -> dict[str, Pose]:
        """X_BP of every frame without stress; "" is the body frame."""
        own = {name: self.carriers[body] @ X for name, (body, X) in self.frames.items()}
        return {"": Pose(np.eye(3), np.zeros(3)), **own}

    def mass_properties(self) -> tuple[float, Array, Array]:
        """Of the stress-free beam: mass, centre of mass in the body frame, inertia about it; by
        Gauss's rule over the axis with its sections."""
        mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
        for x, w in self._points():
            rates, X = self.axis.along.rates(np.array([x])), self.axis.section(x)
            rhoA, Iy, Iz = (
                w * float(np.ravel(getattr(rates, n))[0]) for n in ("rhoA", "rhoIy", "rhoIz")
            )
            mass, first = mass + rhoA, first + rhoA * X.p
            second += rhoA * ((X.p @ X.p) * np.eye(3) - np.outer(X.p, X.p))
            second += X.R @ np.diag([Iy + Iz, Iy, Iz]) @ X.R.T
        if not mass:
            return 0.0, np.zeros(3), np.zeros(6)
        c = first / mass
        about = second - mass * ((c @ c) * np.eye(3) - np.outer(c, c))
        return mass, c, about[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]

    def _points(self) -> Iterator[tuple[float, float]]:
        length = self.axis.knots[-1].x
        ends = np.unique([*(k.x for k in self.axis.knots),
                          *(s * length for s in self.axis.along.stations)])  # fmt: skip
        for a, b in pairwise(ends):
            for x, w in zip(_X, _W, strict=True):
                yield (a + b + (b - a) * x) / 2, (b - a) / 2 * w

    def as_data(self) -> dict[str, Any]:
        """What the page needs. Columns of ``rest``: p, q of carriers; of ``knots``: carrier, p, q
        on it; of ``places``: x, knot, share."""
        names = list(self.carriers)
        knots = [[names.index(k.body), *_numbers(k.local)] for k in self.axis.knots]
        d = self.drawn
        return {
            "carriers": names, "knots": len(knots), "drawn": len(d.x), "held": self.held,
            "rest": packed(list(np.array([_numbers(X) for X in self.carriers.values()]).T)),
            "on": packed(list(np.array(knots).T)), "places": packed([d.x, d.knot, d.share]),
            "carried": {},
        }  # fmt: skip

    def frame_place(self, name: str) -> tuple[int, Pose]:
        """Of a frame: its carrier, numbered after the drawn sections, and where it is on it."""
        body, X = self.frames[name]
        return len(self.drawn.x) + list(self.carriers).index(body), X


def carried_frames(
    frames: Mapping[str, Frame], bodies: Mapping[str, Mapping[str, Pose]]
) -> dict[str, tuple[str, Pose]]:
    """Frames of a beam by the body that carries them; ``bodies``: places of frames on each."""
    return {name: (body, own[name]) for name in frames for body, own in bodies.items()
            if name in own}  # fmt: skip


def _parts(knots: Array) -> list[tuple[int, int]]:
    """First and last knot of every part without a corner."""
    corners = [k for k in range(len(knots) - 1) if knots[k + 1] <= knots[k]]
    return list(zip([0, *(k + 1 for k in corners)], [*corners, len(knots) - 1], strict=True))


def _numbers(X: Pose) -> list[float]:
    return [*map(float, X.p), *map(float, to_quaternion(np.asarray(X.R)))]
