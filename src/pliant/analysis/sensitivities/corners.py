"""Numbers that stand at a corner of a law: |z| or max(0, z) at z = 0 has a slope to each side.

Conditions on what moves are looked at along the motion (``solve.variation.switches``). Those on
numbers alone are found by moving all numbers a little to either side: slopes are then the same but
for rounding, unless there is a corner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from pliant.arrays import Array, Flags
from pliant.errors import CapabilityError

_PART, _NEAR_ZERO = 1e-12, 1e-30
"""By how much numbers are moved: a part of them, or that where they are zero."""
_SAME, _FAINT = 1e-3, 1e-9
"""Part of a slope by which both sides may differ; part of the largest that is none."""


def steps_beside(at: Sequence[float] | Array) -> Array:
    """How far numbers are moved to see whether they stand at a corner."""
    here = np.asarray(at, dtype=float)
    return np.where(here != 0.0, _PART * np.abs(here), _NEAR_ZERO)


def differ(above: Array, below: Array) -> Flags:
    """Which slopes are others to either side, or end there (a root)."""
    size = np.abs(above) + np.abs(below)
    told = np.isfinite(size)
    least = _FAINT * size[told].max(initial=0.0)
    ends = np.isfinite(above) != np.isfinite(below)
    return np.asarray(ends | (told & (np.abs(above - below) > np.maximum(_SAME * size, least))))


def at_corners(names: Sequence[str], at: Array, slopes: Callable[[Array], Array]) -> list[str]:
    """Those that stand at one; ``slopes``: all of them where numbers are moved by something."""
    steps = steps_beside(at)
    if not differ(slopes(steps), slopes(-steps)).any():
        return []
    alone = np.diag(steps)
    own = [n for n, s in zip(names, alone, strict=True) if differ(slopes(s), slopes(-s)).any()]
    return own or list(names)


def refuse_corners(names: Sequence[str]) -> None:
    """What stands at a corner."""
    if names:
        raise CapabilityError(
            f"'{', '.join(names)}': a law changes just where it stands (abs, min, max, sqrt or a "
            "condition): the derivative differs to both sides; move it off by a little"
        )
