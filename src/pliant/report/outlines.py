"""Outlines of the sections of a beam, for its drawing: closed loops of points (y, z)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.model.bodies import Beam, Stiffness

Value = Callable[[Any], float]
_AROUND = 28


@dataclass(frozen=True, slots=True)
class Outline:
    """Loops at every place, (places, points, 2), counter-clockwise, holes clockwise."""

    loops: tuple[Array, ...]
    smooth: bool

    @property
    def reach(self) -> float:
        """Largest distance of a point from the axis."""
        return float(max(np.linalg.norm(loop, axis=-1).max() for loop in self.loops))

    def at_least(self, reach: float) -> Outline:
        """The same outline, enlarged if it is too thin to be seen."""
        factor = max(1.0, reach / self.reach)
        return Outline(tuple(factor * loop for loop in self.loops), self.smooth)


def outline_of(body: Beam, value: Value, shares: Array, thickness: float) -> Outline:
    """Of a beam at fractions of its length; ``thickness`` where nothing says how thick it is."""
    if body.stiffness is not None:
        return _rectangle(*_sides(body.stiffness, value, thickness))
    stations = body.sections or ((0.0, body.section),)
    kind = stations[0][1].kind  # type: ignore[union-attr]
    names = [f.name for f in fields(stations[0][1])]  # type: ignore[arg-type]
    at = [s for s, _ in stations]
    if len(stations) == 1:
        shares = shares[:1]
    sizes = {
        name: np.interp(shares, at, [value(getattr(s, name)) for _, s in stations])
        for name in names
    }
    return _OUTLINES[kind](**sizes)


def drawn_outline(kind: str, sizes: dict[str, Any]) -> Outline | None:
    """Of a shape that the user gave a beam to be drawn with, where it has a section."""
    if kind == "box":
        return _rectangle(*(np.array([s]) for s in sizes["size"][1:]))
    if kind == "cylinder":
        return _circle(np.array([sizes["radius"]]))
    return None


def _circle(radius: Array) -> Outline:
    return Outline((_ring(radius),), True)


def _tube(outer: Array, inner: Array) -> Outline:
    hole = _ring(inner)[:, ::-1]
    return Outline((_ring(outer), hole) if inner.all() else (_ring(outer),), True)


def _ring(radius: Array) -> Array:
    angle = 2 * np.pi * np.arange(_AROUND) / _AROUND
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    return np.asarray(radius[:, None, None] * circle)


def _rectangle(width: Array, height: Array) -> Outline:
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) / 2
    return Outline((corners * np.stack([width, height], axis=1)[:, None, :],), False)


def _i(height: Array, width: Array, web: Array, flange: Array) -> Outline:
    b, w, h = width / 2, web / 2, height / 2
    f = h - flange
    ys = [-b, b, b, w, w, b, b, -b, -b, -w, -w, -b]
    zs = [-h, -h, -f, -f, f, f, h, h, f, f, -f, -f]
    return Outline((np.stack([np.stack(ys, axis=1), np.stack(zs, axis=1)], axis=2),), False)


def _properties(A: Array, Iy: Array, Iz: Array, y: Array, z: Array, **_: Array) -> Outline:
    """A box of the given half sizes, otherwise the one with the same radii of gyration."""
    width = np.where(y > 0, 2 * y, np.sqrt(12 * Iz / A))
    height = np.where(z > 0, 2 * z, np.sqrt(12 * Iy / A))
    return _rectangle(width, height)


def _sides(stiffness: Stiffness, value: Value, thickness: float) -> tuple[Array, Array]:
    """Of the rectangle with these ratios of bending to axial stiffness, where they are given."""
    EA, EIy, EIz = (
        0.0 if f is None else value(f) for f in (stiffness.EA, stiffness.EIy, stiffness.EIz)
    )
    if not EA:
        return np.array([thickness]), np.array([thickness])
    y, z = np.sqrt(12 * EIz / EA), np.sqrt(12 * EIy / EA)
    return np.array([y or z or thickness]), np.array([z or y or thickness])


_OUTLINES: dict[str, Callable[..., Outline]] = {
    "circle": _circle,
    "tube": _tube,
    "rectangle": _rectangle,
    "i": _i,
    "properties": _properties,
}
