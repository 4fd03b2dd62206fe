"""Reciprocals of a cosine or sine: 1/cos x is a symbol s with s cos x = 1.

Terms with s keep no multiple of the angle that s could take up, so that their form is unique:

    1/cos x:   s cos y = 2 cos(y - x) - s cos(y - 2x)       s sin y = 2 sin(y - x) - s sin(y - 2x)
    1/sin x:   s cos y = s cos(y - 2x) - 2 sin(y - x)       s sin y = s sin(y - 2x) + 2 cos(y - x)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pliant.algebra.waves import Multiples, Wave, canonical, combined

if TYPE_CHECKING:
    from pliant.algebra.space import Space
    from pliant.algebra.value import Key, Terms, Value


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
