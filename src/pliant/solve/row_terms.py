"""How large the terms are that a row of G is made of, and which rows are only their rounding.

Rows of joints, bodies and drivers are sums of products of unit vectors with lever arms and with
one another: their terms are of order one (in m or rad per unit of speed), however much of them
cancels. A shaft in two bearings has rows that cancel altogether, and what is left of them, some
1e-16, says nothing. The terms of other rows (laws of networks, rows written by hand) can have any
size.
"""

from __future__ import annotations

import numpy as np

from pliant.arrays import Array
from pliant.equations.layout import Layout
from pliant.solve.rank import ROUNDING

_OF_MOTION = frozenset(("m", "rad", "1", "m/s", "rad/s"))
"""Units of rows that are made of unit vectors and lever arms."""


def row_terms(layout: Layout, m: int) -> Array:
    """For each of m rows: 1 if it is made of unit vectors and lever arms, 0 if that is unknown."""
    terms = np.zeros(m)
    for i, row in enumerate(layout.rows[: m - layout.loops]):
        terms[i] = float(row.unit in _OF_MOTION)
    return terms


def without_rounding(G: Array, layout: Layout) -> Array:
    """G, its rows zero where nothing but rounding of their terms is left."""
    size = np.linalg.norm(G, axis=1)
    if not np.any(size <= ROUNDING):
        return G
    return np.where((size <= ROUNDING * row_terms(layout, len(G)))[:, None], 0.0, G)
