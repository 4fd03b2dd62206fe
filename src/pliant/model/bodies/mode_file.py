"""Files of given modes: JSON or NPZ with plain arrays, nothing executable. N nodes, n modes.

key                    shape
nodes                  (N, 3)
shapes                 (N, 3, n): displacements of the nodes
mass                   (N), or a consistent matrix (3N, 3N) or (6N, 6N)
stiffness              (n, n); or instead of it
frequencies            (n) in rad/s, or frequencies_hz; with modal_masses (n) = φᵀ M φ
rotations              (N, 3, n), optional, as all that follow
inertia                (N, 3, 3) of the nodes
damping                (n, n)
second_order           (N, 3, n, n)
geometric_stiffness    (k, n, n) per unit force, with load_nodes (k) and load_axes (k)
motion_stiffness       (12, n, n): geometric stiffness of the inertia of a moving body frame, for
                       unit accelerations along x, y, z, unit angular accelerations about them, and
                       the products wx², wy², wz², wx wy, wy wz, wz wx of angular velocity
lines                  (l, 2) nodes that are joined by a line in pictures
"""

from __future__ import annotations

import json
import math
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import Fault, FileError, ModelError
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.paths import stamped

Arrays = dict[str, Array]

_REQUIRED = ("nodes", "shapes", "mass")
_OPTIONAL = (
    "stiffness", "frequencies", "frequencies_hz", "modal_masses", "rotations", "inertia",
    "damping", "second_order", "geometric_stiffness", "load_nodes", "load_axes", "motion_stiffness",
    "lines",
)  # fmt: skip
_WHO = "modes file"
MODAL_MASS = 0.05
"""Part by which modal masses may differ from φᵀ M φ: what lumping of masses at nodes may change."""
MAX_MODES = 1_000_000_000
"""Bytes of a file of modes, packed or not."""
_UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, EOFError, RecursionError, MemoryError, RuntimeError,
    OverflowError, NotImplementedError, SyntaxError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip
"""What libraries raise on a damaged file."""


def read_modes(path: str | os.PathLike[str]) -> Arrays:
    """The arrays of a file by name; every fault of it is reported at once."""
    return _read(*stamped(path))


@lru_cache(maxsize=16)
def _read(path: Path, changed: int, size: int) -> Arrays:
    arrays, faults = _arrays(_content(path))
    faults += _missing(arrays)
    if not faults:
        faults = [*_shape_faults(arrays), *_load_faults(arrays), *_line_faults(arrays)]
        faults = faults or list(_modal_mass_faults(arrays))
    if faults:
        raise ModelError(faults, path.name)
    if "motion_stiffness" in arrays and "geometric_stiffness" not in arrays:
        n, none = arrays["shapes"].shape[-1], np.zeros(0)  # of the motion only, no node is loaded
        arrays["geometric_stiffness"] = np.zeros((0, n, n))
        arrays |= {"load_nodes": none, "load_axes": none}
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def _content(path: Path) -> dict[str, Any]:
    if path.suffix not in (".npz", ".json"):
        raise FileError(f"{path}: unknown kind of file", "give .json or .npz")
    try:
        if path.stat().st_size > MAX_MODES:
            raise ValueError(f"larger than {MAX_MODES // 10**6} MB")
        npz = path.suffix == ".npz"
        content = _npz(path) if npz else json.loads(path.read_text(encoding="utf-8"))
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise FileError(f"{path}: {reason}", "give a JSON or NPZ file of plain arrays") from None
    if isinstance(content, dict):
        return content
    raise FileError(f"{path}: not a mapping of names to arrays", "see the file format")


def _npz(path: Path) -> Any:
    """Arrays of an archive, none of them larger than it says."""
    with zipfile.ZipFile(path) as archive:
        if sum(item.file_size for item in archive.infolist()) > MAX_MODES:
            raise ValueError(f"it unpacks to more than {MAX_MODES // 10**6} MB")
        found = {}
        for item in archive.infolist():
            with archive.open(item) as stream:
                found[item.filename.removesuffix(".npy")] = _array(stream, item.file_size)
    return found


def _array(stream: IO[bytes], size: int) -> Any:
    """One array: its header first, which must not claim more than there is."""
    version = np.lib.format.read_magic(stream)
    readers = {(1, 0): np.lib.format.read_array_header_1_0,
               (2, 0): np.lib.format.read_array_header_2_0}  # fmt: skip
    if version not in readers:
        raise ValueError(f"arrays of version {version} are not known")
    shape, fortran, dtype = readers[version](stream)
    count = math.prod(shape)
    if dtype.hasobject or dtype.kind not in "fiu" or count * dtype.itemsize > size:
        raise ValueError("an array is not made of plain numbers, or is cut off")
    raw = stream.read(count * dtype.itemsize)
    array = np.frombuffer(raw, dtype, count)
    return array.reshape(shape, order="F" if fortran else "C")


def _arrays(content: dict[str, Any]) -> tuple[Arrays, list[Fault]]:
    arrays, faults = {}, []
    known = (*_REQUIRED, *_OPTIONAL)
    for name, value in content.items():
        if name not in known:
            cure = did_you_mean(name, known) or f"known: {', '.join(known)}"
            faults.append(Fault(_WHO, f"unknown key '{name}'", cure, path=(name,)))
            continue
        try:
            arrays[name] = np.array(value, dtype=np.float64)
        except (TypeError, ValueError, OverflowError, MemoryError):
            faults.append(Fault(_WHO, f"'{name}' is not an array of numbers",
                                "give lists of equal length", path=(name,)))  # fmt: skip
    return arrays, faults


def _missing(arrays: Arrays) -> list[Fault]:
    faults = [
        Fault(_WHO, f"'{name}' is missing", "give it", path=(name,))
        for name in _REQUIRED
        if name not in arrays
    ]
    modal = "modal_masses" in arrays and ("frequencies" in arrays or "frequencies_hz" in arrays)
    if "stiffness" not in arrays and not modal:
        faults.append(Fault(_WHO, "no stiffness", "give stiffness, or frequencies and modal_masses",
                            path=("stiffness",)))  # fmt: skip
    return faults


def _shape_faults(a: Arrays) -> Iterator[Fault]:
    N = len(a["nodes"]) if a["nodes"].ndim else 0
    n = a["shapes"].shape[2] if a["shapes"].ndim == 3 else 0
    wanted: dict[str, tuple[tuple[int, ...], ...]] = {
        "nodes": ((N, 3),), "shapes": ((N, 3, n),), "rotations": ((N, 3, n),),
        "inertia": ((N, 3, 3),), "stiffness": ((n, n),), "damping": ((n, n),),
        "second_order": ((N, 3, n, n),), "frequencies": ((n,),), "frequencies_hz": ((n,),),
        "modal_masses": ((n,),), "motion_stiffness": ((12, n, n),),
        "mass": ((N,), (3 * N, 3 * N), (6 * N, 6 * N)),
    }  # fmt: skip
    for name, shapes in wanted.items():
        if name not in a:
            continue
        if a[name].shape not in shapes:
            what = f"{name} has shape {a[name].shape}"
            yield Fault(_WHO, what, f"give {' or '.join(map(str, shapes))}", path=(name,))
        elif not np.isfinite(a[name]).all():
            what = f"{name} has entries that are not finite"
            yield Fault(_WHO, what, "give numbers", path=(name,))
        if name in ("mass", "stiffness", "damping") and not _symmetric(a[name]):
            yield Fault(_WHO, f"{name} is not symmetric", "symmetrise it", path=(name,))
    mass = a["mass"]
    if mass.ndim == 1 and (mass < 0).any():
        yield Fault(_WHO, "a nodal mass is negative", "give masses >= 0", path=("mass",))
    elif not np.trace(mass) > 0 if mass.ndim == 2 else not mass.sum() > 0:
        yield Fault(_WHO, "the body has no mass", "give masses", path=("mass",))


def _modal_mass_faults(a: Arrays) -> Iterator[Fault]:
    """Modal masses are φᵀ M φ; otherwise the frequencies would not be those of the file."""
    if "modal_masses" not in a or "stiffness" in a:
        return
    given, own = a["modal_masses"], modal_masses(a)
    off = np.abs(given - own) > MODAL_MASS * np.maximum(np.abs(given), own)
    for k in np.flatnonzero(off):
        what = f"modal_masses of mode {k + 1} is {given[k]:.6g}, but its shape and the mass give "
        yield Fault(_WHO, f"{what}{own[k]:.6g}",
                    "scale the shapes with their masses, or give stiffness (generalised, n × n)",
                    path=("modal_masses",))  # fmt: skip


def modal_masses(a: Arrays) -> Array:
    """φᵀ M φ of every mode: nodal masses and inertias, or a full matrix."""
    shapes, mass = a["shapes"], a["mass"]
    N, n = len(shapes), shapes.shape[-1]
    turns = a["rotations"] if "rotations" in a else np.zeros((N, 3, n))
    if mass.ndim == 1:
        found = np.einsum("i,iak,iak->k", mass, shapes, shapes)
    else:
        full = len(mass) == 6 * N
        phi = (np.concatenate([shapes, turns], axis=1) if full else shapes).reshape(-1, n)
        found = np.einsum("ik,ij,jk->k", phi, mass, phi)
    if "inertia" in a:
        found = found + np.einsum("iak,iab,ibk->k", turns, a["inertia"], turns)
    return np.asarray(found)


def _symmetric(m: Array) -> bool:
    if m.ndim != 2 or m.shape[0] != m.shape[1] or not np.isfinite(m).all():
        return True
    return bool(np.abs(m - m.T).max(initial=0) <= 1e-9 * np.abs(m).max(initial=0))


def is_scalar_mass(mass: Array, nodes: int) -> bool:
    """Whether nodes have the same mass along x, y and z, and none for rotations: M ⊗ 1."""
    if mass.ndim == 1:
        return True
    if mass.shape != (3 * nodes, 3 * nodes):
        return False
    same = np.kron(mass[::3, ::3], np.eye(3))
    return bool(np.abs(mass - same).max(initial=0) <= 1e-9 * np.abs(mass).max(initial=0))


def _load_faults(a: Arrays) -> Iterator[Fault]:
    """Geometric stiffness per unit load: who is loaded, along which axis."""
    for name in ("geometric_stiffness", "motion_stiffness"):
        if name in a and "second_order" in a:
            yield Fault(_WHO, f"both second_order and {name}", "give one of them")
            return
    if "geometric_stiffness" not in a:
        return
    count = len(np.atleast_1d(a["geometric_stiffness"]))
    n = a["shapes"].shape[-1] if a["shapes"].ndim else 0
    if a["geometric_stiffness"].shape != (count, n, n):
        what = f"geometric_stiffness has shape {a['geometric_stiffness'].shape}"
        yield Fault(_WHO, what, f"give (k, {n}, {n})")
    for name, limit in (("load_nodes", len(np.atleast_1d(a["nodes"]))), ("load_axes", 3)):
        if not _whole(a.get(name, np.zeros(0)), (count,), limit):
            cure = f"give {count} whole numbers from 0 to {limit - 1}"
            yield Fault(_WHO, f"{name} does not name {count} loads", cure, path=(name,))


def _line_faults(a: Arrays) -> Iterator[Fault]:
    if "lines" not in a:
        return
    lines, N = a["lines"], len(np.atleast_1d(a["nodes"]))
    if not _whole(lines, (len(np.atleast_1d(lines)), 2), N):
        yield Fault(_WHO, "lines does not name pairs of nodes",
                    f"give two whole numbers from 0 to {N - 1} for each line",
                    path=("lines",))  # fmt: skip


def _whole(values: Array, shape: tuple[int, ...], limit: int) -> bool:
    """Whether these are whole numbers from 0 to below the limit."""
    if values.shape != shape:
        return False
    return bool(np.all((values >= 0) & (values < limit) & (values == np.floor(values))))
