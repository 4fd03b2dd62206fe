"""Job: what one row of a sweep becomes. It travels to the processes that compute.

    row  ->  arguments of simulate, changes of the model, parameters and numbers  ->  a run

What changes code is compiled once: rows of one structure share a ``Batch``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from pliant.analysis.guard import seconds
from pliant.analysis.sweeps.batch import Batch
from pliant.analysis.sweeps.names import Target, changed, whole
from pliant.arrays import Array
from pliant.backends.choice import Choice
from pliant.backends.request import Request
from pliant.errors import PliantError, UnknownName
from pliant.model.files import dump
from pliant.records import dataclass
from pliant.results.sweeps.runs import Runs, RunsMaker
from pliant.study import Study

VERSION: str = import_module("pliant").__version__
_CHOICE = ("formulation", "tree", "cut", "form", "independent", "truncate")
_TIMES = ("t_end", "step", "every")
_KEPT = 16
"""Structures whose code is at hand."""
Columns = Mapping[str, Array]


@dataclass(frozen=True)
class Job:
    """``how``: arguments of ``System.simulate`` for all runs; ``targets``: what names mean."""

    system: Study
    how: Mapping[str, Any]
    targets: Mapping[str, Target]
    version: str = VERSION
    _batches: dict[str, Batch] = field(default_factory=dict, repr=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_batches": {}}

    @property
    def times(self) -> Array:
        """When samples of every run are taken."""
        return Batch(self.system, request_of(self.system, self.how)).times

    @property
    def told(self) -> dict[str, Any]:
        """Everything that numbers depend on, apart from the rows, by what it is called."""
        meant = {name: [t.kind, t.key] for name, t in self.targets.items()}
        return {
            "version": self.version, "model": dump(self.system.described),
            "files": _files(dump(self.system.described, "json")), "how": _plain(self.how),
            "names": meant,
        }  # fmt: skip

    @property
    def key(self) -> str:
        """A digest of it."""
        return digest(json.dumps(self.told, sort_keys=True).encode())

    def run(self, columns: Columns) -> Runs:
        """A run for each row; one that cannot be done is in the table, with why."""
        count = len(next(iter(columns.values())))
        made = RunsMaker(self.times, count)
        for k in range(count):
            try:
                batch, params = self._batch({name: values[k] for name, values in columns.items()})
                batch.enter(params, made)
            except PliantError as error:
                if isinstance(error, UnknownName) and not self._chooses:
                    raise  # an output that no run tells
                made.refused(str(error))
        return made.runs()

    @property
    def _chooses(self) -> bool:
        """Whether runs differ in more than numbers."""
        return any(t.kind in ("how", "model") for t in self.targets.values())

    def _batch(self, row: Mapping[str, Any]) -> tuple[Batch, dict[str, Any]]:
        """The batch of a row, and its parameters."""
        parts: dict[str, dict[str, Any]] = {"parameter": {}, "number": {}, "how": {}, "model": {}}
        for name, value in row.items():
            target = self.targets[name]
            plain = value.item() if isinstance(value, np.generic) else value
            parts[target.kind][target.key] = plain
        key = repr((parts["how"], parts["model"]))
        if key not in self._batches:
            while len(self._batches) >= _KEPT:
                del self._batches[next(iter(self._batches))]
            self._batches[key] = self._made(parts["how"], parts["model"])
        params = {**(self.how.get("params") or {}), **parts["parameter"], **parts["number"]}
        return self._batches[key], params

    def _made(self, how: Mapping[str, Any], changes: Mapping[str, Any]) -> Batch:
        system = self.system
        if changes:
            model = system.described
            for path, value in changes.items():
                model = changed(model, path, value)
            system = type(system)(model)
        return Batch(system, request_of(system, {**self.how, **_named(how)}))


def request_of(system: Study, how: Mapping[str, Any]) -> Request:
    """The request of ``System.simulate`` with these arguments."""
    given = {n: value for n, value in how.items() if value is not None and n != "params"}
    choice = Choice.of(system, **{name: given.pop(name) for name in _CHOICE if name in given})
    free = not any(how.get(name) is not None for name in ("formulation", "tree", "form"))
    times = {name: given.pop(name) for name in _TIMES if name in given}
    numbers = dict(zip(times, seconds(system, how.get("params"), **times), strict=True))
    return Request(choice=choice, free=free, params=how.get("params"), **given, **numbers)


def _named(how: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as they are, counts without a fraction."""
    return {n: whole(v) if n == "truncate" else v for n, v in how.items()}


def digest(content: bytes) -> str:
    """What content is known by."""
    return hashlib.sha256(content).hexdigest()


def _plain(how: Mapping[str, Any]) -> dict[str, Any]:
    return {n: np.asarray(v).tolist() if n == "times" else v for n, v in sorted(how.items())
            if v is not None}  # fmt: skip


def _files(text: str) -> dict[str, str]:
    """Digests of the files that a model reads."""
    found: dict[str, str] = {}
    _search(json.loads(text), found)
    return found


def _search(value: Any, found: dict[str, str]) -> None:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            _search(item, found)
    elif isinstance(value, str) and os.path.isabs(value) and os.path.isfile(value):
        found[value] = digest(Path(value).read_bytes())
