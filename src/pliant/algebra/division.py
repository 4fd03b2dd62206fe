"""Reciprocals, roots and powers: exact where they have a normal form, else defined symbols."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from pliant.algebra.numbers import root_of
from pliant.algebra.products import Powers
from pliant.algebra.value import Value
from pliant.algebra.waves import wave_of

if TYPE_CHECKING:
    from pliant.algebra.space import Space

_LARGE = 10**12
"""Roots of larger numbers are not split into primes."""


def reciprocal(space: Space, x: Value) -> Value:
    """1/x: negative exponents for a common monomial, times a defined symbol for the rest."""
    if not x:
        raise ZeroDivisionError("division by the value zero")
    inverse = _monomial(space, _divisors(space, x), -1) * (1 / x.content)
    rest = x * inverse
    if rest.is_constant:
        square = (rest * rest).rational  # 1/√k = √k/k; sums with roots in decimals
        own = space.constant(1 / float(rest)) if square is None else rest * (1 / square)
        return own * inverse
    wave = wave_of(rest)
    if wave is not None:
        return space.secant(wave, rest) * inverse
    return space.define("reciprocal", rest) * inverse


def square_root(space: Space, x: Value) -> Value:
    """√x; what is a square leaves the root (parameters count as positive)."""
    if x.is_constant:
        return _root_of_number(space, x)
    positive = [
        (k, e // 2 * 2)
        for k, e in _divisors(space, x)
        if space.symbols[k].rank == 0 and k not in space.definitions
    ]
    factor = _rational_root(abs(x.content))
    outside = _monomial(space, tuple((k, e // 2) for k, e in positive), 1) * factor
    inside = x * _monomial(space, tuple(positive), -1) * (1 / (factor * factor))
    if inside.is_constant:
        return outside * _root_of_number(space, inside)
    return outside * space.define("sqrt", inside)


def _rational_root(square: Fraction) -> Fraction:
    """The root if it is rational, else 1."""
    if square.numerator * square.denominator > _LARGE:
        return Fraction(1)
    root = root_of(square)
    return root.value if root.radicand == 1 else Fraction(1)


def _root_of_number(space: Space, x: Value) -> Value:
    value = x.rational
    if value is None or x.noise or not 0 <= value.numerator * value.denominator <= _LARGE:
        return space.constant(sqrt(float(x)))
    root = root_of(value)
    return space.root(root.radicand) * root.value


def power(space: Space, base: Value, exponent: Value) -> Value:
    """base^exponent, the exponent not an integer."""
    halves = exponent.rational
    if halves is not None and halves.denominator == 2:
        return square_root(space, base) ** halves.numerator
    if base.is_constant and exponent.is_constant:
        return space.constant(float(base) ** float(exponent))
    return space.define("power", base, exponent)


def _divisors(space: Space, x: Value) -> Powers:
    """Powers of symbols that divide every term (of small ones and roots: none)."""
    rows = [dict(space.monomials.powers[monomial]) for monomial, _ in x.terms]
    known = set().union(*rows) - space.monomials.small.keys() - space.monomials.radicands.keys()
    least = ((k, min(row.get(k, 0) for row in rows)) for k in sorted(known))
    return tuple((k, e) for k, e in least if e)


def _monomial(space: Space, powers: Powers, sign: int) -> Value:
    """The product of powers, or (sign -1) its reciprocal."""
    own = tuple((k, sign * e) for k, e in powers if e)
    return Value(space, {(space.monomials.index(own), 0): 1})


def cancelled(numerator: Value, denominator: Value) -> tuple[Value, Value]:
    """Both without the powers of symbols that all their terms share."""
    space = numerator.space
    powers = [dict(space.monomials.powers[m]) for v in (numerator, denominator) for m, _ in v.terms]
    if not numerator or not denominator:
        return numerator, denominator
    shared = {k: min(p.get(k, 0) for p in powers) for k in powers[0]}
    common = space.monomials.index(tuple(sorted((k, -e) for k, e in shared.items() if e > 0)))
    factor = Value(space, {(common, 0): 1})
    return numerator * factor, denominator * factor
