"""`Formula`: a number, a quantity with its unit, or an expression in named things; why it has no
value where it has none, found by working it out part by part."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import Any

import numpy as np

from pliant.errors import FormulaError
from pliant.model.formulas import tree as nodes
from pliant.model.formulas.functions import FUNCTIONS
from pliant.model.formulas.parser import HUGE, parse
from pliant.model.formulas.tree import Call, Name, Node, Number, is_condition, text_of
from pliant.model.numbers.units import Dimension, is_quantity, parse_quantity
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC

CONSTANTS = {"pi": math.pi}
_recording: list[Evaluated] | None = None
_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
_LOGIC: dict[str, Callable[[Any, Any, Any], Any]] = {
    "<": lambda ops, a, b: ops.lt(a, b),
    "<=": lambda ops, a, b: ops.le(a, b),
    ">": lambda ops, a, b: ops.lt(b, a),
    ">=": lambda ops, a, b: ops.le(b, a),
    "==": lambda ops, a, b: ops.eq(a, b),
    "!=": lambda ops, a, b: ops.logical_not(ops.eq(a, b)),
    "and": lambda ops, a, b: ops.logical_and(a, b),
    "or": lambda ops, a, b: ops.logical_or(a, b),
}


@dataclass(frozen=True, slots=True, repr=False)
class Formula:
    """A parsed formula. Two formulas are equal when they mean the same tree.

    `dimension` is known only for a plain number written with its unit ("210 GPa"); `written` is the
    text of a formula in whose place the tree stands, with named formulas put in.

    >>> sorted(pl.formula("2*l + x").names)
    ['l', 'x']
    """

    tree: nodes.Node
    text: str = field(compare=False)
    dimension: Dimension | None = field(default=None, compare=False)
    written: str = field(default="", compare=False)
    names: frozenset[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        found = (n.name for n in nodes.walk(self.tree) if isinstance(n, nodes.Name))
        object.__setattr__(self, "names", frozenset(n for n in found if n not in CONSTANTS))

    def __repr__(self) -> str:
        return f"Formula({self.text!r})"

    def __str__(self) -> str:
        return self.text

    @property
    def as_written(self) -> Formula:
        """The formula in which named ones are names."""
        return formula(self.written) if self.written else self

    @property
    def is_zero(self) -> bool:
        """Whether it is written as the number 0."""
        return self.is_constant and self.value == 0

    @property
    def is_constant(self) -> bool:
        """True if it reads no names."""
        return not self.names

    @property
    def is_condition(self) -> bool:
        """True if it is true or false rather than a number."""
        return is_condition(self.tree)

    @property
    def value(self) -> float:
        """The number; only a constant has one."""
        if self.names:
            raise FormulaError(
                f"formula '{self.text}' has no value by itself: it reads {sorted(self.names)}",
                "evaluate it with values for these names",
            )
        return self.number({})

    def number(self, values: Mapping[str, float]) -> float:
        """The number for these values of its names; nan where the formula is undefined."""
        if _recording is None:
            tree = self.tree
            if isinstance(tree, Name) and tree.name not in CONSTANTS:
                return float(values[tree.name])
            if isinstance(tree, nodes.Number):
                return float(tree.value)
            if isinstance(tree, nodes.Call) and tree.function == "neg":
                (of,) = tree.args
                if isinstance(of, Name) and of.name not in CONSTANTS:
                    return -float(values[of.name])
        try:
            with np.errstate(all="ignore"):
                value = self.evaluate(NUMERIC, lambda name: np.float64(values[name]))
        except ArithmeticError:
            return math.nan
        return float(value) if not isinstance(value, complex) else math.nan

    def evaluate(self, ops: Any, lookup: Callable[[str], Any]) -> Any:
        """The value over `ops`, with `lookup` giving the value of each name."""
        value = _evaluate(self.tree, ops, lookup)
        if _recording is not None:
            _recording.append(Evaluated(self, value, lookup))
        return value

    def __add__(self, other: Formula | float | str) -> Formula:
        return _combined("+", self, formula(other))

    def __sub__(self, other: Formula | float | str) -> Formula:
        return _combined("-", self, formula(other))

    def __mul__(self, other: Formula | float | str) -> Formula:
        return _combined("*", self, formula(other))

    def __truediv__(self, other: Formula | float | str) -> Formula:
        return _combined("/", self, formula(other))

    def __pow__(self, other: Formula | float | str) -> Formula:
        return _combined("**", self, formula(other))

    def __neg__(self) -> Formula:
        if isinstance(self.tree, nodes.Number):
            return from_tree(nodes.Number(-self.tree.value))
        return from_tree(nodes.Call("neg", (self.tree,)))

    __radd__ = __add__

    def __rmul__(self, other: Formula | float | str) -> Formula:
        return _combined("*", formula(other), self)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """A formula, its value and what its names stood for."""

    formula: Formula
    value: Any
    lookup: Callable[[str], Any]


@contextmanager
def recorded() -> Iterator[list[Evaluated]]:
    """Every formula that is evaluated meanwhile, in the order of their evaluation."""
    global _recording
    before, _recording = _recording, []
    try:
        yield _recording
    finally:
        _recording = before


def formula(value: Formula | float | str) -> Formula:
    """A formula from a number, a text, a quantity such as "3 mm", or a formula.

    >>> pl.formula("3 mm")
    Formula('3 mm')
    >>> pl.formula("3 mm").value
    0.003
    """
    if isinstance(value, Formula):
        return value
    if isinstance(value, str):
        text = value.strip()
        if is_quantity(text):
            size, dimension = parse_quantity(text)
            return Formula(_from_number(size).tree, text, dimension)
        tree = parse(text)
        return Formula(tree, nodes.text_of(tree) if isinstance(tree, nodes.Number) else text)
    if isinstance(value, bool) or not hasattr(value, "__float__"):
        kinds = {bool: "true or false", type(None): "nothing", dict: "a mapping", list: "a list",
                 tuple: "a list"}  # fmt: skip
        shown = kinds.get(type(value), f"a {type(value).__name__}")
        raise FormulaError(f"{shown} stands where a number is expected",
                           "give a number, a formula or a quantity with its unit")  # fmt: skip
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    return _from_number(number)


def from_tree(tree: nodes.Node) -> Formula:
    """The formula of a tree."""
    return Formula(tree, nodes.text_of(tree))


def _from_number(value: float) -> Formula:
    if not math.isfinite(value) or abs(value) > HUGE:
        what = "is not a finite number" if not math.isfinite(value) else "is too large"
        raise FormulaError(f"{value} {what}", "give a finite number below 1e100")
    value += 0.0  # -0.0 becomes 0.0, which reads back the same
    return Formula(nodes.Number(value), nodes.number_text(value))


def _combined(sign: str, a: Formula, b: Formula) -> Formula:
    """a sign b; numbers are worked out when that is exact enough to be finite."""
    if isinstance(a.tree, nodes.Number) and isinstance(b.tree, nodes.Number):
        value = Formula(nodes.Call(sign, (a.tree, b.tree)), "").value
        if math.isfinite(value):
            return _from_number(value)
    return from_tree(nodes.Call(sign, (a.tree, b.tree)))


def _evaluate(node: nodes.Node, ops: Any, lookup: Callable[[str], Any]) -> Any:
    if isinstance(node, nodes.Number):
        return node.value
    if isinstance(node, nodes.Name):
        return CONSTANTS[node.name] if node.name in CONSTANTS else lookup(node.name)
    if isinstance(node, nodes.Points):
        return node.values
    args = [_evaluate(a, ops, lookup) for a in node.args]
    if node.function == "**":
        exponent = node.args[1]
        root = isinstance(exponent, nodes.Number) and 0 < exponent.value < 1
        return ops.root(*args) if root else operator.pow(*args)
    if node.function in _ARITHMETIC:
        return _ARITHMETIC[node.function](*args)
    if node.function == "neg":
        return -args[0]
    if node.function == "not":
        return ops.logical_not(args[0])
    if node.function in _LOGIC:
        return _LOGIC[node.function](ops, *args)
    return FUNCTIONS[node.function].apply(ops, *args)


_OUTSIDE = {
    "sqrt": "square root", "log": "logarithm", "asin": "arc sine", "acos": "arc cosine",
}  # fmt: skip


def why_undefined(formula: Formula, values: Mapping[str, float]) -> str:
    """ "division by zero in 1/t": the innermost part without a finite value; empty if it has one.

    ``values``: of the names it reads. A name without a finite value is not the formula's fault.
    """
    if not all(math.isfinite(values[name]) for name in formula.names):
        return ""
    if math.isfinite(_number(formula.tree, values)):
        return ""
    node = _innermost(formula.tree, values)
    return f"{_reason(node, values)} in {text_of(node)}"


def _number(node: Node, values: Mapping[str, float]) -> float:
    try:
        return from_tree(node).number(values)
    except (TypeError, ValueError):  # points of a table are no number
        return math.nan


def _innermost(node: Node, values: Mapping[str, float]) -> Node:
    for part in _parts(node):
        if not math.isfinite(_number(part, values)):
            return _innermost(part, values)
    return node


def _parts(node: Node) -> list[Node]:
    """Arguments that are numbers."""
    if not isinstance(node, Call):
        return []
    return [a for a in node.args if isinstance(a, Call | Name | Number)]


def _reason(node: Node, values: Mapping[str, float]) -> str:
    if not isinstance(node, Call):
        return "no finite value"
    numbers = [_number(a, values) for a in _parts(node)]
    if node.function == "/" and numbers[1] == 0:
        return "division by zero"
    if node.function == "**":
        return f"{numbers[0]:.6g} to the power {numbers[1]:.6g}"
    if node.function in _OUTSIDE:
        return f"{_OUTSIDE[node.function]} of {numbers[0]:.6g}"
    return "no finite value"
