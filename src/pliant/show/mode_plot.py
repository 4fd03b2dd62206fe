"""Modes in one picture: their frequencies, and which coordinates move in each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.errors import InputError
from pliant.results.modes import ModesResult
from pliant.show.curves.panels import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = 20


def plot_modes(
    result: ModesResult, *, path: str | Path | None = None, title: str | None = None
) -> Figure:
    """Bars of frequencies beside a table of shapes; with ``path`` it is also written."""
    from matplotlib.figure import Figure

    modes = result.modes[:_MOST]
    if not modes:
        raise InputError("plot: there are no modes", "the system has no freedom")
    figure = Figure(figsize=(11, 1.6 + 0.42 * len(modes)), layout="constrained")
    bars, table = figure.subplots(1, 2, sharey=True, width_ratios=(1, 1.4))
    places = np.arange(len(modes))
    bars.barh(places, [m.frequency for m in modes], height=0.6)
    for y, m in zip(places, modes, strict=True):
        note = f"  {m.frequency:.4g} Hz" + (f", {100 * m.damping:.3g} %" if m.damping else "")
        bars.text(m.frequency, y, note, va="center", fontsize="small")
    bars.set_yticks(places, [f"{m.number}  {m.label}" for m in modes])
    bars.set_xlim(0, 1.8 * max(m.frequency for m in modes) or 1.0)
    bars.set_xlabel("frequency in Hz, damping in %")
    bars.invert_yaxis()
    _shapes(figure, table, result, len(modes))
    name = str(result.info.get("model", ""))
    figure.suptitle(name if title is None else title, parse_math=title is not None)
    if path is not None:
        write(figure, Path(path))
    return figure


def _shapes(figure: Any, axis: Any, result: ModesResult, count: int) -> None:
    """Real parts of the shapes; coordinates that hardly move anywhere are left out."""
    shapes = result.shapes[:, :count]
    size = np.abs(shapes).max(axis=1)
    kept = np.sort(np.argsort(-size)[: 2 * _MOST])
    picture = axis.imshow(shapes.real[kept].T, cmap="coolwarm", vmin=-1, vmax=1, aspect="auto")
    axis.set_xticks(np.arange(len(kept)), [result.coordinates[k] for k in kept], rotation=90,
                    fontsize="small")  # fmt: skip
    axis.set_title("shape", fontsize="medium")
    figure.colorbar(picture, ax=axis, shrink=0.8)
