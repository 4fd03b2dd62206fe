"""Files that are written: whole or not at all, and refused by the name the user gave.

Everything is written beside its target and moved into place. A disk that is full, a folder that
cannot be written, a program that is stopped leave the file that was there before as it was.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from pliant.errors import FileError

PathLike = str | os.PathLike[str]


def checked_target(path: PathLike, kinds: Sequence[str] = ()) -> Path:
    """The path, if a file of one of these endings can be written there."""
    path = Path(path)
    if kinds and path.suffix.lower() not in kinds:
        raise FileError(f"{path}: unknown kind of file", f"use {', '.join(kinds)}")
    try:
        folder = path.absolute().parent
        if not folder.is_dir():
            what = f"cannot write {path}: there is no folder {path.parent}"
            raise FileError(what, "create it first")
        if path.is_dir():
            raise FileError(f"cannot write {path}: it is a folder", "give the name of a file")
        locked = path if path.exists() and not os.access(path, os.W_OK) else None
    except (OSError, ValueError) as error:
        raise _refused(path, error) from None
    if locked is None and not os.access(folder, os.W_OK) and not _is_special(path):
        locked = path.parent
    if locked is not None:
        raise FileError(f"cannot write {path}: no permission to write {locked}",
                        "choose another place")  # fmt: skip
    return path


def replace_file(path: PathLike, write: Callable[[Path], object]) -> Path:
    """``write`` to a new file, which then takes the place of ``path``.

    Links are followed; what is not a plain file (a pipe, a device) is written as it is.
    """
    path = checked_target(path)
    target = Path(os.path.realpath(path))
    if _is_special(target):
        with _named(path):
            write(target)
        return path
    import secrets  # late: a program that writes nothing starts sooner

    part = target.with_name(f".{secrets.token_hex(8)}.part")
    try:
        with _named(path):
            write(part)
            _settle(part, target)
            os.replace(part, target)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return path


def replace_text(path: PathLike, text: str) -> Path:
    """A text in UTF-8, with its line ends as they are."""
    return replace_bytes(path, text.encode("utf-8"))


def replace_bytes(path: PathLike, content: bytes | memoryview) -> Path:
    """All bytes of a file."""
    return replace_file(path, lambda target: target.write_bytes(content))


def _settle(part: Path, target: Path) -> None:
    """On the disk (where a full one is noticed), with the permissions of what it replaces."""
    with part.open("rb+") as stream:
        os.fsync(stream.fileno())
    if target.exists():
        import shutil

        shutil.copymode(target, part)


def _is_special(path: Path) -> bool:
    return path.exists() and not path.is_file()


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors of the system speak of the file that the user gave."""
    try:
        yield
    except OSError as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: Exception) -> FileError:
    reason = getattr(error, "strerror", None) or str(error)
    return FileError(f"cannot write {path}: {reason}", "nothing was changed there")
