"""From the raw tables of a run to labelled series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.arrays import Array, Flags
from pliant.errors import Interrupted
from pliant.results.result import EventRecord, Result, Series
from pliant.solve.points import Observable
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
) -> Result:
    """Label every observable; rotation matrices become quaternions, angles count their turns. A
    run that Ctrl-C ended raises ``Interrupted`` with its result."""
    series: dict[str, Series] = {}
    turns = dict(zip(compiled.wrapped, data.turns.T, strict=False))
    work = dict(zip(compiled.powers, data.work.T, strict=False))
    for name, o in compiled.observed.items():
        values = np.zeros((0, o.size))
        if len(data.time):
            values = data.outputs[:, o.start : o.start + o.size]
        if o.kind == "rotation":
            series[name] = Series(quaternions(values), "1", QUATERNION, "rotation")
            continue
        if name in turns:
            values = values + turns[name][:, None]
        column = values if o.labels else values[:, 0]
        series[name] = Series(
            column, o.unit, o.labels, o.kind, tuple(bool(u) for u in unique.get(name, ()))
        )
        if name in work:
            series[name.removesuffix("power") + "work"] = Series(work[name], "J", (), "work")
    result = Result(
        time=data.time,
        series=series,
        info={**info, "statistics": data.statistics},
        events=tuple(EventRecord(c.rule.name, c.time, c.rule.message) for c in data.events),
        warnings=warnings,
        failure=data.failure,
        model=model,
    )
    if data.failed is not None and data.failed.code == "interrupted":
        raise Interrupted(result)
    return result


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
