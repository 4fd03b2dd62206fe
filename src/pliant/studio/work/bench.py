"""What a worker keeps at hand: systems that were read, and results that were computed or loaded."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from pliant.analysis.posing.posing import Posing
from pliant.backends.choose import reopened_in, usual_back_end
from pliant.errors import InputError
from pliant.model.files import loads
from pliant.model.formulas import formula
from pliant.model.numbers.literals import is_path
from pliant.observe.catalogue import Quantity
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.results.series import Recorded, Reopened
from pliant.studio.work.asked import Kept
from pliant.studio.work.sliding import sliding
from pliant.studio.work.source import Source
from pliant.system import System
from pliant.writing import replace_bytes

_SYSTEMS, _RESULTS, _DRAGS = 4, 8, 2
Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass
class Drafts:
    """What is known of drafts of a system from those before."""

    known: Mapping[str, Quantity]
    """Every observable. Asking for them anew would make the system forget its last plan."""
    slow: bool = False
    """Whether the last one took long."""
    scene_due: float = 0.0
    """When the scene is worth drawing anew."""
    sliding: tuple[frozenset[str], System | None] = (frozenset(), None)
    """The last parameters that were moved, and a system of which numbers among them are ones."""
    sound: frozenset[str] = frozenset()
    """Parameters whose units were found to fit: further values of them are numbers."""


@dataclass(frozen=True)
class _OfSystem(Reopened):
    """What a file recorded, of a system that need not be built anew."""

    states: Callable[[], Recorded]

    @cached_property
    def _states(self) -> Recorded:
        return self.states()


class Bench:
    """Each thing is made once, as long as it is among the last ones used."""

    def __init__(self) -> None:
        self._systems: dict[tuple[str, str, Path], System] = {}
        self._results: dict[int, Result] = {}
        self._posings: dict[tuple[str, str], Posing] = {}
        self.drafts: WeakKeyDictionary[System, Drafts] = WeakKeyDictionary()

    def system(self, source: Source, reading: Callable[[], None] = lambda: None) -> System:
        """The system of a text; ``reading`` is called if it must be read. Texts that differ in
        numbers only share their code, which is known by the structure of a model."""

        def read() -> System:
            reading()
            return System(loads(source.text, source.format, source.base))

        return _last(self._systems, (source.text, source.format, source.base), read, _SYSTEMS)

    def posing(self, source: Source, drag: str) -> Posing:
        """The mechanism of a text where a drag has moved it to; at first, at its start."""
        key = source.text, drag
        return _last(self._posings, key, lambda: Posing(self.system(source)), _DRAGS)

    def known(self, system: System) -> Drafts:
        """What is known of drafts of a system."""
        if system not in self.drafts:
            self.drafts[system] = Drafts(usual_back_end(system).back_end.known(system))
        return self.drafts[system]

    def sliding(self, system: System, params: Mapping[str, Any]) -> System:
        """The system that drafts run: itself, if all parameters are its own."""
        if not any(is_path(name) for name in params):
            return system
        drafts, names = self.known(system), frozenset(params)
        if drafts.sliding[0] != names:
            drafts.sliding = names, sliding(system, params)
        return drafts.sliding[1] or system

    def values(self, system: System, params: Mapping[str, Any]) -> dict[str, Any]:
        """Parameters of a draft: texts with units at first, then numbers, which are checked in less
        time."""
        if self.known(system).sound != frozenset(params):
            return dict(params)
        return {name: _number(value) for name, value in params.items()}

    def keep(self, run: int, result: Result) -> None:
        """Remember a result."""
        self._results.pop(run, None)
        _last(self._results, run, lambda: result, _RESULTS)

    def result(self, run: Kept) -> Result:
        """A result, from its file if it is not remembered."""
        return _last(self._results, run.number, lambda: self._read(run), _RESULTS)

    def _read(self, run: Kept) -> Result:
        """What was not recorded is told by the system of its text, which is at hand."""
        result: Result = pickle.loads(run.file.read_bytes())
        old = result.recorded
        if not isinstance(old, Reopened) or not run.analysis:
            return result

        def states() -> Recorded:
            return reopened_in(self.system(run.source).with_numbers(run.params)[0], old.record)

        return replace(result, recorded=_OfSystem(old.model, old.known, old.record, states))

    def save(self, run: int, result: Result, file: Path) -> None:
        """Remember a result, and keep it in a file for when this process has ended. These files
        are written and read by workers alone, hence as Python keeps objects: netCDF takes a
        hundred times as long."""
        self.keep(run, result)
        replace_bytes(file, pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL))


def _number(text: Any) -> Any:
    """The number that a text with a unit stands for; formulas of others stay as they are."""
    try:
        found = formula(str(text))
    except InputError:
        return text
    return found.value if found.is_constant else text


def _last(known: dict[Key, Value], key: Key, make: Callable[[], Value], most: int) -> Value:
    """make(), or what it gave before; the one used longest ago goes when there are too many."""
    found = known.pop(key) if key in known else make()
    known[key] = found
    while len(known) > most:
        del known[next(iter(known))]
    return found
