"""Where a formula has no finite value, and why: found by working it out part by part."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pliant.model.formulas.formula import Formula, from_tree
from pliant.model.formulas.tree import Call, Name, Node, Number, text_of

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
