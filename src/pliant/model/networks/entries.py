"""Numbers of bond-graph elements: one, a list, or a matrix of formulas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import Number as NumberField
from pliant.model.fields import is_sequence, plain_number
from pliant.model.formulas import Formula
from pliant.model.formulas.formula import from_tree
from pliant.model.formulas.tree import Call, Name, Node

Entries = Formula | tuple[Formula, ...] | tuple[tuple[Formula, ...], ...]
"""A number, a column, or the rows of a matrix."""
_NUMBER = NumberField("")


def entries(value: Any) -> Entries:
    """A number, list or list of lists as formulas; raises InputError."""
    if not is_sequence(value):
        return _NUMBER.convert(value)
    if not len(value):
        raise InputError("an empty list stands where numbers are expected", "give numbers")
    if not any(is_sequence(row) for row in value):
        return tuple(_NUMBER.convert(v) for v in value)
    if not all(is_sequence(row) and len(row) == len(value[0]) for row in value):
        raise InputError("the rows of the matrix are not of one length", "write [[a, b], [c, d]]")
    return tuple(tuple(_NUMBER.convert(v) for v in row) for row in value)


def plain_entries(value: Entries) -> Any:
    """As it stands in a file."""
    return plain_number(value) if isinstance(value, Formula) else [plain_entries(v) for v in value]


def each(value: Entries) -> Iterator[tuple[str, Formula]]:
    """Every formula, with its place as [2] or [1, 2]."""
    return ((f"[{', '.join(map(str, place))}]" if place else "", f) for place, f in _each(value))


def _each(value: Entries, place: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Formula]]:
    if isinstance(value, Formula):
        yield place, value
    else:
        parts: tuple[Entries, ...] = value
        for k, part in enumerate(parts):
            yield from _each(part, (*place, k + 1))


def shape(value: Entries) -> tuple[int, ...]:
    """() of a number, (n,) of a list, (rows, columns) of a matrix."""
    if isinstance(value, Formula):
        return ()
    first = value[0]
    return (len(value),) if isinstance(first, Formula) else (len(value), len(first))


def order_of(value: Entries) -> tuple[int, ...]:
    """Which entry of f stands at each place of D f; empty if D is no permutation."""
    n = len(shape(value)) and shape(value)[0]
    ones = [place for place, f in _each(value) if not (f.is_constant and f.value == 0)]
    single = all(f.is_constant and f.value in (0, 1) for _, f in _each(value))
    places = [{i[k] for i in ones} for k in range(2)] if shape(value) == (n, n) and single else []
    if len(ones) != n or any(len(own) != n for own in places) or not places:
        return ()
    return tuple(j - 1 for _, j in ones)


def replaced(value: Entries, names: Mapping[str, Formula]) -> Entries:
    """With formulas in place of some names."""
    if isinstance(value, Formula):
        return replaced_formula(value, names)
    return tuple(replaced(v, names) for v in value)  # type: ignore[return-value]


def replaced_formula(f: Formula, names: Mapping[str, Formula]) -> Formula:
    """A formula with others in place of some names. One that is just a name keeps the unit."""
    if isinstance(f.tree, Name):
        return names.get(f.tree.name, f)
    return f if f.names.isdisjoint(names) else from_tree(_replaced(f.tree, names))


def _replaced(tree: Node, names: Mapping[str, Formula]) -> Node:
    if isinstance(tree, Name):
        return names[tree.name].tree if tree.name in names else tree
    if isinstance(tree, Call):
        return Call(tree.function, tuple(_replaced(a, names) for a in tree.args))
    return tree


def named(name: str) -> Formula:
    """The formula that is just a name."""
    return from_tree(Name(name))
