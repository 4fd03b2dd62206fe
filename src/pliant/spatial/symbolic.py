"""The operations of ``SymbolicOps`` on CasADi SX expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from pliant.spatial.ops import SymbolicOps


class Expression(ca.SX):
    """An SX whose operators call the operation on SX itself.

    ``ca.SX`` looks for the operation among its overloads for numbers, SX and MX, which takes seven
    times as long as the operation. Equations are a hundred thousand of them. Where there is no
    operation on SX itself CasADi asks an argument whether it can become a DM or an MX, and if it
    does not answer, what it is like: a table, a list, numbers. That takes three times as long as
    the operation; the answer is no.
    """

    shape = property(ca.SX.size)

    def __DM__(self) -> None:
        """Not a matrix of numbers."""

    def __MX__(self) -> None:
        """Not an expression of matrices."""

    def __add__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_ADD, self, other))

    def __radd__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_ADD, other, self))

    def __sub__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_SUB, self, other))

    def __rsub__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_SUB, other, self))

    def __mul__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_MUL, self, other))

    def __rmul__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_MUL, other, self))

    def __truediv__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_DIV, self, other))

    def __rtruediv__(self, other: Any) -> Any:
        return _own(ca.SX.binary(ca.OP_DIV, other, self))

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        return _own(ca.SX.binary(ca.OP_POW, self, other))

    def __neg__(self) -> Any:
        return _own(ca.SX.__neg__(self))

    def __matmul__(self, other: Any) -> Any:
        return _own(ca.mtimes(self, other))

    def __rmatmul__(self, other: Any) -> Any:
        return _own(ca.mtimes(other, self))

    def __getitem__(self, places: Any) -> Any:
        return _own(ca.SX.__getitem__(self, places))

    @property
    def T(self) -> Any:
        return _own(ca.transpose(self))


def _own(x: Any) -> Any:
    """The same as an ``Expression``; numbers become one."""
    x = x if type(x) is ca.SX else ca.SX(x)
    x.__class__ = Expression
    return x


def _sx(x: Any) -> Any:
    """A number or expression as an expression."""
    return x if isinstance(x, ca.SX) else _own(ca.SX(x))


def _dense(x: Any) -> Any:
    """An expression with all its entries."""
    return x if x.is_dense() else _own(ca.densify(x))


@lru_cache(maxsize=1000)
def _constant(shape: tuple[int, ...], numbers: bytes) -> Any:
    """Numbers without their zeros: the same few stand in most equations."""
    return ca.SX(ca.sparsify(ca.DM(np.frombuffer(numbers).reshape(shape))))


def _unary(op: int, plain: Callable[[Any], Any]) -> Any:
    def function(x: Any) -> Any:
        return _own(ca.SX.unary(op, x)) if isinstance(x, ca.SX) else plain(x)

    return staticmethod(function)


def _binary(op: int, plain: Callable[[Any, Any], Any]) -> Any:
    def function(a: Any, b: Any) -> Any:
        symbols = isinstance(a, ca.SX) or isinstance(b, ca.SX)
        return _own(ca.SX.binary(op, a, b)) if symbols else plain(a, b)

    return staticmethod(function)


class _Symbolic:
    """Columns are n x 1 SX; constants enter sparse, so that zeros vanish at once."""

    sin = _unary(ca.OP_SIN, ca.sin)
    cos = _unary(ca.OP_COS, ca.cos)
    tan = _unary(ca.OP_TAN, ca.tan)
    asin = _unary(ca.OP_ASIN, ca.asin)
    acos = _unary(ca.OP_ACOS, ca.acos)
    atan = _unary(ca.OP_ATAN, ca.atan)
    atan2 = _binary(ca.OP_ATAN2, ca.atan2)
    sinh = _unary(ca.OP_SINH, ca.sinh)
    cosh = _unary(ca.OP_COSH, ca.cosh)
    tanh = _unary(ca.OP_TANH, ca.tanh)
    exp = _unary(ca.OP_EXP, ca.exp)
    log = _unary(ca.OP_LOG, ca.log)
    sqrt = _unary(ca.OP_SQRT, ca.sqrt)
    abs = _unary(ca.OP_FABS, ca.fabs)
    sign = _unary(ca.OP_SIGN, ca.sign)
    floor = _unary(ca.OP_FLOOR, ca.floor)
    minimum = _binary(ca.OP_FMIN, ca.fmin)
    maximum = _binary(ca.OP_FMAX, ca.fmax)
    lt = _binary(ca.OP_LT, ca.lt)
    le = _binary(ca.OP_LE, ca.le)
    eq = _binary(ca.OP_EQ, ca.eq)
    logical_and = _binary(ca.OP_AND, ca.logic_and)
    logical_or = _binary(ca.OP_OR, ca.logic_or)
    logical_not = _unary(ca.OP_NOT, ca.logic_not)
    dot = staticmethod(lambda a, b: _own(ca.dot(a, b)))

    def hypot(self, a: Any, b: Any) -> Any:
        return self.root(a * a + b * b)

    def root(self, x: Any, power: float = 0.5) -> Any:
        """(x + z)^k - z with z = 1 at x = 0, else 0: the same value, but the chain rule gives 0 for
        |v| at rest, where it would give 0/0."""
        x = _sx(x)
        plain = ca.sqrt(x) if power == 0.5 else x**power
        if plain.is_scalar() and plain.op() == ca.OP_FABS:
            return plain
        zero = x == 0
        return (ca.sqrt(x + zero) if power == 0.5 else (x + zero) ** power) - zero

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        return _own(ca.if_else(_sx(condition), yes, no))

    def below(self, a: Any, b: Any) -> Any:
        return 0.5 - 0.5 * ca.copysign(1, a - b)

    def cross(self, a: Any, b: Any) -> Any:
        return _own(ca.cross(self.full(a), self.full(b)))

    def vec(self, *items: Any) -> Any:
        return _own(ca.vertcat(*map(_sx, items)))

    def mat(self, rows: Any) -> Any:
        return _own(ca.blockcat([[_sx(i) for i in row] for row in rows]))

    def const(self, array: Any) -> Any:
        given = np.ascontiguousarray(array, dtype=float)
        return _own(ca.SX(_constant(given.shape, given.tobytes())))

    def zeros(self, *shape: int) -> Any:
        return _own(ca.SX.zeros(*shape) if len(shape) == 2 else ca.SX.zeros(shape[0], 1))

    def stack(self, parts: Any) -> Any:
        return _own(ca.vertcat(*map(_sx, parts)))

    def columns(self, parts: Any) -> Any:
        return _own(ca.horzcat(*map(_sx, parts)))

    def symbol(self, name: str) -> Any:
        return _own(ca.SX.sym(name))

    def symbols(self, names: Sequence[str]) -> Any:
        return _own(ca.vertcat(*map(ca.SX.sym, names)) if names else ca.SX.sym("none", 0))

    def entry(self, name: str, number: float) -> Any:
        return _own(ca.SX.sym(name))

    def jtimes(self, expression: Any, x: Any, rate: Any) -> Any:
        if x.numel() == 0:
            return self.zeros(*expression.shape)
        return _own(ca.jtimes(expression, x, rate))

    def jacobian(self, expression: Any, x: Any) -> Any:
        return _own(ca.jacobian(expression, x))

    def gradient(self, scalar: Any, x: Any) -> Any:
        return _own(ca.gradient(scalar, x))

    def substitute(self, expressions: Sequence[Any], x: Any, y: Any) -> list[Any]:
        return [*map(_own, ca.substitute([*map(_sx, expressions)], [x], [self.full(y)]))]

    def full(self, value: Any) -> Any:
        return _dense(_sx(value))

    def flat(self, matrix: Any) -> Any:
        return _own(ca.vec(self.full(matrix)))

    def folded(self, column: Any, rows: int) -> Any:
        return _own(ca.reshape(column, rows, column.numel() // rows))

    def named(self, label: str, value: Any) -> Any:
        return value


SYMBOLIC: SymbolicOps = _Symbolic()
