"""Observables that are written down only when someone asks for them by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property

from pliant.equations.contract import Observable

Maker = Callable[[], Observable]


class Further(Mapping[str, Observable]):
    """Observables by name, each made when it is looked up: of the bonds of a graph there are many,
    and few runs want them. ``list_them`` gives the makers, once and not before they are needed."""

    def __init__(self, list_them: Callable[[], Mapping[str, Maker]] = dict) -> None:
        self._list_them = list_them

    @cached_property
    def makers(self) -> Mapping[str, Maker]:
        """How each is made."""
        return self._list_them()

    def __getitem__(self, name: str) -> Observable:
        return self.makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self.makers)

    def __len__(self) -> int:
        return len(self.makers)

    def __contains__(self, name: object) -> bool:
        return name in self.makers

    def __or__(self, other: Further) -> Further:
        return Further(lambda: {**self.makers, **other.makers})


def mapped(
    observables: Mapping[str, Observable], change: Callable[[Observable], Observable]
) -> Further:
    """The same observables, each changed when it is made."""

    def changed(name: str) -> Maker:
        return lambda: change(observables[name])

    return Further(lambda: {name: changed(name) for name in observables})
