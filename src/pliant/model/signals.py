"""Signals: named data of time, from points or from a CSV file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from pliant.errors import Fault, ModelError
from pliant.model.fields import Text, Word, Written, has, is_sequence, settle, settled
from pliant.model.formulas.functions import linear, spline
from pliant.records import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """A function of time through points; formulas read it by its name.

    Splines are natural cubics continued by straight lines (C2); linear ones are held at the ends.

    >>> pl.Signal("road", times=[0, 1, 2], values=[0, 0.1, 0]).interpolation
    'spline'
    """

    name: str
    times: Written[tuple[float, ...]] = settled()
    values: Written[tuple[float, ...]] = settled()
    source: str = has(Text(), "", "where the data came from")
    interpolation: str = has(Word(("spline", "linear")), "spline", "between the points")

    def __post_init__(self) -> None:
        faults = [
            Fault(f"signal '{self.name}'", what, cure, path=("signals", self.name))
            for what, cure in _objections(self.times, self.values)
        ]
        if faults:
            raise ModelError(faults)
        object.__setattr__(self, "times", tuple(map(float, self.times)))
        object.__setattr__(self, "values", tuple(map(float, self.values)))
        settle(self, "signals", "signal")

    def at(self, ops: Any, t: Any) -> Any:
        """The value at time t, over numbers or symbols."""
        curve = spline if self.interpolation == "spline" else linear
        return curve(ops, t, self.times, self.values)


def _objections(times: Any, values: Any) -> Iterator[tuple[str, str]]:
    def is_number(v: Any) -> bool:
        return not isinstance(v, bool | str) and hasattr(v, "__float__") and abs(v) < math.inf

    for label, data in (("times", times), ("values", values)):
        if not is_sequence(data) or not all(map(is_number, data)):
            yield f"{label} are not a list of finite numbers", "give numbers"
            return
    if len(times) != len(values):
        yield f"{len(times)} times but {len(values)} values", "give as many of each"
    elif len(times) < 2:
        yield f"{len(times)} points", "give at least two"
    elif any(b <= a for a, b in pairwise(times)):
        yield "the times do not increase", "sort them and remove repeated ones"
