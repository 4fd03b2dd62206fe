"""Bodies: one kind per file, registered in `BODIES`.

Every body has a name, a `kind`, `frames` (with those it has of itself), `initial` and `shape`; what
it says of itself besides is declared in `Moving`.
"""

from pliant.model.bodies.beam import Beam, Rotary, Stiffness
from pliant.model.bodies.beam_shapes import BeamShapes, Functions
from pliant.model.bodies.elastic import Damping, Deformable, FloatingFrame
from pliant.model.bodies.modes import Modes
from pliant.model.bodies.rigid import Ground, RigidBody
from pliant.model.bodies.sections import (
    Circle,
    ISection,
    Properties,
    Rectangle,
    Section,
    Tube,
)
from pliant.model.bodies.state import BodyState, FlexibleState
from pliant.model.bodies.theories import Segments

Body = RigidBody | Beam | Modes
BODIES: dict[str, type[Body]] = {"rigid": RigidBody, "beam": Beam, "modes": Modes}

__all__ = [
    "BODIES", "Beam", "BeamShapes", "Body", "BodyState", "Circle", "Damping", "Deformable",
    "FlexibleState", "FloatingFrame", "Functions", "Ground", "ISection", "Modes", "Properties",
    "Rectangle", "RigidBody", "Rotary", "Section", "Segments", "Stiffness", "Tube",
]  # fmt: skip
