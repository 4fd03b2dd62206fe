"""A run, or a file to download, as the page asks for it: on its way to a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.records import dataclass
from pliant.studio.work.source import Source, WorkError

MOST_MODES = 32
"""Runs that one job may make."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A finished run: its number, its file, and what it was computed from. ``analysis`` is empty
    for results of files."""

    number: int
    file: Path
    source: Source
    params: Mapping[str, Any]
    analysis: str
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """``run``: the number of the first result it makes."""

    source: Source
    analysis: str
    options: Mapping[str, Any]
    params: Mapping[str, Any]
    outputs: Sequence[str]
    draft: bool
    job: int
    run: int
    folder: Path

    @property
    def header(self) -> dict[str, Any]:
        """Of its frames."""
        params = {name: str(value) for name, value in self.params.items()}
        return {"type": "samples", "run": self.run, "job": self.job, "draft": self.draft,
                "params": params}  # fmt: skip

    def kept(self, run: int) -> Kept:
        """One of the runs that it makes, or that it is of."""
        file = self.folder / f"run-{run}.result"
        return Kept(run, file, self.source, self.params, self.analysis, self.options)


@dataclass(frozen=True, slots=True)
class Exported:
    """A file: of a document, or of a run."""

    source: Source
    params: Mapping[str, Any]
    options: Mapping[str, Any]
    folder: Path
    run: Kept | None = None

    @property
    def analysis(self) -> str:
        """That of the run."""
        return "" if self.run is None else self.run.analysis

    @property
    def settings(self) -> Mapping[str, Any]:
        """Options of the run."""
        return {} if self.run is None else self.run.options

    @property
    def stem(self) -> str:
        """What files are called."""
        return Path(self.source.name).stem or "model"

    def target(self, ending: str) -> Path:
        """The file to write."""
        return self.folder / f"{self.stem}{ending}"

    def ending(self, known: Sequence[str]) -> str:
        """That of the format that was asked for, the first one otherwise."""
        own = str(self.options.get("format") or known[0].removeprefix("."))
        if f".{own}" not in known:
            choices = ", ".join(k.removeprefix(".") for k in known)
            raise WorkError(f"format: '{own}' is unknown", f"use {choices}")
        return f".{own}"

    @property
    def names(self) -> list[str]:
        """Observables that were chosen, if any were."""
        return [str(name) for name in self.options.get("names") or ()]
