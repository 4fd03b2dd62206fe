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
from pliant.model.constraints import (
    CONSTRAINTS,
    Coupling,
    Gear,
    Rack,
    Rolling,
    Skate,
    VelocityConstraint,
)
from pliant.model.drivers import DRIVERS, FrameDriver, JointDriver
from pliant.model.events import Event
from pliant.model.forces import (
    FORCES,
    Actuator,
    Bushing,
    Cylinder,
    Force,
    JointFriction,
    JointSpring,
    LinearActuator,
    Rotor,
    Spring,
    Torque,
    TorsionSpring,
    WorldSpring,
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
from pliant.model.named import NamedFormula, Output
from pliant.model.networks import Network, Subgraph
from pliant.model.sensors import SENSORS, DistanceSensor, MotionSensor
from pliant.model.settings import Settings
from pliant.model.signals import Signal

__all__ = [
    "BODIES", "CONSTRAINTS", "DRIVERS", "FORCES", "IDENTITY", "JOINTS", "SENSORS", "Actuator",
    "Beam", "BeamShapes", "BodyState", "Bushing", "Circle", "Coupling", "Cylinder",
    "Cylindrical", "Damping", "Distance", "DistanceSensor", "Event", "Fixed", "FlexibleState",
    "FloatingFrame", "Force", "Formula", "Frame", "FrameDriver", "Free", "Functions", "Gear",
    "Ground", "ISection", "Joint", "JointDriver", "JointFriction", "JointSpring",
    "LinearActuator", "Locks", "Material", "Model", "Modes", "MotionSensor", "NamedFormula",
    "Network", "Orientation", "Output", "PinSlot", "Planar", "Prismatic", "Properties", "Rack",
    "Rectangle", "Revolute", "RigidBody", "Rolling", "Rotary", "Rotor", "Screw", "Segments",
    "Settings", "Signal", "Skate", "Spherical", "Spring", "Stiffness", "Subgraph", "Torque",
    "TorsionSpring", "Tube", "Universal", "VelocityConstraint", "WorldSpring", "formula",
]  # fmt: skip
