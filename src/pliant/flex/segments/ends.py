"""Ends of a segmented beam that are held: in which directions a spring of half a segment acts.

A section held at an end is a body without mass; between it and the first or last segment there is
the spring of the half segment. That makes sense only in directions that a joint holds against
something inert: a section that can move by itself would have no inertia.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pliant.errors import InputError
from pliant.flex.segments.joints import axis_of
from pliant.model.bodies import Beam, RigidBody
from pliant.model.drivers import JointDriver
from pliant.model.frames import IDENTITY
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.spatial.ops import NUMERIC

_PLAIN = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "spherical")


def base_of(beam: Beam, frame: str) -> str:
    """The frame on the axis that carries a frame; "" is the body frame."""
    while frame and beam.frames[frame].on:
        frame = beam.frames[frame].on.rpartition(".")[2]
    return frame


def held_directions(
    model: Model, beam: Beam, end: str, on: Mapping[str, str], directions: tuple[str, ...]
) -> tuple[str, ...]:
    """Directions with a spring at an end, "root" or "tip"; ``on``: which end frames are at."""
    assert beam.theory.segments is not None
    wish = getattr(beam.theory.segments, end)
    if wish == "none":
        return ()
    found: set[str] = set()
    for joint in model.joints.values():
        for ref, other in ((joint.parent, joint.child), (joint.child, joint.parent)):
            body, _, frame = ref.partition(".")
            if body != beam.name or on.get(base_of(beam, frame)) != end or joint.springs:
                continue
            free = _free(model, beam, joint, frame)
            held = {d for d in directions if axis_of(d) not in free}
            found |= {d for d in held if _inert(model, joint, other, turning=axis_of(d)[1])}
    if wish != "auto" and not found:
        raise InputError(f"body '{beam.name}': segments: {end}: {wish}, but nothing holds this end",
                         "write auto, or hold it by a joint to something inert")  # fmt: skip
    return tuple(d for d in directions if d in found)


def welded(model: Model, beam: Beam, end: str, on: Mapping[str, str]) -> tuple[Beam, str] | None:
    """The segmented beam, and its frame, that an end is welded to: section on section, with the
    same axes, this beam as the child. Its last half segment is then in series with the spring."""
    for joint in model.joints.values():
        child, _, frame = joint.child.partition(".")
        parent, _, far = joint.parent.partition(".")
        other = model.bodies.get(parent)
        if joint.kind != "fixed" or child != beam.name or on.get(frame) != end:
            continue
        if not isinstance(other, Beam) or other.theory.segments is None:
            continue
        if _section(beam, frame) and _section(other, far):
            return other, far
    return None


def _section(beam: Beam, frame: str) -> bool:
    """Whether a frame is on the axis of the beam, with its axes."""
    if not frame:
        return True
    own = beam.frames[frame]
    beside = any(not (f.is_constant and f.value == 0) for f in own.position[1:])
    return not own.on and not beside and own.orientation == IDENTITY


def _free(model: Model, beam: Beam, joint: Joint, frame: str) -> set[tuple[str, bool]]:
    """Axes of the beam about which (True) or along which (False) a joint lets the end move."""
    everything = {(a, turning) for a in "xyz" for turning in (True, False)}
    if joint.kind not in _PLAIN:
        return everything
    H = np.asarray(joint.motion(NUMERIC, joint.neutral), dtype=float).reshape(6, -1)
    names = [c.name for c in joint.scalars]
    driven = {
        0 if d.coordinate is None else names.index(d.coordinate)
        for d in model.drivers.values()
        if isinstance(d, JointDriver) and d.joint == joint.name
    }
    H = H[:, [k for k in range(joint.nu) if k not in driven]]
    R = joint.canonical_axes()
    moving = {True: R @ H[:3], False: R @ H[3:]}
    found = set()
    for turning, rows in moving.items():
        axes = {a for a, row in zip("xyz", rows, strict=True) if np.abs(row).max(initial=0) > 1e-9}
        if axes and not _aligned(beam, frame):
            axes = set("xyz")
        found |= {(a, turning) for a in axes}
    return found


def _aligned(beam: Beam, frame: str) -> bool:
    """Whether a frame has the axes of the beam."""
    while frame:
        if beam.frames[frame].orientation != IDENTITY:
            return False
        frame = beam.frames[frame].on.rpartition(".")[2]
    return True


def _inert(model: Model, joint: Joint, other: str, *, turning: bool) -> bool:
    """Whether what holds an end has inertia of its own, for certain.

    Where two segmented beams meet, the spring is at the end of the child: between two springs the
    sections would have no inertia.
    """
    name = other.partition(".")[0]
    if name == "ground":
        return True
    body = model.bodies[name]
    if isinstance(body, RigidBody):
        parts = body.inertia[:3] if turning else (body.mass,)
        return not any(f.is_constant and f.value == 0 for f in parts)
    segmented = isinstance(body, Beam) and body.theory.segments is not None
    return not segmented or other == joint.parent
