"""Model files: YAML and JSON of one meaning, read safely, written so that they read back equal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pliant.errors import FileError
from pliant.model.files.reading import model_from
from pliant.model.files.text import (
    MAX_BYTES,
    Document,
    dump_json,
    dump_yaml,
    parse_json,
    parse_yaml,
)
from pliant.model.files.writing import data_of
from pliant.model.model import Model
from pliant.writing import replace_text

SCHEMA = Path(__file__).with_name("schema-1.json")
_FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}

__all__ = ["SCHEMA", "dump", "load", "loads", "parsed_file", "save"]


def load(path: str | os.PathLike[str]) -> Model:
    """The checked model of a file; raises InputError (FileError, ModelError with all faults)."""
    path = Path(path)
    return model_from(parsed_file(path), path.parent, path.name)


def parsed_file(path: Path) -> Document:
    """The data of a YAML or JSON file."""
    text = _text(path)
    try:
        return _parsed(text, _format(path))
    except FileError as error:
        raise FileError(f"{path.name}: {error.what}", error.cure) from None


def loads(text: str, format: str = "yaml", base: Path | None = None) -> Model:
    """The checked model of a text; `base` is where the files it names are."""
    return model_from(_parsed(text, format), base)


def dump(model: Model, format: str = "yaml") -> str:
    """The text of a model, in "yaml" or "json"."""
    return _written(data_of(model), format)


def save(model: Model, path: str | os.PathLike[str]) -> Path:
    """Write a model to a .yaml or .json file; it is checked first."""
    path = Path(path)
    text = _written(data_of(model.check(), path.absolute().parent), _format(path))
    return replace_text(path, text)


def _written(data: dict[str, Any], format: str) -> str:
    return dump_json(data) if format == "json" else dump_yaml(data)


def _format(path: Path) -> str:
    if path.suffix.lower() not in _FORMATS:
        raise FileError(f"{path.name}: unknown kind of file '{path.suffix}'",
                        "name it .yaml, .yml or .json")  # fmt: skip
    return _FORMATS[path.suffix.lower()]


def _text(path: Path) -> str:
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FileError(f"cannot read {path}: {reason}", "check the path") from None
    if size > MAX_BYTES:
        raise FileError(f"{path.name}: larger than {MAX_BYTES // 10**6} MB", "use CSV for data")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise FileError(f"{path.name}: it is not a text file", "save it as UTF-8 text")
    return text


def _parsed(text: str, format: str) -> Document:
    if format not in ("yaml", "json"):
        raise FileError(f"unknown format '{format}'", "use yaml or json")
    return parse_json(text) if format == "json" else parse_yaml(text)
