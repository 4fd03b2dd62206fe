"""Spherical and free joints: a rotation, as Euler parameters or an angle set.

Every body that is not otherwise attached has a free joint to the ground.

An angle set is used in a chart: R = R_chart R(angles). Renewing R_chart (and the angles with it)
near the singularity of the set keeps the equations regular; speeds w do not change with it.
Source: S0.8; spherical joint S0 7.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Literal

import numpy as np

from pliant.arrays import Array
from pliant.model.fields import Word, has
from pliant.model.joints.base import Joint
from pliant.model.joints.parts import translation
from pliant.records import dataclass
from pliant.spatial import rotation
from pliant.spatial.ops import NUMERIC, Ops
from pliant.spatial.pose import Pose

SetName = Literal["quaternion", "euler313", "bryant123"]


@dataclass(frozen=True, slots=True)
class RotationSet:
    """Coordinates of a rotation: ``matrix(ops, q)``, ``rate`` q'(q, w), ``speed`` w(q, q')."""

    name: SetName
    names: tuple[str, ...]
    matrix: Callable[[Ops, Any], Any]
    rate: Callable[[Ops, Any, Any], Any]
    speed: Callable[[Ops, Any, Any], Any]
    of_matrix: Callable[[Array], Array]
    middle: tuple[float, ...]
    """Coordinates as far from any singularity as possible."""

    @property
    def size(self) -> int:
        return len(self.names)

    @property
    def charted(self) -> bool:
        """Whether the set has a singularity and so needs charts."""
        return self.name != "quaternion"

    def chart_for(self, R: Array) -> Array:
        """R_chart that puts R at ``middle``."""
        if not self.charted:
            return np.eye(3)
        chart: Array = R @ self.matrix(NUMERIC, np.array(self.middle)).T
        return chart


ROTATION_SETS: dict[str, RotationSet] = {
    "quaternion": RotationSet(
        "quaternion", ("e0", "e1", "e2", "e3"), rotation.from_quaternion, rotation.quaternion_rate,
        rotation.quaternion_speed, rotation.to_quaternion, (1.0, 0.0, 0.0, 0.0),
    ),
    "euler313": RotationSet(
        "euler313", ("angle1", "angle2", "angle3"), rotation.euler313, rotation.euler313_rate,
        rotation.euler313_speed, rotation.to_euler313, (0.0, np.pi / 2, 0.0),
    ),
    "bryant123": RotationSet(
        "bryant123", ("angle1", "angle2", "angle3"), rotation.bryant123, rotation.bryant123_rate,
        rotation.bryant123_speed, rotation.to_bryant123, (0.0, 0.0, 0.0),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RotationalJoint(Joint):
    """A joint with a full rotation; ``coordinates`` names its parametrisation.

    Its speeds are vx, vy, vz in parent axes, if it ``moves``, and wx, wy, wz in child axes.
    """

    _: KW_ONLY
    coordinates: str = has(Word(tuple(ROTATION_SETS)), "quaternion", "rotation coordinates")

    moves: ClassVar[str] = ""
    """Its displacements, in parent axes."""

    @property
    def rotation_set(self) -> RotationSet:
        return ROTATION_SETS[self.coordinates]

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        return (*self.moves, *self.rotation_set.names)

    @property
    def rate_names(self) -> tuple[str, ...]:
        return (*(f"v{axis}" for axis in self.moves), "wx", "wy", "wz")

    @property
    def coordinate_units(self) -> tuple[str, ...]:
        unit = "rad" if self.rotation_set.charted else "1"
        return ("m",) * len(self.moves) + (unit,) * self.rotation_set.size

    @property
    def rate_units(self) -> tuple[str, ...]:
        return ("m/s",) * len(self.moves) + ("rad/s",) * 3

    @property
    def groups(self) -> tuple[tuple[str, int], ...]:
        turns = (self.rotation_set.name, self.rotation_set.size)
        return (("real", 3), turns) if self.moves else (turns,)

    @property
    def neutral(self) -> Array:
        none: Array = self.rotation_set.of_matrix(np.eye(3))
        return np.concatenate([np.zeros(len(self.moves)), none])

    def rotation(self, ops: Ops, q: Any, chart: Any) -> Any:
        """R_FM = R_chart R(q)."""
        R = self.rotation_set.matrix(ops, q)
        return R if chart is None else chart @ R

    def pose(self, ops: Ops, q: Any, chart: Any = None) -> Pose:
        n = len(self.moves)
        return Pose(self.rotation(ops, q[n:], chart), q[:n] if n else ops.zeros(3))

    def motion(self, ops: Ops, q: Any, chart: Any = None) -> Any:
        n = len(self.moves)
        R = self.rotation(ops, q[n:], chart)
        move = [ops.const(np.eye(6)[3 + k]) for k in range(n)]
        return ops.columns([*move, *(ops.stack([R[:, k], ops.zeros(3)]) for k in range(3))])

    def qdot(self, ops: Ops, q: Any, u: Any) -> Any:
        n = len(self.moves)
        turned = self.rotation_set.rate(ops, q[n:], u[n:])
        return ops.stack([u[:n], turned]) if n else turned

    def speeds(self, ops: Ops, q: Any, qdot: Any) -> Any:
        n = len(self.moves)
        turned = self.rotation_set.speed(ops, q[n:], qdot[n:])
        return ops.stack([qdot[:n], turned]) if n else turned

    def coordinates_of(self, ops: Ops, X: Pose) -> Any:
        n = len(self.moves)
        return np.concatenate([X.p[:n], self.rotation_set.of_matrix(X.R)])


@dataclass(frozen=True, slots=True)
class Spherical(RotationalJoint):
    """Any rotation about a common point. Speeds wx, wy, wz: angular velocity in child axes."""

    kind: ClassVar[str] = "spherical"
    row_units: ClassVar[tuple[str, ...]] = ("m", "m", "m")
    row_names: ClassVar[tuple[str, ...]] = ("x", "y", "z")

    def residual(self, ops: Ops, X: Pose) -> Any:
        return X.p

    def constraint(self, ops: Ops, X: Pose) -> Any:
        return ops.columns(translation(ops, "xyz"))


@dataclass(frozen=True, slots=True)
class Free(RotationalJoint):
    """Position x, y, z in parent axes and any rotation.

    Speeds vx, vy, vz in parent axes; wx, wy, wz in child axes.
    """

    kind: ClassVar[str] = "free"
    moves: ClassVar[str] = "xyz"
