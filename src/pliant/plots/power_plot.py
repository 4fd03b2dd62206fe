"""Bands of energy: sources at the left, stores and sinks at the right, in between who passes it
on. The width of a band is its energy."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.errors import InputError
from pliant.plots.power_flow import Band, Spot, flow_of
from pliant.plots.power_layout import LABEL, Layout, laid_out
from pliant.plots.time_plot import write
from pliant.results.power_audit import PowerAudit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = {
    "supplied": "#d98a1f", "dissipated": "#b0413e", "kinetic": "#2f6fab", "potential": "#7a4fa3",
    "lifted": "#3f8f5a", "": "#8a8f98",
}  # fmt: skip
_WORDS = {
    ("supplied", "source"): "supplied {}", ("supplied", "sink"): "took {}",
    ("dissipated", "source"): "dissipated -{}", ("dissipated", "sink"): "dissipated {}",
    ("kinetic", "source"): "kinetic energy -{}", ("kinetic", "sink"): "kinetic energy +{}",
    ("potential", "source"): "potential energy -{}",
    ("potential", "sink"): "potential energy +{}",
    ("lifted", "source"): "fell, {}", ("lifted", "sink"): "lifted, {}",
}  # fmt: skip
_MECHANICAL = ("", "translation", "rotation")
_STORED = {"source": "stored -{}", "sink": "stored +{}"}
"""Of stores outside of mechanics."""
_PREFIXES = ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"))
_BAR, _COLUMN, _LETTER = 0.14, 2.0, 0.078
"""Width of a bar, distance of columns, width of a letter, in inches."""


def plot_power(
    audit: PowerAudit, *, path: str | Path | None = None, title: str | None = None
) -> Figure:
    """Draw an audit; with ``path`` it is also written."""
    from matplotlib.figure import Figure

    layout = laid_out(flow_of(audit))
    if not layout.flow.bands:
        raise InputError("plot: no energy was turned over", "choose an interval with motion")
    longest = max(len(line) for s in layout.flow.spots for line in _label(s).split("\n"))
    margin = 0.35 + _LETTER * longest
    width = _COLUMN * (len(layout.columns) - 1) + 2 * margin
    height = layout.height + 0.85
    figure = Figure(figsize=(width, height))
    axis = figure.add_axes((0, 0, 1, 1))
    axis.set_xlim(-margin, width - margin)
    axis.set_ylim(layout.height + 0.3, -0.55)
    axis.axis("off")
    _bands(axis, layout)
    for spot in layout.flow.spots:
        _bar(axis, layout, spot)
    span = f"{audit.start:g} to {audit.end:g} s"
    name = title if title is not None else audit.model
    axis.text(width / 2 - margin, -0.35, f"{name}: energy from {span}".removeprefix(": "),
              ha="center", va="center", fontsize=12)  # fmt: skip
    if path is not None:
        write(figure, Path(path))
    return figure


def _middle(layout: Layout, spot: Spot) -> float:
    """Of a bar; the label of a group stands above it."""
    return spot.y + (LABEL / 2 if spot.role == "group" else 0.0)


def _bands(axis: Any, layout: Layout) -> None:
    """Bands leave and reach bars in the order of their other ends."""
    flow = layout.flow
    starts: dict[int, float] = {}
    ends: dict[int, float] = {}
    for spot in flow.spots:
        for bands, place in ((flow.out_of(spot), starts), (flow.into(spot), ends)):
            side = "target" if place is starts else "source"
            top = _middle(layout, spot) - layout.scale * sum(b.energy for b in bands) / 2
            for band in sorted(bands, key=lambda b: getattr(b, side).y):
                place[id(band)] = top
                top += layout.scale * band.energy
    for band in flow.bands:
        if band.source.role != "bend":
            way = _way(layout, band)
            points = [(_COLUMN * band.source.column + _BAR / 2, starts[id(band)])]
            points += [(_COLUMN * b.target.column, ends[id(b)]) for b in way]
            points[-1] = (points[-1][0] - _BAR / 2, points[-1][1])
            _ribbon(axis, points, layout.scale * band.energy, _COLOURS[band.kind])


def _way(layout: Layout, band: Band) -> list[Band]:
    """A band with its continuations through bends."""
    way = [band]
    while way[-1].target.role == "bend":
        way += layout.flow.out_of(way[-1].target)
    return way


def _ribbon(axis: Any, upper: list[tuple[float, float]], thick: float, colour: str) -> None:
    """A band of constant height along the points of its upper edge, level at each of them."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    def edge(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        found = []
        for (x0, y0), (x1, y1) in pairwise(points):
            middle = (x0 + x1) / 2
            found += [(middle, y0), (middle, y1), (x1, y1)]
        return found

    lower = [(x, y + thick) for x, y in reversed(upper)]
    there, back = edge(upper), edge(lower)
    points = [upper[0], *there, lower[0], *back, upper[0]]
    codes = [Curve.MOVETO, *[Curve.CURVE4] * len(there), Curve.LINETO, *[Curve.CURVE4] * len(back),
             Curve.CLOSEPOLY]  # fmt: skip
    axis.add_patch(PathPatch(Curve(points, codes), facecolor=colour, alpha=0.45, linewidth=0))


def _bar(axis: Any, layout: Layout, spot: Spot) -> None:
    if spot.role == "bend":
        return
    from matplotlib.patches import Rectangle

    x, y, thick = _COLUMN * spot.column, _middle(layout, spot), layout.thickness(spot)
    thick = max(thick, 0.015)
    axis.add_patch(Rectangle((x - _BAR / 2, y - thick / 2), _BAR, thick,
                             facecolor=_COLOURS[spot.kind], linewidth=0))  # fmt: skip
    if spot.role == "group":
        axis.text(x, y - thick / 2 - 0.06, spot.name, ha="center", va="bottom", fontsize=9)
        return
    side = -1 if spot.role == "source" else 1
    axis.text(x + side * (_BAR / 2 + 0.06), y, _label(spot),
              ha="right" if side < 0 else "left", va="center", fontsize=8.5)  # fmt: skip


def _label(spot: Spot) -> str:
    """Name of a spot, and what it gave or took."""
    if spot.role not in ("source", "sink"):
        return spot.name
    words = _WORDS.get((spot.kind, spot.role), "{}")
    if spot.kind in ("kinetic", "potential") and spot.domain not in _MECHANICAL:
        words = _STORED[spot.role]
    return f"{spot.name}\n{words.format(_joules(spot.energy))}"


def _joules(energy: float) -> str:
    """Four digits with a prefix."""
    size, unit = next((p for p in _PREFIXES if energy >= 0.9995 * p[0]), _PREFIXES[-1])
    return f"{energy / size:.4g} {unit}"
