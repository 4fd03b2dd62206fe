"""The functions a formula may use: how many arguments, and what they mean in terms of `ops`.

`ops` is a namespace of elementary operations (`pliant.spatial.ops.NUMERIC`, `SYMBOLIC`): values may
be numbers or symbols, so nothing here ever asks a value whether it is true. Curves through points
are piecewise linear, or natural cubic splines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, reduce
from typing import Any

from pliant.model.formulas.tree import Node, Points, is_condition
from pliant.records import dataclass


def linear(ops: Any, x: Any, xs: Sequence[float], ys: Sequence[float]) -> Any:
    """Piecewise linear through the points, held constant outside them."""
    value: Any = ys[-1]
    for k in range(len(xs) - 2, -1, -1):
        slope = (ys[k + 1] - ys[k]) / (xs[k + 1] - xs[k])
        value = ops.where(ops.lt(x, xs[k + 1]), ys[k] + slope * (x - xs[k]), value)
    return ops.where(ops.lt(x, xs[0]), ys[0], value)


def spline(ops: Any, x: Any, xs: Sequence[float], ys: Sequence[float]) -> Any:
    """Natural cubic spline through the points, continued by straight lines; C2 everywhere."""
    m = second_derivatives(tuple(xs), tuple(ys))
    last = len(xs) - 1
    h = xs[last] - xs[last - 1]
    slope = (ys[last] - ys[last - 1]) / h + h * m[last - 1] / 6.0
    value: Any = ys[last] + slope * (x - xs[last])
    for k in range(last - 1, -1, -1):
        h = xs[k + 1] - xs[k]
        s = x - xs[k]
        slope = (ys[k + 1] - ys[k]) / h - h * (2.0 * m[k] + m[k + 1]) / 6.0
        cubic = ys[k] + s * (slope + s * (m[k] / 2.0 + s * ((m[k + 1] - m[k]) / (6.0 * h))))
        value = ops.where(ops.below(x, xs[k + 1]), cubic, value)
    h = xs[1] - xs[0]
    slope = (ys[1] - ys[0]) / h - h * m[1] / 6.0
    return ops.where(ops.below(x, xs[0]), ys[0] + slope * (x - xs[0]), value)


@lru_cache(maxsize=256)
def second_derivatives(xs: tuple[float, ...], ys: tuple[float, ...]) -> tuple[float, ...]:
    """Second derivatives of the natural spline at its points (tridiagonal elimination)."""
    n = len(xs)
    m, upper = [0.0] * n, [0.0] * n
    for k in range(1, n - 1):
        h0, h1 = xs[k] - xs[k - 1], xs[k + 1] - xs[k]
        pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1]
        jump = 6.0 * ((ys[k + 1] - ys[k]) / h1 - (ys[k] - ys[k - 1]) / h0)
        upper[k] = h1 / pivot
        m[k] = (jump - h0 * m[k - 1]) / pivot
    for k in range(n - 2, 0, -1):
        m[k] -= upper[k] * m[k + 1]
    return tuple(m)


Scalar = Any
Ops = Any


SAME, KEPT, COMPARED, NUMBER, FREE, ROOT, VALUES, UNKNOWN = (
    "same", "kept", "compared", "number", "free", "root", "values", "unknown",
)  # fmt: skip
"""How the unit of a function follows from those of its arguments (``dimensions``): they are the
same, and so is the value; that of its argument; they are the same, and the value is a number; a
number of a number or an angle; a number of anything; the root; that of the values of piecewise."""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the formula language; ``units``: how its unit follows."""

    name: str
    usage: str
    least: int
    most: int
    apply: Callable[..., Scalar]
    objection_of: Callable[[tuple[Node, ...]], str] | None = None
    units: str = UNKNOWN

    def objection(self, args: tuple[Node, ...]) -> str:
        """Why these arguments cannot be taken; empty if they can."""
        n = len(args)
        if not self.least <= n <= self.most:
            needed = str(self.least) if self.least == self.most else f"at least {self.least}"
            return f"{n} argument{'' if n == 1 else 's'} where {needed} are needed"
        if self.objection_of is not None:
            return self.objection_of(args)
        return _only_numbers(args)


def _only_numbers(args: tuple[Node, ...]) -> str:
    if any(isinstance(a, Points) for a in args):
        return "a list is not a number"
    return "a condition is not a number" if any(map(is_condition, args)) else ""


def _conditions_then_values(args: tuple[Node, ...]) -> str:
    if len(args) % 2 == 0:
        return "the last argument is the value when no condition holds, and it is missing"
    for k, arg in enumerate(args):
        if is_condition(arg) != (k % 2 == 0 and k < len(args) - 1):
            wanted = "a condition" if k % 2 == 0 and k < len(args) - 1 else "a number"
            return f"argument {k + 1} must be {wanted}"
    return _only_numbers(args[1::2])


def _points_of_curve(args: tuple[Node, ...]) -> str:
    x, xs, ys = args
    if not isinstance(xs, Points) or not isinstance(ys, Points):
        return "the second and third arguments are lists of numbers"
    if len(xs.values) != len(ys.values):
        return f"{len(xs.values)} abscissae but {len(ys.values)} ordinates"
    if len(xs.values) < 2:
        return "at least two points are needed"
    if any(b <= a for a, b in zip(xs.values, xs.values[1:], strict=False)):
        return "the abscissae must increase"
    return _only_numbers((x,))


def _elementary(name: str, units: str, count: int = 1) -> Function:
    def apply(ops: Ops, *args: Scalar) -> Scalar:
        return getattr(ops, name)(*args)

    usage = f"{name}({', '.join('xyz'[:count])})"
    return Function(name, usage, count, count, apply, units=units)


def _clip(ops: Ops, x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    return ops.minimum(ops.maximum(x, low), high)


def _ramp(ops: Ops, x: Scalar, x0: Scalar, x1: Scalar) -> Scalar:
    return _clip(ops, (x - x0) / (x1 - x0), 0.0, 1.0)


def _smoothstep(ops: Ops, x: Scalar, x0: Scalar, x1: Scalar) -> Scalar:
    """0 to 1 with zero first and second derivative at both ends: 6s⁵ - 15s⁴ + 10s³."""
    s = _ramp(ops, x, x0, x1)
    return s * s * s * (s * (6.0 * s - 15.0) + 10.0)


def _piecewise(ops: Ops, *args: Scalar) -> Scalar:
    value = args[-1]
    for k in range(len(args) - 3, -1, -2):
        value = ops.where(args[k], args[k + 1], value)
    return value


_MANY = 200
_ALL = [
    *(_elementary(n, NUMBER) for n in ("sin", "cos", "tan", "asin", "acos", "atan")),
    *(_elementary(n, NUMBER) for n in ("sinh", "cosh", "tanh", "exp", "log")),
    *(_elementary(n, KEPT) for n in ("abs", "floor")),
    _elementary("sign", FREE),
    _elementary("atan2", COMPARED, 2),
    _elementary("hypot", SAME, 2),
    Function("sqrt", "sqrt(x)", 1, 1, lambda ops, x: ops.root(x), units=ROOT),
    Function("min", "min(a, b, ...)", 2, _MANY, lambda ops, *args: reduce(ops.minimum, args),
             units=SAME),
    Function("max", "max(a, b, ...)", 2, _MANY, lambda ops, *args: reduce(ops.maximum, args),
             units=SAME),
    Function("mod", "mod(x, y)", 2, 2, lambda ops, x, y: x - y * ops.floor(x / y), units=SAME),
    Function("clip", "clip(x, low, high)", 3, 3, _clip, units=SAME),
    Function("ramp", "ramp(x, x0, x1)", 3, 3, _ramp, units=COMPARED),
    Function("smoothstep", "smoothstep(x, x0, x1)", 3, 3, _smoothstep, units=COMPARED),
    Function("piecewise", "piecewise(condition, value, ..., otherwise)", 3, _MANY + 1, _piecewise,
             _conditions_then_values, VALUES),
    Function("table", "table(x, [x1, x2, ...], [y1, y2, ...])", 3, 3, linear, _points_of_curve),
    Function("spline", "spline(x, [x1, x2, ...], [y1, y2, ...])", 3, 3, spline, _points_of_curve),
]  # fmt: skip
FUNCTIONS: dict[str, Function] = {f.name: f for f in _ALL}
KINKED = frozenset((
    "abs", "sign", "floor", "min", "max", "mod", "clip", "ramp", "smoothstep", "piecewise", "table",
))  # fmt: skip
"""Functions with branches: steps end where they change."""

# Names people bring from elsewhere.
HINTS = {
    "arcsin": "write asin",
    "arccos": "write acos",
    "arctan": "write atan",
    "arctan2": "write atan2",
    "ln": "write log (natural logarithm)",
    "pow": "write x**y",
    "minimum": "write min",
    "maximum": "write max",
    "where": "write piecewise(condition, value, otherwise)",
    "if": "write piecewise(condition, value, otherwise)",
    "step": "write smoothstep(x, x0, x1), or piecewise for a jump",
    "interp": "write table(x, [...], [...])",
    "square": "write x**2",
}
