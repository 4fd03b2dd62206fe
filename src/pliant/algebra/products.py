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
        self.spheres: dict[int, tuple[int, ...]] = {}
        """Symbols whose squares add up to one: the first of each set with the others."""
        self._on_spheres: dict[int, tuple[tuple[int, int], ...]] = {}
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

    def on_spheres(self, a: int) -> tuple[tuple[int, int], ...]:
        """A monomial as a sum of (index, factor): s² = 1 - Σ r² for the symbols of a sphere, so
        that s itself stands in no higher power than one. That is a basis: the form is unique."""
        found = self._on_spheres.get(a)
        if found is None:
            found = self._on_spheres[a] = self._spread(a)
        return found

    def _spread(self, a: int) -> tuple[tuple[int, int], ...]:
        exponents = dict(self.powers[a])
        first = next((k for k in self.spheres if exponents.get(k, 0) > 1), None)
        if first is None:
            return ((a, 1),)
        exponents[first] -= 2
        rest = self.index(tuple(sorted((k, e) for k, e in exponents.items() if e)))
        parts = [(rest, 1)]
        parts += [(self.times(rest, self.index(((k, 2),)))[0], -1) for k in self.spheres[first]]
        total: dict[int, int] = {}
        for part, sign in parts:
            for m, factor in self.on_spheres(part):
                total[m] = total.get(m, 0) + sign * factor
        return tuple((m, factor) for m, factor in total.items() if factor)
