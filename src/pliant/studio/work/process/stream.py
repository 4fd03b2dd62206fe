"""Samples of a run as frames, while it goes on: at most twenty a second."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.results.result import Result
from pliant.results.series import Series
from pliant.studio.work.process.frames import pack

INTERVAL = 0.05
"""Seconds between frames."""
Send = Callable[[bytes], None]


class Stream:
    """Frames of one run. The first one carries the scene, all have the same columns."""

    def __init__(
        self, send: Send, header: Mapping[str, Any], poses: Sequence[str],
        wanted: Callable[[Result], Iterable[str]], drawn: Callable[[Sequence[str], Result], Any],
    ) -> None:  # fmt: skip
        """``poses``: series that the scene moves by; ``wanted``: what is sent beside them, chosen
        from the first samples; ``drawn``: the scene, with arrows of some series."""
        self._send, self._header = send, header
        self._poses, self._wanted, self._drawn = poses, wanted, drawn
        self._names: list[str] = []
        self._sent = 0
        self._pieces: list[Result] = []
        self._last: dict[str, Array] = {}
        """Quaternions of the last samples: signs go on from there."""
        self._due = 0.0

    def take(self, piece: Result) -> None:
        """Samples since last time; they are sent if that was long enough ago."""
        if len(piece):
            self._pieces.append(self._continued(piece))
        if self._pieces and clock.monotonic() >= self._due:
            self._flush()

    def finish(self, result: Result) -> None:
        """What was not sent yet of the whole run."""
        self._pieces.clear()
        if self._sent < len(result) or not self._sent:
            self._frame([result], slice(self._sent, None))

    def _continued(self, piece: Result) -> Result:
        """With signs of quaternions that go on from the samples before."""
        turned = {n: s for n, s in piece.series.items() if s.kind == "rotation" and s.labels}
        for name, series in turned.items():
            if name in self._last and float(series.values[0] @ self._last[name]) < 0:
                turned[name] = replace(series, values=-series.values)
            self._last[name] = turned[name].values[-1]
        return replace(piece, series={**piece.series, **turned})

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        self._frame(pieces, slice(None))
        self._due = clock.monotonic() + INTERVAL

    def _frame(self, pieces: Sequence[Result], part: slice) -> None:
        first = pieces[0]
        header = {**self._header, "offset": self._sent}
        if not self._sent:
            needed = [*self._poses, *self._wanted(first)]
            self._names = [*dict.fromkeys(n for n in needed if n in first.series)]
            scene = self._drawn(self._names, first)
            header |= {} if scene is None else {"scene": scene}
        header["series"] = series_data(first, self._names)
        time = np.concatenate([p.time for p in pieces])[part]
        parts = ([_table(p.series[n]) for p in pieces] for n in self._names)
        columns = [column for own in parts for column in np.concatenate(own)[part].T]
        self._send(pack(header, time, columns))
        self._sent += len(time)


def series_data(result: Result, names: Iterable[str]) -> list[dict[str, Any]]:
    """What the columns of a frame are."""
    found: list[dict[str, Any]] = []
    column = 0
    for name in names:
        s = result.series[name]
        found.append({"name": name, "unit": s.unit, "labels": list(s.labels), "kind": s.kind,
                      "column": column, "unique": list(s.unique)})  # fmt: skip
        column += max(len(s.labels), 1)
    return found


def _table(series: Series) -> Array:
    return series.values.reshape(len(series.values), -1)


def frame_of(result: Result, names: Sequence[str], header: Mapping[str, Any]) -> bytes:
    """All samples of some series."""
    columns = [column for n in names for column in _table(result.series[n]).T]
    full = {"offset": 0, **header, "series": series_data(result, names)}
    return pack(full, result.time, columns)
