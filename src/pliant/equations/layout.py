"""Names, units and owners of every unknown, and the group each coordinate lives in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

GroupKind = Literal["real", "angle", "quaternion", "euler313", "bryant123"]
TURN = "rad about an axis"
"""Unit of a wish whose wanted value is a rotation, which is no number."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One unknown: ``O.angle`` in rad, owned by joint ``O``."""

    name: str
    unit: str
    owner: str


@dataclass(frozen=True, slots=True)
class Group:
    """Coordinates ``q[start:start+size]`` that move together.

    ``chart`` is where the 3x3 chart rotation of an angle set stands in the parameters (row-major):
    R = R_chart R(angles). It is renewed near the singularity of the set, so that the angles in use
    always stay well away from it.
    """

    kind: GroupKind
    start: int
    size: int
    chart: int = -1


@dataclass(frozen=True, slots=True)
class Layout:
    """q, u, x and the rows of G (whose multipliers are lam), in order."""

    q: tuple[Scalar, ...]
    u: tuple[Scalar, ...]
    groups: tuple[Group, ...]
    rows: tuple[Scalar, ...] = ()
    x: tuple[Scalar, ...] = ()
    n_holonomic: int = 0
    loops: int = 0
    """How many of the last entries of q, u and the rows belong to algebraic loops: unknowns without
    mass, their integrals, and the equations they solve."""
    algebraic: int = 0
    """How many of the last x follow from an equation in place of a rate (statics and modes)."""
