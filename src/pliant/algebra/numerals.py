"""Coefficients for writing: 3/4 as a fraction, 9.81 as a decimal."""

from __future__ import annotations

from fractions import Fraction

_WHOLE = 10**6
_POWER_OF_TWO = 64
_OTHER = 10**5


def numeral(x: Fraction) -> tuple[str, str]:
    """What stands above and below the line for a positive number; empty for 1."""
    if _reads_as_fraction(x):
        above, below = ("" if n == 1 else str(n) for n in (x.numerator, x.denominator))
        return above, below
    return _decimal(x), ""


def _reads_as_fraction(x: Fraction) -> bool:
    n, d = x.numerator, x.denominator
    if d == 1:
        return n < _WHOLE or n % 1000 != 0
    if _is_decimal(d):
        return d % 5 != 0 and d <= _POWER_OF_TWO
    return d <= _OTHER and n < _WHOLE


def _is_decimal(d: int) -> bool:
    """The denominator of a finite decimal."""
    for p in (2, 5):
        while d % p == 0:
            d //= p
    return d == 1


def _decimal(x: Fraction) -> str:
    """At most 15 digits, without zeros that say nothing: 9.81, 2.1e11, 1e-5."""
    text = f"{x.numerator / x.denominator:.15g}"
    mantissa, _, exponent = text.partition("e")
    if not exponent and x.denominator == 1:
        digits = text.rstrip("0")
        exponent = str(len(text) - 1)
        mantissa = digits[0] + ("." + digits[1:] if len(digits) > 1 else "")
    return f"{mantissa}e{int(exponent)}" if exponent else mantissa
