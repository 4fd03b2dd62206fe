"""What spherical and free joints share: a rotation in the user's coordinates."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from pliant.model.fields import Word, has
from pliant.model.joints.base import Joint
from pliant.spatial.ops import Ops
from pliant.spatial.rotation_set import ROTATION_SETS, RotationSet


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
