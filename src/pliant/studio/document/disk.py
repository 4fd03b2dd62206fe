"""The file of the open text: read, written without loss, watched.

A file is written beside its place and moved there, if it is still the one that was read. Mode, line
endings, the final newline and the encoding mark stay as they are.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from pliant.errors import FileError
from pliant.model.files.text import MAX_BYTES
from pliant.records import dataclass
from pliant.writing import replace_file

_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds: its text, whether an encoding mark stands before it, and its digest."""

    text: str
    marked: bool
    digest: str


@dataclass(frozen=True, slots=True)
class Stamp:
    """By which a change of a file is noticed without reading it."""

    modified: int
    size: int
    inode: int


class ChangedError(Exception):
    """The file is not the one that was read; ``stored`` is what it holds now, None if it went."""

    def __init__(self, stored: Stored | None) -> None:
        self.stored = stored
        super().__init__("the file was changed by another program")


def stored(path: Path) -> Stored:
    """The content of a file; FileError if there is none or it is no text."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FileError(f"{path.name}: larger than {MAX_BYTES // 10**6} MB", "use CSV for data")
        raw = path.read_bytes()
    except OSError as error:
        raise FileError(
            f"cannot read {path}: {error.strerror or error}", "check the path"
        ) from None
    marked = raw.startswith(_MARK)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise FileError(f"{path.name}: it is not a text file", "save it as UTF-8 text")
    return Stored(text, marked, _digest(raw))


def stamp(path: Path) -> Stamp | None:
    """None if there is no such file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return Stamp(state.st_mtime_ns, state.st_size, state.st_ino)


def write(path: Path, text: str, *, marked: bool, expect: str | None) -> Stored:
    """Put a text into a file whose digest is ``expect`` (None: there is no file yet): ChangedError
    if it is another, FileError if it cannot be written."""
    raw = (_MARK if marked else b"") + text.encode("utf-8")
    there = _there(path)
    if (there.digest if there else None) != expect:
        raise ChangedError(there)
    if there is not None and not os.access(path, os.W_OK):
        raise FileError(f"cannot write {path.name}: it is read-only", "save under another name")
    replace_file(path, lambda part: part.write_bytes(raw))
    return Stored(text, marked, _digest(raw))


def _there(path: Path) -> Stored | None:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileError(
            f"cannot read {path}: {error.strerror or error}", "check the path"
        ) from None
    text = raw.decode("utf-8-sig", errors="replace")
    return Stored(text, raw.startswith(_MARK), _digest(raw))


def _unreadable(path: Path, error: OSError) -> FileError:
    return FileError(f"cannot read {path}: {error.strerror or error}", "check the path")


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()
