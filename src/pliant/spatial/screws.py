"""Screws: pairs of vectors that move or load a frame, with the algebra of dual numbers.

A twist is w + ε v (angular, linear), a wrench is f + ε m (force, moment), ε² = 0. Sums, dot and
cross products of such pairs follow the rules of vectors, so every formula of rotations is one of
rigid motions: rotations of SO(3) over dual numbers are SE(3). Power is the dual part of a product,

    (f + ε m) . (w + ε v) = f . w + ε (f . v + m . w).
"""

from __future__ import annotations

from math import factorial
from typing import Any

from pliant.records import dataclass
from pliant.spatial.ops import Ops

_TERMS = 12
_HIGHEST = 7


@dataclass(frozen=True, slots=True)
class Dual:
    """A number a + ε b."""

    real: Any
    dual: Any

    def __add__(self, other: Dual) -> Dual:
        return Dual(self.real + other.real, self.dual + other.dual)

    def __sub__(self, other: Dual) -> Dual:
        return Dual(self.real - other.real, self.dual - other.dual)

    def __mul__(self, other: Dual) -> Dual:
        return Dual(self.real * other.real, self.real * other.dual + self.dual * other.real)

    def __truediv__(self, other: Dual) -> Dual:
        ratio = self.real / other.real
        return Dual(ratio, (self.dual - ratio * other.dual) / other.real)

    def times(self, factor: Any) -> Dual:
        """By a real number."""
        return Dual(factor * self.real, factor * self.dual)


@dataclass(frozen=True, slots=True)
class Screw:
    """A vector a + ε b: a twist (angular, linear) or a wrench (force, moment)."""

    real: Any
    dual: Any

    def __add__(self, other: Screw) -> Screw:
        return Screw(self.real + other.real, self.dual + other.dual)

    def __sub__(self, other: Screw) -> Screw:
        return Screw(self.real - other.real, self.dual - other.dual)

    def __neg__(self) -> Screw:
        return Screw(-self.real, -self.dual)

    def times(self, factor: Any) -> Screw:
        """By a real number."""
        return Screw(factor * self.real, factor * self.dual)

    def scaled(self, factor: Dual) -> Screw:
        """By a dual number."""
        return Screw(factor.real * self.real, factor.real * self.dual + factor.dual * self.real)


def cross(ops: Ops, a: Screw, b: Screw) -> Screw:
    """a x b."""
    x = ops.cross
    return Screw(x(a.real, b.real), x(a.real, b.dual) + x(a.dual, b.real))


def dot(ops: Ops, a: Screw, b: Screw) -> Dual:
    """a . b."""
    return Dual(ops.dot(a.real, b.real), ops.dot(a.real, b.dual) + ops.dot(a.dual, b.real))


def stumpff(square: Dual) -> tuple[Dual, ...]:
    """c_k(x) = Σ (-x)^j / (2j + k)! for k = 0...5, x = ϑ²: c₁ = sin ϑ / ϑ, c₂ = (1 - cos ϑ) / ϑ².

    The two highest are summed, c_k = 1/k! - x c_{k+2} gives the rest, and their derivatives are
    (k c_{k+2} - c_{k+1}) / 2. Nothing is divided by, so all of it is right at x = 0, too; the sums
    are exact to rounding for ϑ up to π.
    """
    x = square.real
    c = {k: _series(x, k) for k in (_HIGHEST - 1, _HIGHEST)}
    for k in reversed(range(_HIGHEST - 1)):
        c[k] = 1.0 / factorial(k) - x * c[k + 2]
    return tuple(
        Dual(c[k], 0.5 * (k * c[k + 2] - c[k + 1]) * square.dual) for k in range(_HIGHEST - 1)
    )


def _series(x: Any, order: int) -> Any:
    total: Any = 1.0 / factorial(2 * _TERMS + order)
    for j in reversed(range(_TERMS)):
        total = 1.0 / factorial(2 * j + order) - x * total
    return total
