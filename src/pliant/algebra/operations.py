"""The operations of ``SymbolicOps`` on values in normal form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pliant.algebra.differentiate import Direction, explicit_derivatives
from pliant.algebra.functions import apply
from pliant.algebra.matrix import Matrix, inner
from pliant.algebra.space import Space
from pliant.algebra.substitute import Substitution
from pliant.algebra.value import Value
from pliant.spatial.ops import SymbolicOps

_AXES = "xyz"


def readable_ops(space: Space) -> SymbolicOps:
    """The operations in a space."""
    return _Readable(space)


class _Function:
    """A function by its name; of a matrix, entry by entry."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, ops: _Readable, owner: type) -> Any:
        def call(*args: Any) -> Any:
            shaped = next((a for a in args if isinstance(a, Matrix)), None)
            if shaped is None:
                return apply(ops.space, self._name, *args)
            columns = [a if isinstance(a, Matrix) else [a] * shaped.numel() for a in args]
            found = [apply(ops.space, self._name, *entry) for entry in zip(*columns, strict=True)]
            return Matrix(ops.space, *shaped.shape, found)

        return call


class _Readable:
    """Scalars are ``Value``, columns and matrices ``Matrix``."""

    sin = _Function()
    cos = _Function()
    tan = _Function()
    asin = _Function()
    acos = _Function()
    atan = _Function()
    atan2 = _Function()
    sinh = _Function()
    cosh = _Function()
    tanh = _Function()
    exp = _Function()
    log = _Function()
    sqrt = _Function()
    abs = _Function()
    sign = _Function()
    floor = _Function()
    minimum = _Function()
    maximum = _Function()
    lt = _Function()
    le = _Function()
    eq = _Function()
    logical_and = _Function()
    logical_or = _Function()
    logical_not = _Function()
    where = _Function()

    def __init__(self, space: Space) -> None:
        self.space = space
        self.dot: Any = self._inner_product

    def hypot(self, a: Any, b: Any) -> Any:
        return self.sqrt(a * a + b * b)

    def root(self, x: Any, power: float = 0.5) -> Any:
        return self.sqrt(x) if power == 0.5 else x**power

    def below(self, a: Any, b: Any) -> Any:
        return self.lt(a, b)

    def _each(self, function: Any, x: Any) -> Any:
        return x._like(map(function, x)) if isinstance(x, Matrix) else function(x)

    # --- columns and matrices

    def vec(self, *items: Any) -> Matrix:
        return self.stack(items)

    def mat(self, rows: Any) -> Matrix:
        rows = [list(row) for row in rows]
        cols = len(rows[0]) if rows else 0
        entries = [row[j] for j in range(cols) for row in rows]
        return Matrix(self.space, len(rows), cols, map(self._scalar, entries))

    def const(self, array: Any) -> Matrix:
        array = np.asarray(array, dtype=float)
        cols = array.shape[1] if array.ndim == 2 else 1
        return Matrix(self.space, array.size // cols, cols, array.flatten(order="F").tolist())

    def zeros(self, *shape: int) -> Matrix:
        rows, cols = shape if len(shape) == 2 else (shape[0], 1)
        return Matrix(self.space, rows, cols, [0] * (rows * cols))

    def stack(self, parts: Any) -> Matrix:
        """Parts under each other."""
        blocks = [b for b in map(self.full, parts) if b.numel()]
        rows = [row for block in blocks for row in block.row_lists()]
        return self.mat(rows) if rows else self.zeros(0, 1)

    def columns(self, parts: Any) -> Matrix:
        """Parts beside each other."""
        blocks = [self.full(p) for p in parts]
        entries = [x for block in blocks for x in block]
        cols = sum(block.cols for block in blocks)
        return Matrix(self.space, blocks[0].rows if blocks else 0, cols, entries)

    def _inner_product(self, a: Any, b: Any) -> Value:
        return inner(self.space, self.full(a).entries, self.full(b).entries)

    def cross(self, a: Any, b: Any) -> Matrix:
        pairs = ((1, 2), (2, 0), (0, 1))
        return Matrix(self.space, 3, 1, (a[i] * b[j] - a[j] * b[i] for i, j in pairs))

    def full(self, value: Any) -> Matrix:
        if isinstance(value, Matrix):
            return value
        if isinstance(value, Value) or np.ndim(value) == 0:
            return Matrix(self.space, 1, 1, [value])
        return self.const(value)

    def flat(self, matrix: Any) -> Matrix:
        own = self.full(matrix)
        return Matrix(self.space, own.numel(), 1, own.entries)

    def folded(self, column: Any, rows: int) -> Matrix:
        return Matrix(self.space, rows, column.numel() // rows, column)

    def _scalar(self, x: Any) -> Any:
        return x.entries[0] if isinstance(x, Matrix) and x.numel() == 1 else x

    # --- symbols and derivatives

    def symbol(self, name: str) -> Value:
        return self.space.new_symbol(name)

    def symbols(self, names: Sequence[str]) -> Matrix:
        return Matrix(self.space, len(names), 1, map(self.space.new_symbol, names))

    def entry(self, name: str, number: float) -> Value:
        """Zeros of tables are not written."""
        return self.space.new_symbol(name) if number else self.space.constant(0)

    def jtimes(self, expression: Any, x: Any, rate: Any) -> Any:
        rates = zip(self._indices(x), self.full(rate), strict=True)
        return self._each(Direction(self.space, dict(rates)).along, expression)

    def jacobian(self, expression: Any, x: Any) -> Matrix:
        slopes = [explicit_derivatives(e) for e in self.full(expression)]
        one = self.space.constant(1)
        directions = [Direction(self.space, {k: one}) for k in self._indices(x)]
        entries = [direction.of(s) for direction in directions for s in slopes]
        return Matrix(self.space, len(slopes), len(directions), entries)

    def gradient(self, scalar: Any, x: Any) -> Matrix:
        return self.jacobian(scalar, x).T

    def substitute(self, expressions: Sequence[Any], x: Any, y: Any) -> list[Any]:
        new = Substitution(self.space, dict(zip(self._indices(x), self.full(y), strict=True)))
        return [self._each(new.of, e) for e in expressions]

    def _indices(self, x: Any) -> list[int]:
        found = [value.symbol for value in self.full(x)]
        if None in found:
            raise ValueError("only symbols can be varied or replaced")
        return [k for k in found if k is not None]

    def named(self, label: str, value: Any) -> Any:
        """Each entry with more terms than the limit becomes a symbol label_x, label_y, ..."""
        if not isinstance(value, Matrix) or value.numel() == 1:
            return self._each(lambda own: self.space.name(label, self.space.constant(own)), value)
        return value._like(
            self.space.name(f"{label}_{_place(value, k)}", own) for k, own in enumerate(value)
        )


def _place(matrix: Matrix, k: int) -> str:
    """x, y, z in a column of three, else counted from 1: 4, or row and column 23."""
    i, j = k % matrix.rows, k // matrix.rows
    if matrix.shape == (3, 1):
        return _AXES[i]
    return f"{i + 1}" if matrix.cols == 1 else f"{i + 1}{j + 1}"
