"""Constraints beside joints and drivers, registered in `CONSTRAINTS`."""

from pliant.model.constraints.contact import Rolling, Skate, Touching
from pliant.model.constraints.couplings import Coupling, Gear, Rack, VelocityConstraint
from pliant.model.constraints.holding import Held, Holding

Constraint = Rolling | Skate | VelocityConstraint | Coupling | Gear | Rack
CONSTRAINTS: dict[str, type[Constraint]] = {
    "rolling": Rolling,
    "skate": Skate,
    "velocity": VelocityConstraint,
    "coupling": Coupling,
    "gear": Gear,
    "rack": Rack,
}

__all__ = [
    "CONSTRAINTS", "Constraint", "Coupling", "Gear", "Held", "Holding", "Rack", "Rolling", "Skate",
    "Touching", "VelocityConstraint",
]  # fmt: skip
