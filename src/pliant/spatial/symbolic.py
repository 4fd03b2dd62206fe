"""The operations of ``SymbolicOps`` on CasADi SX expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import casadi as ca
import numpy as np

from pliant.spatial.ops import SymbolicOps, stumpff


def _operators(op: int) -> tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]:
    """An operation, and the same with the operands exchanged."""
    return (
        lambda self, other: _own(ca.SX.binary(op, self, other)),
        lambda self, other: _own(ca.SX.binary(op, other, self)),
    )


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

    __add__, __radd__ = _operators(ca.OP_ADD)
    __sub__, __rsub__ = _operators(ca.OP_SUB)
    __mul__, __rmul__ = _operators(ca.OP_MUL)
    __truediv__, __rtruediv__ = _operators(ca.OP_DIV)

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


@lru_cache(maxsize=1000)
def _constant(shape: tuple[int, ...], numbers: bytes) -> Any:
    """Numbers without their zeros: the same few stand in most equations."""
    return _own(ca.SX(ca.sparsify(ca.DM(np.frombuffer(numbers).reshape(shape)))))


def _unary(name: str, plain: Callable[[Any], Any] | None = None) -> Any:
    """An operation by its name in CasADi; ``plain``: on numbers, if that has another name."""
    op, on_numbers = getattr(ca, f"OP_{name.upper()}"), plain or getattr(ca, name)

    def function(x: Any) -> Any:
        return _own(ca.SX.unary(op, x)) if isinstance(x, ca.SX) else on_numbers(x)

    return staticmethod(function)


def _binary(name: str, plain: Callable[[Any, Any], Any] | None = None) -> Any:
    """The same of two numbers or expressions."""
    op, on_numbers = getattr(ca, f"OP_{name.upper()}"), plain or getattr(ca, name)

    def function(a: Any, b: Any) -> Any:
        symbols = isinstance(a, ca.SX) or isinstance(b, ca.SX)
        return _own(ca.SX.binary(op, a, b)) if symbols else on_numbers(a, b)

    return staticmethod(function)


class _Symbolic:
    """Columns are n x 1 SX; constants enter sparse, so that zeros vanish at once."""

    sin, cos, tan = map(_unary, ("sin", "cos", "tan"))
    asin, acos, atan, atan2 = *map(_unary, ("asin", "acos", "atan")), _binary("atan2")
    sinh, cosh, tanh = map(_unary, ("sinh", "cosh", "tanh"))
    exp, log, sqrt = map(_unary, ("exp", "log", "sqrt"))
    abs, sign, floor = map(_unary, ("fabs", "sign", "floor"))
    minimum, maximum, lt, le, eq = map(_binary, ("fmin", "fmax", "lt", "le", "eq"))
    logical_and, logical_or = _binary("and", ca.logic_and), _binary("or", ca.logic_or)
    logical_not = _unary("not", ca.logic_not)
    dot = staticmethod(lambda a, b: _own(ca.dot(a, b)))
    stumpff1, stumpff2, stumpff3, stumpff4, stumpff5 = (partial(stumpff, n) for n in range(1, 6))
    stumpff6, stumpff7, stumpff8, stumpff9, stumpff10 = (partial(stumpff, n) for n in range(6, 11))

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
        x = _sx(value)
        return x if x.is_dense() else _own(ca.densify(x))

    def flat(self, matrix: Any) -> Any:
        return _own(ca.vec(self.full(matrix)))

    def folded(self, column: Any, rows: int) -> Any:
        return _own(ca.reshape(column, rows, column.numel() // rows))

    def named(self, label: str, value: Any, limit: int | None = None) -> Any:
        return value


SYMBOLIC: SymbolicOps = _Symbolic()
