"""The operations of ``SymbolicOps`` on values in normal form.

Derivatives are exact, through definitions by the chain rule; symbols may be replaced by values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from pliant.reading.algebra.functions import FUNCTIONS, apply, defined_before, partials
from pliant.reading.algebra.matrix import Matrix, inner
from pliant.reading.algebra.space import Space
from pliant.reading.algebra.value import Key, Noise, Terms, Value
from pliant.spatial.ops import SymbolicOps

_AXES = "xyz"


def readable_ops(space: Space) -> SymbolicOps:
    """The operations in a space."""
    return cast(SymbolicOps, _Readable(space))


class _Readable:
    """Scalars are ``Value``, columns and matrices ``Matrix``."""

    def __init__(self, space: Space) -> None:
        self.space = space

    def __getattr__(self, name: str) -> Any:
        """A function by its name; of a matrix, entry by entry."""
        if name not in FUNCTIONS:
            raise AttributeError(name)

        def call(*args: Any) -> Any:
            shaped = next((a for a in args if isinstance(a, Matrix)), None)
            if shaped is None:
                return apply(self.space, name, *args)
            columns = [a if isinstance(a, Matrix) else [a] * shaped.numel() for a in args]
            found = [apply(self.space, name, *entry) for entry in zip(*columns, strict=True)]
            return Matrix(self.space, *shaped.shape, found)

        return call

    def dot(self, a: Any, b: Any) -> Value:
        return inner(self.space, self.full(a).entries, self.full(b).entries)

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
        single = (x.entries[0] if isinstance(x, Matrix) and x.numel() == 1 else x for x in entries)
        return Matrix(self.space, len(rows), cols, single)

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

    def named(self, label: str, value: Any, limit: int | None = None) -> Any:
        """Each entry with more terms than the limit becomes a symbol label_x, label_y, ..."""
        space = self.space
        if not isinstance(value, Matrix) or value.numel() == 1:
            return self._each(lambda x: space.name(label, space.constant(x), limit=limit), value)
        return value._like(
            space.name(f"{label}_{_place(value, k)}", x, limit=limit) for k, x in enumerate(value)
        )


def _place(matrix: Matrix, k: int) -> str:
    """x, y, z in a column of three, else counted from 1: 4, or row and column 23."""
    i, j = k % matrix.rows, k // matrix.rows
    if matrix.shape == (3, 1):
        return _AXES[i]
    return f"{i + 1}" if matrix.cols == 1 else f"{i + 1}{j + 1}"


def explicit_derivatives(value: Value) -> dict[int, Value]:
    """∂(value)/∂(symbol) for every symbol in it, definitions held fixed."""
    space = value.space
    found: dict[int, Terms] = {}
    noise: dict[int, Noise] = {}
    for term, c in value.terms.items():
        for k, key, factor in _slopes(space, *term):
            own = found.setdefault(k, {})
            own[key] = own.get(key, 0) + factor * c
            if term in value.noise:
                loud = noise.setdefault(k, {})
                loud[key] = loud.get(key, 0.0) + abs(factor) * value.noise[term]
    return {k: Value(space, t, value.denominator, noise.get(k)) for k, t in found.items()}


def _slopes(space: Space, monomial: int, wave: int) -> Iterator[tuple[int, Key, int]]:
    """Symbol, term and factor of each derivative of a term."""
    powers, waves = space.monomials.powers[monomial], space.waves.waves[wave]
    for k, e in powers:
        rest = tuple((j, n - (j == k)) for j, n in powers if n != (j == k))
        yield k, (space.monomials.index(rest), wave), e
    for place, own in enumerate(waves):
        other = own._replace(is_sine=not own.is_sine)
        turned = space.waves.index((*waves[:place], other, *waves[place + 1 :]))
        sign = 1 if own.is_sine else -1
        for k, n in own.angle:
            yield k, (monomial, turned), sign * n


class Direction:
    """Derivatives along a change of some symbols at given rates: Σ_k ∂/∂x_k rate_k."""

    def __init__(self, space: Space, rates: Mapping[int, Value]) -> None:
        self._space = space
        self._zero = space.constant(0)
        self._rates = dict(rates)

    def rate_of(self, symbol: int) -> Value:
        """The rate of a symbol; of a defined one by the chain rule."""
        if symbol not in self._rates:
            for k in defined_before(self._space, symbol, self._rates.__contains__):
                self._rates[k] = self._chain_rule(k)
            self._rates[symbol] = self._chain_rule(symbol)
        return self._rates[symbol]

    def _chain_rule(self, symbol: int) -> Value:
        definition = self._space.definitions.get(symbol)
        total = self._zero
        if definition is None:
            return total
        changes = [self.along(a) for a in definition.arguments]
        if not any(changes):
            return total
        for slope, change in zip(partials(self._space, definition), changes, strict=True):
            if change:
                total = total + slope * change
        if definition.function == "value":
            return self._space.name(f"{self._space.symbols[symbol].name}_d", total)
        return total

    def along(self, value: Value) -> Value:
        """The derivative of a value."""
        return self.of(explicit_derivatives(value))

    def of(self, derivatives: Mapping[int, Value]) -> Value:
        """The derivative from the explicit ones."""
        total = self._zero
        for symbol, slope in derivatives.items():
            rate = self.rate_of(symbol)
            if rate:
                total = total + slope * rate
        return total


class Substitution:
    """Replaces symbols; terms and definitions without them stay as they are."""

    def __init__(self, space: Space, replaced: Mapping[int, Value]) -> None:
        self._space = space
        self._new: dict[int, Value] = dict(replaced)

    def symbol(self, index: int) -> Value:
        """What stands in the place of a symbol."""
        if index not in self._new:
            for k in defined_before(self._space, index, self._new.__contains__):
                self._new[k] = self._redefined(k)
            self._new[index] = self._redefined(index)
        return self._new[index]

    def _redefined(self, index: int) -> Value:
        definition = self._space.definitions.get(index)
        own = self._space.value_of(index)
        if definition is None:
            return own
        new = tuple(self.of(a) for a in definition.arguments)
        if new == definition.arguments or definition.function == "time":
            return own
        if definition.function == "value":
            return new[0]
        return apply(self._space, definition.function, *new)

    def of(self, value: Value) -> Value:
        """The value with the symbols replaced."""
        space = self._space
        kept: Terms = {}
        total = space.constant(0)
        for (monomial, wave), c in value.terms.items():
            powers, waves = space.monomials.powers[monomial], space.waves.waves[wave]
            symbols = [k for k, _ in powers] + [k for w in waves for k, _ in w.angle]
            if all(self.symbol(k).symbol == k for k in symbols):
                kept[monomial, wave] = c
                continue
            noise = {(0, 0): value.noise.get((monomial, wave), 0.0)}
            term = Value(space, {(0, 0): c}, value.denominator, noise)
            for k, e in powers:
                term = term * self.symbol(k) ** e
            for w in waves:
                angle = sum((self.symbol(k) * n for k, n in w.angle), space.constant(0))
                term = term * (space.sin(angle) if w.is_sine else space.cos(angle))
            total = total + term
        return Value(space, kept, value.denominator, value.noise) + total
