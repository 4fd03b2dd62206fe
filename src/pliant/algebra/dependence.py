"""What values and definitions rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pliant.algebra.functions import Definition
from pliant.algebra.space import Space
from pliant.algebra.value import Value


def symbols_of(value: Value) -> set[int]:
    """All symbols of a value, those of its angles too."""
    space = value.space
    monomials = {m for m, _ in value.terms}
    waves = {w for _, w in value.terms}
    plain = {k for m in monomials for k, _ in space.monomials.powers[m]}
    return plain | {k for w in waves for own in space.waves.waves[w] for k, _ in own.angle}


def definitions_of(values: Iterable[Value]) -> list[Definition]:
    """Definitions the values rest on, each after those it needs; not of functions of time."""
    values = list(values)
    if not values:
        return []
    space = values[0].space
    symbols = set().union(*map(symbols_of, values))
    found = _reached(space, symbols, lambda k: space.definitions[k].function == "time")
    return [space.definitions[k] for k in found]


def defined_before(space: Space, symbol: int, known: Callable[[int], bool]) -> list[int]:
    """Defined symbols that a symbol rests on and that are not known, each after those it needs.

    Working through them in this order keeps the chain rule from descending too deep.
    """
    definition = space.definitions.get(symbol)
    if definition is None:
        return []
    needed = set().union(*map(symbols_of, definition.arguments))
    return _reached(space, needed, known)


def _reached(space: Space, symbols: set[int], known: Callable[[int], bool]) -> list[int]:
    waiting, found = list(symbols), set()
    while waiting:
        k = waiting.pop()
        if k in space.definitions and k not in found and not known(k):
            found.add(k)
            for argument in space.definitions[k].arguments:
                waiting.extend(symbols_of(argument))
    return sorted(found)
