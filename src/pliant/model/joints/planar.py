"""Planar joint: sliding in the plane normal to z and turning about z. Source: S0 7.7."""

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
class Planar(AxialJoint):
    """Translation by ``x``, ``y`` in the plane normal to the axis, rotation ``angle`` about it."""

    kind: ClassVar[str] = "planar"
    m: ClassVar[int] = 3
    row_units: ClassVar[tuple[str, ...]] = ("m", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("z", "tilt1", "tilt2")

    @property
    def scalars(self) -> tuple[Coordinate, ...]:
        return (
            Coordinate("x", "x_rate", "m"),
            Coordinate("y", "y_rate", "m"),
            Coordinate("angle", "angle_rate", "rad", wraps=True),
        )

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(rot_z(ops, q[2]), ops.vec(q[0], q[1], 0))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.const(np.eye(6)[:, [3, 4, 2]])

    def residual(self, ops: Ops, X: Pose) -> Any:
        return ops.stack([X.p[2], X.R[0, 2], X.R[1, 2]])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        tilt = [perpendicular(ops, X, i, 2)[1] for i in (0, 1)]
        return ops.columns([*translation(ops, "z"), *tilt])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [X.R[2, 2]]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.vec(X.p[0], X.p[1], turn(ops, X)[0])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, "xy"), turn(ops, X)[1]])
