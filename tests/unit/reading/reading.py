"""SymPy expressions read into a space; equations derived until they can be read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from pliant.reading.algebra import Matrix, Space, TooLarge, Value, name_parameters
from pliant.reading.algebra.functions import apply
from pliant.reading.naming import LIMITS, TOTAL

_FUNCTIONS = {getattr(sp, name): name for name in (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "log",
    "sign", "floor")}  # fmt: skip
_FUNCTIONS |= {sp.Abs: "abs", sp.Min: "minimum", sp.Max: "maximum"}


def from_sympy(space: Space, expression: Any) -> Any:
    """A SymPy expression or matrix as a value or matrix; symbols are found by their names."""
    if hasattr(expression, "shape"):
        rows, cols = expression.shape
        entries = [_value(space, expression[i, j]) for j in range(cols) for i in range(rows)]
        return Matrix(space, rows, cols, entries)
    return _value(space, sp.sympify(expression))


def _value(space: Space, e: Any) -> Value:
    if e.is_Symbol:
        return space.symbol(e.name)
    if e.is_Rational:
        return space.constant(1) * int(e.p) / int(e.q)
    if e.is_Number or e.is_NumberSymbol:
        return space.constant(float(e))
    if e.is_Pow:
        return _value(space, e.base) ** _value(space, e.exp)
    args = [_value(space, a) for a in e.args]
    if e.is_Add:
        return sum(args, space.constant(0))
    if e.is_Mul:
        product = space.constant(1)
        for a in args:
            product = product * a
        return product
    return apply(space, _FUNCTIONS[e.func], *args)


@dataclass(frozen=True, slots=True)
class Derivation:
    """Equations that can be read; ``limit``: intermediate results above it have names."""

    space: Space
    values: list[Value]
    limit: int | None


def derive_readable(
    new_space: Callable[[], Space],
    derive: Callable[[Space], list[Value]],
    parameters: Iterable[str] = (),
    *,
    limits: Sequence[int | None] = LIMITS,
    total: int = TOTAL,
) -> Derivation:
    """Equations of at most ``total`` terms: plain, or with names for intermediate results.

    ``derive`` is carried out in a new space for each limit; the work of each attempt is bounded by
    the largest value allowed, four times ``total``. Raises ``TooLarge`` if the last limit fails.
    """
    names = list(parameters)
    size = 0
    for limit in limits:
        space = new_space()
        space.naming_limit, space.max_terms = limit, 4 * total
        try:
            values = derive(space)
        except TooLarge:
            continue
        values = name_parameters(values, [n for n in names if n in space])
        size = sum(map(len, values))
        if size <= total:
            return Derivation(space, values, limit)
    counted = f"equations of {size} terms" if size else f"values of more than {4 * total} terms"
    raise TooLarge(
        f"{counted}, even with names for intermediate results; at most {total} can be read"
    )
