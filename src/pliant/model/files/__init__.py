"""Model files: YAML and JSON of one meaning, read safely, written so that they read back equal."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from pliant.errors import InputError, ModelError
from pliant.model.files.reading import model_from
from pliant.model.files.text import (
    dump_json,
    dump_yaml,
    format_of,
    parsed,
    parsed_file,
)
from pliant.model.files.writing import data_of
from pliant.model.model import Model
from pliant.writing import replace_text

SCHEMA = Path(__file__).with_name("schema-1.json")

__all__ = ["SCHEMA", "dump", "load", "loads", "located", "save"]


def load(path: str | os.PathLike[str]) -> Model:
    """The checked model of a file; raises InputError (FileError, ModelError with all faults)."""
    path = Path(path)
    return model_from(parsed_file(path), path.parent, path.name)


def located(error: ModelError, path: str | os.PathLike[str]) -> ModelError:
    """Faults that were found after reading, with their places in the file."""
    if all(fault.where or not fault.path for fault in error.faults):
        return error
    document, path = parsed_file(Path(path)), Path(path)
    found = ModelError((document.placed(fault) for fault in error.faults), path.name)
    found.elements = error.elements
    return found


def loads(text: str, format: str = "yaml", base: Path | None = None) -> Model:
    """The checked model of a text; `base` is where the files it names are."""
    if not isinstance(text, str):
        raise InputError(f"loads: {type(text).__name__} is no text", "load reads files")
    return model_from(parsed(text, format), base)


def dump(model: Model, format: str = "yaml") -> str:
    """The text of a model, in "yaml" or "json"."""
    return _written(data_of(model), format)


def save(model: Model, path: str | os.PathLike[str]) -> Path:
    """Write a model to a .yaml or .json file; it is checked first."""
    path = Path(path)
    text = _written(data_of(model.check(), path.absolute().parent), format_of(path))
    return replace_text(path, text)


def _written(data: dict[str, Any], format: str) -> str:
    return dump_json(data) if format == "json" else dump_yaml(data)
