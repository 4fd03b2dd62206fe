"""Spherical (ball) joint. Source: S0 7.2."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pliant.arrays import Array
from pliant.model.joints.parts import translation
from pliant.model.joints.rotational import RotationalJoint
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Spherical(RotationalJoint):
    """Any rotation about a common point. Speeds wx, wy, wz: angular velocity in child axes."""

    kind: ClassVar[str] = "spherical"
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z")

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return self.rotation_set.names

    @property
    def rate_names(self) -> tuple[str, ...]:
        return ("wx", "wy", "wz")

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        return self.rotation_units

    @property
    def rate_units(self) -> tuple[str, ...]:
        return ("rad/s",) * 3

    @property
    def groups(self) -> tuple[tuple[str, int], ...]:
        return ((self.rotation_set.name, self.rotation_set.size),)

    @property
    def neutral(self) -> Array:
        return self.rotation_set.of_matrix(np.eye(3))

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(self.rotation(ops, q, chart), ops.zeros(3))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        R = self.rotation(ops, q, chart)
        return ops.columns([ops.stack([R[:, k], ops.zeros(3)]) for k in range(3)])

    def qdot(self, ops: Ops, q: Any, u: Any) -> Any:
        return self.rotation_set.rate(ops, q, u)

    def speeds(self, ops: Ops, q: Any, qdot: Any) -> Any:
        return self.rotation_set.speed(ops, q, qdot)

    def residual(self, ops: Ops, X: Pose) -> Any:
        return X.p

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns(translation(ops, "xyz"))

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return self.rotation_set.of_matrix(X.R)
