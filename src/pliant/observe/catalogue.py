"""What an observable is, and names, units, kinds and labels of those of every element.

They are written once: expressions, the tree kernel and blocks read them here, and keep a value or a
place beside them. World axes throughout; reactions act on the child, at the origin of its joint
frame.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from pliant.model.forces import action
from pliant.model.joints import Joint
from pliant.records import dataclass

XYZ, QUATERNION = ("x", "y", "z"), ("w", "x", "y", "z")
MATRIX = tuple(f"{i}{j}" for j in XYZ for i in XYZ)
"""Labels of a rotation matrix, column by column."""
SUPPLIED, DISSIPATED, TAKEN, STORED = "supplied", "dissipated", "taken", "stored"
"""Roles of a power: of a source; of loads that dissipate; into a resistance; into a store."""
_Q = TypeVar("_Q", bound="Quantity")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A named quantity of the model: scalar, vector or matrix.

    ``labels`` name the components, of which there are ``size`` (as many as labels if nothing else
    is said). ``kind`` is what comparisons ask for: position, velocity, acceleration, coordinate,
    rate, angle, reaction, effort, energy, power, output (of the user) or other. ``wraps`` marks an
    angle known only modulo a turn whose rate is the observable of that name. ``role``: what the
    power of an element is in the energy book (``pliant.code.energy``).
    """

    unit: str = ""
    owner: str = ""
    kind: str = "other"
    labels: tuple[str, ...] = ()
    wraps: str = ""
    role: str = ""
    size: int = 0

    def __post_init__(self) -> None:
        if not self.size:
            object.__setattr__(self, "size", max(len(self.labels), 1))

    def of(self, owner: str, **more: str) -> Quantity:
        """The same of an element."""
        return replace(self, owner=owner, **more)  # type: ignore[arg-type]

    def made(
        self, kind: type[_Q], *, owner: str | None = None, wraps: str | None = None,
        size: int = 0, **beside: Any,
    ) -> _Q:  # fmt: skip
        """The same with something beside it."""
        return kind(self.unit, self.owner if owner is None else owner, self.kind, self.labels,
                    self.wraps if wraps is None else wraps, self.role, size or self.size,
                    **beside)  # fmt: skip

    @property
    def plain(self) -> Quantity:
        """The same without what computes it."""
        return self if type(self) is Quantity else self.made(Quantity)

    @property
    def told(self) -> Quantity:
        """As results tell it: rotation matrices as quaternions."""
        if self.kind != "rotation":
            return self
        return Quantity("1", self.owner, self.kind, QUATERNION)

    @property
    def is_element_power(self) -> bool:
        """Whether it is the power of an element, whose integral is its work."""
        return self.kind == "power" and bool(self.owner)


@dataclass(frozen=True, slots=True)
class SymbolicObservable(Quantity):
    """A named quantity of the model as an expression."""

    expression: Any = None


def role_of_force(element: action.Acting | None, done: action.Action) -> str:
    """What the power of a force is in the book. What has a potential is in the energy itself, and
    its damping by its own law."""
    if done.potential is not None:
        return ""
    return DISSIPATED if element is not None and element.is_friction else SUPPLIED


COORDINATE, RATE = Quantity(kind="coordinate"), Quantity(kind="rate")
ENERGY, POWER = Quantity("J", kind="energy"), Quantity("W", kind="power")
FORMULA, OUTPUT = Quantity(), Quantity(kind="output")
FRAME = {
    "position": Quantity("m", kind="position", labels=XYZ),
    "orientation": Quantity("1", kind="rotation", labels=MATRIX),
    "velocity": Quantity("m/s", kind="velocity", labels=XYZ),
    "angular_velocity": Quantity("rad/s", kind="velocity", labels=XYZ),
    "acceleration": Quantity("m/s^2", kind="acceleration", labels=XYZ),
    "angular_acceleration": Quantity("rad/s^2", kind="acceleration", labels=XYZ),
}
"""Of every frame of every body."""
ACROSS = {
    "orientation": Quantity("1", kind="rotation", labels=MATRIX),
    "angular_velocity": Quantity("rad/s", kind="rate", labels=XYZ),
    "displacement": Quantity("m", kind="coordinate", labels=XYZ),
    "displacement_rate": Quantity("m/s", kind="rate", labels=XYZ),
}
"""Of joints whose rotation has no scalar coordinates; the last two of free joints."""
ANGLE = Quantity("rad", kind="angle")
"""Of a rotation, told by an angle set; not sure near its singular pose."""
ANGLE_RATE = Quantity("rad/s", kind="angle_rate")
REACTION = {
    "force": Quantity("N", kind="reaction", labels=XYZ),
    "torque": Quantity("N*m", kind="reaction", labels=XYZ),
}
TOTALS = {
    "kinetic_energy": ENERGY, "potential_energy": ENERGY, "energy": ENERGY,
    "kinetic_energy_rate": POWER,
}  # fmt: skip
"""Of the system."""
MOMENTA = {
    name: Quantity(unit, kind=kind, labels=XYZ) for name, (unit, kind) in action.MOMENTA.items()
}
"""Of a system that has mass."""
DEFLECTION = {
    "deflection": Quantity("m", kind="deflection", labels=XYZ),
    "rotation": Quantity("rad", kind="deflection", labels=XYZ),
}
"""Of frames of beams."""
_KIND_OF_UNIT = {"m": "position", "m/s": "velocity"}
_SENSED = {
    **_KIND_OF_UNIT, "rad/s": "velocity", "m/s^2": "acceleration", "rad/s^2": "acceleration",
    "N": "effort", "N*m": "effort",
}  # fmt: skip


def joint_quantities(joint: Joint, *, wraps: bool = False) -> dict[str, Quantity]:
    """Coordinates and rates of a joint; ``wraps``: angles are known modulo a turn."""
    found: dict[str, Quantity] = {}
    for c in joint.scalars:
        rate = f"{joint.name}.{c.rate}" if wraps and c.wraps else ""
        found[c.name] = COORDINATE.of(joint.name, unit=c.unit, wraps=rate)
        found[c.rate] = RATE.of(joint.name, unit=f"{c.unit}/s")
    if joint.nu > len(joint.scalars):
        count = 2 if joint.m else 4
        found |= {n: q.of(joint.name) for n, q in list(ACROSS.items())[:count]}
        found |= dict.fromkeys(joint.angle_names, ANGLE.of(joint.name))
        found |= dict.fromkeys(joint.angle_rates, ANGLE_RATE.of(joint.name))
    return found


def effort_along(unit: str) -> tuple[str, Quantity]:
    """An effort along a joint coordinate of this unit: a torque or a force."""
    label, unit = ("torque", "N*m") if unit == "rad" else ("force", "N")
    return label, Quantity(unit, kind="effort")


def sensed_quantity(unit: str, *, vector: bool = False) -> Quantity:
    """What a sensor tells, of which the unit is known."""
    return Quantity(unit, kind=_SENSED.get(unit, "other"), labels=XYZ if vector else ())


def output_quantity(unit: str, *, other: str = "effort", vector: bool = False) -> Quantity:
    """An output of an element, of which the unit is known."""
    return Quantity(unit, kind=_KIND_OF_UNIT.get(unit, other), labels=XYZ if vector else ())
