"""Modes as a table: their frequencies, and which coordinates move in each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from pliant.errors import InputError
from pliant.model.frozen import did_you_mean
from pliant.results.modes import ModesResult
from pliant.show.colours import CURVES
from pliant.show.curves.panels import Panels, given, write
from pliant.show.shapes.modes import chosen, plot_shapes

_MOST = 20


def plot_modes(result: ModesResult, *, kind: str = "shapes", **options: Any) -> Panels:
    """Pictures of modes: ``shapes`` draws the mechanism in each, ``heat`` their frequencies beside
    a table of the coordinates that move."""
    if kind not in KINDS:
        raise InputError(f"plot: unknown kind '{kind}'",
                         did_you_mean(kind, KINDS) or f"known: {', '.join(KINDS)}")  # fmt: skip
    return KINDS[kind](result, **options)


def plot_heat(
    result: ModesResult, *, modes: Iterable[int] | None = None, axes: Any = None,
    path: str | Path | None = None, title: str | None = None,
) -> Panels:  # fmt: skip
    """Bars of frequencies beside a table of shapes; ``axes``: two. With ``path`` it is also
    written."""
    from matplotlib.figure import Figure

    shown = chosen(result, modes, _MOST)
    if axes is None:
        figure = Figure(figsize=(11, 1.6 + 0.42 * len(shown)), layout="constrained")
        axes = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.4))
        name = str(result.info.get("model", ""))
        figure.suptitle(name if title is None else title, parse_math=title is not None)
    bars, table = given(axes, 2)
    places = np.arange(len(shown))
    bars.barh(places, [m.frequency for m in shown], height=0.6, color=CURVES[0])
    for y, m in zip(places, shown, strict=True):
        note = f"  {m.frequency:.4g} Hz" + (f", {100 * m.damping:.3g} %" if m.damping else "")
        bars.text(m.frequency, float(y), note, va="center", fontsize="small")
    bars.set_yticks(places, [f"{m.number}  {m.label}" for m in shown])
    bars.set_xlim(0, 1.8 * max(m.frequency for m in shown) or 1.0)
    bars.set_xlabel("frequency in Hz, damping in %")
    if not bars.yaxis_inverted():
        bars.invert_yaxis()
    _shapes(table, result, [m.number - 1 for m in shown])
    if path is not None:
        write(bars.figure, Path(path))
    return Panels([bars, table])


def _shapes(axis: Any, result: ModesResult, shown: list[int]) -> None:
    """Real parts of the shapes; coordinates that hardly move anywhere are left out."""
    if not len(result.coordinates):
        axis.set_axis_off()
        axis.set_title("nothing moves", fontsize="medium")
        return
    shapes = result.shapes[:, shown]
    size = np.abs(shapes).max(axis=1)
    kept = np.sort(np.argsort(-size)[: 2 * _MOST])
    picture = axis.imshow(shapes.real[kept].T, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto")
    axis.set_xticks(np.arange(len(kept)), [result.coordinates[k] for k in kept], rotation=90,
                    fontsize="small")  # fmt: skip
    axis.set_title("shape", fontsize="medium")
    axis.figure.colorbar(picture, ax=axis, shrink=0.8)


KINDS: dict[str, Callable[..., Panels]] = {"shapes": plot_shapes, "heat": plot_heat}
