"""Names in the formulas of network elements: rewritten where elements go into a sub-graph, or come
out of one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pliant.model.files.document import Path
from pliant.model.files.editing.mentions import WORD, mentions
from pliant.model.numbers.units import is_quantity
from pliant.studio.operations.draft import Draft

NAMES = ("on", "from", "to", "ports", "part", "stroke", "coordinate", "joint", "frame", "domain",
         "dim", "junction", "rotation")  # fmt: skip
"""Fields of elements that hold no formulas."""
_OWN = re.compile(r"[efq]\d*")
_ATOM = re.compile(r"[A-Za-z_]\w*(\.\w+)*|\d+(\.\d*)?([eE][-+]?\d+)?")
Change = Callable[[str], str]


def is_own_variable(word: str) -> bool:
    """Whether a word is the variable of a law: f, q2."""
    return _OWN.fullmatch(word) is not None


def with_words(entry: Mapping[str, Any], change: Change) -> dict[str, Any]:
    """The entry of an element with other names in its formulas."""
    return {k: v if k in NAMES else with_formulas(v, change) for k, v in entry.items()}


def with_formulas(value: Any, change: Change) -> Any:
    """A value, or what is in a list or mapping, with other names in its formulas."""
    if isinstance(value, dict):
        return {k: with_formulas(v, change) for k, v in value.items()}
    if isinstance(value, list):
        return [with_formulas(v, change) for v in value]
    if not isinstance(value, str) or is_quantity(value.strip()):
        return value
    return WORD.sub(lambda found: change(found[0]), value)


def words_of(value: Any) -> Iterator[str]:
    """Every name in the formulas of a value."""
    found: list[str] = []

    def keep(word: str) -> str:
        found.append(word)
        return word

    with_formulas(value, keep)
    yield from found


def words_in(entry: Mapping[str, Any]) -> Iterator[str]:
    """Every name in the formulas of an element."""
    yield from words_of({k: v for k, v in entry.items() if k not in NAMES})


def bracketed(text: str) -> str:
    """A formula that may stand in a larger one."""
    return text if _ATOM.fullmatch(text.strip()) else f"({text.strip()})"


Rewrite = Callable[[list[str], tuple[Path, ...]], list[str]]
"""From the parts of a word with dots, and what the first of them are defined as, to others."""


def rewritten(draft: Draft, change: Rewrite) -> dict[Path, str]:
    """Formulas and names of observables anywhere in the file that become others, by their paths;
    references of one element to another are left out."""
    found: dict[Path, str] = {}
    for mention in mentions(draft.data, draft.model):
        if mention.key or mention.whole:
            continue
        text = draft.at(*mention.path)
        meanings = iter(mention.words)

        def other(word: re.Match[str], meanings: Iterator[tuple[Path, ...]] = meanings) -> str:
            meant = next(meanings, ())
            return ".".join(change(word[0].split("."), meant)) if meant else word[0]

        if isinstance(text, str):
            new = WORD.sub(other, text)
            if new != text:
                found[mention.path] = new
    return found
