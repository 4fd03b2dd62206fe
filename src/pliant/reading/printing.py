"""Values, matrices and equations as plain text and as LaTeX, with the definitions they rest on
("where ...")."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, ClassVar

from pliant.reading.algebra.functions import definitions_of
from pliant.reading.algebra.matrix import Matrix
from pliant.reading.algebra.symbols import PRINTERS, Symbol
from pliant.reading.algebra.value import Value
from pliant.reading.collect import bracketed, equation_lines
from pliant.reading.folding import folded
from pliant.reading.forms import Call, Circular, Factor, Product, Root, Sum, numeral, sides, signed

Written = list[tuple[Symbol, Sum | Call]]
FUNCTIONS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "log": "ln",
             "minimum": "min", "maximum": "max", "logical_not": "neg",
             **{name: name for name in ("tan", "sinh", "cosh", "tanh", "exp")}}  # fmt: skip
"""Functions with a name of their own in formulas that are set."""
_NAMED = re.compile(r"(\\d+ot\{)?\\mathrm")
_APART = re.compile(r"\\(left|sin|cos|sec|csc|cot)\b")


class Printer(ABC):
    """Writes forms; the languages differ in their signs."""

    infix: ClassVar[dict[str, str]]
    calls: ClassVar[dict[str, str]]
    """Templates of functions that are written in a way of their own."""
    comma: ClassVar[str] = ", "

    def written(self, form: Any, parameters: Iterable[Any] = ()) -> str:
        """A value, matrix or form; values are collected by the parameters."""
        if isinstance(form, Matrix):
            own = list(parameters)
            rows = form.row_lists()
            return self.matrix([[self.sum(bracketed(x, own)) for x in row] for row in rows])
        if not isinstance(form, Call):
            is_sum = isinstance(form, Sum)
            return self.sum(form if is_sum else equation_lines(form, parameters=parameters))
        arguments = [self.sum(a) for a in form.arguments]
        if form.function in self.infix:
            return f" {self.infix[form.function]} ".join(arguments)
        if form.function in self.calls:
            return self.calls[form.function].format(*arguments)
        return self.function(form.function, self.comma.join(arguments))

    def sum(self, form: Sum) -> str:
        terms = (self.sign(sign) + self.product(product) for sign, product in signed(form))
        return "".join(terms) or self.number("0")

    def sign(self, sign: str) -> str:
        """A sign with the blanks around it, or nothing."""
        return sign

    def number(self, digits: str) -> str:
        """A positive number."""
        return digits

    @abstractmethod
    def product(self, product: Product) -> str:
        """The size of a product."""

    @abstractmethod
    def function(self, name: str, arguments: str) -> str:
        """The call of a function."""

    @abstractmethod
    def matrix(self, rows: list[list[str]]) -> str:
        """Rows of entries."""


class _Text(Printer):
    infix: ClassVar[dict[str, str]] = {
        "lt": "<", "le": "<=", "eq": "==", "logical_and": "and", "logical_or": "or",
    }  # fmt: skip
    calls: ClassVar[dict[str, str]] = {
        "reciprocal": "1/({0})", "power": "({0})**({1})", "logical_not": "not {0}",
    }  # fmt: skip

    def product(self, product: Product) -> str:
        """3*m*l**2/(4*k)*sin(x)*(...)."""
        parts = sides(product)
        top, bottom = numeral(abs(product.coefficient))
        above = [top] * bool(top) + [self._factor(f) for f in parts.above + parts.circular]
        below = [bottom] * bool(bottom) + [self._factor(f) for f in parts.below]
        beside = [self._factor(f) for f in [*parts.brackets, *product.variables]]
        if not above or not parts.brackets:
            above, beside = above + beside or ["1"], []
        line = "/" if below else ""
        under = f"({'*'.join(below)})" if len(below) > 1 else "".join(below)
        return "*".join(["*".join(above) + line + under, *beside])

    def _factor(self, factor: Factor) -> str:
        base = factor.base
        if isinstance(base, Symbol):
            written = base.text
        elif isinstance(base, Root):
            written = f"sqrt({base.radicand})"
        elif isinstance(base, Circular):
            written = f"{base.function}({self.sum(base.angle)})"
        else:
            written = f"({self.sum(base)})"
        return written if factor.exponent == 1 else f"{written}**{factor.exponent}"

    def function(self, name: str, arguments: str) -> str:
        return f"{name}({arguments})"

    def matrix(self, rows: list[list[str]]) -> str:
        """Rows in brackets, columns aligned."""
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ("  ".join(x.ljust(w) for x, w in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(f"[{line}]" for line in lines) or "[]"


def _is_function(factor: Factor) -> bool:
    """Whether a symbol stands for sec x."""
    return isinstance(factor.base, Symbol) and " " in factor.base.latex


class Typeset(Printer):
    """Formulas as they are set: fractions, roots, accents."""

    def product(self, product: Product) -> str:
        """A fraction, a bracket, variables, then sines and cosines, which need none there."""
        parts = sides(product)
        top, bottom = numeral(abs(product.coefficient))
        above = [self.number(top)] * bool(top) + [self.factor(f) for f in parts.above]
        below = [self.number(bottom)] * bool(bottom) + [self.factor(f) for f in parts.below]
        if below:
            above = [self.fraction(self.beside(above) or self.number("1"), self.beside(below))]
        apart = [[f for f in product.variables if _is_function(f) == k] for k in (False, True)]
        others = [*parts.brackets, *apart[0], *apart[1], *parts.circular]
        return self.beside([*above, *map(self.factor, others)]) or self.number("1")

    def factor(self, factor: Factor) -> str:
        """A symbol, root, function or bracket with its exponent."""
        base = factor.base
        if isinstance(base, Symbol):
            return self.symbol(base, factor.exponent)
        if isinstance(base, Root):
            return self.root(self.number(str(base.radicand)))
        if isinstance(base, Circular):
            plain = " " not in _Latex().sum(base.angle)
            angle = self.sum(base.angle)
            return self.circular(base.function, factor.exponent,
                                 angle if plain else self.brackets(angle))  # fmt: skip
        return self.raised(self.brackets(self.sum(base)), factor.exponent)

    @abstractmethod
    def symbol(self, symbol: Symbol, exponent: int = 1) -> str:
        """A symbol with its exponent; one that stands for sec x is written as a function."""

    @abstractmethod
    def given(self, latex: str) -> str:
        """What is given as LaTeX."""

    @abstractmethod
    def beside(self, factors: Sequence[str]) -> str:
        """Factors of a product."""

    @abstractmethod
    def fraction(self, above: str, below: str) -> str: ...

    @abstractmethod
    def raised(self, base: str, exponent: int) -> str:
        """base^exponent; 1 is not written."""

    @abstractmethod
    def root(self, radicand: str) -> str: ...

    @abstractmethod
    def brackets(self, inside: str) -> str: ...

    @abstractmethod
    def circular(self, function: str, exponent: int, angle: str) -> str:
        """sin² x."""

    @abstractmethod
    def dotted(self, what: str) -> str:
        """A time derivative."""

    @abstractmethod
    def partial(self, of: str, by: str) -> str:
        """A partial derivative."""

    @abstractmethod
    def column(self, entries: Sequence[str]) -> str:
        """A vector."""

    @abstractmethod
    def equal(self, *members: str) -> str:
        """a = b = c."""


class _Latex(Typeset):
    infix: ClassVar[dict[str, str]] = {
        "lt": "<", "le": r"\le", "eq": "=", "logical_and": r"\wedge", "logical_or": r"\vee",
    }  # fmt: skip
    calls: ClassVar[dict[str, str]] = {
        "reciprocal": r"\frac{{1}}{{{0}}}", "power": r"\left({0}\right)^{{{1}}}",
        "sqrt": r"\sqrt{{{0}}}", "abs": r"\left|{0}\right|",
    }  # fmt: skip

    def number(self, digits: str) -> str:
        mantissa, e, exponent = digits.partition("e")
        return rf"{mantissa} \cdot 10^{{{exponent}}}" if e else mantissa

    def symbol(self, symbol: Symbol, exponent: int = 1) -> str:
        function, blank, angle = symbol.latex.partition(" ")
        return self.raised(function, exponent) + blank + angle

    def given(self, latex: str) -> str:
        return latex

    def beside(self, factors: Sequence[str]) -> str:
        """Names of several letters with a little room around them."""
        written = "".join(factors[:1])
        for before, factor in pairwise(factors):
            named = _NAMED.match(before) or _NAMED.match(factor)
            apart = _APART.match(factor) or before.startswith(r"\left")
            written += rf" \, {factor}" if named and not apart else f" {factor}"
        return written

    def fraction(self, above: str, below: str) -> str:
        return rf"\frac{{{above}}}{{{below}}}"

    def raised(self, base: str, exponent: int) -> str:
        return base if exponent == 1 else f"{base}^{{{exponent}}}"

    def root(self, radicand: str) -> str:
        return rf"\sqrt{{{radicand}}}"

    def brackets(self, inside: str) -> str:
        return rf"\left({inside}\right)"

    def circular(self, function: str, exponent: int, angle: str) -> str:
        return self.raised("\\" + function, exponent) + f" {angle}"

    def dotted(self, what: str) -> str:
        return rf"\dot{{{what}}}"

    def partial(self, of: str, by: str) -> str:
        return rf"\frac{{\partial {of}}}{{\partial {by}}}"

    def column(self, entries: Sequence[str]) -> str:
        body = r" \\ ".join(entries)
        return rf"\begin{{bmatrix}} {body} \end{{bmatrix}}"

    def equal(self, *members: str) -> str:
        return " = ".join(members)

    def function(self, name: str, arguments: str) -> str:
        known = FUNCTIONS.get(name)
        command = "\\" + known if known else rf"\operatorname{{{name}}}"
        return rf"{command}\left({arguments}\right)"

    def matrix(self, rows: list[list[str]]) -> str:
        lines = " \\\\\n".join(" & ".join(row) for row in rows)
        return f"\\begin{{pmatrix}}\n{lines}\n\\end{{pmatrix}}"


LATEX: Typeset = _Latex()


def text(form: Any, parameters: Iterable[Any] = ()) -> str:
    """A value, matrix or form as plain text; values are collected by the parameters."""
    return _Text().written(form, parameters)


def latex(form: Any, parameters: Iterable[Any] = ()) -> str:
    """The same as LaTeX."""
    return LATEX.written(form, parameters)


def written_definitions(
    values: Iterable[Value],
    accelerations: Iterable[Any] = (),
    speeds: Iterable[Any] = (),
    parameters: Iterable[Any] = (),
) -> Written:
    """Symbol and formula of each definition, collected as the equations are."""
    groups = list(accelerations), list(speeds), list(parameters)
    found: Written = []
    for definition in definitions_of(values):
        arguments = tuple(equation_lines(a, *groups) for a in definition.arguments)
        symbol = definition.arguments[0].space.symbols[definition.symbol]
        is_name = definition.function == "value"
        found.append((symbol, arguments[0] if is_name else Call(definition.function, arguments)))
    return found


def definitions_text(definitions: Written, width: int = 100) -> str:
    """One line for each: name = formula."""
    return "\n".join(folded(f"{s.text} = {text(form)}", width) for s, form in definitions)


def definitions_latex(definitions: Written) -> str:
    """Rows of an ``aligned`` environment."""
    return " \\\\\n".join(f"{s.latex} &= {latex(form)}" for s, form in definitions)


PRINTERS.update(text=text, latex=latex)
