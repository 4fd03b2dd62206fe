"""What a set of shape functions is, and how the four fields of a beam are made of such sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.flex.beam import Beam

Field = Literal["v", "w", "phi", "s"]


class ShapeSet(Protocol):
    """m functions of x.

    `order` is the highest mode number or polynomial degree (for the quadrature); `breaks` are
    the places between which the functions are smooth.
    """

    @property
    def count(self) -> int: ...

    @property
    def order(self) -> int: ...

    @property
    def breaks(self) -> Array: ...

    def __call__(self, x: Array) -> Array:
        """Values and the first three x-derivatives, shape (4, points, m)."""


@dataclass(frozen=True, slots=True)
class Zero:
    """m zero functions."""

    count: int
    order: int = 0

    @property
    def breaks(self) -> Array:
        return np.zeros(0)

    def __call__(self, x: Array) -> Array:
        return np.zeros((4, len(x), self.count))


@dataclass(frozen=True, slots=True)
class Block:
    """Coordinates of one field: displacement shapes and, for bending, slopes of the sections.

    `slope` is None where the sections stay normal to the axis (slope = derivative). The slope
    is psi_z for v and -psi_y for w.
    """

    field: Field
    kind: str
    label: str
    shapes: ShapeSet
    slope: ShapeSet | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.label}{k + 1}" for k in range(self.shapes.count))


@dataclass(frozen=True, slots=True)
class Request:
    """What a family is asked for: `count` functions for one field of a beam."""

    field: Field
    count: int
    beam: Beam
    shear: bool
    elements: int
    interfaces: tuple[float, ...]
    attachments: bool

    @property
    def bending(self) -> bool:
        return self.field in ("v", "w")


KINDS: dict[Field, str] = {"v": "bending_y", "w": "bending_z", "phi": "torsion", "s": "axial"}
#: Displacement without rotation of the sections, and rotation without displacement.
SHEARS: dict[Field, str] = {"v": "shear_y", "w": "shear_z"}
ROTATIONS: dict[Field, str] = {"v": "rotation_y", "w": "rotation_z"}
