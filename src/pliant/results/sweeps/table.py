"""What is varied in a sweep: a table with a row for each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass


@dataclass(frozen=True)
class Varied:
    """``columns`` holds the values of every name, those of all runs; ``units`` what numbers are in.
    ``grid``: of a full grid the values along each of its axes, the last one fastest; ``base``: of a
    plan for Sobol indices how many points its blocks have."""

    columns: Mapping[str, Array]
    kind: str
    seed: int | None = None
    grid: Mapping[str, Array] = field(default_factory=dict)
    base: int = 0
    units: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def names(self) -> tuple[str, ...]:
        """What is varied."""
        return tuple(self.columns)

    def row(self, k: int) -> dict[str, Any]:
        """What one run was given."""
        return {name: _plain(values[k]) for name, values in self.columns.items()}

    def part(self, first: int, last: int) -> dict[str, Array]:
        """Columns of some runs."""
        return {name: values[first:last] for name, values in self.columns.items()}

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "kind": self.kind, "seed": self.seed, "base": self.base, "units": dict(self.units),
            "columns": {n: v.tolist() for n, v in self.columns.items()},
            "grid": {n: v.tolist() for n, v in self.grid.items()},
        }  # fmt: skip

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Varied:
        """The inverse of ``as_dict``."""
        tables = ({n: column(v) for n, v in data[key].items()} for key in ("columns", "grid"))
        columns, grid = tables
        return cls(columns, data["kind"], data["seed"], grid, data["base"], data["units"])


def column(values: Any) -> Array:
    """Numbers as numbers, otherwise as they are."""
    found = list(values)
    numbers = all(isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in found)
    made = np.empty(len(found), dtype=float if numbers else object)
    made[:] = found
    return made


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value
