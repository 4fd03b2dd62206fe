"""Bands of energy: sources at the left, stores and sinks at the right, in between who passes it on.

The width of a band is its energy, its colour the domain; it changes where one domain gives to
another. Bars of stores are hatched, what is dissipated ends in an arrow. Spots stand in columns by
the way energy goes, without overlaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import floor, log10
from pathlib import Path
from typing import Any

from pliant.errors import InputError
from pliant.records import dataclass
from pliant.results.power_audit import PowerAudit
from pliant.show.bonds.lines import COLOURS as BONDS
from pliant.show.curves.panels import Panels, given, write
from pliant.show.power_flow import MECHANICAL, Band, Flow, Spot, flow_of

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
LABEL = 0.36
"""Height of a label of two lines, in inches."""
GAP = 0.14
_HEIGHT = 3.2
"""Height of the column with the most energy, in inches."""
_SWEEPS = 12
Point = tuple[float, float]
DOMAINS = {MECHANICAL: BONDS["translation"], "electrical": BONDS["electrical"],
           "hydraulic": BONDS["hydraulic"], "thermal": BONDS["thermal"]}  # fmt: skip
_OTHER = BONDS[""]
_LOST = "#b0413e"
_HATCHES = {"kinetic": "/////", "potential": "xxxxx", "lifted": "....."}
_KINDS = {"supplied": "source", "kinetic": "stored in I", "potential": "stored in C",
          "lifted": "against gravity", "dissipated": "dissipated"}  # fmt: skip
LEGEND = 0.4
"""Height of the legend, in inches."""
_PREFIXES = ((1e6, "MJ"), (1e3, "kJ"), (1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"))
_STEPS = 24
"""Pieces of a band whose colour changes."""


def plot_power(
    audit: PowerAudit, *, axes: Any = None, path: str | Path | None = None,
    title: str | None = None,
) -> Panels:  # fmt: skip
    """Draw an audit, in ``axes`` if they are given; with ``path`` it is also written."""
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
    axis: Any
    if axes is None:
        axis = Figure(figsize=(width, height)).add_axes((0, 0, 1, 1))
    else:
        axis = given(axes, 1)[0]
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
        write(axis.figure, Path(path))
    return Panels([axis])


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
            way = [band]
            while way[-1].target.role == "bend":
                way += flow.out_of(way[-1].target)
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


@dataclass(frozen=True, slots=True)
class Layout:
    """Columns of spots from left to right; ``scale``: inches per joule."""

    flow: Flow
    columns: list[list[Spot]]
    scale: float

    def thickness(self, spot: Spot) -> float:
        """Height of a bar, in inches."""
        return self.scale * self.flow.size(spot)

    def room(self, spot: Spot) -> float:
        """Height that a bar takes with its label."""
        thick = self.thickness(spot)
        if spot.role == "bend":
            return thick
        return thick + LABEL if spot.role == "group" else max(thick, LABEL)

    @property
    def height(self) -> float:
        return max(
            (sum(self.room(s) + GAP for s in column) for column in self.columns), default=1.0
        )


def laid_out(flow: Flow) -> Layout:
    """Spots with column and y (of the middle of their bars)."""
    _columns(flow)
    bent = _with_bends(flow)
    last = max((s.column for s in bent.spots), default=0)
    columns = [[s for s in bent.spots if s.column == k] for k in range(last + 1)]
    most = max((sum(bent.size(s) for s in column) for column in columns), default=1.0)
    layout = Layout(bent, columns, _HEIGHT / (most or 1.0))
    _rows(layout)
    return layout


def _columns(flow: Flow) -> None:
    """Longest way from a source; sources first, sinks last."""
    for _ in flow.spots:
        for band in flow.bands:
            band.target.column = max(band.target.column, band.source.column + 1)
    last = max((s.column for s in flow.spots), default=0)
    for spot in flow.spots:
        if spot.role == "sink":
            spot.column = last
        elif spot.role == "group" and not flow.into(spot):
            spot.column = 1


def _with_bends(flow: Flow) -> Flow:
    """The same with a bend in every column that a band crosses."""
    bent = Flow(list(flow.spots))
    for band in flow.bands:
        before = band.source
        for column in range(band.source.column + 1, band.target.column):
            bend = Spot("", "bend", domain=band.target.domain, column=column)
            bent.spots.append(bend)
            bent.bands.append(Band(before, bend, band.energy, band.kind))
            before = bend
        bent.bands.append(Band(before, band.target, band.energy, band.kind))
    return bent


def _rows(layout: Layout) -> None:
    """Every spot near the spots it is joined to, sweeping to and fro."""
    for column in layout.columns:
        _spread(layout, column)
    for sweep in range(_SWEEPS):
        forward = sweep % 2 == 0
        for column in layout.columns[1:] if forward else layout.columns[-2::-1]:
            for spot in column:
                bands = layout.flow.into(spot) if forward else layout.flow.out_of(spot)
                ends = [(b.source if forward else b.target, b.energy) for b in bands]
                if ends:
                    spot.y = sum(s.y * e for s, e in ends) / sum(e for _, e in ends)
            column.sort(key=lambda s: s.y)
            _spread(layout, column)


def _spread(layout: Layout, column: list[Spot]) -> None:
    """Push spots apart, then back into the picture."""
    top = 0.0
    for spot in column:
        half = layout.room(spot) / 2
        spot.y = max(spot.y, top + half)
        top = spot.y + half + GAP
    bottom = layout.height
    for spot in reversed(column):
        half = layout.room(spot) / 2
        spot.y = min(spot.y, bottom - half)
        bottom = spot.y - half - GAP


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit for a picture, with so many decimals that the largest energy has four digits."""

    size: float
    name: str
    decimals: int

    @classmethod
    def of(cls, energies: Iterable[float]) -> Unit:
        largest = max(energies, default=0.0)
        size, name = next((p for p in _PREFIXES if largest >= 0.9995 * p[0]), _PREFIXES[-1])
        digits = floor(log10(1.00005 * largest / size)) if largest > 0 else 0
        return cls(size, name, max(0, 3 - digits))

    def __call__(self, energy: float) -> str:
        return f"{energy / self.size:.{self.decimals}f} {self.name}"


def colour(domain: str) -> str:
    return DOMAINS.get(domain, _OTHER)


def ribbon(axis: Any, upper: Sequence[Point], thick: float, domains: tuple[str, str]) -> None:
    """A band of constant height along the points of its upper edge, level at each of them; its
    colour goes from one domain to the other."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    def edge(points: Sequence[Point]) -> list[Point]:
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
    patch = PathPatch(Curve(points, codes), facecolor=colour(domains[0]), alpha=0.42, linewidth=0)
    if domains[0] == domains[1]:
        axis.add_patch(patch)
        return
    patch.set_facecolor("none")
    axis.add_patch(patch)
    _change(axis, patch, upper, domains)


def _change(axis: Any, patch: Any, upper: Sequence[Point], domains: tuple[str, str]) -> None:
    """Stripes from the colour of one domain to that of the other, within a band."""
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Rectangle

    first, last = to_rgb(colour(domains[0])), to_rgb(colour(domains[1]))
    box = patch.get_path().get_extents()
    wide = (upper[-1][0] - upper[0][0]) / _STEPS
    for k in range(_STEPS):
        s = min(max((k / (_STEPS - 1) - 0.25) / 0.5, 0.0), 1.0)
        mixed = tuple((1 - s) * a + s * b for a, b in zip(first, last, strict=True))
        stripe = Rectangle((upper[0][0] + k * wide, box.y0), wide, box.height, facecolor=mixed,
                           alpha=0.42, linewidth=0)  # fmt: skip
        axis.add_patch(stripe)
        stripe.set_clip_path(patch)


def bar(axis: Any, low: Point, size: Point, spot: Spot) -> None:
    """The end of bands: hatched for stores, an arrow for what is dissipated."""
    from matplotlib.patches import Polygon, Rectangle

    (x, y), (wide, high) = low, size
    if spot.kind == "dissipated" and spot.role == "sink":
        tip = [(x, y), (x + 1.4 * wide, y + high / 2), (x, y + high)]
        axis.add_patch(Polygon(tip, closed=True, facecolor=_LOST, linewidth=0))
        return
    hatch = _HATCHES.get(spot.kind)
    axis.add_patch(Rectangle(low, wide, high, facecolor=colour(spot.domain), linewidth=0,
                             edgecolor="white", hatch=hatch))  # fmt: skip


def legend(axis: Any, flow: Flow, x: float, y: float) -> None:
    """Domains and kinds that occur, in one line about x."""
    from matplotlib.patches import Rectangle

    used = {s.domain for s in flow.spots}
    kinds = {s.kind for s in flow.spots if s.role in ("source", "sink")}
    entries = [(d, Spot("", "group", domain=d)) for d in DOMAINS if d in used]
    entries += [(text, Spot("", "sink", kind)) for kind, text in _KINDS.items() if kind in kinds]
    widths = [0.3 + 0.066 * len(text) + 0.2 for text, _ in entries]
    x -= sum(widths) / 2
    for (text, spot), wide in zip(entries, widths, strict=True):
        if spot.role == "group":
            axis.add_patch(Rectangle((x, y - 0.06), 0.22, 0.12, facecolor=colour(spot.domain),
                                     alpha=0.6, linewidth=0))  # fmt: skip
        else:
            bar(axis, (x + 0.06, y - 0.08), (0.12, 0.16), spot)
        axis.text(x + 0.3, y, text, ha="left", va="center", fontsize=8)
        x += wide
