"""How a segment is drawn: its section where that is a simple solid, otherwise a rod."""

from __future__ import annotations

from typing import Any

from pliant.model.bodies import Beam, Circle, Rectangle, Tube
from pliant.model.formulas import Formula


def drawing(beam: Beam, length: Formula) -> dict[str, Any]:
    """A shape along x, of the length of the segment."""
    section = beam.section
    if isinstance(section, Circle | Tube):
        radius = section.radius if isinstance(section, Circle) else section.outer
        return {"cylinder": {"radius": radius, "length": length, "axis": "x"}}
    if isinstance(section, Rectangle):
        return {"box": {"size": (length, section.width, section.height)}}
    return {"rod": {"length": length, "along": "x"}}
