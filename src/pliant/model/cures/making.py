"""Cures made of what is known of a place: its unit, its range, names that are near."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pliant.model.cures.steps import Add, Cure, Define, Instead, Step, steps_of

if TYPE_CHECKING:
    from pliant.model.fields import Number

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(.*?)\s*")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)


def adding(keys: tuple[str, ...], kind: Any) -> str:
    """That an entry is to be added; a number can be."""
    words = f"add {keys[-1]}"
    unit = getattr(getattr(kind, "kind", kind), "unit", None)
    return Cure(words) if unit is None else Cure(words, Add(keys, sample(kind)))


def otherwise(cure: str, words: str, *steps: Step) -> str:
    """The cure, if there is one that can be done; words and steps beside it, or instead."""
    if steps_of(cure):
        return cure
    return Cure(cure or words, *steps)


def words_only(cure: str) -> str:
    """What a cure says, without what it could do."""
    return str.__str__(cure)


def defining(cure: str, name: str, kind: Number, words: str = "") -> str:
    """A cure that can also define the parameter that is not known; ``words`` if there are none."""
    if not _NAME.fullmatch(name):
        return cure or words
    return Cure(cure or words, *steps_of(cure), Define(name, sample(kind)))


def sample(kind: Any) -> Any:
    """A number that a field takes, with its unit; of a field that may be left out, the same."""
    kind = getattr(kind, "kind", kind)
    size = 1.0
    if kind.most is not None and size > kind.most:
        size = kind.most / 2 if kind.most > 0 else kind.most - 1
    if kind.above is not None and size <= kind.above:
        size = kind.above + 1
    if kind.least is not None and size < kind.least:
        size = kind.least
    unit = kind.unit.partition(" | ")[0]
    number: Any = int(size) if size.is_integer() else size
    return number if unit in ("", "1") else f"{size:g} {unit}"


def in_unit(text: str, unit: str) -> tuple[Instead, ...]:
    """The same number in another unit, if the text is a number."""
    match = _NUMBER.fullmatch(text)
    if match is None or not unit:
        return ()
    unit = unit.partition(" | ")[0]
    return (Instead(text, match[1] if unit == "1" else f"{match[1]} {unit}"),)


def expected(text: str, unit: str) -> str:
    """The unit that is expected where a text stands, and the number of the text in it."""
    said = " or ".join("a pure number" if u == "1" else u for u in unit.split(" | "))
    return Cure(f"expected {said}", *in_unit(text, unit))


def in_range(text: str, kind: Number) -> tuple[Step, ...]:
    """A number that is in range in place of one that is not: without its sign, or else one that
    fits."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return ()
    size, unit = float(match[1]), match[2]
    if size < 0 and kind.fault("", -size) is None:
        right = f"{match[1].lstrip('-')} {unit}".strip()
    elif unit:
        right = f"1 {unit}"
    else:
        right = str(sample(kind)).partition(" ")[0]
    return (Instead(text, right),)


def legal_name(name: str, taken: Collection[str] = ()) -> str:
    """A name like the one given, which is legal and not taken."""
    found = re.sub(r"[^A-Za-z0-9_]+", "_", name).strip("_") or "x"
    found = found if found[0].isalpha() else f"n{found}"
    if found != name and found not in taken:
        return found
    number = 2
    while f"{found}{number}" in taken:
        number += 1
    return f"{found}{number}"
