"""Joints. Adding one is a file and a line in this registry."""

from pliant.model.joints.base import Coordinate, Joint
from pliant.model.joints.distance import Distance
from pliant.model.joints.locks import Locks
from pliant.model.joints.lower_pairs import (
    Cylindrical,
    Fixed,
    PinSlot,
    Planar,
    Prismatic,
    Revolute,
    Screw,
)
from pliant.model.joints.rotational import Free, Spherical
from pliant.model.joints.universal import Universal

_KINDS: tuple[type[Joint], ...] = (
    Fixed, Revolute, Prismatic, Cylindrical, Spherical, Universal, Screw, Planar, PinSlot, Locks,
    Free, Distance,
)  # fmt: skip
JOINTS: dict[str, type[Joint]] = {cls.kind: cls for cls in _KINDS}

__all__ = [
    "JOINTS", "Coordinate", "Cylindrical", "Distance", "Fixed", "Free", "Joint", "Locks",
    "PinSlot", "Planar", "Prismatic", "Revolute", "Screw", "Spherical", "Universal",
]  # fmt: skip
