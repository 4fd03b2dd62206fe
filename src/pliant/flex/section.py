"""Cross-sections: dimensions in, area and second moments out. y and z are principal axes.

Dimensions may be arrays (one entry per place along the beam), so a tapered beam interpolates
dimensions and evaluates these formulas at every place.

Shear factors: G. R. Cowper, J. Appl. Mech. 33 (1966) 335-340, for circle, tube and rectangle;
web or flange area over the whole area for I sections. Torsion of a rectangle: Saint-Venant's
series (Timoshenko & Goodier, Theory of Elasticity, art. 109).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError

Size = Any  # a float, or an array of floats along the beam


@dataclass(frozen=True, slots=True)
class SectionValues:
    """A, Iy = ∫z² dA, Iz = ∫y² dA, torsion constant J, shear factors ky, kz.

    `points` are places (y, z) where stress is of interest, shape (k, 2, ...).
    """

    A: Size
    Iy: Size
    Iz: Size
    J: Size
    ky: Size
    kz: Size
    points: Array


class Section(Protocol):
    """A cross-section with dimensions as its fields."""

    def values(self, nu: float) -> SectionValues: ...


def _points(*pairs: tuple[Size, Size]) -> Array:
    return np.array([np.broadcast_arrays(*pair) for pair in pairs], dtype=np.float64)


def _positive(section: Any, *names: str) -> None:
    for name in names:
        if not np.all(np.asarray(getattr(section, name)) > 0):
            raise InputError(f"section: {name} is {getattr(section, name)}", "give a positive size")


@dataclass(frozen=True, slots=True)
class Circle:
    """A solid circle."""

    radius: Size

    def __post_init__(self) -> None:
        _positive(self, "radius")

    def values(self, nu: float) -> SectionValues:
        r = self.radius
        I, k = np.pi * r**4 / 4, 6 * (1 + nu) / (7 + 6 * nu)
        zero = 0.0 * r
        points = _points((r, zero), (zero, r), (-r, zero), (zero, -r))
        return SectionValues(np.pi * r**2, I, I, 2 * I, k + zero, k + zero, points)


@dataclass(frozen=True, slots=True)
class Tube:
    """A hollow circle of radii outer and inner."""

    outer: Size
    inner: Size

    def __post_init__(self) -> None:
        _positive(self, "outer")
        if np.any(np.asarray(self.inner) < 0) or np.any(np.asarray(self.inner >= self.outer)):
            raise InputError(
                f"section: inner radius {self.inner}, outer radius {self.outer}",
                "the inner radius is smaller than the outer",
            )

    def values(self, nu: float) -> SectionValues:
        R, r = self.outer, self.inner
        I = np.pi * (R**4 - r**4) / 4
        m2 = (r / R) ** 2
        top = 6 * (1 + nu) * (1 + m2) ** 2
        k = top / ((7 + 6 * nu) * (1 + m2) ** 2 + (20 + 12 * nu) * m2)
        points = _points((R, 0.0 * R), (0.0 * R, R), (-R, 0.0 * R), (0.0 * R, -R))
        return SectionValues(np.pi * (R**2 - r**2), I, I, 2 * I, k, k, points)


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A solid rectangle: width along y, height along z."""

    width: Size
    height: Size

    def __post_init__(self) -> None:
        _positive(self, "width", "height")

    def values(self, nu: float) -> SectionValues:
        b, h = self.width, self.height
        k = 10 * (1 + nu) / (12 + 11 * nu) + 0.0 * b * h
        points = _points((b / 2, h / 2), (-b / 2, h / 2), (-b / 2, -h / 2), (b / 2, -h / 2))
        J = rectangle_torsion(b, h)
        return SectionValues(b * h, b * h**3 / 12, h * b**3 / 12, J, k, k, points)


def rectangle_torsion(width: Size, height: Size) -> Size:
    """J = a b³ [1/3 - (64/π⁵)(b/a) Σ tanh(nπa/2b)/n⁵], n odd, a >= b (Saint-Venant)."""
    a, b = np.maximum(width, height), np.minimum(width, height)
    n = np.arange(1, 400, 2).reshape((-1,) + (1,) * np.ndim(a))
    series = (np.tanh(n * np.pi * a / (2 * b)) / n**5.0).sum(axis=0)
    return a * b**3 * (1 / 3 - 64 / np.pi**5 * (b / a) * series)


@dataclass(frozen=True, slots=True)
class ISection:
    """A doubly symmetric I: web along z, flanges of the given width along y."""

    height: Size
    width: Size
    web: Size
    flange: Size

    def __post_init__(self) -> None:
        _positive(self, "height", "width", "web", "flange")
        thick = (np.asarray(self.web > self.width), np.asarray(2 * self.flange >= self.height))
        if np.any(thick[0]) or np.any(thick[1]):
            raise InputError(
                "section: the web is wider than the flanges or the flanges overlap",
                "web <= width and 2 flange < height",
            )

    def values(self, nu: float) -> SectionValues:
        h, b, tw, tf = self.height, self.width, self.web, self.flange
        inner = h - 2 * tf
        A = 2 * b * tf + inner * tw
        Iy = (b * h**3 - (b - tw) * inner**3) / 12
        Iz = (2 * tf * b**3 + inner * tw**3) / 12
        J = (2 * b * tf**3 + (h - tf) * tw**3) / 3
        points = _points((b / 2, h / 2), (-b / 2, h / 2), (-b / 2, -h / 2), (b / 2, -h / 2))
        return SectionValues(A, Iy, Iz, J, 5 / 6 * 2 * b * tf / A, h * tw / A, points)


@dataclass(frozen=True, slots=True)
class Properties:
    """A section given by its numbers; y, z half sizes give the points of stress (0: none)."""

    A: Size
    Iy: Size
    Iz: Size
    J: Size
    ky: Size = 1.0
    kz: Size = 1.0
    y: Size = 0.0
    z: Size = 0.0

    def __post_init__(self) -> None:
        _positive(self, "A", "Iy", "Iz", "J", "ky", "kz")

    def values(self, nu: float) -> SectionValues:
        y, z = self.y, self.z
        points = _points((y, z), (-y, z), (-y, -z), (y, -z))
        return SectionValues(self.A, self.Iy, self.Iz, self.J, self.ky, self.kz, points)


def interpolated(sections: tuple[Any, ...], stations: tuple[float, ...], at: Array) -> Any:
    """The section with linearly interpolated dimensions at the fractions `at` of the length."""
    first = sections[0]
    sizes = {
        f.name: np.interp(at, stations, [getattr(s, f.name) for s in sections])
        for f in fields(first)
    }
    return type(first)(**sizes)
