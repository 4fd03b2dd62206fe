"""Small linear systems over any symbolic numbers.

Systems Y x = b in symbols are solved by rows with one unknown first, then by determinants.
"""

from __future__ import annotations

from itertools import combinations
from math import isnan
from typing import Any

from pliant.spatial.ops import SymbolicOps


def number(x: Any) -> float | None:
    """The number that an expression is, None if it has symbols."""
    try:
        found = float(x)
    except TypeError:
        return None
    return None if isnan(found) else found


def is_zero(x: Any) -> bool:
    """Whether an expression is the number zero."""
    return number(x) == 0.0


def depends(ops: SymbolicOps, expression: Any, symbols: Any) -> bool:
    """Whether a column depends on any of the symbols."""
    if not expression.numel() or not symbols.numel():
        return False
    return bool(ops.jacobian(expression, symbols).nnz())


def cramer(ops: SymbolicOps, A: Any, b: Any) -> list[Any] | None:
    """x with A x = b by determinants, which need no pivots; None if A is singular as written."""
    n = b.numel()
    entries = [[A[i, j] for j in range(n)] for i in range(n)]
    whole = _determinant(entries)
    if is_zero(whole):
        return None
    found = []
    for j in range(n):
        replaced = [[b[i] if k == j else row[k] for k in range(n)] for i, row in enumerate(entries)]
        found.append(_determinant(replaced) / whole)
    return found


def _determinant(entries: list[list[Any]]) -> Any:
    """By minors of growing size: each subset of columns once."""
    n = len(entries)
    minors: dict[tuple[int, ...], Any] = {(): 1}
    for size in range(1, n + 1):
        row = entries[n - size]
        minors = {chosen: _expanded(row, chosen, minors) for chosen in combinations(range(n), size)}
    return minors[tuple(range(n))]


def _expanded(row: list[Any], chosen: tuple[int, ...], minors: dict[tuple[int, ...], Any]) -> Any:
    total: Any = 0
    for place, j in enumerate(chosen):
        minor = minors[chosen[:place] + chosen[place + 1 :]]
        if not is_zero(row[j]) and not is_zero(minor):
            total = total + row[j] * minor * (-1 if place % 2 else 1)
    return total


def solve_definite(ops: SymbolicOps, A: Any, b: Any) -> Any:
    """x with A x = b for a positive definite A: elimination without pivots."""
    n = b.numel()
    rows = [[A[i, j] for j in range(n)] + [b[i]] for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            if not is_zero(rows[i][k]):
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    found: list[Any] = [0] * n
    for i in reversed(range(n)):
        rest = rows[i][n]
        for j in range(i + 1, n):
            rest = rest - rows[i][j] * found[j]
        found[i] = rest / rows[i][i]
    return ops.vec(*found)


def solved(ops: SymbolicOps, Y: list[list[Any]], b: list[Any]) -> list[Any] | None:
    """x; None if Y is singular as written."""
    found: dict[int, Any] = {}
    rows = list(range(len(b)))
    while (ready := _ready(Y, rows, found)) is not None:
        i, j = ready
        rows.remove(i)
        found[j] = _right(Y[i], b[i], found) / Y[i][j]
    rest = [j for j in range(len(b)) if j not in found]
    if rest:
        A = ops.mat([[Y[i][j] for j in rest] for i in rows])
        others = cramer(ops, A, ops.vec(*(_right(Y[i], b[i], found) for i in rows)))
        if others is None:
            return None
        found |= dict(zip(rest, others, strict=True))
    return [found[j] for j in range(len(b))]


def _ready(Y: list[list[Any]], rows: list[int], found: dict[int, Any]) -> tuple[int, int] | None:
    """A row that has one unknown left, and this."""
    for i in rows:
        own = [j for j, y in enumerate(Y[i]) if j not in found and not is_zero(y)]
        if len(own) == 1:
            return i, own[0]
    return None


def _right(row: list[Any], value: Any, found: dict[int, Any]) -> Any:
    """The right side less what is known."""
    for j, x in found.items():
        if not is_zero(row[j]):
            value = value - row[j] * x
    return value
