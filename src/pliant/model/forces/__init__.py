"""Forces: one kind per file, registered in `FORCES` under the name files use."""

from pliant.model.forces.actuator import Actuator
from pliant.model.forces.applied import Force, Torque
from pliant.model.forces.bushing import Bushing
from pliant.model.forces.friction import JointFriction
from pliant.model.forces.joint_spring import JointSpring, TorsionSpring
from pliant.model.forces.spring import Spring

ForceElement = Force | Torque | Spring | JointSpring | Bushing | JointFriction | Actuator

FORCES: dict[str, type[ForceElement]] = {
    "force": Force,
    "torque": Torque,
    "spring": Spring,
    "joint_spring": JointSpring,
    "torsion_spring": TorsionSpring,
    "bushing": Bushing,
    "friction": JointFriction,
    "actuator": Actuator,
}

__all__ = [
    "FORCES",
    "Actuator",
    "Bushing",
    "Force",
    "ForceElement",
    "JointFriction",
    "JointSpring",
    "Spring",
    "Torque",
    "TorsionSpring",
]
