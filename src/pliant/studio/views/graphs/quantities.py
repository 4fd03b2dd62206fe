"""Numbers of a model in words: with the unit they are written in, or a unit of a fitting size."""

from __future__ import annotations

from collections.abc import Mapping

from pliant.model.formulas import Formula
from pliant.model.networks.entries import Entries, each
from pliant.model.numbers.units import is_quantity

_PREFIXES = {-12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G"}
_TAKE_PREFIX = frozenset({"N", "m", "V", "A", "C", "F", "H", "ohm", "Pa", "W", "J"})
_PLAIN = (0.1, 1e4)
"""Sizes that are written without a prefix."""
_LONGEST = 40


def quantity_text(value: float, unit: str) -> str:
    """50 mH, 0.4 ohm, 1.2e-05 kg*m^2."""
    size = abs(value)
    if unit in _TAKE_PREFIX and value and not _PLAIN[0] <= size < _PLAIN[1]:
        for power, prefix in _PREFIXES.items():
            if 1 <= round(size / 10**power, 6) < 1000:
                return f"{_number(value / 10**power)} {prefix}{unit}"
    return f"{_number(value)} {unit}".strip()


def formula_text(f: Formula, values: Mapping[str, float], unit: str) -> str:
    """As written if it has its unit, its number if only parameters are in it, else the formula."""
    if is_quantity(f.text):
        return f.text.strip()
    if f.names <= values.keys() and not f.is_condition:
        return quantity_text(f.number(values), unit)
    return _shortened(f.text)


def entries_text(value: Entries, values: Mapping[str, float], unit: str) -> str:
    """A number, a list or a matrix."""
    if isinstance(value, Formula):
        return formula_text(value, values, unit)
    texts = [formula_text(f, values, "") for _, f in each(value)]
    return _shortened(f"[{', '.join(texts)}] {unit}".strip())


def _number(value: float) -> str:
    return f"{value:.5g}"


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
