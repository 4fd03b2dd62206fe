"""Formulas as they are to be written: sums of products of factors, in the order of writing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from pliant.algebra.symbols import Symbol


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
