"""Values and matrices to SymPy, which is needed only here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pliant.algebra.functions import Definition
from pliant.algebra.matrix import Matrix
from pliant.algebra.space import Space
from pliant.algebra.value import Value
from pliant.errors import CapabilityError

_OTHER = {
    "abs": "Abs", "minimum": "Min", "maximum": "Max", "sqrt": "sqrt", "lt": "Lt", "le": "Le",
    "eq": "Eq", "logical_and": "And", "logical_or": "Or", "logical_not": "Not",
}  # fmt: skip
_CONDITIONS = {"lt", "le", "eq", "logical_and", "logical_or", "logical_not"}
"""Here numbers, 1 or 0."""


def to_sympy(form: Value | Matrix, expand: bool = False) -> Any:
    """A SymPy expression or matrix in symbols of the same names; ``expand``: definitions too."""
    writer = _ToSympy(form.space, expand)
    if isinstance(form, Value):
        return writer.value(form)
    rows = [[writer.value(x) for x in row] for row in form.row_lists()]
    return writer.sympy.Matrix(form.rows, form.cols, [x for row in rows for x in row])


class _ToSympy:
    """Symbols and definitions of one space as SymPy."""

    def __init__(self, space: Space, expand: bool) -> None:
        try:
            self.sympy = import_module("sympy")
        except ImportError:
            raise CapabilityError(
                "SymPy is not installed; install it with: pip install sympy"
            ) from None
        self._space = space
        self._expand = expand
        self._symbols: dict[int, Any] = {}

    def value(self, value: Value) -> Any:
        sp, space = self.sympy, self._space
        terms = []
        for (monomial, wave), c in value.coefficients():
            factors = [sp.Rational(c.numerator, c.denominator)]
            factors += [self.symbol(k) ** e for k, e in space.monomials.powers[monomial]]
            for own in space.waves.waves[wave]:
                angle = sp.Add(*(n * self.symbol(k) for k, n in own.angle))
                factors.append((sp.sin if own.is_sine else sp.cos)(angle))
            terms.append(sp.Mul(*factors))
        return sp.Add(*terms)

    def symbol(self, index: int) -> Any:
        if index not in self._symbols:
            self._symbols[index] = self._made(index)
        return self._symbols[index]

    def _made(self, index: int) -> Any:
        radicands, definitions = self._space.monomials.radicands, self._space.definitions
        if index in radicands:
            return self.sympy.sqrt(radicands[index])
        if self._expand and index in definitions and definitions[index].function != "time":
            return self._function(definitions[index])
        return self.sympy.Symbol(self._space.symbols[index].name)

    def _function(self, definition: Definition) -> Any:
        arguments = [self.value(a) for a in definition.arguments]
        name = definition.function
        if name == "value":
            return arguments[0]
        if name == "reciprocal":
            return 1 / arguments[0]
        if name == "power":
            return arguments[0] ** arguments[1]
        if name == "where":
            return self._choice(self.sympy.Ne(arguments[0], 0), *arguments[1:])
        if name.startswith("logical"):
            arguments = [self.sympy.Ne(a, 0) for a in arguments]
        found = getattr(self.sympy, _OTHER.get(name, name))(*arguments)
        return self._choice(found, 1, 0) if name in _CONDITIONS else found

    def _choice(self, condition: Any, yes: Any, no: Any) -> Any:
        return self.sympy.Piecewise((yes, condition), (no, True))
