"""What pictures of graphs consist of; any backend draws these few shapes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from pliant.arrays import Array
from pliant.plots.graph_curves import Curve
from pliant.plots.graph_labels import text_half


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
