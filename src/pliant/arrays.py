"""Types of numerical arrays, by the kind of their entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Complex = NDArray[np.complex128]


def increasing(values: Array) -> Array:
    """Every number once, in order: as ``np.unique``, which has to import ``numpy.ma``."""
    ordered = np.sort(values)
    return ordered[np.append(True, np.diff(ordered) > 0)] if len(ordered) else ordered
