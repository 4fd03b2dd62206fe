"""Many numbers as one short text: single precision; the bits of each number less those of the one
before it (a smooth curve has small differences); the first bytes of all numbers, then the second
bytes, ...; deflate; base 64.
"""

from __future__ import annotations

import zlib
from base64 import b64encode
from collections.abc import Sequence

import numpy as np

from pliant.arrays import Array, Integers


def packed(columns: Sequence[Array]) -> str:
    """Columns of equal length, one after the other."""
    if not columns:
        return ""
    with np.errstate(over="ignore"):
        bits = np.array(columns).astype("<f4").view("<i4")
    steps = np.diff(bits, axis=1, prepend=np.zeros((len(bits), 1), dtype="<i4"))
    planes = np.ascontiguousarray(steps).view(np.uint8).reshape(-1, 4).T
    return b64encode(zlib.compress(planes.tobytes(), 9)).decode("ascii")


def indices(numbers: Integers) -> str:
    """Whole numbers, as they are, deflated."""
    return b64encode(zlib.compress(numbers.astype("<u4").tobytes(), 9)).decode("ascii")
