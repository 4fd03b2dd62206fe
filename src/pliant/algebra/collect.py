"""From normal form to what a person writes.

A value is grouped by accelerations, then by products of speeds, then the rest. In each coefficient
double angles become squares where the constant partner is there, common factors and a common sign
leave the bracket, and terms are collected by given parameters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from pliant.algebra.forms import Factor, Product, Sum
from pliant.algebra.space import Space
from pliant.algebra.terms import Term, terms_of
from pliant.algebra.value import Value
from pliant.algebra.writer import Writer

Group = tuple[tuple[int, int], ...]
"""A product of speeds or accelerations: (symbol, exponent)."""


def equation_lines(
    value: Value,
    accelerations: Iterable[Any] = (),
    speeds: Iterable[Any] = (),
    parameters: Iterable[Any] = (),
) -> Sum:
    """coefficient · acceleration + ... + coefficient · speeds + ... + the rest.

    Accelerations, speeds and the parameters to collect by are names or symbols.
    """
    space = value.space
    first, second = indices(space, accelerations), indices(space, speeds)
    writer = Writer(space, indices(space, parameters))
    groups = _grouped(terms_of(value), {*first, *second})
    moving = _ordered(space, (g for g in groups if any(k in first for k, _ in g)))
    turning = _ordered(space, (g for g in groups if g and g not in moving))
    lines = [writer.product(groups[g], _variables(space, g)) for g in moving]
    lines += _merged(writer, {g: groups[g] for g in turning})
    return Sum((*lines, *writer.terms(groups.get((), []))))


def bracketed(value: Value, parameters: Iterable[Any] = ()) -> Sum:
    """Common factors times a bracket."""
    if not value:
        return Sum(())
    product = Writer(value.space, indices(value.space, parameters)).product(terms_of(value))
    lone = product.factors[0].base if len(product.factors) == 1 else None
    return lone if isinstance(lone, Sum) and product.coefficient == 1 else Sum((product,))


def indices(space: Space, items: Iterable[Any]) -> list[int]:
    """Symbols given by name or as values."""
    found = (space.index(x) if isinstance(x, str) else x.symbol for x in items)
    return [k for k in found if k is not None]


def _grouped(terms: list[Term], variables: set[int]) -> dict[Group, list[Term]]:
    groups: dict[Group, list[Term]] = {}
    for c, powers in terms:
        own = {a: e for a, e in powers.items() if not a[0] and a[2] in variables}
        rest = {a: e for a, e in powers.items() if a not in own}
        groups.setdefault(tuple((a[2], e) for a, e in own.items()), []).append((c, rest))
    return groups


def _ordered(space: Space, groups: Iterable[Group]) -> list[Group]:
    """Highest derivatives first, then as declared."""
    return sorted(groups, key=lambda g: [(-space.symbols[k].rank, k, -e) for k, e in reversed(g)])


def _variables(space: Space, group: Group) -> tuple[Factor, ...]:
    return tuple(Factor(space.symbols[k], e) for k, e in group)


def _merged(writer: Writer, groups: dict[Group, list[Term]]) -> list[Product]:
    """Products of speeds with equal coefficients are written once: c (2 u1 u2 + u2²)."""
    found: dict[tuple[Factor, ...], list[Product]] = {}
    for group, terms in groups.items():
        own = writer.product(terms)
        speeds = Product(own.coefficient, (), _variables(writer.space, group))
        found.setdefault(own.factors, []).append(speeds)
    lines = []
    for factors, products in found.items():
        if len(products) == 1:
            lines.append(replace(products[0], factors=factors))
            continue
        content = _content([p.coefficient for p in products])
        inside = tuple(replace(p, coefficient=p.coefficient / content) for p in products)
        lines.append(Product(content, (*factors, Factor(Sum(inside)))))
    return lines


def _content(numbers: list[Fraction]) -> Fraction:
    """Greatest common divisor, with the sign of the first."""
    common = Fraction(gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers)))
    return common if numbers[0] > 0 else -common
