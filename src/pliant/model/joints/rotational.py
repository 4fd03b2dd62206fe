"""What spherical and free joints share: a rotation, as Euler parameters or an angle set.

An angle set is used in a chart: R = R_chart R(angles). Renewing R_chart (and the angles with it)
near the singularity of the set keeps the equations regular; speeds w do not change with it.
Source: S0.8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from pliant.arrays import Array
from pliant.model.fields import Word, has
from pliant.model.joints.base import Joint
from pliant.spatial import rotation
from pliant.spatial.ops import NUMERIC, Ops

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
    """A joint with a full rotation; ``coordinates`` names its parametrisation."""

    _: KW_ONLY
    coordinates: str = has(Word(tuple(ROTATION_SETS)), "quaternion", "rotation coordinates")

    options: ClassVar[frozenset[str]] = frozenset({"coordinates"})

    @property
    def rotation_set(self) -> RotationSet:
        return ROTATION_SETS[self.coordinates]

    @property
    def rotation_units(self) -> tuple[str, ...]:
        unit = "rad" if self.rotation_set.charted else "1"
        return (unit,) * self.rotation_set.size

    def rotation(self, ops: Ops, q: Any, chart: Any) -> Any:
        """R_FM = R_chart R(q)."""
        R = self.rotation_set.matrix(ops, q)
        return R if chart is None else chart @ R
