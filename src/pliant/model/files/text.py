"""Text to plain data, with the place of everything in it: of YAML and JSON, of files."""

from __future__ import annotations

from pathlib import Path as FilePath

from pliant.errors import FileError
from pliant.model.files.document import Document, Path, Span
from pliant.model.files.json_text import dump_json, parse_json
from pliant.model.files.yaml_text import dump_yaml, parse_yaml

__all__ = [
    "MAX_BYTES", "Document", "Path", "Span", "dump_json", "dump_yaml", "format_of", "parse_json",
    "parse_yaml", "parsed", "parsed_file",
]  # fmt: skip

MAX_BYTES = 20_000_000
_FORMATS = {".yaml": "yaml", ".yml": "yaml", ".json": "json"}


def parsed(text: str, format: str) -> Document:
    """The data of a text; raises FileError if it is none."""
    if format not in ("yaml", "json"):
        raise FileError(f"unknown format '{format}'", "use yaml or json")
    return parse_json(text) if format == "json" else parse_yaml(text)


_RESULTS = (".nc", ".csv")


def parsed_file(path: FilePath) -> Document:
    """The data of a YAML or JSON file."""
    if path.suffix.lower() in _RESULTS and path.is_file():
        raise FileError(f"{path.name} is a result, no model", "give the model it was computed of")
    text = _text(path)
    try:
        return parsed(text, format_of(path))
    except FileError as error:
        raise FileError(f"{path.name}: {error.what}", error.cure, error.span) from None


def format_of(path: FilePath) -> str:
    """What a file is written in, by its name."""
    if path.suffix.lower() not in _FORMATS:
        raise FileError(f"{path.name}: unknown kind of file '{path.suffix}'",
                        "name it .yaml, .yml or .json")  # fmt: skip
    return _FORMATS[path.suffix.lower()]


def _text(path: FilePath) -> str:
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
