"""Sums of terms written with brackets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod

from pliant.algebra.forms import Circular, Factor, Product, Root, Sum
from pliant.algebra.space import Space
from pliant.algebra.terms import Powers, Term, divided, shared, without_double_angles
from pliant.algebra.waves import Multiples


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
                found.append(Factor(Circular("cos" if atom[2] else "sin", self._angle(atom[1])), e))
            elif atom[2] not in radicands:
                found.append(Factor(self.space.symbols[atom[2]], e))
        return tuple(found)

    def _angle(self, angle: Multiples) -> Sum:
        return Sum(tuple(Product(Fraction(n), (Factor(self.space.symbols[k]),)) for k, n in angle))


def _scale(numbers: list[Fraction]) -> Fraction:
    """The sign of most numbers, times their size if it is the same for all."""
    balance = sum(1 if x > 0 else -1 for x in numbers)
    sign = -1 if (balance or numbers[0]) < 0 else 1
    sizes = {abs(x) for x in numbers}
    return sign * (sizes.pop() if len(sizes) == 1 else Fraction(1))
