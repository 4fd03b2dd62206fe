"""Ends of a segmented beam: in which directions a spring of half a segment acts, and on what.

Beyond the first and the last hinge there is half a segment. Where its end transmits a force or a
moment, its compliance counts, and a spring of half a segment stands between the segment and a
section at the end. Where a joint holds this section against something inert, in all directions of
its springs, it is a body without mass. Otherwise (a point mass, a body without mass, a beam that
goes on at an angle, a bushing, a load) it would have no inertia of its own: then it carries that
of the half segment, which leaves the rest to the segment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

import numpy as np

from pliant.errors import InputError
from pliant.flex.segments.hinge import axis_of
from pliant.model.bodies import Beam
from pliant.model.frames import IDENTITY
from pliant.model.joints import Joint
from pliant.model.model import Model
from pliant.model.networks.flat import efforts, touching
from pliant.records import dataclass
from pliant.spatial.ops import NUMERIC

Places = Callable[[Beam], Mapping[str, str]]
"""Frames of a beam that are at an end, and at which: "root" or "tip"."""


@dataclass(frozen=True, slots=True)
class End:
    """Directions of the springs at an end, and whether the section beyond them has inertia."""

    directions: tuple[str, ...] = ()
    inert: bool = False


def end_of(model: Model, beam: Beam, end: str, places: Places, directions: tuple[str, ...]) -> End:
    """What is at an end, "root" or "tip"."""
    assert beam.theory.segments is not None
    wish = getattr(beam.theory.segments, end)
    if wish == "none":
        return End()
    held: set[str] = set()
    firm: set[str] = set()
    for joint, frame, other in _joints_at(model, beam, end, places):
        driven = {d.coordinate for d in model.joint_drivers.values() if d.joint == joint.name}
        acted = {c for name, c in efforts(model) if name == joint.name}
        still = _held(beam, joint, frame, directions, driven)
        if joint.springs is None:
            firm |= {d for d in still if _inert(model, joint, other, turning=axis_of(d)[1])}
        still |= _held(beam, joint, frame, directions, driven | acted)
        held |= {d for d in still if _transmits(model, joint, other, turning=axis_of(d)[1])}
    held |= _loaded(model, beam, end, places(beam), directions)
    if wish == "half" and not held:
        held = set(directions)
    if wish == "full" and not held:
        raise InputError(f"body '{beam.name}': segments: {end}: {wish}, but nothing holds this end",
                         "write auto or half, or hold it by a joint")  # fmt: skip
    return End(tuple(d for d in directions if d in held), inert=not held <= firm)


def base_of(beam: Beam, frame: str) -> str:
    """The frame on the axis that carries a frame; "" is the body frame."""
    while frame and beam.frames[frame].on:
        frame = beam.frames[frame].on.rpartition(".")[2]
    return frame


def welded(model: Model, beam: Beam, end: str, on: Mapping[str, str]) -> tuple[Beam, str] | None:
    """The segmented beam, and its frame, that an end is welded to: section on section, with the
    same axes, this beam as the child. Its last half segment is then in series with the spring."""
    for joint in model.joints.values():
        child, _, frame = joint.child.partition(".")
        if child == beam.name and on.get(frame) == end and _in_line(model, joint):
            parent, _, far = joint.parent.partition(".")
            return model.beams[parent], far
    return None


def _in_line(model: Model, joint: Joint) -> bool:
    """Whether a joint welds a segmented beam to another one, section on section."""
    ends = [reference.partition(".") for reference in (joint.parent, joint.child)]
    beams = [model.beams.get(body) for body, _, _ in ends]
    return (
        joint.welds
        and joint.springs is None
        and all(
            beam is not None and beam.theory.segments is not None and _section(beam, frame)
            for beam, (_, _, frame) in zip(beams, ends, strict=True)
        )
    )


def _section(beam: Beam, frame: str) -> bool:
    """Whether a frame is on the axis of the beam, with its axes."""
    if not frame:
        return True
    own = beam.frames[frame]
    beside = any(not f.is_zero for f in own.position[1:])
    return not own.on and not beside and own.orientation == IDENTITY


def _joints_at(
    model: Model, beam: Beam, end: str, places: Places
) -> Iterator[tuple[Joint, str, str]]:
    """Joints at an end, the frame there, and the frame on the other side. One in line with a beam
    that hangs on this one is left out: the spring of the child stands for both halves."""
    on = places(beam)
    for joint in model.joints.values():
        for ref, other in ((joint.parent, joint.child), (joint.child, joint.parent)):
            body, _, frame = ref.partition(".")
            if body != beam.name or on.get(base_of(beam, frame)) != end:
                continue
            if ref == joint.parent and _in_line(model, joint):
                child, _, far = joint.child.partition(".")
                own = model.beams[child]
                its = places(own).get(far)
                if its and getattr(own.theory.segments, its) != "none" and own.segment_directions:
                    continue
            yield joint, frame, other


def _held(
    beam: Beam, joint: Joint, frame: str, directions: Collection[str], but: Collection[str | None]
) -> set[str]:
    """Directions in which a joint transmits forces; ``but``: coordinates along which it does."""
    free = _free(beam, joint, frame, but)
    return {d for d in directions if axis_of(d) not in free}


def _free(
    beam: Beam, joint: Joint, frame: str, but: Collection[str | None]
) -> set[tuple[str, bool]]:
    """Axes of the beam about which (True) or along which (False) a joint lets the end move."""
    everything = {(a, turning) for a in "xyz" for turning in (True, False)}
    if not joint.by_axes:
        return everything
    H = np.asarray(joint.motion(NUMERIC, joint.neutral), dtype=float).reshape(6, -1)
    names = [c.name for c in joint.scalars]
    acted = {0 if name is None else names.index(name) for name in but}
    H = H[:, [k for k in range(joint.nu) if k not in acted]]
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

    Where two segmented beams meet, the section of the child has no mass: that of the parent has.
    """
    name = other.partition(".")[0]
    if name == "ground":
        return True
    segmented = name in model.beams and model.beams[name].theory.segments is not None
    return model.bodies[name].resists(turning=turning) and (not segmented or other == joint.parent)


def _transmits(model: Model, joint: Joint, other: str, *, turning: bool) -> bool:
    """Whether there is a force or moment to transmit: none turns a mass in a point, at its origin,
    on which nothing else acts but pulls there."""
    name, _, frame = other.partition(".")
    if not turning or name == "ground" or not model.bodies[name].is_point or frame:
        return True
    touched = (
        element is not joint and not (element.pulls and reference == name)
        for element, reference in touching(model)
        if reference.partition(".")[0] == name
    )
    return any(touched)


def _loaded(
    model: Model, beam: Beam, end: str, on: Mapping[str, str], directions: Collection[str]
) -> set[str]:
    """Directions in which what is no joint acts on an end."""
    found: set[str] = set()
    for element, reference in _others_touching(model):
        body, _, frame = reference.partition(".")
        if body == beam.name and on.get(base_of(beam, frame)) == end:
            turned = not element.pulls or frame != base_of(beam, frame)
            found |= {d for d in directions if turned or not axis_of(d)[1]}
    return found


def _others_touching(model: Model) -> Iterator[tuple[Any, str]]:
    """What acts on frames and is no joint."""
    joints = set(map(id, model.joints.values()))
    return ((e, reference) for e, reference in touching(model) if id(e) not in joints)
