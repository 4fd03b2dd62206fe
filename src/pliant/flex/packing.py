"""Tables of a flexible body as one vector of numbers, for code that is compiled once.

Only entries that can be nonzero are packed, each of them once: symmetric tables keep one half.
What is packed depends on the structure of the body, never on its numbers.

    F (r, pairs): Fᵀ F = HH, the second-order displacement in r functions instead of all pairs
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from itertools import product
from math import prod
from operator import mul
from types import MappingProxyType
from typing import Any

import numpy as np

from pliant.arrays import Array, Flags, Integers
from pliant.errors import InputError
from pliant.flex.body import BeamGeometry
from pliant.flex.data import FlexibleData, FrameData
from pliant.flex.masks import BENDS, ROWS
from pliant.records import dataclass

Index = tuple[int, ...]
Entries = dict[Index, Any]
_SYMMETRIC = {"s2": ((1, 2),), "J0": ((0, 1),), "J1": ((0, 1),), "J2": ((0, 1), (2, 3)),
              "M": ((0, 1),), "K": ((0, 1),), "D": ((0, 1),), "H": ((1, 2),)}  # fmt: skip
"""Pairs of axes a table is symmetric in."""
_RANK = 1e-13
"""Relative size of the functions of F that are left out."""
_ROUNDING = 1e-15
"""Relative size of the entries of F that are rounding errors."""


@dataclass(frozen=True, slots=True)
class Table:
    """Where the entries of one table are, counted from its first."""

    name: str
    shape: Index
    places: Mapping[Index, int]
    """Every index that can be nonzero; symmetric ones share a place."""
    first: tuple[Index, ...]
    """The index each place is read from."""
    flat: tuple[Integers, Integers] = field(init=False, repr=False, compare=False)
    """The same indices in a table that is laid out in a row."""

    def __post_init__(self) -> None:
        flat = tuple(_flat(indices, self.shape) for indices in (self.places, self.first))
        object.__setattr__(self, "flat", flat)


@dataclass(frozen=True, slots=True)
class Packing:
    """All tables of a body and of frames on it, in order."""

    tables: tuple[Table, ...]
    pairs: tuple[Index, ...]
    count: int

    @property
    def size(self) -> int:
        return sum(len(t.first) for t in self.tables)

    def unpack(self, values: Sequence[Any] | Array) -> dict[str, Entries]:
        """Entries of every table by index, from numbers or symbols."""
        found, start = {}, 0
        for t in self.tables:
            found[t.name] = {index: values[start + k] for index, k in t.places.items()}
            start += len(t.first)
        return found


def packing_of(data: FlexibleData, frames: Mapping[str, FrameData]) -> Packing:
    """How a body with these frames is packed."""
    masks = {name: mask for name, mask in data.masks.items() if name != "H"}
    if not _is_beam(data):  # numbers of a file, which are never parameters
        masks |= {"M": data.M != 0, "K": data.K != 0}
        both = masks["M"] | masks["K"]
        masks["D"] = masks["D"] if np.any(data.D[~both]) else both
    masks["D"] = masks["D"] if np.any(data.D) else np.zeros_like(masks["D"])
    masks["origin"] = np.array([True, False, False]) if _is_beam(data) else np.ones(3, dtype=bool)
    if data.HH is not None and data.C is not None:
        F, moved = _factor(data.HH), _moves(data)[0]
        every = np.repeat(moved[:, :, None], len(data.pairs), axis=2)
        masks["C"] = every if _is_beam(data) else data.C != 0
        masks["F"] = np.ones(F.shape, dtype=bool) if _is_beam(data) else F != 0
    for name, frame in frames.items():
        masks |= {f"{name}:{part}": mask for part, mask in _frame_masks(data, frame).items()}
    tables = tuple(_table(name, np.asarray(mask)) for name, mask in masks.items())
    return Packing(tables, data.pairs, data.count)


def pack(
    packing: Packing, data: FlexibleData, frames: Mapping[str, FrameData],
    further: Mapping[str, Array] = MappingProxyType({}),
) -> Array:  # fmt: skip
    """The numbers of a body in the order of its packing; ``further``: tables of other names."""
    numbers = []
    for t in packing.tables:
        frame, _, part = t.name.rpartition(":")
        if t.name in further:
            table = further[t.name]
        elif t.name == "F" and data.HH is not None:
            table = _factor(data.HH, t.shape[0])
        elif frame:
            table = _of_frame(data, frames[frame], part)
        else:
            table = np.asarray(getattr(data, t.name), dtype=np.float64)
        every, first = t.flat
        entries = np.ravel(table)
        if np.count_nonzero(entries) > np.count_nonzero(entries[every]):
            raise InputError(f"{t.name} is no longer zero for these parameters",
                             "load the model with parameters that are not zero")  # fmt: skip
        numbers.append(entries[first])
    return np.concatenate([np.zeros(0), *numbers])


def _flat(indices: Iterable[Index], shape: Index) -> Integers:
    steps = [prod(shape[k + 1 :]) for k in range(len(shape))]
    return np.array([sum(map(mul, index, steps)) for index in indices], dtype=np.int64)


def _table(name: str, mask: Flags) -> Table:
    swaps = _SYMMETRIC.get(name.rpartition(":")[2], ())
    places: dict[Index, int] = {}
    first: list[Index] = []
    for index in product(*(range(n) for n in mask.shape)):
        if not mask[index]:
            continue
        lowest = list(index)
        for i, j in swaps:
            if lowest[i] > lowest[j]:
                lowest[i], lowest[j] = lowest[j], lowest[i]
        same = tuple(lowest)
        if same not in places:
            places[same] = len(first)
            first.append(same)
        places[index] = places[same]
    return Table(name, mask.shape, places, tuple(first))


def full_table(name: str, *shape: int) -> Table:
    """A table all of whose entries are packed."""
    return _table(name, np.ones(shape, dtype=bool))


def _is_beam(data: FlexibleData) -> bool:
    return isinstance(data.geometry, BeamGeometry)


def _moves(data: FlexibleData) -> tuple[Flags, Flags, Flags]:
    """Which coordinates move (3, n), turn (3, n) and twist (n) a section."""
    n = data.count
    if not _is_beam(data):
        return np.ones((3, n), dtype=bool), np.ones((3, n), dtype=bool), np.zeros(n, dtype=bool)
    moved, turned, twisted = np.zeros((3, n), bool), np.zeros((3, n), bool), np.zeros(n, bool)
    for a, kind in enumerate(data.kinds):
        twisted[a] = kind == "torsion"
        if kind in ROWS:
            moved[ROWS[kind], a] = True
        if kind in BENDS:
            turned[BENDS[kind], a] = True
    return moved, turned, twisted


def _resultants(data: FlexibleData) -> Flags:
    """Which of N, Qy, Qz, Mx, My, Mz a coordinate gives (6, n): a direction without shapes has a
    force that the shapes do not tell, not one of zero."""
    mask = np.zeros((6, data.count), dtype=bool)
    if _is_beam(data):
        moved, turned, twisted = _moves(data)
        mask = np.concatenate([moved, turned])
        mask[3] |= twisted
    return mask


def _frame_masks(data: FlexibleData, frame: FrameData) -> dict[str, Flags]:
    n, beam = data.count, _is_beam(data)
    moved, turned, twisted = _moves(data)
    H = np.zeros((3, n, n), dtype=bool)
    H[0] = data.masks["H"]
    if not beam:  # numbers of a file, which are never parameters
        moved, H, turned = frame.L != 0, frame.H != 0, frame.psi != 0
    return {
        "p0": np.array([True, False, False]) if beam else frame.p0 != 0,
        "L": moved, "H": H, "psi": turned, "phi": twisted,
        "a": np.array([False, True, True]) & bool(np.any(frame.a))
        if beam else np.ones(3, dtype=bool) & bool(np.any(frame.a)),
        "internal": _resultants(data),
        "stress": np.ones(_stress(data, frame).shape, dtype=bool),
    }  # fmt: skip


def _stress(data: FlexibleData, frame: FrameData) -> Array:
    """Normal stress at the points of the section, if the body has sections and shapes that tell
    its axial force; (points, n)."""
    if not _is_beam(data) or "axial" not in data.kinds:
        return np.zeros((0, data.count))
    try:
        return data.stress(float(frame.p0[0] + data.origin[0]))
    except InputError:
        return np.zeros((0, data.count))


def _of_frame(data: FlexibleData, frame: FrameData, part: str) -> Array:
    if part == "stress":
        return _stress(data, frame)
    if part == "internal" and not _is_beam(data):
        return np.zeros((6, data.count))
    if part == "internal":
        return data.section_forces(float(frame.p0[0] + data.origin[0]))
    return np.asarray(getattr(frame, part), dtype=np.float64)


def _factor(HH: Array, rank: int | None = None) -> Array:
    """F (r, k) with Fᵀ F = HH to rounding."""
    size, vectors = np.linalg.eigh(HH)
    size, vectors = size[::-1], vectors[:, ::-1]
    if rank is None:
        rank = int(np.sum(size > _RANK * size.max(initial=0.0))) if len(size) else 0
    F: Array = np.sqrt(np.clip(size[:rank], 0.0, None))[:, None] * vectors[:, :rank].T
    return np.where(np.abs(F) > _ROUNDING * np.abs(F).max(initial=0.0), F, 0.0)
