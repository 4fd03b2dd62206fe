"""Values, matrices and equations as MathML, which browsers draw by themselves: every symbol is an
element that bears its name.

    <msub data-name="l11"><mi data-name="l11">l</mi><mn>11</mn></msub>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar
from xml.sax.saxutils import escape, quoteattr

from pliant.reading.algebra.symbols import Symbol, upright_word
from pliant.reading.printing import FUNCTIONS, Typeset

_APPLY, _TIMES = "<mo>&#8289;</mo>", "<mo>&#8290;</mo>"
"""Invisible: of a function, of a product."""
_DOTS = {"dot": "˙", "ddot": "¨", "dddot": "⃛", "ddddot": "⃜"}
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ϵ", "varepsilon": "ε",
    "zeta": "ζ", "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ",
    "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ",
    "tau": "τ", "upsilon": "υ", "phi": "ϕ", "varphi": "φ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "partial": "∂",
}  # fmt: skip
_TOKEN = re.compile(r"\\([a-zA-Z]+)|\\(.)|(\d[\d.]*)|(\s+)|(.)")


class _MathML(Typeset):
    infix: ClassVar[dict[str, str]] = {
        "lt": "<mo>&lt;</mo>", "le": "<mo>≤</mo>", "eq": "<mo>=</mo>",
        "logical_and": "<mo>∧</mo>", "logical_or": "<mo>∨</mo>",
    }  # fmt: skip
    calls: ClassVar[dict[str, str]] = {
        "reciprocal": "<mfrac><mn>1</mn><mrow>{0}</mrow></mfrac>",
        "power": "<msup><mrow><mo>(</mo>{0}<mo>)</mo></mrow><mrow>{1}</mrow></msup>",
        "sqrt": "<msqrt>{0}</msqrt>", "abs": "<mrow><mo>|</mo>{0}<mo>|</mo></mrow>",
    }  # fmt: skip
    comma: ClassVar[str] = "<mo>,</mo>"

    def sign(self, sign: str) -> str:
        mark = sign.strip().replace("-", "−")
        return f"<mo>{mark}</mo>" if mark else ""

    def number(self, digits: str) -> str:
        mantissa, e, exponent = digits.partition("e")
        first = f"<mn>{mantissa}</mn>"
        return f"{first}<mo>⋅</mo>{self.raised('<mn>10</mn>', int(exponent))}" if e else first

    def symbol(self, symbol: Symbol, exponent: int = 1) -> str:
        function, blank, angle = symbol.latex.partition(" ")
        if not blank:
            return self.raised(_Reader(symbol.latex, symbol.name).read(), exponent)
        mark = f" data-name={quoteattr(symbol.name)}"
        known = self.raised(f"<mi{mark}>{function[1:]}</mi>", exponent)
        return f"<mrow{mark}>{known}{_APPLY}<mrow>{self.given(angle)}</mrow></mrow>"

    def given(self, latex: str) -> str:
        return _Reader(latex).read()

    def beside(self, factors: Sequence[str]) -> str:
        return _TIMES.join(factors)

    def fraction(self, above: str, below: str) -> str:
        return f"<mfrac><mrow>{above}</mrow><mrow>{below}</mrow></mfrac>"

    def raised(self, base: str, exponent: int) -> str:
        if exponent == 1:
            return base
        size = f"<mn>{abs(exponent)}</mn>"
        power = size if exponent > 0 else f"<mrow><mo>−</mo>{size}</mrow>"
        return f"<msup>{base}{power}</msup>"

    def root(self, radicand: str) -> str:
        return f"<msqrt>{radicand}</msqrt>"

    def brackets(self, inside: str) -> str:
        return f"<mrow><mo>(</mo>{inside}<mo>)</mo></mrow>"

    def circular(self, function: str, exponent: int, angle: str) -> str:
        return f"{self.raised(f'<mi>{function}</mi>', exponent)}{_APPLY}<mrow>{angle}</mrow>"

    def dotted(self, what: str) -> str:
        return f'<mover accent="true"><mrow>{what}</mrow><mo>˙</mo></mover>'

    def partial(self, of: str, by: str) -> str:
        return self.fraction(f"<mo>∂</mo>{of}", f"<mo>∂</mo>{by}")

    def column(self, entries: Sequence[str]) -> str:
        return self._table([[x] for x in entries], "[]")

    def equal(self, *members: str) -> str:
        return "<mo>=</mo>".join(members)

    def function(self, name: str, arguments: str) -> str:
        return f"<mi>{FUNCTIONS.get(name, name)}</mi>{_APPLY}{self.brackets(arguments)}"

    def matrix(self, rows: list[list[str]]) -> str:
        return self._table(rows, "()")

    def _table(self, rows: Sequence[Sequence[str]], fences: str) -> str:
        lines = ("".join(f"<mtd>{x}</mtd>" for x in row) for row in rows)
        body = "".join(f"<mtr>{line}</mtr>" for line in lines)
        return f"<mrow><mo>{fences[0]}</mo><mtable>{body}</mtable><mo>{fences[1]}</mo></mrow>"


class _Reader:
    """LaTeX of names, as ``symbols.latex_name`` writes it: letters, Greek, upright words, accents,
    indices; and fractions of them. ``name``: of the symbol that it is of."""

    def __init__(self, latex: str, name: str = "") -> None:
        self.latex, self.at = latex, 0
        self.mark = f" data-name={quoteattr(name)}" if name else ""

    def read(self) -> str:
        return self._row("")

    def _row(self, end: str) -> str:
        """Up to the closing brace, or to the end."""
        parts: list[str] = []
        while self.at < len(self.latex) and self.latex[self.at] != end:
            if self.latex[self.at] in "_^":
                parts[-1] = self._script(parts[-1])
            else:
                parts += self._atom()
        return "".join(parts)

    def _script(self, base: str) -> str:
        """A base with what stands below or above it."""
        tag = "msub" if self.latex[self.at] == "_" else "msup"
        self.at += 1
        mark, self.mark = self.mark, ""
        index = self._argument()
        self.mark = mark
        return f"<{tag}{mark}>{base}{index}</{tag}>"

    def _argument(self) -> str:
        """What stands in braces, or the next sign, as one element."""
        if self.latex[self.at] == "{":
            self.at += 1
            found = self._row("}")
            self.at += 1
            return found if found.count("</") == 1 else f"<mrow>{found}</mrow>"
        return "".join(self._atom())

    def _atom(self) -> list[str]:
        token = _TOKEN.match(self.latex, self.at)
        assert token is not None
        self.at = token.end()
        command, escaped, number, blank, other = token.groups()
        if blank:
            return []
        if number:
            return [f"<mn>{number}</mn>"]
        if command in _DOTS:
            body, mark = self._argument(), self.mark
            return [f'<mover accent="true"{mark}>{body}<mo>{_DOTS[command]}</mo></mover>']
        if command in ("left", "right"):
            return []
        if command == "mathrm":
            return [f'<mi mathvariant="normal"{self.mark}>{escape(self._word())}</mi>']
        if command == "frac":
            return [f"<mfrac>{self._argument()}{self._argument()}</mfrac>"]
        letter = _GREEK.get(command, command) if command else escaped or other
        tag, mark = ("mi", self.mark) if letter.isalpha() else ("mo", "")
        return [f"<{tag}{mark}>{escape(letter)}</{tag}>"]

    def _word(self) -> str:
        """Upright text in braces."""
        found, self.at = upright_word(self.latex, self.at)
        return found


MATHML: Typeset = _MathML()


def mathml(form: Any, parameters: Iterable[Any] = ()) -> str:
    """A value, matrix or form as the content of a ``math`` element; values are collected by the
    parameters."""
    return MATHML.written(form, parameters)


def math(*members: str) -> str:
    """A whole element: a = b."""
    return f'<math display="block">{MATHML.equal(*members)}</math>'
