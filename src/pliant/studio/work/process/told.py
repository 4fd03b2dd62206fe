"""What a job is busy with, how far it is and how long it will take."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pliant.code import phases
from pliant.studio.work.process.stream import INTERVAL
from pliant.studio.work.process.worker import Task
from pliant.study import Study

_QUIET = 0.15
"""Seconds of a draft before its phases are told."""


class Told:
    """Phases and progress of one task, at most twenty times a second."""

    def __init__(self, task: Task, *, quietly: bool) -> None:
        self._task, self._phase, self._began = task, "", 0.0
        self._quiet = clock.monotonic() + _QUIET * quietly
        self._due = self._quiet
        self._counts = False
        self.system: Study | None = None

    def phase(self, name: str) -> None:
        """Something else begins."""
        if self._counts:
            return
        if name != self._phase:
            self._phase, self._began = name, clock.monotonic()
            if self._began >= self._quiet:
                self._tell()
        self._task.go_on()

    def counting(self, name: str) -> None:
        """Many runs begin: what each of them is busy with is not told."""
        self.phase(name)
        self._counts = True

    def progress(self, part: float) -> None:
        """How much of the phase is done."""
        now = clock.monotonic()
        if now >= self._due:
            self._due = now + INTERVAL
            left = (now - self._began) * (1 - part) / part if part > 0 else None
            self._tell(progress=min(max(part, 0.0), 1.0), remaining=left)
        self._task.go_on()

    def line(self, text: str) -> None:
        """What an analysis of many runs is at."""
        now = clock.monotonic()
        if now >= self._due:
            self._due = now + INTERVAL
            self._phase = text
            self._tell()
        self._task.go_on()

    def _tell(self, **more: Any) -> None:
        self._task.tell({"phase": self._phase, "quick": quick(self.system), "progress": None,
                         "remaining": None, **more})  # fmt: skip

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Phases of rooms below are told."""
        with phases.listening(self.phase):
            yield


def quick(system: Study | None) -> bool:
    """Whether better machine code of a system is still to be made."""
    programs = system.programs.values() if system is not None else ()
    return any(p.compiled.unfinished for p in programs if hasattr(p, "compiled"))
