"""Sweeps as files: netCDF (everything), CSV (a row of each run, for any tool)."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pliant.errors import FileError
from pliant.writing import checked_target, replace_bytes, replace_text

if TYPE_CHECKING:
    from pliant.results.sweeps.sweep import Sweep

KINDS = (".nc", ".csv")


def save_sweep(sweep: Sweep, path: str | Path) -> None:
    """Write by the ending of the name; nothing half-written is left behind."""
    target = checked_target(path, KINDS)
    if target.suffix.lower() == ".csv":
        replace_text(target, _table(sweep))
        return
    stream = io.BytesIO()
    try:
        sweep.to_dataset().to_netcdf(stream, engine="h5netcdf")
    except (ValueError, TypeError) as error:
        raise FileError(f"cannot write {path}: {error}", "write .csv instead") from None
    replace_bytes(target, stream.getvalue())


def _table(sweep: Sweep) -> str:
    """Header row; what was varied, what was observed last, when and why a run ended."""
    last = [sweep.last(name) for name in sweep.scalars]
    failures, stream = sweep.failures, io.StringIO()
    write = csv.writer(stream).writerow
    write(["run", *sweep.varied.names, *sweep.scalars, "end", "failure"])
    ends = sweep.end
    for k in range(len(sweep)):
        numbers = [_cell(values[k]) for values in last]
        write([k, *sweep.run(k).values(), *numbers, _cell(ends[k]), failures.get(k, "")])
    return stream.getvalue()


def _cell(value: float) -> str:
    """A number with all its digits; nothing where there is none."""
    return repr(float(value)) if np.isfinite(value) else ""
