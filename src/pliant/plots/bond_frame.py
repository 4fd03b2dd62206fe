"""Title, caption and legend around the picture of a multibond graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pliant.plots.bond_lines import COLOURS, DOUBLE, INNER, SINGLE
from pliant.plots.graph_shapes import Line, Scene, Shape, Text, extent, moved

INK, QUIET, DEPENDENT = "#20262e", "#5b6470", "#b00020"
TEXT = 12.0
_STROKE = "stroke: this end receives the effort"
_SIGNS = {"mixed": "dashed stroke: in some components",
          "held": "dashed Sf:0: what the motion basis H of a joint holds"}  # fmt: skip
_MARGIN, _HEAD, _ROW = 26.0, 60.0, 22.0


def framed(
    shapes: Sequence[Shape], title: str, caption: str, domains: Mapping[str, bool],
    signs: Collection[str],
) -> Scene:  # fmt: skip
    """Title above, legend below, everything moved into the picture. ``domains``: those that occur,
    and whether in vector bonds; ``signs``: what else has to be explained."""
    points = np.vstack([extent(s) for s in shapes])
    low, high = points.min(axis=0) - _MARGIN, points.max(axis=0) + _MARGIN
    width = max(float(high[0] - low[0]), 620.0, 7.0 * len(caption) + 2 * _MARGIN)
    shift = np.array([0.5 * (width - (high[0] - low[0])) - low[0], _HEAD - low[1]])
    legend, height = _legend(_entries(domains, signs), width, _HEAD + float(high[1] - low[1]))
    head = [Text(np.array([_MARGIN, 28.0]), title, 16, INK, bold=True, from_left=True),
            Text(np.array([_MARGIN, 48.0]), caption, TEXT, QUIET, from_left=True)]  # fmt: skip
    return Scene(width, height, title, (*(moved(s, shift) for s in shapes), *head, *legend))


@dataclass(frozen=True, slots=True)
class _Entry:
    text: str
    ink: str = QUIET
    colour: str = ""
    is_vector: bool = False


def _entries(domains: Mapping[str, bool], signs: Collection[str]) -> list[_Entry]:
    """Colours of domains, and the signs that occur."""
    found = [_Entry(d or "other", QUIET, c, domains[d]) for d, c in COLOURS.items() if d in domains]
    found.append(_Entry(_STROKE))
    found += [_Entry(text) for sign, text in _SIGNS.items() if sign in signs]
    if "derivative" in signs:
        found.append(_Entry("red: derivative causality", DEPENDENT))
    return found


def _legend(entries: Sequence[_Entry], width: float, top: float) -> tuple[list[Shape], float]:
    """What colours, strokes and letters mean; in rows."""
    shapes: list[Shape] = []
    x, y = _MARGIN, top + 8
    for e in entries:
        start = 32 if e.colour else 0
        needed = start + 6.3 * len(e.text) + 22
        if x + needed > width and x > _MARGIN:
            x, y = _MARGIN, y + _ROW
        if e.colour:
            points = np.array([[x, y], [x + 26, y]])
            shapes.append(Line(points, e.colour, DOUBLE if e.is_vector else SINGLE))
            shapes += [Line(points, "#ffffff", INNER)] if e.is_vector else []
        shapes.append(Text(np.array([x + start, y]), e.text, TEXT, e.ink, from_left=True))
        x += needed
    return shapes, y + _ROW
