"""What the user says: frozen data, names, parameters, units, files. Nothing is solved here."""

from pliant.model.bodies import BODIES, BodyState, Ground, RigidBody
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
from pliant.model.joints import JOINTS, Joint
from pliant.model.materials import Material
from pliant.model.model import Model
from pliant.model.settings import Settings
from pliant.model.signals import Signal

__all__ = [
    "BODIES",
    "DRIVERS",
    "FORCES",
    "IDENTITY",
    "JOINTS",
    "Actuator",
    "BodyState",
    "Bushing",
    "Event",
    "Force",
    "Formula",
    "Frame",
    "FrameDriver",
    "Ground",
    "Joint",
    "JointDriver",
    "JointFriction",
    "JointSpring",
    "Material",
    "Model",
    "Orientation",
    "RigidBody",
    "Settings",
    "Signal",
    "Spring",
    "Torque",
    "TorsionSpring",
    "formula",
]
