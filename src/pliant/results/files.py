"""Results in files: netCDF (everything) and CSV (the numbers, for any tool).

Whatever a file holds, it is read as a result or refused in one message.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import FileError, UnitError
from pliant.model.numbers.units import parse_unit
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.results.result import EventRecord, Result
from pliant.results.series import Record, Reopened, Series
from pliant.solve.motion.energy import EnergyBalance
from pliant.writing import replace_bytes, replace_file

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
RECORDED = "_recorded_"
"""Begins the names of arrays that are no series."""
_HEAD = re.compile(r"(.+?) \[([^\[\]]+)\]")
_DAMAGED = "it is damaged, or not a result of Pliant; write it again"
_FOREIGN = (
    OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RuntimeError,
    ArithmeticError, MemoryError, NotImplementedError, AssertionError,
)  # fmt: skip
"""What libraries raise on a damaged file."""


def save(result: Result, path: str | Path) -> None:
    """Write by the ending of the name; nothing half-written is left behind."""
    path = Path(path)
    writers: dict[str, Callable[[Result, Path], None]] = {".nc": write_netcdf, ".csv": write_csv}
    if path.suffix not in writers:
        raise FileError(f"{path.name}: unknown kind of result file", "use .nc or .csv")
    writers[path.suffix](result, path)


def load(path: str | Path) -> Result:
    """Read .nc or .csv."""
    path = Path(path)
    if not path.is_file():
        raise FileError(f"{path}: {'not a file' if path.exists() else 'no such file'}")
    if path.suffix == ".nc":
        return read_netcdf(path)
    if path.suffix == ".csv":
        return read_csv(path)
    raise FileError(f"{path.name}: unknown kind of result file", "use .nc or .csv")


def write_csv(result: Result, path: str | Path) -> None:
    """Header row, first column ``time``, then one column per scalar observable, its unit in
    brackets (``S.displacement [m]``); 17 digits."""
    names = result.columns()
    table = np.column_stack([result.time, *(result.values(n) for n in names)])

    def write(target: Path) -> None:
        with target.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerow(["time", *(_headed(n, result.unit(n)) for n in names)])
            stream.writelines(",".join(map(repr, row)) + "\r\n" for row in table.tolist())

    replace_file(path, write)


def _headed(name: str, unit: str) -> str:
    return name if unit in ("", "1") else f"{name} [{unit}]"


def to_dataset(result: Result) -> xarray.Dataset:
    """One variable per observable; vectors carry their labels."""
    import xarray

    variables: dict[str, Any] = {}
    coords: dict[str, Any] = {"time": ("time", result.time, {"units": "s"})}
    for name, s in result.series.items():
        attributes: dict[str, Any] = {"units": s.unit, "kind": s.kind}
        if s.unique:
            attributes["unique"] = np.array(s.unique, dtype=np.int8)
        if s.labels:
            axis = "component_" + "_".join(s.labels)
            coords[axis] = list(s.labels)
            variables[name] = (("time", axis), s.values, attributes)
        else:
            variables[name] = ("time", s.values, attributes)
    extra = {
        "info": json.dumps(dict(result.info), default=_plain),
        "events": json.dumps([[e.name, e.time, e.message] for e in result.events]),
        "warnings": json.dumps(list(result.warnings)),
        "failure": result.failure,
        "model": result.model,
    }
    return xarray.Dataset(variables, coords=coords, attrs=extra)


def _with_record(dataset: xarray.Dataset, result: Result) -> xarray.Dataset:
    """Also the states, from which observables that were not asked for follow."""
    record = None if result.recorded is None else result.recorded.record
    if result.recorded is None or record is None or not result.model:
        return dataset
    known = {n: [q.unit, list(q.labels), q.kind] for n, q in result.recorded.known.items()}
    for name, array in record.arrays.items():
        first = f"{RECORDED}part" if name.startswith("p") else "time"
        dims = (first, *(f"{RECORDED}{name}{k}" for k in range(1, array.ndim)))
        dataset[RECORDED + name] = (dims, array)
    about = json.dumps({"known": known, **record.about}, default=_plain)
    return dataset.assign_attrs(recorded=about)


def _plain(value: Any) -> Any:
    """What JSON does not know: records by their fields, all else as text."""
    return asdict(value) if isinstance(value, EnergyBalance) else str(value)


def write_netcdf(result: Result, path: Path) -> None:
    """The whole result."""
    written = io.BytesIO()  # a full disk would be noticed too late by the library itself
    try:
        _with_record(to_dataset(result), result).to_netcdf(written, engine="h5netcdf")
    except (ValueError, TypeError) as error:  # a name from a CSV file that netCDF does not allow
        raise FileError(f"cannot write {path}: {error}", "write .csv instead") from None
    replace_bytes(path, with_check_sum(written.getvalue()))


class _DamagedError(Exception):
    """What is wrong with a file."""


def read_csv(path: Path) -> Result:
    """Columns of a CSV, in SI: a column may say its unit (``S.displacement [mm]``)."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "give a CSV file of a result") from None
    heads = [_read_head(cell) for cell in rows[0]] if rows else []
    if not heads or heads[0].name != "time" or heads[0].unit not in ("", "s"):
        raise FileError(f"{path.name}: not a result", "the first column must be 'time'")
    names = [head.name for head in heads[1:]]
    if len(set(names)) < len(names) or not all(names):
        raise FileError(f"{path.name}: columns without a name, or of the same name", "name them")
    if len(rows) < 2:
        raise FileError(f"{path.name}: it has no samples", "is it complete? write it again")
    table = np.zeros((len(rows) - 1, len(heads)))
    for k, row in enumerate(rows[1:]):
        table[k] = _numbers(row, len(heads), f"{path.name}, row {k + 2}")
    table *= [head.scale for head in heads]
    columns = zip(heads[1:], table.T[1:], strict=True)
    return Result(table[:, 0], {h.name: Series(values, h.unit) for h, values in columns})


@dataclass(frozen=True, slots=True)
class _Head:
    """What stands above a column: ``unit`` of SI, and what its numbers are multiplied by."""

    name: str
    unit: str = ""
    scale: float = 1.0


def _read_head(cell: str) -> _Head:
    """``rod.tip.position.x [m]``; what stands in brackets and is no unit belongs to the name."""
    found = _HEAD.fullmatch(cell)
    if found is None:
        return _Head(cell)
    try:
        scale, dimension = parse_unit(found[2])
    except UnitError:
        return _Head(cell)
    return _Head(found[1], found[2] if scale == 1 else str(dimension), scale)


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
    whole = _is_whole(path)
    if not whole:
        _try_apart(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            content = _own_content(path) if whole else _foreign_content(path)
        return _result(content)
    except _DamagedError as error:
        raise FileError(f"{path.name}: {error}", _DAMAGED) from None
    except _FOREIGN as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise FileError(f"{path.name}: not a netCDF result ({reason})", _DAMAGED) from None


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


@dataclass(frozen=True, slots=True)
class _Variable:
    """One of a netCDF file."""

    dims: tuple[str, ...]
    values: Any
    attrs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Content:
    """Of a netCDF file: variables, those that name dimensions apart, and attributes."""

    told: Mapping[str, _Variable]
    axes: Mapping[str, _Variable]
    attrs: Mapping[str, Any]


def _own_content(path: Path) -> _Content:
    """Of a file that Pliant wrote: by its layout in HDF5, since xarray takes fifteen times as long.
    Dimensions are the scales that a variable refers to."""
    import h5py

    told: dict[str, _Variable] = {}
    axes: dict[str, _Variable] = {}
    with h5py.File(path) as file:
        items = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
        names = {h5py.h5o.get_info(item.id).addr: name for name, item in items.items()}
        for name, item in items.items():
            refs = item.attrs.get("DIMENSION_LIST", ())
            scales = (h5py.h5r.dereference(ref[0], file.id) for ref in refs)
            dims = tuple(names[h5py.h5o.get_info(scale).addr] for scale in scales) or (name,)
            attrs = {key: _plain_attribute(item.attrs[key]) for key in ("units", "kind", "unique")
                     if key in item.attrs}  # fmt: skip
            is_text = h5py.check_string_dtype(item.dtype) is not None
            values = item.asstr()[()] if is_text else item[()]
            (axes if item.is_scale else told)[name] = _Variable(dims, values, attrs)
        return _Content(told, axes, {k: _plain_attribute(v) for k, v in file.attrs.items()})


def _plain_attribute(value: Any) -> Any:
    """An empty text is stored as nothing."""
    import h5py

    return "" if isinstance(value, h5py.Empty) else value


def _foreign_content(path: Path) -> _Content:
    """Of a file that something else wrote."""
    import xarray

    options: Any = {"decode_times": False, "phony_dims": "access"}
    with xarray.open_dataset(path, engine="h5netcdf", **options) as dataset:
        size = sum(v.nbytes for v in dataset.variables.values())
        if size > 64 * max(path.stat().st_size, 1_000_000):
            raise ValueError(f"it claims to hold {size / 1e9:.3g} GB")
        dataset.load()
    told, axes = (
        {str(n): _Variable(tuple(map(str, v.dims)), v.values, v.attrs) for n, v in part.items()}
        for part in (dataset.data_vars, dataset.coords)
    )
    return _Content(told, axes, dataset.attrs)


def _result(content: _Content) -> Result:
    known = {**content.axes, **content.told}
    if "time" not in known or known["time"].dims != ("time",):
        raise _DamagedError("it has no time")
    time = _finite(known["time"].values, "time")
    names = [n for n in content.told if not n.startswith(RECORDED)]
    series = {n: _series(content, n, len(time)) for n in names}
    a, events = content.attrs, []
    for row in _parsed(a, "events", list):
        if not (isinstance(row, list) and len(row) == 3 and isinstance(row[1], int | float)):
            raise _DamagedError("an event cannot be read")
        events.append(EventRecord(str(row[0]), float(row[1]), str(row[2])))
    return Result(
        time, series, info=_info(a), events=tuple(events),
        warnings=tuple(str(w) for w in _parsed(a, "warnings", list)),
        failure=_text(a.get("failure", "")), model=_text(a.get("model", "")),
        recorded=_recorded(content, len(time)),
    )  # fmt: skip


def _recorded(content: _Content, samples: int) -> Reopened | None:
    """States of the run, if the file has them."""
    about = _parsed(content.attrs, "recorded", dict)
    if not about:
        return None
    arrays = {}
    for name in (n for n in content.told if n.startswith(RECORDED)):
        arrays[name.removeprefix(RECORDED)] = _finite(content.told[name].values, name)
    if any(len(a) != samples for n, a in arrays.items() if not n.startswith("p")):
        raise _DamagedError("its states are not those of its samples")
    try:
        known = {str(n): Quantity(str(unit), "", str(kind), tuple(map(str, labels)))
                 for n, (unit, labels, kind) in about.pop("known").items()}  # fmt: skip
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _DamagedError("what its states tell cannot be read") from None
    model = _text(content.attrs.get("model", ""))
    return Reopened(model, known, Record(about, arrays))


def _series(content: _Content, name: str, samples: int) -> Series:
    variable = content.told[name]
    if (variable.dims[:1] != ("time",) or len(variable.dims) > 2
            or len(variable.values) != samples):  # fmt: skip
        raise _DamagedError(f"'{name}' is no series over time")
    labels: tuple[str, ...] = ()
    if len(variable.dims) == 2:
        axis = variable.dims[1]
        if axis not in content.axes:
            raise _DamagedError(f"components of '{name}' have no names")
        labels = tuple(str(v) for v in content.axes[axis].values)
    unique = tuple(bool(u) for u in np.atleast_1d(variable.attrs.get("unique", ())))
    if len(unique) not in (0, max(len(labels), 1)):
        raise _DamagedError(f"'{name}' and what is unique of it do not fit")
    return Series(
        _finite(variable.values, name), str(variable.attrs.get("units", "")), labels,
        str(variable.attrs.get("kind", "other")), unique,
    )  # fmt: skip


def _finite(values: Any, name: str) -> Array:
    array = np.asarray(values)
    if array.dtype.kind not in "fiu":
        raise _DamagedError(f"'{name}' holds no numbers")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise _DamagedError(f"'{name}' has values that are no finite numbers")
    return array


def _info(attributes: Any) -> dict[str, Any]:
    """How it was computed; the energy balance as the record it was."""
    found: dict[str, Any] = _parsed(attributes, "info", dict)
    if isinstance(found.get("energy"), dict):
        try:
            balance = {str(k): float(v) for k, v in found["energy"].items()}
            found["energy"] = EnergyBalance(**balance)
        except (TypeError, ValueError):
            raise _DamagedError("the energy balance cannot be read") from None
    return found


def _parsed(attributes: Any, key: str, kind: type) -> Any:
    text = attributes.get(key)
    if text is None:
        return kind()
    try:
        found = json.loads(_text(text))
    except (ValueError, RecursionError):
        raise _DamagedError(f"'{key}' cannot be read") from None
    if not isinstance(found, kind):
        raise _DamagedError(f"'{key}' is not what it should be")
    return found


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _DamagedError("a text of it is not a text")
    return value
