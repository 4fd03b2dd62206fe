"""Frames on a flexible body: poses and velocities in B, numbers or symbols alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pliant.mechanics.flexible import Tables, elastic_frame, rigid_offset
from pliant.mechanics.placement import rotation_of
from pliant.model.frames import Frame
from pliant.spatial.ops import Ops
from pliant.spatial.pose import Pose

Velocities = dict[str, tuple[Any, Any]]


def flexible_places(
    ops: Ops, tables: Tables, frames: Mapping[str, Frame], value: Callable[[Any], Any],
    q: Any, u: Any,
) -> tuple[dict[str, Pose], Velocities]:  # fmt: skip
    """X_BP of every frame ("" is the model's body frame), and (w, v) of those that move in B.

    A frame on another is fixed to that one's section.
    """
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
