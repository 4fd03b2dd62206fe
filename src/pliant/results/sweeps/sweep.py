"""Sweep: what many runs of one system told, by what was varied.

``sweep["slider.position.x"]`` is a labelled xarray.DataArray over run and time, of a full grid over
its axes and time. Runs that failed are among them, with their message. Of a sweep that is kept on
disk only what is asked for is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array, Integers
from pliant.display import Plotted
from pliant.errors import InputError, RunError, UnknownName
from pliant.observe.selection import cure_of
from pliant.records import dataclass
from pliant.registry import ABOVE
from pliant.results.sweeps.criterion import Best, Criterion, first_number
from pliant.results.sweeps.files import save_sweep
from pliant.results.sweeps.indices import sobol_indices
from pliant.results.sweeps.runs import NOT_YET, Observations, Runs, read_runs
from pliant.results.sweeps.table import Varied

if TYPE_CHECKING:
    import xarray


_LOOKED = 24
"""Numbers among which one is looked for that is worth a plot."""


@dataclass(frozen=True, slots=True)
class Part:
    """Runs from ``first`` up to ``last``, at hand or in a file."""

    first: int
    last: int
    source: Runs | Path

    def read(self, *names: str) -> Runs:
        """Them, with these observables."""
        if isinstance(self.source, Runs):
            return self.source
        return read_runs(self.source, names.__contains__)


@dataclass(frozen=True)
class Sweep(Plotted):
    """All runs. ``info``: of which model, how they were computed, seconds.

    >>> system = pl.load("examples/pendulum.yaml")
    >>> sweep = system.sweep({"L": ["0.5 m", "1 m"]}, t_end="0.1 s")
    >>> sweep["pivot.angle"].sizes["L"]
    2
    """

    varied: Varied
    parts: tuple[Part, ...]
    info: Mapping[str, Any] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.varied)

    @property
    def params(self) -> Mapping[str, Array]:
        """What was varied: a value for each run."""
        return self.varied.columns

    @cached_property
    def time(self) -> Array:
        """When samples were taken."""
        return next((t for runs in self._words if len(t := runs.times)), self.parts[0].read().times)

    @cached_property
    def units(self) -> dict[str, str]:
        """Every observable with its unit."""
        return {name: s.unit for name, s in self._layout.items()}

    @cached_property
    def _layout(self) -> dict[str, Observations]:
        """Observables as the first part has them in which some run told them: of other choices
        others are told."""
        found: dict[str, Observations] = {}
        for part, runs in zip(self.parts, self._words, strict=True):
            new = [name for name in runs.names or runs.series if name not in found]
            if new:
                series = part.read(*new).series
                found |= {name: series[name] for name in new}
        return found

    @cached_property
    def _words(self) -> list[Runs]:
        """How runs ended, without what they told."""
        return [part.read() for part in self.parts]

    @property
    def failures(self) -> dict[int, str]:
        """Runs that stopped early or could not begin, with why."""
        every = (text for runs in self._words for text in runs.failure)
        return {k: text for k, text in enumerate(every) if text}

    @property
    def failure(self) -> str:
        """Why runs are missing: empty unless it was interrupted."""
        missing = sum(text == NOT_YET for runs in self._words for text in runs.failure)
        return (
            f"interrupted by the user: {missing} of {len(self)} runs are missing" if missing else ""
        )

    @property
    def warnings(self) -> dict[int, tuple[str, ...]]:
        """Runs with something that is worth saying."""
        every = (told for runs in self._words for told in runs.warnings)
        return {k: told for k, told in enumerate(every) if told}

    @property
    def end(self) -> Array:
        """When each run ended; not a number where it could not begin."""
        return np.concatenate([runs.end for runs in self._words])

    def event(self, name: str) -> Array:
        """When an event happened first in each run; not a number where it did not."""
        every = [happened for runs in self._words for happened in runs.events]
        times = [[t for n, t in happened if n == name] for happened in every]
        return np.array([min(found, default=np.nan) for found in times])

    def run(self, k: int) -> dict[str, Any]:
        """What a run was given."""
        if not 0 <= k < len(self):
            raise InputError(f"run {k}: there are {len(self)}", "count from 0")
        return self.varied.row(k)

    def values(self, name: str) -> Array:
        """Plain array of an observable or a component of it: (run, time) or (run, time, component);
        not a number where a run had ended."""
        owner, component = self._found(name)
        return np.concatenate([_picked(values, component) for values, _ in self._read(owner)])

    def last(self, name: str) -> Array:
        """What was observed last in each run: at the end, or where it stopped."""
        owner, component = self._found(name)
        return np.concatenate([_picked(last, component) for _, last in self._read(owner)])

    def _read(self, owner: str) -> Iterator[tuple[Array, Array]]:
        """An observable and its last values, part by part."""
        shape = self._layout[owner].values.shape[2:]
        for part in self.parts:
            own, count = part.read(owner).series.get(owner), part.last - part.first
            if own is None:  # no run of this part told it
                nothing = np.full((count, len(self.time), *shape), np.nan)
                yield nothing, nothing[:, 0]
            else:
                yield own.values, own.last

    def _found(self, name: str) -> tuple[str, int | None]:
        """An observable, and which of its components is meant."""
        if name in self._layout:
            return name, None
        owner, _, label = name.rpartition(".")
        if owner in self._layout and label in self._layout[owner].labels:
            return owner, self._layout[owner].labels.index(label)
        if not self._layout:
            raise RunError(f"no run told '{name}': {first_number(self.failures)}")
        raise UnknownName(f"no observable '{name}' in this sweep", cure_of(name, self._layout))

    def labels(self, name: str) -> tuple[str, ...]:
        """Components of an observable; none of a scalar."""
        owner, component = self._found(name)
        return self._layout[owner].labels if component is None else ()

    def kind(self, name: str) -> str:
        """What an observable is: a coordinate, an energy, a reaction ..."""
        return self._layout[self._found(name)[0]].kind

    def varies(self, name: str) -> bool:
        """Whether an observable changes, in time or among the first runs that told it."""
        owner, component = self._found(name)
        for part in self.parts:
            own = part.read(owner).series.get(owner)
            if own is not None:
                values = _picked(own.values, component)
                return bool(np.nanmax(values) > np.nanmin(values))
        return False

    def _ipython_key_completions_(self) -> list[str]:
        return [*self._layout, *self.scalars]

    def __getitem__(self, name: str) -> xarray.DataArray:
        owner, component = self._found(name)
        about = self._layout[owner]
        labels = about.labels if component is None else ()
        return self.labelled(self.values(name), name, about.unit, labels)

    def labelled(
        self, values: Array, name: str, unit: str, labels: Sequence[str] = (), *, times: bool = True
    ) -> xarray.DataArray:
        """Numbers of all runs with what was varied beside them; of a grid along its axes."""
        import xarray

        grid, axes = self.varied.grid, [self._called(n) for n in self.varied.names]
        first = axes if grid else ["run"]
        shape = [len(v) for v in grid.values()] if grid else [len(self)]
        dims = [*first, *(["time"] if times else []), *(["component"] if labels else [])]
        coords: dict[str, Any] = {"component": list(labels)} if labels else {}
        coords |= {"time": ("time", self.time, {"units": "s"})} if times else {}
        columns = grid or self.varied.columns
        for axis, (own, column) in zip(axes, columns.items(), strict=True):
            about = {"units": self.varied.units.get(own, "")}
            coords[axis] = (axis if grid else "run", column, about)
        coords |= {} if grid else {"run": np.arange(len(self))}
        reshaped = values.reshape(*shape, *values.shape[1:])
        return xarray.DataArray(reshaped, coords, dims, name, {"units": unit})

    def _called(self, name: str) -> str:
        """What the axis of a varied name is called in a data set."""
        taken = {"run", "time", "component", "quantile", "failure", "end"}
        return f"varied_{name}" if name in taken or name in self._layout else name

    def to_dataset(self, *names: str) -> xarray.Dataset:
        """Everything, or some observables, as one data set; ``failure`` and ``end`` of each run."""
        import xarray

        found = {name: self[name] for name in names or self._layout}
        for name, array in found.items():
            if "component" in array.dims:
                axis = "component_" + "_".join(map(str, array["component"].values))
                found[name] = array.rename(component=axis)
        texts = np.array([text for runs in self._words for text in runs.failure], dtype=object)
        found["failure"] = self.labelled(texts, "failure", "", times=False)
        found["end"] = self.labelled(self.end, "end", "s", times=False)
        return xarray.Dataset(found, attrs={"model": self.info.get("model", "")})

    @property
    def scalars(self) -> list[str]:
        """Names of all scalars: those of vectors with their labels."""
        every = ([f"{n}.{x}" for x in s.labels] or [n] for n, s in self._layout.items())
        return [name for names in every for name in names]

    def save(self, path: str | Path) -> None:
        """Write all runs (.nc), or a row of each run (.csv)."""
        save_sweep(self, path)

    def curves(self, name: str, runs: Integers, samples: Integers) -> Array:
        """An observable of some runs, in the order of the sweep, at some samples: only these are in
        memory at once."""
        owner, component = self._found(name)
        found, first = [], 0
        for values, _ in self._read(owner):
            own = runs[(runs >= first) & (runs < first + len(values))] - first
            found.append(_picked(values[own][:, samples], component))
            first += len(values)
        return np.concatenate(found)

    def criterion(self, text: str) -> Criterion:
        """What is meant by a wish, or by a score."""
        return Criterion.of(text, self._layout)

    def score(self, criterion: str) -> Array:
        """A number for each run: ``"max slider.speed"``, ``"last A.angle"`` (see ``best``)."""
        return self.scores([criterion])[0]

    def scores(self, criteria: Sequence[str]) -> list[Array]:
        """Several of them; every observable is read once."""
        ones = [self.criterion(text) for text in criteria]
        found: dict[int, Array] = {}
        for owner in dict.fromkeys(one.owner for one in ones):
            own = [k for k, one in enumerate(ones) if one.owner == owner]
            parts = [[ones[k].scored(values, last) for k in own] for values, last in
                     self._read(owner)]  # fmt: skip
            found |= {k: np.concatenate(column)
                      for k, column in zip(own, zip(*parts, strict=True), strict=True)}  # fmt: skip
        return [found[k] for k in range(len(ones))]

    def best(self, criterion: str) -> Best:
        """The run that meets a wish: ``"max slider speed"`` has the largest speed of all runs,
        ``"min max A.force"`` the smallest largest force, ``"max last S.displacement"`` ends
        farthest.

        First ``max`` or ``min``, then what is compared of a run (max, min, mean, rms, span, abs,
        last; otherwise the same as the first), then an observable. ``speed`` is the length of a
        velocity; of other vectors their lengths are compared. Failed runs are left out.
        """
        one = self.criterion(criterion)
        scores = self.score(criterion)
        scores[[*self.failures]] = np.nan
        if not np.isfinite(scores).any():
            raise RunError(f"{criterion}: no run was completed: {first_number(self.failures)}")
        k = int(np.nanargmax(scores) if one.largest else np.nanargmin(scores))
        return Best(criterion, k, float(scores[k]), one.unit, self.run(k))

    def quantiles(self, name: str, q: Sequence[float] = (0.05, 0.5, 0.95)) -> xarray.DataArray:
        """Quantiles of an observable over all runs that were going on, at every time."""
        import xarray

        if not all(0 <= value <= 1 for value in q):
            raise InputError(f"quantiles: {list(q)}: not between 0 and 1", "give 0.05, 0.5, 0.95")
        owner, component = self._found(name)
        values = self.values(name)
        about = self._layout[owner]
        labels = about.labels if component is None else ()
        found = np.full((len(q), *values.shape[1:]), np.nan)
        going = ~np.isnan(values).all(axis=0)
        found[:, going] = np.nanquantile(values[:, going], list(q), axis=0)
        dims = ["quantile", "time", *(["component"] if labels else [])]
        coords: dict[str, Any] = {"quantile": list(q), "time": self.time}
        coords |= {"component": list(labels)} if labels else {}
        return xarray.DataArray(found, coords, dims, name, {"units": about.unit})

    def sobol(self, criterion: str) -> xarray.Dataset:
        """How much of the variance of a score each name brings about: ``first`` alone, ``total``
        with all its interactions. Of a sweep with ``plan="saltelli"``."""
        return sobol_indices(self.varied, self.score(criterion), self.failures)

    def plot(self, *names: str, kind: str = "fan", path: str | Path | None = None,
             **options: Any) -> Any:  # fmt: skip
        """A picture: ``fan`` (an observable over time, quantiles of all runs), ``heat`` (a score
        over two names), ``parallel`` (what was varied and scores side by side); a figure of
        matplotlib, which is also written to ``path``."""
        return ABOVE["plot_sweep"](self, *names, kind=kind, path=path, **options)

    def report(self, path: str | Path, **options: Any) -> Path:
        """Write the page of the sweep: one HTML file in which what was varied and what came of it
        are axes; a part of an axis takes the runs within, a click on a run tells of it.

        ``plots`` names the observables drawn over time, ``scores`` what is compared of runs
        (``["max slider.speed"]``), ``title`` replaces the name of the model.
        """
        written: Path = ABOVE["report_sweep"](self, path, **options)
        return written

    @staticmethod
    def load(store: str | Path) -> Sweep:
        """A sweep that was kept, as far as it got."""
        found: Sweep = ABOVE["load_sweep"](store)
        return found

    def first_plot(self) -> Any:
        """The first number that was asked for and is not the same all the time."""
        varying = [*filter(self._varies, self.scalars[:_LOOKED])]
        return self.plot(*(varying or self.scalars)[:1])

    def _varies(self, name: str) -> bool:
        values = self.values(name)
        return len(np.unique(values[np.isfinite(values)])) > 1

    def __str__(self) -> str:
        failed = {k: text for k, text in self.failures.items() if text != NOT_YET}
        missing, warned = len(self.failures) - len(failed), self.warnings
        left = f", {missing} {NOT_YET}" if missing else ""
        lines = [f"{len(self)} runs over {', '.join(self.varied.names)} ({self.varied.kind}), "
                 f"{len(failed)} failed{left}"]  # fmt: skip
        for text, runs in _gathered(failed).items():
            lines.append(f"  run {runs[0]}{_more(runs)}: {text}")
        for text, runs in _gathered({k: "; ".join(w) for k, w in warned.items()}).items():
            lines.append(f"  warning, run {runs[0]}{_more(runs)}: {text}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<pliant.Sweep: {len(self)} runs over {', '.join(self.varied.names)}>"

    def as_dict(self) -> dict[str, Any]:
        """For machines."""
        failed = {str(k): text for k, text in self.failures.items()}
        about = json.loads(json.dumps(dict(self.info), default=str))
        plan = {
            "names": list(self.varied.names),
            "plan": self.varied.kind,
            "seed": self.varied.seed,
        }
        return {"runs": len(self), **plan, "failures": failed, **about}


_LISTED = 5
"""Different messages that are printed."""
_NUMBERS = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")


def _gathered(told: Mapping[int, str]) -> dict[str, list[int]]:
    """Runs by what is said of them, apart from its numbers, in the words of the first of them."""
    found: dict[str, list[int]] = {}
    for k, text in told.items():
        found.setdefault(_NUMBERS.sub("#", text), []).append(k)
    listed = [*found.values()]
    kept = {told[runs[0]]: runs for runs in listed[:_LISTED]}
    rest = [k for runs in listed[_LISTED:] for k in runs]
    return kept | ({"other reasons": rest} if rest else {})


def _more(runs: Sequence[int]) -> str:
    return f" and {len(runs) - 1} more" if len(runs) > 1 else ""


def _picked(values: Array, component: int | None) -> Array:
    return values if component is None else values[..., component]
