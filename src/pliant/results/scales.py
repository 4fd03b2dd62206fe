"""What differences of observables are compared with: the largest value of their kind."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pliant.results.result import Result

_SLOW = _NEAR = 1e-3
_LITTLE = 1e-2
_EFFORTS, _POWERS = ("effort", "reaction", "internal"), ("power", "work")
_LEAST = {"velocity": _SLOW, "rate": _SLOW, "acceleration": _SLOW, "rotation": 1.0}
"""Smallest scales, in SI units; of other kinds 1e-6."""


def scales_of(results: Iterable[Result]) -> dict[tuple[str, str], float]:
    """Largest value by kind and unit, of efforts and reactions together. At least: deformation a
    hundredth of positions and velocities, moments those of forces at 1 mm, powers those of efforts
    at 1 mm/s."""
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
        found[kind, unit] = max(found[kind, unit], least)
    return found
