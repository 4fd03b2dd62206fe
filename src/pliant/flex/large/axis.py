"""The stress-free axis of a beam: a helix of given curvature, straight pieces, a smooth curve.

An axis gives the section at each place: its origin on the axis, x along the tangent, z nearest to
the direction `up`. A helix begins at the origin, along x; others are where their points are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from pliant.arrays import Array
from pliant.errors import InputError
from pliant.flex.large.mesh import Value
from pliant.model.bodies import Beam
from pliant.spatial.curves import pose_of
from pliant.spatial.ops import NUMERIC
from pliant.spatial.pose import Pose
from pliant.spatial.screws import Screw
from pliant.spatial.spline import Spline

_ALONG = 1e-6
"""A tangent nearer to `up` than this (sine of the angle) leaves z of its section open."""


class Axis(Protocol):
    """Sections of the stress-free beam."""

    @property
    def uniform(self) -> bool:
        """Whether its strains are those of a helix along every element."""

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        """The section at x; at a corner that of the piece before it or beyond it."""


@dataclass(frozen=True, slots=True)
class Helix:
    """Of constant twist and curvature."""

    kappa: Array
    uniform = True

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        return pose_of(NUMERIC, Screw(self.kappa, np.array([1.0, 0.0, 0.0])).times(x))


class Pieces:
    """Straight between points, with rigid corners."""

    uniform = True

    def __init__(self, points: Array, up: Array) -> None:
        steps = np.diff(points, axis=0)
        lengths = np.linalg.norm(steps, axis=1)
        self._points = points
        self._places = np.concatenate([[0.0], np.cumsum(lengths)])
        self._axes = [_section_axes(t, up) for t in steps / lengths[:, None]]

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        near = 1e-9 * self._places[-1] * (1 if beyond else -1)
        k = int(np.searchsorted(self._places, x + near, side="right")) - 1
        k = min(max(k, 0), len(self._axes) - 1)
        R = self._axes[k]
        return Pose(R, self._points[k] + (x - self._places[k]) * R[:, 0])


class Smooth:
    """A spline through points."""

    uniform = False

    def __init__(self, points: Array, up: Array) -> None:
        self._spline, self._up = Spline(points), up

    def section(self, x: float, *, beyond: bool = False) -> Pose:
        p, tangent = self._spline.at(x)
        return Pose(_section_axes(tangent, self._up), p)


def axis_of(beam: Beam, value: Value) -> Axis:
    """The axis of a beam for these parameters."""
    if beam.axis is None:
        given = beam.curvature
        return Helix(np.zeros(3) if given is None else np.array([value(f) for f in given]))
    points = np.array([[value(f) for f in point] for point in beam.axis.points])
    up = np.array([value(f) for f in beam.axis.up])
    try:
        return (Smooth if beam.axis.smooth else Pieces)(points, up)
    except InputError as error:
        raise type(error)(f"body '{beam.name}': axis: {error.what}", error.cure) from None


def _section_axes(tangent: Array, up: Array) -> Any:
    """Columns x along the tangent, y, and z nearest to ``up``."""
    z = up - (up @ tangent) * tangent
    size = np.linalg.norm(z)
    if not size > _ALONG * np.linalg.norm(up):
        raise InputError("it runs along up, so that z of its sections is open",
                         "give another direction up")  # fmt: skip
    z = z / size
    return np.column_stack([tangent, np.cross(z, tangent), z])
