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

    def file(self, run: int) -> Path:
        """Where a result is kept."""
        return self.folder / f"run-{run}.result"


@dataclass(frozen=True, slots=True)
class Exported:
    """What a run was, for those kinds that are of one. ``run`` is None for the others."""

    source: Source
    params: Mapping[str, Any]
    options: Mapping[str, Any]
    folder: Path
    run: int | None = None
    file: Path | None = None
    analysis: str = ""
    settings: Mapping[str, Any] | None = None

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
