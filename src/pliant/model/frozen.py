"""Immutable mappings from names to things, in the order given; and the search for a near name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeVar

from pliant.model.cures import Cure, Instead

V = TypeVar("V", covariant=True)


class FrozenDict(Mapping[str, V]):
    """An ordered, immutable, hashable, picklable mapping from names to values."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._items: dict[str, V] = dict(items)

    def __getitem__(self, name: str) -> V:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


@lru_cache(256)
def _nearest(name: str, names: tuple[str, ...]) -> list[str]:
    """One file often has the same name wrong in many places."""
    import difflib

    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return near or [n for n in names if n.lower() == name.lower()]


def did_you_mean(name: str, known: Iterable[str], before: str = "", *, sure: bool = False) -> str:
    """A cure naming the nearest known name, or all known names when few, or nothing; ``before``:
    what stands before the names in the file; ``sure``: the only name there is will be meant."""
    names = sorted(set(known))
    if len(name) > 60:
        return ""
    near = _nearest(name, tuple(names))
    if near:
        return Cure(f"did you mean '{near[0]}'?", Instead(before + name, before + near[0]))
    only = (Instead(before + name, before + names[0]),) if sure and len(names) == 1 else ()
    if 0 < len(names) <= 12:
        return Cure("known: " + ", ".join(names), *only)
    return ""
