"""Fractions in printed equations."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pliant.algebra import Value, text

_ATOM = re.compile(r"[\w.]+(\([^()]*\))?")
"""A name or a function of something without brackets."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """J = numerator / denominator, an entry of the transformation to independent speeds (21)."""

    symbol: Value
    numerator: Value
    denominator: Value

    @property
    def text(self) -> str:
        """Brackets only where they are needed."""
        top, bottom = text(self.numerator), text(self.denominator)
        top = f"({top})" if len(self.numerator) > 1 else top
        return f"{top}/{bottom if _ATOM.fullmatch(bottom) else f'({bottom})'}"
