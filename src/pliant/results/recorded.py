"""What a run recorded beside the series that were asked for: enough to tell all others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, Protocol

from pliant.arrays import Array
from pliant.results.series import Series


@dataclass(frozen=True, slots=True)
class Quantity:
    """An observable that a model knows."""

    unit: str
    labels: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Record:
    """Numbers that a file keeps, and how they are to be understood. Arrays have a row for each
    sample, but for those whose names begin with p."""

    about: Mapping[str, Any]
    arrays: Mapping[str, Array]


class Recorded(Protocol):
    """States of all samples, from which every observable can be computed."""

    @property
    def known(self) -> Mapping[str, Quantity]:
        """Every observable by name."""

    @property
    def record(self) -> Record | None:
        """All of it as numbers, if a file is to keep it."""

    def series(self, name: str) -> Series:
        """One of them at all samples."""


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
