"""Modes as shapes: one panel for each, the mechanism as it swings over where it is at rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import InputError
from pliant.results.modes import Mode, ModesResult
from pliant.results.result import Result
from pliant.show.colours import CURVES, GRID_STRONG
from pliant.show.curves.panels import Panels, given, stacked, write
from pliant.show.picture.moving import Instant, Mechanism
from pliant.show.shapes.drawn import drawn, put

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_USUAL = 12
"""Modes that are drawn if nobody says which."""
_SIZES = ((4, 640, 480), (12, 480, 360), (10_000, 320, 240))
"""Up to so many panels: pixels of each."""
_DPI = 120
_SIGNS = 5
"""Digits of frequencies."""


def plot_shapes(
    result: ModesResult, *, modes: Iterable[int] | None = None, axes: Any = None,
    path: str | Path | None = None, title: str | None = None,
) -> Panels:  # fmt: skip
    """One panel for each of ``modes`` (numbered from 1; the first twelve), with frequency and
    damping; a model without bodies is shown by its eigenvalues. With ``path`` it is written."""
    shown = chosen(result, modes, _USUAL)
    bodies = _has_bodies(result)
    count = len(shown) if bodies else 1
    if axes is not None:
        places = given(axes, count)
    else:
        places = _new(count) if bodies else stacked(1, width=10.0, height=3.6)[1]
    if bodies:
        _draw(result, shown, places)
    else:
        _eigenvalues(result, shown, places[0])
    figure: Any = places[0].figure
    if axes is None or title is not None:
        name = str(result.info.get("model", "")) if title is None else title
        figure.suptitle(name, parse_math=title is not None)
    if axes is None and modes is None and len(shown) < len(result):
        note = f"{len(shown)} of {len(result)} modes; modes=[...] draws others"
        figure.supxlabel(note, x=0.995, ha="right", fontsize="x-small", color="0.4")
    if path is not None:
        write(figure, Path(path))
    return Panels(places)


def described(mode: Mode) -> str:
    """``0.3745 Hz, damping 1.02 %``; what does not swing by the rate at which it goes away."""
    growth = mode.eigenvalue.real
    if mode.rigid:
        return "rigid motion"
    if not mode.omega:
        return f"{'decays' if growth <= 0 else 'grows'} at {abs(growth):.4g} 1/s"
    said = f"{mode.frequency:.{_SIGNS}g} Hz"
    if growth > 0:
        return f"{said}, grows at {growth:.3g} 1/s"
    return f"{said}, damping {100 * mode.damping:.3g} %" if mode.damping else f"{said}, undamped"


def chosen(result: ModesResult, modes: Iterable[int] | None, most: int) -> list[Mode]:
    """Modes by their numbers, or the first of them."""
    if not len(result):
        raise InputError("plot: there are no modes", "the system has no freedom")
    if modes is None:
        return list(result.modes[:most])
    numbers = list(modes)
    wrong = [k for k in numbers if isinstance(k, bool) or not 1 <= k <= len(result)]
    if wrong or not numbers:
        said = f"mode {wrong[0]}" if wrong else "no mode"
        raise InputError(f"plot: {said}: there are modes 1 to {len(result)}")
    return [result.modes[k - 1] for k in numbers]


def _has_bodies(result: ModesResult) -> bool:
    about = result.about
    if about is None or result.mover is None:
        raise InputError("plot: this copy of the modes does not hold the model",
                         "compute them again, or plot them by kind='heat'")  # fmt: skip
    return any(name.endswith(".orientation") for name in about.series)


def _new(count: int) -> list[Axes]:
    """A grid of panels, a little wider than high."""
    from matplotlib.figure import Figure

    columns = count if count < 4 else max(2, round((1.1 * count) ** 0.5))
    rows = -(-count // columns)
    width, height = _pixels(count)
    size = (columns * width / _DPI, rows * (height / _DPI + 0.45) + 0.5)
    figure = Figure(figsize=(max(size[0], 5.0), size[1]), layout="constrained")
    places = list(figure.subplots(rows, columns, squeeze=False).ravel())
    for axis in places[count:]:
        axis.remove()
    return places[:count]


def _pixels(count: int) -> tuple[int, int]:
    return next((w, h) for most, w, h in _SIZES if count <= most)


def _draw(result: ModesResult, shown: Sequence[Mode], places: Sequence[Axes]) -> None:
    mechanism = Mechanism(extremes(result, shown))
    rest, size = Instant(0, 0.0), _pixels(len(shown))
    for k, (mode, axis) in enumerate(zip(shown, places, strict=True)):
        image = drawn(mechanism, Instant(k + 1, 0.0), rest, size)
        put(axis, image, f"{mode.number}  {mode.label}\n{described(mode)}")


def extremes(result: ModesResult, shown: Sequence[Mode]) -> Result:
    """The state at rest, then each mode where its largest coordinate turns back."""
    move = result.mover
    assert move is not None
    taken = [move(shown[0], 2, 1.0, 0.0), *(move(mode, 2, 1.0, None) for mode in shown)]
    series = {
        name: replace(s, values=np.concatenate([one.series[name].values[:1] for one in taken]))
        for name, s in taken[0].series.items()
    }
    return replace(taken[0], time=np.arange(len(taken), dtype=np.float64), series=series)


def _eigenvalues(result: ModesResult, shown: Sequence[Mode], axis: Axes) -> None:
    """In the complex plane, each with its conjugate."""
    for k, mode in enumerate(shown):
        s, colour = mode.eigenvalue, CURVES[k % len(CURVES)]
        both = np.array([s, s.conjugate()])
        axis.plot(both.real, both.imag, "x", color=colour, markersize=8, markeredgewidth=2,
                  label=f"{mode.number}  {mode.label}: {described(mode)}")  # fmt: skip
    axis.axhline(0, color=GRID_STRONG, linewidth=0.8, zorder=0)
    axis.axvline(0, color=GRID_STRONG, linewidth=0.8, zorder=0)
    axis.grid(alpha=0.3)
    axis.margins(0.15)
    axis.set_xlabel("Re s in 1/s")
    axis.set_ylabel("Im s in rad/s")
    made = axis.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small",
                       frameon=False)  # fmt: skip
    for text in made.get_texts():
        text.set_parse_math(False)
