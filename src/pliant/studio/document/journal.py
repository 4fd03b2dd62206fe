"""Changes that are not yet in the file, kept where a crash does not reach them.

A journal is a file of lines in the user's state folder: what the text was at first, then every
change before it is confirmed. It goes when the text is saved. One that nobody holds and that says
something is what a studio left behind that was killed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from pliant.model.files.editing.splices import Splice, applied
from pliant.records import dataclass

try:
    import fcntl
except ImportError:  # elsewhere nobody is kept out: the second studio finds its own name taken
    fcntl = None  # type: ignore[assignment]

_MOST = 16


@dataclass(frozen=True, slots=True)
class Left:
    """What a studio left behind: the text it had, and when it wrote last."""

    text: str
    when: float
    file: Path


def state_folder() -> Path:
    """Where journals are: PLIANT_STATE_DIR, or pliant in the user's folder of states."""
    given = os.environ.get("PLIANT_STATE_DIR")
    if given:
        return Path(given)
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "pliant"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "pliant"


class Journal:
    """Of one file in one studio. Where no folder can be written, nothing is kept: ``failure`` says
    why."""

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        self.path = path
        self.folder = (folder or state_folder()) / "studio"
        self.others = 0
        """Other studios that have this file open."""
        self.left: Left | None = None
        self.failure = ""
        self._file: IO[str] | None = None
        self._begun = False
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._take()
        except OSError as error:
            self.failure = f"changes are not kept in {self.folder}: {error.strerror or error}"

    def _take(self) -> None:
        """The first of this file's journals that no other studio holds; what stands in those that
        nobody holds was left behind, and is put aside."""
        key = hashlib.sha256(str(self.path).encode()).hexdigest()[:24]
        for k in range(_MOST):
            name = self.folder / f"{key}-{k}.jsonl"
            if self._file is not None and not name.exists():
                break
            file = open(name, "a+", encoding="ascii")  # noqa: SIM115 (held while the studio runs)
            if not _locked(file):
                file.close()
                self.others += 1
                continue
            if name.stat().st_size:
                aside = self.folder / f"{key}-left-{time.time_ns()}.jsonl"
                aside.write_bytes(name.read_bytes())
                file.truncate(0)
            if self._file is None:
                self._file = file
            else:
                file.close()
                name.unlink(missing_ok=True)
        if self._file is None:
            self.failure = "changes are not kept: too many studios have this file open"
        found = (_read(name) for name in sorted(self.folder.glob(f"{key}-left-*.jsonl")))
        self.left = max((left for left in found if left), key=lambda left: left.when, default=None)

    def add(self, before: str, splices: Sequence[Splice], revision: int) -> None:
        """A change of the text ``before``."""
        if self._file is None:
            return
        if not self._begun:
            self._clear()
            self._line({"path": str(self.path), "text": before, "when": time.time()})
            self._begun = True
        self._line({"revision": revision, "splices": list(splices), "when": time.time()})

    def saved(self) -> None:
        """The text is in its file now."""
        self._begun = False
        self._clear()

    def discard(self) -> None:
        """What was left behind is not wanted, or is in the text again."""
        if self.left is not None:
            self.left.file.unlink(missing_ok=True)
        self.left = None

    def close(self) -> None:
        """At the end of the studio: an empty journal goes."""
        if self._file is None:
            return
        name = Path(self._file.name)
        empty = self._file.tell() == 0
        self._file.close()
        self._file = None
        if empty:
            name.unlink(missing_ok=True)

    def _clear(self) -> None:
        if self._file is not None:
            self._file.seek(0)
            self._file.truncate()

    def _line(self, data: dict[str, Any]) -> None:
        assert self._file is not None
        try:
            self._file.write(json.dumps(data) + "\n")
            self._file.flush()
        except OSError as error:
            self.failure = f"changes are no longer kept in {self.folder}: {error.strerror or error}"
            self._file = None


def _locked(file: IO[str]) -> bool:
    """Whether the file is now ours; the lock goes with the process."""
    if fcntl is None:
        return True
    with contextlib.suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _read(name: Path) -> Left | None:
    """The text a journal leads to; what comes behind a line that was cut off or cannot be read is
    left out."""
    text: str | None = None
    when, changed = 0.0, False
    for line in name.read_text(encoding="ascii", errors="replace").splitlines():
        try:
            data = json.loads(line)
            when = data["when"]
            if text is None:
                text = data["text"]
            else:
                text = applied(text, [(a, b, new) for a, b, new in data["splices"]])
                changed = True
        except (ValueError, TypeError, KeyError):
            break
    return Left(text, when, name) if text is not None and changed else None
