"""Joints with one axis: its direction, 'x', 'y', 'z' or three numbers, is z of their axes."""

from __future__ import annotations

import math
from dataclasses import KW_ONLY
from typing import Any

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.model.cures import Put, curing
from pliant.model.fields import Plain, Written, has, is_sequence, shown
from pliant.model.joints.base import Joint
from pliant.records import dataclass

Axis = str | tuple[float, float, float]

_LETTERS = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
_CURE = curing("write x, y, z or three numbers, not all zero", Put("z"))


class AxisKind(Plain):
    """A field holding a direction."""

    def convert(self, value: Any) -> Axis:
        if isinstance(value, str) and value in _LETTERS:
            return value
        if not is_sequence(value) or len(value) != 3:
            raise InputError(f"{shown(value)} is not a direction", _CURE)
        try:
            a, b, c = (float(i) for i in value)
        except (TypeError, ValueError):
            raise InputError(f"{shown(value)} is not three plain numbers", _CURE) from None
        if not 1e-12 < math.hypot(a, b, c) < 1e100:
            raise InputError(f"[{a:g}, {b:g}, {c:g}] is not a direction", _CURE)
        return (a, b, c)

    def plain(self, value: Axis) -> Any:
        return value if isinstance(value, str) else list(value)

    def schema(self) -> dict[str, Any]:
        numbers = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
        return {"anyOf": [{"enum": list(_LETTERS)}, numbers]}


def unit_axis(axis: Axis) -> Array:
    """The direction as a unit vector."""
    v = np.array(_LETTERS[axis] if isinstance(axis, str) else axis)
    unit: Array = v / np.linalg.norm(v)
    return unit


def axes_with_z(n: Array) -> Array:
    """A rotation whose third column is n: the identity for z, cyclic for x and y."""
    for shift in range(3):
        R = np.roll(np.eye(3), shift, axis=0)
        if np.allclose(R[:, 2], n, atol=1e-15):
            return R
    helper = np.eye(3)[int(np.argmin(np.abs(n)))]
    x = helper - n * (helper @ n)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(n, x), n])


@dataclass(frozen=True, slots=True)
class AxialJoint(Joint):
    """A joint whose axis is a direction fixed in both frames."""

    _: KW_ONLY
    axis: Written[Axis] = has(AxisKind(), "z", "direction, in the axes of both frames")

    def canonical_axes(self) -> Array:
        return axes_with_z(unit_axis(self.axis))
