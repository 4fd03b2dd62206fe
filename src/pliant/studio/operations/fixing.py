"""Operations that cure faults: another key, another word, an entry that was written twice."""

from __future__ import annotations

import re
from typing import Any

from pliant.errors import InputError, UnknownName
from pliant.model.files.document import Path
from pliant.model.files.editing.inline import Writer
from pliant.model.files.fixes import pattern
from pliant.model.files.names import KEYS
from pliant.model.files.reading import VERSION
from pliant.model.files.yaml_text import scalar
from pliant.studio.operations.draft import Draft
from pliant.studio.operations.registry import operation


@operation("element.key")
def rename_key(draft: Draft, path: list[str], new: str) -> None:
    """Give an entry another key; its value stays, and so does whatever speaks of it."""
    _require(draft, tuple(path))
    if not new or draft.has(*path[:-1], new):
        raise InputError(f"there is '{new[:40]}' already" if new else "the new key is missing",
                         "choose another key")  # fmt: skip
    draft.rename_key(tuple(path), new)
    draft.label = f"rename {path[-1]} to {new}"


@operation("element.word")
def replace_word(draft: Draft, path: list[str], word: str, new: str) -> None:
    """Write another word, wherever one stands in an entry: a name in a formula, a number."""
    where = tuple(path)
    _require(draft, where)
    if not word:
        raise InputError("the word is missing", "say which")
    found = [*_texts(draft.at(*where), where)]
    exact = [place for place, text in found if text == word]
    for place, text in found:
        if place in exact:
            draft.put(place, scalar(new))
        elif not exact:
            put = re.sub(pattern(word), lambda _: new, text)
            if put != text:
                draft.put(place, scalar(put))
    draft.label = f"{new} in place of {word}"


@operation("element.once")
def keep_first(draft: Draft, path: list[str]) -> None:
    """Take away what is written again of an entry that is there already."""
    again = [fault for fault in draft.document.faults
             if fault.path == tuple(path) and fault.what.endswith("is given twice")]  # fmt: skip
    if not again:
        raise InputError(f"'{path[-1] if path else ''}' is given once", "nothing is to be done")
    start, end = again[0].span or (0, 0)
    other = f"{path[-1]}_again"
    draft.rewrite((start, end), Writer(draft.format).key(other))
    draft.remove((*path[:-1], other))
    draft.label = f"keep the first {path[-1]}"


@operation("element.shift")
def shift(draft: Draft, path: list[str], to: list[str]) -> None:
    """Write an entry at other keys of its element, where it belongs."""
    _require(draft, tuple(path))
    if draft.has(*to):
        raise InputError(f"there is '{to[-1][:40]}' already", "keep one of them")
    value = draft.at(*path)
    draft.remove(tuple(path))
    draft.put(tuple(to), value)
    draft.label = f"write {path[-1]} where it belongs"


@operation("section.remove")
def remove_section(draft: Draft, name: str) -> None:
    """Take away a part of the file that means nothing."""
    _require(draft, (name,))
    if name in KEYS:
        raise InputError(f"'{name}' is a section of models", "remove its elements")
    draft.remove((name,))
    draft.label = f"remove {name}"


@operation("model.version")
def write_version(draft: Draft) -> None:
    """Say which version of the file format this is."""
    draft.put(("pliant",), VERSION)
    draft.label = f"write pliant: {VERSION}"


def _require(draft: Draft, path: Path) -> None:
    if not path or not draft.has(*path):
        raise UnknownName(f"nothing stands at '{'.'.join(path)[:80]}'", "it has changed meanwhile")


def _texts(value: Any, path: Path) -> list[tuple[Path, str]]:
    if isinstance(value, dict):
        return [one for key, inner in value.items() for one in _texts(inner, (*path, key))]
    if isinstance(value, list):
        return [one for k, inner in enumerate(value) for one in _texts(inner, (*path, str(k)))]
    return [] if value is None or isinstance(value, bool) else [(path, str(value))]
