"""A scene as PNG, drawn by matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pliant.plots.graph_shapes import Blob, Dot, Line, Scene, Stroke, Text, Wedge
from pliant.plots.time_plot import write_figure

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


def _patch(shape: Blob | Stroke | Wedge | Dot | Line, order: int) -> Any:
    from matplotlib.patches import Circle, PathPatch, Polygon
    from matplotlib.path import Path as Outline

    if isinstance(shape, Wedge):
        return Polygon(shape.corners, color=shape.colour, linewidth=0, zorder=order)
    if isinstance(shape, Dot):
        x, y = shape.centre
        return Circle((x, y), shape.radius, facecolor=shape.fill, edgecolor="#20262e",
                      linewidth=1.6 * _POINTS, zorder=order)  # fmt: skip
    if isinstance(shape, Stroke):
        c = shape.curve
        outline = Outline([c.a, c.c, c.b], [Outline.MOVETO, Outline.CURVE3, Outline.CURVE3])
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
