"""Results in files: netCDF (everything) and CSV (the numbers, for any tool)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import FileError
from pliant.results.reading import RECORDED, read_csv, read_netcdf, with_check_sum
from pliant.results.result import Result
from pliant.solve.energy import EnergyBalance
from pliant.writing import replace_bytes, replace_file

if TYPE_CHECKING:
    import xarray


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
    """Header row, first column ``time``, then one column per scalar observable; 17 digits."""
    names = result.columns()
    table = np.column_stack([result.time, *(result.values(n) for n in names)])

    def write(target: Path) -> None:
        with target.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerow(["time", *names])
            stream.writelines(",".join(map(repr, row)) + "\r\n" for row in table.tolist())

    replace_file(path, write)


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
