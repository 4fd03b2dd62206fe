"""One observable over time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pliant.arrays import Array


@dataclass(frozen=True, slots=True)
class Series:
    """One observable over time: shape (n,) or (n, components) with ``labels``.

    ``unique`` says, for each component of a reaction, whether the constraints determine it; where
    redundant ones do not, the smallest reaction is reported and comparisons leave it out.
    """

    values: Array
    unit: str
    labels: tuple[str, ...] = ()
    kind: str = "other"
    unique: tuple[bool, ...] = ()

    def at(self, k: int) -> Series:
        """One sample of it."""
        return replace(self, values=self.values[k : k + 1])
