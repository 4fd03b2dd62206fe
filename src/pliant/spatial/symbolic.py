"""The operations of ``Ops`` on CasADi SX expressions."""

from __future__ import annotations

from typing import Any

import casadi as ca
import numpy as np

from pliant.spatial.ops import Ops


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
        return ca.sqrt(a * a + b * b)

    def where(self, condition: Any, yes: Any, no: Any) -> Any:
        return ca.if_else(condition, yes, no)

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


SYMBOLIC: Ops = _Symbolic()
