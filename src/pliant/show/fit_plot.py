"""Picture of a fit: samples, what the model tells, and residuals below."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pliant.results.fit import Fit
from pliant.show.time_plot import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_fit(fit: Fit, *, path: str | Path | None = None) -> Figure:
    """A column for every observable; with ``path`` it is also written (.png, .svg or .pdf)."""
    from matplotlib.figure import Figure

    count = len(fit.compared)
    figure = Figure(figsize=(max(6.0, 4.5 * count), 5), layout="constrained")
    figure.suptitle(fit.model, parse_math=False)
    axes = figure.subplots(2, count, sharex="col", squeeze=False, height_ratios=[3, 1])
    for (above, below), (name, c) in zip(axes.T, fit.compared.items(), strict=True):
        above.plot(c.times, c.measured, ".", color="0.5", markersize=3, label="measured")
        above.plot(c.times, c.told, color="C0", label="fitted")
        above.set_ylabel(f"{name} [{c.unit}]" if c.unit else name, parse_math=False)
        above.legend(loc="best", fontsize="small")
        below.plot(c.times, c.residuals, ".", color="C0", markersize=3)
        below.axhspan(-c.deviation, c.deviation, color="C0", alpha=0.15, linewidth=0)
        below.set_ylabel("residual")
        below.set_xlabel("time [s]")
    if path is not None:
        write(figure, Path(path))
    return figure
