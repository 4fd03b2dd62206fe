"""Formulas as they are to be written: sums of products of factors, in the order of writing.

Coefficients are fractions (3/4) or decimals (9.81).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pliant.reading.algebra.symbols import Symbol
from pliant.records import dataclass

_WHOLE = 10**6
_POWER_OF_TWO = 64
_OTHER = 10**5


@dataclass(frozen=True, slots=True)
class Root:
    """√radicand."""

    radicand: int


@dataclass(frozen=True, slots=True)
class Circular:
    """cos or sin of an angle."""

    function: str
    angle: Sum


@dataclass(frozen=True, slots=True)
class Factor:
    """base^exponent; a sum as a base stands in brackets."""

    base: Symbol | Root | Circular | Sum
    exponent: int = 1


@dataclass(frozen=True, slots=True)
class Product:
    """coefficient · factors · variables."""

    coefficient: Fraction
    factors: tuple[Factor, ...] = ()
    variables: tuple[Factor, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """Products, one after the other; none is zero."""

    terms: tuple[Product, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of formulas; comparisons and logical functions too."""

    function: str
    arguments: tuple[Sum, ...]


@dataclass(frozen=True, slots=True)
class Sides:
    """The factors of a product sorted for writing: a fraction of symbols, then the others."""

    above: list[Factor]
    below: list[Factor]
    circular: list[Factor]
    brackets: list[Factor]


def sides(product: Product) -> Sides:
    """Symbols and roots above and below the line of a fraction, sines and cosines, brackets."""
    plain = [f for f in product.factors if isinstance(f.base, Symbol | Root)]
    return Sides(
        [f for f in plain if f.exponent > 0],
        [Factor(f.base, -f.exponent) for f in plain if f.exponent < 0],
        [f for f in product.factors if isinstance(f.base, Circular)],
        [f for f in product.factors if isinstance(f.base, Sum)],
    )


def signed(form: Sum) -> Iterator[tuple[str, Product]]:
    """Each product with the sign before it."""
    for k, product in enumerate(form.terms):
        sign = "-" if product.coefficient < 0 else "+"
        yield f" {sign} " if k else sign.replace("+", ""), product


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
