"""What a run recorded beside the series that were asked for: enough to tell all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import RunError
from pliant.observe.catalogue import Quantity
from pliant.results.series import Series, labelled


@dataclass(frozen=True, slots=True)
class Record:
    """Numbers that a file keeps, and how they are to be understood. Arrays have a row for each
    sample, but for those whose names begin with p."""

    about: Mapping[str, Any]
    arrays: Mapping[str, Array]


@dataclass(frozen=True)
class RecordedRows:
    """States of all samples, and how the back end they are of tells of them."""

    t: Array
    observed: Callable[[], Mapping[str, Quantity]]
    values: Callable[[str], Array]
    """Numbers of an observable, a row for each sample."""
    kept: Callable[[], Record]
    unique: Callable[[str], Iterable[Any]]
    """Which components of a reaction are determined."""
    turns: Callable[[str], Array | None] = lambda name: None
    """What to add to an angle known modulo a turn."""

    @cached_property
    def known(self) -> Mapping[str, Quantity]:
        """Every observable by name."""
        return {name: q.told for name, q in self.observed().items()}

    def series(self, name: str) -> Series:
        """One of them at all samples; RunError where it has no finite value."""
        values = self.values(name)
        finite = np.isfinite(values).all(axis=1)
        if not finite.all():
            raise RunError(f"{name}: no finite value at t = {self.t[np.argmin(finite)]:.6g} s")
        q, turns = self.observed()[name], self.turns(name)
        unique = {name: self.unique(name)} if q.kind == "reaction" else {}
        return labelled({name: q}, values, {} if turns is None else {name: turns}, unique)[name]

    @property
    def record(self) -> Record:
        """All of it as numbers."""
        return self.kept()


@dataclass(frozen=True)
class OneOf:
    """One sample of what was recorded; a file does not keep it."""

    recorded: Recorded
    index: int
    record: None = None

    @property
    def known(self) -> Mapping[str, Quantity]:
        """Every observable by name."""
        return self.recorded.known

    def series(self, name: str) -> Series:
        """One of them at this sample."""
        return self.recorded.series(name).at(self.index)


@dataclass(frozen=True)
class Reopened:
    """What a file recorded: the model is built anew when something is asked for."""

    model: str
    known: Mapping[str, Quantity]
    record: Record

    @cached_property
    def _states(self) -> Recorded:
        reopen: Callable[[str, Record], Recorded]
        reopen = import_module("pliant.backends.choose").reopened
        return reopen(self.model, self.record)

    def series(self, name: str) -> Series:
        """One of them at all samples."""
        return self._states.series(name)


Recorded = RecordedRows | OneOf | Reopened
"""States of all samples, from which every observable can be computed."""
