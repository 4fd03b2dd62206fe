"""What was measured: samples of observables at times of their own.

A mapping (``{"time": t, "O.angle": a}``), a result, a table of pandas, a data set of xarray, a file
(.csv, .nc). A column may say its unit (``O.angle [deg]``, ``time [ms]``; in xarray ``units``);
vectors have a column for each component. What is not a number was not measured.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import FileError, InputError, UnitError, UnknownName
from pliant.model.numbers.units import dimension_of, parse_unit
from pliant.observe.catalogue import Quantity
from pliant.observe.selection import cure_of
from pliant.records import dataclass
from pliant.results.result import Result

TIME = "time"
_WITH_UNIT = re.compile(r"\s*(.+?)\s*\[\s*(.+?)\s*\]\s*")


@dataclass(frozen=True, slots=True)
class Column:
    """Samples of a scalar observable: ``name``, ``owner`` and ``component`` of a vector."""

    name: str
    owner: str
    component: int | None
    unit: str
    times: Array
    values: Array


def measured(data: Any, known: Mapping[str, Quantity], wanted: Sequence[str] | None,
             begin: float) -> list[Column]:  # fmt: skip
    """Columns of whatever holds them, in SI; ``wanted``: only these observables."""
    columns = _columns(data)
    if isinstance(wanted, str):
        wanted = [name.strip() for name in wanted.split(",")]
    names = {name: _name_and_unit(name) for name in columns if _name_and_unit(name)[0] != TIME}
    if not names:
        raise InputError("data: nothing but times", "give columns that are named as observables")
    chosen = {key: own for key, own in names.items() if wanted is None or _meant(own[0], wanted)}
    missing = [w for w in wanted or () if not any(_meant(n, [w]) for n, _ in chosen.values())]
    if missing:
        raise UnknownName(f"data: no column is named '{missing[0]}'",
                          cure_of(missing[0], [n for n, _ in names.values()]))  # fmt: skip
    common = _times(columns)
    found = [c for key, (name, unit) in chosen.items()
             for c in _made(name, unit, columns[key], common, known)]  # fmt: skip
    for column in found:
        _refuse_bad(column, begin)
    return found


def _meant(name: str, wanted: Sequence[str]) -> bool:
    return any(name == w or name.startswith(f"{w}.") for w in wanted)


def _columns(data: Any) -> dict[str, Any]:
    pandas = sys.modules.get("pandas")
    if isinstance(data, str | Path):
        return _of_file(Path(data))
    xarray = sys.modules.get("xarray")
    if xarray is not None and isinstance(data, xarray.DataArray):
        data = data.to_dataset(name=_named(data))
    if xarray is not None and isinstance(data, xarray.Dataset):
        return {_with_units(str(name), values): values.values
                for name, values in data.variables.items()
                if values.dims and values.dtype.kind in "fiu"}  # fmt: skip
    if pandas is not None and isinstance(data, pandas.Series):
        data = data.to_frame(_named(data))
    if isinstance(data, Result):
        return {TIME: data.time, **{name: data.series[name].values for name in data}}
    if pandas is not None and isinstance(data, pandas.DataFrame):
        columns = {str(name): data[name].to_numpy() for name in data.columns}
        if not any(_name_and_unit(name)[0] == TIME for name in columns):
            if data.index.name is None:
                raise InputError("data: the table has no times", "give it a column 'time'")
            columns = {str(data.index.name): data.index.to_numpy(), **columns}
        return columns
    if isinstance(data, Mapping):
        return {str(name): values for name, values in data.items()}
    raise InputError(f"data: {type(data).__name__} holds no measurements",
                     "give a mapping, a result, a table, or a .csv or .nc file")  # fmt: skip


def _with_units(name: str, values: Any) -> str:
    """A name with the unit that its attributes say."""
    unit = str(values.attrs.get("units", ""))
    return name if not unit or _WITH_UNIT.fullmatch(name) else f"{name} [{unit}]"


def _named(data: Any) -> str:
    if data.name is None:
        raise InputError("data: the samples have no name", "name them as an observable")
    return str(data.name)


def _of_file(path: Path) -> dict[str, Any]:
    if path.suffix.lower() != ".csv":
        return _columns(Result.load(path))
    try:
        with path.open(newline="", encoding="utf-8-sig") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "give a CSV file of samples") from None
    if len(rows) < 2:
        raise FileError(f"{path.name}: no samples", "give a header and a row for each sample")
    names = [name.strip() for name in rows[0]]
    if len(set(names)) < len(names) or not all(names):
        raise FileError(f"{path.name}: columns without a name, or of the same name", "name them")
    table = np.array([_row(row, len(names), f"{path.name}, row {k + 2}")
                      for k, row in enumerate(rows[1:])])  # fmt: skip
    return dict(zip(names, table.T, strict=True))


def _row(row: list[str], count: int, where: str) -> list[float]:
    if len(row) != count:
        raise FileError(f"{where}: {len(row)} cells for {count} columns", "leave no cell out")
    try:
        return [float(cell) if cell.strip() else np.nan for cell in row]
    except ValueError as error:
        raise FileError(f"{where}: {error}", "give numbers, or nothing") from None


def _name_and_unit(name: str) -> tuple[str, str]:
    found = _WITH_UNIT.fullmatch(name)
    return (found[1], found[2]) if found else (name.strip(), "")


def _times(columns: Mapping[str, Any]) -> Array | None:
    """Those of all columns, in seconds."""
    for key, values in columns.items():
        name, unit = _name_and_unit(key)
        if name == TIME:
            return _numbers(TIME, values) * _scale(TIME, unit or "s", "s")
    return None


def _made(
    name: str, unit: str, given: Any, common: Array | None, known: Mapping[str, Quantity]
) -> list[Column]:
    """A column of a scalar; of a vector one for each component."""
    owner, component = _observable(name, known)
    labels = known[owner].labels if component is None else ()
    if common is None:
        if not (isinstance(given, tuple | list) and len(given) == 2):
            raise InputError(f"data: '{name}' has no times",
                             'give {"time": times, ...}, or NAME: (times, values)')  # fmt: skip
        common, given = _numbers(name, given[0]), given[1]
    values = _numbers(name, given) * _scale(name, unit, known[owner].unit)
    shape = (len(common), len(labels)) if labels else (len(common),)
    if values.shape != shape or common.ndim != 1:
        raise InputError(f"data: '{name}' has {_shape(values)} values for {_shape(common)} times",
                         f"give {_shape(np.empty(shape))}")  # fmt: skip
    parts: list[tuple[str, int | None, Array]] = [(name, component, values)]
    if labels:
        parts = [(f"{name}.{x}", k, values[:, k]) for k, x in enumerate(labels)]
    made = []
    for own, place, column in parts:
        seen = ~np.isnan(column) & ~np.isnan(common)
        made.append(Column(own, owner, place, known[owner].unit, common[seen], column[seen]))
    return made


def _shape(values: Array) -> str:
    return " x ".join(map(str, values.shape))


def _observable(name: str, known: Mapping[str, Quantity]) -> tuple[str, int | None]:
    owner, _, label = name.rpartition(".")
    if name in known:
        return name, None
    if owner in known and label in known[owner].labels:
        return owner, known[owner].labels.index(label)
    cure = cure_of(name, known) or "name columns as observables, or choose some by outputs"
    raise UnknownName(f"data: no observable is named '{name}'", cure)


def _scale(name: str, unit: str, own: str) -> float:
    """What values in a unit are multiplied with."""
    if not unit:
        return 1.0
    try:
        scale, dimension = parse_unit(unit)
    except UnitError as error:
        raise UnitError(f"data: '{name}': {error.what}", error.cure) from None
    if own and dimension != dimension_of(own):
        raise UnitError(f"data: '{name}' is in {unit}, the observable in {own}",
                        "give a unit of the same kind")  # fmt: skip
    return scale


def _numbers(name: str, values: Any) -> Array:
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise InputError(f"data: '{name}' holds something that is no number",
                         "give NaN where nothing was measured") from None  # fmt: skip
    if np.isinf(found).any():
        raise InputError(f"data: '{name}' holds an infinite value", "leave it out")
    return found


def _refuse_bad(column: Column, begin: float) -> None:
    if not len(column.times):
        raise InputError(f"data: '{column.name}' holds no numbers", "leave the column out")
    if np.any(np.diff(column.times) <= 0):
        raise InputError(f"data: times of '{column.name}' do not increase",
                         "sort the samples; give one for each time")  # fmt: skip
    if column.times[0] < begin:
        raise InputError(
            f"data: '{column.name}' was measured at {column.times[0]:g} s, before the run begins "
            f"({begin:g} s)",
            "count times from the start of the run (simulate: {t_start: ...})",
        )
