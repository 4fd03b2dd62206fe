"""Keeping equations short: names for sums of parameters and for intermediate results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from pliant.reading.algebra.value import Key, Noise, Terms, Value
from pliant.reading.collect import indices

LIMITS = (None, 8, 4, 2)
"""Terms above which intermediate results get names: never at first, then more and more often."""
TOTAL = 1500
"""Terms of all that is printed that can still be read."""


def name_parameters(
    values: Sequence[Value], parameters: Iterable[Any], limit: int = 2, prefix: str = "p"
) -> list[Value]:
    """Sums of more than ``limit`` products of parameters that multiply the same term get a name.

    These are the base inertial parameters of a mechanism. Sums equal up to a number share a name.
    """
    if not values:
        return []
    own = set(indices(values[0].space, parameters))
    return [_with_names(value, own, limit, prefix) for value in values]


def _with_names(value: Value, parameters: set[int], limit: int, prefix: str) -> Value:
    space = value.space
    groups: dict[Key, Terms] = {}
    noises: dict[Key, Noise] = {}
    for (monomial, wave), c in value.terms.items():
        powers = space.monomials.powers[monomial]
        inside = space.monomials.index(tuple(x for x in powers if x[0] in parameters))
        outside = space.monomials.index(tuple(x for x in powers if x[0] not in parameters))
        groups.setdefault((outside, wave), {})[inside, 0] = c
        if (monomial, wave) in value.noise:
            noises.setdefault((outside, wave), {})[inside, 0] = value.noise[monomial, wave]
    parts = [space.constant(0)]
    for key, terms in groups.items():
        factor = Value(space, terms, value.denominator, noises.get(key))
        if len(terms) > limit:
            factor = space.give_name(prefix, factor, numbered=True)
        parts.append(factor * Value(space, {key: 1}))
    return _total(parts)


def _total(parts: list[Value]) -> Value:
    """The sum, by halves: a sum copies its terms, and one after the other would copy them often."""
    if len(parts) == 1:
        return parts[0]
    middle = len(parts) // 2
    return _total(parts[:middle]) + _total(parts[middle:])
