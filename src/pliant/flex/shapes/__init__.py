"""Shape functions: families by name, for each of the four fields of a beam."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pliant.flex.beam import Beam
from pliant.flex.shapes.analytic import BENDING, analytic
from pliant.flex.shapes.base import Block, Field, Request, ShapeSet, polynomial, taylor
from pliant.flex.shapes.component import craig_bampton, free_interface
from pliant.model.bodies.beam_shapes import BeamShapes, Functions

__all__ = ["FAMILIES", "Block", "ShapeSet", "beam_blocks"]


FAMILIES: dict[str, Callable[[Request], tuple[Block, ...]]] = {
    **{name: partial(analytic, name) for name in BENDING},
    "taylor": taylor,
    "polynomial": polynomial,
    "craig-bampton": craig_bampton,
    "free-interface": free_interface,
}


def beam_blocks(shapes: BeamShapes, beam: Beam, *, shear: bool) -> tuple[Block, ...]:
    """The coordinates of a beam, field by field: v, w, phi, s."""
    wanted: tuple[tuple[Field, Functions], ...] = (
        ("v", shapes.bending_y),
        ("w", shapes.bending_z),
        ("phi", shapes.torsion),
        ("s", shapes.axial),
    )
    blocks: list[Block] = []
    for field, s in wanted:
        if s.count:
            request = Request(field, s.count, beam, shear, s.elements, s.interfaces, s.attachments)
            blocks.extend(FAMILIES[s.family](request))
    return tuple(blocks)
