"""Types of numerical arrays, by the kind of their entries, and where their data are."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

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


_view, _place = ctypes.c_char.from_buffer, ctypes.addressof


def pointer(array: Any) -> int:
    """Where the (contiguous) data of an array begin."""
    try:
        return _place(_view(array))  # a quarter of array.ctypes.data
    except (TypeError, ValueError):  # empty, or not to be written
        return int(array.ctypes.data)


def pointers(arguments: Sequence[Any], arrays: Sequence[bool]) -> list[Any]:
    """The arguments of a call, with pointers in place of arrays."""
    try:
        return [_place(_view(a)) if is_array else a
                for a, is_array in zip(arguments, arrays, strict=True)]  # fmt: skip
    except (TypeError, ValueError):
        return [pointer(a) if is_array else a
                for a, is_array in zip(arguments, arrays, strict=True)]  # fmt: skip
