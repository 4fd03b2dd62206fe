"""Prismatic (translational) joint: sliding along z. Source: S0 7.5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pliant.model.joints.axis import AxialJoint
from pliant.model.joints.base import Coordinate
from pliant.model.joints.parts import locked, translation, upright
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose


@dataclass(frozen=True, slots=True)
class Prismatic(AxialJoint):
    """Translation by ``displacement`` along the axis, no rotation."""

    kind: ClassVar[str] = "prismatic"
    m: ClassVar[int] = 5
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad", "rad")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "rx", "ry", "rz")

    @property
    def scalars(self) -> tuple[Coordinate, ...]:
        return (Coordinate("displacement", "displacement_rate", "m"),)

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(ops.const(np.eye(3)), ops.vec(0, 0, q[0]))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.const(np.array([[0, 0, 0, 0, 0, 1]]).T)

    def residual(self, ops: Ops, X: Pose) -> Any:
        return ops.stack([X.p[0], X.p[1], *locked(ops, X)[0]])

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns([*translation(ops, "xy"), *locked(ops, X)[1]])

    def alignment(self, ops: Ops, X: Pose) -> list[Any]:
        return [upright(X.R)]

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.vec(X.p[2])

    def rates_of(self, ops: Ops, X: Pose) -> Any:
        return ops.columns(translation(ops, "z"))
