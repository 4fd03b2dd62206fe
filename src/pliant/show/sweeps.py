"""Pictures of sweeps: fans over time, maps over two names, parallel axes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.results.sweeps.sweep import Sweep
from pliant.show.colours import CURVES
from pliant.show.curves.panels import Panels, given, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)
_LINES = 2000
"""Curves of parallel axes; more are a random choice."""


def plot_sweep(
    sweep: Sweep, *names: str, kind: str = "fan", axes: Any = None,
    path: str | Path | None = None, **options: Any,
) -> Panels:  # fmt: skip
    """A picture of this kind, in ``axes`` if they are given, one for each name (``parallel``: one
    for all); with ``path`` it is also written (.png, .svg or .pdf)."""
    if kind not in _KINDS:
        raise InputError(f"plot: unknown kind '{kind}'",
                         did_you_mean(kind, _KINDS) or f"known: {', '.join(_KINDS)}")  # fmt: skip
    if not names:
        raise InputError("plot: nothing to plot", "name an observable or a score")
    places = _KINDS[kind](sweep, names, axes, **options)
    if path is not None:
        write(places[0].figure, Path(path))
    return Panels(places)


def _places(sweep: Sweep, axes: Any, count: int, width: float, height: float) -> list[Axes]:
    """Axes below each other, those that are given or those of a new figure."""
    from matplotlib.figure import Figure

    if axes is not None:
        return given(axes, count)
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(str(sweep.info.get("model", "")), parse_math=False)
    return list(figure.subplots(count, 1, squeeze=False)[:, 0])


def fan(sweep: Sweep, names: tuple[str, ...], given_axes: Any) -> list[Axes]:
    """Median and bands that half, and nine of ten, of all runs stay within."""
    axes = _places(sweep, given_axes, len(names), 8, 1.2 + 2.4 * len(names))
    for axis, name in zip(axes, names, strict=True):
        bands = sweep.quantiles(name, _BANDS)
        if bands.ndim != 2:
            labels = ", ".join(map(str, bands["component"].values))
            raise InputError(f"plot: '{name}' is a vector", f"name one of {labels}")
        values = bands.values
        axis.fill_between(sweep.time, values[0], values[4], alpha=0.2, linewidth=0,
                          color=CURVES[0], label="5..95 %")  # fmt: skip
        axis.fill_between(sweep.time, values[1], values[3], alpha=0.35, linewidth=0,
                          color=CURVES[0], label="25..75 %")  # fmt: skip
        axis.plot(sweep.time, values[2], color=CURVES[0], label="median")
        axis.set_ylabel(f"{name} in {bands.attrs['units']}", parse_math=False)
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize="small", frameon=False)
    axes[-1].set_xlabel("time in s")
    return axes


def heat(
    sweep: Sweep, names: tuple[str, ...], given_axes: Any, over: tuple[str, str] | None = None
) -> list[Axes]:
    """A score by colour over two of the names that were varied; runs that differ in others lie on
    top of each other, failed ones are crosses."""
    x, y = _two(sweep, over)
    axes = _places(sweep, given_axes, len(names), 7, 1.0 + 4.0 * len(names))
    for axis, name in zip(axes, names, strict=True):
        scores, (a, b) = _scores(sweep, name), (sweep.params[n] for n in (x, y))
        if sweep.varied.grid and len(sweep.varied.grid) == 2:
            columns, rows = (sweep.varied.grid[n] for n in (x, y))
            table = scores.reshape(len(columns), len(rows)) if x == sweep.varied.names[0] else (
                scores.reshape(len(rows), len(columns)).T)  # fmt: skip
            grid = (_numbers(columns), _numbers(rows), table.T)
            drawn: Any = axis.pcolormesh(*grid, shading="nearest")
        else:
            drawn = axis.scatter(_numbers(a), _numbers(b), c=scores, s=18)
        failed = [*sweep.failures]
        axis.plot(_numbers(a)[failed], _numbers(b)[failed], "x", color="0.4", markersize=4)
        figure: Any = axis.figure
        figure.colorbar(drawn, ax=axis, label=name).ax.yaxis.label.set_parse_math(False)
        for label, own, set_label, set_ticks in (
            (x, a, axis.set_xlabel, axis.set_xticks), (y, b, axis.set_ylabel, axis.set_yticks),
        ):  # fmt: skip
            set_label(_titled(sweep, label), parse_math=False)
            if own.dtype == object:
                set_ticks(np.unique(_numbers(own)), [*dict.fromkeys(map(str, own))])
    return axes


def parallel(sweep: Sweep, names: tuple[str, ...], given_axes: Any) -> list[Axes]:
    """An axis for each name that was varied and for each score, a line for each run that was
    completed; lines have the colour of the last score."""
    from matplotlib import colormaps

    columns = {_titled(sweep, n): v for n, v in sweep.params.items()}
    columns |= {name: _scores(sweep, name) for name in names}
    numbers = {n: _numbers(v) for n, v in columns.items()}
    axis = _places(sweep, given_axes, 1, 2 + 1.6 * len(columns), 4.5)[0]
    table = np.column_stack([*map(_scaled, numbers.values())])
    whole = np.flatnonzero(np.isfinite(table).all(axis=1))
    if len(whole) > _LINES:
        whole = np.random.default_rng(0).choice(whole, _LINES, replace=False)
    for k in whole[np.argsort(table[whole, -1])]:
        axis.plot(table[k], color=colormaps["viridis"](table[k, -1]), linewidth=0.8, alpha=0.6)
    for place, (name, values) in enumerate(numbers.items()):
        axis.axvline(place, color="0.3", linewidth=1)
        if columns[name].dtype == object:
            ends = [*dict.fromkeys(map(str, columns[name]))]
            ends = [ends[0], ends[-1]]
        else:
            ends = [f"{e(values):.4g}" for e in (np.nanmin, np.nanmax)]
        for height, text in zip((-0.05, 1.02), ends, strict=True):
            axis.text(place, height, text, ha="center", fontsize="small", parse_math=False)
    axis.set_xticks(range(len(numbers)), [*numbers])
    for label in axis.get_xticklabels():
        label.set_parse_math(False)
    axis.tick_params(axis="x", pad=16, length=0)
    if sweep.failures:
        axis.set_title(f"without {len(sweep.failures)} that failed", loc="right", fontsize="small")
    axis.set_yticks([])
    axis.set_ylim(0, 1)
    for side in axis.spines.values():
        side.set_visible(False)
    return [axis]


_KINDS: dict[str, Callable[..., list[Axes]]] = {"fan": fan, "heat": heat, "parallel": parallel}


def _scores(sweep: Sweep, criterion: str) -> Array:
    """A number for each run that was completed: what others reached until they stopped is none."""
    found = sweep.score(criterion)
    found[[*sweep.failures]] = np.nan
    return found


def _two(sweep: Sweep, over: tuple[str, str] | None) -> tuple[str, str]:
    """The names of a map."""
    chosen = sweep.varied.names[:2] if over is None else tuple(over)
    unknown = [n for n in chosen if n not in sweep.params]
    if len(chosen) != 2 or unknown:
        told = f"'{unknown[0]}' is not varied" if unknown else "a map needs two names"
        raise InputError(f"plot: {told}", f"over: two of {', '.join(sweep.varied.names)}")
    return chosen[0], chosen[1]


def _titled(sweep: Sweep, name: str) -> str:
    unit = sweep.varied.units.get(name, "")
    return f"{name} in {unit}" if unit else name


def _numbers(values: Array) -> Array:
    """Numbers as they are; words as places in the order in which they come."""
    if values.dtype != object:
        return values
    places = {word: k for k, word in enumerate(dict.fromkeys(map(str, values)))}
    return np.array([float(places[str(v)]) for v in values])


def _scaled(values: Array) -> Array:
    """From 0 to 1."""
    if not np.isfinite(values).any():
        return np.full(len(values), np.nan)
    low, high = np.nanmin(values), np.nanmax(values)
    return np.asarray((values - low) / (high - low) if high > low else 0 * values + 0.5)
