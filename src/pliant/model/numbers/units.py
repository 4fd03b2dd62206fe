"""Units: a small table of SI and everyday units, and quantities such as "210 GPa".

Angles are kept as a dimension of their own, so that 50 Hz is never taken for 50 rad/s.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import cache

from pliant.errors import UnitError
from pliant.model.cures import Instead, curing
from pliant.model.frozen import did_you_mean
from pliant.records import dataclass

BASE = ("kg", "m", "s", "A", "K", "rad")


@dataclass(frozen=True, slots=True)
class Dimension:
    """Exponents of kg, m, s, A, K and rad: whole numbers but under roots."""

    powers: tuple[int | Fraction, ...] = (0,) * len(BASE)

    def __mul__(self, other: Dimension) -> Dimension:
        return Dimension(tuple(a + b for a, b in zip(self.powers, other.powers, strict=True)))

    def __pow__(self, n: int | Fraction) -> Dimension:
        return Dimension(tuple(n * a for a in self.powers))

    def __str__(self) -> str:
        def part(sign: int) -> str:
            chosen = [(b, sign * p) for b, p in zip(BASE, self.powers, strict=True) if sign * p > 0]
            return "*".join(b if p == 1 else f"{b}^{_power(p)}" for b, p in chosen)

        above, below = part(1), part(-1)
        below = f"({below})" if "*" in below else below
        return f"{above or '1'}/{below}" if below else above or "1"

    @property
    def without_angle(self) -> Dimension:
        """The same dimension with radians counted as pure numbers."""
        return Dimension((*self.powers[:-1], 0))

    def accepts(self, given: Dimension) -> bool:
        """True if a quantity of dimension `given` may stand where this one is expected.

        A moment per angle may be given as N*m; but Hz is not rad/s and mm is not mm/rad.
        """
        if given == self:
            return True
        return self.powers[0] != 0 and given == self.without_angle


def _dimension(**powers: int) -> Dimension:
    return Dimension(tuple(powers.get(b, 0) for b in BASE))


def _power(p: int | Fraction) -> str:
    return f"{float(p):g}"


NONE = Dimension()
_FORCE = _dimension(kg=1, m=1, s=-2)
_ENERGY = _dimension(kg=1, m=2, s=-2)
_PRESSURE = _dimension(kg=1, m=-1, s=-2)
_VOLT = _dimension(kg=1, m=2, s=-3, A=-1)
_LENGTH = _dimension(m=1)
_MASS = _dimension(kg=1)
_TIME = _dimension(s=1)
_ANGLE = _dimension(rad=1)

# Units that take a prefix (kN, MPa, mm), then those that do not.
_PREFIXED: dict[str, tuple[float, Dimension]] = {
    "g": (1e-3, _MASS),
    "m": (1.0, _LENGTH),
    "s": (1.0, _TIME),
    "A": (1.0, _dimension(A=1)),
    "K": (1.0, _dimension(K=1)),
    "rad": (1.0, _ANGLE),
    "Hz": (1.0, _TIME**-1),
    "N": (1.0, _FORCE),
    "Nm": (1.0, _ENERGY),
    "Pa": (1.0, _PRESSURE),
    "bar": (1e5, _PRESSURE),
    "J": (1.0, _ENERGY),
    "W": (1.0, _dimension(kg=1, m=2, s=-3)),
    "V": (1.0, _VOLT),
    "C": (1.0, _dimension(A=1, s=1)),
    "ohm": (1.0, _VOLT * _dimension(A=-1)),
    "Ω": (1.0, _VOLT * _dimension(A=-1)),
    "H": (1.0, _VOLT * _dimension(A=-1, s=1)),
    "F": (1.0, _VOLT**-1 * _dimension(A=1, s=1)),
    "L": (1e-3, _LENGTH**3),
}
_PLAIN: dict[str, tuple[float, Dimension]] = {
    "1": (1.0, NONE),
    "tonne": (1e3, _MASS),
    "lb": (0.45359237, _MASS),
    "in": (0.0254, _LENGTH),
    "ft": (0.3048, _LENGTH),
    "lbf": (4.4482216152605, _FORCE),
    "psi": (4.4482216152605 / 0.0254**2, _PRESSURE),
    "min": (60.0, _TIME),
    "h": (3600.0, _TIME),
    "deg": (math.pi / 180, _ANGLE),
    "°": (math.pi / 180, _ANGLE),
    "rev": (2 * math.pi, _ANGLE),
    "rpm": (2 * math.pi / 60, _ANGLE * _TIME**-1),
}
_PREFIXES = {
    "p": 1e-12, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1,
    "h": 1e2, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
}  # fmt: skip
_MEANT = {"t": "tonne", "degree": "deg", "degrees": "deg", "sec": "s", "mps": "m/s", "Ohm": "ohm",
          "KG": "kg", "Kg": "kg"}  # fmt: skip
"""What other words for units mean."""

_LONGEST, _LARGEST = 100, 12
_QUANTITY = re.compile(
    r"\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![eE][+-]?\d)"
    r"\s*((?:1\s*/\s*)?[A-Za-zµμΩ°][^()+,]*)\s*"
)
_FACTOR = re.compile(r"\s*([A-Za-zµμΩ°]+|1)\s*(?:(?:\^|\*\*)\s*([+-]?\d(?:\.\d+)?))?\s*")
_JOIN = re.compile(r"\s*(\*(?!\*)|/|·|(?=\S))\s*")


def is_quantity(text: str) -> bool:
    """True if the text is a number followed by a unit ("3 mm"), not a formula."""
    return len(text) <= _LONGEST and _QUANTITY.fullmatch(text) is not None


def unit_in(text: str) -> str:
    """The unit of a text such as "210 GPa"; empty if it is no quantity."""
    match = _QUANTITY.fullmatch(text) if len(text) <= _LONGEST else None
    return match[2].strip() if match else ""


def parse_quantity(text: str) -> tuple[float, Dimension]:
    """The SI value and the dimension of a text such as "210 GPa" or "5 N*m/rad"."""
    match = _QUANTITY.fullmatch(text[: _LONGEST + 1])
    if match is None or len(text) > _LONGEST:
        raise UnitError(f"'{text}' is not a number with a unit", 'write for example "3 mm"')
    scale, dimension = parse_unit(match[2].strip())
    return _scaled(match[1], scale), dimension


def _scaled(number: str, scale: float) -> float:
    """number * scale without the rounding of 3 * 0.001 where an exact division will do."""
    value = float(number)
    inverse = 1 / scale
    return value / round(inverse) if scale < 1 and inverse == round(inverse) else value * scale


@cache
def parse_unit(text: str) -> tuple[float, Dimension]:
    """The SI scale and the dimension of a unit text such as "N*m/rad" or "kg m^2"."""
    scale, dimension, at, sign = 1.0, NONE, 0, 1
    while True:
        match = _FACTOR.match(text, at)
        if match is None:
            raise UnitError(f"'{text}' is not a unit", "join units with * and /, powers with ^")
        factor, part = _single(match[1], text)
        power = sign * _exponent(match[2] or "1")
        scale, dimension, at = scale * factor**power, dimension * part**power, match.end()
        if at == len(text):
            return scale, dimension
        join = _JOIN.match(text, at)
        if join is None:
            raise UnitError(f"'{text}' is not a unit", "join units with * and /, powers with ^")
        sign, at = -1 if join[1] == "/" else 1, join.end()


def _exponent(text: str) -> int | Fraction:
    power = Fraction(text).limit_denominator(_LARGEST)
    return int(power) if power.denominator == 1 else power


def _single(name: str, text: str) -> tuple[float, Dimension]:
    if name in _PLAIN:
        return _PLAIN[name]
    if name in _PREFIXED:
        return _PREFIXED[name]
    prefix, rest = name[0], name[1:]
    if prefix in _PREFIXES and rest in _PREFIXED:
        scale, dimension = _PREFIXED[rest]
        return _PREFIXES[prefix] * scale, dimension
    known = [*_PLAIN, *_PREFIXED, "kg", "mm", "GPa", "kN"]
    meant = _MEANT.get(name)
    cure = curing(f"write '{meant}'", Instead(name, meant)) if meant else did_you_mean(name, known)
    cure = cure or "use SI units; a product is written with *"
    raise UnitError(f"unknown unit '{name}' in '{text}'", cure)


def dimension_of(unit: str) -> Dimension:
    """The dimension of a unit text."""
    return parse_unit(unit)[1]


_USUAL = ("mm", "cm", "km", "mg", "kg", "ms", "mrad", "kHz", "kN", "kPa", "MPa", "GPa", "kJ", "kW",
          "mV", "kV", "mA", "kohm", "mH", "uF", "m/s", "m/s^2", "rad/s", "rad/s^2", "kg*m^2", "N*m",
          "N/m", "N*s/m", "N*m/rad", "N*m*s/rad", "kg/m", "kg/m^3", "N*m^2")  # fmt: skip


_TOLD = (
    "1", "kg", "m", "s", "A", "K", "rad", "N", "N*m", "N/m", "N*s/m", "N*m/rad", "N*m*s/rad", "N*s",
    "N*m*s", "N/s", "N*m^2", "m/s", "m/s^2", "rad/s", "rad/s^2", "rad/m", "m/rad", "m^2", "m^3",
    "m^3/s", "m^3/rad", "kg*m", "kg*m^2", "kg/m", "kg/m^3", "Pa", "Pa*s", "Pa/m^3", "Pa*s/m^3",
    "m^3/Pa", "m^3/s/Pa", "V", "C", "ohm", "H", "F", "V*s/rad", "N/A", "N*m/A", "W", "K/W", "J/K",
)  # fmt: skip
"""Units that dimensions are told in, the first that fits."""


@cache
def unit_text(dimension: Dimension) -> str:
    """A unit of this dimension, as people say it, if need be without the angle."""
    told = {dimension_of(text): text for text in reversed(_TOLD)}
    plain = dimension.without_angle
    return told.get(dimension) or (plain != NONE and told.get(plain)) or str(dimension)


def known_units() -> dict[str, str]:
    """Units that are often written, with their dimensions in base units."""
    names = (*_USUAL, *_PREFIXED, *_PLAIN)
    return {name: str(dimension_of(name)) for name in names if name not in ("1", "Ω", "°")}
