"""Revolute (pin) joint: rotation about z. Source: S0 7.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pliant.model.joints.axis import AxialJoint
from pliant.model.joints.base import Coordinate
from pliant.model.joints.parts import perpendicular, translation, turn
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_z


@dataclass(frozen=True, slots=True)
class Revolute(AxialJoint):
    """Rotation by ``angle`` about the axis."""

    kind: ClassVar[str] = "revolute"
    m: ClassVar[int] = 5
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z", "tilt1", "tilt2")

    @property
    def scalars(self) -> tuple[Coordinate, ...]:
        return (Coordinate("angle", "angle_rate", "rad", wraps=True),)

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(rot_z(ops, q[0]), ops.zeros(3))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.const(np.array([[0, 0, 1, 0, 0, 0]]).T)

    def residual(self, ops: Ops, X: Pose) -> Any:
        return ops.stack([X.p, X.R[0, 2], X.R[1, 2]])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        tilt = [perpendicular(ops, X, i, 2)[1] for i in (0, 1)]
        return ops.columns([*translation(ops, "xyz"), *tilt])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [X.R[2, 2]]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.vec(turn(ops, X)[0])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([turn(ops, X)[1]])
