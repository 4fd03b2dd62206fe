"""Frames: a header and columns of numbers in one message, as ``web/studio/connection.ts`` reads it.

Length of the header (32 bits), the header as JSON, zeros to a multiple of eight bytes, then 64-bit
numbers, little endian: the times, and one column after the other.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pliant.arrays import Array

_LENGTH = struct.Struct("<I")


def pack(header: Mapping[str, Any], time: Array, columns: Sequence[Array]) -> bytes:
    """One frame; ``count`` in the header is the number of samples."""
    numbers = np.empty((1 + len(columns), len(time)), dtype="<f8")
    numbers[0] = time
    for k, column in enumerate(columns):
        numbers[k + 1] = column
    return _head({**header, "count": len(time)}) + numbers.tobytes()


def with_header(frame: bytes, **more: Any) -> bytes:
    """The same frame with more in its header."""
    (length,) = _LENGTH.unpack_from(frame)
    header = json.loads(frame[4 : 4 + length])
    return _head({**header, **more}) + frame[_padded(length) :]


def _head(header: Mapping[str, Any]) -> bytes:
    text = json.dumps(header, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    return (_LENGTH.pack(len(text)) + text).ljust(_padded(len(text)), b"\0")


def _padded(length: int) -> int:
    return -(-(4 + length) // 8) * 8
