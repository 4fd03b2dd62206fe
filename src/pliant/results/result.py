"""Result: named time series of one run, in the language of the model.

``result["rod.tip.position"]`` is a labelled xarray.DataArray with its unit; a component is
``result["rod.tip.position.x"]``. Nothing here knows the coordinates of a formulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.display import brief
from pliant.errors import InputError, LockUpError, StepError, UnknownName
from pliant.observe.catalogue import Quantity
from pliant.observe.following import OBSERVABLES, Following, following
from pliant.observe.selection import cure_of
from pliant.records import dataclass
from pliant.registry import ABOVE, offered
from pliant.results.series import OneOf, Recorded, Reopened, Series

if TYPE_CHECKING:
    import pandas
    import xarray

    from pliant.results.diagram import Diagram
    from pliant.results.power_audit import PowerAudit


class Info(Mapping[str, Any]):
    """What is said of a run beside its numbers; ``later``: values that cost something to make and
    are seldom asked for."""

    def __init__(
        self, values: Mapping[str, Any], later: Mapping[str, Callable[[], Any]] | None = None
    ) -> None:
        self._values, self._later = dict(values), dict(later or {})

    def __getitem__(self, key: str) -> Any:
        if key in self._later:
            self._values[key] = self._later.pop(key)()
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter((*self._values, *self._later))

    def __len__(self) -> int:
        return len(self._values) + len(self._later)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __getstate__(self) -> dict[str, Any]:
        """To another process go values."""
        return {"_values": dict(self), "_later": {}}


@dataclass(frozen=True, slots=True)
class EventRecord:
    """An event that happened."""

    name: str
    time: float
    message: str = ""


@dataclass(frozen=True)
class Result:
    """What one run computed. ``failure`` says why it stopped early, if it did.

    >>> result = pl.load("examples/pendulum.yaml").simulate(t_end=1, every="10 ms")
    >>> result
    <pliant.Result 0..1 s, 101 samples, 25 observables>
    >>> result["pivot.angle"].shape
    (101,)
    >>> result.unit("pivot.angle_rate")
    'rad/s'
    >>> "pivot.angle" in result
    True
    """

    time: Array
    series: Mapping[str, Series]
    info: Mapping[str, Any] = field(default_factory=dict)
    """How it was computed: model, formulation, method, tolerances, statistics."""
    events: tuple[EventRecord, ...] = ()
    warnings: tuple[str, ...] = ()
    failure: str = ""
    model: str = ""
    """The model as file text, so that a saved result says what it is of."""
    recorded: Recorded | None = field(default=None, repr=False, compare=False)
    """States of all samples: what was not asked for before the run is computed from them."""
    _told: dict[str, Series] = field(default_factory=dict, repr=False, compare=False, init=False)

    def __getstate__(self) -> dict[str, Any]:
        """To another process go numbers; what was recorded is opened anew there."""
        record = None if self.recorded is None else self.recorded.record
        kept = None
        if self.recorded is not None and record is not None and self.model:
            known = {name: q.plain for name, q in self.recorded.known.items()}
            kept = Reopened(self.model, known, record)
        return {**self.__dict__, "recorded": kept, "_told": {}}

    def warned(self, warnings: Iterable[str]) -> Result:
        """The same with further warnings before its own."""
        more = tuple(warnings)
        return replace(self, warnings=(*more, *self.warnings)) if more else self

    def names(self) -> dict[str, str]:
        """Every observable that can be looked up, with its unit: those that were asked for first,
        then all others that the model knows."""
        known = {n: s.unit for n, s in self.series.items()} | {
            n: q.unit for n, q in self._further.items()
        }
        return known | {n: f.quantity.unit for n, f in self._following.items()}

    @property
    def _further(self) -> Mapping[str, Quantity]:
        known = {} if self.recorded is None else self.recorded.known
        return {n: q for n, q in known.items() if n not in self.series}

    @property
    def _following(self) -> Mapping[str, Following]:
        """What follows from others."""
        return following((*self.series, *self._further)) if OBSERVABLES else {}

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
        if not isinstance(name, str):
            return False
        owner, _, label = name.rpartition(".")
        places: list[Mapping[str, Series | Quantity]] = [self.series]
        places += [] if self.recorded is None else [self.recorded.known]
        places += [{n: f.quantity for n, f in self._following.items()}]
        return any(name in p or (owner in p and label in p[owner].labels) for p in places)

    def __iter__(self) -> Iterator[str]:
        """Names of observables, as of a mapping; ``len`` counts samples."""
        return iter(self.series)

    def __len__(self) -> int:
        return len(self.time)

    def _find(self, name: str) -> Series | None:
        """An observable as recorded, or from the states that were."""
        if name in self.series:
            return self.series[name]
        if name not in self._told and self.recorded is not None and name in self.recorded.known:
            self._told[name] = self.recorded.series(name)
        if name not in self._told and name in (own := self._following):
            values = np.asarray(own[name].compute(*map(self.values, own[name].needs)))
            what = own[name].quantity
            self._told[name] = Series(values, what.unit, what.labels, what.kind)
        return self._told.get(name)

    def _part(self, name: str) -> tuple[Series, int] | None:
        owner, _, label = name.rpartition(".")
        series = self._find(owner)
        if series is not None and label in series.labels:
            return series, series.labels.index(label)
        return None

    def _unknown(self, name: str) -> UnknownName:
        owner, _, quantity = name.rpartition(".")
        if quantity == "work" and f"{owner}.power" in self._further:
            cure = f"work is added up during the run: outputs=['{name}'] asks for it"
        else:
            cure = cure_of(name, (*self.columns(), *self._further))
        return UnknownName(f"no observable '{name}'", cure)

    def _looked_up(self, name: str) -> tuple[Series, int | None]:
        """An observable, and which of its components is meant; those that installed packages offer
        are looked for last."""
        for more in (False, True):
            if more and not offered():
                break
            series = self._find(name)
            if series is not None:
                return series, None
            part = self._part(name)
            if part is not None:
                return part
        raise self._unknown(name)

    def values(self, name: str) -> Array:
        """Plain array of an observable or of one component of it."""
        series, component = self._looked_up(name)
        return series.values if component is None else series.values[:, component]

    def unit(self, name: str) -> str:
        """Unit of an observable or component."""
        return self._looked_up(name)[0].unit

    def also(self, names: Iterable[str]) -> Result:
        """The same with further observables among its series, as far as they are known."""
        found = {n: self._find(n) for n in names if n not in self.series}
        more = {n: s for n, s in found.items() if s is not None}
        return replace(self, series={**self.series, **more}) if more else self

    def __getitem__(self, name: str) -> xarray.DataArray:
        import xarray

        values = self.values(name)
        coords: dict[str, Any] = {"time": ("time", self.time, {"units": "s"})}
        dims = ["time"]
        attributes: dict[str, Any] = {"units": self.unit(name)}
        series = self._find(name)
        if series is not None:
            if series.labels:
                dims.append("component")
                coords["component"] = list(series.labels)
            if series.kind == "reaction":
                attributes["unique"] = [int(u) for u in series.unique]
        return xarray.DataArray(values, dims=dims, coords=coords, name=name, attrs=attributes)

    def columns(self) -> tuple[str, ...]:
        """Names of all scalar columns: ``rod.tip.position.x``."""
        return tuple(self.components(self.series))

    def components(self, names: Iterable[str]) -> list[str]:
        """Names of scalars: those of vectors with their labels."""
        found: list[str] = []
        for name in names:
            labels = self.series[name].labels if name in self.series else ()
            found += [f"{name}.{label}" for label in labels] if labels else [name]
        return found

    def at(self, time: float) -> Result:
        """The one sample nearest to a time."""
        return self.sample(int(np.argmin(np.abs(self.time - time))))

    def sample(self, index: int) -> Result:
        """One sample as a result of its own."""
        if not -len(self.time) <= index < len(self.time):
            raise InputError(f"sample {index}: there are {len(self.time)} samples")
        k = range(len(self.time))[index]
        picked = {n: s.at(k) for n, s in self.series.items()}
        recorded = None if self.recorded is None else OneOf(self.recorded, k)
        return Result(self.time[k : k + 1], picked, self.info, model=self.model, recorded=recorded)

    def to_csv(self, path: str | Path) -> None:
        """Write a CSV: header row, first column ``time``, then one column per scalar."""
        ABOVE["write_csv"](self, path)

    def save(self, path: str | Path) -> None:
        """Write netCDF (.nc) or CSV (.csv), by the ending of the name."""
        ABOVE["save"](self, path)

    @staticmethod
    def load(path: str | Path) -> Result:
        """Read a result written by ``save``."""
        found: Result = ABOVE["load"](path)
        return found

    def to_dataset(self) -> xarray.Dataset:
        """Everything as one labelled data set."""
        found: xarray.Dataset = ABOVE["to_dataset"](self)
        return found

    def to_dataframe(self, *names: str) -> pandas.DataFrame:
        """Observables (all that were asked for) as a table of pandas: a row for each sample, a
        column for each scalar, with ``time`` as index and units in ``attrs["units"]``."""
        found: pandas.DataFrame = ABOVE["to_dataframe"](self, names)
        return found

    def compare(self, other: Result, *names: str) -> Any:
        """Largest differences between two results; see ``pliant.results.compare``."""
        return ABOVE["compare"](self, other, names)

    def plot(self, *names: str, path: str | Path | None = None, **options: Any) -> Any:
        """Plot observables over time, by default outputs of the model, coordinates and energies;
        an equilibrium is drawn as a mechanism. Gives the axes of matplotlib, with ``figure``.

        ``over`` names what they are drawn over, ``spectrum=True`` draws amplitudes over frequency,
        ``others={"soft": result}`` further results (``label`` is what this one is called then),
        ``axes``: where to draw, ``title``; ``kind``: ``time``, ``shape``, ``diagram``, ``rest``, or
        one of your own.
        """
        return ABOVE["plot"](self, *names, path=path, **options)

    def plot_shape(self, body: str, *, path: str | Path | None = None, **options: Any) -> Any:
        """Plot the deformed axis of a beam at some ``times``; gives the axes of matplotlib."""
        return ABOVE["plot_shape"](self, body, path=path, **options)

    def diagram(
        self, body: str, at: float | Sequence[float] | None = None, *,
        stations: Sequence[float] | None = None,
    ) -> Diagram:  # fmt: skip
        """Internal forces along a beam at a time in seconds, or at several; at the end by default.

        ``stations``: places along the beam, in metres from its root; by default evenly spaced ones
        and all where loads can act, there on both sides. Between samples diagrams lie on straight
        lines. See ``pliant.results.diagram.Diagram``: ``d["N"]``, ``d["Mz"]``, ``d.plot()``.
        """
        from pliant.results.diagram import diagram_of

        return diagram_of(self, body, at, stations)

    def power_audit(self, start: float | None = None, end: float | None = None) -> PowerAudit:
        """Where energy was supplied, stored, dissipated and exchanged from ``start`` to ``end``.

        See ``pliant.results.power_audit.PowerAudit``: ``print`` it, or ``plot`` it.
        """
        audit: PowerAudit = ABOVE["power_audit"](self, start, end)
        return audit

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write the moving page: one HTML file with the 3-D motion and linked plots.

        ``title`` replaces the name of the model, ``plots`` names the observables plotted at first,
        ``meshes`` draws bodies from STL or OBJ files: ``{"rod": "rod.stl"}``, with a factor for
        files in other units ``{"rod": ("rod.stl", 0.001)}``.
        """
        written: Path = ABOVE["report"](self, path, **options)
        return written

    def picture(self, path: str | Path | None = None, **options: Any) -> Any:
        """A still of the 3-D view, an image of Pillow; with ``path`` (.png, .jpg, .webp) it is also
        written. No screen is needed.

        ``time``: in seconds (the end); ``view``: ``free`` (as the moving page looks at first),
        ``x``, ``-x`` ... along an axis, ``iso``, or three numbers towards the eye; ``projection``:
        ``orthographic`` or ``perspective``; ``size``: width and height in pixels;
        ``magnification`` of deflections; ``arrows``: ``["applied", "reaction"]``; ``close``: what
        is seen at that time fills the picture, not the whole motion; ``title`` stands in the
        place of the time (``""``: nothing is written), ``meshes`` as in ``report``.
        """
        return ABOVE["picture"](self, path, **options)

    def film(self, path: str | Path, **options: Any) -> Any:
        """Write a film of the motion: .gif or .webp; .mp4 or .webm where ffmpeg is, or with
        ``pip install 'pliant[film]'``.

        ``start``, ``end``: of the motion, in seconds; ``fps``: frames a second (25); ``speed``: how
        much faster than it is; ``progress`` is told frames drawn and of how many. Other options as
        in ``picture``.
        """
        return ABOVE["film"](self, path, **options)

    def headline(self) -> str:
        """Span, samples, observables."""
        span = f"{self.time[0]:g}..{self.time[-1]:g} s" if len(self.time) else "empty"
        return f"{span}, {len(self.time)} samples, {len(self.series)} observables"

    def __repr__(self) -> str:
        state = f", stopped: {self.failure}" if self.failure else ""
        return brief(f"<pliant.Result {self.headline()}{state}>")

    def _repr_html_(self) -> str:
        html: str = ABOVE["result_html"](self)
        return html

    def _ipython_key_completions_(self) -> list[str]:
        return [*self.names(), *self.columns()]
