"""Constraint treatments: one file each, this is their list."""

from __future__ import annotations

from pliant.registry import Registry
from pliant.solve.constraints.augmented import AUGMENTED
from pliant.solve.constraints.baumgarte import BAUMGARTE
from pliant.solve.constraints.complement import COMPLEMENT
from pliant.solve.constraints.direct import DIRECT
from pliant.solve.constraints.elimination import ELIMINATION
from pliant.solve.constraints.partitioning import PARTITIONING
from pliant.solve.constraints.penalty import PENALTY
from pliant.solve.constraints.projection import PROJECTION
from pliant.solve.constraints.treatment import Treatment

TREATMENTS: Registry[Treatment] = Registry(
    Treatment,
    (PROJECTION, BAUMGARTE, ELIMINATION, COMPLEMENT, PARTITIONING, PENALTY, AUGMENTED, DIRECT),
)

__all__ = ["TREATMENTS", "Treatment"]
