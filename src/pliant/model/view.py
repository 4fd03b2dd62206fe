"""How a model is drawn, the `view` section: places of symbols, what is folded, sliders and plots.

It means nothing to physics and may be deleted at any time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pliant.errors import InputError
from pliant.model.fields import Numbers, Plain, Table, Texts, has, is_sequence, settle, shown
from pliant.model.formulas import Formula
from pliant.model.frozen import FrozenDict
from pliant.records import dataclass

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class At(Plain):
    """Two numbers: to the right and down, in units of the grid."""

    def convert(self, value: Any) -> Place:
        if not is_sequence(value) or len(value) != 2 or not all(map(_is_number, value)):
            raise InputError(f"{shown(value)} is not a place", "write [x, y], two numbers")
        x, y = (int(v) if float(v).is_integer() else float(v) for v in value)
        return x, y

    def plain(self, value: Place) -> list[float]:
        return list(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}


def _is_number(value: Any) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and math.isfinite(value) and abs(value) < 1e9


@dataclass(frozen=True, slots=True)
class Range(Numbers):
    """The least and the greatest number of a slider, with or without a unit."""

    count: int = 2
    units: tuple[str, ...] = ("",)

    def convert(self, value: Any) -> tuple[Formula, ...]:
        low, high = found = Numbers.convert(self, value)
        if not low.is_constant or not high.is_constant:
            raise InputError(f"{shown(value)} is not a range of numbers", "write [5 mm, 20 mm]")
        if low.dimension != high.dimension:
            raise InputError(f"'{low.text}' and '{high.text}' differ in unit", "use one unit")
        if not low.value < high.value:
            what = f"the range ends at {high.text}, not above {low.text}"
            raise InputError(what, "give the smaller number first")
        return found


@dataclass(frozen=True, slots=True)
class Panels(Plain):
    """Lists of names, one for each panel."""

    def convert(self, value: Any) -> tuple[tuple[str, ...], ...]:
        if not is_sequence(value) or not all(is_sequence(panel) for panel in value):
            cure = "write [[a, b], [c]], a list for each panel"
            raise InputError(f"{shown(value)} stands where lists of names are expected", cure)
        return tuple(Texts().convert(panel) for panel in value)

    def plain(self, value: Any) -> list[list[str]]:
        return [list(panel) for panel in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": Texts().schema()}


@dataclass(frozen=True, slots=True)
class View:
    """What was moved, folded or pinned while looking at a model."""

    places: Mapping[str, Mapping[str, Place]] = has(
        Table(Table(At())), FrozenDict(), "of elements of networks and sub-graphs, by theirs"
    )
    boxes: Mapping[str, Place] = has(Table(At()), FrozenDict(), "of boxes of elements, by name")
    folded: tuple[str, ...] = has(Texts(), (), "names of boxes that are shown closed")
    controls: Mapping[str, tuple[Formula, Formula]] = has(
        Table(Range()), FrozenDict(), "sliders: least and greatest of a parameter, or of a number"
        " by its path"
    )  # fmt: skip
    plots: tuple[tuple[str, ...], ...] = has(Panels(), (), "observables of each panel")

    def __post_init__(self) -> None:
        settle(self, "view", "view")
