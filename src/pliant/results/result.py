"""Result: named time series of one run, in the language of the model.

``result["rod.tip.position"]`` is a labelled xarray.DataArray with its unit; a component is
``result["rod.tip.position.x"]``. Nothing here knows the coordinates of a formulation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError, LockUpError, StepError, UnknownName
from pliant.model.named import did_you_mean

if TYPE_CHECKING:
    import xarray

    from pliant.results.power_audit import PowerAudit


@dataclass(frozen=True, slots=True)
class Series:
    """One observable over time: shape (n,) or (n, components) with ``labels``.

    ``unique`` says, for each component of a reaction, whether the constraints determine it; where
    redundant ones do not, the smallest reaction is reported and comparisons leave it out.
    """

    values: Array
    unit: str
    labels: tuple[str, ...] = ()
    kind: str = "other"
    unique: tuple[bool, ...] = ()


def cure_of(name: str, known: Iterable[str]) -> str:
    """What to do about an observable that is not there: why, or the name nearest to it."""
    if name.endswith((".stress", ".internal_force.x")):
        return "a modal beam tells them only if it has axial shapes (shapes: {axial: 2})"
    if name.endswith((".internal_moment.x", ".internal_moment.y", ".internal_moment.z",
                      ".internal_force.y", ".internal_force.z")):  # fmt: skip
        return "a modal beam tells them only in directions that have shapes"
    return did_you_mean(name, known)


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event that happened."""

    name: str
    time: float
    message: str = ""


@dataclass(frozen=True)
class Result:
    """What one run computed. ``failure`` says why it stopped early, if it did."""

    time: Array
    series: Mapping[str, Series]
    info: Mapping[str, Any] = field(default_factory=dict)
    """How it was computed: model, formulation, method, tolerances, statistics."""
    events: tuple[EventRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: str = ""
    model: str = ""
    """The model as file text, so that a saved result says what it is of."""

    def warned(self, warnings: Iterable[str]) -> Result:
        """The same with further warnings before its own."""
        return replace(self, warnings=(*warnings, *self.warnings))

    @property
    def names(self) -> tuple[str, ...]:
        """Every observable."""
        return tuple(self.series)

    @property
    def completed(self) -> bool:
        """Whether the run reached its end (or a stop event)."""
        return not self.failure

    def require(self) -> Result:
        """The result itself if the run was completed; otherwise raises what stopped it."""
        if self.failure:
            locked = self.info.get("failure_code") == "lock-up"
            raise (LockUpError if locked else StepError)(self.failure)
        return self

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and (name in self.series or self._part(name) is not None)

    def __iter__(self) -> Iterator[str]:
        """Names of observables, as of a mapping; ``len`` counts samples."""
        return iter(self.series)

    def __len__(self) -> int:
        return len(self.time)

    def _part(self, name: str) -> tuple[Series, int] | None:
        owner, _, label = name.rpartition(".")
        series = self.series.get(owner)
        if series is not None and label in series.labels:
            return series, series.labels.index(label)
        return None

    def values(self, name: str) -> Array:
        """Plain array of an observable or of one component of it."""
        if name in self.series:
            return self.series[name].values
        part = self._part(name)
        if part is None:
            raise UnknownName(f"no observable '{name}'", cure_of(name, self.columns()))
        return part[0].values[:, part[1]]

    def unit(self, name: str) -> str:
        """Unit of an observable or component."""
        series = self.series.get(name)
        if series is None:
            part = self._part(name)
            if part is None:
                raise UnknownName(f"no observable '{name}'", cure_of(name, self.columns()))
            series = part[0]
        return series.unit

    def __getitem__(self, name: str) -> xarray.DataArray:
        import xarray

        values = self.values(name)
        coords: dict[str, Any] = {"time": ("time", self.time, {"units": "s"})}
        dims = ["time"]
        attributes: dict[str, Any] = {"units": self.unit(name)}
        if name in self.series:
            series = self.series[name]
            if series.labels:
                dims.append("component")
                coords["component"] = list(series.labels)
            if series.kind == "reaction":
                attributes["unique"] = [int(u) for u in series.unique]
        return xarray.DataArray(values, dims=dims, coords=coords, name=name, attrs=attributes)

    def columns(self) -> tuple[str, ...]:
        """Names of all scalar columns: ``rod.tip.position.x``."""
        return tuple(name for name, _ in self._scalars())

    def _scalars(self) -> Iterator[tuple[str, Array]]:
        for name, series in self.series.items():
            if series.labels:
                for k, label in enumerate(series.labels):
                    yield f"{name}.{label}", series.values[:, k]
            else:
                yield name, series.values

    def at(self, time: float) -> Result:
        """The one sample nearest to a time."""
        return self.sample(int(np.argmin(np.abs(self.time - time))))

    def sample(self, index: int) -> Result:
        """One sample as a result of its own."""
        if not -len(self.time) <= index < len(self.time):
            raise InputError(f"sample {index}: there are {len(self.time)} samples")
        k = range(len(self.time))[index]
        picked = {
            n: Series(s.values[k : k + 1], s.unit, s.labels, s.kind, s.unique)
            for n, s in self.series.items()
        }
        return Result(self.time[k : k + 1], picked, self.info, model=self.model)

    def to_csv(self, path: str | Path) -> None:
        """Write a CSV: header row, first column ``time``, then one column per scalar."""
        from pliant.results.files import write_csv

        write_csv(self, path)

    def save(self, path: str | Path) -> None:
        """Write netCDF (.nc) or CSV (.csv), by the ending of the name."""
        from pliant.results.files import save

        save(self, path)

    @staticmethod
    def load(path: str | Path) -> Result:
        """Read a result written by ``save``."""
        from pliant.results.files import load

        return load(path)

    def to_dataset(self) -> xarray.Dataset:
        """Everything as one labelled data set."""
        from pliant.results.files import to_dataset

        return to_dataset(self)

    def compare(self, other: Result, *names: str) -> Any:
        """Largest differences between two results; see ``pliant.results.compare``."""
        from pliant.results.compare import compare

        return compare(self, other, names)

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Any:
        """Plot observables over time; returns the matplotlib figure."""
        from importlib import import_module

        return import_module("pliant.plots").plot(self, *names, path=path, **options)

    def plot_shape(self, body: str, *, path: str | Path | None = None, **options: Any) -> Any:
        """Plot the deformed axis of a beam at some ``times``; returns the matplotlib figure."""
        from importlib import import_module

        return import_module("pliant.plots.shape_plot").plot_shape(self, body, path=path, **options)

    def power_audit(self, start: float | None = None, end: float | None = None) -> PowerAudit:
        """Where energy was supplied, stored, dissipated and exchanged from ``start`` to ``end``.

        See ``pliant.results.power_audit.PowerAudit``: ``print`` it, or ``plot`` it.
        """
        from importlib import import_module

        audit: PowerAudit = import_module("pliant.analysis.power_audit").power_audit_of(
            self, start, end
        )
        return audit

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write the moving page: one HTML file with the 3-D motion and linked plots.

        ``title`` replaces the name of the model, ``plots`` names the observables plotted at first,
        ``meshes`` draws bodies from STL or OBJ files: ``{"rod": "rod.stl"}``, with a factor for
        files in other units ``{"rod": ("rod.stl", 0.001)}``.
        """
        from importlib import import_module

        written: Path = import_module("pliant.report").report(self, path, **options)
        return written

    def __repr__(self) -> str:
        span = f"{self.time[0]:g}..{self.time[-1]:g} s" if len(self.time) else "empty"
        state = f", stopped: {self.failure}" if self.failure else ""
        size = f"{len(self.time)} samples, {len(self.series)} observables"
        return f"<pliant.Result {span}, {size}{state}>"
