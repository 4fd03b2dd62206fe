"""Partial velocities: how a body moves per unit of each generalised speed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class PartialVelocities:
    """∂w/∂u and ∂v/∂u of a body (3 rows each, a column for each of ``speeds``), in its own axes.

    ``axes``: what takes components to the axes of other bodies, by their names.
    """

    speeds: Any
    w: Any
    v: Any
    axes: Mapping[str, Any]
