"""Values, matrices and equations as LaTeX; long rows in several lines."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pliant.algebra.collect import bracketed, equation_lines
from pliant.algebra.forms import Call, Circular, Factor, Product, Root, Sum, numeral, sides, signed
from pliant.algebra.matrix import Matrix
from pliant.algebra.symbols import Symbol

_INFIX = {
    "lt": "<", "le": r"\le", "eq": "=", "logical_and": r"\wedge", "logical_or": r"\vee",
}  # fmt: skip
_OPERATORS = {"tan", "sinh", "cosh", "tanh", "exp"}
_NAMES = {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "log": r"\ln",
          "minimum": r"\min", "maximum": r"\max", "logical_not": r"\neg"}  # fmt: skip
_COMMAND = re.compile(r"\\[a-zA-Z]+|[{}^_ ]|\\[,;!]")
_TERM = re.compile(r" (?=[+-] )")
WIDTH = 110
"""Characters of a line as they are seen."""


def latex(form: Any, parameters: Iterable[Any] = ()) -> str:
    """A value, matrix or form; values are collected by the parameters."""
    if isinstance(form, Matrix):
        return _matrix(form, list(parameters))
    if isinstance(form, Sum):
        return _sum(form)
    if isinstance(form, Call):
        return _call(form)
    return _sum(equation_lines(form, parameters=parameters))


def _sum(form: Sum) -> str:
    return "".join(sign + _product(product) for sign, product in signed(form)) or "0"


def _product(product: Product) -> str:
    """A fraction, a bracket, variables, then sines and cosines, which need no brackets there."""
    parts = sides(product)
    top, bottom = numeral(abs(product.coefficient))
    above = " ".join([_number(top)] * bool(top) + [_factor(f) for f in parts.above])
    below = [bottom] * bool(bottom) + [_factor(f) for f in parts.below]
    if below:
        above = rf"\frac{{{above or 1}}}{{{' '.join(below)}}}"
    beside = [*parts.brackets, *product.variables, *parts.circular]
    return " ".join(([above] if above else []) + [_factor(f) for f in beside]) or "1"


def _number(written: str) -> str:
    mantissa, e, exponent = written.partition("e")
    return rf"{mantissa} \cdot 10^{{{exponent}}}" if e else mantissa


def _factor(factor: Factor) -> str:
    base = factor.base
    power = "" if factor.exponent == 1 else f"^{{{factor.exponent}}}"
    if isinstance(base, Symbol):
        return base.latex + power
    if isinstance(base, Root):
        return rf"\sqrt{{{base.radicand}}}"
    if isinstance(base, Circular):
        angle = _sum(base.angle)
        return rf"\{base.function}{power} {angle if ' ' not in angle else _inside(angle)}"
    return _inside(_sum(base)) + power


def _inside(written: str) -> str:
    return rf"\left({written}\right)"


def _call(form: Call) -> str:
    arguments = [_sum(a) for a in form.arguments]
    name = form.function
    if name in _INFIX:
        return f" {_INFIX[name]} ".join(arguments)
    if name == "reciprocal":
        return rf"\frac{{1}}{{{arguments[0]}}}"
    if name == "power":
        return rf"{_inside(arguments[0])}^{{{arguments[1]}}}"
    if name == "sqrt":
        return rf"\sqrt{{{arguments[0]}}}"
    if name == "abs":
        return rf"\left|{arguments[0]}\right|"
    known = _NAMES.get(name, rf"\{name}" if name in _OPERATORS else rf"\operatorname{{{name}}}")
    return known + _inside(", ".join(arguments))


def _matrix(matrix: Matrix, parameters: list[Any]) -> str:
    rows = [" & ".join(_sum(bracketed(x, parameters)) for x in row) for row in matrix.row_lists()]
    return "\\begin{pmatrix}\n" + " \\\\\n".join(rows) + "\n\\end{pmatrix}"


def broken(row: str, width: int = WIDTH) -> str:
    """The row of an ``aligned`` environment, with line breaks before terms that stand in no
    bracket: a & b + c becomes a & b \\\\ &\\quad + c."""
    lines, used = [""], 0
    for term in _terms(row):
        size = len(_COMMAND.sub("", term))
        if used and used + size > width:
            lines.append(r"&\quad ")
            used = 0
        lines[-1] += term if not used else f" {term}"
        used += size
    return " \\\\\n".join(lines)


def _terms(row: str) -> list[str]:
    """The terms of a sum, each with its sign."""
    found, start = [], 0
    for match in _TERM.finditer(row):
        if _closed(row[start : match.start()]):
            found.append(row[start : match.start()])
            start = match.end()
    return [*found, row[start:]]


def _closed(text: str) -> bool:
    """Whether every bracket that is opened is closed."""
    return text.count("{") == text.count("}") and text.count(r"\left") == text.count(r"\right")
