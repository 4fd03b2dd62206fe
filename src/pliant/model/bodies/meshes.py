"""Triangles of STL and OBJ files."""

from __future__ import annotations

import os
from itertools import pairwise
from pathlib import Path

import numpy as np

from pliant.arrays import Array, Integers
from pliant.errors import FileError

Triangles = tuple[Array, Integers]
"""Corners (n, 3) and, for each triangle, the numbers of its three corners (m, 3)."""

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("spare", "<u2")])


def read_mesh(path: str | os.PathLike[str]) -> Triangles:
    """Read by the ending of the name."""
    path = Path(path)
    readers = {".stl": _stl, ".obj": _obj}
    if path.suffix.lower() not in readers:
        raise FileError(f"{path.name}: unknown kind of mesh", "use .stl or .obj")
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}", "check the path") from None
    try:
        with np.errstate(all="ignore"):
            corners, faces = readers[path.suffix.lower()](raw)
    except (ValueError, IndexError, OverflowError, MemoryError) as error:
        raise FileError(f"{path.name}: not a mesh ({error})", "export it again") from None
    if not len(faces):
        raise FileError(f"{path.name}: it holds no triangles", "export it again")
    if not np.abs(corners).max() < 1e30:
        raise FileError(f"{path.name}: corners that are no finite numbers", "export it again")
    return corners, faces


def _stl(raw: bytes) -> Triangles:
    count = int.from_bytes(raw[80:84], "little")
    if len(raw) == 84 + count * _RECORD.itemsize:
        loose = np.frombuffer(raw, _RECORD, count, 84)["corners"].reshape(-1, 3).astype(float)
    else:
        lines = (line.split() for line in raw.decode("utf-8", "replace").splitlines())
        loose = np.array([w[1:4] for w in lines if w[:1] == ["vertex"]], dtype=float)
        loose = loose.reshape(-1, 3)
    corners, faces = np.unique(loose, axis=0, return_inverse=True)
    return corners, faces.reshape(-1, 3).astype(np.int64)


def _obj(raw: bytes) -> Triangles:
    corners: list[list[float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in raw.decode("utf-8", "replace").splitlines():
        word, *rest = line.split() or [""]
        if word == "v":
            corners.append([float(v) for v in rest[:3]])
        elif word == "f":
            around = [_corner(item, len(corners)) for item in rest]
            faces += [(around[0], b, c) for b, c in pairwise(around[1:])]
    return np.array(corners).reshape(-1, 3), np.array(faces, dtype=np.int64).reshape(-1, 3)


def _corner(item: str, known: int) -> int:
    """``7/1/3`` is corner 7, counted from 1; a negative number counts from the end."""
    k = int(item.partition("/")[0])
    place = k - 1 if k > 0 else known + k
    if not 0 <= place < known:
        raise ValueError(f"no corner {k}")
    return place
