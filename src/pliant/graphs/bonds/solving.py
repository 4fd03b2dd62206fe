"""Small systems Y x = b in symbols: rows with one unknown first, then determinants."""

from __future__ import annotations

from typing import Any

from pliant.graphs.bonds.linear import cramer, is_zero
from pliant.spatial.ops import SymbolicOps


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
