"""The optimisers of scipy, which is installed with ``pliant[fit]``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from pliant.arrays import Array
from pliant.errors import InputError

Vector = Callable[[Array], Array]


def optimisers(verb: str) -> Any:
    """``scipy.optimize``; a message if it is not there."""
    try:
        return import_module("scipy.optimize")
    except ImportError:
        raise InputError(f"{verb}: scipy is not installed", "pip install 'pliant[fit]'") from None


def student(share: float, freedom: int) -> float:
    """Quantile of Student's distribution: within plus and minus so many deviations lies ``share``
    of all."""
    return float(import_module("scipy.special").stdtrit(freedom, 0.5 + 0.5 * share))
