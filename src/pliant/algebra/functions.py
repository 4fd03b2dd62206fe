"""Functions that have no normal form: symbols with a definition, and their exact derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pliant.algebra.value import Value
from pliant.spatial.ops import NUMERIC

if TYPE_CHECKING:
    from pliant.algebra.space import Space


@dataclass(frozen=True, slots=True)
class Definition:
    """symbol = function(arguments). The function ``value`` gives its argument a name."""

    symbol: int
    function: str
    arguments: tuple[Value, ...]


Partials = Callable[["Space", Value, Sequence[Value]], list[Any]]
"""Derivatives with respect to each argument, from the function's own symbol and arguments."""


def _flat(space: Space, own: Value, args: Sequence[Value]) -> list[Any]:
    return [0] * len(args)


def _atan2(space: Space, own: Value, args: Sequence[Value]) -> list[Any]:
    y, x = args
    square = space.reciprocal(x * x + y * y)
    return [x * square, -y * square]


def _smaller(space: Space, own: Value, args: Sequence[Value]) -> list[Any]:
    first = apply(space, "le", *args)
    return [first, 1 - first]


def _power(space: Space, own: Value, args: Sequence[Value]) -> list[Any]:
    base, exponent = args
    slope = exponent * base ** (exponent - 1)
    return [slope, 0 if exponent.is_constant else own * apply(space, "log", base)]


def _slope_asin(space: Space, x: Value) -> Value:
    return space.reciprocal(space.sqrt(1 - x * x))


_PARTIALS: dict[str, Partials] = {
    "value": lambda space, own, args: [1],
    "time": lambda space, own, args: [space.next_derivative(own)],
    "reciprocal": lambda space, own, args: [-own * own],
    "power": _power,
    "sqrt": lambda space, own, args: [space.reciprocal(2 * own)],
    "tan": lambda space, own, args: [1 + own * own],
    "asin": lambda space, own, args: [_slope_asin(space, args[0])],
    "acos": lambda space, own, args: [-_slope_asin(space, args[0])],
    "atan": lambda space, own, args: [space.reciprocal(1 + args[0] * args[0])],
    "atan2": _atan2,
    "sinh": lambda space, own, args: [apply(space, "cosh", args[0])],
    "cosh": lambda space, own, args: [apply(space, "sinh", args[0])],
    "tanh": lambda space, own, args: [1 - own * own],
    "exp": lambda space, own, args: [own],
    "log": lambda space, own, args: [space.reciprocal(args[0])],
    "abs": lambda space, own, args: [apply(space, "sign", args[0])],
    "sign": _flat,
    "floor": _flat,
    "minimum": _smaller,
    "maximum": lambda space, own, args: _smaller(space, own, args)[::-1],
    "lt": _flat,
    "le": _flat,
    "eq": _flat,
    "logical_and": _flat,
    "logical_or": _flat,
    "logical_not": _flat,
    "where": lambda space, own, args: [0, args[0], 1 - args[0]],
}


_OWN = frozenset({"sin", "cos", "sqrt", "reciprocal", "power"})
"""Functions with rules of their own, methods of the space."""
FUNCTIONS = _PARTIALS.keys() | {"sin", "cos"}


def apply(space: Space, function: str, *args: Any) -> Value:
    """The function of values: a number if they all are, else a symbol with this definition."""
    values = tuple(space.constant(a) for a in args)
    if function in _OWN:
        found: Value = getattr(space, function)(*values)
        return found
    if all(a.is_constant for a in values):
        return space.constant(float(getattr(NUMERIC, function)(*map(float, values))))
    if function == "where":
        condition, yes, no = values
        if condition.is_constant or yes == no:
            return yes if condition or yes == no else no
    return space.define(function, *values)


def partials(space: Space, definition: Definition) -> list[Any]:
    """∂(symbol)/∂(argument) for each argument."""
    own = space.value_of(definition.symbol)
    return _PARTIALS[definition.function](space, own, definition.arguments)


def symbols_of(value: Value) -> set[int]:
    """All symbols of a value, those of its angles too."""
    space = value.space
    monomials = {m for m, _ in value.terms}
    waves = {w for _, w in value.terms}
    plain = {k for m in monomials for k, _ in space.monomials.powers[m]}
    return plain | {k for w in waves for own in space.waves.waves[w] for k, _ in own.angle}


def definitions_of(values: Iterable[Value]) -> list[Definition]:
    """Definitions the values rest on, each after those it needs; not of functions of time."""
    values = list(values)
    if not values:
        return []
    space = values[0].space
    symbols = set().union(*map(symbols_of, values))
    found = _reached(space, symbols, lambda k: space.definitions[k].function == "time")
    return [space.definitions[k] for k in found]


def defined_before(space: Space, symbol: int, known: Callable[[int], bool]) -> list[int]:
    """Defined symbols that a symbol rests on and that are not known, each after those it needs.

    Working through them in this order keeps the chain rule from descending too deep.
    """
    definition = space.definitions.get(symbol)
    if definition is None:
        return []
    needed = set().union(*map(symbols_of, definition.arguments))
    return _reached(space, needed, known)


def _reached(space: Space, symbols: set[int], known: Callable[[int], bool]) -> list[int]:
    waiting, found = list(symbols), set()
    while waiting:
        k = waiting.pop()
        if k in space.definitions and k not in found and not known(k):
            found.add(k)
            for argument in space.definitions[k].arguments:
                waiting.extend(symbols_of(argument))
    return sorted(found)
