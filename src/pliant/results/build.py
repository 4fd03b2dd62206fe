"""From the raw tables of a run to labelled series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array, Flags
from pliant.equations import Observed
from pliant.results.recorded import Recorded
from pliant.results.result import EventRecord, Result
from pliant.results.series import Series
from pliant.solve.points import Observable, table_of
from pliant.solve.run import RunData

QUATERNION = ("w", "x", "y", "z")


def result_of(
    compiled: Observable,
    data: RunData,
    *,
    info: Mapping[str, Any],
    unique: Mapping[str, Flags],
    warnings: tuple[str, ...] = (),
    model: str = "",
    recorded: Recorded | None = None,
) -> Result:
    """Label every observable that was asked for."""
    return Result(
        time=data.time,
        series=series_of_run(compiled, data, unique),
        info={**info, "statistics": data.statistics},
        events=events_of(data),
        warnings=warnings,
        failure=data.failure,
        model=model,
        recorded=recorded,
    )


def events_of(data: RunData) -> tuple[EventRecord, ...]:
    """Events that happened."""
    return tuple(EventRecord(c.rule.name, c.time, c.rule.message) for c in data.events)


def series_of_run(
    compiled: Observable, data: RunData, unique: Mapping[str, Flags]
) -> dict[str, Series]:
    """Every observable that was asked for, and the work of powers among them."""
    series: dict[str, Series] = {}
    asked = compiled.asked
    turns = dict(zip(compiled.wrapped, data.turns.T, strict=False))
    own = [name for name in compiled.powers if name in asked]
    work = dict(zip(own, data.work.T, strict=False))
    for name, place in table_of(asked).items():
        o = asked[name]
        values = data.outputs[:, place] if len(data.time) else np.zeros((0, o.size))
        series[name] = series_of(o, values, turns.get(name), unique.get(name, ()))
        if name in work:
            series[name.removesuffix("power") + "work"] = Series(work[name], "J", (), "work")
    return series


def series_of(
    o: Observed, values: Array, turns: Array | None = None, unique: Iterable[Any] = ()
) -> Series:
    """One observable: rotation matrices become quaternions, angles count their turns."""
    if o.kind == "rotation":
        return Series(quaternions(values), "1", QUATERNION, "rotation")
    if turns is not None:
        values = values + turns[:, None]
    column = values if o.labels else values[:, 0]
    return Series(column, o.unit, o.labels, o.kind, tuple(bool(u) for u in unique))


def quaternions(columns: Array) -> Array:
    """Unit quaternions (w, x, y, z) of rotation matrices given column by column.

    Signs are chosen so that the series is continuous; the first has w >= 0.
    """
    R = columns.reshape(-1, 3, 3).transpose(0, 2, 1)
    trace = np.einsum("kii->k", R)
    diagonal = np.stack([trace, R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]], axis=1)
    four = 1 + 2 * diagonal - trace[:, None]
    four[:, 0] = 1 + trace
    v = np.stack([R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]], 1)
    s = np.stack([R[:, 1, 2] + R[:, 2, 1], R[:, 0, 2] + R[:, 2, 0], R[:, 0, 1] + R[:, 1, 0]], 1)
    rows = np.stack([
        np.stack([four[:, 0], v[:, 0], v[:, 1], v[:, 2]], 1),
        np.stack([v[:, 0], four[:, 1], s[:, 2], s[:, 1]], 1),
        np.stack([v[:, 1], s[:, 2], four[:, 2], s[:, 0]], 1),
        np.stack([v[:, 2], s[:, 1], s[:, 0], four[:, 3]], 1),
    ], 1)  # fmt: skip
    best = np.argmax(four, axis=1)
    quat: Array = rows[np.arange(len(R)), best]
    quat /= np.linalg.norm(quat, axis=1, keepdims=True)
    if len(quat):
        quat[0] *= 1.0 if quat[0, 0] >= 0 else -1.0
        same = np.einsum("ki,ki->k", quat[1:], quat[:-1]) >= 0
        quat[1:] *= np.cumprod(np.where(same, 1.0, -1.0))[:, None]
    return quat
