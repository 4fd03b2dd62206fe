"""The small namespace of operations all mechanics is written in.

``NUMERIC`` works on floats and numpy arrays; ``pliant.spatial.symbolic.SYMBOLIC`` on CasADi
expressions, which can be differentiated as well. Vectors support ``+ - * @ []``; matrices also
``.T``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import factorial
from typing import Any, Protocol

import numpy as np


class Ops(Protocol):
    """What a mechanics function may ask of its numbers."""

    sin: Any
    cos: Any
    tan: Any
    asin: Any
    acos: Any
    atan: Any
    atan2: Any
    sinh: Any
    cosh: Any
    tanh: Any
    exp: Any
    log: Any
    sqrt: Any
    abs: Any
    sign: Any
    minimum: Any
    maximum: Any
    floor: Any
    lt: Any
    le: Any
    eq: Any
    logical_and: Any
    logical_or: Any
    logical_not: Any
    dot: Any
    stumpff1: Any
    stumpff2: Any
    stumpff3: Any
    stumpff4: Any

    def hypot(self, a: Any, b: Any) -> Any: ...
    def root(self, x: Any, power: float = 0.5) -> Any:
        """x to a power between 0 and 1, with finite slopes at 0 where x is made of squares."""

    def where(self, condition: Any, yes: Any, no: Any) -> Any: ...
    def below(self, a: Any, b: Any) -> Any:
        """a < b, to choose between two ways of writing one smooth function: no kink is there."""

    def cross(self, a: Any, b: Any) -> Any: ...
    def vec(self, *items: Any) -> Any: ...
    def mat(self, rows: Any) -> Any: ...
    def const(self, array: Any) -> Any: ...
    def zeros(self, *shape: int) -> Any: ...
    def stack(self, parts: Any) -> Any: ...
    def columns(self, parts: Any) -> Any: ...


class SymbolicOps(Ops, Protocol):
    """Numbers that are expressions in symbols: what a formulation asks of them besides."""

    def symbol(self, name: str) -> Any:
        """A new scalar symbol."""

    def symbols(self, names: Sequence[str]) -> Any:
        """A column of new symbols."""

    def entry(self, name: str, number: float) -> Any:
        """A number of a table: a symbol, which what is only read may replace by zero."""

    def jtimes(self, expression: Any, x: Any, rate: Any) -> Any:
        """Σ_k ∂(expression)/∂x_k rate_k."""

    def jacobian(self, expression: Any, x: Any) -> Any:
        """∂(expression)/∂x, one column per entry of x."""

    def gradient(self, scalar: Any, x: Any) -> Any:
        """∂(scalar)/∂x as a column."""

    def substitute(self, expressions: Sequence[Any], x: Any, y: Any) -> list[Any]:
        """The expressions with the symbols x replaced by y."""

    def full(self, value: Any) -> Any:
        """A number, column or matrix as an expression with all its entries."""

    def flat(self, matrix: Any) -> Any:
        """A matrix as one column, column by column."""

    def folded(self, column: Any, rows: int) -> Any:
        """The matrix whose ``flat`` is the column."""

    def named(self, label: str, value: Any, limit: int | None = None) -> Any:
        """The value, which an intermediate result of this name may stand for; of more than
        ``limit`` terms, if there is a limit of its own."""


_TERMS = 16


def stumpff(order: int, x: Any) -> Any:
    """Σ (-x)^k / (2k + order)!: of x = ϑ² sin ϑ / ϑ, (1 - cos ϑ) / ϑ², (ϑ - sin ϑ) / ϑ³, ...;
    exact to rounding for 0 <= x <= π²."""
    total: Any = 1.0 / factorial(2 * _TERMS + order)
    for k in reversed(range(_TERMS)):
        total = 1.0 / factorial(2 * k + order) - x * total
    return total


STUMPFF = {f"stumpff{n}": n for n in range(1, 11)}
"""Those with names: c_n' = (n c_(n + 2) - c_(n + 1)) / 2 needs two more for each derivative."""


class _Numeric:
    """Floats and numpy arrays."""

    sin, cos, tan = np.sin, np.cos, np.tan
    asin, acos, atan, atan2 = np.arcsin, np.arccos, np.arctan, np.arctan2
    sinh, cosh, tanh = np.sinh, np.cosh, np.tanh
    exp, log, sqrt = np.exp, np.log, np.sqrt
    abs, sign, floor, minimum, maximum = np.abs, np.sign, np.floor, np.minimum, np.maximum
    lt, le, eq = np.less, np.less_equal, np.equal
    logical_and, logical_or, logical_not = np.logical_and, np.logical_or, np.logical_not
    dot = staticmethod(np.dot)
    stumpff1, stumpff2, stumpff3, stumpff4, stumpff5 = (partial(stumpff, n) for n in range(1, 6))
    stumpff6, stumpff7, stumpff8, stumpff9, stumpff10 = (partial(stumpff, n) for n in range(6, 11))

    def hypot(self, a: Any, b: Any) -> Any:
        return np.hypot(a, b)

    def root(self, x: Any, power: float = 0.5) -> Any:
        return np.sqrt(x) if power == 0.5 else x**power

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        return np.where(condition, yes, no)

    def below(self, a: Any, b: Any) -> Any:
        return np.less(a, b)

    def cross(self, a: Any, b: Any) -> Any:
        x, y, z = a
        u, v, w = b
        return np.array([y * w - z * v, z * u - x * w, x * v - y * u])

    def vec(self, *items: Any) -> Any:
        return np.array([float(i) for i in items])

    def mat(self, rows: Any) -> Any:
        return np.array([[float(i) for i in row] for row in rows])

    def const(self, array: Any) -> Any:
        return np.asarray(array, dtype=float)

    def zeros(self, *shape: int) -> Any:
        return np.zeros(shape)

    def stack(self, parts: Any) -> Any:
        return np.concatenate([np.atleast_1d(p) for p in parts])

    def columns(self, parts: Any) -> Any:
        return np.column_stack(list(parts))


NUMERIC: Ops = _Numeric()
