"""The operations of ``SymbolicOps`` on CasADi SX expressions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import casadi as ca
import numpy as np

from pliant.spatial.ops import SymbolicOps


class _Symbolic:
    """Columns are n x 1 SX; constants enter sparse, so that zeros vanish at once."""

    sin = staticmethod(ca.sin)
    cos = staticmethod(ca.cos)
    tan = staticmethod(ca.tan)
    asin = staticmethod(ca.asin)
    acos = staticmethod(ca.acos)
    atan = staticmethod(ca.atan)
    atan2 = staticmethod(ca.atan2)
    sinh = staticmethod(ca.sinh)
    cosh = staticmethod(ca.cosh)
    tanh = staticmethod(ca.tanh)
    exp = staticmethod(ca.exp)
    log = staticmethod(ca.log)
    sqrt = staticmethod(ca.sqrt)
    abs = staticmethod(ca.fabs)
    sign = staticmethod(ca.sign)
    floor = staticmethod(ca.floor)
    minimum = staticmethod(ca.fmin)
    maximum = staticmethod(ca.fmax)
    lt = staticmethod(ca.lt)
    le = staticmethod(ca.le)
    eq = staticmethod(ca.eq)
    logical_and = staticmethod(ca.logic_and)
    logical_or = staticmethod(ca.logic_or)
    logical_not = staticmethod(ca.logic_not)
    dot = staticmethod(ca.dot)

    def hypot(self, a: Any, b: Any) -> Any:
        return self.root(a * a + b * b)

    def root(self, x: Any, power: float = 0.5) -> Any:
        """(x + z)^k - z with z = 1 at x = 0, else 0: the same value, but the chain rule gives 0 for
        |v| at rest, where it would give 0/0."""
        x = ca.SX(x)
        plain = ca.sqrt(x) if power == 0.5 else x**power
        if plain.is_scalar() and plain.op() == ca.OP_FABS:
            return plain
        zero = x == 0
        return (ca.sqrt(x + zero) if power == 0.5 else (x + zero) ** power) - zero

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        return ca.if_else(condition, yes, no)

    def below(self, a: Any, b: Any) -> Any:
        return 0.5 - 0.5 * ca.copysign(1, a - b)

    def cross(self, a: Any, b: Any) -> Any:
        return ca.cross(ca.densify(a), ca.densify(b))

    def vec(self, *items: Any) -> Any:
        return ca.vertcat(*[ca.SX(i) for i in items])

    def mat(self, rows: Any) -> Any:
        return ca.vertcat(*[ca.horzcat(*[ca.SX(i) for i in row]) for row in rows])

    def const(self, array: Any) -> Any:
        return ca.SX(ca.sparsify(ca.DM(np.asarray(array, dtype=float))))

    def zeros(self, *shape: int) -> Any:
        return ca.SX.zeros(*shape) if len(shape) == 2 else ca.SX.zeros(shape[0], 1)

    def stack(self, parts: Any) -> Any:
        return ca.vertcat(*parts)

    def columns(self, parts: Any) -> Any:
        return ca.horzcat(*parts)

    def symbol(self, name: str) -> Any:
        return ca.SX.sym(name)

    def symbols(self, names: Sequence[str]) -> Any:
        return ca.vertcat(*map(ca.SX.sym, names)) if names else ca.SX.sym("none", 0)

    def entry(self, name: str, number: float) -> Any:
        return ca.SX.sym(name)

    def jtimes(self, expression: Any, x: Any, rate: Any) -> Any:
        if x.numel() == 0:
            return ca.SX.zeros(*expression.shape)
        return ca.jtimes(expression, x, rate)

    def jacobian(self, expression: Any, x: Any) -> Any:
        return ca.jacobian(expression, x)

    def gradient(self, scalar: Any, x: Any) -> Any:
        return ca.gradient(scalar, x)

    def substitute(self, expressions: Sequence[Any], x: Any, y: Any) -> list[Any]:
        found: list[Any] = ca.substitute([ca.SX(e) for e in expressions], [x], [ca.densify(y)])
        return found

    def full(self, value: Any) -> Any:
        return ca.densify(ca.SX(value))

    def flat(self, matrix: Any) -> Any:
        return ca.vec(ca.densify(ca.SX(matrix)))

    def folded(self, column: Any, rows: int) -> Any:
        return ca.reshape(column, rows, column.numel() // rows)

    def named(self, label: str, value: Any) -> Any:
        return value


SYMBOLIC: SymbolicOps = _Symbolic()
