"""How energy looks: colours of domains, hatched stores, arrows of what is dissipated, numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, log10
from typing import Any

from pliant.plots.bond_lines import COLOURS as BONDS
from pliant.plots.power_flow import MECHANICAL, Flow, Spot

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
