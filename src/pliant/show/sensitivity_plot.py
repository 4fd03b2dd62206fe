"""Picture of sensitivities: curves over time, bars of functionals, both by relative changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pliant.errors import UnknownName
from pliant.model.frozen import did_you_mean
from pliant.results.sensitivities import Sensitivities
from pliant.show.curves.panels import write

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_sensitivities(
    found: Sensitivities, *names: str, relative: bool = False, path: str | Path | None = None
) -> Figure:
    """A row for each of ``names`` (all by default); ``relative``: p ∂y/∂p over the largest y. With
    ``path`` it is also written (.png, .svg or .pdf)."""
    from matplotlib.figure import Figure

    shown = found.relative() if relative else found
    wanted = _wanted(found, names)
    figure = Figure(figsize=(8, 0.8 + 2.2 * len(wanted)), layout="constrained")
    figure.suptitle(str(found.info.get("model", "")), parse_math=False)
    axes = figure.subplots(len(wanted), 1, squeeze=False)[:, 0]
    for axis, name in zip(axes, wanted, strict=True):
        unit = shown.units.get(name, "")
        rows = shown[name].values
        if name in found.functionals:
            axis.barh([*found.parameters], rows, color="C0")
            axis.invert_yaxis()
            axis.axvline(0, color="0.3", linewidth=0.8)
            axis.set_title(f"{name} by", fontsize="medium", parse_math=False)
            axis.set_xlabel(_axis_words(unit, relative), parse_math=False)
            continue
        for k, parameter in enumerate(found.parameters):
            axis.plot(found.time, rows[:, k], label=parameter)
        axis.set_title(f"{name} by", fontsize="medium", parse_math=False)
        axis.set_ylabel(_axis_words(unit, relative), parse_math=False)
        axis.set_xlabel("time [s]")
        axis.legend(loc="best", fontsize="small")
    if path is not None:
        write(figure, Path(path))
    return figure


def _axis_words(unit: str, relative: bool) -> str:
    if relative:
        return "relative"
    return f"{unit} per SI unit" if unit not in ("", "1") else "per SI unit"


def _wanted(found: Sensitivities, names: Sequence[str]) -> Sequence[str]:
    known = (*found.observables, *found.functionals)
    for name in names:
        if name not in known:
            cure = did_you_mean(name, known) or f"known: {', '.join(known[:8])}"
            raise UnknownName(f"plot: no sensitivities of '{name}'", cure)
    return names or known[:_MOST]


_MOST = 6
"""Rows that are drawn unless names are given."""
