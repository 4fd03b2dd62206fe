"""How far two results are apart, observable by observable.

Differences are compared with the largest value of their kind.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pliant.arrays import Flags
from pliant.display import Displayed
from pliant.records import dataclass
from pliant.results.result import Result

_ROUNDING = 1e-6
_SLOW = _NEAR = _SOON = 1e-3
_LITTLE = 1e-2
_IMPULSES = {"kg*m/s": "N", "kg*m^2/s": "N*m"}
_EFFORTS, _POWERS = ("effort", "reaction", "internal"), ("power", "work")
_LEAST = {"velocity": _SLOW, "rate": _SLOW, "acceleration": _SLOW, "rotation": 1.0}
"""Smallest scales, in SI units; of other kinds 1e-6."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Largest difference of one observable and when; ``relative`` is against its largest value."""

    name: str
    largest: float
    time: float
    relative: float


@dataclass(frozen=True, slots=True, repr=False)
class Comparison(Displayed):
    """Differences, largest relative one first; ``left_out`` were not comparable."""

    differences: tuple[Difference, ...]
    left_out: tuple[str, ...]

    @property
    def worst(self) -> float:
        """Largest relative difference."""
        return max((d.relative for d in self.differences), default=0.0)

    def headline(self) -> str:
        """How far they are apart at most."""
        return f"{len(self.differences)} observables, at most {self.worst:.2e} apart (relative)"

    def __str__(self) -> str:
        return self.worst_first(len(self.differences))

    def worst_first(self, count: int) -> str:
        """A table of so many."""
        lines = [f"{'observable':40s} {'largest':>10s} {'relative':>10s} {'at t':>10s}"]
        lines += [
            f"{d.name:40s} {d.largest:10.2e} {d.relative:10.2e} {d.time:10.4g}"
            for d in self.differences[:count]
        ]
        if count < len(self.differences):
            lines.append(f"{len(self.differences) - count} more differ less")
        if self.left_out:
            lines.append(f"not compared: {', '.join(self.left_out)}")
        return "\n".join(lines)


def compare(a: Result, b: Result, names: Sequence[str] = ()) -> Comparison:
    """Compare at the common times. Reactions that are not unique are left out.

    ``relative`` is against the largest value of the observable itself, or a millionth of the
    scale of its kind (``scales_of``) where it is no more than rounding.
    """
    common, ia, ib = np.intersect1d(a.time, b.time, return_indices=True)
    scales = scales_of((a, b))
    differences: list[Difference] = []
    left_out: list[str] = []
    for name in names or _common_names(a, b, left_out):
        keep = _determined(a, name) & _determined(b, name)
        va, vb = a.values(name)[ia], b.values(name)[ib]
        if not len(common) or va.shape != vb.shape or not keep.any():
            left_out.append(name)
            continue
        va, vb = (v.reshape(len(common), -1)[:, np.broadcast_to(keep, v[0].size)] for v in (va, vb))
        series = a.series[name if name in a.series else name.rpartition(".")[0]]
        gap = np.abs(va - vb).max(axis=1)
        if series.kind == "angle":  # known within a turn
            gap = np.minimum(gap, 2 * np.pi - gap)
        k = int(np.argmax(gap))
        own = max(float(np.abs(va).max()), float(np.abs(vb).max()))
        scale = max(own, _ROUNDING * scales[series.kind, series.unit])
        differences.append(Difference(name, float(gap[k]), float(common[k]), float(gap[k]) / scale))
    differences.sort(key=lambda d: -d.relative)
    return Comparison(tuple(differences), tuple(left_out))


def _common_names(a: Result, b: Result, left_out: list[str]) -> list[str]:
    """Observables of both; where one has only columns (a CSV), its columns."""
    chosen: list[str] = []
    for name, series in a.series.items():
        columns = [f"{name}.{label}" for label in series.labels]
        if name in b:
            chosen.append(name)
        elif columns and all(c in b for c in columns):
            chosen += columns
        else:
            left_out.append(name)
    return chosen


def _determined(result: Result, name: str) -> Flags:
    """Which components of an observable the constraints determine."""
    owner, _, label = (name, "", "") if name in result.series else name.rpartition(".")
    series = result.series.get(owner)
    if series is None or not series.unique:
        return np.array([True])
    return np.array(series.unique if not label else [series.unique[series.labels.index(label)]])


def scales_of(results: Iterable[Result]) -> dict[tuple[str, str], float]:
    """Largest value by kind and unit, of efforts and reactions together. At least: deformation a
    hundredth of positions and velocities, moments those of forces at 1 mm, powers those of efforts
    at 1 mm/s, momenta those that efforts give in 1 ms."""
    found: dict[tuple[str, str], float] = {}
    for result in results:
        for s in result.series.values():
            least = _LEAST.get(s.kind, 1e-6)
            top = float(np.abs(s.values).max(initial=0.0))
            key = s.kind, s.unit
            found[key] = max(found.get(key, least), top if np.isfinite(top) else 0.0)
    place, speed = (found.get(key, 1.0) for key in (("position", "m"), ("velocity", "m/s")))
    for key, whole in ((("deflection", "m"), place), (("deflection", "rad"), 1.0),
                       (("coordinate", ""), place), (("rate", ""), speed)):  # fmt: skip
        if key in found:
            found[key] = max(found[key], _LITTLE * whole)
    efforts: dict[str, float] = {}
    for (kind, unit), size in found.items():
        if kind in _EFFORTS:
            efforts[unit] = max(efforts.get(unit, 0.0), size)
    if "N*m" in efforts:
        efforts["N*m"] = max(efforts["N*m"], _NEAR * efforts.get("N", 0.0))
    for kind, unit in found:
        least = efforts.get(unit, 0.0) if kind in _EFFORTS else 0.0
        least = _SLOW * max(efforts.values(), default=0.0) if kind in _POWERS else least
        least = _SOON * efforts.get(_IMPULSES.get(unit, ""), 0.0) if kind == "momentum" else least
        found[kind, unit] = max(found[kind, unit], least)
    return found
