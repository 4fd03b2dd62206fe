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
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path


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


_MAKERS = ("backends", "engine", "equations", "flex", "formulations", "graphs", "mechanics",
           "model", "solve", "spatial")  # fmt: skip
"""Rooms that machine code comes from."""


@cache
def source_stamp() -> str:
    """Changes whenever the text of a file changes that has part in making code."""
    root, digest = Path(__file__).parent.parent, hashlib.sha256()
    for room in _MAKERS:
        for path in sorted((root / room).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


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
