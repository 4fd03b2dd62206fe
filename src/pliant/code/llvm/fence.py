"""Fences: words beside every array of machine code that it must not touch.

With PLIANT_FENCES=1 (the tests set it) the arrays inside a context stand apart by some marked
words, and every call of machine code from Python works on copies between such words. A word that
has changed after the call means that the code wrote outside its arrays: FenceError. A marked word
is a NaN that knows its own position, so that reading beyond an array spoils the result as well.
Arrays begin as zeros, never as what memory happens to hold: that may be old marked words.
"""

from __future__ import annotations

import ctypes
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
            rooms[key] = _room(argument, key[0])
        passed.append(rooms[key].pointer)
    result = call(*passed)
    for room in rooms.values():
        room.close(name)
    return result


_SIDE = struct.pack("<q", _MARK) * _OUTER
_WORD = _SIDE[4:8]
"""What is the same in every marked word."""
_positions = _MARK + np.arange(1024)


def _marks(n: int) -> Integers:
    """The marked words of every position of an array of n."""
    global _positions
    if n > len(_positions):
        _positions = _MARK + np.arange(2 * n)
    return _positions[:n]


_places: dict[tuple[int, int], tuple[Integers, bytes]] = {}
"""Where marked words were in arrays that were handed over, by their place and length; the words."""
_KEPT, _FEW = 100, 500
_NONE = np.zeros(0, dtype=np.int64), b""


def _inside(key: tuple[int, int], bits: Integers) -> tuple[Integers, bytes]:
    """Positions of the marked words in an array, and the words. A context is handed over thousands
    of times: they are looked for anew unless all of them are where they were."""
    known = _places.get(key)
    if known is not None and bits[known[0]].tobytes() == known[1]:
        return known
    if len(bits) < _FEW and _WORD not in bits.tobytes():
        return _NONE
    marks = _marks(len(bits))
    found: Integers = (bits == marks).nonzero()[0]
    if not len(found):
        return _NONE
    if len(_places) >= _KEPT:
        _places.clear()
    _places[key] = found, marks[found].tobytes()
    return _places[key]


_rooms: dict[int, list[_Room]] = {}
"""Rooms that are free, by their length: calls follow each other with the same ones."""
_SMALL = 4096
"""Longer ones are not kept."""


def _room(array: NDArray[Any], place: int) -> _Room:
    """A room with a copy of an array, whose data begin at ``place``."""
    if not array.flags.c_contiguous or array.itemsize % 8:
        raise FenceError(f"machine code is handed an array of {array.dtype} that is not plain")
    n = array.nbytes // 8
    free = _rooms.get(n)
    room = free.pop() if free else _Room(n)
    room.open(array, place)
    return room


class _Room:
    """A copy of an array with marked words before, after and inside it."""

    __slots__ = ("_after", "_all", "_array", "_before", "_copy", "_inner", "_n", "_place",
                 "pointer")  # fmt: skip

    def __init__(self, n: int) -> None:
        self._n, self._all = n, np.full(n + 2 * _OUTER, _MARK, dtype=np.int64)
        self._before, self._copy = self._all[:_OUTER], self._all[_OUTER : n + _OUTER]
        self._after = self._all[n + _OUTER :]
        self.pointer = pointer(self._all) + 8 * _OUTER

    def open(self, array: NDArray[Any], place: int) -> None:
        """Let an array in."""
        self._array, self._place = array, place
        ctypes.memmove(self.pointer, place, 8 * self._n)
        self._inner = _inside((place, self._n), self._copy)

    def close(self, name: str) -> None:
        """Check the marked words, copy back what was written, and be free again."""
        inner, marks = self._inner
        whole = self._before.tobytes() == _SIDE == self._after.tobytes()
        if not whole or (marks and self._copy[inner].tobytes() != marks):
            places = f"words {self._broken()} of {self._n}"
            raise FenceError(f"{name} wrote outside its arrays: {places}")
        if self._array.flags.writeable:
            ctypes.memmove(self._place, self.pointer, 8 * self._n)
        elif self._array.tobytes() != self._copy.tobytes():
            raise FenceError(f"{name} wrote into an array that is only to be read")
        del self._array
        if self._n <= _SMALL:
            if len(_rooms) >= _KEPT:
                _rooms.clear()
            _rooms.setdefault(self._n, []).append(self)

    def _broken(self) -> list[int]:
        """Positions of marked words that have changed."""
        outer = np.concatenate([self._before, self._after])
        broken = np.flatnonzero(outer != _MARK).tolist()
        places = [k - _OUTER if k < _OUTER else self._n + k - _OUTER for k in broken]
        return places + [k for k in self._inner[0].tolist() if self._copy[k] != _MARK + k]
