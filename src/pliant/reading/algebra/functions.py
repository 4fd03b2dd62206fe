"""Functions of values: reciprocals, roots and powers, exact where they have a normal form; others
are symbols with a definition, with their exact derivatives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any

from pliant.reading.algebra.numbers import root_of
from pliant.reading.algebra.value import Value
from pliant.reading.algebra.waves import Powers, wave_of
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC, STUMPFF, stumpff

if TYPE_CHECKING:
    from pliant.reading.algebra.space import Space


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


def _stumpff(order: int) -> Partials:
    def slope(space: Space, own: Value, args: Sequence[Value]) -> list[Any]:
        """c_n' = (n c_(n + 2) - c_(n + 1)) / 2."""
        one, two = (apply(space, f"stumpff{order + k}", *args) for k in (1, 2))
        return [(order * two - one) / 2]

    return slope


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
    "minimum": _smaller,
    "maximum": lambda space, own, args: _smaller(space, own, args)[::-1],
    **dict.fromkeys(("sign", "floor", "lt", "le", "eq"), _flat),
    **dict.fromkeys(("logical_and", "logical_or", "logical_not"), _flat),
    "where": lambda space, own, args: [0, args[0], 1 - args[0]],
    **{name: _stumpff(order) for name, order in STUMPFF.items()},
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
    if function in STUMPFF and space.order is not None:
        series: Value = stumpff(STUMPFF[function], values[0])
        return series  # what is small in it is truncated
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


_LARGE = 10**12
"""Roots of larger numbers are not split into primes."""


def reciprocal(space: Space, x: Value) -> Value:
    """1/x: negative exponents for a common monomial, times a defined symbol for the rest; of
    secants the cosine."""
    if not x:
        raise ZeroDivisionError("division by the value zero")
    shared = _divisors(space, x)
    inverse = _monomial(space, tuple(p for p in shared if p[0] not in space.secants), -1)
    inverse = inverse * (1 / x.content)
    for k, e in shared:
        if k in space.secants:
            inverse = inverse * space.definitions[k].arguments[0] ** e
    rest = x * inverse
    if rest.is_constant:
        square = (rest * rest).rational  # 1/√k = √k/k; sums with roots in decimals
        own = space.constant(1 / float(rest)) if square is None else rest * (1 / square)
        return own * inverse
    wave = wave_of(rest)
    if wave is not None:
        return space.secant(wave, rest) * inverse
    return space.define("reciprocal", rest) * inverse


def square_root(space: Space, x: Value) -> Value:
    """√x; what is a square leaves the root (parameters count as positive)."""
    if x.is_constant:
        return _root_of_number(space, x)
    positive = [
        (k, e // 2 * 2)
        for k, e in _divisors(space, x)
        if space.symbols[k].rank == 0 and k not in space.definitions
    ]
    factor = _rational_root(abs(x.content))
    outside = _monomial(space, tuple((k, e // 2) for k, e in positive), 1) * factor
    inside = x * _monomial(space, tuple(positive), -1) * (1 / (factor * factor))
    if inside.is_constant:
        return outside * _root_of_number(space, inside)
    return outside * space.define("sqrt", inside)


def _rational_root(square: Fraction) -> Fraction:
    """The root if it is rational, else 1."""
    if square.numerator * square.denominator > _LARGE:
        return Fraction(1)
    root = root_of(square)
    return root.value if root.radicand == 1 else Fraction(1)


def _root_of_number(space: Space, x: Value) -> Value:
    value = x.rational
    if value is None or x.noise or not 0 <= value.numerator * value.denominator <= _LARGE:
        return space.constant(sqrt(float(x)))
    root = root_of(value)
    return space.root(root.radicand) * root.value


def power(space: Space, base: Value, exponent: Value) -> Value:
    """base^exponent, the exponent not an integer."""
    halves = exponent.rational
    if halves is not None and halves.denominator == 2:
        return square_root(space, base) ** halves.numerator
    if base.is_constant and exponent.is_constant:
        return space.constant(float(base) ** float(exponent))
    return space.define("power", base, exponent)


def _divisors(space: Space, x: Value) -> Powers:
    """Powers of symbols that divide every term (of small ones and roots: none)."""
    rows = [dict(space.monomials.powers[monomial]) for monomial, _ in x.terms]
    known = set().union(*rows) - space.monomials.small.keys() - space.monomials.radicands.keys()
    least = ((k, min(row.get(k, 0) for row in rows)) for k in sorted(known))
    return tuple((k, e) for k, e in least if e)


def _monomial(space: Space, powers: Powers, sign: int) -> Value:
    """The product of powers, or (sign -1) its reciprocal."""
    own = tuple((k, sign * e) for k, e in powers if e)
    return Value(space, {(space.monomials.index(own), 0): 1})


def cancelled(numerator: Value, denominator: Value) -> tuple[Value, Value]:
    """Both without the powers of symbols that all their terms share."""
    space = numerator.space
    powers = [dict(space.monomials.powers[m]) for v in (numerator, denominator) for m, _ in v.terms]
    if not numerator or not denominator:
        return numerator, denominator
    shared = {k: min(p.get(k, 0) for p in powers) for k in powers[0]}
    common = space.monomials.index(tuple(sorted((k, -e) for k, e in shared.items() if e > 0)))
    factor = Value(space, {(common, 0): 1})
    return numerator * factor, denominator * factor
