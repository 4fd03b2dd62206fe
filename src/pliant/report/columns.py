"""The numbers of the page: which observables it holds, at which times."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.report.packing import packed
from pliant.results.result import Result
from pliant.results.series import Series

MOST_NUMBERS = 1_000_000
"""Numbers that vary, at most: a page of about four megabytes."""
FEWEST_SAMPLES = 600

_FIRST = ("coordinate", "rate", "energy", "effort", "deflection", "other", "reaction", "internal",
          "power", "work", "momentum", "position", "velocity", "acceleration",
          "rotation")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Columns:
    """What the page holds of a result. ``left_out`` counts observables that did not fit."""

    samples: Integers
    names: tuple[str, ...]
    left_out: int

    def as_data(self, result: Result) -> dict[str, Any]:
        """Times, series by name with their place in one packed table."""
        columns: list[Array] = []
        series: list[dict[str, Any]] = []
        for name in self.names:
            s = result.series[name]
            series.append({
                "name": name, "unit": s.unit, "labels": list(s.labels), "kind": s.kind,
                "column": len(columns), "unique": list(s.unique),
            })  # fmt: skip
            columns += list(_table(s)[self.samples].T)
        return {
            "time": [float(f"{t:.12g}") for t in result.time[self.samples]],
            "series": series, "numbers": packed(columns),
        }  # fmt: skip


def columns_of(result: Result, poses: Sequence[str], wanted: Collection[str]) -> Columns:
    """All that is needed and wanted, then the most telling observables that fit."""
    needed = [name for name in result.series if name in set(poses) | set(wanted)]
    cost = {name: _varying(s) for name, s in result.series.items()}
    each = max(1, sum(cost[name] for name in needed))
    samples = _samples(len(result), max(FEWEST_SAMPLES, MOST_NUMBERS // each))
    room = MOST_NUMBERS // len(samples) - each
    rest = [name for name in result.series if name not in needed]
    kept = set(needed)
    for name in sorted(rest, key=lambda n: _rank(result.series[n].kind)):
        if cost[name] <= room:
            kept.add(name)
            room -= cost[name]
    names = tuple(name for name in result.series if name in kept)
    return Columns(samples, names, len(result.series) - len(names))


def _rank(kind: str) -> int:
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST)


def _samples(count: int, most: int) -> Integers:
    """Every sample, or evenly chosen ones with the first and the last."""
    if count <= most:
        return np.arange(count)
    return np.unique(np.linspace(0, count - 1, most).round().astype(np.int64))


def _table(series: Series) -> Array:
    return series.values.reshape(len(series.values), -1)


def _varying(series: Series) -> int:
    """Columns that are not constant; constant ones take no room."""
    table = _table(series)
    return int(np.count_nonzero((table != table[:1]).any(axis=0)))
