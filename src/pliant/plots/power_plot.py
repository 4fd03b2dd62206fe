"""Bands of energy: sources at the left, stores and sinks at the right, in between who passes it
on. The width of a band is its energy, its colour the domain; it changes where one domain gives to
another. Bars of stores are hatched, what is dissipated ends in an arrow."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pliant.errors import InputError
from pliant.plots.power_flow import MECHANICAL, Band, Spot, flow_of
from pliant.plots.power_layout import LABEL, Layout, laid_out
from pliant.plots.power_marks import LEGEND, Unit, bar, legend, ribbon
from pliant.plots.time_plot import write
from pliant.results.power_audit import PowerAudit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WORDS = {
    ("supplied", "source"): "supplied {}", ("supplied", "sink"): "took {}",
    ("dissipated", "source"): "dissipated -{}", ("dissipated", "sink"): "dissipated {}",
    ("kinetic", "source"): "kinetic energy -{}", ("kinetic", "sink"): "kinetic energy +{}",
    ("potential", "source"): "potential energy -{}",
    ("potential", "sink"): "potential energy +{}",
    ("lifted", "source"): "fell, {}", ("lifted", "sink"): "lifted, {}",
}  # fmt: skip
_STORED = {"source": "stored -{}", "sink": "stored +{}"}
"""Of stores outside of mechanics."""
_BAR, _COLUMN, _LETTER, _LINE = 0.14, 2.0, 0.078, 0.13
"""Width of a bar, distance of columns, width of a letter, height of a small line, in inches."""


def plot_power(
    audit: PowerAudit, *, path: str | Path | None = None, title: str | None = None
) -> Figure:
    """Draw an audit; with ``path`` it is also written."""
    from matplotlib.figure import Figure

    layout = laid_out(flow_of(audit))
    if not layout.flow.bands:
        raise InputError("plot: no energy was turned over", "choose an interval with motion")
    unit = Unit.of(layout.flow.size(s) for s in layout.flow.spots)
    labels = [_label(s, unit) for s in layout.flow.spots]
    longest = max(len(line) for label in labels for line in label.split("\n"))
    margin = 0.35 + _LETTER * longest
    width = max(_COLUMN * (len(layout.columns) - 1) + 2 * margin, 6.5)
    margin = 0.5 * (width - _COLUMN * (len(layout.columns) - 1))
    height = layout.height + 0.85 + LEGEND
    figure = Figure(figsize=(width, height))
    axis = figure.add_axes((0, 0, 1, 1))
    axis.set_xlim(-margin, width - margin)
    axis.set_ylim(layout.height + 0.3 + LEGEND, -0.55)
    axis.axis("off")
    _bands(axis, layout, unit)
    for spot, label in zip(layout.flow.spots, labels, strict=True):
        _bar(axis, layout, spot, label)
    legend(axis, layout.flow, width / 2 - margin, layout.height + 0.3 + LEGEND / 2)
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


def _bands(axis: Any, layout: Layout, unit: Unit) -> None:
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
            domains = band.source.domain, way[-1].target.domain
            thick = layout.scale * band.energy
            ribbon(axis, points, thick, domains)
            if domains[0] != domains[1] and thick > _LINE:
                axis.text(points[0][0] + 0.08, points[0][1] + thick / 2,
                          f"exchanged {unit(band.energy)}",
                          ha="left", va="center", fontsize=7.5)  # fmt: skip


def _way(layout: Layout, band: Band) -> list[Band]:
    """A band with its continuations through bends."""
    way = [band]
    while way[-1].target.role == "bend":
        way += layout.flow.out_of(way[-1].target)
    return way


def _bar(axis: Any, layout: Layout, spot: Spot, label: str) -> None:
    if spot.role == "bend":
        return
    x, y = _COLUMN * spot.column, _middle(layout, spot)
    thick = max(layout.thickness(spot), 0.015)
    bar(axis, (x - _BAR / 2, y - thick / 2), (_BAR, thick), spot)
    if spot.role == "group":
        axis.text(x, y - thick / 2 - 0.06, label, ha="center", va="bottom", fontsize=8.5)
        return
    side = -1 if spot.role == "source" else 1
    axis.text(x + side * (_BAR / 2 + 0.11), y, label,
              ha="right" if side < 0 else "left", va="center", fontsize=8.5)  # fmt: skip


def _label(spot: Spot, unit: Unit) -> str:
    """Name of a spot, and what it gave or took."""
    if spot.role == "bend":
        return ""
    if spot.role == "group":
        return spot.name
    words = _WORDS.get((spot.kind, spot.role), "in small amounts {}")
    if spot.kind in ("kinetic", "potential") and spot.domain != MECHANICAL:
        words = _STORED[spot.role]
    return f"{spot.name}\n{words.format(unit(spot.energy))}"
