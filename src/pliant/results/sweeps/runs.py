"""Runs of a sweep as one table: observables at common times, how each run ended, and why."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import FileError
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.results.series import Series

NOT_YET = "not computed yet"
"""What is said of a run that was left out."""
LAST = "last:"
"""Begins the names of what was observed last in each run: at the end, or where it stopped."""
_TOLD = ("failure", "warnings", "events")


@dataclass(frozen=True, slots=True)
class Observations:
    """One observable of all runs: ``values`` (run, time) or (run, time, component), which are not a
    number after the end of a run; ``last`` (run) or (run, component)."""

    values: Array
    last: Array
    unit: str
    labels: tuple[str, ...] = ()
    kind: str = "other"
    unique: tuple[bool, ...] = ()
    """For each component of a reaction: whether it is determined in every run."""


@dataclass(frozen=True)
class Runs:
    """``failure`` says of each run why it stopped early or could not begin; ``end``: when it ended;
    ``events``: names and times of what happened."""

    times: Array
    end: Array
    series: Mapping[str, Observations]
    failure: tuple[str, ...]
    warnings: tuple[tuple[str, ...], ...]
    events: tuple[tuple[tuple[str, float], ...], ...]
    names: tuple[str, ...] = ()
    """Of all observables in the file that they were read from, wanted or not."""

    def __len__(self) -> int:
        return len(self.end)

    @property
    def failed(self) -> int:
        """How many runs did not reach their end."""
        return sum(map(bool, self.failure))

    def content(self) -> bytes:
        """As a file of netCDF. It is written by h5netcdf itself: xarray asks for a lock of the
        cluster where there is one."""
        import h5netcdf
        import h5py

        stream, text = io.BytesIO(), h5py.string_dtype()
        with h5netcdf.File(stream, "w") as file:
            file.dimensions = {"run": len(self), "time": len(self.times)}
            file.create_variable("time", ("time",), data=self.times).attrs["units"] = "s"
            file.create_variable("end", ("run",), data=self.end)
            for name, s in self.series.items():
                axes = _axes(file, s.labels)
                told = file.create_variable(name, ("run", "time", *axes), data=s.values)
                told.attrs.update({"units": s.unit, "kind": s.kind})
                if s.unique:
                    told.attrs["unique"] = np.array(s.unique, dtype=np.int8)
                file.create_variable(LAST + name, ("run", *axes), data=s.last)
            texts = self.failure, map(json.dumps, self.warnings), map(json.dumps, self.events)
            for name, words in zip(_TOLD, texts, strict=True):
                content = np.array([*words], dtype=object)
                file.create_variable(f":{name}", ("run",), text, data=content)
        return stream.getvalue()


def _axes(file: Any, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The dimension of the components of a vector."""
    import h5py

    if not labels:
        return ()
    axis = "component_" + "_".join(labels)
    if axis not in file.dimensions:
        file.dimensions[axis] = len(labels)
        words = np.array([*labels], dtype=object)
        file.create_variable(axis, (axis,), h5py.string_dtype(), data=words)
    return (axis,)


def read_runs(path: Path, wanted: Callable[[str], bool] = lambda name: True) -> Runs:
    """A file of runs, and of it those observables that are ``wanted``."""
    import h5py

    try:
        with h5py.File(path, "r") as file:
            return _runs(file, wanted)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise FileError(f"{path}: these runs cannot be read ({reason})",
                        "delete the file and give the same command again") from None  # fmt: skip


def _runs(file: Any, wanted: Callable[[str], bool]) -> Runs:
    series, names = {}, tuple(name for name in file if LAST + name in file)
    for name in names:
        if wanted(name):
            own = file[name]
            labels = tuple(_texts(own.dims[2][0])) if own.ndim == 3 else ()
            unique = tuple(bool(u) for u in np.atleast_1d(own.attrs.get("unique", ())))
            series[name] = Observations(own[:], file[LAST + name][:], own.attrs["units"], labels,
                                        own.attrs["kind"], unique)  # fmt: skip
    failure, warned, events = (_texts(file[f":{name}"]) for name in _TOLD)
    return Runs(
        file["time"][:], file["end"][:], series, tuple(failure),
        tuple(tuple(_listed(text)) for text in warned),
        tuple(tuple((n, t) for n, t in _listed(text)) for text in events),
        names,
    )  # fmt: skip


def _listed(text: str) -> Any:
    """What a text lists: nothing, for most runs."""
    return () if text == "[]" else json.loads(text)


def _texts(column: Any) -> list[str]:
    return [str(text) for text in column.asstr()[:]]


@dataclass(slots=True)
class RunsMaker:
    """Enters one run after the other."""

    times: Array
    count: int
    _end: list[float] = field(default_factory=list)
    _series: dict[str, Observations] = field(default_factory=dict)
    _failure: list[str] = field(default_factory=list)
    _warnings: list[tuple[str, ...]] = field(default_factory=list)
    _events: list[tuple[tuple[str, float], ...]] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """A run, as far as it got."""
        self.enter(result.time, result.series, result.warnings, result.failure,
                   tuple((e.name, e.time) for e in result.events))  # fmt: skip

    def enter(
        self, time: Array, series: Mapping[str, Series], remarks: tuple[str, ...],
        failure: str = "", events: tuple[tuple[str, float], ...] = (),
    ) -> None:  # fmt: skip
        """The same by its parts."""
        k, places = len(self._end), self._places(time)
        self._enter(k, places, series)
        failure = failure or self._strange(places)
        self._told(float(time[-1]), failure, remarks, events)

    def _enter(self, k: int, places: Any, told: Mapping[str, Series]) -> None:
        for name, series in told.items():
            own = self._series.get(name) or self._room(name, series)
            if isinstance(places, slice):
                own.values[k, places] = series.values
            else:
                kept = places >= 0
                own.values[k, places[kept]] = series.values[kept]
            own.last[k] = series.values[-1]
            if series.unique != own.unique:
                all_of = (True,) * max(len(own.unique), len(series.unique))
                flags = zip(own.unique or all_of, series.unique or all_of, strict=True)
                self._series[name] = replace(own, unique=tuple(a and b for a, b in flags))

    def refused(self, message: str) -> None:
        """A run that could not begin."""
        self._told(float("nan"), message)

    def runs(self) -> Runs:
        """All of them."""
        return Runs(self.times, np.array(self._end), self._series, tuple(self._failure),
                    tuple(self._warnings), tuple(self._events))  # fmt: skip

    def _told(
        self, end: float, failure: str, warned: tuple[str, ...] = (),
        events: tuple[tuple[str, float], ...] = (),
    ) -> None:  # fmt: skip
        self._end.append(end)
        self._failure.append(failure)
        self._warnings.append(warned)
        self._events.append(events)

    def _places(self, time: Array) -> Any:
        """Where samples stand among the common times; -1: nowhere."""
        if len(time) == len(self.times) and time[-1] == self.times[-1] and time[0] == self.times[0]:
            return slice(len(time))  # all but the last one are among them, if any are
        near = np.minimum(np.searchsorted(self.times, time), len(self.times) - 1)
        return np.where(self.times[near] == time, near, -1)

    def _strange(self, places: Any) -> str:
        """Why samples have no place: only the last one may stand elsewhere, where a run stopped."""
        if isinstance(places, slice) or (places[:-1] >= 0).all():
            return ""
        return "its output times are others than those of the sweep: give t_end and every"

    def _room(self, name: str, s: Series) -> Observations:
        shape = s.values.shape[1:]
        values = np.full((self.count, len(self.times), *shape), np.nan)
        last = np.full((self.count, *shape), np.nan)
        made = Observations(values, last, s.unit, s.labels, s.kind, s.unique)
        self._series[name] = made
        return made
