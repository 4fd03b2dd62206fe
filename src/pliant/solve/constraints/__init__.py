"""Constraint treatments: one file each, this is their list."""

from __future__ import annotations

from pliant.solve.constraints.direct import DIRECT
from pliant.solve.constraints.projection import PROJECTION
from pliant.solve.constraints.treatment import Treatment

TREATMENTS: dict[str, Treatment] = {t.name: t for t in (PROJECTION, DIRECT)}

__all__ = ["TREATMENTS", "Treatment"]
