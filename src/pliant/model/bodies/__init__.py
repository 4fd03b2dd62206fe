"""Bodies: one kind per file, registered in `BODIES`."""

from pliant.model.bodies.rigid import Ground, RigidBody
from pliant.model.bodies.state import BodyState

Body = RigidBody
BODIES: dict[str, type[Body]] = {"rigid": RigidBody}

__all__ = ["BODIES", "Body", "BodyState", "Ground", "RigidBody"]
