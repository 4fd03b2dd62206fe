"""The axis of a beam through given points: straight pieces with rigid corners, or one smooth curve.

The section has x along the axis, z nearest to the direction `up`. Points may be in any axes; the
beam has a frame `datum`, which is the frame the points are given in.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pliant.errors import InputError
from pliant.model.fields import Flag, Number, Numbers, Vec3, has, is_sequence, settle, shown
from pliant.model.formulas import Formula, formula
from pliant.spatial.spline import Spline

_POINT = Numbers(3, ("m",))


@dataclass(frozen=True, slots=True)
class PointsKind:
    """Two points or more: [[x, y, z], ...]."""

    def convert(self, value: Any) -> tuple[Vec3, ...]:
        if not is_sequence(value) or len(value) < 2:
            raise InputError(f"{shown(value)} stands where points are expected",
                             "write [[0, 0, 0], [1, 0, 0]]")  # fmt: skip
        points = []
        for k, point in enumerate(value):
            try:
                points.append(_POINT.convert(point))
            except InputError as error:
                raise type(error)(f"point {k + 1}: {error.what}", error.cure) from None
        return tuple(points)  # type: ignore[arg-type]

    def plain(self, value: tuple[Vec3, ...]) -> list[Any]:
        return [_POINT.plain(point) for point in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": _POINT.schema(), "minItems": 2}

    def formulas(self, value: tuple[Vec3, ...]) -> Iterator[tuple[str, Formula, Number]]:
        for k, point in enumerate(value):
            for label, f, kind in _POINT.formulas(point):
                yield f"[{k + 1}]{label}", f, kind


@dataclass(frozen=True, slots=True)
class BeamAxis:
    """Points the axis goes through, whether it is one smooth curve, and where z of sections is."""

    points: tuple[Vec3, ...] = has(PointsKind(), doc="points it goes through, from root to tip")
    smooth: bool = has(
        Flag(), False, "a cubic spline through them (not-a-knot), instead of straight pieces"
    )
    up: Vec3 = has(Numbers(3), (0, 0, 1), "the direction z of sections is nearest to")

    def __post_init__(self) -> None:
        settle(self, "axis", "axis")
        numbers = (f for point in self.points for f in point)
        if self.smooth and not all(f.is_constant for f in numbers):
            raise InputError("points of a smooth axis read parameters", "give numbers")
        for k, (a, b) in enumerate(pairwise(self.points) if self.smooth else ()):
            if math.dist([f.value for f in a], [f.value for f in b]) == 0:
                raise InputError(f"the axis has no length between points {k + 1} and {k + 2}",
                                 "give different points")  # fmt: skip

    @property
    def length(self) -> Formula:
        """Of the whole axis."""
        if not self.smooth:
            return self.places[-1]
        points = np.array([[f.value for f in point] for point in self.points])
        return formula(Spline(points).length)

    @property
    def places(self) -> tuple[Formula, ...]:
        """Of straight pieces: lengths along the axis up to each point."""
        found = [formula(0.0)]
        for a, b in pairwise(self.points):
            square = sum(((q - p) ** 2 for p, q in zip(a, b, strict=True)), formula(0.0))
            found.append(_folded(found[-1] + square**0.5))
        return tuple(found)


def _folded(f: Formula) -> Formula:
    """A number where it is one."""
    return formula(f.value) if f.is_constant else f
