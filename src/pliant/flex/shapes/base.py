"""What a set of shape functions is, and how the four fields of a beam are made of such sets.

Piecewise polynomials: Legendre coefficients on each panel. Polynomial families are one panel.

Monomials compatible with a frame at x = 0, and the orthonormal basis of the same space (S1.8).

Bending starts at (x/l)², axial and torsion at x/l. The orthonormal version has
∫ f_a f_b dx/l = δ_ab and positive tips.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np
from numpy.polynomial import legendre

from pliant.arrays import Array
from pliant.flex.beam import Beam
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Piecewise:
    """f_a(x) = Σ_k c[e, k, a] P_k(t), t in [-1, 1] on panel e between breaks e and e + 1."""

    breaks: Array
    coefficients: Array

    @property
    def count(self) -> int:
        return int(self.coefficients.shape[2])

    @property
    def order(self) -> int:
        """The degree of one panel; many panels need no more points than their own degree."""
        return int(self.coefficients.shape[1]) - 1 if len(self.breaks) == 2 else 0

    def __call__(self, x: Array) -> Array:
        x = np.asarray(x, dtype=np.float64)
        panels = len(self.breaks) - 1
        e = np.clip(np.searchsorted(self.breaks, x, side="right") - 1, 0, panels - 1)
        h = np.diff(self.breaks)[e]
        t = 2 * (x - self.breaks[e]) / h - 1
        local = self.coefficients[e]
        out = np.empty((4, len(x), self.count))
        for d, basis in enumerate(derivatives(t, self.coefficients.shape[1])):
            out[d] = np.einsum("nk,nka->na", basis, local) * ((2 / h) ** d)[:, None]
        return out

    def __matmul__(self, modes: Array) -> Piecewise:
        """Linear combinations of these functions."""
        return Piecewise(self.breaks, np.asarray(self.coefficients @ modes))


def derivatives(t: Array, count: int) -> list[Array]:
    """Values and three derivatives of P_0 ... P_{count-1} at t, each (points, count)."""
    P: Array = np.asarray(legendre.legvander(t, count - 1), dtype=np.float64)
    out = [P]
    for _ in range(3):
        # P'_{k+1} = P'_{k-1} + (2k + 1) P_k
        D = np.zeros_like(P)
        for k in range(count - 1):
            D[:, k + 1] = (2 * k + 1) * out[-1][:, k] + (D[:, k - 1] if k else 0.0)
        out.append(D)
    return out


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


def taylor(request: Request) -> tuple[Block, ...]:
    """(x/l)^k, k from 2 (bending) or 1 (axial, torsion)."""
    return _blocks(request, _monomials)


def polynomial(request: Request) -> tuple[Block, ...]:
    """The same space, orthonormal."""
    return _blocks(request, _orthonormal)


def _blocks(request: Request, make: Callable[[int, int], Array]) -> tuple[Block, ...]:
    """Shear (Timoshenko): v = f + g with psi = f' and g in {x/l ... (x/l)^m}.

    So v has all powers 1 ... m+1 and psi = f' all powers 1 ... m: where shear vanishes (g = 0)
    what is left is the Euler-Bernoulli space, so nothing locks.
    """
    field, count, length = request.field, request.count, request.beam.length
    first = 2 if request.bending else 1
    blocks = [
        Block(
            field, KINDS[field], field, Piecewise(np.array([0.0, length]), make(first, count)[None])
        )
    ]
    if request.bending and request.shear:
        shapes = Piecewise(np.array([0.0, length]), make(1, count)[None])
        blocks.append(shear_block(request, shapes))
    return tuple(blocks)


def shear_block(request: Request, shapes: Piecewise) -> Block:
    """Displacement without rotation of the sections: pure shear."""
    kind = SHEARS[request.field]
    return Block(request.field, kind, f"{request.field}s", shapes, Zero(shapes.count))


def _monomials(first: int, count: int) -> Array:
    """Legendre coefficients of (x/l)^k, k = first ... first + count - 1, as columns."""
    out = np.zeros((first + count, count))
    power = np.array([1.0])
    for k in range(1, first + count):
        power = legendre.legmul(power, [0.5, 0.5])
        if k >= first:
            out[: len(power), k - first] = power
    return out


def _orthonormal(first: int, count: int) -> Array:
    """(x/l)^first times polynomials, orthonormalised by QR in Legendre coefficients."""
    size = first + count
    start = _monomials(first, 1)[:, 0] if count else np.zeros(1)
    columns = np.zeros((size, count))
    for k in range(count):
        product = legendre.legmul(start, np.eye(count)[k])
        columns[: len(product), k] = product[:size]
    norm = 1 / np.sqrt(2 * np.arange(size) + 1)
    coefficients = np.linalg.qr(columns * norm[:, None])[0] / norm[:, None]
    return np.asarray(coefficients * np.sign(coefficients.sum(axis=0)))
