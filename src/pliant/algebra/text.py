"""Values, matrices and equations as plain text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pliant.algebra.collect import bracketed, equation_lines
from pliant.algebra.forms import Call, Circular, Factor, Product, Root, Sum, numeral, sides, signed
from pliant.algebra.matrix import Matrix
from pliant.algebra.symbols import Symbol

_INFIX = {"lt": "<", "le": "<=", "eq": "==", "logical_and": "and", "logical_or": "or"}


def text(form: Any, parameters: Iterable[Any] = ()) -> str:
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
    """The size of a product: 3*m*l**2/(4*k)*sin(x)*(...)."""
    parts = sides(product)
    top, bottom = numeral(abs(product.coefficient))
    above = [top] * bool(top) + [_factor(f) for f in parts.above + parts.circular]
    below = [bottom] * bool(bottom) + [_factor(f) for f in parts.below]
    beside = [_factor(f) for f in [*parts.brackets, *product.variables]]
    if not above or not parts.brackets:
        above, beside = above + beside or ["1"], []
    line = "/" if below else ""
    under = f"({'*'.join(below)})" if len(below) > 1 else "".join(below)
    return "*".join(["*".join(above) + line + under, *beside])


def _factor(factor: Factor) -> str:
    base = factor.base
    if isinstance(base, Symbol):
        written = base.text
    elif isinstance(base, Root):
        written = f"sqrt({base.radicand})"
    elif isinstance(base, Circular):
        written = f"{base.function}({_sum(base.angle)})"
    else:
        written = f"({_sum(base)})"
    return written if factor.exponent == 1 else f"{written}**{factor.exponent}"


def _call(form: Call) -> str:
    arguments = [_sum(a) for a in form.arguments]
    if form.function in _INFIX:
        return f" {_INFIX[form.function]} ".join(arguments)
    if form.function == "reciprocal":
        return f"1/({arguments[0]})"
    if form.function == "power":
        return f"({arguments[0]})**({arguments[1]})"
    if form.function == "logical_not":
        return f"not {arguments[0]}"
    return f"{form.function}({', '.join(arguments)})"


def _matrix(matrix: Matrix, parameters: list[Any]) -> str:
    """Rows in brackets, columns aligned."""
    rows = [[_sum(bracketed(x, parameters)) for x in row] for row in matrix.row_lists()]
    widths = [max((len(row[j]) for row in rows), default=0) for j in range(matrix.cols)]
    lines = ("  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)) for row in rows)
    return "\n".join(f"[{line}]" for line in lines) or "[]"


def folded(written: str, width: int = 100, indent: int = 4) -> str:
    """A long line broken before signs, outside brackets if it can; later lines are indented."""
    lines, rest, start = [], written, ""
    while len(start + rest) > width:
        signs = _signs(rest)
        if not signs:
            break
        signs = [s for s in signs if len(start) + s[0] <= width] or signs[:1]
        cut = min(signs, key=lambda s: (s[1], -s[0]))[0]
        lines.append(start + rest[:cut])
        rest, start = rest[cut + 1 :], " " * indent
    return "\n".join([*lines, start + rest])


def _signs(written: str) -> list[tuple[int, int]]:
    """Blanks before signs between terms, with the number of open brackets there."""
    found, depth = [], 0
    for k, letter in enumerate(written):
        depth += (letter in "([") - (letter in ")]")
        if letter == " " and k and written[k + 1 : k + 3] in ("+ ", "- "):
            found.append((k, depth))
    return found
