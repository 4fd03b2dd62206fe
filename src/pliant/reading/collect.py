"""From normal form to what a person writes: sums of terms, with brackets.

A value is grouped by accelerations, then by products of speeds, then the rest. In each coefficient
double angles become squares where the constant partner is there, common factors and a common sign
leave the bracket, and terms are collected by given parameters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import gcd, lcm, prod
from typing import Any

from pliant.reading.algebra.space import Space
from pliant.reading.algebra.value import Value
from pliant.reading.algebra.waves import Multiples
from pliant.reading.forms import Circular, Factor, Product, Root, Sum

Group = tuple[tuple[int, int], ...]
"""A product of speeds or accelerations: (symbol, exponent)."""
Atom = tuple[int, int | Multiples, int]
"""(0, rank, symbol) or (1, angle, is cosine): sorted as they are written."""
Powers = dict[Atom, int]
Term = tuple[Fraction, Powers]


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
    variables, groups = {*first, *second}, dict[Group, list[Term]]()
    for c, powers in terms_of(value):
        own = {a: e for a, e in powers.items() if not a[0] and a[2] in variables}
        rest = {a: e for a, e in powers.items() if a not in own}
        groups.setdefault(tuple((a[2], e) for a, e in own.items()), []).append((c, rest))
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
        numbers = [p.coefficient for p in products]
        common = gcd(*(x.numerator for x in numbers)), lcm(*(x.denominator for x in numbers))
        content = Fraction(*common) if numbers[0] > 0 else -Fraction(*common)
        inside = tuple(replace(p, coefficient=p.coefficient / content) for p in products)
        lines.append(Product(content, (*factors, Factor(Sum(inside)))))
    return lines


class Writer:
    """Writes sums of terms; ``parameters``: symbols to collect by, in this order."""

    def __init__(self, space: Space, parameters: Sequence[int] = ()) -> None:
        self.space = space
        self._parameters = [(0, space.symbols[k].rank, k) for k in parameters]

    def product(self, terms: list[Term], variables: tuple[Factor, ...] = ()) -> Product:
        """Common factors · (bracket) · variables, with the sign of most terms outside."""
        terms = without_double_angles(terms)
        common = shared(terms, self._parameters)
        inside = [(c, divided(powers, common)) for c, powers in terms]
        outside = self._factors(common)
        if len(inside) == 1:
            return Product(inside[0][0], outside, variables)
        scale = _scale([c for c, _ in inside])
        bracket = self.terms([(c / scale, powers) for c, powers in inside])
        if len(bracket) == 1:
            own = bracket[0]
            return Product(scale * own.coefficient, outside + own.factors, variables)
        return Product(scale, (*outside, Factor(Sum(bracket))), variables)

    def terms(self, terms: list[Term]) -> tuple[Product, ...]:
        """The terms one by one; those with the same parameter together in a bracket."""
        groups: dict[object, list[Term]] = {}
        for k, term in enumerate(without_double_angles(terms)):
            key: object = next((p for p in self._parameters if term[1].get(p, 0) > 0), k)
            groups.setdefault(key, []).append(term)
        return tuple(self.product(group) for group in groups.values())

    def _factors(self, powers: Powers) -> tuple[Factor, ...]:
        """Roots (as one), symbols, sines and cosines."""
        radicands = self.space.monomials.radicands
        root = prod(radicands[atom[2]] for atom in powers if not atom[0] and atom[2] in radicands)
        found = [Factor(Root(root))] if root > 1 else []
        for atom, e in powers.items():
            if isinstance(atom[1], tuple):
                terms = (Product(Fraction(n), (Factor(self.space.symbols[k]),)) for k, n in atom[1])
                angle = Sum(tuple(terms))
                found.append(Factor(Circular("cos" if atom[2] else "sin", angle), e))
            elif atom[2] not in radicands:
                found.append(Factor(self.space.symbols[atom[2]], e))
        return tuple(found)


def _scale(numbers: list[Fraction]) -> Fraction:
    """The sign of most numbers, times their size if it is the same for all."""
    balance = sum(1 if x > 0 else -1 for x in numbers)
    sign = -1 if (balance or numbers[0]) < 0 else 1
    sizes = {abs(x) for x in numbers}
    return sign * (sizes.pop() if len(sizes) == 1 else Fraction(1))


def terms_of(value: Value) -> list[Term]:
    """The terms in the order of writing."""
    space = value.space
    found: list[Term] = []
    for (monomial, wave), c in value.coefficients():
        powers: Powers = {
            (0, space.symbols[k].rank, k): e for k, e in space.monomials.powers[monomial]
        }
        for own in space.waves.waves[wave]:
            powers[1, own.angle, int(not own.is_sine)] = 1
        found.append((c, dict(sorted(powers.items()))))
    return sorted(found, key=_place)


def _place(term: Term) -> tuple[bool, list[tuple[int, object, int, int]]]:
    """Terms without sines first, then in the order of their symbols, higher powers first."""
    powers = term[1]
    return any(atom[0] for atom in powers), [(*atom, -e) for atom, e in powers.items()]


def shared(terms: list[Term], always: Collection[Atom] = ()) -> Powers:
    """Factors of equal power in all terms; of some atoms, ``always`` the least power."""
    common: Powers = {}
    for atom in terms[0][1]:
        exponents = [powers.get(atom, 0) for _, powers in terms]
        least = min(exponents)
        if least == max(exponents) or (least > 0 and atom in always):
            common[atom] = least
    return common


def divided(powers: Powers, common: Powers) -> Powers:
    """powers / common."""
    rest = {atom: e - common.get(atom, 0) for atom, e in powers.items()}
    return {atom: e for atom, e in rest.items() if e}


def without_double_angles(terms: list[Term]) -> list[Term]:
    """A + B cos 2x as squares where |A| >= |B|; sin 2x = 2 sin x cos x.

    A + B cos 2x = A - B + 2 B cos² x = A + B - 2 B sin² x: the one whose parts have equal signs.
    """
    table = {tuple(powers.items()): c for c, powers in terms}
    changed = False
    for key in list(table):
        double = next((atom for atom, e in key  # cos or sin of twice a sum of angles
                       if e == 1 and isinstance(atom[1], tuple)
                       and all(n % 2 == 0 for _, n in atom[1])), None)  # fmt: skip
        if double is None or key not in table:
            continue
        rest = tuple((atom, e) for atom, e in key if atom != double)
        half = tuple((k, n // 2) for k, n in double[1])  # type: ignore[union-attr]
        c = table[key]
        if not double[2]:
            del table[key]
            _add(table, (*rest, ((1, half, 0), 1), ((1, half, 1), 1)), 2 * c)
        elif rest in table and abs(table[rest]) >= abs(c):
            is_sine = (table[rest] > 0) != (c > 0)
            del table[key]
            _add(table, rest, c if is_sine else -c)
            _add(table, (*rest, ((1, half, int(not is_sine)), 2)), -2 * c if is_sine else 2 * c)
        else:
            continue
        changed = True
    if not changed:
        return terms
    return sorted(((c, dict(sorted(key))) for key, c in table.items()), key=_place)


def _add(
    table: dict[tuple[tuple[Atom, int], ...], Fraction],
    key: tuple[tuple[Atom, int], ...],
    c: Fraction,
) -> None:
    key = tuple(sorted(key))
    total = table.get(key, Fraction(0)) + c
    if total:
        table[key] = total
    else:
        table.pop(key, None)
