"""Jobs: what the run button asked for, one after the other; of drafts only the newest waits."""

from __future__ import annotations

import time as clock
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from pliant.records import dataclass
from pliant.studio.work.source import Source


@dataclass(eq=False)
class Job:
    """One of them. ``task``: its number at the worker, once it is there."""

    number: int
    run: int
    source: Source
    analysis: str
    options: Mapping[str, Any]
    params: Mapping[str, str]
    outputs: Sequence[str]
    draft: bool
    state: str = "queued"
    about: dict[str, Any] = field(default_factory=dict)
    """Phase, progress, and what else the page is told."""
    started: float = field(default_factory=clock.time)
    task: int | None = None
    ends: Any = None
    """A timer: when the worker is ended if the job has not stopped by then."""

    @property
    def data(self) -> dict[str, Any]:
        """What the page is told (JobData of protocol.ts)."""
        return {
            "id": self.number, "analysis": self.analysis, "draft": self.draft, "state": self.state,
            "phase": "", "progress": None, "remaining": None, "quick": False, "run": self.run,
            "failure": "", "elements": [], **self.about,
        }  # fmt: skip


class Queue:
    """Jobs that wait. At most one of them is a draft, the newest; a run takes its place."""

    def __init__(self) -> None:
        self._jobs: deque[Job] = deque()

    def put(self, job: Job) -> list[Job]:
        """Add a job; returns drafts that are dropped for it."""
        dropped = [other for other in self._jobs if other.draft]
        for other in dropped:
            self._jobs.remove(other)
        self._jobs.append(job)
        return dropped

    def take(self) -> Job | None:
        """The next one."""
        return self._jobs.popleft() if self._jobs else None

    def remove(self, job: Job) -> bool:
        """Away with a job; whether it was waiting."""
        if job not in self._jobs:
            return False
        self._jobs.remove(job)
        return True
