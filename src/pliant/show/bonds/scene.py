"""The picture of a multibond graph as a list of shapes, which any backend can draw.

Every body, joint, force and driver is a pale box with its elements; vector bonds are double lines
with their dimension, strokes stand at the end that receives the effort; title, caption and legend
are put around. Source: S0, chapters 2, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from pliant.show.bonds.drawing import HELD, HELD_WIDTH, BondDrawing, Box
from pliant.show.bonds.groups import SIZE
from pliant.show.bonds.lines import COLOURS, DOUBLE, INNER, SINGLE, bond_lines
from pliant.show.graphs import shapes as draw

_FILL = {"ground": "#e9ebee", "body": "#e6eef7", "joint": "#fbf0e6", "driver": "#f7f3da",
         "force": "#f2e8f5", "network": "#e6f2ec"}  # fmt: skip
_PARTS = ("#d3e8dd", "#c2dfd0", "#e6f2ec")
"""Of parts, of parts in them, and so on."""
_CORNER = 9.0
DEPENDENT = "#b00020"
_STROKE = "stroke: this end receives the effort"
_SIGNS = {"mixed": "dashed stroke: in some components",
          "held": "dashed Sf:0: what the motion basis H of a joint holds"}  # fmt: skip
_RED = "red: derivative causality"


def bond_scene(drawing: BondDrawing, *, title: str, caption: str) -> draw.Scene:
    """The shapes of a drawing, from back to front."""
    return draw.framed(_shapes(drawing), title, caption, legend(drawing))


def _shapes(drawing: BondDrawing) -> list[draw.Shape]:
    shapes: list[draw.Shape] = [_outline(box) for box in drawing.boxes]
    for b in drawing.bonds:
        shapes += bond_lines(b.bond, b.way, b.ends)
    shapes += [
        draw.Line(h.way, draw.QUIET, HELD_WIDTH, True, "held", h.junction, h.title)
        for h in drawing.held
    ]
    for element, s in drawing.symbols.items():
        ink = DEPENDENT if s.dependent else draw.INK
        shapes.append(draw.Text(s.at, s.text, SIZE, ink, bold=True, owner=element, title=s.title))
    shapes += [draw.Text(h.at, HELD, SIZE - 1, draw.QUIET, title=h.title) for h in drawing.held]
    titles = {box.name: box.title for box in drawing.boxes}
    for note in drawing.notes:
        owner = note.of if note.kind == "box" else ""
        title = titles[owner] if owner else ""
        name = note.name
        shapes.append(draw.Text(note.at, name.text, name.size, draw.QUIET, bool(owner),
                                owner=owner, title=title))  # fmt: skip
    return shapes


def _outline(box: Box) -> draw.Blob:
    colour = _PARTS[box.depth % len(_PARTS)] if box.kind == "part" else _FILL[box.kind]
    low, high = box.outline.low + _CORNER, box.outline.high - _CORNER
    corners = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    return draw.Blob(box.name, corners, 2 * _CORNER, colour)


def legend(drawing: BondDrawing) -> list[draw.Entry]:
    """Colours of domains, and the signs that occur."""
    vector: dict[str, bool] = {}
    for b in drawing.bonds:
        domain = b.bond.domain if b.bond.domain in COLOURS else ""
        vector[domain] = vector.get(domain, False) or b.bond.dim > 1
    signs = {"mixed"} if any(b.ends.is_mixed for b in drawing.bonds) else set()
    signs |= {"held"} if drawing.held else set()
    signs |= {"derivative"} if any(s.dependent for s in drawing.symbols.values()) else set()
    return _legend(vector, signs)


def _legend(domains: Mapping[str, bool], signs: Collection[str]) -> list[draw.Entry]:
    """``domains``: those that occur, and whether in vector bonds."""
    found = []
    for d, c in ((d, c) for d, c in COLOURS.items() if d in domains):
        lines = ((c, DOUBLE), ("#ffffff", INNER)) if domains[d] else ((c, SINGLE),)
        found.append(draw.Entry(d or "other", lines))
    found.append(draw.Entry(_STROKE))
    found += [draw.Entry(text) for sign, text in _SIGNS.items() if sign in signs]
    return found + [draw.Entry(_RED, ink=DEPENDENT)] * ("derivative" in signs)
