"""Types of numerical arrays, by the kind of their entries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]
Complex = NDArray[np.complex128]
