"""What the joints with one axis share: the field ``axis`` and canonical axes with z along it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import ClassVar

from pliant.arrays import Array
from pliant.model.fields import has
from pliant.model.joints.axis import Axis, AxisKind, axes_with_z, unit_axis
from pliant.model.joints.base import Joint


@dataclass(frozen=True, slots=True)
class AxialJoint(Joint):
    """A joint whose axis is a direction fixed in both frames."""

    _: KW_ONLY
    axis: Axis = has(AxisKind(), "z", "direction, in the axes of both frames")

    options: ClassVar[frozenset[str]] = frozenset({"axis"})

    def canonical_axes(self) -> Array:
        return axes_with_z(unit_axis(self.axis))
