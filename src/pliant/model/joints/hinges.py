"""Hinges of segmented beams by their names, before beams are cut: `rod:h2`.

How a hinge is numbered, and whether it moves in all directions of its beam, is known when the beam
is cut (`flex.rewriting`); a name that nothing has is refused there. Until then a hinge stands for
every coordinate that one of its beam may have.
"""

from __future__ import annotations

import re
from typing import ClassVar

from pliant.model.joints.base import Coordinate
from pliant.records import dataclass

HINGE = re.compile(r"([A-Za-z_]\w*):h[1-9]\d*", re.ASCII)
"""The name of a hinge, and its beam."""
_TURNS = {"bending_z": "angle1", "bending_y": "angle2", "torsion": "angle3"}
_MOVES = {"shear_y": "d1", "shear_z": "d2", "axial": "d3"}


@dataclass(frozen=True, slots=True)
class Hinge:
    """A hinge between segments that move in these directions."""

    name: str
    directions: tuple[str, ...]

    kind: ClassVar[str] = "segment"
    measured: ClassVar[tuple[Coordinate, ...]] = ()
    told_set: ClassVar[None] = None

    @property
    def scalars(self) -> tuple[Coordinate, ...]:
        """Of a joint of its own where there are several directions; of one at an end that moves in
        one direction alone, `angle` or `displacement`."""
        several = len(self.directions) > 1
        turns = [name for d, name in _TURNS.items() if d in self.directions and several]
        moves = [name for d, name in _MOVES.items() if d in self.directions and several]
        turns += ["angle"] if set(self.directions) & set(_TURNS) else []
        moves += ["displacement"] if set(self.directions) & set(_MOVES) else []
        return tuple(Coordinate(n, f"{n}_rate", "rad" if n in turns else "m")
                     for n in (*moves, *turns))  # fmt: skip

    def acting(self, name: str | None) -> Coordinate | None:
        """The coordinate that something acts along; None as a name is the only one."""
        if name is None:
            return self.scalars[0] if len(self.scalars) == 1 else None
        return next((c for c in self.scalars if c.name == name), None)

    @property
    def told_names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.scalars)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return tuple(c.rate for c in self.scalars)

    @property
    def names(self) -> frozenset[str]:
        """Coordinates and rates as formulas name them."""
        return frozenset(f"{self.name}.{n}" for n in (*self.told_names, *self.rate_names))
