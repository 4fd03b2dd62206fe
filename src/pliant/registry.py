"""Registries: things by name, one dictionary for each kind of thing.

A room that keeps things of a kind makes a ``Registry`` of them; ``pl.register`` puts another one
where its class belongs. A name that is not known is looked for in installed packages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar


class Named(Protocol):
    """What can be registered."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=Named)
REGISTRIES: list[tuple[type, dict[str, Any]]] = []
"""Every registry that was made so far, with the class of what it holds."""


ABOVE: dict[str, Callable[..., Any]] = {}
"""What rooms above do for those below, by name (``pliant.joined``)."""


class Registry(dict[str, T]):
    """Things of one class by name, in their order."""

    def __init__(self, of: type, things: Iterable[T] = ()) -> None:
        super().__init__((thing.name, thing) for thing in things)
        REGISTRIES.append((of, self))

    def __contains__(self, name: object) -> bool:
        known = super().__contains__
        return known(name) or (offered() and known(name))

    def __missing__(self, name: str) -> T:
        if name in self:
            return super().__getitem__(name)
        raise KeyError(name)


def offered() -> bool:
    """Whether installed packages offer something; they are imported."""
    return bool(ABOVE["load_installed"]())
