"""Exact derivatives, through definitions by the chain rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pliant.algebra.dependence import defined_before
from pliant.algebra.functions import partials
from pliant.algebra.space import Space
from pliant.algebra.value import Key, Noise, Terms, Value


def explicit_derivatives(value: Value) -> dict[int, Value]:
    """∂(value)/∂(symbol) for every symbol in it, definitions held fixed."""
    space = value.space
    found: dict[int, Terms] = {}
    noise: dict[int, Noise] = {}
    for term, c in value.terms.items():
        for k, key, factor in _slopes(space, *term):
            own = found.setdefault(k, {})
            own[key] = own.get(key, 0) + factor * c
            if term in value.noise:
                loud = noise.setdefault(k, {})
                loud[key] = loud.get(key, 0.0) + abs(factor) * value.noise[term]
    return {k: Value(space, t, value.denominator, noise.get(k)) for k, t in found.items()}


def _slopes(space: Space, monomial: int, wave: int) -> Iterator[tuple[int, Key, int]]:
    """Symbol, term and factor of each derivative of a term."""
    powers, waves = space.monomials.powers[monomial], space.waves.waves[wave]
    for k, e in powers:
        rest = tuple((j, n - (j == k)) for j, n in powers if n != (j == k))
        yield k, (space.monomials.index(rest), wave), e
    for place, own in enumerate(waves):
        other = own._replace(is_sine=not own.is_sine)
        turned = space.waves.index((*waves[:place], other, *waves[place + 1 :]))
        sign = 1 if own.is_sine else -1
        for k, n in own.angle:
            yield k, (monomial, turned), sign * n


class Direction:
    """Derivatives along a change of some symbols at given rates: Σ_k ∂/∂x_k rate_k."""

    def __init__(self, space: Space, rates: Mapping[int, Value]) -> None:
        self._space = space
        self._zero = space.constant(0)
        self._rates = dict(rates)

    def rate_of(self, symbol: int) -> Value:
        """The rate of a symbol; of a defined one by the chain rule."""
        if symbol not in self._rates:
            for k in defined_before(self._space, symbol, self._rates.__contains__):
                self._rates[k] = self._chain_rule(k)
            self._rates[symbol] = self._chain_rule(symbol)
        return self._rates[symbol]

    def _chain_rule(self, symbol: int) -> Value:
        definition = self._space.definitions.get(symbol)
        total = self._zero
        if definition is None:
            return total
        changes = [self.along(a) for a in definition.arguments]
        if not any(changes):
            return total
        for slope, change in zip(partials(self._space, definition), changes, strict=True):
            if change:
                total = total + slope * change
        if definition.function == "value":
            return self._space.name(f"{self._space.symbols[symbol].name}_d", total)
        return total

    def along(self, value: Value) -> Value:
        """The derivative of a value."""
        return self.of(explicit_derivatives(value))

    def of(self, derivatives: Mapping[int, Value]) -> Value:
        """The derivative from the explicit ones."""
        total = self._zero
        for symbol, slope in derivatives.items():
            rate = self.rate_of(symbol)
            if rate:
                total = total + slope * rate
        return total
