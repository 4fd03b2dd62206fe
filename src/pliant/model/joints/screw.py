"""Screw joint: rotation about z that advances by ``pitch`` metres per radian. Source: S0 7.6."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from dataclasses import replace as _replace
from typing import Any, ClassVar

import numpy as np

from pliant.model.fields import Quantity, number
from pliant.model.joints.axis import AxialJoint
from pliant.model.joints.base import Coordinate
from pliant.model.joints.lower_pairs import ANGLE
from pliant.model.joints.parts import tilted, translation, turn
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import rot_z


@dataclass(frozen=True, slots=True)
class Screw(AxialJoint):
    """Rotation by ``angle`` about the axis and translation ``pitch * angle`` along it."""

    _: KW_ONLY
    pitch: Quantity = number("m/rad", doc="advance per radian")

    kind: ClassVar[str] = "screw"
    options: ClassVar[frozenset[str]] = frozenset({"axis", "pitch"})
    scalars: ClassVar[tuple[Coordinate, ...]] = (ANGLE,)
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "rad", "rad", "m")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "tilt1", "tilt2", "advance")
    multi_turn: ClassVar[bool] = True

    def evaluated(self, evaluate: Any) -> Any:
        copy = _replace(self)
        object.__setattr__(copy, "pitch", evaluate(self.pitch))
        return copy

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        return Pose(rot_z(ops, q[0]), ops.vec(0, 0, self.pitch * q[0]))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.columns([ops.vec(0, 0, 1, 0, 0, self.pitch)])

    def effort(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        return ops.const(np.array([[0, 0, 1, 0, 0, 0]]).T)

    def residual(self, ops: Ops, X: Pose) -> Any:
        advance = X.p[2] - self.pitch * turn(ops, X)[0]
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
