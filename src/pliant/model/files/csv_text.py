"""CSV files as the data of signals."""

from __future__ import annotations

import csv
from pathlib import Path

from pliant.errors import FileError
from pliant.model.files.document import MAX_BYTES
from pliant.model.named import did_you_mean


def read_columns(
    path: Path, time: str | None, value: str | None
) -> tuple[list[float], list[float]]:
    """Two columns of a CSV file with a header row; by default `time` (or the first), the second."""
    rows = _rows(path)
    header = [cell.strip() for cell in rows[0]]
    at = _column(header, time, "time" if "time" in header else header[0], path)
    of = _column(header, value, header[1] if len(header) > 1 else header[0], path)
    times, values = [], []
    for number, row in enumerate(rows[1:], start=2):
        try:
            times.append(float(row[at]))
            values.append(float(row[of]))
        except (ValueError, IndexError):
            raise FileError(
                f"{path.name}, line {number}: not two numbers", "fix the line"
            ) from None
    return times, values


def _rows(path: Path) -> list[list[str]]:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileError(f"{path.name} is larger than {MAX_BYTES // 10**6} MB", "thin it out")
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if row]
    except (OSError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "check the path; it is relative to the "
                        "model file") from None  # fmt: skip
    if len(rows) < 3:
        raise FileError(f"{path.name} has no data", "give a header row and at least two rows")
    return rows


def _column(header: list[str], name: str | None, default: str, path: Path) -> int:
    wanted = default if name is None else name
    if wanted not in header:
        raise FileError(f"{path.name} has no column '{wanted}'", did_you_mean(wanted, header))
    return header.index(wanted)
