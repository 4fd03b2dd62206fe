"""The sequence of Sobol: points of a cube that lie evenly, however many are taken.

    x_i = g_1 v_1 xor g_2 v_2 xor ...,    g = i xor (i >> 1)

with direction numbers v of a primitive polynomial in each dimension. Source: Joe and Kuo 2008,
"Constructing Sobol sequences with better two-dimensional projections", new-joe-kuo-6.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array, Integers

BITS = 30
_SHAPES = (
    (3, "1"), (7, "1 3"), (11, "1 3 1"), (13, "1 1 1"), (19, "1 1 3 3"), (25, "1 3 5 13"),
    (37, "1 1 5 5 17"), (41, "1 1 5 5 5"), (47, "1 1 7 11 19"), (55, "1 1 5 1 1"),
    (59, "1 1 1 3 11"), (61, "1 3 5 5 31"), (67, "1 3 3 9 7 49"), (91, "1 1 1 15 21 21"),
    (97, "1 3 1 13 27 49"), (103, "1 1 1 15 7 5"), (109, "1 3 1 15 13 25"),
    (115, "1 1 5 5 19 61"), (131, "1 3 7 11 23 15 103"), (137, "1 3 7 13 13 15 69"),
    (143, "1 1 3 13 7 35 63"), (145, "1 3 5 9 1 25 53"), (157, "1 3 1 13 9 35 107"),
    (167, "1 3 1 5 27 61 31"), (171, "1 1 5 11 19 41 61"), (185, "1 3 5 3 3 13 69"),
    (191, "1 1 7 13 1 19 1"), (193, "1 3 7 5 13 19 59"), (203, "1 1 3 9 25 29 41"),
    (211, "1 3 5 13 23 1 55"), (213, "1 3 7 3 13 59 17"), (229, "1 3 1 3 5 53 69"),
    (239, "1 1 5 5 23 33 13"), (241, "1 1 7 7 1 61 123"), (247, "1 1 7 9 13 61 49"),
    (253, "1 3 3 5 3 55 33"), (285, "1 3 1 15 31 13 49 245"), (299, "1 3 5 15 31 59 63 97"),
    (301, "1 3 1 11 11 11 77 249"),
)  # fmt: skip
"""Polynomials, as binary numbers, and first direction numbers of the dimensions after the first."""
DIMENSIONS = len(_SHAPES) + 1


def sobol_points(count: int, dimensions: int) -> Integers:
    """The first points, as whole numbers below 2^BITS."""
    places = np.arange(count, dtype=np.int64)
    gray = places ^ (places >> 1)
    points = np.zeros((count, dimensions), dtype=np.int64)
    for d in range(dimensions):
        for bit, direction in enumerate(_directions(d)):
            points[:, d] ^= ((gray >> bit) & 1) * direction
    return points


def sobol(count: int, dimensions: int, seed: int) -> Array:
    """Points in [0, 1), moved by a digital shift of the seed, which keeps how evenly they lie."""
    shift = np.random.default_rng(seed).integers(0, 1 << BITS, dimensions)
    return np.asarray(((sobol_points(count, dimensions) ^ shift) + 0.5) / (1 << BITS))


def _directions(dimension: int) -> list[int]:
    """v_k, scaled by 2^BITS."""
    if dimension == 0:
        return [1 << (BITS - k - 1) for k in range(BITS)]
    polynomial, first = _SHAPES[dimension - 1]
    degree = polynomial.bit_length() - 1
    m = [int(word) for word in first.split()]
    for k in range(degree, BITS):
        new = m[k - degree] ^ (m[k - degree] << degree)
        for j in range(1, degree):
            if polynomial >> (degree - j) & 1:
                new ^= m[k - j] << j
        m.append(new)
    return [m[k] << (BITS - k - 1) for k in range(BITS)]
