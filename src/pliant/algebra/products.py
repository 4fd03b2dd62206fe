"""Tables of monomials: each is kept once and known by its index; products are looked up.

Index 0 is the monomial 1.
"""

from __future__ import annotations

Powers = tuple[tuple[int, int], ...]
"""(symbol, exponent), by symbol."""


class Monomials:
    """Products of powers of symbols. Squares of roots, √p √p = p, are reduced at once."""

    def __init__(self) -> None:
        self.powers: list[Powers] = [()]
        self.degree: list[int] = [0]
        """Degree in the symbols of small quantities."""
        self.small: dict[int, int] = {}
        """Degree of each of these symbols."""
        self.radicands: dict[int, int] = {}
        """Symbols that are roots of primes."""
        self._index: dict[Powers, int] = {(): 0}
        self._products: dict[tuple[int, int], tuple[int, int]] = {}

    def index(self, powers: Powers) -> int:
        """The index of a monomial (of roots: exponent 1)."""
        found = self._index.get(powers)
        if found is None:
            found = self._index[powers] = len(self.powers)
            self.powers.append(powers)
            self.degree.append(sum(e * self.small.get(k, 0) for k, e in powers))
        return found

    def times(self, a: int, b: int) -> tuple[int, int]:
        """The product as (index, integer factor)."""
        if a > b:
            a, b = b, a
        found = self._products.get((a, b))
        if found is None:
            found = self._products[a, b] = self._multiplied(a, b)
        return found

    def _multiplied(self, a: int, b: int) -> tuple[int, int]:
        exponents = dict(self.powers[a])
        for k, e in self.powers[b]:
            exponents[k] = exponents.get(k, 0) + e
        factor = 1
        for k in self.radicands.keys() & exponents.keys():
            factor *= self.radicands[k] ** (exponents[k] // 2)
            exponents[k] %= 2
        return self.index(tuple(sorted((k, e) for k, e in exponents.items() if e))), factor

    def power(self, a: int, n: int) -> int:
        """The n-th power of a monomial without roots, n of any sign."""
        return self.index(tuple((k, e * n) for k, e in self.powers[a]) if n else ())
