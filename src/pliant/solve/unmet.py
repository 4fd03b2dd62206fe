"""Given initial values that cannot be met: what was given, and what is taken instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pliant.arrays import Array
from pliant.equations.contract import TURN

_SMALL = 1e-9


@dataclass(frozen=True, slots=True)
class Unmet:
    """A given value, all its components; ``off``: taken - given (of rotations the vector)."""

    name: str
    unit: str
    given: tuple[float, ...]
    off: tuple[float, ...]

    def text(self, taken: str) -> str:
        """Such as ``J.angle given 1 rad, nearest 0.8 rad``."""
        if self.unit == TURN:
            angle = float(np.degrees(np.linalg.norm(self.off)))
            return f"{self.name} is off by {angle:.4g} deg"
        found = [g + d for g, d in zip(self.given, self.off, strict=True)]
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.name} given {_listed(self.given)}{unit}, {taken} {_listed(found)}{unit}"


def _listed(values: Sequence[float]) -> str:
    texts = [f"{0.0 if abs(v) < 1e-12 else v:.6g}" for v in values]
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def unmet_rows(
    names: Sequence[tuple[str, str]], wanted: Array, off: Array, size: float
) -> tuple[Unmet, ...]:
    """Those whose components are off, all components of a name together."""
    places: dict[tuple[str, str], list[int]] = {}
    for k, row in enumerate(names):
        places.setdefault(row, []).append(k)
    scale = _SMALL * max(1.0, size, float(np.abs(wanted).max(initial=0.0)))
    return tuple(
        Unmet(name, unit, tuple(map(float, wanted[rows])), tuple(map(float, off[rows])))
        for (name, unit), rows in places.items()
        if np.abs(off[rows]).max() > scale
    )


def unmet_text(why: str, taken: str, rows: Sequence[Unmet]) -> str:
    """One line for all of them."""
    return f"{why}: " + "; ".join(row.text(taken) for row in rows)
