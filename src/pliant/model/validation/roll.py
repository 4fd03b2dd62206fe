"""Rolling of beams: turning about the own axis needs rotary inertia, or a joint that holds it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pliant.model.bodies import Beam
from pliant.model.drivers import FrameDriver, JointDriver
from pliant.model.frames import IDENTITY
from pliant.model.joints import Joint
from pliant.model.validation.context import Context

_TURNS_FREELY = ("spherical", "free", "distance")
_TURNS_ABOUT_AXIS = ("revolute", "cylindrical", "planar")


def roll_faults(context: Context, beam: Beam) -> Iterator[tuple[str, str, str]]:
    """A beam without inertia about its axis that nothing keeps from turning about it.

    Only what is certain is reported: joints off the axis or in turned frames count as holding.
    """
    inert = beam.stiffness is not None and beam.rotary is None
    if beam.rotary_choice != "none" and not inert:
        return
    drivers = context.model.drivers.values()
    if any(isinstance(d, FrameDriver) and d.frame.split(".")[0] == beam.name for d in drivers):
        return
    if any(_holds(context, beam, joint) for joint in context.joints_of(beam.name)):
        return
    what = "it is free to roll about its axis, without any inertia to do so"
    if inert and beam.rotary_choice != "none":
        yield "stiffness", what, "give rotary: {rhoIy: , rhoIz: }, or hold it by a joint"
    else:
        yield "rotary_inertia", what, "write rotary_inertia: axial, or hold it by a joint"


def _holds(context: Context, beam: Beam, joint: Joint) -> bool:
    """Whether a joint may keep the beam from rolling."""
    driven = [d for d in context.model.drivers.values() if isinstance(d, JointDriver)]
    if any(d.joint == joint.name for d in driven):
        return True
    ref = next(r for r in (joint.parent, joint.child) if r.split(".")[0] == beam.name)
    if not _on_axis(context, beam, ref.partition(".")[2]):
        return True
    if joint.kind in _TURNS_FREELY:
        return False
    if joint.kind not in _TURNS_ABOUT_AXIS:
        return True
    axis = np.asarray(joint.canonical_axes())[:, 2]
    return bool(abs(axis[0]) < 1 - 1e-9)


def _on_axis(context: Context, beam: Beam, name: str) -> bool:
    """Whether a frame has the axes of the beam and its origin on the axis, for certain."""
    seen: set[str] = set()
    while name:
        frame = beam.frames.get(name)
        if frame is None or name in seen or frame.orientation != IDENTITY:
            return False
        if any(context.number(c) != 0 for c in frame.position[1:]):
            return False
        seen.add(name)
        name = frame.on
    return True
