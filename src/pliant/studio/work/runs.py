"""Runs of this session: what the page lists, the text each was computed from, and its file."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

from pliant.records import dataclass
from pliant.studio.work.asked import Kept
from pliant.studio.work.source import Source, WorkError

LOADED = "loaded"
"""The analysis of a run that comes from a file."""


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run; ``data`` is what the page is told of it (RunData of protocol.ts)."""

    data: Mapping[str, Any]
    kept: Kept


class Runs:
    """All of them, by number."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._next, self._labels = folder, count(1), count(1)
        self._runs: dict[int, Run] = {}

    def reserve(self, most: int = 1) -> int:
        """A number for a run that is to be made, the first of so many."""
        numbers = [next(self._next) for _ in range(most)]
        return numbers[0]

    def file(self, run: int) -> Path:
        """Where the result of a run is kept."""
        return self._folder / f"run-{run}.result"

    def add(self, source: Source, options: Mapping[str, Any], data: Mapping[str, Any]) -> None:
        """A finished run; one without a label is numbered."""
        run = int(data["id"])
        label = data.get("label") or f"run {next(self._labels)}"
        analysis = "" if data["analysis"] == LOADED else data["analysis"]
        kept = Kept(run, self.file(run), source, data["params"], analysis, options)
        self._runs[run] = Run({**data, "label": label}, kept)

    def __getitem__(self, run: int) -> Run:
        if run not in self._runs:
            raise WorkError(f"there is no run {run}", "it was forgotten, or never finished")
        return self._runs[run]

    def forget(self, run: int) -> None:
        """Away with it and its file."""
        if self._runs.pop(run, None) is not None:
            with contextlib.suppress(OSError):
                self.file(run).unlink()

    def data(self) -> list[dict[str, Any]]:
        """What the page lists."""
        return [dict(run.data) for run in self._runs.values()]
