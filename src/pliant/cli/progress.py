"""How far a command is, on standard error: one line of a terminal, plain lines in a pipe."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from pliant.errors import PliantError

SOON, OFTEN = 0.3, 0.1
"""Seconds after which something is said on a terminal, and until it is said anew."""
FIRST, SELDOM = 1.0, 5.0
"""The same in a pipe."""


class Line:
    """What is going on; nothing at all with ``quiet``."""

    def __init__(self, quiet: bool = False) -> None:
        self._terminal, self._quiet, self._width = sys.stderr.isatty(), quiet, 0
        self._said = self._began = time.monotonic()
        self._pause = SOON if self._terminal else FIRST

    def __call__(self, what: str) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if self._quiet or now - self._said < self._pause:
            return
        self._said, self._pause = now, OFTEN if self._terminal else SELDOM
        if self._terminal:
            what = what[: shutil.get_terminal_size().columns - 1]  # a longer one would leave rows
            print(f"\r{what:{self._width}s}", end="", file=sys.stderr, flush=True)
            self._width = max(self._width, len(what))
        else:
            print(what, file=sys.stderr, flush=True)

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    def clear(self) -> None:
        """Take the line of a terminal away."""
        if self._width:
            print("\r" + " " * self._width + "\r", end="", file=sys.stderr, flush=True)
            self._width = 0


def run_progress(
    system: Any, params: Mapping[str, Any], t_end: str | None = None, quiet: bool = False
) -> RunProgress:
    """Of a run of a model from its start to its end, as far as these are known by now: what is
    wrong with parameters is said by the run."""
    from pliant.analysis.guard import seconds
    from pliant.backends.request import setting_numbers

    known = {name: value for name, value in params.items() if name in system.model.parameters}
    try:
        numbers = setting_numbers(system, known)
        (end,) = seconds(system, known, t_end=t_end)
    except PliantError:
        return RunProgress(0.0, None, quiet)
    return RunProgress(numbers["t_start"] or 0.0, numbers["t_end"] if end is None else end, quiet)


class RunProgress(Line):
    """Of a run from ``begin`` to ``end``: its phase; percent, simulated time and time left."""

    def __init__(self, begin: float, end: float | None, quiet: bool = False) -> None:
        super().__init__(quiet)
        self._begin, self._end, self._since = begin, end, self._began

    def phase(self, name: str) -> None:
        """What is made before the first step."""
        self._since = time.monotonic()
        self(f"  {name} ...")

    def at(self, t: float) -> None:
        """The simulated time."""
        if self._end is None or not self._end > self._begin:
            self(f"  t = {t:.6g} s")
            return
        part = min(max((t - self._begin) / (self._end - self._begin), 0.0), 1.0)
        left = ""
        if part > 0.01:
            left = f", {(time.monotonic() - self._since) * (1 - part) / part:.0f} s left"
        self(f"  integrating {100 * part:3.0f} %, {t:.4g} of {self._end:.4g} s{left}")

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Phases are listened to meanwhile; afterwards nothing is left of the line."""
        from pliant.code import phases

        try:
            with phases.listening(self.phase):
                yield
        finally:
            self.clear()
