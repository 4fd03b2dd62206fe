"""Unknowns of algebraic loops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MEASURES = {"Pa": (1e6, "MPa"), "m^3/s": (1e-3, "l/s")}
"""Units in which unknowns of loops are of the order of one, as the speeds are among which they
stand: tolerances and ranks of constraints are those of all of them together."""


@dataclass(frozen=True, slots=True)
class Tear:
    """An unknown z of an algebraic loop and the equation k = 0 it comes from."""

    name: str
    unit: str
    owner: str
    symbol: Any
    residual: Any
