"""Free joint: six degrees of freedom; every body not otherwise attached has one to the ground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.model.joints.rotational import RotationalJoint
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Free(RotationalJoint):
    """Position x, y, z in parent axes and any rotation.

    Speeds vx, vy, vz in parent axes; wx, wy, wz in child axes.
    """

    kind: ClassVar[str] = "free"

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return ("x", "y", "z", *self.rotation_set.names)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return ("vx", "vy", "vz", "wx", "wy", "wz")

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        return ("m", "m", "m", *self.rotation_units)

    @property
    def rate_units(self) -> tuple[str, ...]:
        return ("m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s")

    @property
    def groups(self) -> tuple[tuple[str, int], ...]:
        return (("real", 3), (self.rotation_set.name, self.rotation_set.size))

    @property
    def neutral(self) -> Array:
        return np.concatenate([np.zeros(3), self.rotation_set.of_matrix(np.eye(3))])

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(self.rotation(ops, q[3:], chart), q[:3])

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        R = self.rotation(ops, q[3:], chart)
        move = [ops.const(np.eye(6)[3 + k]) for k in range(3)]
        return ops.columns([*move, *(ops.stack([R[:, k], ops.zeros(3)]) for k in range(3))])

    def qdot(self, ops: Ops, q: Any, u: Any) -> Any:
        return ops.stack([u[:3], self.rotation_set.rate(ops, q[3:], u[3:])])

    def speeds(self, ops: Ops, q: Any, qdot: Any) -> Any:
        return ops.stack([qdot[:3], self.rotation_set.speed(ops, q[3:], qdot[3:])])

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return np.concatenate([X.p, self.rotation_set.of_matrix(X.R)])
