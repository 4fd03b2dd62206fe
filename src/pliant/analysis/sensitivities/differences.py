"""Derivatives of tables that Python makes: central differences, extrapolated.

D(h) = (f(v + h) - f(v - h)) / 2h at h, h/2, h/4; Richardson's extrapolation takes the terms h² and
h⁴ out of them, and its last correction tells the error. Source: Stoer, Bulirsch, Introduction to
Numerical Analysis, 3.5.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pliant.arrays import Array

_STEP = 4e-3
"""Of the value: h⁶ is 4e-15 then, and rounding of f counts 1e3 times."""


def derivative(f: Callable[[float], Array], v: float) -> tuple[Array, float]:
    """f'(v), and its error relative to the largest entry."""
    h = _STEP * abs(v) if v else _STEP
    if not (f(v + h) - f(v - h)).any():
        return np.zeros_like(f(v)), 0.0
    rows = [[_central(f, v, h / 2**k)] for k in range(3)]
    for order in (1, 2):
        for k in range(order, 3):
            better, worse = rows[k][order - 1], rows[k - 1][order - 1]
            rows[k].append(better + (better - worse) / (4**order - 1))
    found, last = rows[2][2], rows[2][1]
    largest = float(np.abs(found).max())
    return found, float(np.abs(found - last).max()) / largest if largest else 0.0


def _central(f: Callable[[float], Array], v: float, h: float) -> Array:
    return np.asarray((f(v + h) - f(v - h)) / (2 * h))
