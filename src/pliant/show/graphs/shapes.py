"""What pictures of graphs consist of: a few shapes, drawn as SVG (plain shapes and selectable text,
nothing to fetch) or, by matplotlib, as PNG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
from numpy.typing import NDArray

from pliant.arrays import Array
from pliant.records import dataclass
from pliant.show.curves.panels import write_figure
from pliant.show.graphs.curves import Curve
from pliant.show.graphs.labels import text_half

INK, QUIET = "#20262e", "#5b6470"
TEXT = 12.0
_MARGIN, _HEAD, _ROW = 26.0, 60.0, 22.0


@dataclass(frozen=True, slots=True)
class Blob:
    """A body: the convex hull of its nodes, grown by half of ``width`` and rounded."""

    name: str
    corners: Array
    width: float
    colour: str


@dataclass(frozen=True, slots=True)
class Wedge:
    """An arrow head."""

    corners: Array
    colour: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A node."""

    centre: Array
    radius: float
    fill: str
    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """A text in the middle of ``centre``, or beginning there. ``owner``: the edge or body."""

    centre: Array
    text: str
    size: float
    colour: str
    bold: bool = False
    from_left: bool = False
    owner: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line with corners. ``kind`` and ``name`` of its edge or bond (or empty); ``title`` explains
    it."""

    points: Array
    colour: str
    width: float
    dashed: bool = False
    kind: str = ""
    name: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Stroke(Line):
    """An edge: a curve, by its three points."""

    in_tree: bool = False

    @property
    def curve(self) -> Curve:
        return Curve(*self.points)


Shape = Blob | Wedge | Dot | Text | Line


@dataclass(frozen=True, slots=True)
class Scene:
    """Shapes from back to front, in a picture of ``width`` by ``height`` pixels, y downwards."""

    width: float
    height: float
    title: str
    shapes: tuple[Shape, ...] = field(repr=False)


def extent(shape: Shape) -> Array:
    """Points that a shape reaches to."""
    if isinstance(shape, Blob):
        return np.vstack([shape.corners - shape.width / 2, shape.corners + shape.width / 2])
    if isinstance(shape, Stroke):
        return shape.curve.at(np.linspace(0, 1, 9))
    if isinstance(shape, Wedge):
        return shape.corners
    if isinstance(shape, Line):
        return shape.points
    if isinstance(shape, Dot):
        return np.array([shape.centre - shape.radius, shape.centre + shape.radius])
    half = text_half(shape.text, shape.size)
    return np.array([shape.centre - half, shape.centre + half])


def moved(shape: Shape, shift: Array) -> Shape:
    """The shape somewhere else."""
    if isinstance(shape, Blob | Wedge):
        return replace(shape, corners=shape.corners + shift)
    if isinstance(shape, Line):
        return replace(shape, points=shape.points + shift)
    return replace(shape, centre=shape.centre + shift)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a legend explains: a text, and lines (colour, width) upon each other before it."""

    text: str
    lines: tuple[tuple[str, float], ...] = ()
    dashed: bool = False
    ink: str = QUIET


def framed(shapes: Sequence[Shape], title: str, caption: str, legend: Sequence[Entry]) -> Scene:
    """Title above, legend in rows below, everything moved into the picture."""
    points = np.vstack([extent(s) for s in shapes])
    low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
    width = max(float(high[0] - low[0]), 620.0, 7.0 * len(caption) + 2 * _MARGIN)
    shift = np.array([0.5 * (width - (high[0] - low[0])) - low[0], _HEAD - low[1]])
    found = [moved(s, shift) for s in shapes]
    found.append(Text(np.array([_MARGIN, 28.0]), title, 16, INK, bold=True, from_left=True))
    found.append(Text(np.array([_MARGIN, 48.0]), caption, TEXT, QUIET, from_left=True))
    x, y = _MARGIN, _HEAD + float(high[1] - low[1]) + 8
    for entry in legend:
        start = 32 if entry.lines else 0
        needed = start + 6.3 * len(entry.text) + 22
        if x + needed > width and x > _MARGIN:
            x, y = _MARGIN, y + _ROW
        sample = np.array([[x, y], [x + 26, y]])
        found += [Line(sample, colour, wide, entry.dashed) for colour, wide in entry.lines]
        found.append(Text(np.array([x + start, y]), entry.text, TEXT, entry.ink, from_left=True))
        x += needed
    return Scene(width, y + _ROW, title, tuple(found))


_FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def svg(scene: Scene) -> str:
    """The text of the file."""
    size = f'width="{_n(scene.width)}" height="{_n(scene.height)}"'
    box = f'viewBox="0 0 {_n(scene.width)} {_n(scene.height)}"'
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {box} font-family="{_FONT}">',
        f"<title>{escape(scene.title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        *(_shape(shape) for shape in scene.shapes),
        "</svg>",
        "",
    ])  # fmt: skip


def _shape(shape: Shape) -> str:
    if isinstance(shape, Blob):
        corners = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in shape.corners) + "Z"
        return (f'<path class="body" data-name={quoteattr(shape.name)} d="{corners}" '
                f'fill="{shape.colour}" stroke="{shape.colour}" stroke-width="{_n(shape.width)}" '
                'stroke-linejoin="round" stroke-linecap="round"/>')  # fmt: skip
    if isinstance(shape, Wedge):
        return f'<polygon points="{_points(shape.corners)}" fill="{shape.colour}"/>'
    if isinstance(shape, Dot):
        x, y = map(_n, shape.centre)
        return (f'<circle class="node" data-name={quoteattr(shape.name)} cx="{x}" cy="{y}" '
                f'r="{_n(shape.radius)}" fill="{shape.fill}" stroke="#20262e" '
                f'stroke-width="1.6"><title>{escape(shape.name)}</title></circle>')  # fmt: skip
    if isinstance(shape, Line):
        return _line(shape)
    return _text(shape)


def _line(x: Line) -> str:
    """A path of SVG for a curve, else a polyline."""
    look = f'fill="none" stroke="{x.colour}" stroke-width="{_n(x.width)}"'
    if isinstance(x, Stroke):
        a, c, b = (f"{_n(p[0])} {_n(p[1])}" for p in x.points)
        words = f"edge {x.kind.replace(' ', '-')} {'tree' if x.in_tree else 'cotree'}"
        tag, look, dashes = "path", f'd="M{a}Q{c} {b}" {look}', "5 4"
    else:
        look = f'points="{_points(x.points)}" {look} stroke-linejoin="round"'
        tag, words, dashes = "polyline", x.kind, "3 2.5"
    look += f' stroke-dasharray="{dashes}"' if x.dashed else ""
    if not x.name:
        return f"<{tag} {look}/>"
    return (f'<{tag} class="{words}" data-name={quoteattr(x.name)} {look}>'
            f"<title>{escape(x.title)}</title></{tag}>")  # fmt: skip


def _text(t: Text) -> str:
    owner = f' class="name" data-name={quoteattr(t.owner)}' if t.owner else ""
    weight = ' font-weight="bold"' if t.bold else ""
    anchor = "" if t.from_left else ' text-anchor="middle"'
    halo = ' stroke="#ffffff" stroke-width="3" paint-order="stroke" stroke-linejoin="round"'
    return (f'<text{owner} x="{_n(t.centre[0])}" y="{_n(t.centre[1] + 0.35 * t.size)}"{anchor}'
            f'{weight} font-size="{_n(t.size)}" fill="{t.colour}"{halo if t.owner else ""}>'
            f"{escape(t.text)}{f'<title>{escape(t.title)}</title>' if t.title else ''}"
            "</text>")  # fmt: skip


def _points(corners: NDArray[Any]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)


def _n(value: float) -> str:
    """A number with one decimal, without a trailing zero."""
    return f"{round(float(value), 1) + 0.0:g}" if abs(value) < 1e5 else f"{value:.0f}"


_DPI = 144
_POINTS = 0.75
"""Points in a pixel of the scene (96 to the inch)."""
_NARROWER = 0.92
"""Letters of matplotlib's own font are wider than those of the SVG file."""
_LARGEST = 20_000
"""Pixels in one direction; larger pictures are made coarser."""


def write_png(scene: Scene, path: Path) -> None:
    """Draw and write."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(scene.width / 96, scene.height / 96))
    axis = figure.add_axes((0, 0, 1, 1))
    axis.set(xlim=(0, scene.width), ylim=(scene.height, 0))
    axis.axis("off")
    for order, shape in enumerate(scene.shapes):
        if isinstance(shape, Text):
            _write(axis, shape, order)
        else:
            axis.add_patch(_patch(shape, order))
    longest = max(scene.width, scene.height) / 96
    write_figure(figure, path, dpi=min(_DPI, _LARGEST / longest))


def _patch(shape: Blob | Wedge | Dot | Line, order: int) -> Any:
    from matplotlib.patches import Circle, PathPatch, Polygon
    from matplotlib.path import Path as Outline

    if isinstance(shape, Wedge):
        return Polygon(shape.corners, color=shape.colour, linewidth=0, zorder=order)
    if isinstance(shape, Dot):
        x, y = shape.centre
        return Circle((x, y), shape.radius, facecolor=shape.fill, edgecolor="#20262e",
                      linewidth=1.6 * _POINTS, zorder=order)  # fmt: skip
    if isinstance(shape, Stroke):
        outline = Outline(shape.points, [Outline.MOVETO, Outline.CURVE3, Outline.CURVE3])
        return PathPatch(outline, facecolor="none", edgecolor=shape.colour, zorder=order,
                         linewidth=shape.width * _POINTS,
                         linestyle="--" if shape.dashed else "-")  # fmt: skip
    if isinstance(shape, Line):
        return PathPatch(Outline(shape.points), facecolor="none", edgecolor=shape.colour,
                         zorder=order, linewidth=shape.width * _POINTS, joinstyle="round",
                         linestyle=(0, (2, 1.7)) if shape.dashed else "-")  # fmt: skip
    if len(shape.corners) == 1:
        x, y = shape.corners[0]
        return Circle((x, y), shape.width / 2, color=shape.colour, linewidth=0, zorder=order)
    outline = Outline([*shape.corners, shape.corners[0]])
    return PathPatch(outline, color=shape.colour, linewidth=shape.width * _POINTS,
                     joinstyle="round", capstyle="round", zorder=order)  # fmt: skip


def _write(axis: Any, text: Text, order: int) -> None:
    from matplotlib.patheffects import withStroke

    halo = [withStroke(linewidth=2.2, foreground="white")] if text.owner else []
    axis.text(*text.centre, text.text, fontsize=text.size * _POINTS * _NARROWER, color=text.colour,
              fontweight="bold" if text.bold else "normal", zorder=order, parse_math=False,
              ha="left" if text.from_left else "center", va="center",
              path_effects=halo)  # fmt: skip
