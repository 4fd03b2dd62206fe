"""Universal (Cardan, Hooke) joint: x of the parent and y of the child stay perpendicular."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.errors import Fault, ModelError
from pliant.model.fields import Written, has
from pliant.model.joints.axis import Axis, AxisKind, unit_axis
from pliant.model.joints.base import Coordinate, Joint
from pliant.model.joints.parts import angle_rate, perpendicular, translation
from pliant.records import dataclass
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_x, rot_y


@dataclass(frozen=True, slots=True)
class Universal(Joint):
    """Rotation ``angle1`` about ``axis`` fixed in the parent, then ``angle2`` about ``axis2``
    fixed in the child. Source: S0 7.8.

    >>> box = pl.RigidBody.box("box", ["20 cm", "10 cm", "10 cm"], mass="3 kg")
    >>> joint = pl.Universal("cross", "ground", "box", axis="x", axis2="y")
    >>> system = pl.System(bodies=[box], joints=[joint])
    >>> system.check().freedom
    2
    """

    _: KW_ONLY
    axis: Written[Axis] = has(AxisKind(), "x", "first axis, fixed in the parent frame")
    axis2: Written[Axis] = has(AxisKind(), "y", "second axis, fixed in the child frame")

    kind: ClassVar[str] = "universal"
    scalars: ClassVar[tuple[Coordinate, ...]] = (
        Coordinate("angle1", "angle1_rate", "rad", wraps=True),
        Coordinate("angle2", "angle2_rate", "rad", wraps=True),
    )
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z", "cross")
    by_axes: ClassVar[bool] = True
    common: ClassVar[tuple[str, ...]] = ("point",)

    def __post_init__(self) -> None:
        Joint.__post_init__(self)
        if abs(unit_axis(self.axis) @ unit_axis(self.axis2)) > 1e-9:
            what = "axis and axis2 of a universal joint are not perpendicular"
            raise ModelError([Fault(
                f"joint '{self.name}'", what, "give two directions at a right angle",
                path=("joints", self.name, "axis2"),
            )])  # fmt: skip

    @property
    def directions(self) -> dict[str, tuple[str, Array]]:
        R = self.canonical_axes()
        return {"angle1": (self.parent, R[:, 0]), "angle2": (self.child, R[:, 1])}

    def canonical_axes(self) -> Array:
        first, second = unit_axis(self.axis), unit_axis(self.axis2)
        return np.column_stack([first, second, np.cross(first, second)])

    def pose(self, ops: Ops, q: Any) -> Pose:
        return Pose(rot_x(ops, q[0]) @ rot_y(ops, q[1]), ops.zeros(3))

    def motion(self, ops: Ops, q: Any) -> Any:
        second = ops.vec(0, ops.cos(q[0]), ops.sin(q[0]), 0, 0, 0)
        return ops.columns([ops.vec(1, 0, 0, 0, 0, 0), second])

    def residual(self, ops: Ops, X: Pose) -> Any:
        return ops.stack([X.p, X.R[0, 1]])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, "xyz"), perpendicular(ops, X, 0, 1)[1]])

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        R = X.R
        return ops.vec(ops.atan2(R[2, 1], R[1, 1]), ops.atan2(R[0, 2], R[0, 0]))

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([angle_rate(ops, X, (2, 1), (1, 1)), angle_rate(ops, X, (0, 2), (0, 0))])
