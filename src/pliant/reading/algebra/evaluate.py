"""Values as numbers or expressions of any ``Ops``: floats, CasADi, or values again; and in SymPy,
which is needed only here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from pliant.errors import CapabilityError, UnknownName
from pliant.reading.algebra.functions import Definition, defined_before
from pliant.reading.algebra.matrix import Matrix
from pliant.reading.algebra.space import Space
from pliant.reading.algebra.value import Value
from pliant.reading.algebra.waves import Wave
from pliant.spatial.ops import STUMPFF, Ops


def evaluate(value: Any, ops: Ops, given: Mapping[str, Any]) -> Any:
    """A value or matrix with its symbols given by name; definitions are evaluated as well."""
    if isinstance(value, Matrix):
        evaluation = Evaluation(value.space, ops, given)
        rows = [[evaluation.of(value[i, j]) for j in range(value.cols)] for i in range(value.rows)]
        return ops.mat(rows)
    return Evaluation(value.space, ops, given).of(value)


class Evaluation:
    """Evaluates values of one space, each sine and each definition once."""

    def __init__(self, space: Space, ops: Ops, given: Mapping[str, Any]) -> None:
        self._space = space
        self._ops = ops
        self._given = given
        self._symbols: dict[int, Any] = {}
        self._waves: dict[Wave, Any] = {}

    def of(self, value: Value) -> Any:
        """Σ coefficient · monomial · waves."""
        space = self._space
        total: Any = 0
        for (monomial, wave), c in value.terms.items():
            term: Any = c / value.denominator
            for k, e in space.monomials.powers[monomial]:
                term = term * _power(self.symbol(k), e)
            for own in space.waves.waves[wave]:
                term = term * self.wave(own)
            total = total + term
        return total

    def symbol(self, index: int) -> Any:
        """What a symbol stands for."""
        if index not in self._symbols:
            if not self._is_known(index):
                for k in defined_before(self._space, index, self._is_known):
                    self._symbols[k] = self._found(k)
            self._symbols[index] = self._found(index)
        return self._symbols[index]

    def _is_known(self, index: int) -> bool:
        return index in self._symbols or self._space.symbols[index].name in self._given

    def _found(self, index: int) -> Any:
        name = self._space.symbols[index].name
        if name in self._given:
            return self._given[name]
        if index in self._space.monomials.radicands:
            return self._space.monomials.radicands[index] ** 0.5
        definition = self._space.definitions.get(index)
        if definition is None or definition.function == "time":
            raise UnknownName(f"symbol '{name}' has no value", "give one by its name")
        arguments = [self.of(a) for a in definition.arguments]
        special = _SPECIAL.get(definition.function) or getattr(self._ops, definition.function)
        return special(*arguments)

    def wave(self, wave: Wave) -> Any:
        """cos or sin of its angle."""
        if wave not in self._waves:
            angle: Any = 0
            for k, n in wave.angle:
                angle = angle + n * self.symbol(k)
            self._waves[wave] = (self._ops.sin if wave.is_sine else self._ops.cos)(angle)
        return self._waves[wave]


_SPECIAL: dict[str, Callable[..., Any]] = {
    "value": lambda x: x,
    "reciprocal": lambda x: 1 / x,
    "power": lambda x, y: x**y,
}


def _power(x: Any, e: int) -> Any:
    product = x
    for _ in range(abs(e) - 1):
        product = product * x
    return product if e > 0 else 1 / product


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
        if name in STUMPFF:
            return self._stumpff(STUMPFF[name], arguments[0])
        if name.startswith("logical"):
            arguments = [self.sympy.Ne(a, 0) for a in arguments]
        found = getattr(self.sympy, _OTHER.get(name, name))(*arguments)
        return self._choice(found, 1, 0) if name in _CONDITIONS else found

    def _stumpff(self, order: int, x: Any) -> Any:
        """In closed form, x = ϑ²: c_(n + 2) = (1/n! - c_n) / x from sin ϑ / ϑ or cos ϑ."""
        root, n = self.sympy.sqrt(x), order % 2
        closed = self.sympy.sin(root) / root if n else self.sympy.cos(root)
        while n < order:
            closed, n = (1 / self.sympy.factorial(n) - closed) / x, n + 2
        return self._choice(self.sympy.Ne(x, 0), closed, 1 / self.sympy.factorial(order))

    def _choice(self, condition: Any, yes: Any, no: Any) -> Any:
        return self.sympy.Piecewise((yes, condition), (no, True))
