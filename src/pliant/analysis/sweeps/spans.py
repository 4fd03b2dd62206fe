"""What one name takes in a sweep: a range of numbers, or values.

    0.5..2      0.5 N*m..2 N*m      10..50 deg:9      1e-3..1 log      1, 2, 5      radau, dop853

A range may say how many values of it a grid takes (``:9``), and that it is even on a logarithmic
scale. A unit after its end is that of both ends. Numbers are kept in SI.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized
from itertools import islice
from math import isfinite
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, UnitError
from pliant.model.numbers.units import is_quantity, parse_quantity, unit_in
from pliant.records import dataclass
from pliant.results.sweeps.table import column

_RANGE = re.compile(r"\s*(.+?)\s*\.\.\s*(.+?)((?:\s*:\s*\d+|\s+log)*)\s*")
MOST = 10_000_000
"""Runs of a sweep."""
EXAMPLE = "write for example 0.5..2, 0.5..2:11, or 0.5, 1, 2"


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from ``low`` to ``high``; ``count``: how many of them, if it says so."""

    low: float
    high: float
    logarithmic: bool = False
    count: int | None = None
    written: tuple[Any, ...] = ()
    """Its ends as they were given, with units."""

    def at(self, share: Array) -> Array:
        """Numbers at some parts of the range."""
        if self.logarithmic:
            return np.asarray(self.low * (self.high / self.low) ** share)
        return np.asarray(self.low + (self.high - self.low) * share)

    def even(self, count: int) -> Array:
        """So many numbers, both ends among them."""
        if count == 1:
            return np.array([self.low])
        make = np.geomspace if self.logarithmic else np.linspace
        return np.asarray(make(self.low, self.high, count))


@dataclass(frozen=True, slots=True)
class Values:
    """Numbers, or words."""

    values: tuple[Any, ...]
    written: tuple[Any, ...] = ()

    def at(self, share: Array) -> Array:
        """One of them for each part of 1."""
        places = np.minimum((share * len(self.values)).astype(int), len(self.values) - 1)
        return np.asarray(self.column[places])

    @property
    def column(self) -> Array:
        """All of them; words as they are."""
        return column(self.values)


Span = Range | Values


def span(name: str, given: Any) -> Span:
    """What was given for a name."""
    if isinstance(given, Range | Values):
        return given
    if isinstance(given, str):
        return _of_text(name, given)
    if hasattr(given, "__array__"):
        return _values(name, _few(np.atleast_1d(given).tolist()))
    if isinstance(given, Iterable):
        return _values(name, _few(given))
    return _values(name, [given])


def refuse_many(count: float) -> None:
    """Raise InputError if nobody wants so many runs."""
    if count > MOST:
        raise InputError(f"the plan has {count:.3g} runs, more than {MOST:.3g}",
                         "take fewer values, or fewer samples (plan latin, sobol)")  # fmt: skip


def _few(given: Iterable[Any]) -> list[Any]:
    """Values, unless they are too many to be listed."""
    refuse_many(len(given) if isinstance(given, Sized) else 0)
    found = [*islice(given, MOST + 1)]
    refuse_many(len(found))
    return found


def _of_text(name: str, text: str) -> Span:
    found = _RANGE.fullmatch(text)
    if found is None:
        if ".." in text:
            raise InputError(f"{name}: '{text}' is no range", EXAMPLE)
        return _values(name, [part.strip() for part in text.split(",") if part.strip()])
    first, last, tail = found.groups()
    counts, logarithmic = re.findall(r"\d+", tail), "log" in tail
    count = int(counts[0]) if counts else None
    units = unit_in(first), unit_in(last)
    first = first if units[0] or not units[1] else f"{first} {units[1]}"
    last = last if units[1] or not units[0] else f"{last} {units[0]}"
    low, high = (_number(name, word, text) for word in (first, last))
    for end in (low, high):
        if not np.isfinite(end):
            raise InputError(f"{name}: '{text}' is not finite", EXAMPLE)
    if not low < high:
        raise InputError(f"{name}: the range '{text}' is empty", "give the lower end first")
    if logarithmic and not low > 0:
        raise InputError(f"{name}: '{text}' begins at {low:g}; logarithms need numbers above zero")
    if count is not None and count < 1:
        raise InputError(f"{name}: '{text}' takes no values", "give at least 1")
    return Range(low, high, logarithmic, count, (first, last))


def _number(name: str, word: str, text: str) -> float:
    try:
        return parse_quantity(word)[0] if is_quantity(word) else float(word)
    except UnitError as error:
        raise UnitError(f"{name}: {error.what}", error.cure) from None
    except ValueError:
        raise InputError(f"{name}: '{word}' in '{text}' is no number", EXAMPLE) from None


def _values(name: str, given: list[Any]) -> Values:
    if not given:
        raise InputError(f"{name}: there are no values", EXAMPLE)
    plain = tuple(_plain(name, value) for value in given)
    for k, value in enumerate(plain, start=1):
        if isinstance(value, float) and not isfinite(value):
            raise InputError(f"{name}: value {k} of {len(plain)} is {value}",
                             "give finite numbers, or leave it out")  # fmt: skip
    return Values(plain, tuple(given))


def _plain(name: str, value: Any) -> Any:
    """A number in SI; a word as it is."""
    if isinstance(value, str):
        if is_quantity(value):
            return _number(name, value, value)
        try:
            return float(value)
        except ValueError:
            return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, bool | int | float | tuple | list):
        return value
    raise InputError(f"{name}: {value!r} is neither a number nor a word", EXAMPLE)
