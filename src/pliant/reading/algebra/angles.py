"""Sine and cosine of a value.

The argument is split into integer combinations of the angles of each run, a constant, small
quantities (if these are truncated) and the rest, and put together by the addition theorem:

    cos(a + b) = cos a cos b - sin a sin b         sin(a + b) = sin a cos b + cos a sin b

The rest (an angular speed times time, half an angle) becomes an angle with a definition.
"""

from __future__ import annotations

from dataclasses import field
from fractions import Fraction
from math import cos, factorial, pi, sin
from typing import TYPE_CHECKING

from pliant.reading.algebra.value import ONE, Terms, Value
from pliant.reading.algebra.waves import Multiples, canonical
from pliant.records import dataclass

if TYPE_CHECKING:
    from pliant.reading.algebra.space import Space

Circle = tuple[Value, Value]
"""cos and sin of an angle."""

_PARTS = 24
"""Multiples of a full turn / 24, 15 degrees, have exact sines."""
_EXACT = 1e-14
_WHOLE = 8
"""Largest multiple of a defined angle: cos(3 x/2) is cos(3 angle1), but 1.2345 x is an angle."""


@dataclass(slots=True)
class _Parts:
    """An argument, sorted."""

    runs: dict[int, dict[int, int]] = field(default_factory=dict)
    constant: Terms = field(default_factory=dict)
    small: Terms = field(default_factory=dict)
    rest: Terms = field(default_factory=dict)


def circle(space: Space, x: Value) -> Circle:
    """cos x and sin x."""
    parts = _split(space, x)
    _add_defined(space, parts, Value(space, parts.rest, x.denominator, x.noise))
    found: Circle = (space.constant(1), space.constant(0))
    for run, multiples in parts.runs.items():
        found = _added(found, _wave(space, run, tuple(sorted(multiples.items()))))
    if parts.constant:
        found = _added(found, _number(space, Value(space, parts.constant, x.denominator, x.noise)))
    if parts.small:
        found = _added(found, _series(space, Value(space, parts.small, x.denominator, x.noise)))
    return found


def _split(space: Space, x: Value) -> _Parts:
    parts = _Parts()
    for (monomial, wave), c in x.terms.items():
        powers = space.monomials.powers[monomial]
        key = (monomial, wave)
        if not wave and space.is_number(monomial):
            parts.constant[key] = c
        elif space.order is not None and space.monomials.degree[monomial] > 0:
            parts.small[key] = c
        elif not wave and len(powers) == 1 and powers[0][1] == 1 and c % x.denominator == 0:
            symbol = powers[0][0]
            own = parts.runs.setdefault(space.run(symbol), {})
            own[symbol] = own.get(symbol, 0) + c // x.denominator
        else:
            parts.rest[key] = c
    return parts


def _add_defined(space: Space, parts: _Parts, rest: Value) -> None:
    """The rest as a multiple of a defined angle; a new one joins the only run at hand."""
    if not rest:
        return
    content = rest.content
    multiple = content.numerator
    if abs(multiple) > _WHOLE:
        multiple = 1 if multiple > 0 else -1
    angle = space.define("value", rest * Fraction(1, multiple), label="angle").symbol
    assert angle is not None
    near = next(iter(parts.runs)) if len(parts.runs) == 1 else None
    parts.runs.setdefault(space.run(angle, near), {})[angle] = multiple


def _added(a: Circle, b: Circle) -> Circle:
    return a[0] * b[0] - a[1] * b[1], a[1] * b[0] + a[0] * b[1]


def _wave(space: Space, run: int, angle: Multiples) -> Circle:
    values = []
    for is_sine in (False, True):
        sign, wave = canonical(run, is_sine, angle)
        key = (0, space.waves.index((wave,))) if wave else ONE
        values.append(Value(space, {key: sign}))
    return values[0], values[1]


def _number(space: Space, x: Value) -> Circle:
    """Multiples of 15 degrees exactly, others in decimals."""
    angle = float(x)
    parts = angle / (2 * pi / _PARTS)
    if abs(parts - round(parts)) < _EXACT * max(1.0, abs(parts)):
        return _exact_sine(space, round(parts) + _PARTS // 4), _exact_sine(space, round(parts))
    return space.constant(cos(angle)), space.constant(sin(angle))


def _exact_sine(space: Space, parts: int) -> Value:
    """sin of 15 degrees times a whole number."""
    parts %= _PARTS
    if parts > _PARTS // 2:
        return -_exact_sine(space, parts - _PARTS // 2)
    two, six = space.sqrt(2), space.sqrt(6)
    first = [space.constant(0), (six - two) / 4, space.constant(Fraction(1, 2)), two / 2]
    first += [space.sqrt(3) / 2, (six + two) / 4, space.constant(1)]
    return first[min(parts, _PARTS // 2 - parts)]


def _series(space: Space, x: Value) -> Circle:
    """cos x = 1 - x²/2 + ..., sin x = x - x³/6 + ... to the order of truncation."""
    assert space.order is not None
    found = [space.constant(1), space.constant(0)]
    power = space.constant(1)
    for k in range(1, space.order + 1):
        power = power * x
        sign = -1 if k % 4 in (2, 3) else 1
        found[k % 2] = found[k % 2] + power * Fraction(sign, factorial(k))
    return found[0], found[1]
