"""Adjusted: the numbers of a model that are looked for, where they begin and may go.

They are named as in sweeps: parameters, numbers by their path, initial values. Optimisers see
x = p / scale, or x = log p where the bounds say so (``"1e-3..1 log"``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pliant.analysis.faults import every_fault
from pliant.analysis.sweeps.names import Target, targets
from pliant.analysis.sweeps.spans import EXAMPLE, Range, Values, span
from pliant.arrays import Array
from pliant.errors import InputError, UnknownName
from pliant.model.frozen import did_you_mean
from pliant.model.numbers.literals import formulas
from pliant.model.numbers.units import parse_quantity
from pliant.records import dataclass
from pliant.study import Study

_NUMBERS = ("parameter", "number")
"""What can be looked for: everything else changes what is computed, not how much."""
_ON = 1e-6
"""Part of a range within which a number is at its end."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """``keys``: what runs call them; numbers are in SI."""

    names: tuple[str, ...]
    keys: tuple[str, ...]
    units: tuple[str, ...]
    start: Array
    low: Array
    high: Array
    logarithmic: Array

    def __len__(self) -> int:
        return len(self.names)

    @property
    def scale(self) -> Array:
        """What numbers are measured in: their start, otherwise their range."""
        width = np.where(np.isfinite(self.high - self.low), self.high - self.low, 1.0)
        return np.where(self.start != 0.0, np.abs(self.start), np.where(width > 0, width, 1.0))

    def inner(self, values: Array) -> Array:
        """Numbers as optimisers see them."""
        positive = np.where(self.logarithmic, values, 1.0)
        return np.where(self.logarithmic, np.log(positive), values / self.scale)

    def outer(self, x: Array) -> Array:
        """The inverse, within the bounds."""
        found = np.where(self.logarithmic, np.exp(np.where(self.logarithmic, x, 0)), x * self.scale)
        return np.clip(found, self.low, self.high)

    def slopes(self, values: Array) -> Array:
        """dp/dx."""
        return np.where(self.logarithmic, values, self.scale)

    def params(self, values: Array) -> dict[str, float]:
        """What a run is given."""
        return dict(zip(self.keys, values.tolist(), strict=True))

    def told(self, values: Array) -> dict[str, float]:
        """The same by the names the user gave."""
        return dict(zip(self.names, values.tolist(), strict=True))

    def at_ends(self, values: Array) -> dict[str, str]:
        """Which numbers stand at an end of their range: lower or upper."""
        found = {}
        widths = np.where(np.isfinite(self.high - self.low), self.high - self.low, self.scale)
        for k, name in enumerate(self.names):
            if values[k] - self.low[k] <= _ON * widths[k]:
                found[name] = "lower"
            elif self.high[k] - values[k] <= _ON * widths[k]:
                found[name] = "upper"
        return found


def adjusted(
    system: Study, parameters: Any, bounds: Mapping[str, Any] | None, params: Mapping[str, Any]
) -> Adjusted:
    """``parameters``: names, or a mapping of names to where they begin."""
    starts = _starts(parameters)
    with every_fault() as looking_at:
        ranges: dict[str, Any] = {}
        with looking_at():
            ranges = _ranges(bounds, starts)
        meant: dict[str, Target] = {}
        for name in starts:
            with looking_at():
                tried = _tried(name, starts[name], ranges.get(name), (bounds or {}).get(name))
                meant |= targets(system, {name: tried})
    targets(system, {n: _tried(n, starts[n], ranges.get(n)) for n in starts})  # none twice
    _refuse_others(meant, params)
    nominal = {name: _nominal(system, t, params) for name, t in meant.items()}
    given = {n: nominal[n] if s is None else _number(n, s) for n, s in starts.items()}
    low, high = (np.array([_end(ranges.get(n), k) for n in starts]) for k in (0, 1))
    begin = np.array([given[n] for n in starts])
    with every_fault() as looking_at:
        for k, name in enumerate(starts):
            with looking_at():
                _refuse_outside(name, float(begin[k]), float(low[k]), float(high[k]))
    logs = np.array([isinstance(r := ranges.get(n), Range) and r.logarithmic for n in starts])
    keys, units = (tuple(getattr(meant[n], what) for n in starts) for what in ("key", "unit"))
    return Adjusted(tuple(starts), keys, units, begin, low, high, logs)


def _refuse_outside(name: str, begin: float, low: float, high: float) -> None:
    if not low <= begin <= high:
        raise InputError(f"{name} begins at {begin:g}, outside its bounds {low:g}..{high:g}",
                         f"say where it shall begin: {{'{name}': {_middle(low, high):g}}}"
                         )  # fmt: skip


def _starts(parameters: Any) -> dict[str, Any]:
    if isinstance(parameters, str):
        parameters = [word.strip() for word in parameters.split(",") if word.strip()]
    if not isinstance(parameters, Iterable) or not parameters:
        raise InputError("no parameters are given", 'give for example ["R", "k"]')
    if isinstance(parameters, Mapping):
        return {str(name): value for name, value in parameters.items()}
    names = [str(name) for name in parameters]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise InputError(f"'{twice}' is given twice", "name it once")
    return dict.fromkeys(names)


def _ranges(bounds: Mapping[str, Any] | None, names: Iterable[str]) -> dict[str, Any]:
    """Ranges, or pairs of which an end may be open."""
    known = [*names]
    if bounds is not None and not isinstance(bounds, Mapping):
        raise InputError(f"bounds: {bounds!r} is no mapping", 'give for example {"R": "0.1..10"}')
    found: dict[str, Any] = {}
    with every_fault() as looking_at:
        for name, given in (bounds or {}).items():
            with looking_at():
                if name not in known:
                    raise UnknownName(f"bounds: '{name}' is not among the parameters",
                                      did_you_mean(str(name), known) or "leave it out"
                                      )  # fmt: skip
                if given is not None:
                    found[name] = _range(name, given)
    return found


def _range(name: str, given: Any) -> Any:
    if isinstance(given, str):
        made = span(name, given)
        if not isinstance(made, Range) or made.count is not None:
            raise InputError(f"bounds of {name}: '{given}' is no range", "write for example 0.1..2")
        return made
    try:
        low, high = given
    except (TypeError, ValueError):
        raise InputError(f"bounds of {name}: {given!r} is no range",
                         "give (low, high), None where there is no end") from None  # fmt: skip
    low = -np.inf if low is None else _number(name, low)
    high = np.inf if high is None else _number(name, high)
    if not low < high:
        raise InputError(f"bounds of {name}: {low:g}..{high:g} is empty", "give the lower first")
    return low, high


def _number(name: str, given: Any) -> float:
    """In SI."""
    try:
        if isinstance(given, bool):
            raise ValueError
        found = float(given)
    except (TypeError, ValueError):
        if not isinstance(given, str):
            raise InputError(f"{name}: {given!r} is no number", EXAMPLE) from None
        try:
            return parse_quantity(given)[0]
        except InputError as error:
            raise InputError(f"{name}: {error.what}", error.cure) from None
    if np.isnan(found):
        raise InputError(f"{name}: not a number", EXAMPLE)
    return found


def _end(given: Any, k: int) -> float:
    if given is None:
        return (-np.inf, np.inf)[k]
    return float((given.low, given.high)[k] if isinstance(given, Range) else given[k])


def _middle(low: float, high: float) -> float:
    if np.isfinite(low) and np.isfinite(high):
        return 0.5 * (low + high)
    return high - 1.0 if np.isfinite(high) else low + 1.0


def _tried(name: str, start: Any, given: Any, written: Any = None) -> Any:
    """What is tried of a name before anything is computed, as sweeps do it: where it begins, and
    ends of a pair that have units."""
    if isinstance(given, Range):
        return given
    pair = written if isinstance(written, tuple | list) else ()
    ends = [end for end in pair if isinstance(end, str)]
    values = ([] if start is None else [start]) + ends
    return Values(tuple(values), tuple(values))


def _refuse_others(meant: Mapping[str, Target], params: Mapping[str, Any]) -> None:
    for name, target in meant.items():
        if target.kind not in _NUMBERS:
            raise InputError(f"'{name}' is a choice, not a number", "sweep over it")
        if name in params or target.key in params:
            raise InputError(f"'{name}' is given in params and looked for",
                             f"say where it begins by {{'{name}': value}}")  # fmt: skip


def _nominal(system: Study, target: Target, params: Mapping[str, Any]) -> float:
    """What the model says."""
    model = system.described
    if target.kind == "parameter":
        named = {n: v for n, v in params.items() if n in model.all_parameters()}
        return float(model.parameter_values(named)[target.key])
    return float(formulas(model)[target.key].value)
