"""A run as the page asks for it, on its way to a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pliant.records import dataclass
from pliant.studio.work.source import Source


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
