"""Lower pairs but the ball: joints that slide along canonical axes and may turn about z.

``free`` names their coordinates: x, y, z slide along an axis, a is the angle about z. What is not
free is held: components of p, and either all of R or the tilt of z.

    X_FM = (Rz(a), p)       residual = (p held; R02, R12) with a free, (p held; vee R) without

A screw turns about z and advances by ``pitch`` metres per radian.
Source: S0 7.3 (revolute), 7.4 (cylindrical), 7.5 (prismatic), 7.6 (screw), 7.7 (planar); S1
(pin in slot).
"""

from __future__ import annotations

from dataclasses import KW_ONLY
from dataclasses import replace as _replace
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.errors import Fault, ModelError
from pliant.model.fields import Quantity, Written, has, number
from pliant.model.joints.axis import AxialJoint, Axis, AxisKind, unit_axis
from pliant.model.joints.base import Coordinate, Joint
from pliant.model.joints.parts import locked, tilted, translation, turn, upright
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_z

ANGLE = Coordinate("angle", "angle_rate", "rad", wraps=True)
_DISPLACEMENT = Coordinate("displacement", "displacement_rate", "m")
_SPEEDS = {"a": 2, "x": 3, "y": 4, "z": 5}
"""Place of the speed of each coordinate in V_FM."""


@dataclass(frozen=True, slots=True)
class LowerPair(Joint):
    """A joint with these coordinates."""

    free: ClassVar[str] = ""
    by_axes: ClassVar[bool] = True

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        axis = self.canonical_axes()[:, 2]
        return {c.name: (self.parent, axis)
                for letter, c in zip(self.free, self.scalars, strict=True)
                if letter in "az"}  # fmt: skip

    @property
    def _held(self) -> str:
        return "".join(axis for axis in "xyz" if axis not in self.free)

    def pose(self, ops: Ops, q: Any) -> Pose:
        at = {letter: q[k] for k, letter in enumerate(self.free)}
        R = rot_z(ops, at["a"]) if "a" in at else ops.const(np.eye(3))
        slides = len(self._held) < 3
        return Pose(R, ops.vec(*(at.get(axis, 0) for axis in "xyz")) if slides else ops.zeros(3))

    def motion(self, ops: Ops, q: Any) -> Any:
        if not self.free:
            return ops.zeros(6, 0)
        return ops.const(np.eye(6)[:, [_SPEEDS[letter] for letter in self.free]])

    def _rotation(self, ops: Ops, X: Pose) -> tuple[list[Any], list[Any]]:
        return tilted(ops, X) if "a" in self.free else locked(ops, X)

    def residual(self, ops: Ops, X: Pose) -> Any:
        held = [X.p[k] for k, axis in enumerate("xyz") if axis in self._held]
        return ops.stack([*held, *self._rotation(ops, X)[0]])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, self._held), *self._rotation(ops, X)[1]])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [X.R[2, 2] if "a" in self.free else upright(X.R)]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        p = dict(zip("xyz", (X.p[k] for k in range(3)), strict=True))
        return ops.vec(*(turn(ops, X)[0] if letter == "a" else p[letter] for letter in self.free))

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        if not self.free:
            return ops.zeros(6, 0)
        return ops.columns([turn(ops, X)[1] if letter == "a" else translation(ops, letter)[0]
                            for letter in self.free])  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fixed(LowerPair):
    """Child welded to parent: the two frames coincide.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Fixed("weld", "ground", "box")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    0
    """

    kind: ClassVar[str] = "fixed"
    welds: ClassVar[bool] = True
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z", "rx", "ry", "rz")


@dataclass(frozen=True, slots=True)
class Revolute(AxialJoint, LowerPair):
    """Rotation by ``angle`` about the axis.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Revolute("hinge", "ground", "box", axis="y", initial={"angle": "30 deg"})
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    1
    """

    kind: ClassVar[str] = "revolute"
    free: ClassVar[str] = "a"
    common: ClassVar[tuple[str, ...]] = ("point", "axis")
    scalars: ClassVar[tuple[Coordinate, ...]] = (ANGLE,)
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z", "tilt1", "tilt2")


@dataclass(frozen=True, slots=True)
class Prismatic(AxialJoint, LowerPair):
    """Translation by ``displacement`` along the axis, no rotation.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Prismatic("slide", "ground", "box", axis="x")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    1
    """

    kind: ClassVar[str] = "prismatic"
    free: ClassVar[str] = "z"
    common: ClassVar[tuple[str, ...]] = ("axis1", "axis2", "axis")
    scalars: ClassVar[tuple[Coordinate, ...]] = (_DISPLACEMENT,)
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "rx", "ry", "rz")


@dataclass(frozen=True, slots=True)
class Cylindrical(AxialJoint, LowerPair):
    """Rotation by ``angle`` about the axis and translation by ``displacement`` along it.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Cylindrical("sleeve", "ground", "box", axis="x")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    2
    """

    kind: ClassVar[str] = "cylindrical"
    free: ClassVar[str] = "az"
    common: ClassVar[tuple[str, ...]] = ("axis",)
    scalars: ClassVar[tuple[Coordinate, ...]] = (ANGLE, _DISPLACEMENT)
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "tilt1", "tilt2")


@dataclass(frozen=True, slots=True)
class PinSlot(LowerPair):
    """A pin of the child in a slot of the parent: translation by ``displacement`` along the slot,
    rotation by ``angle`` about the axis of the pin, across it.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.PinSlot("slot", "ground", "box", axis="z", slot="x")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    2
    """

    _: KW_ONLY
    axis: Written[Axis] = has(AxisKind(), "z", "of the pin, in the axes of both frames")
    slot: Written[Axis] = has(AxisKind(), "x", "direction of the slot, in the axes of both frames")

    kind: ClassVar[str] = "pin_slot"
    free: ClassVar[str] = "xa"
    common: ClassVar[tuple[str, ...]] = ("axis",)
    scalars: ClassVar[tuple[Coordinate, ...]] = (_DISPLACEMENT, ANGLE)
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("y", "z", "tilt1", "tilt2")

    def __post_init__(self) -> None:
        Joint.__post_init__(self)
        if abs(unit_axis(self.axis) @ unit_axis(self.slot)) > 1e-9:
            what = "axis and slot of a pin in a slot are not perpendicular"
            raise ModelError([Fault(
                f"joint '{self.name}'", what, "give two directions at a right angle",
                path=("joints", self.name, "slot"),
            )])  # fmt: skip

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        R = self.canonical_axes()
        return {"displacement": (self.parent, R[:, 0]), "angle": (self.child, R[:, 2])}

    def canonical_axes(self) -> Array:
        along, about = unit_axis(self.slot), unit_axis(self.axis)
        return np.column_stack([along, np.cross(about, along), about])


@dataclass(frozen=True, slots=True)
class Planar(AxialJoint, LowerPair):
    """Translation by ``x``, ``y`` in the plane normal to the axis, rotation ``angle`` about it.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Planar("table", "ground", "box", axis="z")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    3
    """

    kind: ClassVar[str] = "planar"
    free: ClassVar[str] = "xya"
    common: ClassVar[tuple[str, ...]] = ("axis",)
    scalars: ClassVar[tuple[Coordinate, ...]] = (
        Coordinate("x", "x_rate", "m"), Coordinate("y", "y_rate", "m"), ANGLE,
    )  # fmt: skip
    row_units: ClassVar[tuple[str, ...]] = ("m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("z", "tilt1", "tilt2")


@dataclass(frozen=True, slots=True)
class Translation(LowerPair):
    """Position x, y, z in parent axes; the axes stay parallel. Not to be written in models: a free
    body without inertia gets it in place of a free joint (``pliant.graphs.spanning_tree``)."""

    kind: ClassVar[str] = "translation"
    free: ClassVar[str] = "xyz"
    scalars: ClassVar[tuple[Coordinate, ...]] = tuple(
        Coordinate(axis, f"v{axis}", "m") for axis in "xyz"
    )
    row_units: ClassVar[tuple[str, ...]] = ("rad", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("rx", "ry", "rz")


@dataclass(frozen=True, slots=True)
class Screw(AxialJoint):
    """Rotation by ``angle`` about the axis and translation ``pitch * angle`` along it.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Screw("spindle", "ground", "box", axis="x", pitch="2 mm/rad")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    1
    """

    _: KW_ONLY
    pitch: Quantity = number("m/rad", doc="advance per radian")

    kind: ClassVar[str] = "screw"
    scalars: ClassVar[tuple[Coordinate, ...]] = (ANGLE,)
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad", "m")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "tilt1", "tilt2", "advance")
    multi_turn: ClassVar[bool] = True
    advances: ClassVar[bool] = True
    common: ClassVar[tuple[str, ...]] = ("axis",)

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        return {"angle": (self.parent, self.canonical_axes()[:, 2])}

    def evaluated(self, evaluate: Any) -> Any:
        copy = _replace(self)
        object.__setattr__(copy, "pitch", evaluate(self.pitch))
        return copy

    def pose(self, ops: Ops, q: Any) -> Pose:
        return Pose(rot_z(ops, q[0]), ops.vec(0, 0, self.pitch * q[0]))

    def motion(self, ops: Ops, q: Any) -> Any:
        return ops.columns([ops.vec(0, 0, 1, 0, 0, self.pitch)])

    def effort(self, ops: Ops, q: Any) -> Any:
        return ops.const(np.array([[0, 0, 1, 0, 0, 0]]).T)

    def residual(self, ops: Ops, X: Pose) -> Any:
        return self.wound(ops, X, turn(ops, X))

    def wound(self, ops: Ops, X: Pose, q: Any) -> Any:
        advance = X.p[2] - self.pitch * q[0]
        return ops.stack([X.p[0], X.p[1], *tilted(ops, X)[0], advance])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        advance = translation(ops, "z")[0] - self.pitch * turn(ops, X)[1]
        return ops.columns([*translation(ops, "xy"), *tilted(ops, X)[1], advance])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [X.R[2, 2]]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        angle = turn(ops, X)[0]
        turns = ops.floor((X.p[2] / self.pitch - angle) / (2 * np.pi) + 0.5)
        return ops.vec(angle + 2 * np.pi * turns)

    def scalars_of(self, ops: Ops, X: Pose) -> Any:
        return ops.vec(turn(ops, X)[0])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([turn(ops, X)[1]])
