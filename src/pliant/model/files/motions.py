"""Drivers, signals (also from CSV files) and events from their mappings in a file."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.drivers import LEVELS, FrameDriver, JointDriver
from pliant.model.events import Event
from pliant.model.fields import kinds_of, shown
from pliant.model.files.document import MAX_BYTES
from pliant.model.files.elements import Entry, Given
from pliant.model.materials import Material
from pliant.model.named import did_you_mean
from pliant.model.signals import Signal


def driver_from(entry: Entry, given: Given) -> Any:
    """`spin: {joint: O, angle: omega*t}`, `hand: {frame: arm.tip, position: [x, null, z]}`."""
    if ("joint" in given) == ("frame" in given):
        what = "both a joint and a frame" if "joint" in given else "neither a joint nor a frame"
        entry.fault(f"it drives {what}", "give one: joint or frame")
        return None
    return _joint_driver(entry, given) if "joint" in given else _frame_driver(entry, given)


def _joint_driver(entry: Entry, given: dict[str, Any]) -> Any:
    """A level is a key, or the name of a coordinate, which means its position."""
    motions = [key for key in given if key not in ("joint", "coordinate")]
    if len(motions) != 1:
        what = f"several motions: {', '.join(motions)}" if motions else "no motion is given"
        entry.fault(what, "give one: a coordinate such as angle, or velocity or acceleration")
        return None
    (key,) = motions
    level = key if key in LEVELS else "position"
    coordinate = given.get("coordinate", None if key in LEVELS else key)
    return entry.built(JointDriver, joint=given["joint"], coordinate=coordinate, level=level,
                       motion=given[key])  # fmt: skip


def _frame_driver(entry: Entry, given: dict[str, Any]) -> Any:
    turning = {"position": "orientation"}
    turning |= {level: f"angular_{level}" for level in LEVELS[1:]}
    entry.known(given, ("frame", *LEVELS, *turning.values()))
    levels = [level for level in LEVELS if level in given or turning[level] in given]
    if len(levels) != 1:
        what = f"several levels: {', '.join(levels)}" if levels else "no motion is given"
        entry.fault(what, "give one: position, velocity or acceleration")
        return None
    (level,) = levels
    return entry.built(
        FrameDriver,
        frame=given["frame"],
        level=level,
        translation=given.get(level),
        orientation=given.get("orientation"),
        angular=given.get(turning[level]) if level != "position" else None,
    )


_SIGNAL_KEYS = ("file", "time", "value", "points", "times", "values", "source", "interpolation")


def signal_from(entry: Entry, given: Given) -> Any:
    """`wind: {file: wind.csv, value: speed}`, or {points: [[t, v], ...]}, {times: , values: }."""
    entry.known(given, _SIGNAL_KEYS)
    ways = [key for key in ("file", "points", "times") if key in given]
    if len(ways) != 1:
        entry.fault("its data is missing" if not ways else f"data is given as {', '.join(ways)}",
                    "give one: file, points, or times and values")  # fmt: skip
        return None
    try:
        data = _signal_data(entry, given)
    except InputError as error:
        entry.fault(error.what, error.cure, ways[0])
        return None
    more: dict[str, Any] = {k: given[k] for k in ("source", "interpolation") if k in given}
    return entry.built(Signal, **(data | more))


def _signal_data(entry: Entry, given: dict[str, Any]) -> dict[str, Any]:
    """Times and values, from lists, points or a file, which is then the source."""
    if "times" in given:
        return {"times": given["times"], "values": given.get("values", [])}
    if "points" in given:
        pairs = given["points"]
        if not isinstance(pairs, list) or not all(
            isinstance(p, list) and len(p) == 2 for p in pairs
        ):
            raise InputError("points are pairs [time, value]", "write [[0, 1], [2, 3]]")
        return {"times": [p[0] for p in pairs], "values": [p[1] for p in pairs]}
    name = given["file"]
    if not isinstance(name, str) or not name:
        raise InputError(f"file: {shown(name)} is not a path", "give the name of a CSV file")
    if entry.base is None:
        raise InputError(f"file: '{name}' cannot be found from a text", "load the model by path")
    columns = [given.get(key) for key in ("time", "value")]
    if any(c is not None and not isinstance(c, str) for c in columns):
        raise InputError("time and value are names of columns", "quote them")
    times, values = read_columns(entry.base / name, *columns)
    source = ": ".join([name, *(c for c in columns if c)])
    return {"times": times, "values": values, "source": source}


def event_from(entry: Entry, given: Given, **stop: bool) -> Any:
    """`top: {when: O.angle_rate, direction: falling}` or simply a formula or condition; one that
    ends the run: `hit_floor: tip.position.z < 0`."""
    entry.known(given, kinds_of(Event))
    if "when" not in given:
        entry.fault("when is missing", "give the formula that crosses zero, or a condition")
        return None
    return entry.built(Event, **{**given, **stop})


def material_from(entry: Entry, given: Given) -> Any:
    """`steel: {E: 210 GPa, nu: 0.3, density: 7850}`."""
    entry.known(given, kinds_of(Material))
    return None if entry.faults and not given else entry.built(Material, **given)


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
