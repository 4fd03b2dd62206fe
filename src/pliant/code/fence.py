"""Fences: words beside every array of machine code that it must not touch.

With PLIANT_FENCES=1 (the tests set it) the arrays inside a context stand apart by some marked
words, and every call of machine code from Python works on copies between such words. A word that
has changed after the call means that the code wrote outside its arrays: FenceError. A marked word
is a NaN that knows its own position, so that reading beyond an array spoils the result as well.
Arrays begin as zeros, never as what memory happens to hold: that may be old marked words.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array, Integers, pointer

ON = os.environ.get("PLIANT_FENCES") == "1"
WORDS = 4 if ON else 0
"""Marked words between two arrays of one context."""
_OUTER = 8
"""Marked words on either side of an array that is handed over."""
_MARK = 0x7FF85AFE00000000


class FenceError(RuntimeError):
    """Machine code wrote outside the arrays it was given."""


def words(position: int) -> list[int]:
    """The marked words that stand at ``position`` of an array of integers."""
    return [_MARK + position + k for k in range(WORDS)]


def real_words(position: int) -> list[float]:
    """The same for an array of real numbers."""
    return [struct.unpack("<d", struct.pack("<q", w))[0] for w in words(position)]


def mark(array: NDArray[Any], positions: Sequence[int]) -> None:
    """Put marked words at these positions of an array."""
    _places.clear()
    for position in positions if WORDS else ():
        array.view(np.int64)[position : position + WORDS] = words(position)


def apart(sizes: Sequence[int], header: int = 0) -> tuple[list[int], Array]:
    """Zeros with room for a header and for arrays of these sizes; where each of them begins."""
    starts, fences, total = [], [], header
    for size in sizes:
        fences.append(total)
        starts.append(total + WORDS)
        total += WORDS + size
    array = np.zeros(total + WORDS)
    mark(array, [*fences, total])
    return starts, array


def call_between(name: str, call: Callable[..., Any], arguments: Sequence[Any]) -> Any:
    """``call(*arguments)`` with every array as a pointer to a copy between fences.

    What was written is copied back. Raises FenceError if a marked word has changed, or an array
    that cannot be written.
    """
    rooms: dict[tuple[int, int], _Room] = {}
    passed: list[Any] = []
    for argument in arguments:
        if not isinstance(argument, np.ndarray):
            passed.append(argument)
            continue
        key = (pointer(argument), argument.nbytes)
        if key not in rooms:
            rooms[key] = _Room(argument)
        passed.append(rooms[key].pointer)
    result = call(*passed)
    for room in rooms.values():
        room.close(name)
    return result


_SIDE = struct.pack("<q", _MARK) * _OUTER
_positions = _MARK + np.arange(1024)


def _marks(n: int) -> Integers:
    """The marked words of every position of an array of n."""
    global _positions
    if n > len(_positions):
        _positions = _MARK + np.arange(2 * n)
    return _positions[:n]


_places: dict[tuple[int, int], Integers] = {}
"""Where marked words were in arrays that were handed over, by their place and length."""
_KEPT = 100


def _inside(array: NDArray[Any], bits: Integers) -> Integers:
    """Positions of the marked words in an array. A context is handed over thousands of times: they
    are looked for anew unless all of them are where they were."""
    key, marks = (pointer(array), len(bits)), _marks(len(bits))
    known = _places.get(key)
    if known is not None and (bits[known] == marks[known]).all():
        return known
    found: Integers = (bits == marks).nonzero()[0]
    if len(found):
        if len(_places) >= _KEPT:
            _places.clear()
        _places[key] = found
    return found


class _Room:
    """A copy of an array with marked words before, after and inside it."""

    __slots__ = ("_all", "_array", "_bits", "_copy", "_inner", "pointer")

    def __init__(self, array: NDArray[Any]) -> None:
        if not array.flags.c_contiguous or array.itemsize % 8:
            raise FenceError(f"machine code is handed an array of {array.dtype} that is not plain")
        self._array = array
        self._bits = array.reshape(-1).view(np.int64)
        n = len(self._bits)
        self._all = np.empty(n + 2 * _OUTER, dtype=np.int64)
        self._all[:_OUTER] = self._all[n + _OUTER :] = _MARK
        self._copy = self._all[_OUTER : n + _OUTER]
        self._copy[:] = self._bits
        self._inner = _inside(array, self._bits)
        self.pointer = pointer(self._all) + 8 * _OUTER

    def close(self, name: str) -> None:
        """Check the marked words, and copy back what was written."""
        n, inner = len(self._bits), self._inner
        whole = self._all[:_OUTER].tobytes() == _SIDE == self._all[n + _OUTER :].tobytes()
        if not whole or (len(inner) and (self._copy[inner] != _marks(n)[inner]).any()):
            places = f"words {self._broken()} of {n}"
            raise FenceError(f"{name} wrote outside its arrays: {places}")
        if self._array.flags.writeable:
            self._bits[:] = self._copy
        elif not np.array_equal(self._bits, self._copy):
            raise FenceError(f"{name} wrote into an array that is only to be read")

    def _broken(self) -> list[int]:
        """Positions of marked words that have changed."""
        n = len(self._bits)
        outer = np.concatenate([self._all[:_OUTER], self._all[n + _OUTER :]])
        broken = np.flatnonzero(outer != _MARK).tolist()
        places = [k - _OUTER if k < _OUTER else n + k - _OUTER for k in broken]
        return places + [k for k in self._inner.tolist() if self._copy[k] != _MARK + k]
