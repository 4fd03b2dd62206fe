"""What the user says: frozen data, names, parameters, units, files. Nothing is solved here."""

from pliant.model.bodies import (
    BODIES,
    Beam,
    BeamShapes,
    BodyState,
    Circle,
    Damping,
    FlexibleState,
    FloatingFrame,
    Functions,
    Ground,
    ISection,
    Modes,
    Properties,
    Rectangle,
    RigidBody,
    Rotary,
    Segments,
    Stiffness,
    Tube,
)
from pliant.model.bodies.elastic import Material
from pliant.model.constraints import CONSTRAINTS, Rolling, Skate, VelocityConstraint
from pliant.model.drivers import DRIVERS, FrameDriver, JointDriver
from pliant.model.events import Event
from pliant.model.forces import (
    FORCES,
    Actuator,
    Bushing,
    Force,
    JointFriction,
    JointSpring,
    Spring,
    Torque,
    TorsionSpring,
)
from pliant.model.formulas import Formula, formula
from pliant.model.frames import IDENTITY, Frame, Orientation
from pliant.model.joints import (
    JOINTS,
    Cylindrical,
    Distance,
    Fixed,
    Free,
    Joint,
    Locks,
    PinSlot,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)
from pliant.model.model import Model
from pliant.model.networks import Network, Subgraph
from pliant.model.settings import Settings
from pliant.model.signals import Signal

__all__ = [
    "BODIES", "CONSTRAINTS", "DRIVERS", "FORCES", "IDENTITY", "JOINTS", "Actuator", "Beam",
    "BeamShapes", "BodyState", "Bushing", "Circle", "Cylindrical", "Damping", "Distance", "Event",
    "Fixed", "FlexibleState", "FloatingFrame", "Force", "Formula", "Frame", "FrameDriver", "Free",
    "Functions", "Ground", "ISection", "Joint", "JointDriver", "JointFriction", "JointSpring",
    "Locks", "Material", "Model", "Modes", "Network", "Orientation", "PinSlot", "Planar",
    "Prismatic", "Properties", "Rectangle", "Revolute", "RigidBody", "Rolling", "Rotary", "Screw",
    "Segments", "Settings", "Signal", "Skate", "Spherical", "Spring", "Stiffness", "Subgraph",
    "Torque", "TorsionSpring", "Tube", "Universal", "VelocityConstraint", "formula",
]  # fmt: skip
