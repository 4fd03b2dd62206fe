"""One beam of large rotation as bodies at its nodes, free joints to the first of them, elements."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pliant.flex.large.elements import elements_of
from pliant.flex.large.numbers import BEYOND, BeamNumbers, node_name
from pliant.flex.large.sections import SectionAt
from pliant.flex.large.shape import BeamShape, ShapeFrame
from pliant.model.bodies import BodyState, RigidBody
from pliant.model.forces.beam_element import NodeElement
from pliant.model.formulas import Formula
from pliant.model.frames import Frame, Orientation
from pliant.model.joints import Free
from pliant.spatial.pose import Pose
from pliant.spatial.rotation import to_quaternion

DATUM = "datum"


@dataclass(frozen=True, slots=True)
class Parts:
    """What a beam becomes."""

    bodies: tuple[RigidBody, ...]
    joints: tuple[Free, ...]
    elements: tuple[NodeElement, ...]
    shape: BeamShape
    parameters: Mapping[str, Formula]


def parts_of(numbers: BeamNumbers, gravity: tuple[Formula, ...]) -> Parts:
    """Bodies, joints and elements; their order follows the axis of the beam."""
    groups = [elements_of(numbers, e, member, gravity)
              for e, member in enumerate(numbers.mesh.members())]  # fmt: skip
    elements = tuple(element for group in groups for element in group)
    joints = tuple(_joint(numbers, k, X) for k, X in enumerate(numbers.poses) if k)
    bodies = tuple(_bodies(numbers))
    shape = _shape(numbers, _sections(numbers, groups, gravity))
    return Parts(bodies, joints, elements, shape, numbers.number.parameters)


def _bodies(numbers: BeamNumbers) -> list[RigidBody]:
    beam, mesh = numbers.beam, numbers.mesh
    masses = np.zeros((mesh.size, 3))
    if beam.theory.kind == "exact":
        for e, member in enumerate(mesh.members()):
            masses[list(member)] += numbers.lumped(e)
    found = []
    for k in range(mesh.size):
        m, Iy, Iz = (
            numbers.number(f"{name}{k}", float(v))
            for name, v in zip(("m", "Jy", "Jz"), masses[k], strict=True)
        )
        initial = None
        if k == 0 and beam.initial is not None:
            s = beam.initial
            initial = BodyState(s.position, s.orientation, s.velocity, s.angular_velocity)
        found.append(RigidBody(node_name(beam.name, k), m, inertia=(Iy + Iz, Iy, Iz, 0, 0, 0),
                               frames=_frames(numbers, k), initial=initial))  # fmt: skip
    return found


def _frames(numbers: BeamNumbers, k: int) -> dict[str, Frame]:
    """Frames of the beam on node k, and the section beyond a corner."""
    own = (name for name, node in numbers.mesh.nodes.items() if node == k)
    found = {name: _on_node(numbers, numbers.beam.frames[name]) for name in own}
    e, inner = divmod(k, numbers.mesh.order)
    R = None if inner or e == numbers.mesh.elements else numbers.turned(e)
    if R is not None:
        found[BEYOND] = _placed(numbers, f"b{k}_", BEYOND, Pose(R, np.zeros(3)))
    return found


def _on_node(numbers: BeamNumbers, frame: Frame) -> Frame:
    """A frame of the beam on the body of its node."""
    if frame.on:
        return Frame(frame.name, frame.position, frame.orientation, frame.on.rpartition(".")[2])
    if frame.name == DATUM and frame.implied:
        return _placed(numbers, "d", DATUM, numbers.datum)
    _, y, z = frame.position
    return Frame(frame.name, (0, y, z), frame.orientation)


def _placed(numbers: BeamNumbers, label: str, name: str, X: Pose) -> Frame:
    """A frame by its pose on a node."""
    turn = Orientation.quaternion(numbers.numbers(f"{label}e", to_quaternion(X.R)))
    return Frame(name, numbers.numbers(f"{label}p", X.p), turn)


def _joint(numbers: BeamNumbers, k: int, X: Pose) -> Free:
    """A free joint whose guess is the stress-free place, from where assembly begins."""
    name = numbers.beam.name
    coordinates = dict(zip("xyz", X.p, strict=True))
    coordinates |= {f"e{i}": v for i, v in enumerate(to_quaternion(X.R))}
    guess = {c: numbers.number(f"{c}{k}", v) for c, v in coordinates.items()}
    return Free(f"{name}:j{k}", node_name(name, 0), node_name(name, k), guess=guess)


def _told(numbers: BeamNumbers) -> dict[str, int]:
    """Frames of sections, with their nodes."""
    frames = numbers.beam.frames
    return {
        name: k for name, k in numbers.mesh.nodes.items()
        if not frames[name].on and not (name == DATUM and frames[name].implied)
    }  # fmt: skip


def _shape(numbers: BeamNumbers, sections: dict[str, SectionAt]) -> BeamShape:
    """Frames that sit directly at nodes, and where they are without stress."""
    beam, mesh, poses = numbers.beam, numbers.mesh, numbers.poses
    frames = {}
    for name, k in _told(numbers).items():
        frame = beam.frames[name]
        arm = np.array([0.0, *(numbers.value(f) for f in frame.position[1:])])
        p = poses[k].p + poses[k].R @ arm
        first, last = (
            numbers.numbers(f"{name}_{end}", X.R.T @ (p - X.p))
            for end, X in zip("ab", (poses[0], poses[-1]), strict=True)
        )
        at = f"{node_name(beam.name, k)}.{name}"
        frames[name] = ShapeFrame(at, frame.position[0], (first, last))
    members = tuple(tuple(node_name(beam.name, k) for k in member) for member in mesh.members())
    ends = node_name(beam.name, 0), node_name(beam.name, mesh.size - 1)
    return BeamShape(f"{beam.name}:shape", *ends, frames, beam.length, members, sections)


def _sections(
    numbers: BeamNumbers, groups: list[tuple[NodeElement, ...]], gravity: tuple[Formula, ...]
) -> dict[str, SectionAt]:
    """Where frames at the ends of elements find their internal forces."""
    found, order = {}, numbers.mesh.order
    for name, k in _told(numbers).items():
        if k % order:
            continue
        first = k == 0
        e = 0 if first else k // order - 1
        parts = groups[e]
        node = parts[0].frames[0 if first else -1]
        share: tuple[Formula, ...] = ()
        if numbers.beam.theory.kind == "exact":
            share = numbers.numbers(f"share_{name}", numbers.lumped(e)[0 if first else -1])
        found[name] = SectionAt(node, first, parts, share, gravity)
    return found
