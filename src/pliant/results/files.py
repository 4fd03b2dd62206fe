"""Results in files: netCDF (everything) and CSV (the numbers, for any tool)."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import FileError
from pliant.results.result import EventRecord, Result, Series

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
    if not path.exists():
        raise FileError(f"{path}: no such file")
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

    _replace(Path(path), write)


def read_csv(path: Path) -> Result:
    """Columns of a CSV; units and labels of vectors are not in such a file."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    if not rows or not rows[0] or rows[0][0] != "time":
        raise FileError(f"{path.name}: not a result", "the first column must be 'time'")
    try:
        table = np.array([[float(v) for v in row] for row in rows[1:]]).reshape(-1, len(rows[0]))
    except ValueError as error:
        raise FileError(f"{path.name}: {error}", "every row needs one number per column") from None
    series = {name: Series(table[:, k + 1], "") for k, name in enumerate(rows[0][1:])}
    return Result(table[:, 0], series)


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
        "info": json.dumps(dict(result.info), default=str),
        "events": json.dumps([[e.name, e.time, e.message] for e in result.events]),
        "warnings": json.dumps(list(result.warnings)),
        "failure": result.failure,
        "model": result.model,
    }
    return xarray.Dataset(variables, coords=coords, attrs=extra)


def write_netcdf(result: Result, path: Path) -> None:
    """The whole result."""
    dataset = to_dataset(result)
    _replace(path, lambda target: dataset.to_netcdf(target, engine="h5netcdf"))


def read_netcdf(path: Path) -> Result:
    """A result as it was saved."""
    import xarray

    try:
        dataset = xarray.load_dataset(path, engine="h5netcdf")
    except (OSError, ValueError) as error:
        raise FileError(f"{path.name}: not a netCDF result ({error})") from None
    series = {}
    for name, variable in dataset.data_vars.items():
        labels: tuple[str, ...] = ()
        if len(variable.dims) == 2:
            labels = tuple(str(v) for v in dataset[variable.dims[1]].values)
        a = variable.attrs
        series[str(name)] = Series(
            np.asarray(variable.values, dtype=float), str(a.get("units", "")), labels,
            str(a.get("kind", "other")),
            tuple(bool(u) for u in np.atleast_1d(a.get("unique", ()))),
        )  # fmt: skip
    a = dataset.attrs
    return Result(
        np.asarray(dataset["time"].values, dtype=float), series,
        info=json.loads(a.get("info", "{}")),
        events=tuple(EventRecord(*e) for e in json.loads(a.get("events", "[]"))),
        warnings=tuple(json.loads(a.get("warnings", "[]"))),
        failure=str(a.get("failure", "")), model=str(a.get("model", "")),
    )  # fmt: skip


def _replace(path: Path, write: Callable[[Path], Any]) -> None:
    """Write beside the target, then move into place."""
    if not path.parent.is_dir():
        raise FileError(f"{path}: there is no folder {path.parent}", "create it first")
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
