"""Events of a run of blocks: looked for between recorded samples, located by interpolation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.analysis.blocks.observe import Observations, States
from pliant.arrays import Array
from pliant.model.events import Event
from pliant.results.result import EventRecord


@dataclass(frozen=True, slots=True)
class Happened:
    """Crossings in order; when the first one ended the run; the first sample at which an event has
    no value, and which event."""

    records: list[EventRecord]
    stop: float | None
    blind: int | None = None
    lost: str = ""


def happened(look: Observations, events: Mapping[str, Event]) -> Happened:
    """What events saw in a run, up to the sample at which one can no longer be watched."""
    table = {name: look.value(event.when) for name, event in events.items()}
    blind = {n: int(np.argmax(np.isnan(y))) for n, y in table.items() if np.isnan(y).any()}
    lost = min(blind, key=blind.__getitem__, default="")
    end = blind[lost] if lost else len(look.states.t)
    found: list[tuple[EventRecord, bool]] = []
    for name, event in events.items():
        values = table[name][:end]
        times = _crossings(look.states.t[:end], values, event.direction)
        found += [(EventRecord(name, t, event.message), event.stop) for t in times]
    found.sort(key=lambda entry: entry[0].time)
    stops = [record.time for record, stop in found if stop]
    records = [record for record, _ in found]
    if stops:
        return Happened([r for r in records if r.time <= stops[0]], stops[0])
    return Happened(records, None, end if lost else None, lost)


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
