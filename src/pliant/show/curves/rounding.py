"""What is only rounding of a result: it is drawn as zero.

Numbers of a run carry errors of some units in the last place of what they are made of. How large
that is follows from the result itself: for each kind of quantity the largest value there is, and
for lengths and elastic coordinates the size of the bodies, for angles one radian, for torques the
largest force at the largest arm. Positions count for positions only: what is far from the origin is
not coarser in itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.results.result import Result

PART = 1e3 * float(np.finfo(np.float64).eps)
"""Of the scale of its kind: what is below is rounding."""
_LOADS = ("effort", "reaction", "internal")


@dataclass(frozen=True, slots=True)
class Scales:
    """Sizes of quantities in a result, by kind and unit."""

    largest: Mapping[tuple[str, str], float]
    size: float
    """Of the largest body; 0 if it is not known."""

    @classmethod
    def of(cls, result: Result) -> Scales:
        """Those of everything that was observed."""
        largest: dict[tuple[str, str], float] = {}
        for s in result.series.values():
            key = (s.kind, s.unit)
            largest[key] = max(largest.get(key, 0.0), _largest(s.values))
        return cls(largest, _size(result))

    def scale(self, kind: str, unit: str) -> float:
        """To which rounding of a quantity is relative."""
        elastic = self.size if kind == "coordinate" and not unit else 0.0
        return max(self._most(kind, unit), self._natural(unit), elastic)

    def _most(self, kind: str, unit: str) -> float:
        kinds = _LOADS if kind in _LOADS else (kind,)
        return max((self.largest.get((k, unit), 0.0) for k in kinds), default=0.0)

    def _natural(self, unit: str) -> float:
        """What follows from sizes of bodies."""
        force = max(self._most(kind, "N") for kind in _LOADS)
        if unit == "N":
            arm = self._most("effort", "N*m")
            return arm / self.size if self.size else 0.0
        spin = self._most("rate", "rad/s")
        known = {"m": self.size, "rad": 1.0, "m/s": spin * self.size, "N*m": force * self.size}
        return known.get(unit, 0.0)

    def shown(self, values: Array, kind: str, unit: str) -> Array:
        """Values as they are drawn: all of them 0 if none is above rounding."""
        below = _largest(values) <= PART * self.scale(kind, unit)
        return np.zeros_like(values) if below else values

    def read(self, values: Array, kind: str, unit: str) -> Array:
        """Values as they are read one by one: those that are rounding are 0."""
        return np.where(np.abs(values) <= PART * self.scale(kind, unit), 0.0, values)


def _largest(values: Array) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max(initial=0.0))


def _size(result: Result) -> float:
    """The largest distance of two frames of one body at the first sample, in metres."""
    frames: dict[str, list[Array]] = {}
    for name, s in result.series.items():
        if s.kind == "position" and len(s.labels) == 3 and len(s.values):
            frames.setdefault(name.partition(".")[0], []).append(s.values[0])
    apart = [float(np.linalg.norm(np.ptp(np.array(p), axis=0))) for p in frames.values()]
    return max(apart, default=0.0)
