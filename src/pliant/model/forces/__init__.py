"""Forces: registered in `FORCES` under the name files use."""

from pliant.model.forces.applied import Force, Torque
from pliant.model.forces.bushing import Bushing
from pliant.model.forces.on_coordinate import (
    Actuator,
    JointFriction,
    JointSpring,
    OnCoordinate,
    TorsionSpring,
)
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
    "FORCES", "Actuator", "Bushing", "Force", "ForceElement", "JointFriction", "JointSpring",
    "OnCoordinate", "Spring", "Torque", "TorsionSpring",
]  # fmt: skip
