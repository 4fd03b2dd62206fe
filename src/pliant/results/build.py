"""From the raw tables of a run to labelled series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pliant.arrays import Flags
from pliant.results.result import EventRecord, Result
from pliant.results.series import Recorded, Series, labelled, with_work
from pliant.solve.motion.run import Trajectory
from pliant.solve.single_states import RowSource


def result_of(
    compiled: RowSource,
    data: Trajectory,
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


def events_of(data: Trajectory) -> tuple[EventRecord, ...]:
    """Events that happened."""
    return tuple(EventRecord(c.rule.name, c.time, c.rule.message) for c in data.events)


def series_of_run(
    compiled: RowSource, data: Trajectory, unique: Mapping[str, Flags]
) -> dict[str, Series]:
    """Every observable that was asked for, and the work of powers among them."""
    asked = compiled.asked
    turns = dict(zip(compiled.wrapped, data.turns.T, strict=False))
    own = [name for name in compiled.powers if name in asked]
    table = data.outputs
    if not len(data.time):
        table = np.zeros((0, sum(o.size for o in asked.values())))
    series = labelled(asked, table, turns, unique)
    return with_work(series, own, data.work)
