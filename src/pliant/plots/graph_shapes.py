"""What pictures of graphs consist of; any backend draws these few shapes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from pliant.arrays import Array
from pliant.plots.graph_curves import Curve
from pliant.plots.graph_labels import text_half

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
class Stroke:
    """A line. ``kind`` and ``name`` of its edge (or empty); ``title`` explains it."""

    curve: Curve
    colour: str
    width: float
    dashed: bool = False
    kind: str = ""
    name: str = ""
    in_tree: bool = False
    title: str = ""


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
    """A line with corners. ``kind`` and ``name`` of its bond (or empty); ``title`` explains it."""

    points: Array
    colour: str
    width: float
    dashed: bool = False
    kind: str = ""
    name: str = ""
    title: str = ""


Shape = Blob | Stroke | Wedge | Dot | Text | Line


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
    if isinstance(shape, Stroke):
        c = shape.curve
        return replace(shape, curve=Curve(c.a + shift, c.c + shift, c.b + shift))
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
