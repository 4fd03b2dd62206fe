"""Events of a run of blocks: looked for between recorded samples, located by interpolation."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pliant.analysis.blocks.observe import Observations, States
from pliant.model.events import Event
from pliant.results.result import EventRecord

Array = NDArray[np.float64]


def happened(
    look: Observations, events: Mapping[str, Event]
) -> tuple[list[EventRecord], float | None]:
    """All crossings in order, and when the first one ended the run."""
    found: list[tuple[EventRecord, bool]] = []
    for name, event in events.items():
        values = look.value(event.when)
        times = _crossings(look.states.t, values, event.direction)
        found += [(EventRecord(name, t, event.message), event.stop) for t in times]
    found.sort(key=lambda entry: entry[0].time)
    stops = [record.time for record, stop in found if stop]
    return [record for record, _ in found], stops[0] if stops else None


def _crossings(t: Array, values: Array, direction: str) -> list[float]:
    """Zeros between samples, on the straight line."""
    a, b = values[:-1], values[1:]
    rising, falling = (a < 0) & (b >= 0), (a > 0) & (b <= 0)
    counts = {"rising": rising, "falling": falling}.get(direction, rising | falling)
    places = np.flatnonzero(counts)
    share = a[places] / (a[places] - b[places])
    return [float(x) for x in t[places] + share * (t[places + 1] - t[places])]


def cut_at(states: States, time: float) -> States:
    """The states up to a time."""
    n = int(np.searchsorted(states.t, time, side="right"))
    return States(states.t[:n], states.load[:n], states.q[:n], states.u[:n], states.a[:n])
