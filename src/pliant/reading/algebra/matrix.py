"""Columns and matrices of values, with the operations mechanics uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pliant.reading.algebra.symbols import PRINTERS
from pliant.reading.algebra.value import Value

if TYPE_CHECKING:
    from pliant.reading.algebra.space import Space

Index = int | slice


class Matrix:
    """rows x cols values, kept column by column; a single index counts in that order."""

    __array_ufunc__ = None
    """Makes numpy leave the operation to this class."""
    __slots__ = ("cols", "entries", "rows", "space")

    def __init__(self, space: Space, rows: int, cols: int, entries: Iterable[Any]) -> None:
        self.space = space
        self.rows = rows
        self.cols = cols
        self.entries = tuple(space.constant(x) for x in entries)
        if len(self.entries) != rows * cols:
            raise ValueError(f"{len(self.entries)} entries for a {rows} x {cols} matrix")

    def latex(self, name: str = "", width: float = 34) -> str:
        """As LaTeX. With a name as an equation that stands by itself in lines of ``width`` em; a
        matrix that is wider is told by those of its entries that are not zero."""
        return PRINTERS["named"](self, name, width) if name else PRINTERS["latex"](self)

    def __repr__(self) -> str:
        return PRINTERS["text"](self)

    @property
    def shape(self) -> tuple[int, int]:
        return (self.rows, self.cols)

    def numel(self) -> int:
        return len(self.entries)

    def nnz(self) -> int:
        """Number of entries that are not zero."""
        return sum(map(bool, self.entries))

    @property
    def T(self) -> Matrix:
        return Matrix(
            self.space, self.cols, self.rows, (x for row in self.row_lists() for x in row)
        )

    def row_lists(self) -> list[list[Value]]:
        """The entries, row by row."""
        return [list(self.entries[i :: self.rows]) for i in range(self.rows)]

    def __iter__(self) -> Iterator[Value]:
        return iter(self.entries)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.shape == other.shape and self.entries == other.entries

    def __hash__(self) -> int:
        return hash((self.shape, self.entries))

    # --- parts

    def __getitem__(self, where: Index | tuple[Index, Index]) -> Any:
        if not isinstance(where, tuple):
            return self._linear(where)
        rows, cols = _chosen(where[0], self.rows), _chosen(where[1], self.cols)
        found = [self.entries[i + j * self.rows] for j in cols for i in rows]
        if not isinstance(where[0], slice) and not isinstance(where[1], slice):
            return found[0]
        return Matrix(self.space, len(rows), len(cols), found)

    def _linear(self, where: Index) -> Any:
        if not isinstance(where, slice):
            return self.entries[where]
        part = self.entries[where]
        is_row = self.rows == 1 and self.cols != 1
        return Matrix(self.space, *((1, len(part)) if is_row else (len(part), 1)), part)

    # --- arithmetic, entry by entry; a scalar acts on all

    def __neg__(self) -> Matrix:
        return self._like(-x for x in self.entries)

    def _like(self, entries: Iterable[Any]) -> Matrix:
        return Matrix(self.space, self.rows, self.cols, entries)

    def __add__(self, other: Any) -> Matrix:
        return self._each(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Matrix:
        return self._each(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Matrix:
        return self._each(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Matrix:
        return self._each(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Matrix:
        return self._each(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Matrix:
        return self._each(other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Matrix:
        if not isinstance(other, Matrix):
            return self * self.space.reciprocal(other)
        return self._each(other, lambda a, b: a / b)

    def _each(self, other: Any, operation: Callable[[Value, Value], Value]) -> Matrix:
        if isinstance(other, Matrix) and other.numel() != 1:
            if self.numel() == 1:
                return other._like(operation(self.entries[0], b) for b in other.entries)
            if self.shape != other.shape:
                raise ValueError(f"shapes {self.shape} and {other.shape} do not fit")
            return self._like(map(operation, self.entries, other.entries))
        scalar = other.entries[0] if isinstance(other, Matrix) else self.space.constant(other)
        return self._like(operation(a, scalar) for a in self.entries)

    def __matmul__(self, other: Any) -> Any:
        if not isinstance(other, Matrix) or other.shape == (1, 1) or self.shape == (1, 1):
            return self * other
        if self.cols != other.rows:
            raise ValueError(f"shapes {self.shape} and {other.shape} do not fit")
        rows = self.row_lists()
        products = [
            inner(self.space, row, other.entries[j * other.rows : (j + 1) * other.rows])
            for j in range(other.cols)
            for row in rows
        ]
        return Matrix(self.space, self.rows, other.cols, products)


def inner(space: Space, a: Sequence[Value], b: Sequence[Value]) -> Value:
    """Σ a_k b_k."""
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), space.constant(0))


def _chosen(where: Index, size: int) -> Sequence[int]:
    return range(size)[where] if isinstance(where, slice) else [range(size)[where]]
