"""Shape functions: families by name, for each of the four fields of a beam."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from pliant.errors import InputError
from pliant.flex.beam import Beam
from pliant.flex.shapes.analytic import BENDING, bending
from pliant.flex.shapes.base import Block, Field, Request, ShapeSet
from pliant.flex.shapes.component import craig_bampton, free_interface
from pliant.flex.shapes.polynomial import polynomial, taylor
from pliant.flex.shapes.waves import waves

__all__ = ["FAMILIES", "BeamShapes", "Block", "ShapeSet", "Shapes", "beam_blocks"]


def _analytic(family: str, request: Request) -> tuple[Block, ...]:
    return bending(family, request) if request.bending else waves(family, request)


FAMILIES: dict[str, Callable[[Request], tuple[Block, ...]]] = {
    **{name: partial(_analytic, name) for name in BENDING},
    "taylor": taylor,
    "polynomial": polynomial,
    "craig-bampton": craig_bampton,
    "free-interface": free_interface,
}


@dataclass(frozen=True, slots=True)
class Shapes:
    """A family and how many of its functions (0: the field is left out).

    Component families also read `elements` (of the finite element model), `interfaces`
    (fractions of the length) and `attachments`.
    """

    family: str = "clamped-free"
    count: int = 0
    elements: int = 20
    interfaces: tuple[float, ...] = (0.0, 1.0)
    attachments: bool = False

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise InputError(
                f"shapes: unknown family '{self.family}'", f"known: {', '.join(FAMILIES)}"
            )
        if self.count < 0 or self.elements < 1:
            raise InputError(
                f"shapes: count {self.count}, elements {self.elements}",
                "give a count of at least 0 and at least one element",
            )
        if not self.interfaces or any(not 0 <= x <= 1 for x in self.interfaces):
            raise InputError(
                f"shapes: interfaces {self.interfaces}",
                "give fractions of the length between 0 and 1",
            )


@dataclass(frozen=True, slots=True)
class BeamShapes:
    """Shapes for v (bending in x-y), w (bending in x-z), phi (twist) and s (stretch)."""

    bending_y: Shapes = Shapes()
    bending_z: Shapes = Shapes()
    torsion: Shapes = Shapes()
    axial: Shapes = Shapes()


def beam_blocks(shapes: BeamShapes, beam: Beam, *, shear: bool) -> tuple[Block, ...]:
    """The coordinates of a beam, field by field: v, w, phi, s."""
    wanted: tuple[tuple[Field, Shapes], ...] = (
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
