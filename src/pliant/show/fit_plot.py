"""Picture of a fit: samples, what the model tells, and residuals below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pliant.results.fit import Fit
from pliant.show.colours import CURVES
from pliant.show.curves.panels import Panels, given, write


def plot_fit(fit: Fit, *, axes: Any = None, path: str | Path | None = None) -> Panels:
    """A column for every observable: above what was measured and fitted, below residuals. ``axes``:
    those of the first row, then of the second. With ``path`` it is also written
    (.png, .svg or .pdf)."""
    from matplotlib.figure import Figure

    count = len(fit.compared)
    if axes is None:
        figure = Figure(figsize=(max(6.0, 4.5 * count), 5), layout="constrained")
        figure.suptitle(fit.model, parse_math=False)
        axes = figure.subplots(2, count, sharex="col", squeeze=False, height_ratios=[3, 1])
    places = given(axes, 2 * count)  # a row above, a row below
    pairs = zip(places[:count], places[count:], strict=True)
    for (above, below), (name, c) in zip(pairs, fit.compared.items(), strict=True):
        above.plot(c.times, c.measured, ".", color="0.5", markersize=3, label="measured")
        above.plot(c.times, c.told, color=CURVES[0], label="fitted")
        above.set_ylabel(f"{name} [{c.unit}]" if c.unit else name, parse_math=False)
        above.legend(loc="best", fontsize="small")
        below.plot(c.times, c.residuals, ".", color=CURVES[0], markersize=3)
        below.axhspan(-c.deviation, c.deviation, color=CURVES[0], alpha=0.15, linewidth=0)
        below.set_ylabel("residual")
        below.set_xlabel("time [s]")
    if path is not None:
        write(places[0].figure, Path(path))
    return Panels(places)
