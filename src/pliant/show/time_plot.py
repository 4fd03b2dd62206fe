"""Observables over time, over each other, or their spectra: one panel per unit, every curve
labelled; several results in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.records import dataclass
from pliant.results.result import Result
from pliant.show.curves.choice import first_look, kind_of, panels_of
from pliant.show.curves.lines import Curve, draw, legend
from pliant.show.curves.panels import Panels, columns_for, given, lowest, stacked, write
from pliant.show.curves.rounding import Scales
from pliant.show.curves.spectrum import spectrum as spectrum_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ALIKE = 10.0
"""Lengths over lengths are drawn to one scale if their spans differ by no more."""


def plot(
    result: Result,
    *names: str,
    over: str | None = None,
    spectrum: bool = False,
    others: Mapping[str, Result] | Sequence[Result] = (),
    label: str | None = None,
    axes: Any = None,
    path: str | Path | None = None,
    title: str | None = None,
) -> Panels:
    """Plot observables, components or whole vectors; by default outputs of the model, coordinates
    and energies.

    ``over`` names what they are drawn over in place of time, ``spectrum`` draws amplitudes over
    frequency. ``others``: further results that are drawn into the same panels, by what they are
    called; ``label`` is what this one is called then. ``axes``: where to draw, one for each panel.
    With ``path`` the figure is also written (.png, .svg or .pdf).
    """
    if over is not None and spectrum:
        raise InputError("plot: over and spectrum", "give one of them")
    runs = _runs(result, others, label)
    look = None if names else first_look(result)
    wanted = names if look is None else look.names
    asked = (*wanted, over) if over is not None else wanted
    runs = [Run(run.label, _with(run.result, asked)) for run in runs]
    first = runs[0].result
    chosen = [n for n in first.components(wanted) if n != over]
    if not chosen:
        raise InputError("plot: nothing to plot", "name an observable")
    along = Along.of(first, over, spectrum)
    panels = panels_of(first, chosen) if len(runs) == 1 else {n: [n] for n in chosen}
    places = _places(axes, len(panels))
    for axis, (shown, members) in zip(places, panels.items(), strict=True):
        curves = list(_curves(runs, members, along))
        draw(axis, curves)
        _describe(axis, shown if len(runs) == 1 else _named(first, members[0]), along, result)
        if len(runs) == 1 or axis is places[0]:
            legend(axis)
    for axis in lowest(places) if axes is None else places:
        axis.set_xlabel(along.label, parse_math=False)
    if axes is None or title is not None:
        note = "" if look is None else look.note
        _entitle(places[0].figure, result, title, len(panels), note)
    if path is not None:
        write(places[0].figure, Path(path))
    return Panels(places)


@dataclass(frozen=True, slots=True)
class Run:
    """A result, and what it is called in a picture."""

    label: str
    result: Result


def _runs(
    result: Result, others: Mapping[str, Result] | Sequence[Result], label: str | None
) -> list[Run]:
    named = others if isinstance(others, Mapping) else {
        _called(other, k + 2): other for k, other in enumerate(others)
    }  # fmt: skip
    if not named:
        return [Run("", result)]
    own = _called(result, 1) if label is None else label
    if own in named:
        own = "first"
    return [Run(own, result), *(Run(str(n), other) for n, other in named.items())]


def _called(result: Result, number: int) -> str:
    return f"{number}: {result.info.get('model') or 'result'}"


def _with(result: Result, names: Sequence[str]) -> Result:
    """With all of these among its series; an unknown name is reported here."""
    for name in names:
        result.unit(name)
    return result.also(n for name in names for n in (name, name.rpartition(".")[0]))


@dataclass(frozen=True, slots=True)
class Along:
    """What curves are drawn over."""

    label: str
    over: str | None = None
    spectrum: bool = False
    load: bool = False

    @classmethod
    def of(cls, result: Result, over: str | None, spectrum: bool) -> Along:
        """Time, unless something else is asked for or the result is a path of equilibria."""
        if spectrum:
            return cls("frequency in Hz", spectrum=True)
        if over is not None:
            if result.components([over]) != [over]:
                raise InputError(f"plot: over '{over}', a vector",
                                 f"name a component: {result.components([over])[0]}")  # fmt: skip
            return cls(_named(result, over), over)
        loads = result.series.get("load_factor")
        if loads is not None and np.ptp(loads.values) > 0:
            return cls("load factor", load=True)
        return cls("part of a swing" if "critical_load" in result.info else "time in s")

    def curve(self, result: Result, name: str, scales: Scales) -> tuple[Array, Array]:
        """One curve: what it is drawn over, and its values."""
        y = scales.shown(result.values(name), kind_of(result, name), result.unit(name))
        if self.spectrum:
            return spectrum_of(result.time, y)
        if self.over is not None:
            kind, unit = kind_of(result, self.over), result.unit(self.over)
            return scales.shown(result.values(self.over), kind, unit), y
        return (result.series["load_factor"].values if self.load else result.time), y


def _curves(runs: Sequence[Run], names: Sequence[str], along: Along) -> Iterator[Curve]:
    """Of one panel: several observables of one result, or one of several."""
    for run in runs:
        scales = Scales.of(run.result)
        for name in names:
            _same_unit(runs[0], run, name)
            turns = not along.spectrum and kind_of(run.result, name) == "angle"
            yield Curve(run.label or name, *along.curve(run.result, name, scales), turns)


def _same_unit(first: Run, other: Run, name: str) -> None:
    one, two = first.result.unit(name), other.result.unit(name)
    if one and two and one != two:
        raise InputError(f"plot: {name} is in {one} in {first.label}, in {two} in {other.label}",
                         "draw them in pictures of their own")  # fmt: skip


def _named(result: Result, name: str) -> str:
    unit = result.unit(name)
    return name if unit in ("", "1") else f"{name} in {unit}"


def _places(axes: Any, count: int) -> list[Axes]:
    return stacked(count)[1] if axes is None else given(axes, count)


def _describe(axis: Axes, shown: str, along: Along, result: Result) -> None:
    """Names of the sides, a grid, events."""
    said = f"amplitude, {shown}" if along.spectrum else shown
    axis.set_ylabel("" if said == "1" else said, parse_math=False)
    axis.grid(alpha=0.3)
    if along.over is None and not along.spectrum and not along.load:
        for event in result.events:
            axis.axvline(event.time, color="0.6", linestyle=":", linewidth=1)
    if along.over is not None and along.label.endswith(" in m") and shown.endswith(" in m"):
        (left, right), (low, high) = axis.get_xlim(), axis.get_ylim()
        if 1 / _ALIKE <= (high - low) / (right - left) <= _ALIKE:
            axis.set_aspect("equal", adjustable="datalim")


def _entitle(figure: Any, result: Result, title: str | None, count: int, note: str) -> None:
    """The name of the model, and what the picture cannot show."""
    name = str(result.info.get("model", "")) if title is None else title
    columns = columns_for(count)
    said = [f"{count} panels in {columns} columns"] if columns > 1 else []
    said += [note] if note else []
    figure.suptitle(name, parse_math=title is not None)
    if said:
        figure.supxlabel("; ".join(said), x=0.995, ha="right", fontsize="x-small", color="0.4",
                         parse_math=False)  # fmt: skip
