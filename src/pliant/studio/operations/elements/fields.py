"""Fields of elements: set, unset, typed."""

from __future__ import annotations

from typing import Any

from pliant.errors import FileError, InputError, UnknownName
from pliant.model.fields import Flag, Kind, Reference, Text, Texts, Word
from pliant.model.files.document import Path
from pliant.model.files.names import KEYS
from pliant.model.files.yaml_text import parse_yaml, scalar
from pliant.model.frozen import did_you_mean
from pliant.model.named import NAMED
from pliant.model.numbers.paths import FilePath
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.elements.kinds import kind_of, kinds_in, sections
from pliant.studio.operations.elements.naming import require_element, short, spoken
from pliant.studio.operations.elements.paths import field_at
from pliant.studio.operations.registry import operation

_GRAPHS = ("networks", "subgraphs")
_YES_NO = {"yes": True, "on": True, "no": False, "off": False}
_LARGEST = 100_000
"""Characters of a value that is typed."""


@operation("element.set")
def set_field(draft: Draft, path: list[str], value: Any) -> None:
    """Set a field of an element, of the settings or of the model."""
    where = _path(draft, path)
    put(draft, where, value)
    draft.label = f"set {spoken(where)} = {short(value)}"


@operation("element.unset")
def unset(draft: Draft, path: list[str], also: list[str] | None = None) -> None:
    """Take a field away, so that it is what it is if nothing is said; ``also``: those beside it."""
    for name in also or ():
        unset(draft, [*path[:-1], name])
    where = _path(draft, path)
    if not draft.has(*where):
        return
    if len(where) == 1 and isinstance(draft.at(*where), dict) and where[0] in sections():
        raise InputError(f"'{where[0]}' is a whole section", "choose a field")
    if len(where) == 2 and where[0] in (*sections(), *_GRAPHS):
        raise InputError(f"'{where[1]}' is an element, not a field", "remove it instead")
    draft.remove(where, prune=_kept(draft, where))
    more = "".join(f", {name}" for name in also or ())
    draft.label = f"unset {spoken(where)}{more}"


@operation("element.type")
def type_field(draft: Draft, path: list[str], text: str) -> None:
    """Set a field to what is typed: a number, a quantity, a formula, a word, [a, list] or
    {a: mapping}; nothing takes it away."""
    if not text.strip():
        unset(draft, path)
        return
    where = _path(draft, path)
    value = typed(text, field_at(draft.data, where))
    put(draft, where, value)
    draft.label = f"set {spoken(where)} = {short(value)}"


@operation("element.rename")
def rename(draft: Draft, name: str, new: str) -> None:
    """Give an element another name, here and wherever it is spoken of."""
    path = require_element(draft, name)
    draft.rename(name, new)
    front = name.rpartition(".")[0]
    draft.label = f"rename {name} to {new}"
    if path != draft.path_of(whole := f"{front}.{new}" if front else new):
        draft.selection = (whole,)


def _path(draft: Draft, path: list[str]) -> Path:
    """A path that may be in a file, of an element that is there."""
    if not path or not all(path):
        raise InputError("the path of a field is missing", "choose a field")
    if path[0] not in KEYS:
        raise UnknownName(f"there is no section '{path[0][:40]}'", did_you_mean(path[0], KEYS))
    if path[0] == "pliant":
        raise InputError("the version of the file stays as it is", "choose a field")
    named = path[0] in (*sections(), *_GRAPHS)
    if named and len(path) < 2:
        raise InputError(f"'{path[0]}' is a whole section", "choose a field")
    if named and len(path) > 2 and not draft.has(*path[:2]):
        raise UnknownName(f"there is no '{path[1][:40]}' in {path[0]}",
                          did_you_mean(path[1], draft.entries(path[0])))  # fmt: skip
    return tuple(path)


def put(draft: Draft, path: Path, value: Any) -> None:
    """A value at a path. What is written short is first written with its key: `A: [r, 0, 0]`
    becomes `A: {at: [r, 0, 0], orientation: ...}`."""
    around = draft.at(*path[:-1]) if len(path) > 1 else None
    key = _alone(draft, path[:-1]) if draft.has(*path[:-1]) else ""
    if key and around is not None and not isinstance(around, dict) and not path[-1].isdigit():
        if key == path[-1]:
            draft.put(path[:-1], value)
            return
        draft.put(path[:-1], {key: around})
    draft.put(path, value)


def _alone(draft: Draft, path: Path) -> str:
    """The key that a value stands for which is written without it; empty if there is none."""
    if len(path) >= 3 and path[-2] == "frames":
        return "at"
    if len(path) == 2 and path[0] in ("events", "stop"):
        return "when"
    if len(path) == 2 and path[0] in NAMED:
        return "formula"
    if len(path) == 3 and path[0] in sections():
        kind = kind_of(path[0], draft.at(*path[:2]))
        return kind.main if kind is not None and kind.kind == path[2] else ""
    return ""


def _kept(draft: Draft, path: Path) -> int:
    """How many keys of a path stay when what is behind them is taken away: the element, and the
    key that says its kind."""
    if path[0] not in (*sections(), *_GRAPHS):
        return 0
    if path[0] in _GRAPHS:
        return 4 if path[2:3] == ("elements",) else 2
    return 3 if path[2:3] and path[2] in kinds_in(path[0]) else 2


def typed(text: str, kind: Kind | None) -> Any:
    """The value of a text as it is typed into a field; raises InputError if it is none."""
    text = text.strip()
    if len(text) > _LARGEST:
        raise InputError(f"{len(text)} characters are too many for a value", "use a file")
    value = _read(text, kind)
    if kind is not None:
        kind.convert(value)
    return value


def _read(text: str, kind: Kind | None) -> Any:
    if isinstance(kind, Text | Word | Reference | FilePath):
        return _unquoted(text)
    if isinstance(kind, Flag) and text.lower() in _YES_NO:
        return _YES_NO[text.lower()]
    if "\n" in text or "\r" in text:
        raise InputError("a value stands in one line", "write it in one line")
    if text[0] not in "[{\"'":
        value = scalar(text)
        return [value] if isinstance(kind, Texts) and isinstance(value, str) else value
    return _yaml(text)


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    value = _yaml(text) if quoted else text
    return value if isinstance(value, str) else text


def _yaml(text: str) -> Any:
    try:
        return parse_yaml(text).data
    except FileError:
        shut = {"[": "]", "{": "}"}.get(text[0], text[0])
        cure = f"check that it ends with {shut}, and its commas and colons"
        raise InputError(f"'{text[:60]}' is no value", cure) from None
