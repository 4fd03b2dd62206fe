"""Numbers that enter: rationals, roots of rationals, or decimals that are neither.

A float stands for the rational of its shortest decimal text (0.25 is 1/4). A float with all its
digits in use is a simple fraction (1/3) or the root of one (0.7071067811865476 is √2/2) if it
equals it to rounding; else it is kept as a decimal, and results with it are rounded.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial, isfinite, isqrt, sqrt, ulp
from numbers import Integral, Rational, Real
from sys import float_info
from typing import NamedTuple

from pliant.errors import InputError

_PLAIN_DIGITS = 12
"""A decimal text of at most so many digits was meant as it is written."""
_SIMPLE = 1000
"""Largest denominator of a fraction that is recognised."""
_UNIT_FRACTION = 10**9
_SERIES = {1.0 / factorial(n): Fraction(1, factorial(n)) for n in range(13, 41)}
"""Coefficients of power series."""
_RADICAND = 10**6
_HUGE = 1e100
_ENTERED = 10**19
"""Larger numerators and denominators come from products of decimals."""
_PARTS = 24
"""Decimals that equal halves, thirds ... to rounding are written so."""
EPSILON = float_info.epsilon
ENTRY = 4 * EPSILON
"""Relative noise of decimals that enter: results of a few operations in floats."""


class Number(NamedTuple):
    """``value`` √ ``radicand``; not ``exact`` if it is a rounded decimal."""

    value: Fraction
    radicand: int = 1
    exact: bool = True


def number(x: object) -> Number:
    """The exact number that an int, fraction or float stands for."""
    if isinstance(x, Integral):
        return Number(Fraction(int(x)))
    if isinstance(x, Rational):
        return Number(Fraction(int(x.numerator), int(x.denominator)))
    if isinstance(x, Real) and isfinite(x):
        return _of_float(float(x))
    raise InputError(f"{x!r} is not a number of symbolic algebra", "use finite real numbers")


def _of_float(x: float) -> Number:
    decimal = Fraction(repr(x))
    mantissa = repr(x).lower().partition("e")[0].lstrip("-").replace(".", "")
    if len(mantissa.strip("0")) <= _PLAIN_DIGITS:
        return Number(decimal)
    if x in _SERIES:
        return Number(_SERIES[x])
    if not 1 / _HUGE < abs(x) < _HUGE:
        return Number(decimal, exact=False)
    for simple in (Fraction(x).limit_denominator(_SIMPLE), _unit_fraction(x)):
        if simple and float(simple) == x:
            return Number(simple)
    square = Fraction(x * x).limit_denominator(_SIMPLE)
    is_root = abs(sqrt(square) - abs(x)) <= 2 * ulp(x)
    if is_root and 0 < square.numerator * square.denominator <= _RADICAND:
        root = root_of(square)
        return Number(root.value if x > 0 else -root.value, root.radicand)
    return Number(decimal, exact=False)


def _unit_fraction(x: float) -> Fraction:
    n = round(1 / x)
    return Fraction(1, n) if 0 < abs(n) <= _UNIT_FRACTION else Fraction(0)


def root_of(square: Fraction) -> Number:
    """√(a/b) = s/b √k with a b = s² k, k without square factors."""
    a, b = square.numerator, square.denominator
    inside, outside, k = a * b, 1, 1
    for prime in prime_factors(inside):
        while inside % (prime * prime) == 0:
            inside //= prime * prime
            outside *= prime
        if inside % prime == 0:
            inside //= prime
            k *= prime
    return Number(Fraction(outside, b), k)


def prime_factors(n: int) -> list[int]:
    """Different prime factors by division; of a large cofactor, a square counts as its root."""
    found, p = [], 2
    while p * p <= n and p < 10**4:
        if n % p == 0:
            found.append(p)
            while n % p == 0:
                n //= p
        p += 1
    if n > 1:
        root = isqrt(n)
        found.append(root if root * root == n else n)
    return found


def settled(numerator: int, denominator: int, noise: float) -> tuple[Fraction, float]:
    """A coefficient that came from rounded decimals, as short as its noise allows; its noise."""
    decimal = numerator / denominator
    parts = round(_PARTS * decimal)
    if abs(_PARTS * decimal - parts) <= _PARTS * noise:
        return Fraction(parts, _PARTS), noise
    value = Fraction(numerator, denominator)
    if min(abs(value.numerator), value.denominator) <= _ENTERED:
        return value, noise
    return Fraction(repr(decimal)), noise + EPSILON * abs(decimal)
