"""Values as numbers or expressions of any ``Ops``: floats, CasADi, or values again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pliant.algebra.functions import defined_before
from pliant.algebra.matrix import Matrix
from pliant.algebra.space import Space
from pliant.algebra.value import Value
from pliant.algebra.waves import Wave
from pliant.errors import UnknownName
from pliant.spatial.ops import Ops


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
