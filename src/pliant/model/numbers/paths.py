"""Files that a model names: where they are."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pliant.errors import FileError, InputError
from pliant.model.fields import Plain, shown
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class FilePath(Plain):
    """A file; kept with its full path, so that the model may go elsewhere."""

    def convert(self, value: Any) -> str:
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise InputError(f"{shown(value)} is not a path", "give the name of a file")
        return os.path.abspath(value.strip())

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1}


def located(base: Path | None, name: Any) -> Path:
    """The place of a file that a model in the folder `base` names; None: there is no folder."""
    path: str = FilePath().convert(name)
    if os.path.isabs(name.strip()):
        return Path(path)
    if base is None:
        raise InputError(f"'{name}' cannot be found from a text", "load the model by path")
    return Path(os.path.abspath(base / name.strip()))


def stamped(path: str | os.PathLike[str]) -> tuple[Path, int, int]:
    """A file with the time of its last change and its size, by which its content is remembered."""
    path = Path(path)
    try:
        state = path.stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "check the path") from None
    return path, state.st_mtime_ns, state.st_size
