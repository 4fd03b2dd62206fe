"""Products of sines and cosines, at most one of each run of angles: the run-Fourier basis.

Angles of parallel joints form a run. Inside a run a product is a sum at once:

    2 cos a cos b = cos(a - b) + cos(a + b)        2 sin a sin b = cos(a - b) - cos(a + b)
    2 sin a cos b = sin(a + b) + sin(a - b)

Across runs it stays a product. That is a basis, so the form of a value is unique.

The reciprocal of a cosine or sine, 1/cos x, is a symbol s with s cos x = 1. Terms with s keep no
multiple of the angle that s could take up, so that their form is unique:

    1/cos x:   s cos y = 2 cos(y - x) - s cos(y - 2x)       s sin y = 2 sin(y - x) - s sin(y - 2x)
    1/sin x:   s cos y = s cos(y - 2x) - 2 sin(y - x)       s sin y = s sin(y - 2x) + 2 cos(y - x)

Monomials and products of waves are kept once each and known by their index; products are looked up.
Index 0 is 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pliant.reading.algebra.space import Space
    from pliant.reading.algebra.value import Key, Terms, Value


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


Multiples = tuple[tuple[int, int], ...]
"""An integer combination of angles: (symbol, multiple), by symbol."""


class Wave(NamedTuple):
    """cos or sin of an integer combination of the angles of one run."""

    run: int
    is_sine: bool
    angle: Multiples


Part = tuple[int, int, int]
"""(sign, number of halvings, index): sign / 2^halvings times a product of waves."""


class Waves:
    """Table of products of waves; index 0 is 1."""

    def __init__(self) -> None:
        self.waves: list[tuple[Wave, ...]] = [()]
        self._index: dict[tuple[Wave, ...], int] = {(): 0}
        self._products: dict[tuple[int, int], tuple[Part, ...]] = {}

    def index(self, waves: tuple[Wave, ...]) -> int:
        """The index of a product, its waves sorted by run."""
        found = self._index.get(waves)
        if found is None:
            found = self._index[waves] = len(self.waves)
            self.waves.append(waves)
        return found

    def times(self, a: int, b: int) -> tuple[Part, ...]:
        """The product of two products as a sum."""
        if a > b:
            a, b = b, a
        found = self._products.get((a, b))
        if found is None:
            found = self._products[a, b] = self._multiplied(a, b)
        return found

    def _multiplied(self, a: int, b: int) -> tuple[Part, ...]:
        sums: list[tuple[int, dict[int, Wave]]] = [(1, {w.run: w for w in self.waves[a]})]
        halvings = 0
        for second in self.waves[b]:
            own = next((w for w in self.waves[a] if w.run == second.run), None)
            if own is None:
                sums = [(c, {**waves, second.run: second}) for c, waves in sums]
                continue
            halvings += 1
            sums = [
                (c * sign, _with(waves, second.run, wave))
                for c, waves in sums
                for sign, wave in _two(own, second)
            ]
        return tuple((c, halvings, self.index(tuple(w[run] for run in sorted(w)))) for c, w in sums)


def _with(waves: dict[int, Wave], run: int, wave: Wave | None) -> dict[int, Wave]:
    others = {r: w for r, w in waves.items() if r != run}
    return others if wave is None else {**others, run: wave}


def _two(a: Wave, b: Wave) -> list[tuple[int, Wave | None]]:
    """Twice the product of two waves of one run."""
    plus, minus = combined(a.angle, b.angle, 1), combined(a.angle, b.angle, -1)
    if a.is_sine == b.is_sine:
        parts = [(1, False, minus), (-1 if a.is_sine else 1, False, plus)]
    else:
        parts = [(1, True, plus), (1 if a.is_sine else -1, True, minus)]
    found = [(sign, canonical(a.run, is_sine, angle)) for sign, is_sine, angle in parts]
    return [(sign * own, wave) for sign, (own, wave) in found if own]


def combined(a: Multiples, b: Multiples, sign: int) -> Multiples:
    """a + sign b."""
    total = dict(a)
    for k, n in b:
        total[k] = total.get(k, 0) + sign * n
    return tuple(sorted((k, n) for k, n in total.items() if n))


def canonical(run: int, is_sine: bool, angle: Multiples) -> tuple[int, Wave | None]:
    """(sign, wave) with a positive first multiple; the wave of angle 0 is None, with 1 or 0."""
    if not angle:
        return (0 if is_sine else 1), None
    if angle[0][1] > 0:
        return 1, Wave(run, is_sine, angle)
    opposite = tuple((k, -n) for k, n in angle)
    return (-1 if is_sine else 1), Wave(run, is_sine, opposite)


def wave_of(x: Value) -> Wave | None:
    """The cosine or sine of one angle that a value is, if it is one."""
    if len(x.terms) != 1 or x.denominator != 1:
        return None
    (((monomial, wave), c),) = x.terms.items()
    waves = x.space.waves.waves[wave]
    if monomial or c != 1 or len(waves) != 1:
        return None
    (own,) = waves
    return own if len(own.angle) == 1 and own.angle[0][1] == 1 else None


def without_multiples(space: Space, terms: Terms) -> Terms:
    """The terms in their unique form."""
    found: Terms = {}
    waiting = list(terms.items())
    while waiting:
        key, c = waiting.pop()
        parts = _parts(space, key)
        if parts is None:
            found[key] = found.get(key, 0) + c
        else:
            waiting += [(part, c * factor) for part, factor in parts]
    return found


def _parts(space: Space, key: Key) -> list[tuple[Key, int]] | None:
    """A term as a sum of terms nearer to the form; None if it has it."""
    monomial, wave = key
    powers, waves = space.monomials.powers[monomial], space.waves.waves[wave]
    for symbol, exponent in powers:
        divisor = space.secants.get(symbol)
        if divisor is None or exponent < 1:
            continue
        own = next((w for w in waves if w.run == divisor.run), None)
        if own is None or _is_settled(own, divisor):
            continue
        others = tuple(w for w in waves if w is not own)
        less = tuple((k, e - (k == symbol)) for k, e in powers if k != symbol or e > 1)
        lower = space.monomials.index(less)
        found: list[tuple[Key, int]] = []
        for taken, factor, is_sine, angle in _rule(own, divisor):
            sign, new = canonical(own.run, is_sine, angle)
            together = others if new is None else tuple(sorted((*others, new)))
            if sign:
                place = space.waves.index(together)
                found.append(((lower if taken else monomial, place), sign * factor))
        return found
    return None


def _is_settled(own: Wave, divisor: Wave) -> bool:
    """Multiples 0 and 1 of the angle stay, the latter beside a positive rest; of the angle alone
    only that which is no divisor."""
    if own.angle == divisor.angle:
        return own.is_sine != divisor.is_sine
    n = _multiple(own, divisor)
    return n == 0 or (n == 1 and combined(own.angle, divisor.angle, -1)[0][1] > 0)


def _multiple(own: Wave, divisor: Wave) -> int:
    symbol = divisor.angle[0][0]
    return next((n for k, n in own.angle if k == symbol), 0)


def _rule(own: Wave, divisor: Wave) -> list[tuple[bool, int, bool, Multiples]]:
    """(whether the reciprocal is used up, factor, is sine, angle) of each part."""
    if own == divisor:
        return [(True, 1, False, ())]
    step = 1 if _multiple(own, divisor) > 0 else -1
    once = combined(own.angle, divisor.angle, -step)
    twice = combined(once, divisor.angle, -step)
    if not divisor.is_sine:
        return [(True, 2, own.is_sine, once), (False, -1, own.is_sine, twice)]
    factor = 2 * step if own.is_sine else -2 * step
    return [(True, factor, not own.is_sine, once), (False, 1, own.is_sine, twice)]
