"""Named parameters, worked out: formulas that may refer to each other."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AnySet

from pliant.errors import Fault, InputError, ModelError, UnknownName
from pliant.model.cures import defining, words_only
from pliant.model.fields import Number, Numeric
from pliant.model.formulas import Formula
from pliant.model.frozen import did_you_mean

_PARAMETER = Number("")
_LARGE = 1e300
"""Numbers below are taken as they are."""


class Parameters:
    """The parameters of a model in numbers; other numbers of some change those that follow."""

    def __init__(self, formulas: Mapping[str, Formula]) -> None:
        self.formulas = formulas
        self._solved = _solved(formulas)
        """In an order in which each follows from those before it."""
        self.values = {name: self._solved[name] for name in formulas}
        """In the order given."""

    def with_(
        self, overrides: Mapping[str, Numeric], unknown: Callable[[str], None] | None = None
    ) -> dict[str, float]:
        """The number of every parameter where ``overrides`` replace formulas. ``unknown``: is
        handed a name that there is not, before it is refused."""
        given: dict[str, float] = {}
        texts: dict[str, Formula] = {}
        for name, value in overrides.items():
            if name not in self.formulas:
                if unknown is not None:
                    unknown(name)
                raise UnknownName(f"no parameter '{name}'", did_you_mean(name, self.formulas))
            numeric = isinstance(value, int | float) and not isinstance(value, bool)
            if numeric and abs(value) < _LARGE:  # type: ignore[arg-type]
                given[name] = float(value)  # type: ignore[arg-type]
            else:
                texts[name] = _override(name, self.formulas[name], value)
        if texts:
            numbers = {name: _PARAMETER.convert(value) for name, value in given.items()}
            return Parameters({**self.formulas, **numbers, **texts}).values
        values = {**self.values, **given}
        changed: AnySet[str] = given.keys()
        for name in self._solved:
            f = self.formulas[name]
            if name not in given and f.names and not f.names.isdisjoint(changed):
                values[name] = f.number(values)
                changed = changed | {name}
        _refuse_undefined(self.formulas, {name: values[name] for name in changed})
        return values


def _override(name: str, declared: Formula, value: Numeric) -> Formula:
    """A parameter's new value; its unit must agree with the declared one."""
    try:
        new: Formula = _PARAMETER.convert(value)
    except InputError as error:
        raise type(error)(f"parameter '{name}': {error.what}", error.cure) from None
    if None not in (new.dimension, declared.dimension) and new.dimension != declared.dimension:
        raise InputError(f"parameter '{name}': '{new.text}' has another unit than "
                         f"'{declared.text}'", f"give it in {declared.dimension}")  # fmt: skip
    return new


def _solved(formulas: Mapping[str, Formula]) -> dict[str, float]:
    """Values of parameters that may refer to each other."""
    values: dict[str, float] = {}
    waiting = dict(formulas)
    while ready := [name for name, f in waiting.items() if f.names <= values.keys()]:
        for name in ready:
            values[name] = waiting.pop(name).number(values)
    _refuse_undefined(formulas, values, _stuck(waiting, formulas))
    return values


def _refuse_undefined(
    formulas: Mapping[str, Formula], values: Mapping[str, float], others: Iterable[Fault] = ()
) -> None:
    """Raise a ModelError if one has no finite value, or if there are other faults."""
    faults = [
        Fault(f"parameter '{name}'", f"'{formulas[name].text}' has no finite value",
              "look for a division by zero or a root of a negative number",
              path=("parameters", name))
        for name, value in values.items() if not math.isfinite(value)
    ]  # fmt: skip
    faults += others
    if faults:
        raise ModelError(faults)


def _stuck(waiting: Mapping[str, Formula], known: Mapping[str, Formula]) -> Iterator[Fault]:
    """Why parameters have no value: an unknown name, or a cycle."""
    for name, f in waiting.items():
        path = ("parameters", name)
        unknown = sorted(f.names - known.keys())
        for other in unknown:
            near = did_you_mean(other, [n for n in known if n != name])
            near = near or words_only(did_you_mean(other, known))
            cure = defining(near, other, _PARAMETER, f"define the parameter '{other}'")
            yield Fault(f"parameter '{name}'", f"unknown name '{other}'", cure, path=path)
        cycle = [] if unknown else _cycle(name, waiting)
        if cycle and cycle[0] == min(cycle):
            what = f"depends on itself: {' -> '.join(cycle)}"
            yield Fault(f"parameter '{name}'", what, "break the cycle", path=path)


def _cycle(start: str, formulas: Mapping[str, Formula]) -> list[str]:
    """A way from a parameter back to itself, if there is one."""
    ways = [[start]]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        for name in sorted(formulas[way[-1]].names & formulas.keys()):
            if name == start:
                return [*way, start]
            if name not in seen:
                seen.add(name)
                ways.append([*way, name])
    return []
