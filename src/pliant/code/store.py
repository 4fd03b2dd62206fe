"""The cache on disk: blobs by key, safe when several processes read and write at once.

A blob is written beside its final name and moved into place, so that a reader sees all of it or
nothing. The folder is $PLIANT_CACHE_DIR, or ``pliant`` in the user's cache folder; if it cannot be
written, nothing is kept and everything still works.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """One blob: its file, size in bytes and time of last use."""

    path: Path
    size: int
    used: float


def folder() -> Path:
    """Where blobs are kept."""
    given = os.environ.get("PLIANT_CACHE_DIR")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return base / "pliant"


def key_of(*parts: str) -> str:
    """A name for what is determined by ``parts`` and the source of this package."""
    text = "\0".join([source_stamp(), *parts])
    return hashlib.sha256(text.encode()).hexdigest()[:40]


PACKAGE = Path(__file__).parent.parent
_HASH = 64
_SETTLED = 2_000_000_000
"""Nanoseconds after which a file that is written again gets another time."""
_MAKERS = ("backends", "bonds", "code", "flex", "formulations", "graphs", "mechanics", "model",
           "observe", "solve", "spatial")  # fmt: skip
"""Rooms that machine code comes from."""


@cache
def source_stamp() -> str:
    """Changes whenever the text of a file changes that has part in making code."""
    return sources_hash("code", _MAKERS, _digest_of_makers)


def _digest_of_makers() -> str:
    digest = hashlib.sha256()
    for room in _MAKERS:
        for path in sorted((PACKAGE / room).rglob("*.py")):
            name = path.relative_to(PACKAGE).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def sources_hash(what: str, rooms: Sequence[str], compute: Callable[[], str]) -> str:
    """compute(), a hash of the text of files in some rooms of this package. It is kept, so that
    they are not read again while all of them have the size and the times that they had."""
    files = sorted(entry for room in rooms for entry in _files(PACKAGE / room))
    newest = max((max(times) for _, _, times in files), default=0)
    key = hashlib.sha256(f"{what} {files}".encode()).hexdigest()[:40]
    blob = get(key, "stamp")
    if blob is not None and len(blob) == _HASH:
        return blob.decode()
    found = compute()
    if time.time_ns() - newest > _SETTLED:
        put(key, "stamp", found.encode())
    return found


def _files(folder: Path | str) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Path, size and times of change of all sources below a folder."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(entry.path)
            elif entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, (status.st_mtime_ns, status.st_ctime_ns)


def get(key: str, kind: str) -> bytes | None:
    """The blob, or None."""
    path = folder() / f"{key}.{kind}"
    try:
        blob = path.read_bytes()
        os.utime(path)
    except OSError:
        return None
    return blob


def put(key: str, kind: str, blob: bytes) -> None:
    """Keep a blob; a folder that cannot be written is no error."""
    with contextlib.suppress(OSError):
        target = folder()
        target.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=target, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(blob)
            os.replace(part, target / f"{key}.{kind}")
        finally:
            Path(part).unlink(missing_ok=True)


def entries() -> Iterator[Entry]:
    """Everything kept."""
    if folder().is_dir():
        for path in sorted(folder().glob("*.*")):
            with contextlib.suppress(OSError):
                status = path.stat()
                yield Entry(path, status.st_size, status.st_mtime)


def clear() -> int:
    """Remove everything; returns how many blobs there were."""
    count = 0
    for entry in list(entries()):
        with contextlib.suppress(OSError):
            entry.path.unlink()
            count += 1
    return count
