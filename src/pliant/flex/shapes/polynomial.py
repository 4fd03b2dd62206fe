"""Monomials compatible with a frame at x = 0, and the orthonormal basis of the same space (S1.8).

Bending starts at (x/l)², axial and torsion at x/l. The orthonormal version has
∫ f_a f_b dx/l = δ_ab and positive tips.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.polynomial import legendre

from pliant.arrays import Array
from pliant.flex.shapes.base import KINDS, SHEARS, Block, Request, Zero
from pliant.flex.shapes.piecewise import Piecewise


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
