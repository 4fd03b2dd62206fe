"""Forces: registered in `FORCES` under the name files use."""

from pliant.model.forces.applied import Force, Torque
from pliant.model.forces.between import Cylinder, LinearActuator, WorldSpring
from pliant.model.forces.bushing import Bushing
from pliant.model.forces.on_coordinate import (
    Actuator,
    JointFriction,
    JointSpring,
    OnCoordinate,
    Rotor,
    TorsionSpring,
)
from pliant.model.forces.spring import Spring

ForceElement = (
    Force | Torque | Spring | JointSpring | Bushing | JointFriction | Actuator | LinearActuator
    | Cylinder | WorldSpring | Rotor
)  # fmt: skip

FORCES: dict[str, type[ForceElement]] = {
    "force": Force,
    "torque": Torque,
    "spring": Spring,
    "joint_spring": JointSpring,
    "torsion_spring": TorsionSpring,
    "bushing": Bushing,
    "friction": JointFriction,
    "actuator": Actuator,
    "linear_actuator": LinearActuator,
    "cylinder": Cylinder,
    "world_spring": WorldSpring,
    "rotor": Rotor,
}

__all__ = [
    "FORCES", "Actuator", "Bushing", "Cylinder", "Force", "ForceElement", "JointFriction",
    "JointSpring", "LinearActuator", "OnCoordinate", "Rotor", "Spring", "Torque", "TorsionSpring",
    "WorldSpring",
]  # fmt: skip
