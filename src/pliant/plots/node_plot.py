"""The nodes of a body with given modes at some times, in its floating frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.arrays import Array
from pliant.flex.data import FlexibleData

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SHARE = 0.1
"""Of the size of the body: how large displacements are drawn if no factor is asked for."""


def node_positions(data: FlexibleData, count: int, q: Array) -> tuple[Array, Array]:
    """Undeformed (nodes, 3) and deformed (times, nodes, 3) positions."""
    frames = [data.frame(node) for node in range(count)]
    return np.array([f.p0 for f in frames]), np.stack([f.positions(q) for f in frames], axis=1)


def clear_factor(p0: Array, points: Array) -> float:
    """1, 2 or 5 times a power of ten: displacements are drawn up to a tenth of the body."""
    largest = float(np.linalg.norm(points - p0, axis=-1).max(initial=0.0))
    size = float(np.linalg.norm(np.ptp(p0, axis=0)))
    if largest <= 1e-12 * size:
        return 1.0
    wanted = _SHARE * size / largest
    power = 10.0 ** np.floor(np.log10(wanted))
    return float(power * max(step for step in (1, 2, 5) if step * power <= wanted * (1 + 1e-9)))


def draw_nodes(p0: Array, points: Array, lines: Array, labels: list[str], factor: float) -> Figure:
    """Undeformed nodes in grey, then one colour for each time; lines join nodes."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.add_subplot(projection="3d", proj_type="ortho")
    colors = colormaps["viridis"](np.linspace(0.0, 0.9, len(points)))
    shown = [p0, *(p0 + factor * (p - p0) for p in points)]
    for p, color, label in zip(shown, ["0.7", *colors], ["undeformed", *labels], strict=True):
        for a, b in lines.astype(int):
            axes.plot(*p[[a, b]].T, color=color, linewidth=1)
        axes.plot(*p.T, linestyle="", marker="o", markersize=3, color=color, label=label)
    axes.set_aspect("equal")
    _label(axes)
    figure.legend(loc="outside right center", fontsize="small", frameon=False)
    if factor != 1:
        axes.set_title(f"displacements × {factor:g}", fontsize="small")
    return figure


def _label(axes: Any) -> None:
    """Names, and as many numbers as an axis is long."""
    from matplotlib.ticker import MaxNLocator

    spans = {k: float(np.ptp(getattr(axes, f"get_{k}lim")())) for k in "xyz"}
    for k, span in spans.items():
        axis, share = getattr(axes, f"{k}axis"), span / max(spans.values())
        axis.set_major_locator(MaxNLocator(max(1, round(5 * share))))
        axis.set_tick_params(labelsize="small")
        getattr(axes, f"set_{k}label")(f"{k} in m", labelpad=4 + 10 * share)
