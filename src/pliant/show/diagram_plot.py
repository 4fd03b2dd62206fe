"""Diagrams of internal forces along a beam, one curve for each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pliant.results.diagram import UNITS, Diagram
from pliant.show.curves.panels import Panels, given, stacked, write

_SAID = {
    "N": "normal force N", "Qy": "shear force Qy", "Qz": "shear force Qz",
    "Mx": "torsional moment Mx", "My": "bending moment My", "Mz": "bending moment Mz",
}  # fmt: skip


def plot_diagram(
    diagram: Diagram, *, axes: Any = None, path: str | Path | None = None,
    title: str | None = None,
) -> Panels:  # fmt: skip
    """Forces and moments that are not zero along the beam, below each other. Those that redundant
    constraints leave undetermined are dashed."""
    from matplotlib import colormaps

    names = diagram.carried or ("N",)
    places = stacked(len(names), height=1.9)[1] if axes is None else given(axes, len(names))
    colors = colormaps["viridis"]([0.9 * k / max(len(diagram.time) - 1, 1)
                                   for k in range(len(diagram.time))])  # fmt: skip
    determined = dict(zip(UNITS, diagram.unique, strict=True))
    for axis, name in zip(places, names, strict=True):
        values = diagram[name].reshape(len(diagram.time), -1)
        for t, row, color in zip(diagram.time, values, colors, strict=True):
            axis.plot(diagram.x, row, color=color, label=f"{t:.4g} s",
                      linestyle="-" if determined[name] else "--")  # fmt: skip
        if len(diagram.time) == 1:
            axis.fill_between(diagram.x, values[0], color=colors[0], alpha=0.15)
        axis.axhline(0, color="0.5", linewidth=0.8)
        axis.set_ylabel(f"{_SAID[name]}\nin {UNITS[name].replace('*', ' ')}", fontsize="small")
        axis.grid(alpha=0.3)
    places[0].legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize="small", frameon=False)
    places[-1].set_xlabel("along the beam in m")
    figure: Any = places[0].figure
    if axes is None or title is not None:
        figure.suptitle(title if title is not None else diagram.beam)
    if path is not None:
        write(figure, Path(path))
    return Panels(places)
