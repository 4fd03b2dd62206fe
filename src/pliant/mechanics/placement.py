"""Where frames sit on their bodies: orientations and chains of frames as poses X_BP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.model.frames import Frame, Orientation
from pliant.spatial import rotation
from pliant.spatial.ops import NUMERIC, Ops
from pliant.spatial.pose import Pose, identity

if TYPE_CHECKING:
    from pliant.mechanics.flexible import Tables

Velocities = dict[str, tuple[Any, Any]]
"""(w, v) of frames in their body."""


def rotation_of(ops: Ops, orientation: Orientation, value: Callable[[Any], Any]) -> Any:
    """R of an orientation; a constant one is computed in numbers, rounding of 0 and 1 removed."""
    if all(f.is_constant for f in orientation.values):
        R = _matrix(NUMERIC, orientation.kind, [float(f.value) for f in orientation.values])
        whole = np.round(R)
        return ops.const(np.where(np.abs(R - whole) < 1e-15, whole, R))
    return _matrix(ops, orientation.kind, [value(f) for f in orientation.values])


def _matrix(ops: Ops, kind: str, v: list[Any]) -> Any:
    if kind == "identity":
        return ops.const(np.eye(3))
    if kind == "euler313":
        return rotation.euler313(ops, v)
    if kind == "bryant123":
        return rotation.bryant123(ops, v)
    if kind == "quaternion":
        quat = ops.vec(*v)
        return rotation.from_quaternion(ops, quat / ops.sqrt(ops.dot(quat, quat)))
    if kind == "axis_angle":
        axis = ops.vec(*v[:3])
        return rotation.axis_angle(ops, axis / ops.sqrt(ops.dot(axis, axis)), v[3])
    z, x = ops.vec(*v[:3]), ops.vec(*v[3:])
    z = z / ops.sqrt(ops.dot(z, z))
    x = x - ops.dot(x, z) * z
    x = x / ops.sqrt(ops.dot(x, x))
    return ops.columns([x, ops.cross(z, x), z])


def placements(ops: Ops, frames: Any, value: Callable[[Any], Any]) -> dict[str, Pose]:
    """X_BP of every frame of a body; "" is the body frame itself."""
    placed: dict[str, Pose] = {"": identity(ops)}

    def place(frame: Frame) -> Pose:
        if frame.name not in placed:
            inner = placed[""] if not frame.on else place(frames[frame.on])
            R = rotation_of(ops, frame.orientation, value)
            p = ops.vec(*(value(c) for c in frame.position))
            placed[frame.name] = inner @ Pose(R, p)
        return placed[frame.name]

    for frame in frames.values():
        place(frame)
    return placed


def flexible_places(
    ops: Ops, tables: Tables, frames: Mapping[str, Frame], value: Callable[[Any], Any],
    q: Any, u: Any,
) -> tuple[dict[str, Pose], Velocities]:  # fmt: skip
    """X_BP of every frame ("" is the model's body frame), and (w, v) of those that move in B.

    A frame on another is fixed to that one's section.
    """
    from pliant.mechanics.flexible import elastic_frame, rigid_offset

    placed: dict[str, Pose] = {"": rigid_offset(ops, tables)}
    moving: Velocities = {}

    def place(frame: Frame) -> None:
        if frame.name in placed:
            return
        R0 = rotation_of(ops, frame.orientation, value)
        if not frame.on:
            found = elastic_frame(ops, tables, frame.name, R0, q, u)
            placed[frame.name], moving[frame.name] = found.pose, (found.w, found.v)
            return
        place(frames[frame.on])
        inner, arm = placed[frame.on], ops.vec(*(value(c) for c in frame.position))
        w, v = moving[frame.on]
        placed[frame.name] = inner @ Pose(R0, arm)
        moving[frame.name] = w, v + ops.cross(w, inner.R @ arm)

    for frame in frames.values():
        place(frame)
    return placed, moving
