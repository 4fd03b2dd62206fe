"""Results from files. Whatever a file holds, it is read as a result or refused in one message."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.errors import FileError
from pliant.results.result import EventRecord, Result, Series
from pliant.solve.energy import EnergyBalance

if TYPE_CHECKING:
    import xarray

MARK = b"\nPliant SHA-256 "
"""Begins the check sum at the end of a netCDF file, which other readers leave alone."""
FOREIGN_SECONDS = 30
"""For a file without our check sum."""
_APART = """
import h5py
def read(name, item):
    for key in item.attrs:
        item.attrs[key]
    if isinstance(item, h5py.Dataset) and item.nbytes <= 64 * max(f.id.get_filesize(), 1_000_000):
        item[()]
with h5py.File(sys.argv[1]) as f:
    read("", f)
    f.visititems(read)
"""
"""What is run to try it: everything in it is read."""
_DAMAGED = "it is damaged, or not a result of Pliant; write it again"
_FOREIGN = (
    OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RuntimeError,
    ArithmeticError, MemoryError, NotImplementedError, AssertionError,
)  # fmt: skip
"""What libraries raise on a damaged file."""


class _Refusal(Protocol):
    def __call__(self, what: str) -> FileError: ...


def read_csv(path: Path) -> Result:
    """Columns of a CSV; units and labels of vectors are not in such a file."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "give a CSV file of a result") from None
    if not rows or rows[0][0] != "time":
        raise FileError(f"{path.name}: not a result", "the first column must be 'time'")
    names = rows[0][1:]
    if len(set(names)) < len(names) or not all(names):
        raise FileError(f"{path.name}: columns without a name, or of the same name", "name them")
    table = np.zeros((len(rows) - 1, len(names) + 1))
    for k, row in enumerate(rows[1:]):
        table[k] = _numbers(row, len(names) + 1, f"{path.name}, row {k + 2}")
    return Result(table[:, 0], {name: Series(table[:, k + 1], "") for k, name in enumerate(names)})


def _numbers(row: list[str], count: int, where: str) -> Array:
    try:
        values = np.array([float(cell) for cell in row])
    except ValueError as error:
        raise FileError(f"{where}: {error}", "every row needs one number per column") from None
    if len(values) != count:
        what = f"{len(values)} numbers for {count} columns"
        raise FileError(f"{where}: {what}", "every row needs one number per column")
    if not np.isfinite(values).all():
        raise FileError(f"{where}: not all numbers are finite", "leave the row out")
    return values


def read_netcdf(path: Path) -> Result:
    """A result as it was saved."""
    if not _is_whole(path):
        _try_apart(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            dataset = _dataset(path)
        result = _result(dataset, lambda what: FileError(f"{path.name}: {what}", _DAMAGED))
    except FileError:
        raise
    except _FOREIGN as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise FileError(f"{path.name}: not a netCDF result ({reason})", _DAMAGED) from None
    return result


def with_check_sum(content: bytes) -> bytes:
    """The bytes of a file, followed by what tells whether they are still those."""
    return content + MARK + hashlib.sha256(content).hexdigest().encode()


def _is_whole(path: Path) -> bool:
    """Whether a file ends with its check sum, as ours do, and it fits. A damaged file is not given
    to the library, which may not come back from it."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}", "check the path") from None
    start = len(content) - len(MARK) - 64
    if start >= 0 and content[start : start + len(MARK)] == MARK:
        sum_ = hashlib.sha256(memoryview(content)[:start]).hexdigest().encode()
        if sum_ != content[start + len(MARK) :]:
            raise FileError(f"{path.name}: its contents are not what was written", _DAMAGED)
        return True
    return False


def _try_apart(path: Path) -> None:
    """Read a file of others in a process of its own first: the library may hang or crash on it."""
    code = f"import sys; sys.path[:] = {sys.path!r}\n{_APART}"
    command = [sys.executable, "-c", code, str(path.resolve())]
    try:
        done = subprocess.run(command, timeout=FOREIGN_SECONDS, capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        what = f"it cannot be read within {FOREIGN_SECONDS} s"
        raise FileError(f"{path.name}: {what}", _DAMAGED) from None
    if done.returncode < 0:
        raise FileError(f"{path.name}: reading it ends by signal {-done.returncode}", _DAMAGED)


def _dataset(path: Path) -> xarray.Dataset:
    import xarray

    options: Any = {"decode_times": False, "phony_dims": "access"}
    with xarray.open_dataset(path, engine="h5netcdf", **options) as dataset:
        size = sum(v.nbytes for v in dataset.variables.values())
        if size > 64 * max(path.stat().st_size, 1_000_000):
            raise ValueError(f"it claims to hold {size / 1e9:.3g} GB")
        return dataset.load()


def _result(dataset: xarray.Dataset, refused: _Refusal) -> Result:
    if "time" not in dataset.variables or dataset["time"].dims != ("time",):
        raise refused("it has no time")
    time = _finite(dataset["time"].values, "time", refused)
    series = {str(n): _series(dataset, str(n), len(time), refused) for n in dataset.data_vars}
    a = dataset.attrs
    return Result(
        time, series, info=_info(a, refused),
        events=tuple(_events(_parsed(a, "events", list, refused), refused)),
        warnings=tuple(str(w) for w in _parsed(a, "warnings", list, refused)),
        failure=_text(a.get("failure", ""), refused), model=_text(a.get("model", ""), refused),
    )  # fmt: skip


def _series(dataset: xarray.Dataset, name: str, samples: int, refused: _Refusal) -> Series:
    variable = dataset[name]
    if variable.dims[:1] != ("time",) or len(variable.dims) > 2 or len(variable) != samples:
        raise refused(f"'{name}' is no series over time")
    labels: tuple[str, ...] = ()
    if len(variable.dims) == 2:
        axis = variable.dims[1]
        if axis not in dataset.coords:
            raise refused(f"components of '{name}' have no names")
        labels = tuple(str(v) for v in dataset[axis].values)
    unique = tuple(bool(u) for u in np.atleast_1d(variable.attrs.get("unique", ())))
    if len(unique) not in (0, max(len(labels), 1)):
        raise refused(f"'{name}' and what is unique of it do not fit")
    return Series(
        _finite(variable.values, name, refused), str(variable.attrs.get("units", "")), labels,
        str(variable.attrs.get("kind", "other")), unique,
    )  # fmt: skip


def _finite(values: Any, name: str, refused: _Refusal) -> Array:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise refused(f"'{name}' holds no numbers")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise refused(f"'{name}' has values that are no finite numbers")
    return array


def _info(attributes: Any, refused: _Refusal) -> dict[str, Any]:
    """How it was computed; the energy balance as the record it was."""
    found: dict[str, Any] = _parsed(attributes, "info", dict, refused)
    if isinstance(found.get("energy"), dict):
        try:
            balance = {str(k): float(v) for k, v in found["energy"].items()}
            found["energy"] = EnergyBalance(**balance)
        except (TypeError, ValueError):
            raise refused("the energy balance cannot be read") from None
    return found


def _parsed(attributes: Any, key: str, kind: type, refused: _Refusal) -> Any:
    text = attributes.get(key)
    if text is None:
        return kind()
    try:
        found = json.loads(_text(text, refused))
    except (ValueError, RecursionError):
        raise refused(f"'{key}' cannot be read") from None
    if not isinstance(found, kind):
        raise refused(f"'{key}' is not what it should be")
    return found


def _events(rows: list[Any], refused: _Refusal) -> Iterator[EventRecord]:
    for row in rows:
        if not (isinstance(row, list) and len(row) == 3 and isinstance(row[1], int | float)):
            raise refused("an event cannot be read")
        yield EventRecord(str(row[0]), float(row[1]), str(row[2]))


def _text(value: Any, refused: _Refusal) -> str:
    if not isinstance(value, str):
        raise refused("a text of it is not a text")
    return value
