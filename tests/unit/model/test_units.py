"""Units: values, dimensions, and what may stand where."""

from __future__ import annotations

import math

import pytest

from pliant.errors import UnitError
from pliant.model.numbers.units import dimension_of, parse_quantity

VALUES = {
    "210 GPa": (210e9, "Pa"),
    "3 mm": (3e-3, "m"),
    "3mm": (3e-3, "m"),
    "30 deg": (math.pi / 6, "rad"),
    "1500 rpm": (50 * math.pi, "rad/s"),
    "5 N*m/rad": (5, "N*m/rad"),
    "2 kg/m^3": (2, "kg/m^3"),
    "2 kg m^2": (2, "N*m*s^2"),
    "-9.81 m/s**2": (-9.81, "m/s^2"),
    "1e3 g": (1, "kg"),
    "2 tonne": (2000, "kg"),
    "3 1/s": (3, "Hz"),
    "3 s^-1": (3, "Hz"),
    "1 bar": (1e5, "Pa"),
    "12 in": (0.3048, "ft"),
    "12 ft": (3.6576, "m"),
    "1 lbf": (4.4482216152605, "N"),
    "2 h": (7200, "s"),
    "2 min": (120, "s"),
    "4 L": (4e-3, "m^3"),
    "5 mm/rev": (5e-3 / (2 * math.pi), "m/rad"),
    "1 Nm": (1, "J"),
    "3 W": (3, "N*m/s"),
    "3 V*A": (3, "W"),
    "3 ohm": (3, "V/A"),
    "3 mH": (3e-3, "V*s/A"),
    "3 uF": (3e-6, "A*s/V"),
    "7 µm": (7e-6, "m"),
    "20 °": (math.pi / 9, "rad"),
    "4 kN/mm": (4e6, "N/m"),
    "4 kN/m^1.5": (4e3, "N/m^1.5"),
    "1 MPa*mm^0.5": (1e6 * 1e-3**0.5, "Pa*m^0.5"),
}


@pytest.mark.parametrize("text", VALUES)
def test_quantities(text: str) -> None:
    value, unit = VALUES[text]
    number, dimension = parse_quantity(text)
    assert number == pytest.approx(value, rel=1e-14)
    assert dimension == dimension_of(unit)


def test_decimal_prefixes_do_not_round() -> None:
    assert parse_quantity("3 mm")[0] == 0.003
    assert parse_quantity("150 mm")[0] == 0.15


@pytest.mark.parametrize(
    ("text", "cure"),
    [("3 t", "tonne"), ("3 furlong", "SI units"), ("3 kgg", "did you mean 'kg'"),
     ("3 N*", "join units"), ("3 degrees", "'deg'"), ("m", "3 mm")],
)  # fmt: skip
def test_unknown_units_say_what_to_write(text: str, cure: str) -> None:
    with pytest.raises(UnitError, match=cure):
        parse_quantity(text)


def test_what_may_stand_where() -> None:
    assert dimension_of("N*m/rad").accepts(dimension_of("N*m"))
    assert not dimension_of("rad/s").accepts(dimension_of("Hz"))
    assert not dimension_of("m/rad").accepts(dimension_of("mm"))
    assert not dimension_of("kg").accepts(dimension_of("m"))
    assert str(dimension_of("Pa")) == "kg/(m*s^2)"
    assert str(dimension_of("1/s")) == "1/s"
