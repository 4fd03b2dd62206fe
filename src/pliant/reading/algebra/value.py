"""The number type of readable equations: always in normal form.

A value is a sum of terms, each a monomial of symbols times a product of sines and cosines
(``waves``), with rational coefficients over one denominator. The form is unique: equality is ==,
and there is no step of simplification.

Coefficients that come from rounded decimals carry a bound of their rounding error, their noise. A
coefficient below its noise is zero.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from math import gcd, lcm
from numbers import Real
from typing import TYPE_CHECKING, Any

from pliant.errors import RunError
from pliant.reading.algebra.numbers import settled
from pliant.reading.algebra.symbols import PRINTERS
from pliant.reading.algebra.waves import without_multiples

if TYPE_CHECKING:
    from pliant.reading.algebra.space import Space

Key = tuple[int, int]
"""(monomial, product of waves), as indices into the tables of the space."""
Terms = dict[Key, int]
Noise = dict[Key, float]

ONE: Key = (0, 0)
_HEAVY = 400
"""Where names are allowed, factors of larger products get one."""


class TooLarge(RunError):  # noqa: N818 (says what happened)
    """A value passed the stated number of terms: name intermediate results."""


class Value:
    """An element of a ``Space``; immutable."""

    __array_ufunc__ = None
    """Makes numpy scalars leave the operation to this class."""
    __slots__ = ("_hash", "denominator", "noise", "space", "terms")

    def __init__(
        self, space: Space, terms: Terms, denominator: int = 1, noise: Noise | None = None
    ) -> None:
        """Terms over a denominator, brought to lowest terms; zeros drop out."""
        terms = {key: c for key, c in terms.items() if c}
        if space.max_terms is not None and len(terms) > space.max_terms:
            raise TooLarge(f"a value of {len(terms)} terms; the limit is {space.max_terms}")
        if noise:
            terms, denominator, noise = _settled(terms, denominator, noise)
        common = gcd(denominator, *terms.values())
        if common > 1:
            terms = {key: c // common for key, c in terms.items()}
        self.space = space
        self.terms = terms
        self.denominator = denominator // common
        self.noise: Noise = noise or {}
        self._hash: int | None = None

    def latex(self) -> str:
        """As LaTeX."""
        return PRINTERS["latex"](self)

    def __repr__(self) -> str:
        return PRINTERS["text"](self)

    # --- questions

    def __len__(self) -> int:
        """Number of terms."""
        return len(self.terms)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Real):
            other = self.space.constant(other)
        if not isinstance(other, Value):
            return NotImplemented
        if not self.noise and not other.noise:
            return self.denominator == other.denominator and self.terms == other.terms
        return not (self - other).terms

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.denominator, frozenset(self.terms.items())))
        return self._hash

    def __float__(self) -> float:
        """The number that a constant is."""
        if not self.is_constant:
            raise TypeError(f"{self!r} is not a constant")
        parts = (
            c / self.denominator * self.space.root_value(monomial)
            for (monomial, _), c in self.terms.items()
        )
        return sum(parts, 0.0)

    @property
    def is_constant(self) -> bool:
        """A rational number, perhaps with roots."""
        return all(not wave and self.space.is_number(m) for m, wave in self.terms)

    @property
    def rational(self) -> Fraction | None:
        """The number, if the value is a rational one."""
        if not self.terms:
            return Fraction(0)
        if self.terms.keys() == {ONE}:
            return Fraction(self.terms[ONE], self.denominator)
        return None

    @property
    def symbol(self) -> int | None:
        """The symbol, if the value is one."""
        if len(self.terms) != 1 or self.denominator != 1:
            return None
        ((monomial, wave), c) = next(iter(self.terms.items()))
        powers = self.space.monomials.powers[monomial]
        single = len(powers) == 1 and powers[0][1] == 1
        return powers[0][0] if c == 1 and not wave and single else None

    def sizes(self) -> Noise:
        """The size of each coefficient."""
        return {key: abs(c) / self.denominator for key, c in self.terms.items()}

    def coefficients(self) -> Iterator[tuple[Key, Fraction]]:
        """Each term with its coefficient."""
        for key, c in self.terms.items():
            yield key, Fraction(c, self.denominator)

    @property
    def shape(self) -> tuple[int, int]:
        return (1, 1)

    def numel(self) -> int:
        return 1

    def nnz(self) -> int:
        return int(bool(self.terms))

    @property
    def T(self) -> Value:
        return self

    # --- arithmetic

    def __neg__(self) -> Value:
        return self._like({key: -c for key, c in self.terms.items()})

    def _like(self, terms: Terms) -> Value:
        return Value(self.space, terms, self.denominator, self.noise)

    def __add__(self, other: Any) -> Value:
        return self._with(other, _sum)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Value:
        return self._with(other, lambda a, b: _sum(a, -b))

    def __rsub__(self, other: Any) -> Value:
        return self._with(other, lambda a, b: _sum(b, -a))

    def __mul__(self, other: Any) -> Value:
        return self._with(other, _product)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Value:
        return self._with(other, lambda a, b: _product(a, a.space.reciprocal(b)))

    def __rtruediv__(self, other: Any) -> Value:
        return self._with(other, lambda a, b: _product(b, a.space.reciprocal(a)))

    def _with(self, other: Any, operation: Callable[[Value, Value], Value]) -> Value:
        if isinstance(other, Value):
            return operation(self, other)
        if not isinstance(other, Real):
            return NotImplemented  # type: ignore[no-any-return]
        return operation(self, self.space.constant(other))

    def __pow__(self, exponent: Any) -> Value:
        if not isinstance(exponent, Value):
            exponent = self.space.constant(exponent)
        found = exponent.rational
        if found is None or found.denominator != 1:
            return self.space.power(self, exponent)
        n = int(found)
        base = self if n >= 0 else self.space.reciprocal(self)
        return _power(base, abs(n))

    def __rpow__(self, base: Any) -> Value:
        return self.space.constant(base) ** self

    # --- parts

    def truncate(self, order: int, names: Iterable[str] | None = None) -> Value:
        """Without the terms of higher degree in the named symbols, or in the small ones."""
        small = self.space.monomials.small
        if names is not None:
            small = {self.space.index(name): 1 for name in names}
        powers = self.space.monomials.powers
        return self._like({
            (m, wave): c
            for (m, wave), c in self.terms.items()
            if sum(e * small.get(k, 0) for k, e in powers[m]) <= order
        })  # fmt: skip

    def by_degree(self) -> dict[int, Value]:
        """The parts of each degree in the small quantities of the space."""
        parts: dict[int, Terms] = {}
        for (monomial, wave), c in self.terms.items():
            own = parts.setdefault(self.space.monomials.degree[monomial], {})
            own[monomial, wave] = c
        return {degree: self._like(parts[degree]) for degree in sorted(parts)}

    @property
    def content(self) -> Fraction:
        """Greatest common divisor of the coefficients, with the sign of the first term."""
        if not self.terms:
            return Fraction(1)
        first = self.terms[min(self.terms)]
        common = gcd(*self.terms.values())
        return Fraction(common if first > 0 else -common, self.denominator)


def _settled(terms: Terms, denominator: int, noise: Noise) -> tuple[Terms, int, Noise]:
    """Coefficients with noise are rounded; those below it drop out."""
    values: dict[Key, Fraction] = {}
    louder: Noise = {}
    for key, c in terms.items():
        own = noise.get(key)
        if own is None:
            values[key] = Fraction(c, denominator)
        elif abs(c) / denominator > own:
            values[key], louder[key] = settled(c, denominator, own)
    common = lcm(*(c.denominator for c in values.values()))
    whole = {key: c.numerator * (common // c.denominator) for key, c in values.items()}
    return whole, common, louder


def _sum(a: Value, b: Value) -> Value:
    if not a.terms:
        return b
    if not b.terms:
        return a
    if len(a.terms) < len(b.terms):
        a, b = b, a
    denominator = lcm(a.denominator, b.denominator)
    own, other = denominator // a.denominator, denominator // b.denominator
    terms = dict(a.terms) if own == 1 else {key: own * c for key, c in a.terms.items()}
    for key, c in b.terms.items():
        terms[key] = terms.get(key, 0) + other * c
    noise = dict(a.noise)
    for key, size in b.noise.items():
        noise[key] = noise.get(key, 0.0) + size
    return Value(a.space, terms, denominator, noise)


def _product(a: Value, b: Value) -> Value:
    space = a.space
    heavy = space.naming_limit is not None and len(a.terms) * len(b.terms) > _HEAVY
    if heavy and min(len(a.terms), len(b.terms)) > 1:
        a, b = (space.name("z", x, numbered=True) for x in (a, b))  # factors that are sums
    space.work += len(a.terms) * len(b.terms)
    if space.max_work is not None and space.work > space.max_work:
        raise TooLarge(f"more than {space.max_work} products of terms")
    depth = min(_depth(a), _depth(b))
    terms: Terms = {}
    for key, c, halvings in _contributions(space, a.terms, b.terms):
        terms[key] = terms.get(key, 0) + (c << depth - halvings)
    if space.monomials.spheres:
        spread: Terms = {}  # squares of unit quaternions and the like in their basis
        for (m, wave), c in terms.items():
            for part, factor in space.monomials.on_spheres(m):
                spread[part, wave] = spread.get((part, wave), 0) + factor * c
        terms = spread
    if space.secants:
        terms = without_multiples(space, terms)
    noise = _product_noise(a, b) if a.noise or b.noise else None
    return Value(space, terms, a.denominator * b.denominator << depth, noise)


def _depth(a: Value) -> int:
    """Largest number of waves in a term: so often can a product be halved."""
    waves = a.space.waves.waves
    return max((len(waves[wave]) for _, wave in a.terms), default=0)


def _contributions(
    space: Space, a: Mapping[Key, Any], b: Mapping[Key, Any]
) -> Iterator[tuple[Key, Any, int]]:
    """All products of terms, to be halved so often; those of too high a degree are left out."""
    times, turn, degree = space.monomials.times, space.waves.times, space.monomials.degree
    order = space.order
    for (m1, w1), c1 in a.items():
        for (m2, w2), c2 in b.items():
            if order is not None and degree[m1] + degree[m2] > order:
                continue
            m, factor = times(m1, m2)
            c = c1 * c2 * factor
            if not w1 or not w2:
                yield (m, w1 or w2), c, 0
            else:
                for sign, halvings, wave in turn(w1, w2):
                    yield (m, wave), sign * c, halvings


def _product_noise(a: Value, b: Value) -> Noise:
    """|a| noise(b) + noise(a) |b|."""
    total: Noise = {}
    for left, right in ((a.noise, b.sizes()), (a.sizes(), b.noise)):
        for key, c, halvings in _contributions(a.space, left, right):
            total[key] = total.get(key, 0.0) + abs(c) / (1 << halvings)
    return total


def _power(base: Value, n: int) -> Value:
    """base^n by squaring."""
    result = base.space.constant(1)
    while n:
        if n & 1:
            result = _product(result, base)
        n >>= 1
        if n:
            base = _product(base, base)
    return result
