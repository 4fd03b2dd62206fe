"""Symbols replaced by values."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.algebra.dependence import defined_before
from pliant.algebra.functions import apply
from pliant.algebra.space import Space
from pliant.algebra.value import Terms, Value


class Substitution:
    """Replaces symbols; terms and definitions without them stay as they are."""

    def __init__(self, space: Space, replaced: Mapping[int, Value]) -> None:
        self._space = space
        self._new: dict[int, Value] = dict(replaced)

    def symbol(self, index: int) -> Value:
        """What stands in the place of a symbol."""
        if index not in self._new:
            for k in defined_before(self._space, index, self._new.__contains__):
                self._new[k] = self._redefined(k)
            self._new[index] = self._redefined(index)
        return self._new[index]

    def _redefined(self, index: int) -> Value:
        definition = self._space.definitions.get(index)
        own = self._space.value_of(index)
        if definition is None:
            return own
        new = tuple(self.of(a) for a in definition.arguments)
        if new == definition.arguments or definition.function == "time":
            return own
        if definition.function == "value":
            return new[0]
        return apply(self._space, definition.function, *new)

    def _is_kept(self, index: int) -> bool:
        return self.symbol(index).symbol == index

    def of(self, value: Value) -> Value:
        """The value with the symbols replaced."""
        space = self._space
        kept: Terms = {}
        total = space.constant(0)
        for (monomial, wave), c in value.terms.items():
            powers, waves = space.monomials.powers[monomial], space.waves.waves[wave]
            symbols = [k for k, _ in powers] + [k for w in waves for k, _ in w.angle]
            if all(map(self._is_kept, symbols)):
                kept[monomial, wave] = c
                continue
            noise = {(0, 0): value.noise.get((monomial, wave), 0.0)}
            term = Value(space, {(0, 0): c}, value.denominator, noise)
            for k, e in powers:
                term = term * self.symbol(k) ** e
            for w in waves:
                angle = sum((self.symbol(k) * n for k, n in w.angle), space.constant(0))
                term = term * (space.sin(angle) if w.is_sine else space.cos(angle))
            total = total + term
        return Value(space, kept, value.denominator, value.noise) + total
