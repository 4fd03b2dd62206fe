"""Terms of a value as products of powers, for writing."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from pliant.algebra.value import Value
from pliant.algebra.waves import Multiples

Atom = tuple[int, int | Multiples, int]
"""(0, rank, symbol) or (1, angle, is cosine): sorted as they are written."""
Powers = dict[Atom, int]
Term = tuple[Fraction, Powers]


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
        double = next((atom for atom, e in key if e == 1 and _is_double(atom)), None)
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


def _is_double(atom: Atom) -> bool:
    """cos or sin of twice a sum of angles."""
    return isinstance(atom[1], tuple) and all(n % 2 == 0 for _, n in atom[1])


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
